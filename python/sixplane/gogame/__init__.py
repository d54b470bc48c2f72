"""GymGo's functional interface: Go as pure functions on six planes.

A state is a NumPy array `(6, rows, cols)` of zeros and ones (the table is in `sixplane`), a batch is
`(B, 6, rows, cols)`; rows and columns are from 2 to 25. An action is `row * cols + col`, and
`rows * cols` is a pass. Functions keep no history, so the only ko here is the simple one, which the
invalid plane holds; `sixplane.Go` knows superko. No input is ever changed.

Any boolean, integer or float dtype is read. A cell that is not 0 counts as 1; turn, pass and done are read
at the first cell of their planes. Every function raises `TypeError` for what is no such array and
`ValueError` for another shape; those that look at stones also raise `ValueError` if a point holds two.

Unlike GymGo: a batch with passes equals its boards one by one, actions out of range raise, and a finished
game has no next state, no children and no random action. (`invalid_moves` of a finished game is all 0 here
too.)

    >>> from sixplane import gogame
    >>> state = gogame.init_state(3)
    >>> for action in (4, 0, 1, 9):
    ...     state = gogame.next_state(state, action)
    >>> gogame.areas(state)
    (np.float64(2.0), np.float64(1.0))

The `batch_` functions do the same for many boards. On the first, black plays; on the second, it passes:

    >>> states = gogame.batch_next_states(gogame.batch_init_state(2, 3), [4, 9])
    >>> gogame.batch_turn(states), gogame.batch_prev_player_passed(states)
    (array([1, 1]), array([False,  True]))
    >>> gogame.batch_winning(states, komi=0.5)
    array([ 1., -1.])
"""

from sixplane.gogame.counting import areas, batch_areas, batch_winning, liberties, num_liberties, winning
from sixplane.gogame.flags import (
    batch_game_ended,
    batch_prev_player_passed,
    batch_turn,
    game_ended,
    prev_player_passed,
    turn,
)
from sixplane.gogame.moves import (
    batch_invalid_moves,
    batch_valid_moves,
    invalid_moves,
    random_action,
    random_weighted_action,
    valid_moves,
)
from sixplane.gogame.states import (
    InvalidMoveError,
    action_size,
    batch_canonical_form,
    batch_init_state,
    batch_next_states,
    canonical_form,
    children,
    init_state,
    next_state,
)
from sixplane.gogame.symmetries import all_symmetries, random_symmetry
from sixplane.gogame.text import str  # noqa: A004 - GymGo's name

__all__ = [
    "InvalidMoveError",
    "action_size",
    "all_symmetries",
    "areas",
    "batch_areas",
    "batch_canonical_form",
    "batch_game_ended",
    "batch_init_state",
    "batch_invalid_moves",
    "batch_next_states",
    "batch_prev_player_passed",
    "batch_turn",
    "batch_valid_moves",
    "batch_winning",
    "canonical_form",
    "children",
    "game_ended",
    "init_state",
    "invalid_moves",
    "liberties",
    "next_state",
    "num_liberties",
    "prev_player_passed",
    "random_action",
    "random_symmetry",
    "random_weighted_action",
    "str",
    "turn",
    "valid_moves",
    "winning",
]
