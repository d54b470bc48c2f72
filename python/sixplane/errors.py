"""The exceptions and warnings of sixplane beside Python's own; the compiled core raises them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["GameRulesError", "IllegalActionError", "SGFError", "SGFWarning"]


class GameRulesError(RuntimeError):
    """The rules of a game of your own raised an error, or gave an impossible answer; the game is unchanged.

    Attributes:
        game: the name of the class with the rules.
        position: the position in which they were asked, drawn, and who is to play; None: at the start.
        action: the action that was played, or None.

    Example:
        >>> import sixplane
        >>> @sixplane.game_class
        ... class Broken:
        ...     def legal(self, position):
        ...         return position.empty
        ...     def ending(self, position):
        ...         return None if position.empty[0, 0] else ("full", 1 / 0)
        >>> game = Broken(size=2)
        >>> try:
        ...     game.play(0)
        ... except sixplane.GameRulesError as error:
        ...     print(error.game, type(error.__cause__).__name__, game.move_number)
        Broken ZeroDivisionError 0
    """

    game: str
    position: str | None
    action: int | None

    def __init__(self, what: str, game: str, position: str | None = None, action: int | None = None) -> None:
        played = "" if action is None else f", with action {action}"
        shown = "" if position is None else f"{played}, in the position with {position}"
        super().__init__(f"the rules of {game}: {what}{shown}")
        self.what, self.game, self.position, self.action = what, game, position, action

    def __reduce__(self) -> tuple[type[GameRulesError], tuple[object, ...]]:
        return type(self), (self.what, self.game, self.position, self.action)


class IllegalActionError(ValueError):
    """An action that the rules forbid; the game it was offered to is unchanged.

    Attributes:
        reason: the first that holds of `game_over`, `off_board`, `pass_not_allowed`, `occupied`,
            `suicide`, `ko`, `superko`, `no_flip`, `no_support`; in a batch, that of the first
            game of `indices`.
        indices: the games of a batch whose actions were refused, `(k,)` int64, ascending; None for one game.
        reasons: the reason of each of those games; None for one game.

    Example:
        >>> import sixplane
        >>> batch = sixplane.GameBatch(sixplane.Go(size=3), 3)
        >>> batch.play([0, 1, 2])
        >>> try:
        ...     batch.play([5, 1, 99])
        ... except sixplane.IllegalActionError as error:
        ...     print(error.indices, error.reasons)
        [1 2] ['occupied', 'off_board']
    """

    reason: str
    indices: npt.NDArray[np.int64] | None
    reasons: list[str] | None

    def __init__(
        self,
        reason: str,
        message: str | None = None,
        indices: npt.NDArray[np.int64] | None = None,
        reasons: list[str] | None = None,
    ) -> None:
        super().__init__(reason if message is None else message)
        self.reason = reason
        self.indices = indices
        self.reasons = reasons

    def __reduce__(self) -> tuple[type[IllegalActionError], tuple[object, ...]]:
        return type(self), (self.reason, str(self), self.indices, self.reasons)


class SGFError(ValueError):
    """A text that is no SGF, or an SGF record that is no game.

    Attributes:
        offset: the byte where the fault is: in the bytes that were read, or in a str's text in UTF-8.

    Example:
        >>> from sixplane import sgf
        >>> try:
        ...     sgf.parse("(;GM[1]SZ[9];B[ee]W)")
        ... except SGFError as error:
        ...     print(error.offset, error)
        18 the property W has no value (at byte 18)
    """

    offset: int

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset

    def __reduce__(self) -> tuple[type[SGFError], tuple[str, int]]:
        return type(self), (str(self), self.offset)


class SGFWarning(UserWarning):
    """A warning that something of an SGF record is left out, or read by a guess.

    Attributes:
        kind: `moves` if all is left out from a move on, `part` if something else is left out, such as a
            rule or the end of the text, and `doubt` if nothing is, but the record may mean something else.
        first: the number of the first move left out, counted from 1; None unless moves are left out.
        moves: how many moves of the record are left out.
        reason: why, such as `illegal move W[aa]: occupied`.
        offset: the byte where it is, as in `SGFError`.

    Example:
        >>> import tempfile, warnings
        >>> from pathlib import Path
        >>> from sixplane import sgf
        >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always")
        ...     size = Path(folder, "game.sgf").write_text("(;GM[1]SZ[9];B[ee];W[ee];B[cc])")
        ...     game = sgf.read_sgf(Path(folder, "game.sgf"))
        >>> warning = caught[0].message
        >>> warning.kind, warning.first, warning.moves, warning.reason
        ('moves', 2, 2, 'illegal move W[ee]: occupied')
    """

    kind: Literal["moves", "part", "doubt"]
    first: int | None
    moves: int
    reason: str
    offset: int

    def __init__(
        self,
        message: str,
        kind: Literal["moves", "part", "doubt"],
        moves: tuple[int | None, int],
        reason: str,
        offset: int,
    ) -> None:
        super().__init__(message)
        self.kind, self.reason, self.offset = kind, reason, offset
        self.first, self.moves = moves

    def __reduce__(self) -> tuple[type[SGFWarning], tuple[object, ...]]:
        return type(self), (str(self), self.kind, (self.first, self.moves), self.reason, self.offset)
