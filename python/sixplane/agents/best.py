"""The best agent that comes with the package for a board: who plays unless the user names another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sixplane.agents.saved_network import shipped_name
from sixplane.agents.spec import AgentSpec
from sixplane.games import info_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from sixplane._core import Game
    from sixplane.agents.agent import Choice
    from sixplane.agents.mcts import MCTSAgent
    from sixplane.search import SearchResult

__all__ = ["BestAgent", "best_spec"]


def best_spec(game: Game, threads: int = 1) -> str:
    """The agent that plays a game best, by its board and rules: a search of one second a move.

    It asks a network of the package where matches have shown that this is stronger.

    Args:
        game: the game.
        threads: of the search.
    """
    info = info_of(game)
    if info.prefers_network(game) and (name := shipped_name(game)) is not None:
        return f"network@network:name={name},seconds=1,threads={threads}"
    options: str = info.player(game)
    return f"mcts@mcts:{options.replace('{threads}', str(threads))}"


class BestAgent:
    """Plays every game by the best agent that comes with the package for its board and rules.

    It searches for one second a move, unless a limit of time says less.

    Args:
        threads: of the search.
        seed: of all randomness; None takes one from the system.

    Example:
        >>> import sixplane
        >>> agent = BestAgent(seed=1)
        >>> agent.limit_time(0.1)
        >>> for game in (sixplane.Go(size=9), sixplane.Go(size=5), sixplane.Gomoku()):
        ...     assert agent.select_action(game) in game.legal_actions
        >>> agent.agent_for(sixplane.Go(size=9)).evaluator is None  # a network plays there
        False
        >>> game = sixplane.Reversi(size=6)
        >>> for result in agent.consider(game):  # it shows its search, as `MCTSAgent` does
        ...     best = agent.decide(game)
        >>> agent.priors(game).shape, agent.variation(best)[0] == best
        ((37,), True)
        >>> agent.variation_visits(best)[0] == int(result.visits[best])
        True
    """

    def __init__(self, threads: int = 1, seed: int | None = None) -> None:
        self._threads, self._seed = threads, seed
        self._limit: float | None = None
        self._text: str | None = None
        self._agent: MCTSAgent | None = None

    def agent_for(self, game: Game) -> MCTSAgent:
        """The agent for this game, the same as before if it is the best for this one too."""
        text = best_spec(game, self._threads)
        if self._agent is None or text != self._text:
            # Every one of them searches.
            agent: MCTSAgent = AgentSpec.parse(text).make(self._seed)  # type: ignore[assignment]
            self._agent, self._text = agent, text
            if self._limit is not None:
                agent.limit_time(self._limit)
        return self._agent

    def limit_time(self, seconds: float) -> None:
        """Limits every later move to this time, in every game."""
        self._limit = seconds
        if self._agent is not None:
            self._agent.limit_time(seconds)

    def select_action(self, game: Game) -> Choice:
        """The best action that the search has found.

        Raises:
            ValueError: the game is over.
        """
        return self.agent_for(game).select_action(game)

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
        return self.agent_for(game).consider(game, interval, endless=endless, allowed=allowed)

    def decide(self, game: Game) -> Choice:
        """The move by the last search, which was of this game."""
        return self.agent_for(game).decide(game)

    def priors(self, game: Game) -> NDArray[np.float64]:
        """The prior of each action, `(A,)`."""
        return self.agent_for(game).priors(game)

    def variation(self, action: int) -> list[int]:
        """An action of the position searched last and the most visited ones after it; none if unvisited.

        Raises:
            ValueError: nothing was searched.
        """
        return self._searched().variation(action)

    def variation_visits(self, action: int) -> list[int]:
        """The visits of each action of `variation(action)`.

        Raises:
            ValueError: nothing was searched.
        """
        return self._searched().variation_visits(action)

    def _searched(self) -> MCTSAgent:
        if self._agent is None:
            raise ValueError("there is no variation: a search of one game comes first")
        return self._agent
