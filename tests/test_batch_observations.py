"""What a batch gives beside planes, and games of other rules in it."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sixplane import GameBatch, Go, Reversi

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray


@pytest.mark.parametrize("dtype", [np.uint8, np.bool_, np.float32])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_history_planes_go_into_the_callers_array(dtype: DTypeLike, k: int) -> None:
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


def seen_from(planes: NDArray[np.uint8], side: int, first: int, pairs: int) -> Any:
    """Planes whose first stones are the color `first`, from a side: plane by plane."""
    if side == first:
        return planes
    return np.array([planes[i ^ 1 if i < 2 * pairs else i] for i in range(len(planes))])


@pytest.mark.parametrize("history", [0, 1, 4])
@pytest.mark.parametrize("prototype", [Go(size=(3, 4), max_moves=30), Reversi(size=4)], ids=repr)
def test_a_view_shows_the_stones_of_its_side_first(prototype: Any, history: int) -> None:
    batch = GameBatch(prototype, 60, seed=3)
    batch.play_random(np.arange(60) % 32)
    index = np.arange(60)[::-1].copy()
    colors = np.random.default_rng(1).integers(2, size=60)

    def expected(game: Any, view: Any) -> Any:
        side = {"black": 0, "white": 1, "player": game.turn}.get(view, view)
        if history:
            return seen_from(game.history_planes(history), side, game.turn, history)
        return seen_from(game.planes, side, 0, 1)

    for view in ("black", "white", "player", colors, colors.tolist()):
        views = [view] * 60 if isinstance(view, str) else [int(color) for color in view]
        wanted = [expected(batch[i], one) for i, one in zip(index.tolist(), views, strict=True)]
        out = np.full(np.shape(wanted), 7, np.float32)
        if history:
            batch.history_planes_into(out, history, index, view=view)
        else:
            batch.planes_into(out, index, view=view)
        assert np.array_equal(out, wanted)
        for i, one, planes in zip(index.tolist(), views, wanted, strict=True):
            found = batch[i].planes_for(one, history=history)
            assert found.dtype == np.uint8 and np.array_equal(found, planes)


def test_a_view_that_does_not_exist_is_refused_and_writes_nothing() -> None:
    batch = GameBatch(Go(size=3), 4, seed=2)
    out = np.full((4, 6, 3, 3), 7, np.uint8)
    bad: list[tuple[Any, type[Exception], str]] = [
        ("red", ValueError, "view must be"),
        (2, ValueError, "view must be"),
        (None, TypeError, "view must be"),
        (1.0, TypeError, "view must be"),
    ]
    for view, error, message in bad:
        with pytest.raises(error, match=message):
            batch[0].planes_for(view)
    lists: list[tuple[Any, type[Exception], str]] = [
        ([0, 1, 0], ValueError, "3 view for 4 games"),
        ([0, 1, 2, 0], ValueError, "0 or 1, not 2"),
        ([0.0, 1.0, 0.0, 1.0], TypeError, "view must be integers"),
        ([[0, 1, 0, 1]], ValueError, "1-d"),
    ]
    for view, error, message in [*(one for one in bad if one[0] is not None), *lists]:
        with pytest.raises(error, match=message):
            batch.planes_into(out, view=view)
    for history in (-1, 2**62):
        with pytest.raises(ValueError, match="history must be from 0 to 10000"):
            batch[0].planes_for("black", history=history)
    assert (out == 7).all()


def test_a_step_shows_the_history_and_ends_an_episode_after_its_last_step() -> None:
    batch = GameBatch(Go(size=3), 3, seed=2)
    batch.step([0, 1, 2], max_steps=2)
    games: list[Any] = batch[:]
    step = batch.step([3, 9, 2], "next_step", "lose", history=2, max_steps=2, where=[True, True, False])
    assert step.truncated.tolist() == [True, True, False]
    assert step.terminated.tolist() == [False] * 3
    assert np.array_equal(step.planes, [game.history_planes(2) for game in batch[:]])
    assert batch[2] == games[2] and batch.steps.tolist() == [2, 2, 1]
    again = pickle.loads(pickle.dumps(batch))
    assert again.steps.tolist() == copy.copy(batch).steps.tolist() == [2, 2, 1]
    step = batch.step([0, 0, 4], max_steps=2)
    assert step.actors.tolist() == [-1, -1, 1]
    assert batch.move_numbers.tolist() == [0, 0, 0] and batch.steps.tolist() == [0, 0, 0]
    assert step.final_index.tolist() == [2]
    games[2].play(4)
    assert np.array_equal(step.final_masks, [games[2].action_mask])
    with pytest.raises(ValueError, match="max_steps must be from 1"):
        batch.step([0, 0, 0], max_steps=0)
    with pytest.raises(ValueError, match="history must be"):
        batch.step([0, 0, 0], history=-1)


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
