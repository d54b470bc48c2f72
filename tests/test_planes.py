"""The six planes by name, canonical form and symmetries of any game's planes."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

import gymgo_reference as reference
import sixplane
from sixplane import gogame
from sixplane.planes import (
    Plane,
    canonical_form,
    dilate,
    label,
    liberties,
    random_symmetry,
    symmetries,
    symmetry_table,
    undo_symmetry,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike

Array: TypeAlias = NDArray[Any]

SIZES = [(2, 2), (3, 3), (4, 3), (2, 7), (9, 9)]


def some_planes(rows: int, cols: int, boards: int | None = None) -> tuple[Array, Array]:
    """Planes of noise and a policy that fits."""
    rng = np.random.default_rng(rows * cols)
    before = () if boards is None else (boards,)
    planes = rng.integers(0, 2, (*before, 6, rows, cols)).astype(np.uint8)
    return planes, rng.random((*before, rows * cols + 1), np.float32)


def test_the_examples_in_the_documentation_hold() -> None:
    results = doctest.testmod(sixplane.planes)
    assert results.failed == 0 < results.attempted


def test_planes_are_numbered_as_they_lie() -> None:
    assert [plane.name for plane in Plane] == ["BLACK", "WHITE", "TURN", "INVALID", "PASS", "DONE"]
    assert list(Plane) == list(range(6))
    assert np.zeros((6, 2, 3))[Plane.DONE].shape == (2, 3)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.float32])
def test_canonical_form_lets_black_play(dtype: DTypeLike) -> None:
    states = [gogame.init_state(5).astype(dtype)]
    for action in (3, 7, 25, 12):
        states.append(gogame.next_state(states[-1], action))
    expected = np.array([reference.canonical_form(state) for state in states])
    for state, form in zip(states, expected, strict=True):
        answer = canonical_form(state)
        assert np.array_equal(answer, form) and answer.dtype == dtype
        assert not np.shares_memory(answer, state)
    assert np.array_equal(canonical_form(np.array(states)), expected)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("boards", [None, 0, 3])
def test_symmetries_are_those_of_gogame(size: tuple[int, int], boards: int | None) -> None:
    planes, policy = some_planes(*size, boards)
    count = 8 if size[0] == size[1] else 4
    seen, policies = symmetries(planes, policy)
    assert policies is not None
    assert seen.shape == (count, *planes.shape) and seen.dtype == planes.dtype
    assert policies.shape == (count, *policy.shape) and policies.dtype == policy.dtype
    assert not np.shares_memory(seen, planes)
    assert np.array_equal(seen[0], planes) and np.array_equal(policies[0], policy)
    for i in range(boards or 0):
        assert np.array_equal(seen[:, i], gogame.all_symmetries(planes[i]))
        assert np.array_equal(seen[:, i], symmetries(planes[i])[0])
        alone = symmetries(planes[i], policy[i])[1]
        assert alone is not None and np.array_equal(policies[:, i], alone)
    again, nothing = symmetries(planes)
    assert np.array_equal(again, seen) and nothing is None
    assert symmetries(planes.astype(">f4"))[0].dtype == np.dtype(">f4")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_policy_moves_with_the_stones_and_keeps_its_pass(size: tuple[int, int]) -> None:
    rows, cols = size
    for action in range(rows * cols):
        state = gogame.next_state(gogame.init_state(size), action)
        policy = np.zeros(rows * cols + 1)
        policy[action], policy[-1] = 1, 0.5
        seen, policies = symmetries(state, policy)
        assert policies is not None
        assert np.array_equal(seen[:, Plane.BLACK].reshape(len(seen), -1), policies[:, :-1])
        assert (policies[:, -1] == 0.5).all()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("boards", [None, 3])
def test_undo_symmetry_brings_the_policy_back(size: tuple[int, int], boards: int | None) -> None:
    planes, policy = some_planes(*size, boards)
    _, policies = symmetries(planes, policy)
    assert policies is not None
    for index, seen in enumerate(policies):
        back = undo_symmetry(seen, index, *size)
        assert np.array_equal(back, policy) and back.dtype == policy.dtype
        assert back.flags.c_contiguous and not np.shares_memory(back, seen)
    with pytest.raises(ValueError, match="symmetry"):
        undo_symmetry(policy, len(policies), *size)
    with pytest.raises(ValueError, match="symmetry"):
        undo_symmetry(policy, -1, *size)


@pytest.mark.parametrize("size", [(3, 3), (4, 3)], ids=str)
@pytest.mark.parametrize("count", [6, 17])
def test_random_symmetry_of_one_board_draws_each_symmetry(size: tuple[int, int], count: int) -> None:
    planes, policy = some_planes(*size)
    planes = np.resize(planes, (count, *size))
    all_planes, all_policies = symmetries(planes, policy)
    assert all_policies is not None
    rng = np.random.default_rng(1)
    met = set()
    for _ in range(100):
        seen, moved, index = random_symmetry(planes, policy, rng)
        assert moved is not None and type(index) is int
        assert np.array_equal(seen, all_planes[index]) and np.array_equal(moved, all_policies[index])
        assert seen.flags.c_contiguous and seen.flags.writeable and not np.shares_memory(seen, planes)
        met.add(index)
    assert met == set(range(len(all_planes)))


@pytest.mark.parametrize("size", [(3, 3), (4, 3)], ids=str)
@pytest.mark.parametrize("count", [6, 17])
def test_random_symmetry_draws_another_one_for_every_board_of_a_batch(
    size: tuple[int, int], count: int
) -> None:
    planes, policy = some_planes(*size, 200)
    planes = np.resize(planes, (200, count, *size))
    all_planes, all_policies = symmetries(planes, policy)
    assert all_policies is not None
    seen, moved, index = random_symmetry(planes, policy, 5)
    assert moved is not None and isinstance(index, np.ndarray)
    assert (index.shape, str(index.dtype)) == ((200,), "int64")
    assert set(index.tolist()) == set(range(len(all_planes)))
    for board, symmetry in enumerate(index):
        assert np.array_equal(seen[board], all_planes[symmetry, board])
        assert np.array_equal(moved[board], all_policies[symmetry, board])
    assert seen.flags.c_contiguous and seen.flags.writeable and not np.shares_memory(seen, planes)
    assert np.array_equal(undo_symmetry(moved, index, *size), policy)
    again, nothing, same = random_symmetry(planes, rng=5)
    assert nothing is None and np.array_equal(same, index) and np.array_equal(again, seen)
    assert random_symmetry(planes[:0], policy[:0])[0].shape == (0, count, *size)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_symmetry_table_gathers_what_symmetries_shows(size: tuple[int, int]) -> None:
    planes, policy = some_planes(*size, 3)
    table = symmetry_table(*size)
    _, policies = symmetries(planes, policy)
    assert policies is not None
    assert (table.shape, str(table.dtype)) == ((len(policies), policy.shape[1]), "int64")
    for index, row in enumerate(table):
        assert np.array_equal(policy[:, row], policies[index])
        for action, stands_at in enumerate(row.argsort()):
            assert np.array_equal(policies[index, :, stands_at], policy[:, action])
    table[:] = 0
    assert symmetry_table(*size)[0].tolist() == list(range(size[0] * size[1] + 1))


@pytest.mark.parametrize("size", [(2, 2), (5, 5), (4, 7), (19, 19), (25, 25)], ids=str)
@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.float64])
def test_labels_dilation_and_liberties_are_those_of_flood_fill(
    size: tuple[int, int], dtype: DTypeLike
) -> None:
    noise = np.random.default_rng(2).integers(0, 3, (3, *size))
    planes = np.zeros((3, 6, *size), dtype)
    planes[:, 0], planes[:, 1] = noise == 1, noise == 2
    labels, grown, counts = label(planes), dilate(planes), liberties(planes)
    assert (labels.shape, grown.shape, counts.shape) == (planes.shape, planes.shape, (3, *size))
    assert [str(array.dtype) for array in (labels, grown, counts)] == ["int32", str(planes.dtype), "int32"]
    for board in range(3):
        empty = noise[board] == 0
        expected = np.zeros(size, np.int32)
        for color in (0, 1):
            stones = planes[board, color] != 0
            assert np.array_equal(grown[board, color] != 0, reference.dilate(stones))
            for number, group in enumerate(reference.groups(stones), 1):
                assert (labels[board, color][group] == number).all()
                expected[group] = (reference.dilate(group) & empty).sum()
            assert np.array_equal(labels[board, color] != 0, stones)
        assert np.array_equal(counts[board], expected)
        assert np.array_equal(liberties(planes[board]), expected)


def test_liberties_are_those_of_the_game() -> None:
    game = sixplane.Go(size=(7, 9))
    for action in np.random.default_rng(3).permutation(63)[:40]:
        if game.action_mask[action]:
            game.play(action)
    assert np.array_equal(liberties(game.planes), game.liberties())


def test_arguments_that_do_not_fit_are_refused() -> None:
    planes, policy = some_planes(3, 4)
    of_six: list[Callable[..., Any]] = [canonical_form, liberties]
    of_any: list[Callable[..., Any]] = [symmetries, random_symmetry, label, dilate]
    for function in of_six + of_any:
        shapes = [(6,), (6, 0, 4)] + (
            [(5, 3, 4), (2, 5, 3, 4), (1, 2, 6, 3, 4)] if function in of_six else []
        )
        for shape in shapes:
            with pytest.raises(ValueError, match=r"shape must|rows and columns must"):
                function(np.zeros(shape))
        with pytest.raises(TypeError, match="NumPy array"):
            function(planes.tolist())
    for function in (label, dilate, liberties):
        with pytest.raises(ValueError, match="from 2 to 25"):
            function(np.zeros((6, 3, 26)))
    wrongs: list[Any] = [policy[:-1], policy[np.newaxis], np.float64(1)]
    for wrong in wrongs:
        for draw in (symmetries, random_symmetry):
            with pytest.raises((ValueError, TypeError), match="policy"):
                draw(planes, wrong)
    with pytest.raises(TypeError, match="policy"):
        symmetries(planes, policy.tolist())
    with pytest.raises(ValueError, match="policy"):
        undo_symmetry(policy, 0, 4, 4)
    with pytest.raises(TypeError, match="policy"):
        undo_symmetry(policy.tolist(), 0, 3, 4)
    for index in (1.0, True, None):
        with pytest.raises(TypeError, match="integer"):
            undo_symmetry(policy, index, 3, 4)  # type: ignore[arg-type]
    many = np.stack([policy, policy])
    with pytest.raises(ValueError, match=r"index must be \(2,\), not \(3,\)"):
        undo_symmetry(many, np.zeros(3, np.int64), 3, 4)
    with pytest.raises(ValueError, match="from 0 to 3, not 4"):
        undo_symmetry(many, np.array([0, 4]), 3, 4)
    with pytest.raises(TypeError, match="float64"):
        undo_symmetry(many, np.zeros(2), 3, 4)
    for sides in ((0, 4), (3, -4)):
        with pytest.raises(ValueError, match="at least 1"):
            symmetry_table(*sides)
    with pytest.raises(ValueError, match="at least 1"):
        undo_symmetry(policy, 0, -3, -4)


@pytest.mark.parametrize("cell", [0.25, -0.5, 256, -256])
def test_any_number_but_0_is_a_stone(cell: float) -> None:
    stones = np.array([[1, 0, 0], [0, 0, 0], [0, 1, 1]])
    assert np.array_equal(label(stones * cell), label(stones))
    assert np.array_equal(dilate(stones * cell), dilate(stones))
