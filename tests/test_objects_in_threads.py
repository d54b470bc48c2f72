"""Objects that several threads use at once: a call works, or says that another one is running.

On an interpreter with the global lock threads change places between two calls, and inside those that
release it; without that lock they really run side by side.
"""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from sixplane import Game, GameBatch, Go, Gomoku, IllegalActionError, Reversi, sgf
from sixplane.search import MCTS

THREADS = 4
ROUNDS = 60
GAMES: list[Callable[[], Game]] = [lambda: Go(size=9), lambda: Reversi(size=8), lambda: Gomoku(size=9)]

#: A call gets the number of its round.
Call = Callable[[int], object]


@pytest.fixture(autouse=True)
def threads_change_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def is_busy(error: RuntimeError) -> bool:
    """Whether a call says that it found another one in its object."""
    text = str(error)
    return "it takes one call at a time" in text or text.lower() in {
        "already borrowed",
        "already mutably borrowed",
    }


def hammer(calls: dict[str, Call]) -> None:
    """Every thread makes all the calls, each beginning with another one.

    Raises:
        BaseException: what a call raised, unless it was busy or others had played meanwhile.
        AssertionError: a thread hangs, or a call never worked.
    """
    worked: list[Counter[str]] = [Counter() for _ in range(THREADS)]
    wrong: list[BaseException] = []
    together = threading.Barrier(THREADS)

    def one(number: int) -> None:
        names = list(calls)
        together.wait(60)
        try:
            for turn in range(ROUNDS):
                for name in names[number % len(names) :] + names[: number % len(names)]:
                    try:
                        calls[name](turn)
                        worked[number][name] += 1
                    except IllegalActionError:
                        pass  # Legal when it was chosen: another thread has played since.
                    except RuntimeError as error:
                        if not is_busy(error):
                            raise
        except BaseException as error:  # the main thread raises it
            wrong.append(error)

    threads = [threading.Thread(target=one, args=(number,), daemon=True) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert not any(thread.is_alive() for thread in threads)
    if wrong:
        raise wrong[0]
    assert sum(worked, Counter()).keys() == calls.keys()


def no_point_has_two_stones(planes: Any) -> None:
    assert not (planes[..., 0, :, :] & planes[..., 1, :, :]).any()


@pytest.mark.parametrize("start", GAMES)
def test_one_game_stays_a_game(start: Callable[[], Game]) -> None:
    game = start()

    def play(turn: int) -> None:
        legal = game.legal_actions
        if len(legal):
            game.play(int(legal[turn % len(legal)]))

    def undo(turn: int) -> None:
        if turn % 3 == 0:
            with suppress(ValueError):  # Others may have taken back all.
                game.undo()

    def search(turn: int) -> None:
        try:
            MCTS(simulations=5, seed=turn).search(game)
        except ValueError as error:
            if "the game is over" not in str(error):
                raise

    hammer(
        {
            "play": play,
            "undo": undo,
            "planes": lambda _: no_point_has_two_stones(game.planes),
            "mask": lambda _: game.action_mask,
            "history": lambda _: game.history_planes(3),
            "score": lambda _: (game.score(), game.outcome, game.ending),
            "copy": lambda _: copy.deepcopy(game).score(),
            "equality": lambda _: (game == game.copy(), hash(game)),
            "pickle": lambda _: pickle.loads(pickle.dumps(game)).score(),
            "replay": lambda _: game.replay(game.actions),
            "text": lambda _: (str(game), repr(game), game.to_svg()),
            "record": lambda _: type(game).from_sgf(game.to_sgf()),
            "search": search,
        }
    )
    again = start().replay(game.actions)
    assert again == game
    assert np.array_equal(again.planes, game.planes)
    assert np.array_equal(again.action_mask, game.action_mask)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("start", GAMES)
def test_one_batch_stays_a_batch(start: Callable[[], Game], threads: int) -> None:
    batch = GameBatch(start(), 33, seed=1, threads=threads)

    def step(turn: int) -> None:
        result = batch.step(batch.sample(), autoreset="disabled")
        kept = [array.copy() for array in (result.planes, result.action_masks, result.rewards)]
        if turn % 2:
            batch.reset(batch.dones)
        no_point_has_two_stones(result.planes)
        # The memory of these arrays is nobody else's, though that of earlier ones is used again.
        now: list[Any] = [result.planes, result.action_masks, result.rewards]
        assert all(np.array_equal(a, b) for a, b in zip(kept, now, strict=True))

    hammer(
        {
            "step": step,
            "random": lambda _: batch.play_random(2),
            "planes": lambda _: no_point_has_two_stones(batch.planes),
            "masks": lambda _: batch.action_masks,
            "scores": lambda _: (batch.scores, batch.dones, batch.turns),
            "item": lambda turn: no_point_has_two_stones(batch[turn % 33].planes),
            "set": lambda turn: batch.__setitem__(turn % 33, start()),
            "copy": lambda _: batch.copy().scores,
            "pickle": lambda _: pickle.loads(pickle.dumps(batch)).scores,
            "search": lambda turn: MCTS(simulations=2, seed=turn).search_batch(batch),
        }
    )
    games = batch[:]
    assert np.array_equal(batch.planes, [game.planes for game in games])
    assert np.array_equal(batch.action_masks, [game.action_mask for game in games])
    for game in games:
        assert start().replay(game.actions) == game


def uniform(planes: Any) -> tuple[Any, Any]:
    """An evaluator that knows nothing."""
    points = planes.shape[-1] * planes.shape[-2]
    return np.zeros((len(planes), points + 1), np.float32), np.zeros(len(planes), np.float32)


@pytest.mark.parametrize(
    "options", [{}, {"evaluator": uniform, "selection": "puct", "leaves": 4, "cache": 64}]
)
def test_one_search_stays_a_search(options: dict[str, Any]) -> None:
    search = MCTS(simulations=24, seed=1, threads=2, **options)
    game = Go(size=5)
    batch = GameBatch(game, 3)

    def advance(_: int) -> None:
        try:
            search.advance(search.search(game).best_action)
        except ValueError as error:
            # The last search may have been of the batch, which wants other actions, or failed.
            if not any(words in str(error) for words in ("actions", "nothing to advance")):
                raise

    def visits(_: int) -> None:
        assert search.search(game).visits.sum() == 24

    hammer(
        {
            "search": visits,
            "advance": advance,
            "batch": lambda _: search.search_batch(batch),
            "copy": lambda _: copy.copy(search).search(game),
            "pickle": lambda _: pickle.loads(pickle.dumps(search)),
        }
    )
    assert search.search(game).visits.sum() == 24


def test_one_tree_of_records_is_read_by_all() -> None:
    game = Go(size=9)
    game = game.replay(range(0, 80, 3))
    (root,) = sgf.parse(game.to_sgf()).games
    line = root.main_line()
    seen: list[int] = []

    def next_node(_: int) -> None:
        node = next(line, None)
        if node is not None:
            seen.append(id(node))

    hammer({"follow": lambda _: root.follow(), "text": lambda _: root.to_text(), "next": next_node})
    assert len(seen) == 28


LAZY = """
import sys, threading
sys.setswitchinterval(1e-5)
together = threading.Barrier(8)
wrong = []
def one(i):
    together.wait(60)
    try:
        import sixplane
        game = sixplane.Go(size=5)
        game.play(i)
        assert game.to_svg().startswith("<svg")
        sixplane.search.MCTS(simulations=5).search(game)
        sixplane.agents.AgentSpec.parse("mcts:simulations=5").make(seed=1).select_action(game)
        try:
            game.play(i)
        except sixplane.IllegalActionError:
            pass
    except BaseException as error:
        wrong.append(error)
threads = [threading.Thread(target=one, args=(i,)) for i in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join(100)
print(wrong, any(thread.is_alive() for thread in threads))
"""


def test_the_package_is_imported_by_many_threads_at_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LAZY], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.stdout, done.returncode) == ("[] False\n", 0), done.stderr
