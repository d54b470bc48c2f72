"""The agents of a notebook, which several boards may share; only one asks an agent at a time."""

from __future__ import annotations

import dataclasses
import sys
import threading
from threading import RLock
from typing import Final
from weakref import WeakValueDictionary

from sixplane._core import Game
from sixplane.agents.agent import Agent, Choice
from sixplane.web.background_agent import BackgroundAgent
from sixplane.web.session import PageSession, Snapshot


class _SharedTurn:
    """The lock that a board holds while it asks an agent."""

    def __init__(self, agent: Agent) -> None:
        # The agent lives as long as this object, so that no other agent gets its `id`.
        self.agent = agent
        self.lock = threading.Lock()


#: `id` of an agent -> its turn. An agent need not be hashable.
_TURNS: Final[WeakValueDictionary[int, _SharedTurn]] = WeakValueDictionary()


class _SharedAgent(BackgroundAgent):
    """Asks an agent, which stays open when its game ends."""

    def __init__(self, agent: Agent, lock: RLock, seconds: float | None = None) -> None:
        super().__init__(agent, lock, seconds)
        self._shared = _TURNS.setdefault(id(agent), _SharedTurn(agent))
        self._turn = self._shared.lock

    def close(self) -> None:
        """Does nothing, because the agent belongs to the notebook, or plays in the next game of the board."""

    def end(self) -> None:
        """Closes an agent that belongs to the board, in a thread."""
        super().close()


class NotebookSession(PageSession):
    """A session whose agents belong to the notebook."""

    background_agent = _SharedAgent

    def snapshot(self, place: int | None = None, leaf: int | None = None) -> Snapshot:
        """Returns the session without marks on dead stones, for which the board has no buttons."""
        return dataclasses.replace(super().snapshot(place, leaf), counting=None)


class OwnSession(NotebookSession):
    """A session whose agent was made for it from a spec, and ends with it."""

    _is_closed = False

    def close(self) -> None:
        """Stops the clock and the thinking, and closes the agent once."""
        super().close()
        # Boards that are left are closed while Python ends: no thread can begin then, and programs end by
        # themselves.
        if not self._is_closed and not sys.is_finalizing():
            self._is_closed = True
            for agent in self._agents:
                if isinstance(agent, _SharedAgent):
                    agent.end()


class Nobody:
    """The player of games that are only looked at, and of hints that nobody asks for."""

    def select_action(self, game: Game) -> Choice:
        """Raises an error, because nobody asks for an action."""
        raise NotImplementedError(f"nobody plays {game!r}")
