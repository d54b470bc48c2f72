"""Reads the tactical cases of `tests/data/gomoku`, and proves what they say by search.

The search knows no patterns: only where five is made. A move threatens if it makes such a point.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

DATA = Path(__file__).parent / "data" / "gomoku"


@dataclass
class Case:
    """A position and the moves that win it or save it."""

    name: str
    why: str = ""
    exact: list[bool] = field(default_factory=lambda: [False, True])
    turn: Literal["black", "white"] = "black"
    board: list[str] = field(default_factory=list)
    goal: str = ""
    stones: int = 0
    answers: list[str] = field(default_factory=list)

    @property
    def drawing(self) -> str:
        """The board, as `from_text` reads it."""
        return "\n".join(self.board)


def read_cases() -> list[Case]:
    cases: list[Case] = []
    for path in sorted(DATA.glob("*.txt")):
        for raw in path.read_text(encoding="utf-8").splitlines():
            line = raw.partition("#")[0].rstrip()
            if line.startswith(" "):
                cases[-1].board.append(line.strip())
                continue
            match line.split():
                case []:
                    pass
                case "case", *words:
                    cases.append(Case(" ".join(words)))
                case "why", *words:
                    cases[-1].why = " ".join(words)
                case "exact", *settings:
                    cases[-1].exact = [setting == "yes" for setting in settings]
                case "board", ("black" | "white") as turn:
                    cases[-1].turn = turn
                case ("wins" | "saves") as goal, stones, *answers:
                    cases[-1].goal, cases[-1].stones, cases[-1].answers = goal, int(stones), answers
                case words:
                    raise ValueError(f"no word {words}")
    assert all(case.why and case.board and case.answers for case in cases)
    return cases


class Board:
    """Stones `"X"` and `"O"` by (row, column), row 0 at the top."""

    def __init__(self, drawing: list[str], exact: bool) -> None:
        cells = [row.split() for row in drawing]
        self.rows, self.cols, self.exact = len(cells), len(cells[0]), exact
        self.points = [(row, col) for row in range(self.rows) for col in range(self.cols)]
        self.stones = {(row, col): cells[row][col] for row, col in self.points if cells[row][col] != "."}

    def name(self, point: tuple[int, int]) -> str:
        return f"{'ABCDEFGHIJKLMNO'[point[1]]}{self.rows - point[0]}"

    def empty(self) -> list[tuple[int, int]]:
        return [point for point in self.points if point not in self.stones]

    def makes_five(self, point: tuple[int, int], color: str) -> bool:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 1
            for sign in (-1, 1):
                row, col = point[0] + sign * down, point[1] + sign * right
                while self.stones.get((row, col)) == color:
                    run, row, col = run + 1, row + sign * down, col + sign * right
            if run == 5 or (run > 5 and not self.exact):
                return True
        return False

    def fives(self, color: str) -> list[tuple[int, int]]:
        return [point for point in self.empty() if self.makes_five(point, color)]

    def wins(self, color: str, stones: int) -> bool:
        """Whether `color`, to play, has a five within so many stones by fours alone."""
        if self.fives(color):
            return stones > 0
        if stones <= 1:
            return False
        other = "XO"["OX".index(color)]
        must = self.fives(other)
        if len(must) > 1:
            return False
        return any(self.wins_with(point, color, stones) for point in must or self.near())

    def wins_with(self, point: tuple[int, int], color: str, stones: int) -> bool:
        """Whether this stone makes five, or a four that leads to one."""
        if self.makes_five(point, color):
            return True
        other = "XO"["OX".index(color)]
        self.stones[point] = color
        try:
            fives = self.fives(color)
            if not fives or stones <= 1 or self.fives(other):
                return False
            if len(fives) > 1:
                return True
            self.stones[fives[0]] = other
            try:
                return self.wins(color, stones - 1)
            finally:
                del self.stones[fives[0]]
        finally:
            del self.stones[point]

    def wins_against_all(self, point: tuple[int, int], color: str, stones: int) -> bool:
        """The same where the stone may threaten no five yet: whatever the other plays then."""
        if self.wins_with(point, color, stones):
            return True
        other = "XO"["OX".index(color)]
        self.stones[point] = color
        try:
            if self.fives(color) or self.fives(other):
                return False
            for reply in self.empty():
                self.stones[reply] = other
                try:
                    if self.makes_five(reply, other) or not self.wins(color, stones - 1):
                        return False
                finally:
                    del self.stones[reply]
            return True
        finally:
            del self.stones[point]

    def near(self) -> list[tuple[int, int]]:
        """Empty points on a line with a stone at most four points away: no other makes a four."""
        return [
            (row, col)
            for row, col in self.empty()
            if any(
                (row + step * down, col + step * right) in self.stones
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
                for step in (-4, -3, -2, -1, 1, 2, 3, 4)
            )
        ]


def proved_answers(case: Case, exact: bool) -> list[str]:
    """The moves that reach the goal of the case."""
    board = Board(case.board, exact)
    own, other = ("X", "O") if case.turn == "black" else ("O", "X")
    answers = []
    for point in board.empty():
        if case.goal == "wins":
            reached = board.wins_against_all(point, own, case.stones)
        else:
            board.stones[point] = own
            reached = not board.wins(other, case.stones)
            del board.stones[point]
        if reached:
            answers.append(board.name(point))
    return sorted(answers)
