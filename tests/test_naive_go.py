"""The naive Go is itself checked, against numbers that others have counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from go_case_files import Case, read_cases, run_case
from naive_go import KO_RULES, Color, NaiveGo, Refused, Stones, legal_positions, perft

SIGN: dict[str, Color] = {"black": "X", "white": "O"}


def test_naive_counts_the_legal_positions() -> None:
    assert legal_positions(2, 2) == 57
    assert legal_positions(3, 3) == 12_675


@pytest.mark.parametrize("ko", KO_RULES)
def test_naive_perft_is_the_known_one(ko: str) -> None:
    assert [perft(NaiveGo(2, 2, ko=ko), depth) for depth in range(1, 7)] == [5, 21, 68, 156, 316, 604]
    assert [perft(NaiveGo(3, 3, ko=ko), depth) for depth in range(1, 5)] == [10, 91, 738, 5_281]
    assert [perft(NaiveGo(5, 5, ko=ko), depth) for depth in range(1, 4)] == [26, 651, 15_650]


@pytest.mark.parametrize(("ko", "count"), [("simple", 1_168), ("positional", 1_088), ("situational", 1_112)])
def test_naive_perft_tells_the_ko_rules_apart(ko: str, count: int) -> None:
    assert perft(NaiveGo(2, 2, ko=ko), 7) == count


class Naive:
    """The naive Go answers the cases."""

    def __init__(self, drawing: list[str], turn: str, *, ko: str, suicide: bool, komi: float) -> None:
        rows = [row.split() for row in drawing]
        stones: Stones = {}
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                if cell != ".":
                    stones[r, c] = "X" if cell == "X" else "O"
        self.game = NaiveGo(
            len(rows), len(rows[0]), ko=ko, suicide=suicide, komi=komi, stones=stones, turn=SIGN[turn]
        )
        assert all(self.game.liberties(stones, chain) for chain in self.game.chains()), drawing

    def play(self, action: int) -> str | None:
        try:
            self.game.play(action)
        except Refused as refused:
            return refused.reason
        return None

    def reason(self, action: int) -> str | None:
        return self.game.reason(action)

    def set_turn(self, color: str) -> None:
        self.game.set_turn(SIGN[color])

    def draw(self, cell: Callable[[tuple[int, int]], str | None]) -> list[str]:
        rows, cols = range(self.game.rows), range(self.game.cols)
        return [" ".join(cell((r, c)) or "." for c in cols) for r in rows]

    def drawing(self) -> list[str]:
        return self.draw(self.game.stones.get)

    def owners(self) -> list[str]:
        return self.draw(self.game.owner)

    def to_play(self) -> str:
        return "black" if self.game.turn == "X" else "white"

    def is_over(self) -> bool:
        return self.game.is_over

    def captures(self) -> tuple[int, int]:
        return self.game.captures["X"], self.game.captures["O"]

    def liberties_at(self, action: int) -> int:
        game, point = self.game, self.game.point(action)
        assert point in game.stones
        return len(game.liberties(game.stones, game.region(game.stones, point)))

    def is_eye(self, action: int, color: str, rule: str) -> bool:
        return self.game.is_eye(action, SIGN[color], rule)

    def areas(self) -> tuple[int, int]:
        return self.game.areas()

    def score(self) -> float:
        return self.game.score()


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_naive_passes_every_case(case: Case) -> None:
    run_case(case, Naive)
