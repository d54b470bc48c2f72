"""An agent that plays a rung of the ladder of whatever board it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sixplane import ladder
from sixplane._core import Game
from sixplane.agents.agent import Agent, Choice
from sixplane.agents.around import AgentForGame, AroundAgent
from sixplane.agents.mcts import MCTSAgent
from sixplane.search import SearchResult


class LadderAgent(AgentForGame):
    """Plays as a rung, and on another board as the rung that the same text means there.

    A limit of time changes nothing: a rung is as strong on every machine. A search keeps no tree from one
    move to the next, because rungs were rated in many games at once, where none is kept. So the same seed
    plays the same moves in one game as in a batch of one. All other attributes and methods are those of the
    agent of the rung, once a game has said which one that is.

    Raises:
        LadderError: the text means no rung, or, when it is to play, none of the board.
        TypeError, ValueError: the seed is no integer, negative or too large.
    """

    def __init__(self, rung: str, make: Callable[[str, int | None], Agent], seed: int | None = None) -> None:
        ladder.check(rung)
        super().__init__(make, seed)
        self._text = rung
        self.rung: ladder.Rung | None = None
        """The rung that plays; None before the first game."""

    def _spec_for(self, game: Game) -> str:
        """Returns the spec of the rung on a game's board."""
        self.rung = ladder.find(game, self._text)
        return self.rung.spec

    def limit_time(self, seconds: float) -> None:
        """Changes nothing: what a rung plays does not depend on the time that it has."""

    def select_action(self, game: Game) -> Choice:
        """Chooses as the rung does in many games at once."""
        _forget_tree(self.agent_for(game))
        return super().select_action(game)

    def _consider(
        self, consider: Callable[..., Iterator[SearchResult]], *arguments: Any, **options: Any
    ) -> Iterator[SearchResult]:
        """Searches as the agent of the rung does, but from no earlier tree."""
        _forget_tree(self.agent)
        return consider(*arguments, **options)


def _forget_tree(agent: object) -> None:
    """Lets the next search of an agent, if it searches, begin without a tree."""
    while isinstance(agent, AroundAgent):
        agent = agent.agent
    if isinstance(agent, MCTSAgent):
        agent.forget()
