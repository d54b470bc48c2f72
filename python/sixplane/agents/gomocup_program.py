"""A program that speaks the Gomoku protocol of piskvork and the Gomocup tournament."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sixplane.agents.program import Program, ProgramError


class GomocupProgram(Program):
    """A running program that answers by lines; its lines MESSAGE and DEBUG are kept for errors."""

    farewell = b"END\n"

    def ask(self, lines: Sequence[str], seconds: float) -> str:
        """Sends lines and returns the answer to the last one; the others have none.

        Raises:
            ProgramTimeoutError: it has not come within so many seconds; the program is ended.
            ProgramError: the program has ended, writes without end, or what nobody asked for.
        """
        return self._exchange("".join(f"{line}\n" for line in lines).encode(), lines[-1], seconds)

    def refusal(self, command: str, answer: str, expected: str, game: str) -> ProgramError:
        """Makes the error of an answer that cannot be taken, with what the program has said last."""
        said = f"answers {command!r} with {answer[:200]!r}"
        if answer.upper().startswith(("ERROR", "UNKNOWN")):
            said = f"refuses {game}: it {said}"
        else:
            said = f"{said} instead of {expected}"
        return ProgramError(f"{self._name} {said}{self._complaint()}")

    def _unasked(self, command: str) -> None:
        self._read(command)
        if (line := self._take(command)) is not None:
            raise ProgramError(f"{self._name} has written {line[:200]!r} before {command!r}")

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
