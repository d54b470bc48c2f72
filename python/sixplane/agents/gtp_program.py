"""A program that speaks the Go Text Protocol, version 2."""

from __future__ import annotations

from collections.abc import Sequence

from sixplane.agents.program import Program, ProgramError


class GTPRefusal(ProgramError):  # noqa: N818 - an answer of the protocol, with `?`
    """The program answered that it cannot do what it was asked."""


class GTPProgram(Program):
    """A running program that numbers its answers as its commands are numbered."""

    farewell = b"quit\n"

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(arguments)
        self._last_id = 0

    def ask(self, command: str, seconds: float) -> str:
        """Sends a command and returns the answer, without the `=`.

        Raises:
            GTPRefusal: the answer begins with `?`; the program goes on.
            ProgramTimeoutError: it has not come within so many seconds; the program is ended.
            ProgramError: it is no answer, or the program has ended.
        """
        self._last_id += 1
        answer = self._exchange(f"{self._last_id} {command}\n".encode(), command, seconds)
        text = answer[1:].strip()
        if answer.startswith("?"):
            raise GTPRefusal(f"{self._name} answers {command!r} with {text[:200]!r}")
        return text

    def _take(self, command: str) -> str | None:
        """Takes the answer that has been read, without its number; None if there is more to come."""
        text = self._unread.replace(b"\r", b"").lstrip(b"\n \t")
        if not text:
            return None
        if text[:1] not in {b"=", b"?"}:
            line = text.split(b"\n")[0][:200].decode(errors="replace")
            raise ProgramError(
                f"{self._name} answers {command!r} with {line!r}, which is not of the protocol"
            )
        answer, blank, rest = text.partition(b"\n\n")
        if not blank:
            return None
        self._unread = rest
        mark, body = answer[:1].decode(), answer[1:].decode(errors="replace")
        number = body[: len(body) - len(body.lstrip("0123456789"))]
        if number and int(number[:10]) != self._last_id:
            raise ProgramError(
                f"{self._name} answers command {number[:10]} instead of {self._last_id}, {command!r}"
            )
        return mark + body[len(number) :]
