"""How a batch steps: views, cut-offs, part of the games, and all that a step tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sixplane import GameBatch, Go, Gomoku, Reversi
from sixplane.batch import Ending

if TYPE_CHECKING:
    from numpy.typing import NDArray


AUTORESETS = ["same_step", "next_step", "disabled"]

#: Small boards, some with a limit, so that games end in every way.
PROTOTYPES: list[Any] = [
    Go(size=(3, 4), komi=0.5, max_moves=9),
    Go(size=2),
    Reversi(size=4),
    Gomoku(size=5, max_moves=20),
]


def turned(planes: NDArray[np.uint8]) -> Any:
    """Six planes, or several times six, from the side of the player to play."""
    turned = planes.copy()
    for one in turned.reshape(-1, *planes.shape[-3:]):
        if one[2].all():
            one[[0, 1]] = one[[1, 0]]
    return turned


@pytest.mark.parametrize("autoreset", AUTORESETS)
@pytest.mark.parametrize("prototype", PROTOTYPES, ids=repr)
def test_the_players_view_is_the_black_view_turned_around(prototype: Any, autoreset: Any) -> None:
    black, player = (GameBatch(prototype, 30, seed=4) for _ in range(2))
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(60):
        actions = black.sample()
        assert np.array_equal(actions, player.sample())
        # Now and then one that loses.
        wrong = (actions >= 0) & (rng.random(30) < 0.05)
        actions[wrong] = rng.integers(prototype.num_actions, size=wrong.sum())
        one = black.step(actions, autoreset, "lose")
        other = player.step(actions, autoreset, "lose", view="player")
        sign = np.where(one.actors == 1, -1, 1)
        for name, value in one._asdict().items():
            expected: Any = {
                "planes": turned(one.planes),
                "final_planes": turned(one.final_planes),
                "rewards": one.rewards * sign,
            }.get(name, value)
            assert np.array_equal(getattr(other, name), expected), name
        ended += int((one.endings != Ending.NONE).sum())
        assert np.array_equal(other.rewards[one.endings == Ending.ILLEGAL], [-1] * (one.endings == 3).sum())
    assert ended > 10


@pytest.mark.parametrize("autoreset", AUTORESETS)
@pytest.mark.parametrize("prototype", PROTOTYPES, ids=repr)
def test_a_cut_off_ends_a_game_or_cuts_it_short_but_never_both(prototype: Any, autoreset: Any) -> None:
    adjudicated, cut = (GameBatch(prototype, 30, seed=4) for _ in range(2))
    seen = 0
    for _ in range(40):
        actions = adjudicated.sample()
        one = adjudicated.step(actions, autoreset)
        other = cut.step(actions, autoreset, cutoff="truncate")
        at_limit = one.endings == Ending.CUTOFF
        seen += int(at_limit.sum())
        assert not one.truncated.any()
        assert np.array_equal(one.terminated, one.endings != Ending.NONE)
        assert np.array_equal(one.rewards[at_limit], one.outcomes[at_limit])
        assert np.array_equal(other.truncated, at_limit)
        assert np.array_equal(other.terminated, one.terminated & ~at_limit)
        assert np.array_equal(other.rewards, np.where(at_limit, 0, one.rewards))
        for name in ("planes", "outcomes", "scores", "endings", "final_index", "final_planes"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
        if autoreset == "disabled":
            truncated = [game.is_truncated for game in adjudicated[:]]
            assert all(truncated[i] for i in np.flatnonzero(at_limit))
    assert (seen > 0) == (prototype.max_moves is not None)


def test_a_step_says_who_acted_and_how_each_game_ended_and_after_how_many_moves() -> None:
    batch = GameBatch(Go(size=3, max_moves=5), 4, seed=0)
    batch.step([0, 1, 9, 3])
    batch.step([1, 2, 3, 4])
    batch.play([2, 3, 9, 5])
    step = batch.step([2, 9, 9, 6], illegal="lose")
    assert step.actors.tolist() == [1, 1, 1, 1]
    assert step.endings.tolist() == [Ending.ILLEGAL, Ending.NONE, Ending.RULES, Ending.NONE]
    assert step.move_numbers.tolist() == [3, 4, 4, 4]
    assert step.final_index.tolist() == [0, 2]
    step = batch.step([0, 4, 0, 7], "disabled")
    assert step.actors.tolist() == [0, 0, 0, 0]
    assert step.endings.tolist() == [Ending.NONE, Ending.CUTOFF, Ending.NONE, Ending.CUTOFF]
    assert step.move_numbers.tolist() == [1, 5, 1, 5]
    assert batch[1].ending == "cutoff"
    step = batch.step([1, -1, 1, 7], "next_step")
    assert step.actors.tolist() == [1, -1, 1, -1]
    assert step.endings.tolist() == [0] * 4
    assert step.move_numbers.tolist() == [2, 0, 2, 0]
    assert (step.turns[1], step.outcomes[1]) == (0, -2)


@pytest.mark.parametrize("autoreset", AUTORESETS)
@pytest.mark.parametrize("view", ["black", "player"])
@pytest.mark.parametrize("prototype", PROTOTYPES, ids=repr)
def test_a_step_in_part_of_the_games_is_a_step_of_those_and_leaves_the_others(
    prototype: Any, view: Any, autoreset: Any
) -> None:
    batch = GameBatch(prototype, 20, seed=6)
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(60):
        where = rng.random(20) < 0.6
        games: list[Any] = batch[:]
        actions = batch.sample()
        given = np.where(where, actions, rng.integers(-(2**60), 2**60, size=20))
        step = batch.step(given, autoreset, view=view, where=where)
        if where.any():
            some = GameBatch.from_games([prototype, *(games[i] for i in np.flatnonzero(where))])
            alone = some.step(
                [0 if prototype.action_mask[0] else some.sample()[0], *actions[where]], autoreset, view=view
            )
            for name in set(step._fields) - {"final_index", "final_planes", "final_masks"}:
                assert np.array_equal(getattr(step, name)[where], getattr(alone, name)[1:]), name
            assert np.array_equal(step.final_index, np.flatnonzero(where)[alone.final_index - 1])
            assert np.array_equal(step.final_planes, alone.final_planes)
            assert np.array_equal(step.final_masks, alone.final_masks)
        for i in np.flatnonzero(~where):
            game = games[i]
            assert batch[i] == game
            shown = game.planes if view == "black" else turned(game.planes)
            assert np.array_equal(step.planes[i], shown)
            assert np.array_equal(step.action_masks[i], game.action_mask)
            assert step.turns[i] == game.turn
            assert (step.rewards[i], step.terminated[i], step.truncated[i]) == (0, False, False)
            assert step.outcomes[i] == {None: -2, "black": 1, "white": -1, "draw": 0}[game.outcome]
            assert step.scores[i] == game.score()
            assert step.move_numbers[i] == game.move_number
            assert (step.endings[i], step.actors[i]) == (Ending.NONE, -1)
        ended += int((step.endings != Ending.NONE).sum())
    assert ended > 5


def test_playing_in_part_of_the_games_leaves_the_others() -> None:
    batch = GameBatch(Go(size=3), 4, seed=0)
    batch.resign(3)
    batch.play([0, 99, -1, -1], where=[True, False, False, True])
    assert batch.move_numbers.tolist() == [1, 0, 0, 0]
    batch.play([7, 7, 7, 7], where=np.zeros(4, dtype=bool))
    assert batch.move_numbers.tolist() == [1, 0, 0, 0]
    batch.play_random(3, where=np.array([False, True, True, True]))
    assert batch.move_numbers.tolist() == [1, 3, 3, 0]


def test_random_actions_may_be_of_another_number_for_each_game() -> None:
    counts = np.array([0, 1, 70, 200, 10**12])
    batch, twin = (GameBatch(Go(size=3, max_moves=150), 5, seed=3) for _ in range(2))
    batch.play_random(counts)
    for t in range(200):
        twin.play_random(1, where=counts > t)
    assert batch == twin
    assert np.array_equal(batch.sample(), twin.sample())
    assert batch.move_numbers.tolist()[:2] == [0, 1]
    batch.reset()
    batch.play_random(counts.astype(np.uint8), where=counts == 70)
    assert batch.move_numbers[[0, 1, 3, 4]].tolist() == [0] * 4
    # Numbers for all alike.
    twin = GameBatch(Go(size=3, max_moves=150), 5, seed=3)
    batch.reset(seed=3)
    batch.play_random([9] * 5)
    twin.play_random(9)
    assert batch == twin


@pytest.mark.parametrize(
    ("prototype", "whose"),
    [
        (Go(size=(4, 5)), lambda game: game.ownership()),
        (Reversi(size=6), lambda game: game.planes[0].astype(np.int8) - game.planes[1]),
        (Gomoku(size=6), lambda game: game.planes[0].astype(np.int8) - game.planes[1]),
    ],
    ids=["go", "reversi", "gomoku"],
)
def test_ownership_is_the_area_in_go_and_the_stones_elsewhere(prototype: Any, whose: Any) -> None:
    batch = GameBatch(prototype, 25, seed=1)
    batch.play_random(14)
    expected = np.array([whose(game) for game in batch[:]])
    owners = batch.ownership()
    assert owners.dtype == np.int8
    assert owners.shape == (25, prototype.rows, prototype.cols)
    assert np.array_equal(owners, expected)
    assert np.array_equal(batch.ownership([3, -1, 3]), expected[[3, -1, 3]])
    assert batch.ownership(np.array([], dtype=int)).shape == (0, prototype.rows, prototype.cols)
    assert {-1, 1} <= set(np.unique(owners))
