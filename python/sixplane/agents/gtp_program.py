"""A program that speaks the Go Text Protocol, version 2, as a child process."""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import threading
import time
import weakref
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["GTPError", "GTPProgram", "GTPRefusal", "GTPTimeoutError", "arguments_of"]

#: The longest answer that is read; a program that says more is out of order.
MAX_ANSWER: Final = 1 << 20

#: How much of what the program writes to stderr is kept for messages.
KEPT_STDERR: Final = 2000

#: How long a program may take to end by itself after `quit`.
QUIT_SECONDS: Final = 0.5


class GTPError(RuntimeError):
    """The program cannot be started, has ended, or does not answer as the protocol says.

    Example:
        >>> try:
        ...     GTPProgram(["no-such-program"])
        ... except GTPError as error:
        ...     print(error)
        cannot start no-such-program: No such file or directory
    """


class GTPTimeoutError(GTPError, TimeoutError):
    """The program has not answered in time.

    Example:
        >>> import sys
        >>> program = GTPProgram([sys.executable, "-c", "input(), input()"])
        >>> try:
        ...     program.ask("name", seconds=0.1)
        ... except GTPTimeoutError as error:
        ...     print(str(error).removeprefix(sys.executable))
         has not answered 'name' within 0.1 s
    """


class GTPRefusal(GTPError):  # noqa: N818 - an answer of the protocol, with `?`
    """The program answered that it cannot do what it was asked."""


def arguments_of(command: str | Sequence[str]) -> list[str]:
    """Splits a command line into a list of arguments.

    Raises:
        ValueError: there are none, or a quotation is not closed.
        TypeError: they are no strings.
    """
    arguments = shlex.split(command) if isinstance(command, str) else list(command)
    if not all(isinstance(argument, str) for argument in arguments):
        raise TypeError(f"the command must be a string or a list of strings, not {command!r}")
    if not arguments:
        raise ValueError("the command is empty")
    return arguments


class GTPProgram:
    """A running program; any error ends it, and every process that it has started.

    It runs in a process group of its own, so that Ctrl-C does not reach it; the group is killed when
    this object is closed, collected, or left at the end of the interpreter. Needs a POSIX system.

    Args:
        arguments: the program and its arguments.

    Raises:
        GTPError: it cannot be started.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        if os.name != "posix":
            raise GTPError("programs behind GTP need a POSIX system")
        self._name = arguments[0]
        try:
            # A program that has started is known, so that it can be ended.
            with _signals_later():
                self._process = subprocess.Popen(  # noqa: S603 - the caller names the program
                    arguments,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                )
                self._end = weakref.finalize(self, _end, self._process, os.getpid())
        except OSError as error:
            raise GTPError(f"cannot start {self._name}: {error.strerror}") from error
        self._last_id = 0
        self._unread = b""
        self._stderr = b""
        assert self._process.stdin and self._process.stdout and self._process.stderr  # noqa: S101, PT018
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._errors = self._process.stderr.fileno()
        for stream in (self._stdin, self._stdout, self._errors):
            os.set_blocking(stream, False)

    @property
    def is_running(self) -> bool:
        """Whether the program has not been ended by this object."""
        return self._end.alive

    def close(self) -> None:
        """Asks the program to quit, then ends it and all that it has started."""
        if self._end.alive:
            with suppress(OSError):
                os.write(self._stdin, b"quit\n")
        self._end()

    def ask(self, command: str, seconds: float) -> str:
        """Sends a command and returns the answer, without the `=`.

        Raises:
            GTPRefusal: the answer begins with `?`; the program goes on.
            GTPTimeoutError: it has not come within so many seconds; the program is ended.
            GTPError: it is no answer, or the program has ended.
        """
        if not self._end.alive:
            raise GTPError(f"{self._name} has been ended")
        self._last_id += 1
        try:
            answer = self._exchange(f"{self._last_id} {command}\n".encode(), command, seconds)
        except BaseException:
            # After a failure or Ctrl-C it is unknown which answer comes next.
            self._end()
            raise
        text = answer[1:].strip()
        if answer.startswith("?"):
            raise GTPRefusal(f"{self._name} answers {command!r} with {text[:200]!r}")
        return text

    def _exchange(self, request: bytes, command: str, seconds: float) -> str:
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._errors, selectors.EVENT_READ)
            while True:
                answer = None if request else self._complete_answer(command)
                if answer is not None:
                    return answer
                left = deadline - time.monotonic()
                if left <= 0:
                    raise GTPTimeoutError(f"{self._name} has not answered {command!r} within {seconds:.3g} s")
                for key, _ in selector.select(left):
                    if key.fd == self._stdin:
                        request = self._write(request)
                        if not request:
                            selector.unregister(self._stdin)
                    elif key.fd == self._stdout:
                        self._read(command)
                    elif not self._read_errors():
                        selector.unregister(self._errors)

    def _write(self, request: bytes) -> bytes:
        """Writes what the program takes; returns the rest."""
        try:
            return request[os.write(self._stdin, request) :]
        except BlockingIOError:
            return request
        except OSError:
            # It has closed its input: what it has said, and its end, are read from the output.
            return b""

    def _read(self, command: str) -> None:
        try:
            some = os.read(self._stdout, 1 << 16)
        except BlockingIOError:
            return
        if not some:
            self._read_errors()
            raise GTPError(f"{self._name} has ended without an answer to {command!r}{self._complaint()}")
        self._unread += some
        if len(self._unread) > MAX_ANSWER:
            raise GTPError(f"{self._name} writes without end after {command!r}")

    def _read_errors(self) -> bool:
        """Keeps the end of what was written to stderr; returns whether more may come."""
        try:
            some = os.read(self._errors, 1 << 16)
        except BlockingIOError:
            return True
        self._stderr = (self._stderr + some)[-KEPT_STDERR:]
        return bool(some)

    def _complaint(self) -> str:
        lines = self._stderr.decode(errors="replace").strip().splitlines()
        return f"; it says {lines[-1][:200]!r}" if lines else ""

    def _complete_answer(self, command: str) -> str | None:
        """Takes the answer that has been read, without its number; None if there is more to come."""
        text = self._unread.replace(b"\r", b"").lstrip(b"\n \t")
        if not text:
            return None
        if text[:1] not in {b"=", b"?"}:
            line = text.split(b"\n")[0][:200].decode(errors="replace")
            raise GTPError(f"{self._name} answers {command!r} with {line!r}, which is not of the protocol")
        answer, blank, rest = text.partition(b"\n\n")
        if not blank:
            return None
        self._unread = rest
        mark, body = answer[:1].decode(), answer[1:].decode(errors="replace")
        number = body[: len(body) - len(body.lstrip("0123456789"))]
        if number and int(number[:10]) != self._last_id:
            raise GTPError(
                f"{self._name} answers command {number[:10]} instead of {self._last_id}, {command!r}"
            )
        return mark + body[len(number) :]


@contextmanager
def _signals_later() -> Iterator[None]:
    """Delays signals that this process handles, such as Ctrl-C, until the block ends."""
    came: list[int] = []
    before = {}
    # Only the main thread handles signals, and may say how.
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        before = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in before:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for each in came:
            signal.raise_signal(each)


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """Ends a program and its process group; it may have been asked to quit."""
    if os.getpid() != owner:  # a fork of the process that started it
        return
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    deadline = time.monotonic() + QUIT_SECONDS
    try:
        # It is not waited for before its group is killed: until then the number stays its own.
        while time.monotonic() < deadline:
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                break
            time.sleep(0.005)
    finally:
        # Also when a signal ends the wait: this is not called twice.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
