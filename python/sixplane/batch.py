"""What one step of a batch of games returns."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["BatchStep", "Ending"]


class Ending(IntEnum):
    """How the action of a step ended its game.

    Example:
        >>> import sixplane
        >>> batch = sixplane.GameBatch(sixplane.Gomoku(size=5), 2)
        >>> batch.play([0, 1])
        >>> step = batch.step([0, 2], illegal="lose")
        >>> [Ending(ending).name for ending in step.endings]
        ['ILLEGAL', 'NONE']
    """

    NONE = 0
    """The game goes on."""
    RULES = 1
    """The game ended by its rules."""
    CUTOFF = 2
    """The game reached `max_moves`."""
    ILLEGAL = 3
    """The action was illegal and lost the game, which now holds a resignation."""


class BatchStep(NamedTuple):
    """The arrays that one `GameBatch.step` of B games with A actions returns.

    Rewards, flags, outcomes, scores, move numbers, endings and actors describe the action just played.
    Planes, masks and turns describe the next position: with `autoreset="same_step"`, that of the new game
    where one has ended. Where no action was played, reward and flags are 0, and the rest says how the
    game stands.

    Example:
        >>> import sixplane
        >>> batch = sixplane.GameBatch(sixplane.Go(size=5, komi=0.5), 3)
        >>> batch.play([25, 12, 12])
        >>> step = batch.step([25, 25, 0])  # both players have passed in the first game
        >>> step.terminated.tolist(), step.rewards.tolist(), step.scores.tolist()
        ([True, False, False], [-1.0, 0.0, 0.0], [-0.5, 24.5, -0.5])
        >>> step.final_index, step.final_planes.shape, step.planes.shape
        (array([0]), (1, 6, 5, 5), (3, 6, 5, 5))
    """

    planes: npt.NDArray[np.uint8]
    """The next planes, `(B, 6, rows, cols)` of 0 and 1; with `view="player"` the stones of the player to play
    come first. With `history=k` the shape is `(B, 2k + 1, rows, cols)`."""
    action_masks: npt.NDArray[np.int8]
    """The next action masks, `(B, A)`: 1 where an action is legal."""
    turns: npt.NDArray[np.int8]
    """The players to play next, `(B,)`: 0 black, 1 white."""
    rewards: npt.NDArray[np.float32]
    """The rewards, `(B,)`: +1, 0 or -1 at the end of a game, Black's or with `view="player"` the actor's; 0
    while it goes on, and with `cutoff="truncate"` where `max_moves` ended it."""
    terminated: npt.NDArray[np.bool_]
    """Whether the action ended the game, `(B,)`; with `cutoff="truncate"`, not by `max_moves`."""
    truncated: npt.NDArray[np.bool_]
    """Whether the action was the last that `max_steps` allows, `(B,)`, or with `cutoff="truncate"` the last
    that `max_moves` allows."""
    outcomes: npt.NDArray[np.int8]
    """The outcomes, `(B,)`: +1 black, 0 draw, -1 white, -2 running. `Game.outcome` has them in words."""
    scores: npt.NDArray[np.float32]
    """The scores of the boards from Black's view, `(B,)`."""
    final_index: npt.NDArray[np.int64]
    """The games that ended and were reset in this step, `(k,)`; there are none unless in `same_step`."""
    final_planes: npt.NDArray[np.uint8]
    """The last planes of the games of `final_index`, `(k, ...)`, in the form of `planes`."""
    move_numbers: npt.NDArray[np.int64]
    """How many actions each game has after this one, before any reset, `(B,)`."""
    endings: npt.NDArray[np.int8]
    """How the action ended the game, `(B,)`: an `Ending`, 0 where it did not."""
    actors: npt.NDArray[np.int8]
    """Who played the action, `(B,)`: 0 black, 1 white, -1 where none was played."""
    final_masks: npt.NDArray[np.int8]
    """The last action masks of the games of `final_index`, `(k, A)`."""
