"""Agents around another one, whose attributes and methods they have besides their own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import seed_of
from sixplane._core import Game, GameBatch
from sixplane.agents.agent import Agent, Choice, select_in
from sixplane.agents.rules import places_by_rules
from sixplane.search import SearchResult


class AroundAgent:
    """Has the attributes and methods of another agent besides its own."""

    agent: Any

    def __getattr__(self, name: str) -> Any:
        # A copy asks for methods of its own before it has an agent.
        agent = None if name == "agent" or name.startswith("__") else self.agent
        if agent is None:
            raise AttributeError(name)
        found = getattr(agent, name)
        return partial(self._consider, found) if name == "consider" else found

    def _consider(
        self, consider: Callable[..., Iterator[SearchResult]], *arguments: Any, **options: Any
    ) -> Iterator[SearchResult]:
        """Searches as the agent does."""
        return consider(*arguments, **options)


class AgentForGame(AroundAgent):
    """Plays every game as the agent of the spec that is for it, which `make` makes with this seed."""

    def __init__(self, make: Callable[[str, int | None], Agent], seed: int | None) -> None:
        self._make, self._seed = make, None if seed is None else seed_of(seed)
        self._spec = ""
        self.agent: Any = None
        """The agent of the last game; None before the first."""

    @abstractmethod
    def _spec_for(self, game: Game) -> str:
        """Returns the spec of the agent that plays a game."""

    def agent_for(self, game: Game) -> Any:
        """Returns the agent that plays a game: the one of the last game, if it has the same spec."""
        spec = self._spec_for(game)
        if spec != self._spec:
            self.agent, self._spec = self._make(spec, self._seed), spec
        return self.agent

    def prepare(self, game: Game) -> None:
        """Makes the agent for a game."""
        agent = self.agent_for(game)
        if hasattr(agent, "prepare"):
            agent.prepare(game)

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        number = seed_of(seed)
        if hasattr(self.agent, "reseed"):
            self.agent.reseed(number)
        self._seed = number

    def select_action(self, game: Game) -> Choice:
        """Chooses as the agent for this game does."""
        choice: Choice = self.agent_for(game).select_action(game)
        return choice

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index` as the agent for each does: at once in those of the same rules."""
        actions = np.zeros(len(index), np.int64)
        for places in places_by_rules(batch, index) if len(index) else ():
            games = index[places]
            actions[places] = select_in(self.agent_for(batch[int(games[0])]), batch, games)
        return actions
