"""A batch equals its games played one by one, as seen from Python."""

import copy
import multiprocessing
import pickle
import sys
import threading
import time
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np
import pytest

import sixplane
from sixplane import GameBatch, Go, IllegalActionError
from sixplane.batch import Ending
from waiting import MINUTE


def _pickled(batch: GameBatch) -> Any:
    return pickle.loads(pickle.dumps(batch))


def assert_step_shows(step: Any, i: Any, shown: Any, played: Any, fresh: bool = True) -> None:
    """Row `i` of a step against the game it shows and the game its action was played in."""
    assert np.array_equal(step.planes[i], shown.planes)
    assert np.array_equal(step.action_masks[i], shown.action_mask)
    assert step.turns[i] == shown.turn
    outcome = {"black": 1, "white": -1, "draw": 0, None: -2}[played.outcome]
    assert step.outcomes[i] == outcome
    assert step.scores[i] == played.score()
    assert step.terminated[i] == (fresh and played.is_over)
    assert not step.truncated[i]
    assert step.rewards[i] == (outcome if fresh and played.is_over else 0)
    assert step.move_numbers[i] == played.move_number
    ending = Ending.CUTOFF if played.is_truncated else Ending.RULES
    assert step.endings[i] == (ending if fresh and played.is_over else Ending.NONE)
    assert step.actors[i] == (1 - played.turn if fresh else -1)


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("rules", [{"size": (2, 3)}, {"size": 5, "ko": "situational", "max_moves": 40}])
def test_a_batch_equals_its_games_played_one_by_one(autoreset: Any, rules: Any) -> None:
    prototype = Go(**rules)
    batch = GameBatch(prototype, 40, seed=3)
    alone: list[Any] = [prototype.copy() for _ in range(40)]
    ended = 0
    for _ in range(100):
        actions = batch.sample()
        step = batch.step(actions, autoreset)
        finals = iter(zip(step.final_index, step.final_planes, strict=True))
        for i, game in enumerate(alone):
            if game.is_over:
                if autoreset == "next_step":
                    alone[i] = prototype.copy()
                assert actions[i] == -1
                assert_step_shows(step, i, alone[i], alone[i], fresh=False)
                continue
            game.play(actions[i])
            ended += game.is_over
            if game.is_over and autoreset == "same_step":
                index, planes = next(finals)
                assert index == i
                assert np.array_equal(planes, game.planes)
                alone[i] = prototype.copy()
            assert_step_shows(step, i, alone[i], game)
        assert next(finals, None) is None
        assert batch[:] == alone
    assert ended > 20


def test_types_and_shapes_are_as_documented() -> None:
    batch = GameBatch(Go(size=(7, 9)), 5, seed=0)
    step = batch.step(batch.sample())
    expected = {
        "planes": ((5, 6, 7, 9), np.uint8),
        "action_masks": ((5, 64), np.int8),
        "turns": ((5,), np.int8),
        "rewards": ((5,), np.float32),
        "terminated": ((5,), np.bool_),
        "truncated": ((5,), np.bool_),
        "outcomes": ((5,), np.int8),
        "scores": ((5,), np.float32),
        "final_index": ((0,), np.int64),
        "final_planes": ((0, 6, 7, 9), np.uint8),
        "move_numbers": ((5,), np.int64),
        "endings": ((5,), np.int8),
        "actors": ((5,), np.int8),
        "final_masks": ((0, 64), np.int8),
    }
    assert step._fields == tuple(expected)
    for name, (shape, dtype) in expected.items():
        array = getattr(step, name)
        assert (array.shape, array.dtype) == (shape, dtype), name
        assert array.flags.c_contiguous, name
        assert array.flags.writeable, name
    assert (batch.rows, batch.cols, batch.num_actions, len(batch)) == (7, 9, 64, 5)
    games = batch[:]
    assert np.array_equal(batch.planes, [game.planes for game in games])
    assert np.array_equal(batch.action_masks, [game.action_mask for game in games])
    assert batch.turns.tolist() == [game.turn for game in games]
    assert batch.dones.tolist() == [False] * 5
    assert batch.outcomes.tolist() == [-2] * 5
    assert batch.scores.tolist() == [game.score() for game in games]
    assert batch.move_numbers.tolist() == [1] * 5


def test_arrays_held_are_never_written_again() -> None:
    batch = GameBatch(Go(size=5), 30, seed=1)
    held: list[tuple[Any, list[Any]]] = []
    for _ in range(60):
        step = batch.step(batch.sample())
        held.append((step, [array.copy() for array in step]))
        # Views keep their arrays too.
        held.append(((step.planes[3:],), [step.planes[3:].copy()]))
    for arrays, copies in held:
        for array, kept in zip(arrays, copies, strict=True):
            assert np.array_equal(array, kept)
    kept_view = batch.step(batch.sample()).planes[:, 0]
    before = kept_view.copy()
    for _ in range(30):
        batch.step(batch.sample())
    assert np.array_equal(kept_view, before)


def test_a_refused_entry_plays_nothing_and_names_the_games() -> None:
    batch = GameBatch(Go(size=3), 4, seed=0)
    batch.play([0, 1, 2, 3])
    before = batch.copy()
    with pytest.raises(
        IllegalActionError, match=r"2 illegal actions: 1 in game 1 \(occupied\), 10 in game 3 \(off_board\)"
    ) as e:
        batch.step(np.array([5, 1, 6, 10]))
    assert e.value.reason == "occupied"
    with pytest.raises(IllegalActionError, match="off_board"):
        batch.step([5, 5, 5, 10], illegal="lose")
    for huge in (2**63, 2**64 - 1):
        with pytest.raises(IllegalActionError, match="off_board"):
            batch.step(np.array([5, 5, 5, huge], dtype=np.uint64))
    assert batch == before
    for huge in (2**63, -(2**63) - 1, 2**64, 10**50):
        with pytest.raises(IllegalActionError, match=r"in game 2 \(off_board\)"):
            batch.step([0, 5, huge, 5])
    assert batch == before
    step = batch.step([0, 5, 5, 5], illegal="lose")
    assert step.outcomes.tolist() == [1, -2, -2, -2]


@pytest.mark.parametrize(
    ("actions", "error", "match"),
    [
        ([0, 1], ValueError, "2 actions for 4 games"),
        ([[0, 1, 2, 3]], ValueError, "1-d, got shape"),
        ([0.0, 1.0, 2.0, 3.0], TypeError, "float64"),
        ([True, False, True, False], TypeError, "bool"),
        ([None] * 4, TypeError, "object"),
        ([True, 1, 2, 3], TypeError, "actions must be an integer, not bool"),
        ((0, 1, 2, np.True_), TypeError, "actions must be an integer, not bool"),
        ("abcd", ValueError, r"1-d, got shape \(\)"),
    ],
)
def test_actions_that_are_none_are_refused(actions: Any, error: Any, match: Any) -> None:
    batch = GameBatch(Go(size=3), 4, seed=0)
    with pytest.raises(error, match=match):
        batch.step(actions)
    assert batch.move_numbers.sum() == 0


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
)
def test_actions_of_any_integer_type_are_played(dtype: Any) -> None:
    batch = GameBatch(Go(size=3), 3, seed=0)
    batch.play(np.array([0, 4, 9], dtype=dtype))
    assert [game.last_action for game in batch[:]] == [0, 4, 9]
    batch.play(np.array([1, 9, 5, 9, 0, 9], dtype=dtype)[::2])
    assert [game.last_action for game in batch[:]] == [1, 5, 0]


def test_bad_arguments_say_what_is_allowed() -> None:
    game = Go(size=3)
    with pytest.raises(TypeError, match="made of games, not int"):
        GameBatch(3, 4)  # type: ignore[type-var]
    with pytest.raises(ValueError, match="n must be from 1 to 1048576, not 0"):
        GameBatch(game, 0)
    with pytest.raises(ValueError, match="threads must be from 1"):
        GameBatch(game, 4, threads=0)
    with pytest.raises(ValueError, match="seed must be from 0"):
        GameBatch(game, 4, seed=-1)
    with pytest.raises(ValueError, match="same size, rules"):
        GameBatch.from_games([game, Go(size=4)])
    with pytest.raises(TypeError, match="a game of go is needed"):
        GameBatch.from_games([game, 7])  # type: ignore[type-var]
    with pytest.raises(ValueError, match="from 1 to"):
        GameBatch.from_games([])
    batch: Any = GameBatch(game, 4, seed=0)
    with pytest.raises(ValueError, match='"same_step", "next_step", "disabled"'):
        batch.step(batch.sample(), autoreset="never")
    with pytest.raises(ValueError, match='"raise", "lose"'):
        batch.step(batch.sample(), illegal="ignore")
    with pytest.raises(IndexError, match="game 4 of a batch of 4"):
        batch[4]
    with pytest.raises(TypeError):
        batch[1.0]
    with pytest.raises(ValueError, match="where of 3 for 4 games"):
        batch.reset(np.zeros(3, dtype=bool))
    with pytest.raises(TypeError, match="boolean array"):
        batch.reset(np.zeros(4))
    with pytest.raises(ValueError, match="same size, rules"):
        batch[0] = Go(size=3, komi=0.5)


def test_an_annotation_may_name_the_game_of_a_batch() -> None:
    annotation = GameBatch[Go]
    assert (get_origin(annotation), get_args(annotation)) == (GameBatch, (Go,))


def test_games_are_read_written_and_reset() -> None:
    start = Go(size=3)
    start.play(4)
    batch = GameBatch(start, 5, seed=0, threads=1)
    batch.play([0, 1, 2, 3, 5])
    assert batch[-1].actions.tolist() == [4, 5]
    assert [game.last_action for game in batch[1:4:2]] == [1, 3]
    copied = batch[0]
    copied.play(1)
    assert batch[0].move_number == 2, "a game read is a copy"
    batch[0] = copied
    assert batch[0] == copied
    batch.resign(1, "black")
    assert batch.outcomes.tolist() == [-2, -1, -2, -2, -2]
    with pytest.raises(IllegalActionError, match="game 1"):
        batch.resign(1)
    batch.reset(np.array([False, True, False, False, True]))
    assert batch.move_numbers.tolist() == [3, 1, 2, 2, 1]
    batch.reset()
    assert batch[:] == [start] * 5
    of_games = GameBatch.from_games([copied, start], seed=0)
    of_games.reset()
    assert of_games[:] == [copied, copied]


def test_seeds_reproduce_everything_whatever_the_threads() -> None:
    def play(**kw: Any) -> tuple[GameBatch, list[int]]:
        batch = GameBatch(Go(size=5), 1000, **kw)
        # Threads share what has been seen to take long enough.
        for _ in range(4):
            batch.play_random(5)
        return batch, batch.sample().tolist()

    one = play(seed=5, threads=1)
    assert play(seed=5, threads=3) == one
    assert play(seed=5) == one
    assert play(seed=6) != one
    assert play() != play()
    batch = one[0]
    batch.reset(seed=5)
    batch.play_random(20)
    assert batch.sample().tolist() == one[1]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, GameBatch.copy, _pickled])
def test_copies_are_equal_and_go_on_alike_but_apart(duplicate: Any) -> None:
    batch = GameBatch(Go(size=5, ko="situational"), 20, seed=2)
    batch.play_random(15)
    batch.resign(3)
    twin = duplicate(batch)
    assert twin == batch
    batch.play_random(5)
    assert twin != batch
    twin.play_random(5)
    assert twin == batch
    assert np.array_equal(twin.sample(), batch.sample())
    twin.reset()
    assert twin[0].move_number == 0


@pytest.mark.parametrize("dtype", [np.uint8, np.bool_, np.float32])
def test_planes_go_into_the_callers_array(dtype: Any) -> None:
    batch = GameBatch(Go(size=5), 6, seed=2)
    batch.play_random(9)
    out = np.full((6, 6, 5, 5), 7).astype(dtype)
    batch.planes_into(out)
    assert np.array_equal(out, batch.planes)
    some = np.full((3, 6, 5, 5), 7).astype(dtype)
    batch.planes_into(some, index=np.array([5, 0, -1]))
    assert np.array_equal(some, batch.planes[[5, 0, 5]])
    with pytest.raises(ValueError, match="shape"):
        batch.planes_into(some)
    with pytest.raises(ValueError, match="C-contiguous"):
        batch.planes_into(np.zeros((6, 6, 5, 10), dtype)[..., ::2])
    with pytest.raises(TypeError, match="uint8, bool and float32"):
        batch.planes_into(np.zeros((6, 6, 5, 5), np.float64))
    read_only = np.zeros((6, 6, 5, 5), dtype)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        batch.planes_into(read_only)
    with pytest.raises(IndexError):
        batch.planes_into(some, index=[0, 1, 6])


def test_a_batch_serves_one_call_at_a_time() -> None:
    batch = GameBatch(Go(size=19, ko="simple"), 256, seed=0)
    refused: list[RuntimeError] = []

    def play() -> None:
        try:
            while not refused and time.monotonic() < end:
                batch.play_random(200)
                batch.reset()
        except RuntimeError as error:
            refused.append(error)

    end = time.monotonic() + MINUTE
    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused, "no two calls met"
    batch.sample()


def _play_in_child(batch: Any, actions: Any) -> None:
    batch.play_random(10)
    actions.put(batch.sample().tolist())


def _native_threads() -> set[str]:
    """The numbers of the threads of this process, Python's and others."""
    return {path.name for path in Path("/proc/self/task").iterdir()}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the threads of a process")
def test_a_batch_works_in_parent_and_forked_child() -> None:
    before = _native_threads()
    batch = GameBatch(Go(size=5), 1000, seed=4, threads=2)
    for _ in range(2):
        batch.play_random(3)
    assert _native_threads() - before, "the threads of the parent are there now"
    context = multiprocessing.get_context("fork")
    actions = context.Queue()
    child = context.Process(target=_play_in_child, args=(batch, actions))
    child.start()
    from_child = actions.get(timeout=60)
    child.join(timeout=60)
    assert child.exitcode == 0
    batch.play_random(10)
    assert batch.sample().tolist() == from_child


def test_a_finished_game_takes_minus_one_only_where_resets_are_disabled() -> None:
    batch = GameBatch(Go(size=2), 2, seed=0)
    batch.resign(0, "white")
    with pytest.raises(IllegalActionError, match="game_over"):
        batch.step([0, 0], autoreset="disabled")
    step = batch.step([-1, 0], autoreset="disabled")
    assert (step.outcomes[0], step.rewards[0], step.terminated[0]) == (1, 0, False)
    step = batch.step([3, 1], autoreset="next_step")
    assert (step.outcomes[0], step.rewards[0], step.terminated[0]) == (-2, 0, False)
    assert batch.move_numbers.tolist() == [0, 2]


def test_named_like_the_package() -> None:
    assert sixplane.GameBatch.__module__ == "sixplane"
    assert repr(GameBatch(Go(size=(7, 9)), 3)) == "<sixplane.GameBatch of 3 games of go 7x9>"
