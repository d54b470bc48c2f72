"""A service in a process of its own, which can be ended at any moment."""

from __future__ import annotations

import multiprocessing
import os
import re
import select
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing import util
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Any, Final, Generic, TypeVar

from sixplane.jobs.jobs import JobError

Request = TypeVar("Request")

#: The most seconds of one wait.
LONGEST_WAIT: Final = 1e6

#: Seconds that a process may take to start, its imports included.
START_SECONDS: Final = 120.0

#: Seconds that a process may take to end what it has started itself, also on a busy machine.
END_SECONDS: Final = 10.0

#: The exit status of a process that begins with a script that would start another one.
UNGUARDED: Final = 76

#: The advice for such a script.
UNGUARDED_TEXT: Final = (
    "a new process begins by importing the script, which must not start another one then: put what the "
    'script does below `if __name__ == "__main__":`'
)


def leave_if_importing() -> None:
    """Ends a process that is still importing its parent's script. The parent reports the error."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.exit(UNGUARDED)


def check_script() -> None:
    """Raises a `JobError` unless a new process finds the script of this one."""
    leave_if_importing()
    main = sys.modules.get("__main__")
    path = getattr(main, "__file__", None)
    if path is not None and getattr(main, "__spec__", None) is None and not Path(path).is_file():
        raise JobError(f"a new process begins by importing the script, and {path} is no file")


class EndedError(JobError):
    """The process has ended."""

    def __init__(self) -> None:
        super().__init__("the process has ended")


class TerminatedError(SystemExit):
    """SIGTERM has come to this process, and ends it by this."""


def is_sigterm(error: BaseException) -> bool:
    """Returns whether SIGTERM has raised this where it came, so that nobody's code is to blame."""
    # In a process of Ray's that is a SystemExit with this attribute.
    return isinstance(error, TerminatedError) or hasattr(error, "ray_terminate_msg")


class Child(Generic[Request]):
    """Answers requests by `service(request)` in a new process, one at a time.

    Ctrl-C does not reach the process: its maker decides when it ends. It ends when this object is closed
    or collected, or when the interpreter ends, also by SIGKILL.

    Args:
        service: anything that pickles and can be called with a request that pickles.

    Raises:
        JobError: the service cannot be pickled, or its process does not start. A process begins by
            importing the script, which must not start another one then, and has to find the service.
    """

    def __init__(self, service: Callable[[Request], object]) -> None:
        check_script()
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        # Not one that dies with its parent by itself: it may have children of its own.
        process = context.Process(target=_serve, args=(theirs,))
        # At exit, multiprocessing waits for its processes: before that they are ended.
        # A call takes it off the list of what multiprocessing does then.
        self._end = util.Finalize(None, _end, (process, self.connection, os.getpid()), exitpriority=10)
        collected = weakref.finalize(self, self._end)
        collected.atexit = False  # Else it would come before what is to end first, such as a pool of these.
        try:
            with _interrupts_blocked():
                process.start()
            theirs.close()
            self._send(service)
            self.answer(START_SECONDS)
        except BaseException as error:
            self.close()
            if process.exitcode == UNGUARDED:
                raise JobError(UNGUARDED_TEXT) from None
            if not isinstance(error, Exception) or isinstance(error, JobError):
                raise
            raise JobError(f"a process does not start: {error}") from error

    def ask(self, request: Request) -> None:
        """Sends a request to the process, once the answer to the one before was received.

        Raises:
            JobError: the request does not pickle, or the process has ended.
        """
        self._send(request)

    def _send(self, value: object) -> None:
        try:
            self.connection.send(value)
        except OSError as error:
            raise EndedError from error
        except Exception as error:
            raise JobError(f"cannot hand {type(value).__name__} to a process: {error}") from error

    def answer(self, seconds: float | None = None) -> Any:
        """Waits for the result of the service, and returns it.

        Raises:
            TimeoutError: there is no result within so many seconds.
            JobError: the service raised an exception, or the process has ended.
        """
        try:
            # A system counts milliseconds, and not for years.
            if not self.connection.poll(None if seconds is None else min(seconds, LONGEST_WAIT)):
                raise TimeoutError(f"no answer within {seconds:.3g} s")
            answer, failure = self.connection.recv()
        except (EOFError, ConnectionError) as error:
            raise EndedError from error
        if failure is not None:
            raise JobError(_explained(failure))
        return answer

    def close(self) -> None:
        """Ends the process, whatever it does."""
        # Not what waits for the collection: it does nothing any more once the interpreter ends.
        self._end()


def _explained(error: str) -> str:
    """Returns the error of a process, with advice where there is some."""
    # As pickle has it up to Python 3.13, and after that.
    lost = re.search(
        r"Can't (?:get attribute|resolve path) '([^']+)' on <?module '__main__'"
        r"|module '__main__' has no attribute '([^']+)'",
        error,
    )
    if lost is None:
        return error
    return (
        f"a new process cannot find {lost[1] or lost[2]}, which was made in a notebook or at a prompt: write "
        "it into a module, a file that ends in .py, and import it from there"
    )


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Blocks Ctrl-C in this thread until the block ends, and in the process that it starts until that serves.

    Without it a Ctrl-C would end the process with a traceback while it imports what it needs.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # A mask and not an ignored signal: any thread may set its own, and what comes meanwhile is not lost. The
    # tracker starts first, since its start unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection) -> None:
    """Runs in the process until the other end of the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        # What the service starts must not inherit the block. A Ctrl-C that came before is gone by now.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # So that what the service has started is ended as at any other end of an interpreter.
    signal.signal(signal.SIGTERM, _terminate)
    if hasattr(os, "setsid"):
        os.setsid()
    threading.Thread(target=_end_with_maker, daemon=True).start()
    service: Callable[[object], object] | None = None
    try:
        while True:
            try:
                request = connection.recv()
                if service is None:
                    service, answer = request, None
                else:
                    answer = service(request)
                connection.send((answer, None))
            except (EOFError, BrokenPipeError, ConnectionResetError):
                return
            except Exception as error:
                connection.send((None, f"{type(error).__name__}: {error}"))
    finally:
        try:
            # SIGTERM comes with the end of the connection, perhaps only now.
            signal.signal(signal.SIGTERM, _pass_over)
        finally:
            getattr(service, "close", lambda: None)()


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    # Once: a second one would cut short what has begun to end.
    signal.signal(signal.SIGTERM, _pass_over)
    raise TerminatedError(1)


def _pass_over(_signal: int, _frame: FrameType | None) -> None:
    """Does nothing. Of a signal that comes while `SIG_IGN` is set, Python prints that there was a race."""


def _end_with_maker() -> None:
    """Ends this process when its maker was killed, and could not end it."""
    maker = multiprocessing.parent_process()
    if maker is not None:
        maker.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(END_SECONDS)
        os._exit(1)


def _end(process: BaseProcess, connection: Connection, owner: int) -> None:
    if os.getpid() != owner:
        return
    connection.close()
    pid = process.pid
    if pid is None:
        return
    process.terminate()
    try:
        end_group(pid, END_SECONDS)
    finally:
        process.kill()
        process.join()


def end_group(pid: int, seconds: float) -> None:
    """Waits so long for a process of this one to end, then kills what is left of the group that it leads."""
    deadline = time.monotonic() + seconds
    try:
        # It is not waited for before its group is killed: until then the number stays its own.
        while time.monotonic() < deadline and not _has_ended(pid):
            time.sleep(0.005)
    finally:
        # Also when a signal ends the wait: this is not called twice.
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)


def _has_ended(pid: int) -> bool:
    """Returns whether a process of this one has ended, and does not wait for it."""
    if sys.platform == "darwin" and sys.version_info < (3, 13):
        # There is no `waitid` yet. The system refuses to tell the end of a process that has ended.
        end = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
        with closing(select.kqueue()) as queue:
            try:
                return bool(queue.control([end], 1, 0))
            except OSError:
                return True
    if not hasattr(os, "waitid"):
        return True
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True
