"""The exceptions of sixplane beside `ValueError` and `TypeError`; the compiled core raises them."""

from __future__ import annotations

__all__ = ["IllegalActionError", "SGFError"]


class IllegalActionError(ValueError):
    """An action that the rules forbid; the game it was offered to is unchanged.

    Attributes:
        reason: the first that holds of `game_over`, `off_board`, `pass_not_allowed`, `occupied`,
            `suicide`, `ko`, `superko`, `no_flip`.
    """

    reason: str

    def __init__(self, reason: str, message: str | None = None) -> None:
        super().__init__(reason if message is None else message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[IllegalActionError], tuple[str, str]]:
        return type(self), (self.reason, str(self))


class SGFError(ValueError):
    """A text that is no SGF, or an SGF record that is no game.

    Attributes:
        offset: how many bytes of the text come before the fault.
    """

    offset: int

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset

    def __reduce__(self) -> tuple[type[SGFError], tuple[str, int]]:
        return type(self), (str(self), self.offset)
