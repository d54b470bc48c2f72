"""Games written in Python, for the tests of such games: those that the core has, too, and small ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import sixplane
from sixplane.render import Style

if TYPE_CHECKING:
    from sixplane.games.arbiter import Boards, Numbers, Position

__all__ = [
    "ConnectFour", "Faulty", "Gomoku", "Nim", "NoKomi", "Reversi", "TicTacToe", "TwoStones", "VectorGomoku",
]  # fmt: skip

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]


def has_line(stones: Boards, length: int) -> Boards:
    """Whether there are so many stones in a line, on one board or on each of many."""
    rows, cols = stones.shape[-2:]
    found = np.zeros(stones.shape[:-2], bool)
    for down, right in DIRECTIONS:
        height, width = rows - down * (length - 1), cols - abs(right) * (length - 1)
        if height > 0 and width > 0:
            line = np.ones((*stones.shape[:-2], height, width), bool)
            for i in range(length):
                left = i if right == 1 else (length - 1 - i) * (right == -1)
                line &= stones[..., i * down : i * down + height, left : left + width]
            found |= line.any(axis=(-2, -1))
    return found


@sixplane.game_class
class TicTacToe:
    """Three in a row win; nobody passes."""

    default_size = 3

    def legal(self, position: Position) -> Boards:
        return position.empty

    def ending(self, position: Position) -> tuple[str, float] | None:
        if has_line(position.opponent, 3):
            return "line", 1.0 if position.turn else -1.0
        return None if position.empty.any() else ("full", 0.0)


@sixplane.game_class
class Faulty:
    """The rules fail when a stone is on the last point."""

    default_size = 3

    def legal(self, position: Position) -> Boards:
        return position.empty

    def ending(self, position: Position) -> tuple[str, float] | None:
        if not position.empty[-1, -1]:
            raise ZeroDivisionError("no such position")
        return None


@sixplane.game_class
class Nim:
    """Stones on a row may not touch; whoever cannot play loses."""

    default_size, endings, forbidden = (2, 7), ("stuck",), "touching"

    def legal(self, position: Position) -> Boards:
        near = np.pad(~position.empty, ((0, 0), (1, 1)))
        return position.empty & ~near[:, :-2] & ~near[:, 2:]

    def ending(self, position: Position) -> tuple[str, float] | None:
        return None if self.legal(position).any() else ("stuck", 1.0 if position.turn else -1.0)


@sixplane.game_class
class Gomoku:
    """Five in a row win."""

    default_size = 15

    def __init__(self, length: int = 5) -> None:
        self.length = length

    def setup(self, rows: int, cols: int) -> tuple[Boards, Boards]:
        if max(rows, cols) < self.length:
            raise ValueError(f"no line of {self.length} fits {rows}x{cols}")
        return np.zeros((rows, cols), bool), np.zeros((rows, cols), bool)

    def legal(self, position: Position) -> Boards:
        return position.empty

    def ending(self, position: Position) -> tuple[str, float] | None:
        for stones, score in ((position.black, 1.0), (position.white, -1.0)):
            if has_line(stones, self.length):
                return "line", score
        return None if position.empty.any() else ("full", 0.0)


@sixplane.game_class
class VectorGomoku:
    """Five in a row win, on many boards at once."""

    default_size, endings, vectorized = 15, ("line", "full"), True

    def legal(self, position: Position) -> Boards:
        return position.empty

    def play(self, position: Position, action: Numbers) -> tuple[Boards, Boards]:
        return position.place(action)

    def ending(self, position: Position) -> tuple[Boards, Boards]:
        black, white = has_line(position.black, 5), has_line(position.white, 5)
        full = ~position.empty.any(axis=(1, 2))
        return np.where(black | white, 1, 2 * full), np.where(black, 1.0, -1.0 * white)


@sixplane.game_class
class ConnectFour:
    """Discs fall; four in a line win."""

    default_size, forbidden, symmetries = (6, 7), "no_support", "flip"
    style = Style(squares=True, drops=True)

    def legal(self, position: Position) -> Boards:
        held = np.ones_like(position.empty)
        held[:-1] = ~position.empty[1:]
        return position.empty & held

    def ending(self, position: Position) -> tuple[str, float] | None:
        for stones, score in ((position.black, 1.0), (position.white, -1.0)):
            if has_line(stones, 4):
                return "line", score
        return None if position.empty.any() else ("full", 0.0)


@sixplane.game_class
class Reversi:
    """Discs between others are turned; a player passes if no play is legal, and only then."""

    default_size, endings, forbidden, counts_points = 8, ("stuck",), "no_flip", True

    def setup(self, rows: int, cols: int) -> tuple[Boards, Boards]:
        if rows % 2 or cols % 2:
            raise ValueError("rows and columns must be even")
        black, row, col = np.zeros((rows, cols), bool), rows // 2, cols // 2
        white = black.copy()
        black[row - 1, col] = black[row, col - 1] = True
        white[row - 1, col - 1] = white[row, col] = True
        return black, white

    def legal(self, position: Position) -> Boards:
        own, opponent, empty = position.own, position.opponent, position.empty
        found = np.zeros_like(own)
        for row, col in np.argwhere(empty):
            found[row, col] = self.turned(own, opponent, row, col).any()
        return found

    def may_pass(self, position: Position) -> bool:
        return not self.legal(position).any()

    def play(self, position: Position, action: int) -> tuple[Boards, Boards]:
        own, opponent = position.place(action)
        turned = self.turned(position.own, opponent, action // position.cols, action % position.cols)
        return own | turned, opponent & ~turned

    def turned(self, own: Boards, opponent: Boards, row: int, col: int) -> Boards:
        turned = np.zeros_like(own)
        for down, right in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]:
            line, r, c = [], row + down, col + right
            while 0 <= r < len(own) and 0 <= c < len(own[0]) and opponent[r, c]:
                line.append((r, c))
                r, c = r + down, c + right
            if line and 0 <= r < len(own) and 0 <= c < len(own[0]) and own[r, c]:
                turned[tuple(np.transpose(line))] = True
        return turned

    def ending(self, position: Position) -> tuple[str | None, float]:
        both = (
            self.legal(position).any()
            or self.legal(type(position)(position.opponent, position.own, position.turn, 0)).any()
        )
        return None if both else "stuck", float(position.black.sum()) - float(position.white.sum())


@sixplane.game_class
class TwoStones:
    """Two stones a turn: after the first of them the other player can only pass. A full row wins."""

    default_size = 5

    def legal(self, position: Position) -> Boards:
        return position.empty & (not self.may_pass(position))

    def may_pass(self, position: Position) -> bool:
        return int((~position.empty).sum()) // 2 % 2 != position.turn

    def ending(self, position: Position) -> tuple[str, float] | None:
        for stones, score in ((position.black, 1.0), (position.white, -1.0)):
            if stones.all(axis=1).any():
                return "line", score
        return None if position.empty.any() else ("full", 0.0)


@sixplane.game_class
class NoKomi:
    """What its option is called has another meaning in Go."""

    default_size = 3

    def __init__(self, komi: str = "none") -> None:
        self.komi = komi

    def legal(self, position: Position) -> Boards:
        return position.empty

    def ending(self, position: Position) -> tuple[str, float] | None:
        return None if position.empty.any() else ("full", 1.0)
