"""An agent that asks a function, such as the policy that a library has trained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import integer
from sixplane._core import Game, GameBatch
from sixplane.agents.agent import RESIGN, Choice
from sixplane.agents.evaluation import boards_of

Policy: TypeAlias = Callable[[NDArray[np.generic], NDArray[np.bool_]], ArrayLike]


class PolicyAgent:
    """Plays the actions that a function gives for planes and masks, in all games at once.

    Args:
        policy: planes `(k, 6, rows, cols)` and masks `(k, A)` bool, True = legal -> `(k,)` integers, the
            actions; -1 resigns. The arrays are fresh.
        view: `"player"`: the stones of the player to play come first, as environments with
            `view="player"` show them; `"black"`: absolute colors.
        dtype: the type of the planes: `"float32"`, `"uint8"` or `"bool"`.
        history: 0, or `k`: the function gets `history_planes(k)`, which are the player's in any case.

    Raises:
        TypeError, ValueError: the policy cannot be called, or an option has no such value.

    Example:
        >>> import sixplane
        >>> agent = PolicyAgent(lambda planes, masks: masks.argmax(axis=1))
        >>> game = sixplane.Go(size=5)
        >>> game.play(0)
        >>> agent.select_action(game)
        1
        >>> import numpy as np
        >>> batch = sixplane.GameBatch.from_games([game, sixplane.Go(size=5)])
        >>> agent.select_actions(batch, np.array([0, 1]))  # the policy is called once
        array([1, 0])
    """

    def __init__(
        self,
        policy: Policy,
        *,
        view: Literal["black", "player"] = "player",
        dtype: Literal["float32", "uint8", "bool"] = "float32",
        history: int = 0,
    ) -> None:
        if not callable(policy):
            raise TypeError(f"policy must be a function of planes and masks, not {policy!r}")
        if view not in ("black", "player"):
            raise ValueError(f"view must be 'black' or 'player', not {view!r}")
        if dtype not in ("uint8", "float32", "bool"):
            raise ValueError(f"dtype must be 'float32' or 'uint8' or 'bool', not {dtype!r}")
        self._policy = policy
        self._view = view
        self._dtype = dtype
        self._history = integer("history", history, 0)

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses an action in each of these games, by one call of the policy.

        Raises:
            TypeError: the policy gave a tuple.
            ValueError: the policy gave no such array. Illegal actions are left to whoever plays them.
        """
        planes = boards_of(batch, index, history=self._history, view=self._view, dtype=self._dtype)
        given = self._policy(planes, batch.action_masks[index].astype(np.bool_))
        if isinstance(given, tuple):
            raise TypeError(
                "the policy must give an array of actions, not a tuple; for a model of Stable-Baselines3 "
                "take lambda planes, masks: model.predict(planes, action_masks=masks)[0]"
            )
        actions = np.asarray(given)
        if actions.shape != (len(index),) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"the policy must give {len(index)} integers, not {actions.dtype} of shape {actions.shape}"
            )
        return actions.astype(np.int64)

    def select_action(self, game: Game) -> Choice:
        """Chooses an action for the player to play; `RESIGN` if the policy gives -1."""
        action = int(
            self.select_actions(GameBatch.from_games([game], seed=0, threads=1), np.zeros(1, np.int64))[0]
        )
        return RESIGN if action == -1 else action
