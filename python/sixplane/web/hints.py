"""Hints: the actions of a good agent in the positions that pages ask about."""

from __future__ import annotations

from collections.abc import Callable

from sixplane._core import Game
from sixplane.agents.agent import Resignation
from sixplane.web.background_agent import Answer, BackgroundAgent, Thought
from sixplane.web.insight import Insight
from sixplane.web.tree import Tree


class Hints:
    """Asks an agent for hints, about one position at a time, and writes them into the tree.

    The caller of a method holds the lock of the agent.
    """

    def __init__(self, agent: BackgroundAgent, tree: Tree, changed: Callable[[], object]) -> None:
        self._agent, self._tree, self._changed = agent, tree, changed
        self._thought: Thought | None = None
        self._place = -1

    def ask(self, place: int, game: Game) -> None:
        """Asks for a hint in a position that is not over, and drops the question about another one."""
        if self._thought is not None and self._place == place:
            return
        if self._thought is not None:
            self.forget(self._place)
        self._place, self._tree[place].hint = place, "thinking"
        self._thought = self._agent.ask(game, self._answered)
        self._changed()

    def forget(self, place: int) -> None:
        """Removes the hint for a position, and drops a question about it."""
        if place in self._tree:
            self._tree[place].hint = None
        if place == self._place and self._thought is not None:
            self._thought.dropped.set()
            self._thought = None

    def close(self) -> None:
        """Drops the question that is open."""
        if self._thought is not None:
            self.forget(self._place)

    def _answered(self, choice: Answer, insight: Insight | None) -> None:
        self._thought = None
        if self._place in self._tree:
            place = self._tree[self._place]
            if insight is not None:
                place.add("hint", insight)
            place.hint = None
            if choice is not None and not isinstance(choice, (Exception, SystemExit)):
                place.hint = "resign" if isinstance(choice, Resignation) else int(choice)
        self._changed()
