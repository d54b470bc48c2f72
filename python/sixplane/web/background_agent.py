"""An agent that thinks in a thread, reports its progress, and can be stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import RLock
from typing import Final, TypeAlias

from sixplane._core import Game
from sixplane.agents.agent import Agent, Choice
from sixplane.agents.network import NetworkAgent
from sixplane.web.insight import Insight, evaluated, searched, searches, with_owners

#: Seconds between two reports of progress.
INTERVAL: Final = 0.2


#: What an agent returns or raises; what somebody else's agent returns may be no action, such as None.
Answer: TypeAlias = Choice | Exception | SystemExit | None


class Thought:
    """The thinking of an agent about one position."""

    def __init__(self) -> None:
        self.dropped = threading.Event()
        """Set when nobody needs the answer any more: a search stops soon, another agent is ignored."""
        self.insight: Insight | None = None
        """What the agent has found so far; None if it gives only its move."""


class _Thread(threading.Thread):
    """A thread that asks an agent; `join_threads` finds it among all threads."""


def join_threads(seconds: float) -> None:
    """Waits at most so many seconds for all threads that ask agents, even if their answers were dropped."""
    until = time.monotonic() + seconds
    for thread in threading.enumerate():
        if isinstance(thread, _Thread):
            thread.join(max(until - time.monotonic(), 0.0))


class BackgroundAgent:
    """Asks an agent in threads, one question at a time.

    The lock is held while an answer is delivered; one that its holder drops is not delivered. A move takes at
    most so many seconds.
    """

    def __init__(self, agent: Agent, lock: RLock, seconds: float | None = None) -> None:
        self._agent, self._lock = agent, lock
        self._turn: AbstractContextManager[object] = threading.Lock()
        #: Its questions whose thinking has not ended, also those that were dropped.
        self._open = 0
        if seconds is not None and hasattr(agent, "limit_time"):
            agent.limit_time(seconds)

    @property
    def is_busy(self) -> bool:
        """Whether it still thinks about another question, perhaps one that was dropped."""
        return self._open > 0

    def ask(
        self,
        game: Game,
        answer: Callable[[Answer, Insight | None], object],
        progress: Callable[[float, Insight | None], object] = lambda _part, _insight: None,
        at_least: float = 0.0,
        waits: Callable[[], object] = lambda: None,
        *,
        begins: Callable[[], object] = lambda: None,
        owners: bool = False,
        known: Insight | None = None,
    ) -> Thought:
        """Starts to think about a position. The functions are called in the thread, with the lock.

        Args:
            game: game at the position, which the agent keeps.
            answer: called with the answer of the agent, and with what it has found.
            progress: called with the part of the work that is done, from 0 to 1, and what is found.
            at_least: least number of seconds until the answer is delivered.
            waits: called if the answer is ready before that.
            begins: called when the agent begins, which may have been busy.
            owners: whether to find who will own the points, too.
            known: what is known of the position, to which only the owners are added; None: the agent chooses.
        """
        thought = Thought()
        thought.insight = known
        self._open += 1

        def deliver(call: Callable[..., object], *arguments: object) -> None:
            with self._lock:
                if not thought.dropped.is_set():
                    call(*arguments)

        def run() -> None:
            begun = time.monotonic()
            try:
                with self._turn:
                    deliver(begins)
                    choice: Answer = None
                    if known is None:
                        choice = self._choice(
                            game, thought, lambda part: deliver(progress, part, thought.insight)
                        )
                    if owners and thought.insight is not None and not thought.dropped.is_set():
                        thought.insight = with_owners(thought.insight, self._agent, game)
            except (Exception, SystemExit) as error:  # whatever an agent raises, its opponent wins
                choice = error
            with self._lock:
                self._open -= 1
            early = at_least - (time.monotonic() - begun)
            if early > 0:
                deliver(waits)
                thought.dropped.wait(early)
            deliver(answer, choice, thought.insight)

        _Thread(target=run, name=f"asks {type(self._agent).__name__}", daemon=True).start()
        return thought

    def close(self) -> None:
        """Closes the agent, in a thread, because it may be busy."""
        close = getattr(self._agent, "close", None)
        if close is not None:
            threading.Thread(target=close, name="closes an agent", daemon=True).start()

    def _choice(self, game: Game, thought: Thought, progress: Callable[[float], object]) -> Choice | None:
        """Returns what the agent chooses; None if the answer was dropped."""
        if thought.dropped.is_set():
            return None
        agent = self._agent
        if not searches(agent):
            choice = agent.select_action(game)
            if isinstance(agent, NetworkAgent):
                thought.insight = evaluated(agent, game)
            return choice
        simulations, seconds = agent.limits
        begun, done = time.monotonic(), 0
        for result in agent.consider(game, INTERVAL):
            if thought.dropped.is_set():
                return None
            thought.insight = searched(agent, result, game.turn)
            done += result.simulations
            parts = [(time.monotonic() - begun) / seconds, done / simulations if simulations else 0.0]
            progress(min(max(parts), 1.0))
        return agent.decide(game)
