"""The interpreter ends while daemon threads are inside the core: it ends quietly, whatever they do there."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from effort import share

#: Threads change places often, so that some are in Python code that the core has called.
BEGIN = """
import sys, threading, time
import numpy as np
import sixplane
from sixplane.search import MCTS
sys.setswitchinterval(1e-5)
game = sixplane.Go(size=5)

def even(planes):
    count, _, rows, cols = planes.shape
    return np.zeros((count, rows * cols + 1)), np.zeros(count)

def sleeping(planes):
    time.sleep(0.001)
    return even(planes)

def counting(planes):
    sum(range(2000))
    return even(planes)

class Array:
    def __init__(self, numbers):
        self.numbers = numbers
    def __array__(self, dtype=None, copy=None):
        sum(range(500))
        return np.array(self.numbers)
"""

#: What a thread does again and again; each is once in Python code that the core has called, at least.
WORK = {
    "search with an evaluator that sleeps": "MCTS(sleeping, simulations=50, seed=1).search(game)",
    "search with an evaluator that computes": "MCTS(counting, simulations=50, seed=1).search(game)",
    "search with playouts": "MCTS(simulations=50, seed=1).search(game)",
    "search of a batch": "MCTS(sleeping, simulations=20, seed=1).search_batch(sixplane.GameBatch(game, 9))",
    "self-play": """
batch = sixplane.GameBatch(game, 8, seed=1)
search = MCTS(counting, simulations=4, seed=1)
while not batch.dones.all():
    batch.play(search.search_batch(batch).best_action)""",
    "steps of a batch": """
batch = sixplane.GameBatch(game, 2, seed=1)
for _ in range(50):
    batch.step(batch.sample())""",
    "steps by the actions of another library": """
batch = sixplane.GameBatch(game, 2, seed=1)
for _ in range(50):
    batch.step(Array(batch.sample().astype(np.int32)))""",
    "vector environment": """
import gymnasium
games = gymnasium.make_vec("sixplane/Go-v0", 2, opponent="mcts:simulations=4", size=5)
_, info = games.reset(seed=1)
for _ in range(9):
    info = games.step(sixplane.sample_legal(info["action_mask"]))[-1]""",
    "illegal actions": """
for _ in range(100):
    try:
        sixplane.Go(size=5).play(99)
    except sixplane.IllegalActionError:
        pass""",
    "actions of a generator": "game.replay(action for action in range(9))",
    "records with warnings": """
import warnings
warnings.simplefilter("always")
warnings.showwarning = lambda *_: sum(range(500))
sixplane.Go.from_sgf("(;GM[1]SZ[5];B[aa];W[aa])")""",
}

END = """
def work():
    while True:
        do()

threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
for thread in threads:
    thread.start()
time.sleep(float(sys.argv[1]))
"""


def program(work: str) -> str:
    body = "\n".join(f"    {line}" for line in work.splitlines())
    return f"{BEGIN}\ndef do():\n{body}\n\ndo()\n{END}"


def ended(code: str, seconds: float = 0.0) -> subprocess.CompletedProcess[str]:
    """A program that has come to its end."""
    return subprocess.run(
        [sys.executable, "-c", code, str(seconds)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("name", WORK)
def test_the_interpreter_ends_quietly_at_a_random_moment(name: str) -> None:
    rng = random.Random(name)
    moments = [rng.uniform(0.0, 0.05) for _ in range(share(6))]
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda moment: ended(program(WORK[name]), moment), moments))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * len(moments)


def test_the_end_waits_for_evaluators_and_not_for_their_searches() -> None:
    code = f"""
import atexit
begun = returned = 0
@atexit.register
def last():  # registered before sixplane: called after its own
    print(begun == returned, returned < 1000)
{BEGIN}
def slow(planes):
    global begun, returned
    begun += 1
    time.sleep(0.1)
    returned += 1
    return even(planes)

threading.Thread(target=MCTS(slow, simulations=10**6, seed=1).search, args=(game,), daemon=True).start()
while not begun:
    time.sleep(0.001)
"""
    done = ended(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True True\n", "")


def test_the_thread_that_ends_the_interpreter_goes_on_as_before() -> None:
    code = f"""
import atexit
results = []
@atexit.register
def last():  # registered before sixplane: called after its own
    results.append(MCTS(even, simulations=20, seed=1).search(game).simulations)
    try:
        game.play(99)
    except sixplane.IllegalActionError as error:
        results.append(error.reason)
    print(results)
{BEGIN}"""
    done = ended(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[20, 'off_board']\n", "")


def test_a_search_begun_after_the_end_is_refused_without_a_word() -> None:
    code = f"""
import atexit
@atexit.register
def last():
    ended.set()
    thread.join()
    print(seen)
{BEGIN}
ended, seen = threading.Event(), []
def work():
    ended.wait()
    try:
        MCTS(even, simulations=20, seed=1).search(game)
    except SystemExit as error:
        seen.append(type(error).__name__)
        raise
thread = threading.Thread(target=work, daemon=True)
thread.start()
"""
    done = ended(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "['SystemExit']\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_does_not_wait_for_threads_that_it_does_not_have() -> None:
    # Who waits looks every millisecond for five seconds, and sleeps in between.
    code = f"""{BEGIN}
import os, resource
inside, over = threading.Event(), threading.Event()
def slow(planes):
    inside.set()
    over.wait()
    return even(planes)
threading.Thread(target=MCTS(slow, simulations=2, seed=1).search, args=(game,), daemon=True).start()
inside.wait()
if os.fork() == 0:
    sys.exit()
_, status = os.wait()
over.set()
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw < 200)
"""
    done = ended(code)
    assert (done.returncode, done.stdout) == (0, "0 True\n"), done.stderr
