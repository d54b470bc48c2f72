"""Tic-tac-toe as six planes: a plain class that has the members of a game, and knows nothing of the core."""

from __future__ import annotations

import operator
import random
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from sixplane import IllegalActionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

COLORS = ("black", "white")
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

#: Random keys of (color, point), and of the turn: the hash is what they are together.
_dice = random.Random(3)
KEYS = [[_dice.getrandbits(64) for _ in range(9)] for _ in COLORS]
TURN_KEY = _dice.getrandbits(64)


class TicTacToe:
    """Three in a row win; nobody passes.

    All that is kept is the list of steps: ("play", point), ("turn", color) or ("resign", color).
    """

    rows = cols = 3
    num_actions = 10

    def __init__(self, steps: Iterable[tuple[str, int]] = ()) -> None:
        self._steps = list(steps)

    # --- the position -----------------------------------------------------------------------

    @property
    def _board(self) -> dict[int, int]:
        """The color of the stone at each occupied point."""
        board, turn = {}, 0
        for verb, value in self._steps:
            if verb == "play":
                board[value] = turn
            if verb != "resign":
                turn = 1 - turn if verb == "play" else value
        return board

    @property
    def turn(self) -> int:
        """0 black, 1 white."""
        turn = 0
        for verb, value in self._steps:
            if verb != "resign":
                turn = 1 - turn if verb == "play" else value
        return turn

    @property
    def outcome(self) -> Literal["black", "white", "draw"] | None:
        """The winner; None while the game goes on."""
        score, resigned = self.score(), self._steps and self._steps[-1][0] == "resign"
        if resigned or score:
            return "white" if (self._steps[-1][1] == 0 if resigned else score < 0) else "black"
        return "draw" if len(self._board) == 9 else None

    @property
    def is_over(self) -> bool:
        """Whether somebody won or the board is full."""
        return self.outcome is not None

    @property
    def is_truncated(self) -> bool:
        """It is never cut off."""
        return False

    def score(self) -> float:
        """+1 if black has three in a row, -1 if white has."""
        board = self._board
        for line in LINES:
            colors = {board.get(point) for point in line}
            if len(colors) == 1 and None not in colors:
                return 1.0 if colors == {0} else -1.0
        return 0.0

    @property
    def planes(self) -> NDArray[np.uint8]:
        """`(6, 3, 3)`."""
        planes = np.zeros((6, 9), np.uint8)
        for point, color in self._board.items():
            planes[color, point] = 1
        planes[2] = self.turn
        planes[3] = 1 if self.is_over else planes[0] | planes[1]
        planes[5] = self.is_over
        return planes.reshape(6, 3, 3)

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """`(10,)`."""
        return np.append(1 - self.planes[3].ravel(), 0).astype(np.int8)

    @property
    def legal_actions(self) -> NDArray[np.int64]:
        """The empty points."""
        return np.flatnonzero(self.action_mask)

    def history_planes(self, k: Any) -> NDArray[np.uint8]:
        """`(2k + 1, 3, 3)`."""
        length = _integer(k)
        if length < 1:
            raise ValueError("k must be at least 1")
        planes = np.zeros((2 * length + 1, 3, 3), np.uint8)
        actions, past = self.move_number, self.copy()
        for back in range(min(length, actions + 1)):
            while past.move_number > actions - back:
                past.undo()
            stones = past.planes[:2]
            planes[2 * back : 2 * back + 2] = stones[::-1] if self.turn else stones
        planes[-1] = self.turn
        return planes

    @property
    def hash(self) -> int:
        """The key of stones and turn."""
        key = TURN_KEY * self.turn
        for point, color in self._board.items():
            key ^= KEYS[color][point]
        return key

    # --- play and history -------------------------------------------------------------------

    def play(self, action: Any) -> None:
        """Puts a stone on an empty point."""
        point = _integer(action)
        if self.is_over:
            raise IllegalActionError("game_over")
        if not 0 <= point <= 9:
            raise IllegalActionError("off_board")
        if point == 9:
            raise IllegalActionError("pass_not_allowed")
        if point in self._board:
            raise IllegalActionError("occupied")
        self._steps.append(("play", point))

    def undo(self) -> None:
        """Takes the last step back."""
        if not self._steps:
            raise ValueError("nothing to undo: the game is at its start")
        self._steps.pop()

    def set_turn(self, color: Any) -> None:
        """Sets the player to play."""
        self._step("turn", _color(color))

    def resign(self, color: Any = None) -> None:
        """Ends the game."""
        self._step("resign", self.turn if color is None else _color(color))

    def _step(self, verb: str, color: int) -> None:
        if self.is_over:
            raise IllegalActionError("game_over")
        self._steps.append((verb, color))

    @property
    def actions(self) -> NDArray[np.int64]:
        """All points played."""
        return np.array([value for verb, value in self._steps if verb == "play"], np.int64)

    @property
    def last_action(self) -> int | None:
        """The last point played."""
        return next((value for verb, value in reversed(self._steps) if verb == "play"), None)

    @property
    def move_number(self) -> int:
        """Number of points played."""
        return len(self.actions)

    def copy(self) -> Self:
        """A copy with its history."""
        return type(self)(self._steps)

    __copy__ = copy

    def replay(self, actions: Iterable[Any]) -> Self:
        """A new game with these actions played."""
        game = type(self)()
        for action in actions:
            game.play(action)
        return game

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._steps == self._steps

    def __hash__(self) -> int:
        return hash(tuple(self._steps))

    # --- names ------------------------------------------------------------------------------

    def action_to_name(self, action: Any) -> str:
        """`A1` is the top left."""
        point = _integer(action)
        if not 0 <= point <= 9:
            raise IllegalActionError("off_board")
        return "pass" if point == 9 else "ABC"[point % 3] + "123"[point // 3]

    def name_to_action(self, text: str) -> int:
        """The action of a name."""
        names = [self.action_to_name(action) for action in range(self.num_actions)]
        return names.index(text)

    def __str__(self) -> str:
        signs = [".XO"[1 + self._board.get(point, -1)] for point in range(9)]
        return "\n".join(" ".join(signs[row : row + 3]) for row in (0, 3, 6))


def _integer(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError("an action is no bool")
    return operator.index(value)


def _color(value: Any) -> int:
    if isinstance(value, str):
        return COLORS.index(value)
    color = _integer(value)
    if color not in (0, 1):
        raise ValueError("a color is 0 or 1")
    return color
