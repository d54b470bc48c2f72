"""What a batch refuses, in which words, and that nothing has changed then."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from sixplane import GameBatch, Go, IllegalActionError
from sixplane.gogame import InvalidMoveError


def refused(batch: GameBatch, actions: Any, **options: Any) -> IllegalActionError:
    """The error of a step; nothing has changed."""
    before = batch.copy()
    with pytest.raises(IllegalActionError) as error:
        batch.step(actions, **options)
    assert batch == before
    return error.value


def test_an_error_of_many_games_lists_them_with_their_reasons_and_actions() -> None:
    batch = GameBatch(Go(size=3), 5, seed=0)
    batch.play([0, 1, 2, 3, 4])
    batch.resign(4)
    error = refused(batch, [5, 1, 10, -1, 0], autoreset="disabled")
    assert error.indices is not None
    assert error.indices.dtype == np.int64
    assert error.indices.tolist() == [1, 2, 3, 4]
    assert error.reasons == ["occupied", "off_board", "off_board", "game_over"]
    assert error.reason == "occupied"
    assert str(error) == (
        "4 illegal actions: 1 in game 1 (occupied), 10 in game 2 (off_board),"
        " -1 in game 3 (off_board), 0 in game 4 (game_over)"
    )
    with pytest.raises(IllegalActionError) as played:
        batch.play([5, 1, 10, -1, 0])
    assert played.value.indices is not None
    assert played.value.indices.tolist() == [1, 2, 3, 4]


def test_an_error_of_a_step_in_part_of_the_games_lists_only_those() -> None:
    batch = GameBatch(Go(size=3), 3, seed=0)
    batch.play([0, 1, 2])
    error = refused(batch, [0, 1, 2], where=np.array([False, True, False]))
    assert error.indices is not None
    assert (error.indices.tolist(), error.reasons) == ([1], ["occupied"])


def test_a_long_error_lists_all_games_but_names_only_some() -> None:
    batch = GameBatch(Go(size=3), 900, seed=0)
    error = refused(batch, np.full(900, 77))
    assert error.indices is not None
    assert error.indices.tolist() == list(range(900))
    assert error.reasons == ["off_board"] * 900
    assert len(str(error)) < 300


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_copies_of_an_error_keep_all(clone: Any) -> None:
    error = refused(GameBatch(Go(size=3), 3, seed=0), [0, 99, 98])
    again = clone(error)
    assert type(again) is IllegalActionError
    assert (str(again), again.reason, again.reasons) == (str(error), error.reason, error.reasons)
    assert again.indices is not None
    assert again.indices.tolist() == [1, 2]


def test_an_error_of_one_game_has_no_indices() -> None:
    with pytest.raises(IllegalActionError) as error:
        Go(size=3).play(99)
    assert (error.value.indices, error.value.reasons) == (None, None)
    again = pickle.loads(pickle.dumps(InvalidMoveError("ko", "D4 retakes the ko")))
    assert (type(again), again.reason, again.indices) == (InvalidMoveError, "ko", None)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda b: b.step(np.zeros((4, 1), int)), ValueError, r"actions must be 1-d, got shape \(4, 1\)"),
        (lambda b: b.play(3), ValueError, r"actions must be 1-d, got shape \(\)"),
        (lambda b: b.step([1, 2]), ValueError, "2 actions for 4 games"),
        (lambda b: b.step([1, 2, 3, 4], where=[True]), ValueError, "where of 1 for 4 games"),
        (lambda b: b.play([1, 2, 3, 4], where=[1, 0, 1, 1]), TypeError, "where must be a boolean array"),
        (lambda b: b.step([1, 2, 3, 4], view="white"), ValueError, '"black", "player", not \'white\''),
        (lambda b: b.step([1, 2, 3, 4], view=1), TypeError, '"black", "player", not 1'),
        (lambda b: b.step([1, 2, 3, 4], cutoff="stop"), ValueError, '"adjudicate", "truncate", not \'stop\''),
        (lambda b: b.play_random(-1), ValueError, "n must be from 0 to"),
        (lambda b: b.play_random([1, 2, -3, 4]), ValueError, "n must be at least 0, got -3 for game 2"),
        (lambda b: b.play_random([1, 2]), ValueError, "2 n for 4 games"),
        (lambda b: b.play_random([True, 2, 3, 4]), TypeError, "n must be an integer, not bool"),
        (lambda b: b.play_random(1.5), TypeError, "n must be"),
        (lambda b: b.play_random([0.5] * 4), TypeError, "n must be integers, not an array of float64"),
        (lambda b: b.play_random(np.ones((2, 2), int)), ValueError, r"n must be 1-d, got shape \(2, 2\)"),
        (lambda b: b.play_random(True), TypeError, "n must be"),
        (lambda b: b.play_random(2, where=[True]), ValueError, "where of 1 for 4 games"),
        (lambda b: b.ownership([4]), IndexError, "game 4 of a batch of 4"),
        (lambda b: b.ownership([[1]]), ValueError, r"index must be 1-d, got shape \(1, 1\)"),
        (lambda b: b.ownership([1.0]), TypeError, "index must be integers"),
    ],
)
def test_bad_arguments_are_named_and_nothing_changes(call: Any, error: type[Exception], message: str) -> None:
    batch = GameBatch(Go(size=3), 4, seed=0)
    before = batch.copy()
    with pytest.raises(error, match=message):
        call(batch)
    assert batch == before
    assert np.array_equal(batch.sample(), before.sample())
