"""What an agent chooses in many games, with all at once or one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sixplane._core import GameBatch
from sixplane.agents.agent import Agent, Resignation


def choices_of(
    agent: Agent, batch: GameBatch, index: NDArray[np.int64], read: Callable[[object], int]
) -> NDArray[np.int64]:
    """Returns an agent's action in each of these games, `(k,)`; -1 is a resignation.

    A player whose only legal action is a pass is not asked to move. What `select_actions` returns may still
    be illegal.

    Args:
        agent: asked in one call if it has `select_actions`, else game by game.
        batch: holds the games.
        index: the running games in which it is to play, `(k,)`.
        read: makes an action of what `select_action` returns instead of a resignation.

    Raises:
        ValueError: `select_actions` does not return an integer for each game.
    """
    actions = np.full(len(index), batch.num_actions - 1)
    asked = np.flatnonzero(batch.action_masks[index, :-1].any(axis=1))
    games = index[asked]
    if not hasattr(agent, "select_actions"):
        choices = [agent.select_action(batch[i]) for i in games.tolist()]
        actions[asked] = [-1 if isinstance(choice, Resignation) else read(choice) for choice in choices]
    elif len(games):
        answers = np.asarray(agent.select_actions(batch, games))
        if answers.shape != games.shape or answers.dtype.kind not in "iu":
            raise ValueError(
                f"select_actions of {type(agent).__name__} must return {len(games)} integers, "
                f"not {answers.dtype} {answers.shape}"
            )
        actions[asked] = answers
    return actions
