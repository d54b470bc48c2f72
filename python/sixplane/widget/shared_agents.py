"""Agents of a notebook: several boards, or one board in several games, ask the same agent one at a time."""

from __future__ import annotations

import dataclasses
import threading
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from sixplane.web.background_agent import BackgroundAgent
from sixplane.web.session import PageSession

if TYPE_CHECKING:
    from threading import RLock

    from sixplane._core import Game
    from sixplane.agents.agent import Agent, Choice
    from sixplane.web.snapshot import Snapshot

__all__ = ["Nobody", "NotebookSession"]


class _SharedTurn:
    """What the one who asks an agent holds."""

    def __init__(self, agent: Agent) -> None:
        # The agent lives as long as this, so that no other one gets its `id`.
        self.agent = agent
        self.lock = threading.Lock()


#: `id` of an agent -> its turn. An agent need not be hashable.
_TURNS: Final[WeakValueDictionary[int, _SharedTurn]] = WeakValueDictionary()


class _SharedAgent(BackgroundAgent):
    """Asks an agent of the notebook, and does not close it."""

    def __init__(self, agent: Agent, lock: RLock, seconds: float | None = None) -> None:
        super().__init__(agent, lock, seconds)
        self._shared = _TURNS.setdefault(id(agent), _SharedTurn(agent))
        self._turn = self._shared.lock

    def close(self) -> None:
        """Leaves the agent to the notebook."""


class NotebookSession(PageSession):
    """A session whose agents belong to the notebook."""

    background_agent = _SharedAgent

    def snapshot(self, place: int | None = None, leaf: int | None = None) -> Snapshot:
        """As a page sees it, but no dead stones are counted: the board has no buttons for them."""
        return dataclasses.replace(super().snapshot(place, leaf), counting=None)


class Nobody:
    """Sits where nobody plays: at games that are only looked at."""

    def select_action(self, game: Game) -> Choice:
        """Nobody asks."""
        raise NotImplementedError(f"nobody plays {game!r}")
