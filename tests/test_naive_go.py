"""The naive Go is itself checked, against numbers that others have counted."""

from __future__ import annotations

import pytest
from naive_go import KO_RULES, NaiveGo, legal_positions, perft


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
