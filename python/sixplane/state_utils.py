"""GymGo's `state_utils`: the steps that make up a play in `sixplane.gogame`.

States are NumPy arrays `(6, rows, cols)`, a batch of them `(B, 6, rows, cols)`; a player is 0 or 1, black or
white. Unlike everything else in sixplane, `update_pieces` and `set_turn` and their batch forms change the
state that they are given. Boards have from 2 to 25 rows and columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sixplane import _arguments, govars, planes
from sixplane._arguments import Array

__all__ = [
    "adj_data",
    "batch_adj_data",
    "batch_compute_invalid_moves",
    "batch_set_turn",
    "batch_update_pieces",
    "compute_invalid_moves",
    "set_turn",
    "update_pieces",
]

NEIGHBORS = np.array([[-1, 0], [1, 0], [0, -1], [0, 1]])


def compute_invalid_moves(
    state: Array, player: int, ko_protect: Sequence[int] | None = None
) -> NDArray[np.bool_]:
    """Returns where the opponent of `player` may not play, `(rows, cols)`.

    These are occupied points, the point of a ko, and surrounded points where a stone would take nothing and
    have no liberty.

    Args:
        state: whose stones count; its own plane 3 does not.
        player: who has just played.
        ko_protect: (row, column) of a stone that may not be retaken, or None.

    Example:
        >>> from sixplane import gogame
        >>> state = gogame.next_state(gogame.next_state(gogame.init_state(2), 1), 4)
        >>> state = gogame.next_state(state, 2)
        >>> compute_invalid_moves(state, govars.BLACK)
        array([[ True,  True],
               [ True,  True]])
    """
    _arguments.planes(state)
    opponent = 1 - _player(player)
    stones = state[[govars.BLACK, govars.WHITE]] != 0
    taken = stones.any(axis=0)
    counts = planes.liberties(state)
    # One of these beside a point lets the opponent play there: an own chain with another liberty, or one of
    # the player's whose last liberty it is.
    helps = stones[opponent] & (counts > 1) | stones[player] & (counts == 1)
    # A free point that is a group of its own has no free neighbor.
    groups = planes.label(~taken)
    surrounded = np.bincount(groups.ravel())[groups] == 1
    invalid: NDArray[np.bool_] = taken | surrounded & ~planes.dilate(helps)
    if ko_protect is not None:
        invalid[_point(state, ko_protect)] = True
    return invalid


def batch_compute_invalid_moves(
    batch_state: Array, batch_player: Iterable[int], batch_ko_protect: Iterable[Sequence[int] | None]
) -> NDArray[np.bool_]:
    """Returns where the opponent may not play in each state of a batch, `(B, rows, cols)`.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_next_states(gogame.batch_init_state(2, 2), [0, 3])
        >>> batch_compute_invalid_moves(states, [govars.BLACK, govars.BLACK], [None, (0, 0)])[:, 0]
        array([[ True, False],
               [ True, False]])
    """
    _arguments.batch(batch_state)
    players = _arguments.one_each("batch_player", batch_player, len(batch_state))
    protected = _arguments.one_each("batch_ko_protect", batch_ko_protect, len(batch_state))
    found = np.empty((len(batch_state), *batch_state.shape[2:]), np.bool_)
    arguments = zip(batch_state, players, protected, strict=True)
    for invalid, (state, player, ko_protect) in zip(found, arguments, strict=True):
        invalid[:] = compute_invalid_moves(state, player, ko_protect)
    return found


def update_pieces(state: Array, adj_locs: NDArray[np.integer], player: int) -> list[NDArray[np.int64]]:
    """Removes the opponent's chains without liberties at these points; changes the state.

    Args:
        state: with the stone that `player` has put.
        adj_locs: `(k, 2)` of (row, column), such as `adj_data` gives.
        player: who has just played.

    Returns:
        The stones of each chain that was taken, `(n, 2)` of (row, column).

    Example:
        >>> from sixplane import gogame
        >>> state = gogame.next_state(gogame.next_state(gogame.init_state(3), 1), 0)
        >>> state[govars.BLACK, 1, 0] = 1
        >>> update_pieces(state, adj_data(state, (1, 0), govars.BLACK)[0], govars.BLACK)
        [array([[0, 0]])]
    """
    _arguments.planes(state)
    opponent = 1 - _player(player)
    labels = planes.label(state[opponent])
    counts = planes.liberties(state)
    points = [_point(state, point) for point in adj_locs]
    rows, cols = np.array(points, np.int64).reshape(-1, 2).T
    killed = []
    for number in np.unique(labels[rows, cols]):
        stones = labels == number
        if number and not counts[stones].any():
            state[opponent][stones] = 0
            killed.append(np.argwhere(stones))
    return killed


def batch_update_pieces(
    batch_non_pass: NDArray[np.integer],
    batch_state: Array,
    batch_adj_locs: Iterable[NDArray[np.integer]],
    batch_player: Iterable[int],
) -> list[list[NDArray[np.int64]]]:
    """Removes such chains from the states of a batch at the indices `batch_non_pass`.

    `batch_adj_locs` and `batch_player` have one entry for each of those. The answer for a state is that of
    `update_pieces`, where GymGo mistakes the empty points of one board for those of another.

    Raises:
        TypeError, IndexError, ValueError: an index is no integer or none of the batch, or the entries are not
            as many. No state has changed.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_init_state(2, 3)
        >>> states[1, govars.WHITE, 0, 0] = states[1, govars.BLACK, 0, 1] = states[1, govars.BLACK, 1, 0] = 1
        >>> batch_update_pieces(np.array([1]), states, [np.array([[0, 0]])], [govars.BLACK])
        [[array([[0, 0]])]]
    """
    _arguments.batch(batch_state)
    indices, adj_locs, players = np.asarray(batch_non_pass).tolist(), list(batch_adj_locs), list(batch_player)
    if not isinstance(indices, list):
        raise TypeError(f"batch_non_pass must be a sequence of indices, not {indices!r}")
    for index in indices:
        if not 0 <= _arguments.integer("an index", index) < len(batch_state):
            raise IndexError(f"index {index} is out of bounds: the batch has {len(batch_state)} states")
    for name, given in (("batch_adj_locs", adj_locs), ("batch_player", players)):
        if len(given) != len(indices):
            raise ValueError(f"{name} must have {len(indices)} entries, one for each index, not {len(given)}")
    # An error in one state leaves all of them as they were.
    after = batch_state.copy()
    arguments = zip(indices, adj_locs, players, strict=True)
    killed = [update_pieces(after[index], points, player) for index, points, player in arguments]
    batch_state[...] = after
    return killed


def adj_data(
    state: Array, action2d: Sequence[int] | NDArray[np.integer], player: int
) -> tuple[NDArray[np.int64], bool]:
    """Returns the neighbors of a point, `(k, 2)` of (row, column), and whether the opponent has all of them.

    Example:
        >>> from sixplane import gogame
        >>> neighbors, surrounded = adj_data(gogame.init_state(3), (0, 1), govars.WHITE)
        >>> neighbors.tolist(), surrounded
        ([[1, 1], [0, 0], [0, 2]], False)
    """
    _arguments.planes(state)
    neighbors = NEIGHBORS + np.array(_point(state, action2d))
    neighbors = neighbors[((neighbors >= 0) & (neighbors < state.shape[1:])).all(axis=1)]
    rows, cols = neighbors.T
    return neighbors, bool((state[1 - _player(player)][rows, cols] != 0).all())


def batch_adj_data(
    batch_state: Array, batch_action2d: Iterable[Sequence[int]], batch_player: Iterable[int]
) -> tuple[list[NDArray[np.int64]], list[bool]]:
    """Returns the neighbors of a point of each state of a batch, and whether the opponent has all of them.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_init_state(2, 3)
        >>> neighbors, surrounded = batch_adj_data(states, [(0, 0), (1, 1)], [govars.BLACK, govars.BLACK])
        >>> [len(points) for points in neighbors], surrounded
        ([2, 4], [False, False])
    """
    _arguments.batch(batch_state)
    points = _arguments.one_each("batch_action2d", batch_action2d, len(batch_state))
    players = _arguments.one_each("batch_player", batch_player, len(batch_state))
    found = [adj_data(*each) for each in zip(batch_state, points, players, strict=True)]
    return [neighbors for neighbors, _ in found], [surrounded for _, surrounded in found]


def set_turn(state: Array) -> None:
    """Gives the turn to the other player; changes the state.

    Example:
        >>> from sixplane import gogame
        >>> state = gogame.init_state(3)
        >>> set_turn(state)
        >>> gogame.turn(state)
        1
    """
    _arguments.planes(state)
    state[govars.TURN_CHNL] = state[govars.TURN_CHNL] == 0


def batch_set_turn(batch_state: Array) -> None:
    """Gives the turn to the other player in each state of a batch; changes the states.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_next_states(gogame.batch_init_state(2, 3), [4, 9])
        >>> batch_set_turn(states)
        >>> gogame.batch_turn(states)
        array([0, 0])
    """
    _arguments.batch(batch_state)
    batch_state[:, govars.TURN_CHNL] = batch_state[:, govars.TURN_CHNL] == 0


def _point(state: Array, value: object) -> tuple[int, int]:
    """Returns the (row, column) that a value is; further items are ignored, as by GymGo."""
    match value.tolist() if isinstance(value, np.ndarray) else value:
        case [row, col, *_]:
            row, col = _arguments.integer("a row", row), _arguments.integer("a column", col)
        case _:
            raise TypeError(f"a point must be (row, col), not {value!r}")
    rows, cols = state.shape[1:]
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"row {row}, column {col} is off the board of {rows}x{cols}")
    return row, col


def _player(player: int) -> int:
    player = _arguments.integer("player", player)
    if player not in (govars.BLACK, govars.WHITE):
        raise ValueError(f"player must be 0 (black) or 1 (white), not {player}")
    return player
