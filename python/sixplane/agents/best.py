"""The best agent that comes with the package for a board: who plays unless the user names another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sixplane._core import Game
from sixplane.agents.around import AgentForGame
from sixplane.agents.dead_stones import CapturingAgent
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.saved_network import shipped_name
from sixplane.agents.spec import made
from sixplane.games import info_of
from sixplane.search import SearchResult


def best_spec(game: Game, threads: int = 1) -> str:
    """Names the agent that plays a game best, by its board and rules: a search of one second a move.

    It asks a network of the package where matches have shown that this is stronger, and proves wins and
    losses where the game has a solver.
    """
    info = info_of(game)
    exact = ",exact=true" if info.has_solver else ""
    if info.prefers_network(game) and (name := shipped_name(game)) is not None:
        return f"network@network:name={name},seconds=1,threads={threads}{exact}"
    return f"mcts@mcts:{info.player.replace('{threads}', str(threads))}{exact}"


class BestAgent(AgentForGame):
    """Plays every game by the best agent that comes with the package for its board and rules.

    It searches for one second a move, unless a limit of time says less, and shows its search as `MCTSAgent`
    does.

    Args:
        threads: how many the search uses.
        seed: the seed of all randomness; None takes one from the system.

    Example:
        >>> import numpy as np
        >>> import sixplane
        >>> agent = BestAgent(seed=1)
        >>> agent.limit_time(0.1)
        >>> for game in (sixplane.Go(size=9), sixplane.Go(size=5), sixplane.Gomoku()):
        ...     assert agent.select_action(game) in game.legal_actions
        >>> agent.agent_for(sixplane.Go(size=9)).evaluator is None  # a network plays there
        False
        >>> game = sixplane.Reversi(size=6)
        >>> for result in agent.consider(game):
        ...     best = agent.decide(game)
        >>> agent.priors(game).shape, agent.variation(best)[0] == best
        ((37,), True)
        >>> agent.variation_visits(best)[0] == int(result.visits[best])
        True
        >>> batch = sixplane.GameBatch(game, 2, seed=1)
        >>> agent.select_actions(batch, np.arange(2)).shape
        (2,)
    """

    def __init__(self, threads: int = 1, seed: int | None = None) -> None:
        super().__init__(made, seed)
        self._threads = threads
        self._limit: float | None = None
        self.agent = CapturingAgent(MCTSAgent(seed=seed))

    def _spec_for(self, game: Game) -> str:
        """Returns the spec of the best agent for a game."""
        return best_spec(game, self._threads)

    def agent_for(self, game: Game) -> CapturingAgent:
        """Returns the agent that searches this game: the one of the last game, if it is the best here too."""
        before = self.agent
        agent: CapturingAgent = super().agent_for(game)
        if agent is not before and self._limit is not None:
            agent.limit_time(self._limit)
        return agent

    def limit_time(self, seconds: float) -> None:
        """Limits every later move to this time, in every game."""
        self.agent.limit_time(seconds)
        self._limit = seconds

    def consider(
        self,
        game: Game,
        interval: float | None = None,
        *,
        endless: bool = False,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Iterator[SearchResult]:
        """Searches for one move, and gives its results from time to time, as `MCTSAgent.consider` does.

        Raises:
            ValueError: the game is over, or no allowed action is legal.
        """
        results: Iterator[SearchResult] = self.agent_for(game).consider(
            game, interval, endless=endless, allowed=allowed
        )
        return results

    def priors(self, game: Game) -> NDArray[np.float64]:
        """Returns the prior of each action, `(A,)`."""
        priors: NDArray[np.float64] = self.agent_for(game).priors(game)
        return priors
