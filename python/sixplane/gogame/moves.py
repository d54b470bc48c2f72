"""Valid and invalid actions, and random valid ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import Array
from sixplane._arguments import batch as batch_of
from sixplane._arguments import planes as planes_of
from sixplane.gogame.flags import game_ended
from sixplane.gogame.states import InvalidMoveError
from sixplane.govars import DONE_CHNL, INVD_CHNL


def valid_moves(state: Array) -> NDArray[np.float64]:
    """Returns the valid actions, `(rows * cols + 1,)`: 1 for each, else 0; 1 minus `invalid_moves`.

    Example:
        >>> from sixplane import gogame
        >>> gogame.valid_moves(gogame.next_state(gogame.init_state(2), 0))
        array([0., 1., 1., 1., 1.])
    """
    return 1 - invalid_moves(state)


def batch_valid_moves(batch_state: Array) -> NDArray[np.float64]:
    """Returns the valid actions, `(B, rows * cols + 1)`: 1 for each, else 0; 1 minus `batch_invalid_moves`.

    Example:
        >>> from sixplane import gogame
        >>> gogame.batch_valid_moves(gogame.batch_next_states(gogame.batch_init_state(2, 2), [0, 4]))
        array([[0., 1., 1., 1., 1.],
               [1., 1., 1., 1., 1.]])
    """
    return 1 - batch_invalid_moves(batch_state)


def invalid_moves(state: Array) -> NDArray[np.float64]:
    """Returns the invalid plane as a row with 0 for the pass, `(rows * cols + 1,)`; all 0 in a finished game.

    Example:
        >>> from sixplane import gogame
        >>> gogame.invalid_moves(gogame.next_state(gogame.init_state(2), 0))
        array([1., 0., 0., 0., 0.])
    """
    planes = planes_of(state)
    moves = np.zeros(planes[INVD_CHNL].size + 1)
    if not planes[DONE_CHNL, 0, 0]:
        moves[:-1] = planes[INVD_CHNL].ravel() != 0
    return moves


def batch_invalid_moves(batch_state: Array) -> NDArray[np.float64]:
    """Returns the invalid planes as rows, with 0 for the pass, `(B, rows * cols + 1)`.

    Finished games are no exception here, as in GymGo.

    Example:
        >>> from sixplane import gogame
        >>> gogame.batch_invalid_moves(gogame.batch_next_states(gogame.batch_init_state(2, 2), [0, 4]))
        array([[1., 0., 0., 0., 0.],
               [0., 0., 0., 0., 0.]])
    """
    invalid = batch_of(batch_state)[:, INVD_CHNL]
    boards, rows, cols = invalid.shape
    moves = np.zeros((boards, rows * cols + 1))
    moves[:, :-1] = invalid.reshape(boards, rows * cols) != 0
    return moves


def random_action(state: Array) -> int:
    """Samples a valid action, which may be the pass, by NumPy's global generator.

    Raises:
        InvalidMoveError: the game is over.

    Example:
        >>> from sixplane import gogame
        >>> 0 <= gogame.random_action(gogame.init_state(3)) <= 9
        True
    """
    if game_ended(state):
        raise InvalidMoveError("game_over", "the game is over")
    return random_weighted_action(valid_moves(state))


def random_weighted_action(weights: ArrayLike) -> int:
    """Samples an index in proportion to its weight, by NumPy's global generator.

    Raises:
        ValueError: the weights are not a row of numbers from 0 up with a positive sum.

    Example:
        >>> from sixplane import gogame
        >>> gogame.random_weighted_action([0, 0, 2, 0])
        2
    """
    given = np.asarray(weights, dtype=np.float64)
    total = given.sum()
    if given.ndim != 1 or not (given >= 0).all() or not 0 < total < np.inf:
        raise ValueError("weights must be a row of finite numbers, none negative, not all 0")
    return int(np.random.choice(len(given), p=given / total))  # noqa: NPY002 - GymGo's generator
