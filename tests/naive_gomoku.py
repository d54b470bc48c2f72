"""A naive Gomoku for tests, written from the rules in plain Python.

It imports nothing from the product. The board is a text of rows, and a line wins if a pattern matches it.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

FREESTYLE = {"X": re.compile("X{5,}"), "O": re.compile("O{5,}")}
EXACT = {color: re.compile(f"(?<!{color}){color}{{5}}(?!{color})") for color in "XO"}


class NaiveGomoku:
    """A game in play."""

    def __init__(self, rows: int, cols: int, *, exact_five: bool = False) -> None:
        self.rows, self.cols = rows, cols
        self.patterns = EXACT if exact_five else FREESTYLE
        self.cells = [["."] * cols for _ in range(rows)]
        self.turn = "X"
        self.passed = False

    @property
    def pass_action(self) -> int:
        """The action that nobody may play."""
        return self.rows * self.cols

    def lines(self) -> list[str]:
        """Every row, column and diagonal as text."""
        rows, cols = range(self.rows), range(self.cols)
        lines = [list(row) for row in self.cells] + [[self.cells[r][c] for r in rows] for c in cols]
        for offset in range(-self.cols, self.rows + self.cols):
            lines.append([self.cells[r][r - offset] for r in rows if r - offset in cols])
            lines.append([self.cells[r][offset - r] for r in rows if offset - r in cols])
        return ["".join(line) for line in lines]

    def score(self) -> int:
        """+1 if black has a line that wins, -1 if white has, else 0."""
        lines = self.lines()
        black, white = (any(self.patterns[color].search(line) for line in lines) for color in "XO")
        return black - white

    @property
    def is_over(self) -> bool:
        """Whether a line wins or the board is full."""
        return self.score() != 0 or not any("." in row for row in self.cells)

    @property
    def legal_actions(self) -> list[int]:
        """The actions that may be played, ascending."""
        cells = [cell for row in self.cells for cell in row]
        return [] if self.is_over else [action for action, cell in enumerate(cells) if cell == "."]

    def reason(self, action: int) -> str | None:
        """Why an action may not be played; None when it may."""
        if self.is_over:
            return "game_over"
        if not 0 <= action <= self.pass_action:
            return "off_board"
        if action == self.pass_action:
            return "pass_not_allowed"
        return None if self.cells[action // self.cols][action % self.cols] == "." else "occupied"

    def play(self, action: int) -> None:
        """Plays for the color to play."""
        assert self.reason(action) is None
        self.cells[action // self.cols][action % self.cols] = self.turn
        self.turn = "O" if self.turn == "X" else "X"

    def set_turn(self, color: str) -> None:
        """Gives the turn to a color."""
        self.turn = color

    @property
    def planes(self) -> npt.NDArray[np.uint8]:
        """The six planes."""
        cells = np.array(self.cells)
        planes = np.zeros((6, self.rows, self.cols), np.uint8)
        over = self.is_over
        planes[0], planes[1], planes[2] = cells == "X", cells == "O", self.turn == "O"
        planes[3], planes[5] = (cells != ".") | over, over
        return planes
