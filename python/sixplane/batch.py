"""What one step of a batch of games gives."""

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
    """It did not."""
    RULES = 1
    """By the rules of the game."""
    CUTOFF = 2
    """It brought the game to `max_moves`."""
    ILLEGAL = 3
    """It was illegal, which lost the game; the game itself holds a resignation."""


class BatchStep(NamedTuple):
    """The arrays of one `GameBatch.step`: B games, A actions.

    Rewards, flags, outcomes, scores, move numbers, endings and actors speak of the action just
    played; planes, masks and turns of what comes next: with `autoreset="same_step"`, the new game
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
    """`(B, 6, rows, cols)`: 0 and 1; with `view="player"` the stones of the player to play first. With
    `history=k`, `(B, 2k + 1, rows, cols)`."""
    action_masks: npt.NDArray[np.int8]
    """`(B, A)`: 1 where an action is legal."""
    turns: npt.NDArray[np.int8]
    """`(B,)`: the player to play, 0 black, 1 white."""
    rewards: npt.NDArray[np.float32]
    """`(B,)`: +1, 0, -1 at the end of a game, black's or with `view="player"` the actor's; 0 while it
    goes on, and with `cutoff="truncate"` where `max_moves` cut it short."""
    terminated: npt.NDArray[np.bool_]
    """`(B,)`: the action ended the game; with `cutoff="truncate"`, not by `max_moves`."""
    truncated: npt.NDArray[np.bool_]
    """`(B,)`: the action was the last that `max_steps` allows, or with `cutoff="truncate"`, brought the
    game to `max_moves`."""
    outcomes: npt.NDArray[np.int8]
    """`(B,)`: who won, +1 black, 0 draw, -1 white; -2 running. A game has it in words: `Game.outcome`."""
    scores: npt.NDArray[np.float32]
    """`(B,)`: the score of the board from black's view."""
    final_index: npt.NDArray[np.int64]
    """`(k,)`: the games that ended and were reset in this step; empty unless `same_step`."""
    final_planes: npt.NDArray[np.uint8]
    """`(k, 6, rows, cols)`: their last planes, in the same view; with `history`, of as many boards."""
    move_numbers: npt.NDArray[np.int64]
    """`(B,)`: how many actions the game has that the action was played in."""
    endings: npt.NDArray[np.int8]
    """`(B,)`: how the action ended the game, an `Ending`; 0 where it did not."""
    actors: npt.NDArray[np.int8]
    """`(B,)`: who played the action, 0 black, 1 white; -1 where none was played."""
    final_masks: npt.NDArray[np.int8]
    """`(k, A)`: the last action masks of the games of `final_index`."""
