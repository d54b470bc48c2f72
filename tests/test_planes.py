"""The six planes by name, canonical form and symmetries of any game's planes."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

import gymgo_reference as reference
import sixplane.planes
from sixplane import gogame
from sixplane.planes import Plane, canonical_form, random_symmetry, symmetries, undo_symmetry

if TYPE_CHECKING:
    from collections.abc import Callable

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
def test_canonical_form_lets_black_play(dtype: Any) -> None:
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
@pytest.mark.parametrize("boards", [None, 4])
def test_random_symmetry_draws_each_symmetry(size: tuple[int, int], boards: int | None) -> None:
    planes, policy = some_planes(*size, boards)
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

    indices = [random_symmetry(planes, rng=seed)[2] for seed in range(30)]
    assert indices == [random_symmetry(planes, rng=seed)[2] for seed in range(30)]
    seen, nothing, index = random_symmetry(planes)
    assert nothing is None and np.array_equal(seen, all_planes[index])


def test_arguments_that_do_not_fit_are_refused() -> None:
    planes, policy = some_planes(3, 4)
    functions: list[Callable[..., Any]] = [canonical_form, symmetries, random_symmetry]
    for function in functions:
        for shape in [(6, 3), (5, 3, 4), (2, 5, 3, 4), (1, 2, 6, 3, 4), (6, 0, 4)]:
            with pytest.raises(ValueError, match="shape must"):
                function(np.zeros(shape))
        with pytest.raises(TypeError, match="NumPy array"):
            function(planes.tolist())
    for wrong in (policy[:-1], policy[np.newaxis], np.float64(1)):
        for draw in functions[1:]:
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
    with pytest.raises(ValueError, match="at least 1"):
        undo_symmetry(policy, 0, -3, -4)
