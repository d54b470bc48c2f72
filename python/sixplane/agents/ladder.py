"""An agent that plays a rung of the ladder of whatever board it is asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sixplane import ladder
from sixplane._core import Game, GameBatch
from sixplane.agents.agent import Agent, AroundAgent, Choice, select_one_by_one


class LadderAgent(AroundAgent):
    """Plays as a rung, and on another board as the rung that the same text means there.

    A limit of time changes nothing: a rung is as strong on every machine. All other attributes and methods
    are those of the agent of the rung, once a game has said which one that is.

    Args:
        rung: an Elo, such as `1200`, or `+3`, as `sixplane.ladder.find` reads it.
        make: makes the agent of a spec with a seed.
        seed: the seed of all randomness; None takes one from the system.

    Raises:
        LadderError: the text means no rung.
    """

    def __init__(self, rung: str, make: Callable[[str, int | None], Agent], seed: int | None = None) -> None:
        ladder.check(rung)
        self._text, self._make, self._seed = rung, make, seed
        self._board: tuple[object, ...] = ()
        self.agent: Agent | None = None
        """The agent of the rung; None before the first game."""
        self.rung: ladder.Rung | None = None
        """The rung that plays; None before the first game."""

    def agent_for(self, game: Game) -> Agent:
        """Returns the agent of the rung on a game's board: the one of the last game, if it has the same.

        Raises:
            LadderError: the board has no such rung.
        """
        board = type(game), game.rows, game.cols
        if self.agent is None or board != self._board:
            self.rung = ladder.find(game, self._text)
            self.agent, self._board = self._make(self.rung.spec, self._seed), board
        return self.agent

    def prepare(self, game: Game) -> None:
        """Makes the agent for a game.

        Raises:
            LadderError: the board has no such rung.
        """
        agent = self.agent_for(game)
        if hasattr(agent, "prepare"):
            agent.prepare(game)

    def limit_time(self, seconds: float) -> None:
        """Changes nothing: what a rung plays does not depend on the time that it has."""

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        self._seed = seed
        if self.agent is not None and hasattr(self.agent, "reseed"):
            self.agent.reseed(seed)

    def select_action(self, game: Game) -> Choice:
        """Chooses as the agent of the rung does.

        Raises:
            LadderError: the board has no such rung.
            ValueError: the game is over.
        """
        return self.agent_for(game).select_action(game)

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index` as the agent of the rung does: in all at once if it can."""
        if not len(index):
            return index
        agent = self.agent_for(batch[int(index[0])])
        if not hasattr(agent, "select_actions"):
            return select_one_by_one(agent, batch, index)
        actions: NDArray[np.int64] = agent.select_actions(batch, index)
        return actions
