"""A program that speaks the Gomoku protocol of piskvork and the Gomocup tournament."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sixplane.agents.program import Program, ProgramError, ProgramTimeoutError


class GomocupError(ProgramError):
    """The program cannot be started, has ended, or does not answer as the protocol says.

    Example:
        >>> try:
        ...     GomocupProgram(["no-such-program"])
        ... except GomocupError as error:
        ...     print(error)
        cannot start no-such-program: No such file or directory
    """


class GomocupTimeoutError(GomocupError, ProgramTimeoutError):
    """The program has not answered in time.

    Example:
        >>> import sys
        >>> program = GomocupProgram([sys.executable, "-c", "input(), input()"])
        >>> try:
        ...     program.ask(["START 15"], seconds=0.1)
        ... except GomocupTimeoutError as error:
        ...     print(str(error).removeprefix(sys.executable))
         has not answered 'START 15' within 0.1 s
    """


class GomocupProgram(Program):
    """A running program that answers by lines; its lines MESSAGE and DEBUG are kept for errors."""

    farewell = b"END\n"
    error = GomocupError
    timeout_error = GomocupTimeoutError

    def ask(self, lines: Sequence[str], seconds: float) -> str:
        """Sends lines and returns the answer to the last one; the others have none.

        Raises:
            GomocupTimeoutError: it has not come within so many seconds; the program is ended.
            GomocupError: the program has ended, writes without end, or what nobody asked for.
        """
        return self._exchange("".join(f"{line}\n" for line in lines).encode(), lines[-1], seconds)

    def refusal(self, command: str, answer: str, expected: str, game: str) -> GomocupError:
        """Makes the error of an answer that cannot be taken, with what the program has said last."""
        said = f"answers {command!r} with {answer[:200]!r}"
        if answer.upper().startswith(("ERROR", "UNKNOWN")):
            said = f"refuses {game}: it {said}"
        else:
            said = f"{said} instead of {expected}"
        return GomocupError(f"{self._name} {said}{self._complaint()}")

    def _unasked(self, command: str) -> None:
        self._read(command)
        if (line := self._take(command)) is not None:
            raise GomocupError(f"{self._name} has written {line[:200]!r} before {command!r}")

    def _take(self, command: str) -> str | None:  # noqa: ARG002 - a line has no number
        """Takes the next line that is no remark; None if it has not been read to its end."""
        begin = 0
        answer = None
        for end in re.finditer(rb"[\r\n]", self._unread):
            line, begin = self._unread[begin : end.start()].strip(), end.end()
            if line[:7].upper() == b"MESSAGE" or line[:5].upper() == b"DEBUG":
                self._remark(line + b"\n")
            elif line:
                answer = line.decode(errors="replace")
                break
        self._unread = self._unread[begin:]
        return answer
