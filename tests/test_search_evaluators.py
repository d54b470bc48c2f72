"""`sixplane.search` and the evaluators that it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
import sixplane.planes
from search_evaluators import Floats, Planes, noisy, uniform
from sixplane.nets.network import WIN_MARGIN
from sixplane.search import MCTS

if TYPE_CHECKING:
    from sixplane.search import Evaluator


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

    options: dict[str, Any] = {"selection": "puct", "simulations": 1, "symmetry": True}
    for history in (0, 1):
        seen.clear()
        for seed in range(60):
            search = MCTS(beyond_the_white_stone, history=history, seed=seed, **options)
            assert search.search(game).best_action == 21
        assert len(seen) >= 8


def test_each_position_is_seen_through_a_symmetry_of_its_own() -> None:
    corners: set[tuple[int, ...]] = set()

    def evaluate(planes: Planes) -> tuple[Floats, Floats]:
        blacks = [np.argwhere(board[0]).tolist() for board in planes]
        corners.update(tuple(black[0]) for black in blacks if len(black) == 1)
        return uniform(planes)

    game = sixplane.Gomoku(size=5).replay([0])
    MCTS(evaluate, selection="puct", simulations=24, symmetry=True, seed=1).search(game)
    assert corners == {(0, 0), (0, 4), (4, 0), (4, 4)}


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


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_what_the_last_search_saw_through_a_symmetry_is_known_in_the_next_one(selection: Any) -> None:
    asked = []

    def counting(planes: Planes) -> tuple[Floats, Floats]:
        asked.append(len(planes))
        return noisy(planes)

    def played(cache: int) -> tuple[list[Any], int]:
        asked.clear()
        batch = sixplane.GameBatch(sixplane.Reversi(size=6), 8, seed=1)
        batch.play_random(2)
        search = MCTS(counting, selection=selection, simulations=32, symmetry=True, seed=5, cache=cache)
        visits = []
        for _ in range(10):
            result = search.search_batch(batch)
            batch.play(result.best_action)
            visits.append(result.visits.tolist())
        return visits, sum(asked)

    (without, all_asked), (with_cache, some_asked) = played(0), played(100_000)
    assert with_cache == without
    assert some_asked < 0.85 * all_asked


def fails(what: Exception | object) -> Any:
    def evaluator(planes: Planes) -> Any:
        if isinstance(what, BaseException):
            raise what
        return what(planes) if callable(what) else what

    return evaluator


BAD_EVALUATORS: list[tuple[Any, type[BaseException], str]] = [
    (ZeroDivisionError("mine"), ZeroDivisionError, "mine"),
    (KeyboardInterrupt("stop"), KeyboardInterrupt, "stop"),
    (None, TypeError, r"two arrays \(logits, values\), not NoneType"),
    (lambda p: uniform(p)[0], TypeError, r"not ndarray"),
    (lambda p: (uniform(p)[0][:, 1:], uniform(p)[1]), ValueError, r"logits have shape \[1, 25\]: \[1, 26\]"),
    (lambda p: (uniform(p)[0], uniform(p)[1][:, None]), ValueError, r"values have shape \[1, 1\]: \[1\]"),
    (
        lambda p: (uniform(p)[0] * np.nan, uniform(p)[1]),
        ValueError,
        "in position 0 the logit of action 0 is NaN",
    ),
    (lambda p: (uniform(p)[0] + np.inf, uniform(p)[1]), ValueError, "logit of action 0"),
    (
        lambda p: (uniform(p)[0] - np.inf, uniform(p)[1]),
        ValueError,
        "in position 0 the logits of all actions that may be played are -inf",
    ),
    (lambda p: (uniform(p)[0], uniform(p)[1] * np.nan), ValueError, "in position 0 the value is NaN"),
    (lambda p: (uniform(p)[0], uniform(p)[1] + 2), ValueError, "the value is 2: .* from -1 to 1"),
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


def test_an_evaluator_for_margins_says_any_finite_number() -> None:
    game = sixplane.Reversi.from_text("X X X X\nX X X X\nX O . O\nX X X .")
    evaluator = fails(lambda planes: (uniform(planes)[0], np.full(len(planes), -40.0)))
    search = MCTS(evaluator, selection="puct", reward="margin", simulations=1)
    assert search.search(game).raw_value == -40
    assert MCTS(simulations=9, reward="margin").search(won_by_16()).value == WIN_MARGIN + 16
    for wrong in (np.nan, np.inf):
        evaluator = fails((np.zeros((1, 17)), np.array([wrong])))
        with pytest.raises(ValueError, match=r"the value is (NaN|inf): it must be a finite number"):
            MCTS(evaluator, selection="puct", reward="margin", simulations=1).search(game)


def won_by_16() -> sixplane.Game:
    """Black, who is to play, takes the last point and has all."""
    return sixplane.Reversi.from_text("X X X X\nX X X X\nX X X X\nX X O .")


def test_lists_and_other_dtypes_will_do() -> None:
    game = sixplane.Go(size=5)

    def doubles(planes: Planes) -> Any:
        logits, values = noisy(planes)
        return logits.astype(np.float64), values.tolist()

    def columns(planes: Planes) -> Any:
        logits, values = noisy(planes)
        return np.asfortranarray(logits), values

    def visits(evaluator: Evaluator) -> Any:
        return MCTS(evaluator, selection="puct", simulations=50, leaves=4, seed=1).search(game).visits

    for evaluator in (doubles, columns):
        assert (visits(evaluator) == visits(noisy)).all()


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


@pytest.mark.parametrize("value", [1.0009, -1.0009])
def test_what_rounding_adds_to_a_value_is_cut_off(value: float) -> None:
    search = MCTS(lambda p: (uniform(p)[0], np.full(len(p), value)), simulations=9)
    result = search.search(sixplane.Go(size=5))
    assert result.raw_value == np.sign(value) and np.nanmax(np.abs(result.q)) == 1
