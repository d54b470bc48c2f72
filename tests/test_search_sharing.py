"""`MCTS` objects among threads, copies and the interpreter."""

from __future__ import annotations

import _thread
import copy
import gc
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sixplane
import sixplane.planes
from interruptible import INTERRUPTIBLE, interrupts_raise
from search_evaluators import Floats, Planes, noisy, uniform
from sixplane.search import MCTS, Gumbel, Puct, Ucb
from waiting import MINUTE


@pytest.mark.parametrize("options", ["", "evaluator=uniform, selection='puct', leaves=4"])
def test_ctrl_c_ends_a_search(options: str) -> None:
    program = f"""
import signal, threading, os
import numpy as np, sixplane
from sixplane.search import MCTS
def uniform(planes):
    return np.zeros((len(planes), 82), np.float32), np.zeros(len(planes), np.float32)
search = MCTS(seconds=3600, threads=2, {options})
try:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    search.search(sixplane.Go(size=9))
except KeyboardInterrupt:
    print("interrupted")
"""
    command = [*INTERRUPTIBLE, sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=5 * MINUTE)
    assert done.stdout == "interrupted\n"


def test_the_interpreter_runs_on_meanwhile() -> None:
    counted: list[int] = []

    def count_and_interrupt() -> None:
        for number in range(20):
            counted.append(number)
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    def search() -> None:
        thread.start()
        MCTS(seconds=3600, seed=1).search(sixplane.Go(size=9))

    thread = threading.Thread(target=count_and_interrupt)
    # The search ends by the signal alone.
    with interrupts_raise(), pytest.raises(KeyboardInterrupt):
        search()
    thread.join()
    assert len(counted) == 20


@pytest.mark.parametrize("seconds", [0.1, 0.13, 0.16])
def test_ctrl_c_ends_all_searches_of_a_batch(seconds: float) -> None:
    batch = sixplane.GameBatch(sixplane.Reversi(), 64, seed=1)
    batch.play_random(40)
    search = MCTS(simulations=5000, threads=2, seed=1, exact=True)
    timer = threading.Timer(seconds, _thread.interrupt_main)
    # Before the others have ended the signal is looked for again, and is not there any more.
    with interrupts_raise():
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            search.search_batch(batch)


def test_a_search_within_its_own_evaluator_is_refused() -> None:
    game = sixplane.Go(size=5)

    def nested(planes: Planes) -> tuple[Floats, Floats]:
        search.search(game)
        return uniform(planes)

    search = MCTS(nested, simulations=10)
    with pytest.raises(RuntimeError):
        search.search(game)


def test_ten_thousand_searches_leak_no_memory() -> None:
    game = sixplane.Go(size=5)
    batch = sixplane.GameBatch(game, 4)

    def search(times: int) -> None:
        for i in range(times):
            fresh = MCTS(uniform, selection="puct", simulations=4, cache=8, symmetry=True, seed=i)
            result = fresh.search(game)
            fresh.advance(result.best_action)
            fresh.search_batch(batch)
        reused = MCTS(simulations=20, seed=1)
        for _ in range(times):
            reused.search(game)

    search(1000)
    before = memory_in_use()
    search(5000)
    assert memory_in_use() - before < 4 << 20


def memory_in_use() -> int:
    """Bytes in the process's own memory."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize()


def test_cycles_through_an_evaluator_are_collected() -> None:
    class Player:
        def __init__(self) -> None:
            self.search = MCTS(self.evaluate, simulations=4)

        def evaluate(self, planes: Planes) -> tuple[Floats, Floats]:
            return uniform(planes)

    player = Player()
    player.search.search(sixplane.Go(size=5))
    alive = weakref.ref(player)
    del player
    gc.collect()
    assert alive() is None


def test_two_threads_may_not_use_one_object_at_once() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def waiting(planes: Planes) -> tuple[Floats, Floats]:
        begun.set()
        go_on.wait(60)
        return uniform(planes)

    game = sixplane.Go(5)
    search = MCTS(waiting, simulations=3)
    thread = threading.Thread(target=search.search, args=(game,))
    thread.start()
    begun.wait(60)
    batch = sixplane.GameBatch(game, 2)
    calls: list[Any] = [
        lambda: search.search(game),
        lambda: search.search_batch(batch),
        lambda: search.advance(3),
        lambda: pickle.dumps(search),
        lambda: copy.copy(search),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="it takes one call at a time"):
            call()
    gc.collect()
    go_on.set()
    thread.join()
    assert search.search(game).visits.sum() == 3


def test_every_use_from_within_the_evaluator_is_refused() -> None:
    game = sixplane.Go(size=5)
    tried: list[str] = []

    def nested(planes: Planes) -> tuple[Floats, Floats]:
        for call in (lambda: search.search(game), lambda: search.advance(1), lambda: copy.deepcopy(search)):
            with pytest.raises(RuntimeError, match="another call of this MCTS is running") as caught:
                call()
            tried.append(str(caught.value))
        return uniform(planes)

    search = MCTS(nested, simulations=2)
    assert search.search(game).visits.sum() == 2
    assert len(tried) == 9


OPTIONS: list[dict[str, Any]] = [
    {},
    {"selection": Ucb(rave=100, prior_visits=5.0), "seed": 3},
    {"evaluator": noisy, "selection": Puct(noise=(0.3, 0.5)), "symmetry": True, "cache": 50},
    {"evaluator": noisy, "selection": Gumbel(rescale=False, considered=4), "history": 2},
    {"evaluator": noisy, "view": "player", "dtype": "float32", "pad_to": 4, "leaves": 3},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_a_copy_and_a_pickle_search_on_as_the_original_does(options: dict[str, Any]) -> None:
    game = sixplane.Go(5)
    search = MCTS(simulations=60, **options)
    search.search(game)
    copies = [copy.copy(search), copy.deepcopy(search)]
    copies += [
        pickle.loads(pickle.dumps(search, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ]
    for _ in range(2):
        expected = search.search(game)
        for other in copies:
            found = other.search(game)
            assert found.visits.tolist() == expected.visits.tolist()
            assert np.array_equal(found.q, expected.q, equal_nan=True)


def test_a_state_that_is_set_leaves_nothing_of_earlier_searches() -> None:
    game = sixplane.Gomoku(size=7)
    options: dict[str, Any] = {"selection": "puct", "simulations": 60, "symmetry": True}
    search, other = (MCTS(noisy, seed=seed, **options) for seed in (1, 2))
    other.search(game)
    other.__setstate__(search.__reduce__()[2])
    assert other.search(game).visits.tolist() == search.search(game).visits.tolist()


def test_a_pickle_of_another_format_is_refused() -> None:
    search = MCTS(simulations=10)
    _, _, (number, *rest) = search.__reduce__()
    with pytest.raises(ValueError, match=r"pickle format 99: this version of sixplane reads format 1"):
        search.__setstate__((99, *rest))
    with pytest.raises(ValueError, match="no state of an MCTS"):
        search.__setstate__(number)


def test_after_the_highest_number_of_calls_comes_the_first() -> None:
    search = MCTS(simulations=10, seed=1)
    format_number, seed, _ = search.__reduce__()[2]
    search.__setstate__((format_number, seed, 2**64 - 1))
    search.search(sixplane.Gomoku(size=7))
    assert search.__reduce__()[2] == (format_number, seed, 0)


def test_a_copy_has_the_evaluator_and_a_deep_copy_one_of_its_own() -> None:
    class Counting:
        def __init__(self) -> None:
            self.calls = 0

        def __call__(self, planes: Planes) -> tuple[Floats, Floats]:
            self.calls += 1
            return uniform(planes)

    game, counting = sixplane.Go(5), Counting()
    search = MCTS(counting, simulations=4)
    copy.deepcopy(search).search(game)
    assert counting.calls == 0
    copy.copy(search).search(game)
    assert counting.calls == 5


def test_a_child_forked_during_a_search_is_told_so() -> None:
    program = """
import os, threading
import numpy as np, sixplane
from sixplane.search import MCTS
begun, go_on = threading.Event(), threading.Event()
def waiting(planes):
    begun.set()
    go_on.wait(60)
    return np.zeros((len(planes), 26)), np.zeros(len(planes))
game = sixplane.Go(5)
search = MCTS(waiting, simulations=1)
thread = threading.Thread(target=search.search, args=(game,))
thread.start()
begun.wait(60)
child = os.fork()
if child == 0:
    try:
        search.search(game)
    except RuntimeError as error:
        print(error, flush=True)
    print(MCTS(simulations=7).search(game).visits.sum(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
go_on.set()
thread.join()
print(search.search(game).visits.sum())
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    )
    said, own, parents = done.stdout.splitlines()
    assert said.startswith("this process was forked while another thread was inside a call of this MCTS")
    assert (own, parents) == ("7", "1")
