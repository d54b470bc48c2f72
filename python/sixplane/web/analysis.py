"""The questions of pages about the positions that they show; agents answer one after another, in threads."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import RLock

from sixplane.agents.agent import Agent
from sixplane.play.players import Players
from sixplane.web.background_agent import BackgroundAgent, Thought
from sixplane.web.insight import Insight, has_insight
from sixplane.web.tree import Source, Tree


@dataclass(frozen=True)
class Question:
    """A question to an agent about a position."""

    place: int
    """The number of the position."""
    source: Source
    """The agent that is asked."""
    owners: bool
    """Whether the answer says who will own the points."""


class Analysis:
    """Answers the questions of pages, and writes the answers into the tree.

    Copies of the agents answer, so that the agents that play are not disturbed. What is known of a position
    stays, such as what a player computed for its own move: only its owners are added. The lock is held while
    the tree is read or changed, and `changed` is called with it when an agent begins to think, when it has
    answered, and when nobody waits for it any more.
    """

    def __init__(self, players: Players, tree: Tree, lock: RLock, changed: Callable[[], object]) -> None:
        self._tree, self._lock, self._changed = tree, lock, changed
        black, white = players.seats
        agents: dict[Source, Agent | None] = {"hint": players.hint, "black": black, "white": white}
        self._agents = {source: agent for source, agent in agents.items() if agent and has_insight(agent)}
        self._background: dict[Source, BackgroundAgent | None] = {}
        self._questions: dict[Hashable, Question] = {}
        self._answered: set[Question] = set()
        self._asked: Question | None = None
        self._thought: Thought | None = None
        #: What has been written so far of an answer that is not complete.
        self._part: Insight | None = None

    @property
    def sources(self) -> list[Source]:
        """The agents that can be asked."""
        return list(self._agents)

    def request(self, page: Hashable, question: Question | None) -> None:
        """Sets the question of a page, or None. A question that no page asks any more is dropped."""
        with self._lock:
            if self._questions.get(page) == question:
                return
            asked = self._asked
            self._questions.pop(page, None)
            if question is not None:
                self._questions[page] = question
            if asked is not None and asked not in self._questions.values():
                self._drop()
            self._go_on()
            if self._asked is not asked:
                self._changed()

    def is_asking(self, place: int) -> bool:
        """Returns whether an agent thinks about a position for a page."""
        return self._asked is not None and self._asked.place == place

    def close(self) -> None:
        """Drops all questions."""
        with self._lock:
            self._questions.clear()
            self._drop()

    def _drop(self) -> None:
        if self._thought is not None and self._asked is not None:
            self._thought.dropped.set()
            # An answer that is not complete is removed; what was known before stays.
            question = self._asked
            if self._part is not None and self._known(question) is self._part:
                del self._tree[question.place].insights[question.source]
        self._thought = self._asked = self._part = None

    def _known(self, question: Question) -> Insight | None:
        """Returns what the tree has of an answer."""
        return (
            self._tree[question.place].insights.get(question.source) if question.place in self._tree else None
        )

    def _go_on(self) -> None:
        while self._asked is None:
            question = next((one for one in self._questions.values() if not self._is_answered(one)), None)
            if question is None:
                return
            agent = self._background_agent(question.source)
            game = self._tree.game(question.place) if question.place in self._tree else None
            known = self._known(question)
            if agent is None or game is None or game.is_over or (known is not None and not question.owners):
                self._answered.add(question)
                continue
            self._asked = question
            self._thought = agent.ask(
                game,
                lambda _choice, insight: self._answer(insight, is_last=True),
                lambda _part, insight: self._answer(insight, is_last=False),
                owners=question.owners,
                known=known,
            )

    def _is_answered(self, question: Question) -> bool:
        return bool({question, dataclasses.replace(question, owners=True)} & self._answered)

    def _background_agent(self, source: Source) -> BackgroundAgent | None:
        """Returns the agent that answers for a source; None if there is none, or it cannot be copied."""
        if source not in self._background:
            self._background[source] = None
            if source in self._agents:
                # An evaluator that somebody wrote may refuse to be copied, by any error.
                with contextlib.suppress(Exception):
                    self._background[source] = BackgroundAgent(
                        copy.deepcopy(self._agents[source]), self._lock
                    )
        return self._background[source]

    def _answer(self, insight: Insight | None, *, is_last: bool) -> None:
        question = self._asked
        if question is None:
            return
        if insight is not None and question.place in self._tree:
            insights, known = self._tree[question.place].insights, self._known(question)
            if known is None or known is self._part:
                insights[question.source] = self._part = insight
            elif insight.ownership is not None:
                # It was known, or a player has found it meanwhile.
                insights[question.source] = dataclasses.replace(known, ownership=insight.ownership)
        if is_last:
            self._answered.add(question)
            self._thought = self._asked = self._part = None
            self._go_on()
        self._changed()
