"""What a batch gives beside planes, and games of other rules in it."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from sixplane import GameBatch, Go, Reversi


@pytest.mark.parametrize("dtype", [np.uint8, np.bool_, np.float32])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_history_planes_go_into_the_callers_array(dtype: Any, k: int) -> None:
    batch = GameBatch(Go(size=(4, 5)), 40, seed=2)
    for plays in (0, 1, 9):
        batch.play_random(plays)
        expected = np.array([game.history_planes(k) for game in batch[:]])
        out = np.full((40, 2 * k + 1, 4, 5), 7).astype(dtype)
        batch.history_planes_into(out, k)
        assert np.array_equal(out, expected)
        some = np.full((3, 2 * k + 1, 4, 5), 7).astype(dtype)
        batch.history_planes_into(some, k, index=[39, 0, -1])
        assert np.array_equal(some, expected[[39, 0, 39]])


def test_history_planes_need_an_array_that_fits() -> None:
    batch = GameBatch(Go(size=3), 4, seed=2)
    with pytest.raises(ValueError, match=r"\[4, 3, 3, 3\] is needed"):
        batch.history_planes_into(np.zeros((4, 5, 3, 3), np.uint8), 1)
    with pytest.raises(ValueError, match="k must be from 1"):
        batch.history_planes_into(np.zeros((4, 1, 3, 3), np.uint8), 0)
    with pytest.raises(ValueError, match="k must be from 1"):
        batch.history_planes_into(np.zeros((4, 1, 3, 3), np.uint8), 2**62)
    with pytest.raises(TypeError, match="uint8, bool and float32"):
        batch.history_planes_into(np.zeros((4, 3, 3, 3)), 1)
    with pytest.raises(IndexError):
        batch.history_planes_into(np.zeros((1, 3, 3, 3), np.uint8), 1, index=[4])


def test_games_restart_from_a_game_of_other_rules_until_the_next_reset() -> None:
    start, other = Go(size=3), Go(size=3, komi=0.5, ko="simple", max_moves=2)
    other.play(4)
    batch = GameBatch(start, 3, seed=2)
    batch.reset(np.array([True, False, True]), game=other)
    assert batch[:] == [other, start, other]
    for duplicate in (copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        assert duplicate == batch
        assert np.array_equal(duplicate.sample(), batch.copy().sample())
    step = batch.step([0, 0, 0])
    assert step.terminated.tolist() == [True, False, True]
    assert [game.move_number for game in batch[:]] == [0, 1, 0]
    batch.reset()
    assert batch[:] == [start] * 3

    batch.reset(seed=5, game=other)
    drawn = batch.sample().tolist()
    batch.reset(seed=5, game=other)
    assert batch.sample().tolist() == drawn
    before = batch.copy()
    with pytest.raises(ValueError, match="a game of size 3x3 is needed"):
        batch.reset(game=Go(size=(3, 4)))
    with pytest.raises(TypeError, match="a game of go is needed, not Reversi"):
        batch.reset(game=Reversi(size=4))
    assert batch == before
