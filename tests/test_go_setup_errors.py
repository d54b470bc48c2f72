"""Starting positions that no game has, from texts, stones, planes and pickles: refused with the reason."""

from __future__ import annotations

import itertools
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from go_refusals import ANY_GO, KO_SHAPE, SIZE, raises, reason_of
from go_walks import law
from sixplane import Go, Hex

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


def test_texts_that_are_no_board() -> None:
    for text, message in [
        ("", f"a board of 0x0: {SIZE}"),
        ("X", f"a board of 1x1: {SIZE}"),
        (".." * 13 + "\n" + ".." * 13, f"a board of 2x26: {SIZE}"),
        ("X.\n...", "row 2 of the text has 3 points, the first has 2"),
        ("X.\n.#", "'#' in row 2 of the text: allowed are X, O and ."),
        (".\u00e9\n..", "'\u00e9' in row 1 of the text: allowed are X, O and ."),
        ("XO\nO.", "the chain at point 0 has no liberty"),
        ("XX\nXX", "the chain at point 0 has no liberty"),
    ]:
        with raises(ValueError, message):
            Go.from_text(text)
    with raises(TypeError, "'int' object"):
        ANY_GO.from_text(3)
    assert Go.from_text("\n x o\n\n . .\n") == Go.from_text("XO\n..")


def test_stones_that_are_no_position() -> None:
    for black, white, message in [
        ([0, 0], [], "a stone is given twice at point 0"),
        ([0], [0], "a stone is given twice at point 0"),
        ([9], [], "a stone's point must be from 0 to 8, not 9"),
        ([], [9], "a stone's point must be from 0 to 8, not 9"),
        ([-1], [], "a stone's point must be from 0 to 8, not -1"),
        ([10**30], [], "a stone's point must be from 0 to 8, not 1000"),
        ([0], [1, 3], "the chain at point 0 has no liberty"),
        (itertools.count(), [], "a stone's point must be from 0 to 8, not 9"),
        (itertools.repeat(1), [], "a stone is given twice at point 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            Go.from_stones(black, white, size=3)
    for stones, message in [
        ([1.0], "a stone's point must be an integer, not float"),
        ([True], "a stone's point must be an integer, not bool"),
        ("ab", "a stone's point must be an integer, not str"),
        (3, "'int' object is not iterable"),
    ]:
        with raises(TypeError, message):
            ANY_GO.from_stones(stones, [], size=3)


def six(*, size: tuple[int, int] = (3, 3), **cells: float) -> npt.NDArray[Any]:
    """Six planes of zeros but for these: `p301=1` sets plane 3, row 0, column 1; `p3=1` all of plane 3."""
    planes = np.zeros((6, *size))
    for name, value in cells.items():
        planes[tuple(int(digit) for digit in name[1:])] = value
    return planes


IMPOSSIBLE: list[tuple[npt.NDArray[Any], str]] = [
    (np.zeros((5, 3, 3)), "planes of shape (5, 3, 3): the shape must be (6, rows, cols)"),
    (np.zeros((6, 9)), "planes of 2 dimensions: the shape must be (6, rows, cols)"),
    (np.zeros((1, 6, 3, 3)), "planes of 4 dimensions: the shape must be (6, rows, cols)"),
    (six(size=(1, 3)), f"a board of 1x3: {SIZE}"),
    (six(size=(3, 26)), f"a board of 3x26: {SIZE}"),
    (np.zeros((6, 0, 0)), f"a board of 0x0: {SIZE}"),
    (six(p011=2), "planes hold a value that is neither 0 nor 1"),
    (six(p011=0.5), "planes hold a value that is neither 0 nor 1"),
    (six(p011=float("nan")), "planes hold a value that is neither 0 nor 1"),
    (six(p011=-1), "planes hold a value that is neither 0 nor 1"),
    (six(p011=1, p111=1, p311=1), "point 4 has a black and a white stone"),
    (six(p211=1), "the turn plane must be all 0 or all 1"),
    (six(p400=1), "the pass plane must be all 0 or all 1"),
    (six(p522=1), "the done plane must be all 0 or all 1"),
    (six(p011=1), "the invalid plane is 0 at point 4, where a play is illegal (occupied)"),
    (
        six(p101=1, p110=1, p301=1, p310=1),
        "the invalid plane is 0 at point 0, where a play is illegal (suicide)",
    ),
    (six(p0=1, p3=1), "the chain at point 0 has no liberty"),
]


@pytest.mark.parametrize(("planes", "message"), IMPOSSIBLE, ids=lambda value: str(value)[-24:])
def test_planes_that_no_game_has(planes: npt.NDArray[Any], message: str) -> None:
    with raises(ValueError, message):
        Go.from_planes(planes)


def test_planes_that_forbid_too_much() -> None:
    message = (
        "the invalid plane forbids 2 empty points that no rule explains (points [1, 2]); at most 1 can be"
    )
    with raises(ValueError, message):
        Go.from_planes(six(p301=1, p302=1), ko="simple")
    game = Go.from_planes(six(p301=1), ko="simple")
    assert reason_of(game, 1)[0] == "ko"
    game = Go.from_planes(six(p301=1, p302=1))
    assert reason_of(game, 2)[0] == "superko"
    game.play(0)
    assert game.action_mask.tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("dtype", [bool, "i1", "u8", "f2", "f4", "f8", "g", ">f4", ">i8"])
def test_planes_of_any_number(dtype: DTypeLike) -> None:
    game = Go(3).replay([0, 4])
    assert Go.from_planes(game.planes.astype(dtype)).planes.tolist() == game.planes.tolist()
    with raises(ValueError, "planes hold a value that is neither 0 nor 1"):
        Go.from_planes(np.full((6, 3, 3), 0.5, "f2"))


@pytest.mark.parametrize("dtype", [complex, object, "U1", "M8[s]"])
def test_planes_of_another_dtype(dtype: DTypeLike) -> None:
    planes = np.zeros((6, 3, 3), dtype)
    message = f"planes of dtype {planes.dtype}: allowed are bool, integers and floats"
    with raises(TypeError, message):
        Go.from_planes(planes)


def test_planes_that_are_no_array() -> None:
    for planes, name in ([[[0]]], "list"), (None, "NoneType"), (6, "int"):
        with raises(TypeError, f"planes must be a NumPy array, not {name}"):
            ANY_GO.from_planes(planes)


def test_a_pickle_of_another_format_is_refused() -> None:
    make, args, state = Go(5).__reduce__()
    game = make(*args)
    with raises(ValueError, "a game of pickle format 2: this version of sixplane reads format 1"):
        game.__setstate__((2, *state[1:]))
    broken: Any
    for broken in (None, 3, (), (1,), state[:-1], [], "x", {}):
        with raises(ValueError, "this is no state of a sixplane game"):
            game.__setstate__(broken)
    assert game == Go(5)


def test_a_pickle_forbids_no_point_that_the_rules_leave_open() -> None:
    game = Hex(5)
    state = list(game.__reduce__()[2])
    state[5] = bytes([3, 0])
    with raises(ValueError, "this is no state of a sixplane game"):
        game.__setstate__(tuple(state))
    assert game == Hex(5)


def test_a_forged_pickle_does_no_harm() -> None:
    """Parts of a state exchanged for other values: a game or an ordinary error, and never a panic."""
    source = Go.from_text(KO_SHAPE, "black", ko="simple", max_moves=9)
    for action in (12, 25, 0):
        source.play(action)
    source.set_turn(0)
    state = source.__reduce__()[2]
    junk = st.one_of(
        st.none(),
        st.integers(),
        st.floats(),
        st.binary(max_size=8),
        st.tuples(st.integers(0, 30), st.integers(0, 30)),
        st.tuples(st.integers(0, 2), st.booleans(), st.booleans()),
        st.lists(st.binary(max_size=8), min_size=2, max_size=2),
        st.dictionaries(st.sampled_from(["komi", "ko", "suicide", "handicap", "max_moves"]), st.integers()),
    )
    seen: set[str] = set()

    @law(400)
    @given(st.lists(st.tuples(st.integers(1, len(state) - 1), junk), min_size=1, max_size=2))
    def check(changes: list[tuple[int, Any]]) -> None:
        forged = list(state)
        for place, value in changes:
            forged[place] = value
        game = Go(5)
        try:
            game.__setstate__(tuple(forged))
        except (ValueError, TypeError) as error:
            seen.add(type(error).__name__)
            assert game == Go(5)
            return
        seen.add("a game")
        assert game.planes.shape == (6, game.rows, game.cols)
        assert game.legal_actions.size == game.action_mask.sum()
        assert pickle.loads(pickle.dumps(game)) == game

    check()
    assert {"ValueError", "a game"} <= seen
