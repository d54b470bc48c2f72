"""Programs in forks of a process that has imported what takes long: the page's modules, or libraries.

That process is the fork server of `multiprocessing`, one for all programs of a run of tests. A program in a
fork has a number, streams, signals and an exit status like any other. What could differ is how the
interpreter begins, so some tests of each program start a new one.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
from multiprocessing import forkserver
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from multiprocessing.connection import Connection

__all__ = ["LIBRARIES", "PAGE", "Fork", "Template", "output_of", "run_sixplane"]


class Template:
    """What a process has imported before it is forked."""

    def __init__(self, *modules: str, **environment: str) -> None:
        self.modules, self.environment = modules, environment

    def start(self) -> None:
        """Starts the process, unless it has been."""
        with mock.patch.dict(os.environ, self.environment):
            # What is not there is left out.
            CONTEXT.set_forkserver_preload([*self.modules])
            forkserver.ensure_running()


#: What the commands import as they serve a page. Python and these take 0.4 seconds of a processor.
PAGE: Final = Template(
    "sixplane.cli.program", "sixplane.cli.match", "sixplane.cli.play", "sixplane.cli.train",
    "sixplane.cli.watch", "sixplane.web.opponents", "sixplane.web.server", "sixplane.web.watch_server",
    "uvicorn.lifespan.off", "uvicorn.loops.auto", "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)  # fmt: skip

#: The libraries that learn; the second is what the first optimizer of PyTorch imports. Threads of PyTorch
#: that wait for one another take minutes beside other programs. What tianshou has numba compile, and JAX
#: XLA, takes longer to compile than it runs.
LIBRARIES: Final = Template(
    "torch", "torch._dynamo", "sb3_contrib", "tianshou.algorithm", "tianshou.env", "torchrl.collectors",
    "torchrl.envs", "torchrl.modules", "torchrl.objectives", "jax",
    OMP_NUM_THREADS="1", NUMBA_DISABLE_JIT="1", XLA_FLAGS="--xla_backend_optimization_level=0",
)  # fmt: skip

CONTEXT: Final = multiprocessing.get_context("forkserver")


class Fork:
    """A program in a fork: what tests use of `subprocess.Popen`.

    Args:
        template: what it is forked from, the same for all programs of a run of tests.
        main: a function that can be imported.
        arguments: what it is called with.
        folder: where it runs; that of this process by default.
    """

    def __init__(
        self, template: Template, main: Callable[..., object], *arguments: Any, folder: Path | None = None
    ) -> None:
        template.start()
        reader, writer = CONTEXT.Pipe(duplex=False)
        self._errors = tempfile.NamedTemporaryFile("w+")  # noqa: SIM115 - until it is read
        environment = os.environ | template.environment
        streams = writer, self._errors.name
        given = streams, folder or Path.cwd(), environment, main, arguments
        self._process = CONTEXT.Process(target=_begin, args=given)
        self._process.start()
        writer.close()
        self.stdout = os.fdopen(os.dup(reader.fileno()))
        reader.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit status, if it has ended."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit status, if it has ended."""
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Waits for the end; the exit status."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout)
        return self.returncode

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Waits for the end; what has not been read of its output, and its errors."""
        end, output = time.monotonic() + timeout, b""
        while select.select([self.stdout], [], [], max(end - time.monotonic(), 0))[0]:
            if not (more := os.read(self.stdout.fileno(), 65_536)):
                break
            output += more
        self.wait(max(end - time.monotonic(), 0))
        self.stdout.close()
        with self._errors:
            self._errors.seek(0)
            return output.decode(), self._errors.read()

    def send_signal(self, number: int) -> None:
        """Sends a signal, if it has not ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()


def output_of(code: str, *arguments: str, folder: Path, seconds: float) -> str:
    """What a program prints, which has imported the libraries, and must end well within so many seconds."""
    fork = Fork(LIBRARIES, run_code, code, arguments, folder=folder)
    try:
        output, errors = fork.communicate(seconds)
    except subprocess.TimeoutExpired:
        fork.kill()
        raise
    assert fork.returncode == 0, f"{fork.returncode}\n{output}\n{errors}"
    return output


def run_sixplane(arguments: Sequence[str]) -> None:
    """Is the program `sixplane`."""
    of_template = Path(f"/proc/{os.getppid()}/task")
    assert len(list(of_template.iterdir())) == 1, "a process that has threads cannot be forked"
    from sixplane.__main__ import main

    sys.argv = ["sixplane", *arguments]
    sys.exit(main(list(arguments)))


def run_code(code: str, arguments: Sequence[str]) -> None:
    """Is a program of Python."""
    assert "sixplane" not in sys.modules, "the program would miss nothing that it forgets to import"
    sys.argv = ["-c", *arguments]
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    exec(compile(code, "<string>", "exec"), module.__dict__)  # noqa: S102 - as Python does


def _begin(
    streams: tuple[Connection, str],
    folder: Path,
    environment: Mapping[str, str],
    main: Callable[..., object],
    arguments: Sequence[Any],
) -> None:
    """Is the program from its begin to its end, in the fork."""
    output, errors = streams
    os.dup2(output.fileno(), 1)
    output.close()
    os.dup2(os.open(errors, os.O_WRONLY | os.O_APPEND), 2)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # As `interruptible` does for programs that begin.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # What was imported need not be looked through again and again.
    gc.freeze()
    try:
        main(*arguments)
    finally:
        # As at the end of an interpreter; a process of `multiprocessing` ends without.
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
