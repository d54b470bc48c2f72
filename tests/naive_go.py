"""A naive Go for tests, written from the rules in plain Python.

It imports nothing from the product. A board is a dictionary from (row, column) to "X" (black) or "O"
(white); empty points are absent. Every question is answered by looking at the whole board and, for
repetitions, at every position of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

Point = tuple[int, int]
Color = Literal["X", "O"]
Stones = dict[Point, Color]

COLORS: tuple[Color, Color] = ("X", "O")
KO_RULES = ("simple", "positional", "situational")


def enemy_of(color: Color) -> Color:
    """The other color."""
    return "O" if color == "X" else "X"


class Refused(Exception):
    """An action that may not be played; `reason` is the name in the public contract."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NaiveGo:
    """A game in play. Komi may be any number; suicide, where allowed, is of two or more stones."""

    def __init__(
        self,
        rows: int,
        cols: int,
        *,
        ko: str = "positional",
        suicide: bool = False,
        komi: float = 0.0,
        stones: Stones | None = None,
        turn: Color = "X",
    ) -> None:
        assert ko in KO_RULES
        self.rows, self.cols = rows, cols
        self.ko, self.suicide, self.komi = ko, suicide, komi
        self.stones: Stones = dict(stones or {})
        self.turn = turn
        self.passes = 0
        self.ko_point: Point | None = None
        self.captures: dict[Color, int] = {"X": 0, "O": 0}
        self.seen: list[tuple[Stones, Color]] = [(dict(self.stones), turn)]

    # -- the board ----------------------------------------------------------------------------

    @property
    def all_points(self) -> list[Point]:
        """Every point, row by row from the top."""
        return list(product(range(self.rows), range(self.cols)))

    @property
    def pass_action(self) -> int:
        """The action that passes."""
        return self.rows * self.cols

    def point(self, action: int) -> Point:
        """The point an action plays on."""
        return divmod(action, self.cols)

    def action(self, point: Point) -> int:
        """The action that plays on a point."""
        return point[0] * self.cols + point[1]

    def beside(self, point: Point) -> list[Point]:
        """The on-board points one step away along the lines."""
        row, col = point
        steps = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        return [(r, c) for r, c in steps if 0 <= r < self.rows and 0 <= c < self.cols]

    def corners(self, point: Point) -> list[Point]:
        """The on-board points one step away along the diagonals."""
        row, col = point
        steps = [(row + r, col + c) for r in (-1, 1) for c in (-1, 1)]
        return [(r, c) for r, c in steps if 0 <= r < self.rows and 0 <= c < self.cols]

    def region(self, stones: Stones, point: Point) -> frozenset[Point]:
        """All points connected to this one through cells that hold the same."""
        held = stones.get(point)
        found: set[Point] = set()
        frontier = {point}
        while frontier:
            found |= frontier
            frontier = {
                near
                for at in frontier
                for near in self.beside(at)
                if near not in found and stones.get(near) == held
            }
        return frozenset(found)

    def liberties(self, stones: Stones, chain: Iterable[Point]) -> set[Point]:
        """The empty points next to a chain."""
        return {near for at in chain for near in self.beside(at) if near not in stones}

    def chains(self) -> set[frozenset[Point]]:
        """All chains on the board."""
        return {self.region(self.stones, point) for point in self.stones}

    # -- the rules ----------------------------------------------------------------------------

    def outcome_of_play(
        self, point: Point, color: Color
    ) -> tuple[Stones, set[frozenset[Point]], frozenset[Point]]:
        """The board after a stone, the enemy chains it takes, and the own chain it kills."""
        after: Stones = {**self.stones, point: color}
        neighbors = self.beside(point)
        enemies = {self.region(after, near) for near in neighbors if after.get(near) == enemy_of(color)}
        taken = {chain for chain in enemies if not self.liberties(after, chain)}
        for chain in taken:
            for dead in chain:
                del after[dead]
        own = self.region(after, point)
        if self.liberties(after, own):
            return after, taken, frozenset()
        for dead in own:
            del after[dead]
        return after, taken, own

    def reason(self, action: int) -> str | None:
        """Why an action may not be played; None when it may."""
        if self.passes == 2:
            return "game_over"
        if not 0 <= action <= self.pass_action:
            return "off_board"
        if action == self.pass_action:
            return None
        point = self.point(action)
        if point in self.stones:
            return "occupied"
        after, _, own = self.outcome_of_play(point, self.turn)
        if own and (len(own) == 1 or not self.suicide):
            return "suicide"
        if self.ko == "simple":
            return "ko" if point == self.ko_point else None
        to_play_after = enemy_of(self.turn)
        for board, to_play in self.seen:
            if board == after and (self.ko == "positional" or to_play == to_play_after):
                return "superko"
        return None

    def play(self, action: int) -> None:
        """Plays for the color to play, or raises Refused."""
        reason = self.reason(action)
        if reason is not None:
            raise Refused(reason)
        color, enemy = self.turn, enemy_of(self.turn)
        self.ko_point = None
        if action == self.pass_action:
            self.passes += 1
        else:
            point = self.point(action)
            after, taken, own = self.outcome_of_play(point, color)
            fallen = [dead for chain in taken for dead in chain]
            if len(fallen) == 1 and all(self.stones.get(n) == enemy for n in self.beside(point)):
                self.ko_point = fallen[0]
            self.captures[color] += len(fallen)
            self.captures[enemy] += len(own)
            self.stones = after
            self.passes = 0
        self.turn = enemy
        self.seen.append((dict(self.stones), enemy))

    def set_turn(self, color: Color) -> None:
        """Gives the turn to a color: no pass and no ko stand, the history stays."""
        self.turn = color
        self.passes = 0
        self.ko_point = None

    @property
    def is_over(self) -> bool:
        """Whether two passes have followed each other."""
        return self.passes == 2

    @property
    def legal_actions(self) -> list[int]:
        """The actions that may be played, ascending."""
        return [a for a in range(self.pass_action + 1) if self.reason(a) is None]

    # -- the count ----------------------------------------------------------------------------

    def owner(self, point: Point) -> Color | None:
        """Whose area a point is."""
        if point in self.stones:
            return self.stones[point]
        region = self.region(self.stones, point)
        reached = {self.stones[n] for at in region for n in self.beside(at) if n in self.stones}
        return reached.pop() if len(reached) == 1 else None

    def areas(self) -> tuple[int, int]:
        """The areas of black and of white."""
        owners = [self.owner(point) for point in self.all_points]
        return owners.count("X"), owners.count("O")

    def score(self) -> float:
        """Black's area less white's less komi."""
        black, white = self.areas()
        return black - white - self.komi

    def is_eye(self, action: int, color: Color, rule: str) -> bool:
        """Whether a point is an eye by the rule `diagonal`, `chain` or `playout`."""
        point = self.point(action)
        neighbors = self.beside(point)
        if point in self.stones or any(self.stones.get(n) != color for n in neighbors):
            return False
        diagonal = [self.stones.get(n) for n in self.corners(point)]
        at_edge = len(neighbors) < 4
        if rule == "diagonal":
            missing = len(diagonal) - diagonal.count(color)
            return missing == 0 if at_edge else missing <= 1
        if rule == "chain":
            return all(len(self.liberties(self.stones, self.region(self.stones, n))) > 1 for n in neighbors)
        assert rule == "playout"
        return diagonal.count(enemy_of(color)) + at_edge < 2

    # -- arrays -------------------------------------------------------------------------------

    def grid(self, cell: Callable[[Point], bool]) -> npt.NDArray[np.uint8]:
        """A plane from a predicate on points."""
        values = [cell(point) for point in self.all_points]
        return np.array(values, dtype=np.uint8).reshape(self.rows, self.cols)

    @property
    def planes(self) -> npt.NDArray[np.uint8]:
        """The six planes."""
        return np.stack(
            [
                self.grid(lambda p: self.stones.get(p) == "X"),
                self.grid(lambda p: self.stones.get(p) == "O"),
                self.grid(lambda _: self.turn == "O"),
                self.grid(lambda p: self.reason(self.action(p)) is not None),
                self.grid(lambda _: self.passes > 0),
                self.grid(lambda _: self.is_over),
            ]
        )

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 where an action may be played."""
        mask = [self.reason(a) is None for a in range(self.pass_action + 1)]
        return np.array(mask, dtype=np.int8)

    def clone(self) -> NaiveGo:
        """A game of its own with the same past."""
        twin = NaiveGo(self.rows, self.cols, ko=self.ko, suicide=self.suicide, komi=self.komi)
        twin.stones, twin.turn = dict(self.stones), self.turn
        twin.passes, twin.ko_point = self.passes, self.ko_point
        twin.captures, twin.seen = dict(self.captures), list(self.seen)
        return twin


def perft(game: NaiveGo, depth: int) -> int:
    """The number of action sequences of this length, the game ending at two passes."""
    if depth == 0:
        return 1
    actions = game.legal_actions
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        child = game.clone()
        child.play(action)
        total += perft(child, depth - 1)
    return total


def legal_positions(rows: int, cols: int) -> int:
    """The number of boards on which every chain has a liberty."""
    game = NaiveGo(rows, cols)
    count = 0
    held: tuple[Color | None, ...] = (None, *COLORS)
    for cells in product(held, repeat=rows * cols):
        stones: Stones = {}
        for point, cell in zip(game.all_points, cells, strict=True):
            if cell is not None:
                stones[point] = cell
        count += all(game.liberties(stones, game.region(stones, point)) for point in stones)
    return count
