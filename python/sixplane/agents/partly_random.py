"""An agent that plays a share of its moves at random, so that it is weaker by as much as one likes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import Game, GameBatch
from sixplane.agents.agent import Agent, Choice, select_in
from sixplane.agents.around import AroundAgent
from sixplane.agents.random import RandomAgent


class PartlyRandomAgent(AroundAgent):
    """Plays as another agent does, but a share of its moves as `RandomAgent` does.

    Each move is random with the chance `share`, whatever the position, and then the agent is not asked. All
    other attributes and methods are those of the agent: what it shows of a search is the search's, also
    before a random move.

    Args:
        agent: the agent.
        share: the chance that a move is random, from 0 to 1.
        seed: the seed of the random moves, not of the agent; None takes one from the system.

    Raises:
        ValueError: the share is not from 0 to 1.

    Example:
        >>> import numpy as np
        >>> import sixplane
        >>> from sixplane.agents import MCTSAgent
        >>> agent = PartlyRandomAgent(MCTSAgent(simulations=50, seed=1), share=0.3, seed=2)
        >>> game = sixplane.Reversi(size=6)
        >>> agent.select_action(game) in game.legal_actions
        True
        >>> agent.share, agent.limits
        (0.3, (50, inf))
        >>> agent.reseed(2)  # reseeds the agent, too
        >>> agent.select_actions(sixplane.GameBatch(game, 3), np.array([0, 2])).shape
        (2,)
        >>> for _ in agent.consider(game):
        ...     pass
        >>> agent.decide(game) in game.legal_actions
        True
    """

    def __init__(self, agent: Agent, share: float, seed: int | None = None) -> None:
        if not (0 <= share <= 1):
            raise ValueError(f"the share of random moves must be from 0 to 1, not {share!r}")
        self.agent: Agent = agent
        """The agent that plays the other moves."""
        self.share = float(share)
        """The chance that a move is random."""
        self._begin(None if seed is None else integer("seed", seed, 0))

    def _begin(self, seed: int | None) -> None:
        # A stream beside that of the agent, which may have the same seed.
        own = np.random.SeedSequence(None if seed is None else [seed, 1])
        of_chances, of_moves = own.spawn(2)
        self._chances = np.random.default_rng(of_chances)
        self._random = RandomAgent(seed=int(of_moves.generate_state(1)[0]))

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, those of the agent too, as new ones with this seed."""
        seed = integer("seed", seed, 0)
        if hasattr(self.agent, "reseed"):
            self.agent.reseed(seed)
        self._begin(seed)

    def select_action(self, game: Game) -> Choice:
        """Chooses as the agent does, or a random action.

        Raises:
            ValueError: the game is over.
        """
        return self._random_choice(game) if self._is_random() else self.agent.select_action(game)

    def decide(self, game: Game) -> Choice:
        """Chooses as `select_action` does, by the agent's last search, which must have been of this game.

        If that search was among some actions alone, a random action is one of them, each equally likely.
        """
        if self._is_random():
            allowed = getattr(self.agent, "allowed", None)
            if allowed is None:
                return self._random_choice(game)
            legal = game.action_mask.astype(np.bool_) & np.asarray(allowed, np.bool_)
            return int(self._chances.choice(np.flatnonzero(legal)))
        choice: Choice = self.agent.decide(game)  # type: ignore[attr-defined]  # an agent that searches
        return choice

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index` of a batch, by the same random numbers as game by game."""
        is_random = self._chances.random(len(index)) < self.share
        actions = np.zeros(len(index), np.int64)
        if is_random.any():
            actions[is_random] = self._random.select_actions(batch, index[is_random])
        if not is_random.all():
            actions[~is_random] = select_in(self.agent, batch, index[~is_random])
        return actions

    def _is_random(self) -> bool:
        return bool(self._chances.random() < self.share)

    def _random_choice(self, game: Game) -> int:
        """Chooses a random action as in a batch, so that the random numbers are the same."""
        if game.is_over:
            raise ValueError("the game is over")
        batch = GameBatch.from_games([game], seed=0, threads=1)
        return int(self._random.select_actions(batch, np.zeros(1, np.int64))[0])
