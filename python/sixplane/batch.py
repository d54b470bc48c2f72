"""What one step of a batch of games gives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["BatchStep"]


class BatchStep(NamedTuple):
    """The arrays of one `GameBatch.step`: B games, A actions.

    Rewards, flags, outcomes and scores speak of the action just played; planes, masks and turns
    of what comes next: with `autoreset="same_step"`, the new game where one has ended.
    """

    planes: npt.NDArray[np.uint8]
    """`(B, 6, rows, cols)`: 0 and 1."""
    action_masks: npt.NDArray[np.int8]
    """`(B, A)`: 1 where an action is legal."""
    turns: npt.NDArray[np.int8]
    """`(B,)`: the player to play, 0 black, 1 white."""
    rewards: npt.NDArray[np.float32]
    """`(B,)`: from black's view +1, 0, -1 at the end of a game; 0 while it goes on."""
    terminated: npt.NDArray[np.bool_]
    """`(B,)`: the action ended the game."""
    truncated: npt.NDArray[np.bool_]
    """`(B,)`: the action brought the game to `max_moves`, and it was cut off."""
    outcomes: npt.NDArray[np.int8]
    """`(B,)`: +1 black, 0 draw, -1 white, -2 running."""
    scores: npt.NDArray[np.float32]
    """`(B,)`: the score of the board from black's view."""
    final_index: npt.NDArray[np.int64]
    """`(k,)`: the games that ended and were reset in this step; empty unless `same_step`."""
    final_planes: npt.NDArray[np.uint8]
    """`(k, 6, rows, cols)`: their last planes."""
