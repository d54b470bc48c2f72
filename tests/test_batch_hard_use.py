"""Batches under hard use: odd arrays, other threads, forked children, little memory, Ctrl-C."""

from __future__ import annotations

import copy
import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from interruptible import interrupts_raise
from sixplane import GameBatch, Go, Gomoku, Reversi
from waiting import MINUTE

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from sixplane._core import Game

START: list[Callable[[], Game]] = [lambda: Go(size=9), lambda: Reversi(size=8), lambda: Gomoku(size=15)]


def packed(actions: Any, dtype: str) -> Any:
    """The same numbers as a field of packed records: unaligned, an odd number of bytes apart."""
    records = np.zeros(len(actions), dtype=[("flag", "u1"), ("action", dtype)])
    records["flag"] = 255
    records["action"] = actions
    return records["action"]


@pytest.mark.parametrize("dtype", ["i8", "u8", "i4", ">i8", ">u2", "i1"])
def test_actions_from_packed_records_are_read_right(dtype: str) -> None:
    actions = [5, 0, 81, 40]
    batch = GameBatch(Go(size=9), 4, seed=0)
    batch.play(packed(actions, dtype))
    assert [game.last_action for game in batch[:]] == actions
    assert batch.step(packed([1, 2, 3, 4], dtype)).terminated.tolist() == [False] * 4
    assert [game.last_action for game in batch[:]] == [1, 2, 3, 4]
    assert batch[-1].last_action == 4
    out = np.empty((2, 6, 9, 9), np.uint8)
    batch.planes_into(out, packed([3, 1], dtype))
    assert (out == batch.planes[[3, 1]]).all()


def test_actions_backwards_are_read_right() -> None:
    batch = GameBatch(Go(size=9), 4, seed=0)
    batch.play(np.arange(4)[::-1])
    assert [game.last_action for game in batch[:]] == [3, 2, 1, 0]


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
def test_an_array_that_claims_to_be_endless_is_refused_unread(dtype: DTypeLike) -> None:
    batch = GameBatch(Go(size=9), 4, seed=0)
    endless = np.broadcast_to(np.array(0, dtype), 10**11)
    for call in (batch.play, batch.step):
        with pytest.raises(ValueError, match="100000000000 actions for 4 games"):
            call(endless)
    with pytest.raises(ValueError, match="where of 100000000000 for 4 games"):
        batch.reset(np.broadcast_to(np.array(True), 10**11))
    if dtype is np.int64:
        with pytest.raises(MemoryError):
            batch.planes_into(np.empty((4, 6, 9, 9), np.uint8), endless)


def test_a_step_does_not_care_what_became_of_the_last_arrays() -> None:
    batch, other = (GameBatch(Go(size=5), 8, seed=0) for _ in range(2))
    for _ in range(50):
        actions = batch.sample()
        step: tuple[Any, ...] = batch.step(actions)
        expected: tuple[Any, ...] = other.step(actions)
        for array, same in zip(step, expected, strict=True):
            assert (array == same).all()
            array.setflags(write=False)


def test_what_any_view_shows_is_never_written_again() -> None:
    batch = GameBatch(Go(size=5), 8, seed=0)
    kept: list[tuple[Any, Any]] = []
    for i in range(60):
        step = batch.step(batch.sample())
        views: list[Any] = [
            memoryview,
            lambda a: a[1:, ...].reshape(-1)[::2],
            lambda a: a.T,
            lambda a: a.view(np.uint8),
            lambda a: np.lib.stride_tricks.as_strided(a, (3,), (0,)),
            np.from_dlpack,
        ]
        view = views[i % len(views)](step.planes)
        kept.append((view, np.array(view)))
        flags = step.terminated.view(np.uint8)
        flags[...] = 7  # no boolean: the next step may not be led astray
    for view, before in kept:
        assert (np.array(view) == before).all()


@pytest.mark.parametrize("start", START)
def test_the_arrays_of_a_batch_start_on_64_bytes(start: Callable[[], Game]) -> None:
    batch = GameBatch(start(), 3, seed=0)
    arrays: list[Any] = [
        batch.sample(),
        batch.planes,
        batch.action_masks,
        batch.turns,
        batch.dones,
        batch.outcomes,
    ]
    arrays += [batch.scores, batch.move_numbers, batch.ownership(), *batch.step(batch.sample())]
    for array in arrays:
        assert array.ctypes.data % 64 == 0
        assert array.flags.c_contiguous
        assert array.flags.writeable


@contextmanager
def another_thread_inside(batch: GameBatch) -> Iterator[None]:
    """While the block runs, another thread is inside a call of the batch."""
    inside = threading.Thread(target=batch.play_random, args=(10**9,))
    inside.start()
    try:
        while True:
            try:
                len(batch.turns)
            except RuntimeError:
                break
        yield
    finally:
        stop_inside(batch, inside)


def stop_inside(batch: GameBatch, inside: threading.Thread) -> None:
    inside.join(60)
    assert not inside.is_alive()
    assert batch.dones.all()


def long_batch() -> GameBatch:
    """Playing its games at random to the end takes a second or two."""
    return GameBatch(Go(size=19, max_moves=3000), 200, seed=0, threads=1)


CALLS: dict[str, Callable[[GameBatch], object]] = {
    "pickle": pickle.dumps,
    "item": lambda batch: batch[0],
    "slice": lambda batch: batch[:2],
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "method copy": lambda batch: batch.copy(),
    "equality": lambda batch: batch == GameBatch(Go(size=19, max_moves=3000), 200),
    "equality the other way": lambda batch: GameBatch(Go(size=19, max_moves=3000), 200) == batch,
    "planes": lambda batch: batch.planes,
    "scores": lambda batch: batch.scores,
    "sample": lambda batch: batch.sample(),
    "reset": lambda batch: batch.reset(),
    "resign": lambda batch: batch.resign(0),
    "set": lambda batch: batch.__setitem__(0, Go(size=19, max_moves=3000)),
    "play": lambda batch: batch.play(np.zeros(200, np.int64)),
    "step": lambda batch: batch.step(np.zeros(200, np.int64)),
    "play_random": lambda batch: batch.play_random(1),
    "planes_into": lambda batch: batch.planes_into(np.empty((200, 6, 19, 19), np.uint8)),
}


def test_a_call_beside_another_raises_runtime_error() -> None:
    batch = long_batch()
    with another_thread_inside(batch):
        for call in CALLS.values():
            with pytest.raises(RuntimeError, match="another call of this GameBatch is running"):
                call(batch)
        # What never changes may be asked at any time.
        assert (len(batch), batch.rows, batch.cols, batch.num_actions) == (200, 19, 19, 362)
        assert "200 games of go 19x19" in repr(batch)
        assert batch == batch  # noqa: PLR0124 # it is the same object
    for call in CALLS.values():
        if call is not CALLS["play"] and call is not CALLS["step"]:
            call(batch)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_forked_in_the_middle_of_a_call_is_told_so() -> None:
    batch = long_batch()
    other = GameBatch(Go(size=5), 64, seed=1)
    other.step(other.sample())
    with another_thread_inside(batch):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                with pytest.raises(RuntimeError, match="forked while another thread was inside"):
                    batch.reset()
                assert len(batch) == 200
                other.step(other.sample())  # what nobody was inside of goes on
                del batch
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.parametrize("start", START)
def test_a_batch_of_finished_games_says_so(start: Callable[[], Game]) -> None:
    game = start()
    game.resign("white")
    batch = GameBatch(game, 3, seed=0)
    assert batch.dones.all()
    assert batch.outcomes.tolist() == [1, 1, 1]
    for autoreset in ("same_step", "next_step", "disabled"):
        step = batch.step([-1] * 3, autoreset=autoreset)
        assert step.planes[:, 5].all()
        assert step.outcomes.tolist() == [1, 1, 1]
        assert not step.rewards.any()
        assert not step.terminated.any()
        assert not step.action_masks.any()
        assert step.final_index.size == 0


LITTLE_MEMORY = """
import resource
import numpy as np
from sixplane import Go, GameBatch

small = GameBatch(Go(size=25), 4, seed=0)
prepared = [Go(size=25)] * 2**17
middle = GameBatch(Go(size=25), 2**13, seed=0)
have = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (have + 2**27, have + 2**27))


def refused(call):
    try:
        call()
    except MemoryError as error:
        return str(error)
    raise SystemExit("no MemoryError")


print(refused(lambda: GameBatch(Go(size=25), 2**20)))
print(refused(lambda: GameBatch.from_games(prepared)))
print(refused(middle.copy))
before = middle.move_numbers.sum()
assert small.step(small.sample()).planes.shape == (4, 6, 25, 25)
assert middle.move_numbers.sum() == before == 0
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's memory so")
def test_memory_that_cannot_be_had_raises_memory_error() -> None:
    done = subprocess.run([sys.executable, "-c", LITTLE_MEMORY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for line, games in zip(lines, (2**20, 2**17, 2**13), strict=True):
        assert line.startswith(f"no memory for {games} games"), lines


def cycle_of_actions() -> tuple[list[int], list[int]]:
    """Actions of a game of 2x2 under simple ko that lead to a position, and on to the same again."""
    rng = np.random.default_rng(1)
    game = Go(size=2, ko="simple")
    seen: dict[bytes, int] = {}
    while True:
        key = game.planes.tobytes()
        if key in seen:
            actions = game.actions.tolist()
            return actions[: seen[key]], actions[seen[key] :]
        seen[key] = game.move_number
        plays = game.legal_actions[game.legal_actions < 4]
        game.play(rng.choice(plays) if plays.size else 4)
        if game.is_over:
            game, seen = Go(size=2, ko="simple"), {}


def test_ctrl_c_ends_a_replay_without_end() -> None:
    first, again = cycle_of_actions()
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))

    def begin() -> Iterator[int]:
        timer.start()
        yield from first

    # No later step of this iterator runs Python, so only the core can look for signals.
    endless = itertools.chain(begin(), itertools.cycle(again))
    with interrupts_raise(), pytest.raises(KeyboardInterrupt):
        Go(size=2, ko="simple").replay(endless)
    timer.join()


def test_other_threads_go_on_while_many_games_are_copied() -> None:
    batch = GameBatch(Go(size=19), 2**13, seed=0, threads=1)
    calls: list[Callable[[], object]] = [
        batch.copy, batch.reset, lambda: batch.scores, lambda: batch.action_masks,
        lambda: batch == batch.copy(), lambda: GameBatch(Go(size=19), 2**13),
    ]  # fmt: skip
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    interval = sys.getswitchinterval()
    # The other thread gets the lock of the interpreter only from who gives it away.
    sys.setswitchinterval(10 * MINUTE)
    try:
        for call in calls:
            before, end = ticks, time.monotonic() + MINUTE
            while ticks == before:
                call()
                assert time.monotonic() < end
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()


def test_after_the_highest_number_of_samples_comes_the_first() -> None:
    batch = GameBatch(Go(3), 1, seed=0)
    state: Any = batch.__reduce__()[2]
    games, [(key, _)], *rest = state
    batch.__setstate__((games, [(key, 2**64 - 1)], *rest))
    assert 0 <= batch.sample()[0] <= 9
    state = batch.__reduce__()[2]
    assert state[1] == [(key, 0)]


def test_a_tuple_that_says_it_is_another_array_has_the_items_of_the_array() -> None:
    class Two(tuple[int, ...]):
        def __array__(self, *_: object, **__: object) -> Any:
            return np.ones(4, np.int64)

    batch = GameBatch(Go(5), 4, seed=1)
    batch.play_random(Two((1, 1)))
    assert batch.move_numbers.tolist() == [1, 1, 1, 1]
