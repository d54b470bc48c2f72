"""`sixplane.search`: what evaluators ask for, and the arrays that they give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from search_evaluators import Floats, Planes, noisy, uniform
from sixplane.search import MCTS

if TYPE_CHECKING:
    from numpy.typing import NDArray


GAMES: list[Any] = [sixplane.Go(5), sixplane.Reversi(4), sixplane.Gomoku((5, 7)).replay([3])]


def fields(planes: Planes) -> Any:
    """Logits and values as fields of packed records: cells at odd addresses."""
    logits, values = noisy(planes)
    records = np.zeros(len(planes), dtype=[("a", "u1"), ("l", "f4", logits.shape[1:]), ("v", "f4")])
    records["l"], records["v"] = logits, values
    assert not records["l"].flags.aligned
    assert records.strides[0] % 4
    return records["l"], records["v"]


def strided(planes: Planes) -> Any:
    logits, values = noisy(planes)
    wide = np.full((len(planes), 3 * logits.shape[1]), np.nan, np.float32)
    wide[:, ::-3] = logits
    return wide[:, ::-3], np.stack([values, values])[0]


def swapped(planes: Planes) -> Any:
    logits, values = noisy(planes)
    return logits.astype(">f4"), values.astype(">f4")


def doubles_of_records(planes: Planes) -> Any:
    logits, values = noisy(planes)
    records = np.zeros(len(planes), dtype=[("a", "u1"), ("l", ">f8", logits.shape[1:]), ("v", "f8")])
    records["l"], records["v"] = logits, values
    return records["l"], records["v"]


def frozen(planes: Planes) -> Any:
    arrays = noisy(planes)
    for array in arrays:
        array.flags.writeable = False
    return arrays


@pytest.mark.parametrize("evaluator", [fields, strided, swapped, doubles_of_records, frozen])
def test_numbers_are_read_right_wherever_they_lie_in_memory(evaluator: Any) -> None:
    for game in GAMES:
        options: dict[str, Any] = {"selection": "puct", "simulations": 60, "leaves": 3}
        expected, found = MCTS(noisy, **options).search(game), MCTS(evaluator, **options).search(game)
        assert found.visits.tolist() == expected.visits.tolist()
        assert found.raw_value == expected.raw_value
        assert found.prior.tolist() == expected.prior.tolist()


HUGE = np.broadcast_to(np.float32(0), (10**11,))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ((HUGE, np.zeros(1)), r"logits have shape \[100000000000\]: \[1, 26\]"),
        ((HUGE[None], np.zeros(1)), r"logits have shape \[1, 100000000000\]: \[1, 26\]"),
        ((np.zeros((1, 26)), HUGE), r"values have shape \[100000000000\]: \[1\]"),
        ((np.zeros((1, 26)), HUGE.astype), r"values have shape \[\]: \[1\]"),
        ((np.zeros((1, 26)), range(10**11)), r"values have length 100000000000 along axis 0: shape \[1\]"),
        (([range(10**11)], np.zeros(1)), r"logits have length 100000000000 along axis 1: shape \[1, 26\]"),
        ((HUGE.data, np.zeros(1)), r"logits have length 100000000000 along axis 0"),
    ],
)
def test_a_huge_answer_is_refused_by_its_shape(said: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        MCTS(lambda _planes: said, simulations=2).search(sixplane.Go(5))


def by_hand(evaluator: Any) -> Any:
    """An evaluator of the player's planes for one that was asked for black's."""

    def swapping(planes: Planes) -> tuple[Floats, Floats]:
        own = planes.copy()
        is_whites = planes[:, 2, 0, 0] == 1
        own[is_whites, 0], own[is_whites, 1] = planes[is_whites, 1], planes[is_whites, 0]
        result: tuple[Floats, Floats] = evaluator(own)
        return result

    return swapping


@pytest.mark.parametrize("options", [{}, {"symmetry": True}, {"cache": 1000}, {"leaves": 4, "threads": 2}])
def test_planes_of_the_player_are_blacks_with_the_stones_swapped_where_white_plays(options: Any) -> None:
    shared: dict[str, Any] = {"selection": "puct", "simulations": 80, "seed": 1, **options}
    for game in GAMES:
        batch = sixplane.GameBatch(game, 4, seed=1)
        batch.play_random(3)
        expected = MCTS(by_hand(noisy), **shared).search_batch(batch)
        found = MCTS(noisy, view="player", **shared).search_batch(batch)
        assert (found.visits == expected.visits).all()
        assert np.array_equal(found.q, expected.q, equal_nan=True)
    seen: list[Planes] = []

    def keeping(planes: Planes) -> tuple[Floats, Floats]:
        seen.append(planes.copy())
        return uniform(planes)

    game = sixplane.Go(5).replay([7, 9, 11])
    MCTS(keeping, view="player", simulations=1).search(game)
    assert game.turn == 1
    assert (seen[0][0] == game.planes[[1, 0, 2, 3, 4, 5]]).all()


def test_planes_of_the_history_are_the_players_in_any_view() -> None:
    game = sixplane.Go(5).replay([7, 9, 11])
    results = [
        MCTS(noisy, selection="puct", history=3, view=view, simulations=50).search(game)
        for view in ("black", "player")
    ]
    assert results[0].visits.tolist() == results[1].visits.tolist()


def test_numbers_of_32_bits_say_what_those_of_8_say() -> None:
    def checking(planes: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        assert planes.dtype == np.float32
        assert planes.flags.c_contiguous
        assert planes.flags.writeable
        assert planes.ctypes.data % 4 == 0
        assert set(np.unique(planes)) <= {0.0, 1.0}
        return noisy(planes)

    for game in GAMES:
        options: dict[str, Any] = {"selection": "puct", "simulations": 50, "leaves": 2}
        expected = MCTS(noisy, **options).search(game)
        found = MCTS(checking, dtype="float32", **options).search(game)
        assert found.visits.tolist() == expected.visits.tolist()


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("pad_to", [1, 2, 5, 64])
def test_a_padded_leaf_batch_changes_nothing_but_its_length(pad_to: int, dtype: Any) -> None:
    asked: list[tuple[int, int]] = []

    def padded(planes: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        is_leaf = ~planes[:, 3].all(axis=(1, 2)) & planes.any(axis=(1, 2, 3)) | (np.arange(len(planes)) == 0)
        asked.append((len(planes), int(is_leaf.sum())))
        logits, values = noisy(planes)
        logits[~planes.any(axis=(1, 2, 3))] = np.nan
        values[~planes.any(axis=(1, 2, 3))] = np.nan
        return logits, values

    # An empty board is all zeros, as padding is.
    games = [sixplane.Gomoku(5).replay([i, i + 1]) for i in range(7)]
    batch = sixplane.GameBatch.from_games(games)
    options: dict[str, Any] = {"selection": "puct", "seed": 1, "leaves": 2}
    limits = [30, 5, 1, 9, 0, 30, 12]
    expected = MCTS(noisy, **options).search_batch(batch, simulations=limits)
    search = MCTS(padded, pad_to=pad_to, dtype=dtype, **options)
    found = search.search_batch(batch, simulations=limits)
    assert (found.visits == expected.visits).all()
    assert np.array_equal(found.q, expected.q, equal_nan=True)
    assert all(rows % pad_to == 0 and 0 <= rows - leaves < pad_to for rows, leaves in asked), asked


def test_the_shape_that_is_needed_of_a_padded_batch_is_that_of_its_planes() -> None:
    with pytest.raises(ValueError, match=r"logits have shape \[1, 26\]: \[4, 26\] is needed"):
        MCTS(lambda _planes: (np.zeros((1, 26)), np.zeros(4)), pad_to=4).search(sixplane.Go(5))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"view": "white"}, ValueError, 'view must be one of "black", "player"'),
        ({"view": 1}, TypeError, "view must be one of"),
        ({"dtype": "float64"}, ValueError, 'dtype must be one of "uint8", "float32"'),
        ({"dtype": np.float32}, TypeError, "dtype must be one of"),
        ({"pad_to": 0}, ValueError, "pad_to must be from 1"),
        ({"pad_to": 2.0}, TypeError, "pad_to must be an integer"),
        ({"evaluator": None, "view": "player"}, ValueError, "view is for evaluators"),
        ({"evaluator": None, "dtype": "float32"}, ValueError, "dtype is for evaluators"),
        ({"evaluator": None, "pad_to": 8}, ValueError, "pad_to is for evaluators"),
    ],
)
def test_what_an_evaluator_cannot_ask_for_is_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        MCTS(**({"evaluator": uniform} | options))
