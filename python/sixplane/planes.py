"""The six planes by name, and what can be done with the planes of any game: canonical form, symmetries.

Planes are NumPy arrays `(6, rows, cols)`, a batch of them `(B, 6, rows, cols)`. A policy is a row of numbers,
one for each action: `(rows * cols + 1,)`, or for a batch `(B, rows * cols + 1)`; the last is the pass.

A symmetry is an index of three bits: 1 flips left-right, 2 flips up-down, and 4 then turns a quarter
counter-clockwise. Boards that are not square have the first four only.
"""

from __future__ import annotations

from enum import IntEnum
from typing import SupportsIndex

import numpy as np

from sixplane import _core
from sixplane._arguments import Array, board_of, check_array, integer

__all__ = ["Plane", "canonical_form", "random_symmetry", "symmetries", "undo_symmetry"]


class Plane(IntEnum):
    """What each of the six planes says; the number is its index.

    Example:
        >>> int(Plane.INVALID)
        3
    """

    BLACK = 0
    """A black stone is here."""
    WHITE = 1
    """A white stone is here."""
    TURN = 2
    """White is to play (whole plane)."""
    INVALID = 3
    """The player to play may not play here."""
    PASS = 4
    """The previous action was a pass (whole plane)."""
    DONE = 5
    """The game is over (whole plane)."""


def canonical_form(planes: Array) -> Array:
    """A copy in which black is to play: where white was, planes 0 and 1 change places and the turn is 0.

    Args:
        planes: `(6, rows, cols)` or `(B, 6, rows, cols)`, of any boolean, integer or float dtype.

    Returns:
        A new array of the same shape and dtype.

    Raises:
        TypeError: it is no such array.
        ValueError: it has another shape.

    Example:
        >>> planes = np.zeros((6, 2, 2), np.uint8)
        >>> planes[Plane.BLACK, 0, 0] = planes[Plane.TURN] = 1
        >>> canonical_form(planes)[:3].sum(axis=(1, 2))
        array([0, 1, 0], dtype=uint64)
    """
    before, _, _ = board_of(planes)
    return _core.batch_canonical_form(planes) if before else _core.canonical_form(planes)


def symmetries(planes: Array, policy: Array | None = None) -> tuple[Array, Array | None]:
    """Planes, and a policy with them, seen through each symmetry of the board.

    Args:
        planes: `(6, rows, cols)` or `(B, 6, rows, cols)`.
        policy: `(rows * cols + 1,)` or `(B, rows * cols + 1)`, or None.

    Returns:
        The planes `(S, 6, rows, cols)` or `(S, B, 6, rows, cols)`, and the policy `(S, rows * cols + 1)` or
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
    before, rows, cols = board_of(planes)
    indices = range(_num_symmetries(rows, cols))
    seen = np.stack([_moved(planes, index) for index in indices])
    if policy is None:
        return seen, None
    _check_policy(policy, before, rows, cols)
    return seen, np.stack([_moved_policy(policy, index, rows, cols) for index in indices])


def random_symmetry(
    planes: Array, policy: Array | None = None, rng: np.random.Generator | int | None = None
) -> tuple[Array, Array | None, int]:
    """Planes, and a policy with them, seen through a symmetry drawn at random, the same for a whole batch.

    Args:
        planes: `(6, rows, cols)` or `(B, 6, rows, cols)`.
        policy: `(rows * cols + 1,)` or `(B, rows * cols + 1)`, or None.
        rng: a generator, a seed for one, or None for a seed of the system.

    Returns:
        New planes, the new policy or None, and the index of the symmetry, for `undo_symmetry`.

    Raises:
        TypeError: an argument is no array.
        ValueError: an argument has another shape.

    Example:
        >>> planes, policy, index = random_symmetry(np.zeros((6, 3, 3)), np.arange(10), rng=1)
        >>> undo_symmetry(policy, index, 3, 3)
        array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """
    before, rows, cols = board_of(planes)
    if policy is not None:
        _check_policy(policy, before, rows, cols)
    index = int(np.random.default_rng(rng).integers(_num_symmetries(rows, cols)))
    seen = np.array(_moved(planes, index), order="C")
    return seen, None if policy is None else _moved_policy(policy, index, rows, cols), index


def undo_symmetry(policy: Array, index: SupportsIndex, rows: SupportsIndex, cols: SupportsIndex) -> Array:
    """The policy of the board as it was, from that of the board seen through symmetry `index`.

    Args:
        policy: `(rows * cols + 1,)`, or with any number of axes before.
        index: of the symmetry: 0 to 7, or 0 to 3 if rows and columns differ.
        rows: of the board.
        cols: of the board.

    Returns:
        A new array of the same shape and dtype.

    Raises:
        TypeError: the policy is no array, or a number no integer.
        ValueError: the policy has another shape, or the board has no such symmetry.

    Example:
        >>> undo_symmetry(np.array([0.0, 0.5, 0.0, 0.2, 0.3]), 1, 2, 2)
        array([0.5, 0. , 0.2, 0. , 0.3])
    """
    index, rows, cols = integer("index", index), integer("rows", rows), integer("cols", cols)
    if rows < 1 or cols < 1:
        raise ValueError(f"rows and columns must be at least 1, not {rows} and {cols}")
    if not 0 <= index < _num_symmetries(rows, cols):
        last = _num_symmetries(rows, cols) - 1
        raise ValueError(f"a symmetry of {rows}x{cols} must be from 0 to {last}, not {index}")
    check_array("a policy", policy)
    _check_policy(policy, policy.shape[:-1], rows, cols)
    board = policy[..., :-1].reshape(*policy.shape[:-1], rows, cols)
    if index & 4:
        board = np.rot90(board, -1, axes=(-2, -1))
    return _joined(_moved(board, index & 3), policy)


def _check_policy(policy: Array, batch: tuple[int, ...], rows: int, cols: int) -> None:
    check_array("a policy", policy)
    wanted = (*batch, rows * cols + 1)
    if policy.shape != wanted:
        raise ValueError(f"the shape of the policy must be {wanted}, not {policy.shape}")


def _num_symmetries(rows: int, cols: int) -> int:
    return 8 if rows == cols else 4


def _moved(boards: Array, index: int) -> Array:
    """A view `(…, rows, cols)` through a symmetry."""
    if index & 1:
        boards = np.flip(boards, -1)
    if index & 2:
        boards = np.flip(boards, -2)
    if index & 4:
        boards = np.rot90(boards, axes=(-2, -1))
    return boards


def _moved_policy(policy: Array, index: int, rows: int, cols: int) -> Array:
    board = policy[..., :-1].reshape(*policy.shape[:-1], rows, cols)
    return _joined(_moved(board, index), policy)


def _joined(board: Array, policy: Array) -> Array:
    """A policy with these numbers on the board and the pass of another."""
    moved = np.empty_like(policy, order="C")
    moved[..., :-1] = board.reshape(moved[..., :-1].shape)
    moved[..., -1] = policy[..., -1]
    return moved
