"""Hints: the actions of a good agent in the positions that pages ask about."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sixplane._core import Game
from sixplane.agents.agent import Resignation
from sixplane.web.background_agent import Answer, BackgroundAgent, Thought
from sixplane.web.insight import Insight
from sixplane.web.tree import Tree


class Hints:
    """Asks an agent for hints, one position of each page at a time, and writes them into the tree.

    The caller of a method holds the lock of the agent.
    """

    def __init__(self, agent: BackgroundAgent, tree: Tree, changed: Callable[[], object]) -> None:
        self._agent, self._tree, self._changed = agent, tree, changed
        self._thoughts: dict[int, Thought] = {}
        #: What each page asks about, until that is answered.
        self._places: dict[Hashable, int] = {}

    def ask(self, place: int, game: Game, page: Hashable = None) -> None:
        """Asks for a hint in a position that is not over, and drops what the page alone asked before."""
        if self._places.get(page) != place:
            self.leave(page)
        self._places[page] = place
        if place not in self._thoughts:
            self._tree[place].hint = "thinking"
            self._thoughts[place] = self._agent.ask(
                game, lambda choice, insight: self._answered(place, choice, insight)
            )
            self._changed()

    def leave(self, page: Hashable) -> None:
        """Drops what a page has asked, unless another one has asked that, too."""
        place = self._places.pop(page, None)
        if place is not None and place not in self._places.values():
            self.forget(place)
            self._changed()

    def forget(self, place: int) -> None:
        """Removes the hint for a position, and drops a question about it."""
        if place in self._tree:
            self._tree[place].hint = None
        thought = self._ended(place)
        if thought is not None:
            thought.dropped.set()

    def close(self) -> None:
        """Drops the questions that are open."""
        for place in list(self._thoughts):
            self.forget(place)

    def _ended(self, place: int) -> Thought | None:
        """Removes a question, and returns what thinks about it."""
        self._places = {page: asked for page, asked in self._places.items() if asked != place}
        return self._thoughts.pop(place, None)

    def _answered(self, number: int, choice: Answer, insight: Insight | None) -> None:
        self._ended(number)
        if number in self._tree:
            place = self._tree[number]
            if insight is not None:
                place.add("hint", insight)
            place.hint = None
            if choice is not None and not isinstance(choice, (Exception, SystemExit)):
                place.hint = "resign" if isinstance(choice, Resignation) else int(choice)
        self._changed()
