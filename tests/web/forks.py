"""Processes of the program that need not import it: a process that has its modules is forked for each.

Python and the imports take 0.4 seconds of a processor until a server listens, and most tests start
one. Such a process is as any other: it has a number, streams, signals and an exit status. What could differ
is how the interpreter begins, so the tests of the program itself start it anew.

Run as a program, this file is the process that is forked.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["Fork"]

#: What the commands import as they serve a page.
MODULES: Final = (
    "sixplane.__main__", "sixplane.web.opponents", "sixplane.web.server", "sixplane.web.watch_server",
    "uvicorn.lifespan.off", "uvicorn.loops.auto", "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)  # fmt: skip


class Fork:
    """A process of the program with these arguments; what tests use of `subprocess.Popen`."""

    _forked: socket.socket | None = None

    def __init__(self, arguments: list[str]) -> None:
        output, to_output = os.pipe()
        self._told, to_told = os.pipe()
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - until it is read
        request = json.dumps([arguments, str(Path.cwd()), dict(os.environ)]).encode()
        forked = self._process()
        socket.send_fds(forked, [len(request).to_bytes(4)], [to_output, self._errors.fileno(), to_told])
        forked.sendall(request)
        os.close(to_output)
        os.close(to_told)
        self.stdout = os.fdopen(output)
        self.pid = int.from_bytes(os.read(self._told, 4))
        assert self.pid, "the process that is forked has ended"
        self.returncode: int | None = None

    @classmethod
    def _process(cls) -> socket.socket:
        """A connection with the process that is forked, which ends with this process."""
        if cls._forked is None:
            from interruptible import INTERRUPTIBLE

            cls._forked, other = socket.socketpair()
            command = [*INTERRUPTIBLE, sys.executable, __file__, str(other.fileno())]
            process = subprocess.Popen(command, pass_fds=[other.fileno()])
            other.close()
            atexit.register(_end, cls._forked, process)
        return cls._forked

    def poll(self) -> int | None:
        """The exit status, if it has ended."""
        return self._waited(0)

    def wait(self, timeout: float) -> int:
        """Waits for the end; the exit status."""
        status = self._waited(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("sixplane", timeout)
        return status

    def _waited(self, seconds: float) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], seconds)[0]:
            self.returncode = int.from_bytes(os.read(self._told, 4), signed=True)
            os.close(self._told)
        return self.returncode

    def communicate(self, timeout: float) -> tuple[None, str]:
        """Waits for the end; the second is what it has written to stderr."""
        self.wait(timeout)
        self.stdout.close()
        with self._errors:
            self._errors.seek(0)
            return None, self._errors.read()

    def send_signal(self, number: int) -> None:
        """Sends a signal, if it has not ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)


def _end(forked: socket.socket, process: subprocess.Popen[bytes]) -> None:
    forked.close()
    process.wait()


def _serve(asked: socket.socket) -> list[str] | None:
    """Forks for each request; in the process of the program, returns its arguments."""
    for name in MODULES:
        importlib.import_module(name)
    assert len(list(Path("/proc/self/task").iterdir())) == 1, "a process that has threads cannot be forked"
    # Nobody waits for the processes between.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        try:
            length, given, _, _ = socket.recv_fds(asked, 4, 3)
        except KeyboardInterrupt:
            return None
        if not length:
            return None
        request = b""
        while len(request) < int.from_bytes(length):
            request += asked.recv(65_536)
        if os.fork() == 0:
            asked.close()
            return _begin(given, *json.loads(request))
        for each in given:
            os.close(each)


def _begin(given: list[int], arguments: list[str], folder: str, environment: dict[str, str]) -> list[str]:
    """Forks once more; the process of the program returns from here, the other tells how that ends."""
    output, errors, told = given
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for each, stream in ((output, 1), (errors, 2)):
        os.dup2(each, stream)
        os.close(each)
    sys.stdout = os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    pid = os.fork()
    if pid == 0:
        os.close(told)
        return arguments
    # Ctrl-C of a terminal reaches all of its processes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Only the program has these open, so that they end with it.
    for stream in (1, 2):
        os.close(stream)
    os.write(told, pid.to_bytes(4))
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.write(told, status.to_bytes(4, signed=True))
    os._exit(0)


if __name__ == "__main__":
    found = _serve(socket.socket(fileno=int(sys.argv[1])))
    if found is not None:
        sys.argv[1:] = found
        sys.exit(sys.modules["sixplane.__main__"].main(found))
