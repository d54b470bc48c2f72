"""`sixplane.search`: many games in one search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sixplane
import sixplane.planes
from search_evaluators import Floats, Planes, noisy, uniform
from sixplane.search import MCTS, BatchSearchResult, Puct


def test_a_batch_is_searched_as_its_games_are() -> None:
    games = [sixplane.Go(size=5).replay([i]) for i in range(6)]
    games[2].resign()
    batch = sixplane.GameBatch.from_games(games)
    before = batch.copy()
    all_options: list[dict[str, Any]] = [
        {},
        {"evaluator": noisy, "selection": Puct(noise=0.3), "symmetry": True, "cache": 1000},
        {"evaluator": noisy, "selection": "gumbel", "leaves": 3, "history": 2},
        {"evaluator": noisy, "threads": 2},
    ]
    for options in all_options:
        found = MCTS(simulations=80, seed=3, **options).search_batch(batch)
        assert batch == before
        assert found.visits.shape == found.q.shape == found.policy.shape == (6, 26)
        assert found.best_action[2] == -1 and found.visits[2].sum() == 0 and np.isnan(found.value[2])
        for i in (0, 1, 3, 4, 5):
            alone = MCTS(simulations=80, seed=3, **options).search(games[i], stream=i)
            assert (found.visits[i] == alone.visits).all()
            assert np.array_equal(found.q[i], alone.q, equal_nan=True)
            assert found.best_action[i] == alone.best_action
            assert found.principal_variation[i] == alone.principal_variation
            assert found.simulations[i] == 80 and found.nodes[i] == alone.nodes
        batch.copy().play(found.best_action)


def test_a_batch_advances_all_games_or_none() -> None:
    games = [sixplane.Go(size=5).replay([i]) for i in range(3)]
    games[1].resign()
    batch = sixplane.GameBatch.from_games(games)
    search = MCTS(noisy, selection="puct", simulations=50, seed=1)
    first = search.search_batch(batch)
    with pytest.raises(ValueError, match="2 actions for 3 games"):
        search.advance([1, 2])
    with pytest.raises(sixplane.IllegalActionError):
        search.advance([5, -1, 2])
    with pytest.raises(sixplane.IllegalActionError):
        search.advance([5, 4, 5])
    with pytest.raises(sixplane.IllegalActionError, match="100000 is off the board"):
        search.advance([5, -1, 100_000])
    search.advance(first.best_action)
    batch.play(first.best_action)
    second = search.search_batch(batch)
    kept = [first.visits[i, first.best_action[i]] - 1 for i in (0, 2)]
    assert second.visits.sum(axis=1).tolist() == [kept[0] + 50, 0, kept[1] + 50]


def test_dirichlet_noise_makes_root_priors_differ() -> None:
    game = sixplane.Go(size=9)
    found = MCTS(uniform, selection=Puct(noise=(0.03, 0.9)), simulations=64, seed=1).search_batch(
        sixplane.GameBatch(game, 8)
    )
    assert len({row.tobytes() for row in found.visits}) == 8
    assert found.visits.max() > 10


OPTIONS: list[dict[str, Any]] = [
    {},
    {"evaluator": noisy, "selection": Puct(noise=0.3), "symmetry": True},
    {"evaluator": noisy, "selection": "gumbel", "leaves": 3},
    {"evaluator": noisy, "threads": 2, "cache": 100},
]


def batch_of(count: int) -> sixplane.GameBatch:
    games = [sixplane.Go(size=5).replay([i, i + 3]) for i in range(count)]
    games[1].resign()
    return sixplane.GameBatch.from_games(games)


@pytest.mark.parametrize("options", OPTIONS)
def test_each_game_is_searched_as_often_as_it_is_told(options: dict[str, Any]) -> None:
    batch = batch_of(6)
    limits = np.array([40, 40, 0, 7, 1, 90])
    found = MCTS(seed=3, **options).search_batch(batch, simulations=limits, stream=5)
    for i, simulations in enumerate(limits):
        if i == 1 or simulations == 0:
            assert_left_out(found, i)
            continue
        alone = MCTS(seed=3, **options).search(batch[i], simulations=int(simulations), stream=5 + i)
        assert (found.visits[i] == alone.visits).all()
        assert np.array_equal(found.q[i], alone.q, equal_nan=True)
        assert np.array_equal(found.policy[i], alone.policy)
        assert np.array_equal(found.prior[i], alone.prior)
        assert (found.value[i], found.best_action[i]) == (np.float32(alone.value), alone.best_action)
        assert np.array_equal(found.raw_value[i], np.float32(alone.raw_value), equal_nan=True)
        assert found.simulations[i] == simulations


def assert_left_out(found: BatchSearchResult, i: int) -> None:
    assert found.best_action[i] == -1
    assert found.simulations[i] == found.visits[i].sum() == 0
    assert not found.policy[i].any()
    assert not found.prior[i].any()
    assert not found.wins[i]
    assert np.isnan([found.value[i], found.raw_value[i], *found.q[i]]).all()
    assert found.principal_variation[i] == []


@pytest.mark.parametrize("options", OPTIONS)
def test_games_outside_where_are_as_if_they_were_not_there(options: dict[str, Any]) -> None:
    batch = batch_of(6)
    where = np.array([True, True, False, True, False, True])
    every = MCTS(seed=3, simulations=50, **options).search_batch(batch)
    found = MCTS(seed=3, simulations=50, **options).search_batch(batch, where=where)
    asked = MCTS(seed=3, **options).search_batch(batch, simulations=50, where=where.tolist())
    for i in range(6):
        if i == 1 or not where[i]:
            assert_left_out(found, i)
            continue
        for some in (found, asked):
            assert (some.visits[i] == every.visits[i]).all()
            assert some.best_action[i] == every.best_action[i]


def test_a_game_left_out_keeps_its_tree() -> None:
    batch = batch_of(4)
    search = MCTS(noisy, selection="puct", simulations=60, seed=1)
    first = search.search_batch(batch)
    search.advance(first.best_action)
    batch.play(first.best_action)
    some = search.search_batch(batch, where=[True, True, False, False])
    with pytest.raises(sixplane.IllegalActionError):
        search.advance([-1, -1, -1, -1])  # the first one was searched
    search.advance(some.best_action)
    game = batch[0]
    game.play(some.best_action[0])
    batch[0] = game
    last = search.search_batch(batch)
    kept = [first.visits[i, first.best_action[i]] - 1 for i in (2, 3)]
    assert last.visits.sum(axis=1).tolist()[2:] == [kept[0] + 60, kept[1] + 60]
    assert last.visits[0].sum() == some.visits[0, some.best_action[0]] - 1 + 60


def test_the_time_of_a_batch_is_for_the_games_that_are_searched() -> None:
    batch = sixplane.GameBatch(sixplane.Go(9), 20_000)
    where = np.zeros(20_000, np.bool_)
    where[[3, 700]] = True
    found = MCTS(seconds=1, seed=1).search_batch(batch, where=where)
    # A part of 1 s in 20,000 is the time of one simulation at most.
    assert (found.simulations[where] > 2).all()
    assert found.simulations.sum() == found.simulations[where].sum()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"simulations": [1, 2]}, ValueError, "2 simulations for 4 games: one integer, or one for each"),
        ({"simulations": np.ones((4, 1), int)}, ValueError, r"must be 1-d, got shape \(4, 1\)"),
        ({"simulations": np.broadcast_to(1, 10**11)}, ValueError, "100000000000 simulations for 4 games"),
        ({"simulations": range(10**11)}, ValueError, "100000000000 simulations for 4 games"),
        ({"simulations": [1, -2, 3, 4]}, ValueError, r"from 0 to 2147483647, not -2 \(game 1\)"),
        ({"simulations": np.full(4, 2**64 - 1, np.uint64)}, ValueError, "from 0 to 2147483647"),
        ({"simulations": -1}, ValueError, "simulations must be from 0"),
        ({"simulations": [1.0, 2, 3, 4]}, TypeError, "simulations must be integers"),
        ({"simulations": [True] * 4}, TypeError, "simulations must be integers"),
        ({"simulations": 2.5}, TypeError, "simulations must be an integer"),
        ({"simulations": True}, TypeError, "simulations must be an integer"),
        ({"where": [True]}, ValueError, "where"),
        ({"where": [1, 0, 1, 0]}, TypeError, "where"),
        ({"stream": -1}, ValueError, "stream must be from 0"),
        ({"index": 3}, TypeError, 'unexpected option "index": allowed are simulations, where, allowed'),
    ],
)
def test_bad_arrays_are_refused_and_change_nothing(
    options: Any, error: type[Exception], message: str
) -> None:
    batch = batch_of(4)
    search, other = MCTS(simulations=20, seed=1), MCTS(simulations=20, seed=1)
    with pytest.raises(error, match=message):
        search.search_batch(batch, **options)
    assert (search.search_batch(batch).visits == other.search_batch(batch).visits).all()


def test_packed_fields_and_numbers_of_any_width_are_simulations() -> None:
    batch = batch_of(4)
    records = np.zeros(4, dtype=[("a", "u1"), ("n", ">u4")])
    records["n"] = [5, 6, 0, 7]
    for given in (records["n"], np.array([5, 6, 0, 7], np.int8), (5, 6, 0, 7)):
        found = MCTS(seed=1).search_batch(batch, simulations=given)
        assert found.simulations.tolist() == [5, 0, 0, 7]
    for one in (9, np.int16(9), np.array(9)):
        assert MCTS(seed=1).search_batch(batch, simulations=one).simulations.tolist() == [9, 0, 9, 9]


def test_an_evaluator_may_look_at_the_batch_that_is_searched() -> None:
    batch = batch_of(4)

    def looking(planes: Planes) -> tuple[Floats, Floats]:
        assert batch.planes.shape == (4, 6, 5, 5)
        assert len(batch[0].actions) == 2
        return noisy(planes)

    MCTS(looking, selection="puct", simulations=5).search_batch(batch)
