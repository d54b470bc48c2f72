"""The members that every six-plane game has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, Protocol, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

__all__ = ["MEMBERS", "SixPlaneGame"]


class SixPlaneGame(Protocol):
    """A game in play whose whole state is six planes.

    It can be pickled and deep-copied too. A class may also offer `from_planes`, `from_stones` and
    `from_text`, or `to_sgf` and `from_sgf`; then the laws about them hold.

    Example:
        >>> import sixplane
        >>> def play_first(game: SixPlaneGame) -> str | None:
        ...     while not game.is_over:
        ...         game.play(game.legal_actions[0])
        ...     return game.outcome
        >>> play_first(sixplane.Reversi(size=4)), play_first(sixplane.Gomoku(size=5))
        ('white', 'black')
    """

    def play(self, action: SupportsIndex, /) -> None:
        """Plays; an illegal action raises `IllegalActionError`, and nothing changes."""

    def undo(self) -> None:
        """Withdraws a resignation or a `set_turn`, else takes back the last action."""

    def resign(self, color: Literal[0, 1, "black", "white"] | None = None, /) -> None:
        """Ends the game by the resignation of `color` (None: the player to play)."""

    def set_turn(self, color: Literal[0, 1, "black", "white"], /) -> None:
        """Sets the player to play: one step of `undo`, but no action."""

    def history_planes(self, k: SupportsIndex, /) -> NDArray[np.uint8]:
        """The last `k` boards and the turn plane, `(2k + 1, rows, cols)`."""

    def score(self) -> float:
        """The score of the board from black's view, whatever the outcome."""

    def copy(self) -> Self:
        """A copy with its whole history."""

    def replay(self, actions: Iterable[SupportsIndex], /) -> Self:
        """A new game from this one's starting position with these actions played."""

    def action_to_name(self, action: SupportsIndex, /) -> str:
        """The name of an action."""

    def name_to_action(self, text: str, /) -> int:
        """The action with this name."""

    @property
    def planes(self) -> NDArray[np.uint8]:
        """Black, white, turn, invalid, pass, done: `(6, rows, cols)` of 0 and 1."""

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """`(num_actions,)`: 1 where an action is legal."""

    @property
    def legal_actions(self) -> NDArray[np.int64]:
        """The legal actions in ascending order."""

    @property
    def actions(self) -> NDArray[np.int64]:
        """All actions played."""

    @property
    def turn(self) -> int:
        """The player to play: 0 black, 1 white."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""

    @property
    def is_truncated(self) -> bool:
        """Whether it was cut off."""

    @property
    def outcome(self) -> Literal["black", "white", "draw"] | None:
        """Who won; None while the game goes on."""

    @property
    def move_number(self) -> int:
        """Number of actions played, passes included."""

    @property
    def last_action(self) -> int | None:
        """The last action; None at the start."""

    @property
    def rows(self) -> int:
        """Number of rows."""

    @property
    def cols(self) -> int:
        """Number of columns."""

    @property
    def num_actions(self) -> int:
        """`rows * cols + 1`."""

    @property
    def hash(self) -> int:
        """64-bit key of board and player to play."""


#: Their names.
MEMBERS: Final = tuple(sorted(name for name in vars(SixPlaneGame) if not name.startswith("_")))

#: A game of any class, also for what only some classes offer.
AnyGame = Any
