"""`sixplane.search`: what it finds, and how it treats evaluators."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import sixplane
import sixplane.planes
from sixplane.search import MCTS

Planes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


def uniform(planes: Planes) -> tuple[Floats, Floats]:
    actions = planes.shape[2] * planes.shape[3] + 1
    return np.zeros((len(planes), actions), np.float32), np.zeros(len(planes), np.float32)


def noisy(planes: Planes) -> tuple[Floats, Floats]:
    """Numbers that look random and depend on the planes alone."""
    actions = planes.shape[2] * planes.shape[3] + 1
    weights = np.random.default_rng(1).normal(size=(planes[0].size, actions + 1))
    said = planes.reshape(len(planes), -1) @ weights
    return said[:, :-1].astype(np.float32), np.tanh(said[:, -1]).astype(np.float32)


def test_a_search_returns_what_it_says() -> None:
    game = sixplane.Go(size=5)
    before = game.copy()
    result = MCTS(simulations=500, seed=1).search(game)
    assert game == before
    assert result.visits.dtype == np.int64 and result.visits.shape == (26,) and result.visits.sum() == 500
    assert result.q.shape == result.policy.shape == (26,)
    assert np.isnan(result.q).tolist() == (result.visits == 0).tolist()
    assert result.policy == pytest.approx(result.visits / 500)
    assert result.best_action == result.visits.argmax() == result.principal_variation[0]
    assert -1 <= result.value <= 1 and result.simulations == 500 and result.seconds > 0 and result.nodes > 26
    game.replay(result.principal_variation)


@pytest.mark.parametrize("game", [sixplane.Go(size=5), sixplane.Reversi(size=6), sixplane.Gomoku(size=6)])
@pytest.mark.parametrize("selection", ["ucb", "puct", "gumbel"])
def test_every_selection_searches_every_game(game: sixplane.Go, selection: Any) -> None:
    for evaluator in (None, noisy):
        search = MCTS(evaluator, selection=selection, simulations=60, seed=1)
        result = search.search(game)
        assert result.visits.sum() == 60
        assert result.policy.sum() == pytest.approx(1)
        assert not result.policy[game.action_mask == 0].any()
        assert game.action_mask[result.best_action] == 1


def test_the_same_seed_repeats_and_calls_draw_anew() -> None:
    game = sixplane.Go(size=5)
    one, other = MCTS(simulations=300, seed=5), MCTS(simulations=300, seed=5)
    first = one.search(game).visits
    assert (other.search(game).visits == first).all()
    second = one.search(game).visits
    assert (second != first).any()
    assert (other.search(game).visits == second).all()


def test_a_batch_is_searched_as_its_games_are() -> None:
    games = [sixplane.Go(size=5).replay([i]) for i in range(6)]
    games[2].resign()
    batch = sixplane.GameBatch.from_games(games)
    before = batch.copy()
    all_options: list[dict[str, Any]] = [
        {},
        {"evaluator": noisy, "selection": "puct", "noise": 0.3, "symmetry": True, "cache": 1000},
        {"evaluator": noisy, "selection": "gumbel", "leaves": 3, "history": 2},
        {"evaluator": noisy, "threads": 2},
    ]
    for options in all_options:
        found = MCTS(simulations=80, seed=3, **options).search_batch(batch)
        assert batch == before
        assert found.visits.shape == found.q.shape == found.policy.shape == (6, 26)
        assert found.best_action[2] == -1 and found.visits[2].sum() == 0 and np.isnan(found.value[2])
        for i in (0, 1, 3, 4, 5):
            alone = MCTS(simulations=80, seed=3, **options).search(games[i], index=i)
            assert (found.visits[i] == alone.visits).all()
            assert np.array_equal(found.q[i], alone.q, equal_nan=True)
            assert found.best_action[i] == alone.best_action
            assert found.principal_variation[i] == alone.principal_variation
            assert found.simulations[i] == 80 and found.nodes[i] == alone.nodes
        batch.copy().play(found.best_action)


def test_an_evaluator_gets_fresh_planes() -> None:
    seen: list[Planes] = []

    def keeping(planes: Planes) -> tuple[Floats, Floats]:
        assert planes.dtype == np.uint8 and planes.flags.c_contiguous and planes.flags.writeable
        seen.append(planes)
        result = uniform(planes)
        planes[:] = 7
        return result

    game = sixplane.Gomoku(size=5)
    MCTS(keeping, selection="puct", simulations=10).search(game)
    assert [planes.shape for planes in seen] == [(1, 6, 5, 5)] * 11
    assert len({planes.ctypes.data for planes in seen}) == 11
    MCTS(keeping, selection="puct", simulations=10, history=3, leaves=5).search(game)
    assert [planes.shape for planes in seen[11:]] == [(1, 7, 5, 5), (5, 7, 5, 5), (5, 7, 5, 5)]


def test_an_evaluator_sees_the_positions_it_is_asked_about() -> None:
    game = sixplane.Go(size=(3, 4))
    game.play(5)
    seen: list[bytes] = []

    def keeping(planes: Planes) -> tuple[Floats, Floats]:
        seen.extend(row.tobytes() for row in planes)
        return uniform(planes)

    MCTS(keeping, selection="puct", simulations=12).search(game)
    positions = [game] + [game.replay([*game.actions, action]) for action in game.legal_actions]
    assert seen == [position.planes.tobytes() for position in positions]


def test_a_symmetry_is_undone_on_the_policy() -> None:
    game = sixplane.Gomoku(size=5)
    game.play(3)
    game.play(12)
    seen = set()

    def beyond_the_white_stone(planes: Planes) -> tuple[Floats, Floats]:
        """Likes the point that is as far behind White's stone as Black's is before it."""
        logits, values = uniform(planes)
        for row, board in zip(logits, planes, strict=True):
            black, white = (np.argwhere(plane)[0] for plane in board[:2])
            distances = np.argwhere(np.ones((5, 5))) - (2 * white - black)
            row[:-1] = -(distances**2).sum(axis=1)
            seen.add(tuple(black))
        return logits, values

    for seed in range(60):
        search = MCTS(beyond_the_white_stone, selection="puct", simulations=1, symmetry=True, seed=seed)
        assert search.search(game).best_action == 21
    assert len(seen) >= 8


@pytest.mark.parametrize("selection", ["puct", "ucb"])
def test_a_uniform_evaluator_gives_symmetric_visits(selection: Any) -> None:
    for game, simulations in (
        (sixplane.Reversi(size=8), 400),
        (sixplane.Gomoku(size=7), 49 * 3),
        (sixplane.Go(size=9), 82 * 2),
    ):
        result = MCTS(uniform, selection=selection, simulations=simulations).search(game)
        board = result.visits[:-1].reshape(game.rows, game.cols)
        for turned in (board[::-1, ::-1], board.T):
            assert (board == turned).all(), board


def test_terminal_positions_are_never_evaluated() -> None:
    def checking(planes: Planes) -> tuple[Floats, Floats]:
        assert not planes[:, sixplane.planes.Plane.DONE].any()
        return uniform(planes)

    game = sixplane.Go(size=2, komi=0.5)
    result = MCTS(checking, selection="puct", simulations=3000).search(game)
    assert result.value > 0.5


def test_cached_positions_are_not_asked_for_again() -> None:
    asked = 0

    def counting(planes: Planes) -> tuple[Floats, Floats]:
        nonlocal asked
        asked += len(planes)
        return noisy(planes)

    game = sixplane.Reversi(size=4)
    without = MCTS(counting, selection="puct", simulations=200, seed=1).search(game)
    assert asked > 100
    search = MCTS(counting, selection="puct", simulations=200, seed=1, cache=100_000)
    assert (search.search(game).visits == without.visits).all()
    before = asked
    assert (search.search(game).visits == without.visits).all()
    assert asked - before < 5


def fails(what: Exception | object) -> Any:
    def evaluator(planes: Planes) -> Any:
        if isinstance(what, BaseException):
            raise what
        return what(planes) if callable(what) else what

    return evaluator


BAD_EVALUATORS: list[tuple[Any, type[BaseException], str]] = [
    (ZeroDivisionError("mine"), ZeroDivisionError, "mine"),
    (KeyboardInterrupt("stop"), KeyboardInterrupt, "stop"),
    (None, TypeError, r"tuple \(logits, values\), not NoneType"),
    (lambda p: uniform(p)[0], TypeError, r"not ndarray"),
    (lambda p: (uniform(p)[0][:, 1:], uniform(p)[1]), ValueError, r"logits have shape \[1, 25\]: \[1, 26\]"),
    (lambda p: (uniform(p)[0], uniform(p)[1][:, None]), ValueError, r"values have shape \[1, 1\]: \[1\]"),
    (lambda p: (uniform(p)[0] * np.nan, uniform(p)[1]), ValueError, "logit of action 0 in position 0 is NaN"),
    (lambda p: (uniform(p)[0] + np.inf, uniform(p)[1]), ValueError, "logit of action 0"),
    (
        lambda p: (uniform(p)[0] - np.inf, uniform(p)[1]),
        ValueError,
        "all legal actions in position 0 are -inf",
    ),
    (lambda p: (uniform(p)[0], uniform(p)[1] * np.nan), ValueError, "value of position 0 is NaN"),
    (lambda p: (uniform(p)[0], uniform(p)[1] + 2), ValueError, "value of position 0 is 2: .* from -1 to 1"),
    (lambda p: (uniform(p)[0].astype(complex), uniform(p)[1]), TypeError, "real numbers, not complex128"),
    (lambda p: (uniform(p)[0].astype(str), uniform(p)[1]), TypeError, "real numbers"),
]


@pytest.mark.parametrize(("what", "error", "message"), BAD_EVALUATORS)
def test_a_bad_evaluator_is_a_clear_error_and_leaves_the_search_usable(
    what: Any, error: type[BaseException], message: str
) -> None:
    game = sixplane.Go(size=5)
    fail = False
    bad = fails(what)

    def sometimes(planes: Planes) -> Any:
        return bad(planes) if fail else noisy(planes)

    search = MCTS(sometimes, selection="puct", simulations=40, seed=1)
    first = search.search(game)
    fail = True
    with pytest.raises(error, match=message):
        search.search(game)
    with pytest.raises(error):
        search.search_batch(sixplane.GameBatch(game, 1))
    fail = False
    assert (search.search(game).visits == first.visits).all()


def test_lists_and_other_dtypes_will_do() -> None:
    game = sixplane.Go(size=5)
    expected = MCTS(noisy, selection="puct", simulations=50).search(game).visits

    def doubles(planes: Planes) -> Any:
        logits, values = noisy(planes)
        return np.asfortranarray(logits.astype(np.float64)), values.tolist()

    assert (MCTS(doubles, selection="puct", simulations=50).search(game).visits == expected).all()


def test_advance_keeps_what_is_below_an_action() -> None:
    game = sixplane.Go(size=5)
    both: list[dict[str, Any]] = [{}, {"evaluator": noisy, "selection": "puct"}]
    for options in both:
        search = MCTS(simulations=400, seed=1, **options)
        first = search.search(game)
        search.advance(first.best_action)
        after = game.copy()
        after.play(first.best_action)
        kept = first.visits[first.best_action] - 1
        second = search.search(after)
        assert second.visits.sum() == kept + 400 and second.simulations == 400
        # Not advanced since: the tree starts anew.
        assert search.search(after).visits.sum() == 400
        search.advance(second.best_action)
        assert search.search(game).visits.sum() == 400


def test_a_search_that_failed_is_taken_up_where_it_stood() -> None:
    fail = False

    def sometimes(planes: Planes) -> tuple[Floats, Floats]:
        if fail:
            raise ZeroDivisionError
        return noisy(planes)

    game = sixplane.Go(size=5)
    search = MCTS(sometimes, selection="puct", simulations=200)
    first = search.search(game)
    game.play(first.best_action)
    search.advance(first.best_action)
    fail = True
    with pytest.raises(ZeroDivisionError):
        search.search(game)
    fail = False
    assert search.search(game).visits.sum() == first.visits[first.best_action] - 1 + 200


def test_a_search_goes_on_where_it_has_stopped() -> None:
    game = sixplane.Go(5)
    by_noise = {"selection": "puct", "leaves": 4}
    for search in (MCTS(seed=1), MCTS(noisy, seed=1, **by_noise)):  # type: ignore[arg-type]
        first = search.search(game, simulations=60)
        second = search.search(game, simulations=40, resume=True)
        assert (first.simulations, second.simulations, second.visits.sum()) == (60, 40, 100)
        assert (second.visits >= first.visits).all()
        assert second.nodes > first.nodes
        # Of another game, or if nobody asks for it, nothing is kept.
        assert search.search(sixplane.Go(5, komi=0.5), simulations=10, resume=True).visits.sum() == 10
        assert search.search(game, simulations=10).visits.sum() == 10
    # What is resumed does what one search does: without rollouts nothing is drawn.
    whole = MCTS(noisy, selection="puct", simulations=100).search(game)
    parts = MCTS(noisy, selection="puct", simulations=30)
    for _ in range(3):
        parts.search(game, resume=True)
    last = parts.search(game, simulations=10, resume=True)
    assert last.visits.tolist() == whole.visits.tolist()
    assert last.principal_variation == whole.principal_variation


def test_limits_of_one_search_go_before_those_of_the_object() -> None:
    game, search = sixplane.Go(5), MCTS(simulations=30, seed=1)
    assert search.search(game, simulations=7).simulations == 7
    assert search.search(game).simulations == 30
    timed = search.search(game, seconds=0.05)
    assert timed.simulations != 30
    assert timed.seconds >= 0.05
    with pytest.raises(ValueError, match="seconds must be from"):
        search.search(game, seconds=-1)
    with pytest.raises(TypeError, match='unexpected option "time": allowed are simulations, seconds, resume'):
        search.search(game, time=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="resume must be True or False"):
        search.search(game, resume="yes")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plans its simulations"):
        MCTS(uniform, selection="gumbel").search(game, seconds=1)


def test_advance_refuses_what_may_not_be_played() -> None:
    search = MCTS(simulations=10, seed=1)
    with pytest.raises(ValueError, match="a search comes first"):
        search.advance(0)
    game = sixplane.Go(size=5).replay([7])
    search.search(game)
    with pytest.raises(sixplane.IllegalActionError) as caught:
        search.advance(7)
    assert caught.value.reason == "occupied"
    with pytest.raises(TypeError):
        search.advance(1.0)
    search.advance(8)


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
    search.advance(first.best_action)
    batch.play(first.best_action)
    second = search.search_batch(batch)
    kept = [first.visits[i, first.best_action[i]] - 1 for i in (0, 2)]
    assert second.visits.sum(axis=1).tolist() == [kept[0] + 50, 0, kept[1] + 50]


def test_threads_share_a_tree() -> None:
    result = MCTS(simulations=5000, threads=4, seed=1).search(sixplane.Go(size=7))
    assert result.visits.sum() == result.simulations == 5000


def test_seconds_end_a_search() -> None:
    both: list[dict[str, Any]] = [{}, {"evaluator": uniform, "selection": "puct"}]
    for options in both:
        result = MCTS(seconds=0.05, threads=2, **options).search(sixplane.Go(size=9))
        assert result.simulations == result.visits.sum() > 0
        assert result.seconds >= 0.05


@pytest.mark.parametrize("options", ["", "evaluator=uniform, selection='puct', leaves=4"])
def test_ctrl_c_ends_a_search(options: str) -> None:
    program = f"""
import signal, threading, os, time
import numpy as np, sixplane
from sixplane.search import MCTS
def uniform(planes):
    return np.zeros((len(planes), 82), np.float32), np.zeros(len(planes), np.float32)
search = MCTS(seconds=60, threads=2, {options})
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    search.search(sixplane.Go(size=9))
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begin < 30)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "interrupted True\n"


def test_the_interpreter_runs_on_meanwhile() -> None:
    search = MCTS(seconds=0.4, seed=1)
    thread = threading.Thread(target=search.search, args=(sixplane.Go(size=9),))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 20


def test_a_search_within_its_own_evaluator_is_refused() -> None:
    game = sixplane.Go(size=5)

    def nested(planes: Planes) -> tuple[Floats, Floats]:
        search.search(game)
        return uniform(planes)

    search = MCTS(nested, simulations=10)
    with pytest.raises(RuntimeError):
        search.search(game)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"selection": "alpha"}, ValueError, '"ucb", "puct", "gumbel"'),
        ({"selection": 3}, TypeError, "selection"),
        ({"simulations": 0}, ValueError, "simulations must be from 1"),
        ({"simulations": 2.5}, TypeError, "simulations must be an integer"),
        ({"seconds": 0}, ValueError, "seconds"),
        ({"seconds": float("nan")}, ValueError, "seconds"),
        ({"max_nodes": 0}, ValueError, "max_nodes"),
        ({"c": -1}, ValueError, "c must be from 0"),
        ({"c": "big"}, TypeError, "c must be a number"),
        ({"noise": 0.3}, ValueError, "ucb"),
        ({"selection": "puct", "noise": 0}, ValueError, "noise"),
        ({"selection": "puct", "noise": (0.3, 2)}, ValueError, "share of the noise"),
        ({"selection": "gumbel", "seconds": 1}, ValueError, "number is needed"),
        ({"leaves": 2}, ValueError, "leaves is for evaluators"),
        ({"symmetry": True}, ValueError, "symmetry is for evaluators"),
        ({"history": 1}, ValueError, "history is for evaluators"),
        ({"cache": 10}, ValueError, "cache is for evaluators"),
        ({"selection": "puct", "rave": 300}, ValueError, "rave"),
        ({"evaluator": uniform, "rave": 300}, ValueError, "rave"),
        ({"prior_visits": -1}, ValueError, "prior_visits must be from 0"),
        ({"prior_visits": float("nan")}, ValueError, "prior_visits must be from 0"),
        ({"prior_visits": float("inf")}, ValueError, "prior_visits must be from 0"),
        ({"prior_visits": "many"}, TypeError, "prior_visits must be a number"),
        ({"selection": "puct", "prior_visits": 20}, ValueError, "prior_visits goes with"),
        ({"evaluator": uniform, "prior_visits": 20}, ValueError, "prior_visits goes with"),
        ({"first_play": 0.1}, ValueError, "first_play goes with"),
        ({"selection": "puct", "first_play": -0.1}, ValueError, "first_play must be from 0"),
        ({"selection": "puct", "first_play": float("nan")}, ValueError, "first_play must be from 0"),
        ({"threads": 0}, ValueError, "threads"),
        ({"seed": -1}, ValueError, "seed"),
        ({"reward": "score"}, ValueError, '"outcome", "margin"'),
        ({"evaluator": 3}, TypeError, "callable, not int"),
        ({"simulation": 3}, TypeError, "unexpected option"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        MCTS(**options)


def test_what_cannot_be_searched_is_refused() -> None:
    search = MCTS(simulations=10)
    with pytest.raises(TypeError, match="a game, not list"):
        search.search([1])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        search.search_batch(sixplane.Go())  # type: ignore[arg-type]
    game = sixplane.Go()
    game.resign()
    with pytest.raises(ValueError, match="the game is over"):
        search.search(game)


def test_one_object_searches_any_game_of_any_size() -> None:
    search = MCTS(noisy, selection="puct", simulations=20, cache=50)
    for game in (
        sixplane.Go(size=5),
        sixplane.Gomoku(size=6),
        sixplane.Go(size=(4, 6)),
        sixplane.Go(size=(6, 4)),
    ):
        assert search.search(game).visits.sum() == 20
    assert search.search_batch(sixplane.GameBatch(sixplane.Reversi(), 2)).visits.sum() == 40


def test_margins_are_what_ends_are_worth() -> None:
    game = sixplane.Reversi.from_text("X X X X\nX X X X\nX X X X\nX X O .")
    assert MCTS(simulations=10, reward="margin").search(game).value == 26


def test_gumbel_noise_of_no_scale_searches_the_likeliest_actions() -> None:
    game = sixplane.Go(size=9)
    result = MCTS(noisy, selection="gumbel", simulations=16, noise=0).search(game)
    logits = noisy(game.planes[None])[0][0]
    likeliest = np.argsort(-logits)[:16]
    assert sorted(np.flatnonzero(result.visits)) == sorted(likeliest)


def test_dirichlet_noise_makes_root_priors_differ() -> None:
    game = sixplane.Go(size=9)
    found = MCTS(uniform, selection="puct", noise=(0.03, 0.9), simulations=64, seed=1).search_batch(
        sixplane.GameBatch(game, 8)
    )
    assert len({row.tobytes() for row in found.visits}) == 8
    assert found.visits.max() > 10


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
