"""An agent that thinks in a thread, with progress, and can be told to stop."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

from sixplane.agents.network import NetworkAgent
from sixplane.web.insight import evaluated, searched, searches, with_owners

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from threading import RLock

    from sixplane._core import Game
    from sixplane.agents.agent import Agent, Choice
    from sixplane.web.insight import Insight

__all__ = ["BackgroundAgent", "Thought", "join_threads"]

#: Seconds between two reports of progress.
INTERVAL: Final = 0.2


class Thought:
    """One question to an agent."""

    def __init__(self) -> None:
        self._dropped = threading.Event()
        self.insight: Insight | None = None
        """What the agent has said so far beside its move; None if it says nothing."""

    def drop(self) -> None:
        """Tells that nobody needs the answer. A search stops soon, another agent goes on unheard."""
        self._dropped.set()

    def is_dropped(self) -> bool:
        """Whether nobody needs the answer."""
        return self._dropped.is_set()

    def wait(self, seconds: float) -> None:
        """Waits so long, or until nobody needs the answer."""
        self._dropped.wait(max(seconds, 0.0))


class _Thread(threading.Thread):
    """A thread that asks an agent; `join_threads` finds it among all threads."""


def join_threads(seconds: float) -> None:
    """Waits so long for the threads that ask agents, of thoughts that were dropped, too."""
    until = time.monotonic() + seconds
    for thread in threading.enumerate():
        if isinstance(thread, _Thread):
            thread.join(max(until - time.monotonic(), 0.0))


class BackgroundAgent:
    """Asks an agent in threads, one question at a time.

    Args:
        agent: the agent.
        lock: held while an answer is delivered; what is dropped by a holder is not delivered any more.
        seconds: the time for one move, if it is limited.
    """

    def __init__(self, agent: Agent, lock: RLock, seconds: float | None = None) -> None:
        self._agent, self._lock = agent, lock
        self._turn: AbstractContextManager[object] = threading.Lock()
        if seconds is not None and hasattr(agent, "limit_time"):
            agent.limit_time(seconds)

    def ask(
        self,
        game: Game,
        answer: Callable[[Choice | Exception, Insight | None], object],
        progress: Callable[[float, Insight | None], object] = lambda _part, _insight: None,
        at_least: float = 0.0,
        waits: Callable[[], object] = lambda: None,
        *,
        owners: bool = False,
    ) -> Thought:
        """Begins to think about a position. The functions are called in the thread, with the lock.

        Args:
            game: a copy of its own.
            answer: called with the choice, or with what the agent raised, and with what else it says.
            progress: called with the part of the work that is done, from 0 to 1, and what the agent says.
            at_least: seconds that an answer takes at least.
            waits: called if an answer is there before.
            owners: whether to say who will own the points, too.
        """
        thought = Thought()

        def deliver(call: Callable[..., object], *arguments: object) -> None:
            with self._lock:
                if not thought.is_dropped():
                    call(*arguments)

        def run() -> None:
            begun = time.monotonic()
            try:
                with self._turn:
                    choice: Choice | Exception | None = self._choice(
                        game, thought, lambda part: deliver(progress, part, thought.insight)
                    )
                    if owners and thought.insight is not None and not thought.is_dropped():
                        thought.insight = with_owners(thought.insight, self._agent, game)
            except Exception as error:  # whatever an agent raises, its opponent wins
                choice = error
            early = at_least - (time.monotonic() - begun)
            if early > 0:
                deliver(waits)
                thought.wait(early)
            if choice is not None:
                deliver(answer, choice, thought.insight)

        _Thread(target=run, name=f"asks {type(self._agent).__name__}", daemon=True).start()
        return thought

    def close(self) -> None:
        """Ends what the agent has started, in a thread, because the agent may be busy."""
        close = getattr(self._agent, "close", None)
        if close is not None:
            threading.Thread(target=close, name="closes an agent", daemon=True).start()

    def _choice(self, game: Game, thought: Thought, progress: Callable[[float], object]) -> Choice | None:
        """The agent's choice; None if the thought was dropped before."""
        if thought.is_dropped():
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
            if thought.is_dropped():
                return None
            thought.insight = searched(agent, result, game.turn)
            done += result.simulations
            parts = [(time.monotonic() - begun) / seconds, done / simulations if simulations else 0.0]
            progress(min(max(parts), 1.0))
        return agent.decide(game)
