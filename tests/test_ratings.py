"""Ratings from tables of results: known differences, chains of players, weak prior, intervals, bad tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sixplane.match import ratings
from sixplane.match.statistics import elo_difference


def test_the_rating_of_one_pair_is_the_difference_of_elo() -> None:
    table = ratings([("new", "old", 700, 1000)], anchor="old", prior=1e-9)
    assert table["new"].elo == pytest.approx(elo_difference(0.7), abs=1e-3)
    assert list(table["old"]) == [0, 0, 0, 1000]
    # The standard error in logits is 1 / sqrt(n p (1 - p)).
    half = 1.959964 / np.sqrt(1000 * 0.7 * 0.3) * 400 / np.log(10)
    assert table["new"].high - table["new"].elo == pytest.approx(half, rel=1e-5)


def test_differences_add_up_along_a_chain() -> None:
    chain = [(f"{i + 1}", f"{i}", 64, 100) for i in range(30)]
    table = ratings(chain, anchor="0", prior=1e-9)
    assert table["30"].elo == pytest.approx(30 * elo_difference(0.64), rel=1e-6)
    halves = [table[f"{i}"].high - table[f"{i}"].elo for i in range(31)]
    assert halves == sorted(halves)


def test_strengths_are_found_again_from_games_between_all_pairs() -> None:
    rng = np.random.default_rng(1)
    elos = np.array([0.0, 150, 400, -200, 900])
    results = []
    for i in range(5):
        for j in range(i):
            chance = 1 / (1 + 10 ** (-(elos[i] - elos[j]) / 400))
            results.append((f"{i}", f"{j}", float(rng.binomial(2000, chance)), 2000))
    table = ratings(results, anchor="0")
    for i, elo in enumerate(elos):
        assert table[f"{i}"].low - 15 <= elo <= table[f"{i}"].high + 15


def test_a_player_that_wins_everything_has_a_finite_rating_that_grows_with_the_games() -> None:
    few, many = (ratings([("a", "b", n, n)], anchor="b")["a"] for n in (10, 1000))
    assert 0 < few.elo < many.elo < 3000
    assert few.low < few.elo < few.high
    hundred = ratings([(f"{i + 1}", f"{i}", 50, 50) for i in range(100)], anchor="0")
    assert hundred["100"].elo == pytest.approx(100 * hundred["1"].elo)


def test_pairs_may_come_in_parts_and_either_way_round() -> None:
    whole = ratings([("b", "a", 30, 50)], anchor="a")
    parts = ratings([("b", "a", 20, 25), ("a", "b", 15, 25)], anchor="a")
    assert whole["b"].elo == pytest.approx(parts["b"].elo)
    assert parts["b"].games == 50
    assert list(ratings([("b", "a", 1, 2), ("c", "a", 1, 2)])) == ["b", "a", "c"]
    assert ratings([]) == {}


@pytest.mark.parametrize(
    ("results", "options", "says"),
    [
        ([("a", "a", 1, 2)], {}, "'a' cannot play against itself"),
        ([("a", "b", 3, 2)], {}, "'a' against 'b': 3 points of 2 games"),
        ([("a", "b", float("nan"), 2)], {}, "points of 2 games"),
        ([("a", "b", 1, 2)], {"anchor": "c"}, "the anchor 'c' has no games"),
        ([("a", "b", 1, 2)], {"prior": 0}, "prior must be above 0"),
        ([("a", "b", 9, 9)], {"prior": 1e-17}, "prior=1e-17 is too small where a player has won every game"),
        ([("a", "b", 1, 2), ("c", "d", 1, 2)], {}, "no games connect 'c' with 'a'"),
        ([("a", "b", 0, 0)], {}, "no games connect 'b' with 'a'"),
    ],
)
def test_wrong_tables_are_refused(results: Any, options: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ratings(results, **options)
