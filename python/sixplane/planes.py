"""The six planes by name, and what can be done with planes: canonical form, symmetries, chains.

Planes are NumPy arrays `(6, rows, cols)`, a batch of them `(B, 6, rows, cols)`. Symmetries take any number of
planes, such as those of `history_planes`: `(P, rows, cols)` or `(B, P, rows, cols)`. A policy is a row of
numbers, one for each action: `(rows * cols + 1,)`, or for a batch `(B, rows * cols + 1)`; the last is for the
pass.

A symmetry is an index of three bits: 1 flips left-right, 2 flips up-down, and 4 then turns a quarter
counter-clockwise. Boards that are not square have the first four only.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from sixplane import _core
from sixplane._arguments import Array, T, board_of, check_array, check_numbers, integer, sides, stack_of

__all__ = [
    "Plane",
    "canonical_form",
    "dilate",
    "label",
    "liberties",
    "random_symmetry",
    "symmetries",
    "symmetry_table",
    "undo_symmetry",
]


class Plane(IntEnum):
    """The six planes by name; the number is the index of a plane.

    Example:
        >>> int(Plane.INVALID)
        3
    """

    BLACK = 0
    """The plane of black stones: 1 where one is."""
    WHITE = 1
    """The plane of white stones: 1 where one is."""
    TURN = 2
    """The plane of the turn: all 1 if White is to play."""
    INVALID = 3
    """The invalid plane: 1 where the player to play may not play."""
    PASS = 4
    """The plane of the pass: all 1 if the previous action was a pass."""
    DONE = 5
    """The plane of the end: all 1 if the game is over."""


def canonical_form(planes: NDArray[T]) -> NDArray[T]:
    """Returns a copy in which black is to play.

    Where white was, planes 0 and 1 change places and the turn plane becomes 0.

    Args:
        planes: `(6, rows, cols)` or `(B, 6, rows, cols)`, of any boolean, integer or float dtype.

    Returns:
        A new array of the same shape and dtype.

    Raises:
        TypeError: the planes are no array.
        ValueError: the planes have another shape.

    Example:
        >>> planes = np.zeros((6, 2, 2), np.uint8)
        >>> planes[Plane.BLACK, 0, 0] = planes[Plane.TURN] = 1
        >>> canonical_form(planes)[:3].sum(axis=(1, 2))
        array([0, 1, 0], dtype=uint64)
    """
    before, _, _ = board_of(planes)
    return _core.batch_canonical_form(planes) if before else _core.canonical_form(planes)


def symmetry_table(rows: SupportsIndex, cols: SupportsIndex) -> NDArray[np.int64]:
    """Returns the order of the actions seen through each symmetry, `(S, rows * cols + 1)`.

    Seen through symmetry `s`, a policy is `policy[..., table[s]]`, as `symmetries` has it, and a mask
    `action_mask[..., table[s]]`. An action itself becomes `table[s].argsort()[action]`. The pass keeps its
    place.

    Args:
        rows: the rows of the board.
        cols: its columns.

    Returns:
        A new array. `S` is 8, or 4 if rows and columns differ; the first row counts upwards.

    Raises:
        TypeError: rows or columns are no integer.
        ValueError: rows or columns are below 1.

    Example:
        >>> symmetry_table(2, 2)[:3]
        array([[0, 1, 2, 3, 4],
               [1, 0, 3, 2, 4],
               [2, 3, 0, 1, 4]])
    """
    return _table(*_lengths(rows, cols)).copy()


def symmetries(planes: NDArray[T], policy: Array | None = None) -> tuple[NDArray[T], Array | None]:
    """Returns planes, and a policy with them, as seen through each symmetry of the board.

    Args:
        planes: `(P, rows, cols)` or `(B, P, rows, cols)`: six planes, or any other number.
        policy: `(rows * cols + 1,)` or `(B, rows * cols + 1)`, or None.

    Returns:
        The planes `(S, P, rows, cols)` or `(S, B, P, rows, cols)`, and the policy `(S, rows * cols + 1)` or
        `(S, B, rows * cols + 1)`, or None. `S` is 8, or 4 if rows and columns differ; the first is as given.

    Raises:
        TypeError: an argument is no array.
        ValueError: an argument has another shape.

    Example:
        >>> planes, policies = symmetries(np.zeros((6, 2, 2)), np.array([0.5, 0.0, 0.2, 0.0, 0.3]))
        >>> planes.shape
        (8, 6, 2, 2)
        >>> policies[1]
        array([0. , 0.5, 0. , 0.2, 0.3])
    """
    before, rows, cols = stack_of(planes)
    table = _table(rows, cols)
    seen = np.stack([seen_through(planes, index) for index in range(len(table))], dtype=planes.dtype)
    if policy is None:
        return seen, None
    _check_policy(policy, before, rows, cols)
    return seen, np.ascontiguousarray(np.moveaxis(policy[..., table], -2, 0))


def random_symmetry(
    planes: NDArray[T], policy: Array | None = None, rng: np.random.Generator | int | None = None
) -> tuple[NDArray[T], Array | None, int | NDArray[np.int64]]:
    """Returns planes, and a policy with them, as seen through a random symmetry for every board.

    Args:
        planes: `(P, rows, cols)` or `(B, P, rows, cols)`: six planes, or any other number.
        policy: `(rows * cols + 1,)` or `(B, rows * cols + 1)`, or None.
        rng: a generator, a seed for one, or None for a seed of the system.

    Returns:
        New planes, the new policy or None, and the index of the symmetry, which `undo_symmetry` takes: an int
        for one board, `int64 (B,)` for a batch.

    Raises:
        TypeError: an argument is no array.
        ValueError: an argument has another shape.

    Example:
        >>> planes, policy, index = random_symmetry(np.zeros((6, 3, 3)), np.arange(10), rng=1)
        >>> undo_symmetry(policy, index, 3, 3)
        array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        >>> random_symmetry(np.zeros((4, 17, 9, 9), np.uint8), rng=1)[2]
        array([3, 4, 6, 7])
    """
    before, rows, cols = stack_of(planes)
    if policy is not None:
        _check_policy(policy, before, rows, cols)
    table = _table(rows, cols)
    sampled = np.random.default_rng(rng).integers(len(table), size=before or None)
    if not before:
        index = int(sampled)
        seen = np.array(seen_through(planes, index), order="C")
        return seen, None if policy is None else policy[table[index]], index
    lines = planes.reshape(*planes.shape[:2], rows * cols)
    seen = np.empty(lines.shape, planes.dtype)
    for index, row in enumerate(table):
        boards = np.flatnonzero(sampled == index)
        seen[boards] = lines[boards].take(row[:-1], axis=-1)
    moved = None if policy is None else np.take_along_axis(policy, table[sampled], -1)
    return seen.reshape(planes.shape), moved, sampled


def undo_symmetry(
    policy: NDArray[T], index: SupportsIndex | NDArray[np.integer], rows: SupportsIndex, cols: SupportsIndex
) -> NDArray[T]:
    """Turns a policy of the board as seen through symmetry `index` into one of the board itself.

    Args:
        policy: `(rows * cols + 1,)`, or with any number of axes before.
        index: the symmetry, 0 to 7, or 0 to 3 if rows and columns differ: one for all, or an integer array
            with one for each policy, such as `(B,)`.
        rows: the rows of the board.
        cols: its columns.

    Returns:
        A new array of the same shape and dtype.

    Raises:
        TypeError: the policy is no array, or a number no integer.
        ValueError: the policy or the index has another shape, or the board has no such symmetry.

    Example:
        >>> undo_symmetry(np.array([0.0, 0.5, 0.0, 0.2, 0.3]), 1, 2, 2)
        array([0.5, 0. , 0.2, 0. , 0.3])
    """
    rows, cols = _lengths(rows, cols)
    check_array("a policy", policy)
    _check_policy(policy, policy.shape[:-1], rows, cols)
    table = _table(rows, cols)
    if isinstance(index, np.ndarray) and index.ndim:
        if index.dtype.kind not in "iu":
            raise TypeError(f"index must be an integer or an array of integers, not of {index.dtype}")
        if index.shape != policy.shape[:-1]:
            raise ValueError(f"the shape of index must be {policy.shape[:-1]}, not {index.shape}")
        low, high = (int(index.min()), int(index.max())) if index.size else (0, 0)
    else:
        index = low = high = integer("index", index)
    if low < 0 or high >= len(table):
        found = low if low < 0 else high
        raise ValueError(f"a symmetry of {rows}x{cols} must be from 0 to {len(table) - 1}, not {found}")
    # Where an action went is where it is fetched from.
    back = table.argsort(axis=1)[index]
    return np.take_along_axis(policy, np.broadcast_to(back, policy.shape), -1)


def label(planes: Array) -> NDArray[np.int32]:
    """Numbers the connected groups of each plane, such as the chains of a color.

    Points are connected along lines, never along diagonals.

    Args:
        planes: `(rows, cols)`, or any number of axes before; what is not 0 belongs to a group.

    Returns:
        `int32` of the same shape: 0 where a plane is 0, else 1, 2, … in the order of first points.

    Raises:
        TypeError: the argument is no array of booleans, integers or floats.
        ValueError: rows or columns are not from 2 to 25.

    Example:
        >>> label(np.array([[1, 1, 0], [0, 0, 1], [1, 0, 1]]))
        array([[1, 1, 0],
               [0, 0, 2],
               [3, 0, 2]], dtype=int32)
    """
    check_array("planes", planes)
    check_numbers(planes)
    return _core.label_planes(_stacked(planes != 0)).reshape(planes.shape)


def dilate(plane: NDArray[T]) -> NDArray[T]:
    """Grows a plane by the four neighbors of each point; the liberties of a chain are empty points of that.

    Args:
        plane: `(rows, cols)`, or any number of axes before.

    Returns:
        A new array of the same shape and dtype: 1 where the plane or a neighbor along lines is not 0.

    Raises:
        TypeError: the argument is no array of booleans, integers or floats.
        ValueError: rows or columns are not from 2 to 25.

    Example:
        >>> dilate(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
        array([[1., 1., 0.],
               [1., 0., 0.]])
    """
    check_array("a plane", plane)
    check_numbers(plane)
    return _core.dilate_planes(_stacked(plane != 0)).reshape(plane.shape).astype(plane.dtype)


def liberties(planes: Array) -> NDArray[np.int32]:
    """Counts the liberties of the chain at each point; 0 where there is no stone.

    `sixplane.gogame.liberties` says which points are liberties.

    Args:
        planes: `(6, rows, cols)` or `(B, 6, rows, cols)`.

    Returns:
        `(rows, cols)` or `(B, rows, cols)`.

    Raises:
        TypeError: the planes are no array of booleans, integers or floats.
        ValueError: the planes have another shape, or rows or columns are not from 2 to 25.

    Example:
        >>> import sixplane
        >>> liberties(sixplane.Go(size=3).replay([0, 8, 1]).planes)
        array([[3, 3, 0],
               [0, 0, 0],
               [0, 0, 2]], dtype=int32)
    """
    before, rows, cols = board_of(planes)
    black, white = planes[..., Plane.BLACK, :, :] != 0, planes[..., Plane.WHITE, :, :] != 0
    boards = black + np.uint8(2) * (white & ~black)
    return _core.chain_liberties(_stacked(boards)).reshape(*before, rows, cols)


def _stacked(cells: Array) -> NDArray[np.uint8]:
    """Cells `(…, rows, cols)` as the core reads them: `(N, rows, cols)`."""
    if cells.ndim < 2:  # noqa: PLR2004 - rows and columns
        raise ValueError(f"the shape must end in (rows, cols), not {cells.shape}")
    rows, cols = sides(cells.shape[-2:])
    return np.ascontiguousarray(cells, np.uint8).reshape(-1, rows, cols)


def _lengths(rows: SupportsIndex, cols: SupportsIndex) -> tuple[int, int]:
    rows, cols = integer("rows", rows), integer("cols", cols)
    if rows < 1 or cols < 1:
        raise ValueError(f"rows and columns must be at least 1, not {rows} and {cols}")
    return rows, cols


def _check_policy(policy: Array, batch: tuple[int, ...], rows: int, cols: int) -> None:
    check_array("a policy", policy)
    shape = (*batch, rows * cols + 1)
    if policy.shape != shape:
        raise ValueError(f"the shape of the policy must be {shape}, not {policy.shape}")


@lru_cache(maxsize=64)
def _table(rows: int, cols: int) -> NDArray[np.int64]:
    """Returns the array of `symmetry_table`, but shared between calls and read-only."""
    points = np.arange(rows * cols, dtype=np.int64).reshape(rows, cols)
    count = 8 if rows == cols else 4
    table = np.full((count, rows * cols + 1), rows * cols, np.int64)
    for index in range(count):
        table[index, :-1] = seen_through(points, index).ravel()
    table.flags.writeable = False
    return table


def seen_through(boards: NDArray[T], index: int) -> NDArray[T]:
    """Returns a view of boards `(…, rows, cols)` through a symmetry. All symmetries in Python use it."""
    if index & 1:
        boards = np.flip(boards, -1)
    if index & 2:
        boards = np.flip(boards, -2)
    if index & 4:
        boards = np.rot90(boards, axes=(-2, -1))
    return boards
