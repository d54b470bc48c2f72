"""The planes turn, pass and done: who is to play, whether the last action was a pass, whether it is over."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import Array
from sixplane._arguments import batch as batch_of
from sixplane._arguments import planes as planes_of
from sixplane.govars import DONE_CHNL, PASS_CHNL, TURN_CHNL


def turn(state: Array) -> int:
    """Returns the player to play: 0 black, 1 white.

    Example:
        >>> from sixplane import gogame
        >>> gogame.turn(gogame.next_state(gogame.init_state(3), 4))
        1
    """
    return int(planes_of(state)[TURN_CHNL, 0, 0] != 0)


def batch_turn(batch_state: Array) -> NDArray[np.int64]:
    """Returns the players to play on each board, `(B,)`: 0 black, 1 white.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_init_state(2, 3)
        >>> gogame.batch_turn(states), gogame.batch_turn(gogame.batch_next_states(states, [4, 9]))
        (array([0, 0]), array([1, 1]))
    """
    return _first_cells(batch_state, TURN_CHNL).astype(np.int64)


def prev_player_passed(state: Array) -> np.bool_:
    """Returns whether the previous action was a pass.

    Example:
        >>> from sixplane import gogame
        >>> bool(gogame.prev_player_passed(gogame.next_state(gogame.init_state(3), 9)))
        True
    """
    return np.bool_(planes_of(state)[PASS_CHNL, 0, 0])


def batch_prev_player_passed(batch_state: Array) -> NDArray[np.bool_]:
    """Returns whether the previous action was a pass, on each board, `(B,)`.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_next_states(gogame.batch_init_state(2, 3), [4, 9])
        >>> gogame.batch_prev_player_passed(states)
        array([False,  True])
    """
    return _first_cells(batch_state, PASS_CHNL)


def game_ended(state: Array) -> int:
    """Returns whether the game is over: 1 or 0.

    Example:
        >>> from sixplane import gogame
        >>> gogame.game_ended(gogame.next_state(gogame.next_state(gogame.init_state(3), 9), 9))
        1
    """
    return int(planes_of(state)[DONE_CHNL, 0, 0] != 0)


def batch_game_ended(batch_state: Array) -> NDArray[np.float64]:
    """Returns whether each game is over, `(B,)`: 1 or 0.

    Example:
        >>> from sixplane import gogame
        >>> states = gogame.batch_init_state(2, 3)
        >>> for actions in ([4, 9], [0, 9]):  # on the second board, both pass
        ...     states = gogame.batch_next_states(states, actions)
        >>> gogame.batch_game_ended(states)
        array([0., 1.])
    """
    return _first_cells(batch_state, DONE_CHNL).astype(np.float64)


def _first_cells(batch_state: Array, plane: int) -> NDArray[np.bool_]:
    cells: NDArray[np.bool_] = batch_of(batch_state)[:, plane, 0, 0] != 0
    return cells
