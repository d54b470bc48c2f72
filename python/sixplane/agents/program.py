"""Another program as a child process, which is sent lines and answers with lines, and agents that are one."""

from __future__ import annotations

import math
import os
import selectors
import shlex
import signal
import subprocess
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import ClassVar, Final, Generic, TypeVar

from sixplane._core import Game
from sixplane.agents.agent import seconds_of_move
from sixplane.games.plays import plays_between
from sixplane.jobs.child import end_group

#: How much is read for one answer; a program that says more is out of order.
MAX_ANSWER: Final = 1 << 20

#: How much is kept for messages of what the program says beside its answers.
KEPT_REMARKS: Final = 2000

#: How long a program may take to end by itself when it has been told to.
QUIT_SECONDS: Final = 0.5


class ProgramError(RuntimeError):
    """The program cannot be started, has ended, or does not answer as its protocol says.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import GTPAgent
        >>> try:
        ...     GTPAgent("no-such-program").select_action(sixplane.Go())
        ... except ProgramError as error:
        ...     print(error)
        cannot start no-such-program: No such file or directory
    """


class ProgramTimeoutError(ProgramError, TimeoutError):
    """The program has not answered in time, and was ended.

    Example:
        >>> import sys
        >>> import sixplane
        >>> from sixplane.agents import GTPAgent
        >>> agent = GTPAgent([sys.executable, "-c", "input(), input()"], timeout=0.1)
        >>> try:
        ...     agent.select_action(sixplane.Go())
        ... except ProgramTimeoutError:
        ...     print("too late")
        too late
    """


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


class Program(ABC):
    """A running program; any error ends it, and every process that it has started.

    A subclass knows a protocol: how a request is written, and what a complete answer is.

    It runs in a process group of its own, so that Ctrl-C does not reach it; the group is killed when
    this object is closed, collected, or left at the end of the interpreter. Needs a POSIX system.

    Args:
        arguments: the program and its arguments.

    Raises:
        ProgramError: it cannot be started.
    """

    #: The line that tells the program to end.
    farewell: ClassVar[bytes]

    def __init__(self, arguments: Sequence[str]) -> None:
        if os.name != "posix":
            raise ProgramError("other programs need a POSIX system")
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
            raise ProgramError(f"cannot start {self._name}: {error.strerror}") from error
        self._unread = b""
        #: How much has been read since the last request.
        self._size = 0
        self._remarks = b""
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
        """Tells the program to end, then ends it and all that it has started."""
        if self._end.alive:
            with suppress(OSError):
                os.write(self._stdin, self.farewell)
        self._end()

    def _exchange(self, request: bytes, command: str, seconds: float) -> str:
        """Sends a request and returns the answer; messages name the command."""
        if not self._end.alive:
            raise ProgramError(f"{self._name} has been ended")
        try:
            return self._answer(request, command, seconds)
        except BaseException:
            # After a failure or Ctrl-C it is unknown which answer comes next.
            self._end()
            raise

    @abstractmethod
    def _take(self, command: str) -> str | None:
        """Takes the answer out of what has been read; None if there is more to come."""

    def _unasked(self, command: str) -> None:  # noqa: B027 - a protocol that numbers its answers needs none
        """Raises if the program has written what nobody asked for, before a command is sent."""

    def _answer(self, request: bytes, command: str, seconds: float) -> str:
        deadline = time.monotonic() + seconds
        self._size = len(self._unread)
        self._unasked(command)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._errors, selectors.EVENT_READ)
            while True:
                answer = None if request else self._take(command)
                if answer is not None:
                    return answer
                left = deadline - time.monotonic()
                if left <= 0:
                    raise ProgramTimeoutError(
                        f"{self._name} has not answered {command!r} within {seconds:.3g} s"
                    )
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
            raise ProgramError(f"{self._name} has ended without an answer to {command!r}{self._complaint()}")
        self._unread += some
        self._size += len(some)
        if self._size > MAX_ANSWER:
            raise ProgramError(f"{self._name} writes without end after {command!r}")

    def _read_errors(self) -> bool:
        """Keeps what was written to stderr; returns whether more may come."""
        try:
            some = os.read(self._errors, 1 << 16)
        except BlockingIOError:
            return True
        self._remark(some)
        return bool(some)

    def _remark(self, some: bytes) -> None:
        """Keeps the end of what the program says beside its answers."""
        self._remarks = (self._remarks + some)[-KEPT_REMARKS:]

    def _complaint(self) -> str:
        lines = self._remarks.decode(errors="replace").strip().splitlines()
        return f"; it says {lines[-1][:200]!r}" if lines else ""


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
    """Ends a program and its process group; it may have been told to end."""
    if os.getpid() != owner:  # a fork of the process that started it
        return
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    try:
        end_group(process.pid, QUIT_SECONDS)
    finally:
        process.wait()


#: The program, by the protocol that it speaks.
P = TypeVar("P", bound=Program)


class ProgramAgent(Generic[P]):
    """An agent that is another program, which is started for the first move and after every end."""

    def __init__(self, kind: type[P], command: str | Sequence[str], timeout: float) -> None:
        self._kind = kind
        self._arguments = arguments_of(command)
        self._timeout = self._own_timeout = seconds_of_move(timeout)
        if math.isinf(self._timeout):
            raise ValueError("the time must be a positive number of seconds, not infinity")
        #: When the answers of this move must be there, by `time.monotonic()`.
        self._deadline = 0.0
        self._forget()

    def _forget(self) -> None:
        self._program: P | None = None
        #: The game as the program knows it; None if it must be sent anew.
        self._sent: Game | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._arguments!r})"

    def limit_time(self, seconds: float) -> None:
        """Sets the time for one move; it includes the start of the program and sending the game.

        Infinity stands for the time that the agent was made with.
        """
        limit = seconds_of_move(seconds)
        self._timeout = self._own_timeout if math.isinf(limit) else limit

    def close(self) -> None:
        """Ends the program; the next move starts it again."""
        program = self._program
        self._forget()
        if program is not None:
            program.close()

    def _running(self) -> P:
        """Starts the program, unless it runs; what an earlier one knew counts no more."""
        if self._program is None or not self._program.is_running:
            self._forget()
            self._program = self._kind(self._arguments)
        return self._program

    def _new_plays(self, game: Game) -> list[tuple[int, int]] | None:
        """Lists the plays that the program does not know; None if it knows nothing of this game."""
        sent, self._sent = self._sent, None
        return None if sent is None else plays_between(sent, game)

    def _note(self, game: Game, action: int) -> None:
        """Notes that the program has played. The next call shows whether the game continues so."""
        self._sent = None
        if action in game.legal_actions:
            self._sent = game.copy()
            self._sent.play(action)

    def _begin_move(self) -> None:
        self._deadline = time.monotonic() + self._timeout

    @property
    def _seconds_left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)
