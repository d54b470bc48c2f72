"""A naive Reversi for tests, written from the rules in plain Python.

It imports nothing from the product. A board is a dictionary from (row, column) to "X" (black) or "O"
(white); empty points are absent.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Point = tuple[int, int]
DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def enemy_of(color: str) -> str:
    """The other color."""
    return "O" if color == "X" else "X"


class NaiveReversi:
    """A game in play."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        top, left = rows // 2 - 1, cols // 2 - 1
        self.discs: dict[Point, str] = {
            (top, left): "O", (top, left + 1): "X", (top + 1, left): "X", (top + 1, left + 1): "O",
        }  # fmt: skip
        self.turn = "X"
        self.passed = False

    @property
    def pass_action(self) -> int:
        """The action that passes."""
        return self.rows * self.cols

    def flips(self, point: Point, color: str) -> list[Point]:
        """The enemy discs that a play flips: outwards from the point, up to an own disc."""
        found: list[Point] = []
        for down, right in DIRECTIONS:
            at, run = (point[0] + down, point[1] + right), []
            while self.discs.get(at) == enemy_of(color):
                run.append(at)
                at = (at[0] + down, at[1] + right)
            if self.discs.get(at) == color:
                found += run
        return found

    def plays(self, color: str) -> list[int]:
        """The points that a color may play at, if it is to play."""
        points = [(row, col) for row in range(self.rows) for col in range(self.cols)]
        return [
            r * self.cols + c for r, c in points if (r, c) not in self.discs and self.flips((r, c), color)
        ]

    @property
    def is_over(self) -> bool:
        """Whether neither color can play."""
        return not self.plays("X") and not self.plays("O")

    @property
    def legal_actions(self) -> list[int]:
        """The actions that may be played, ascending."""
        return self.plays(self.turn) or ([] if self.is_over else [self.pass_action])

    def reason(self, action: int) -> str | None:
        """Why an action may not be played; None when it may."""
        if self.is_over:
            return "game_over"
        if not 0 <= action <= self.pass_action:
            return "off_board"
        if action in self.legal_actions:
            return None
        if action == self.pass_action:
            return "pass_not_allowed"
        return "occupied" if divmod(action, self.cols) in self.discs else "no_flip"

    def play(self, action: int) -> None:
        """Plays for the color to play."""
        assert self.reason(action) is None
        self.passed = action == self.pass_action
        if not self.passed:
            point = divmod(action, self.cols)
            for at in [point, *self.flips(point, self.turn)]:
                self.discs[at] = self.turn
        self.turn = enemy_of(self.turn)

    def set_turn(self, color: str) -> None:
        """Gives the turn to a color."""
        self.turn = color
        self.passed = False

    def score(self) -> int:
        """Black discs less white ones."""
        colors = list(self.discs.values())
        return colors.count("X") - colors.count("O")

    @property
    def planes(self) -> npt.NDArray[np.uint8]:
        """The six planes."""
        planes = np.zeros((6, self.rows, self.cols), np.uint8)
        for point, color in self.discs.items():
            planes["XO".index(color)][point] = 1
        planes[2] = self.turn == "O"
        planes[3] = 1
        legal = [action for action in self.legal_actions if action != self.pass_action]
        planes[3].ravel()[legal] = 0
        planes[4], planes[5] = self.passed, self.is_over
        return planes
