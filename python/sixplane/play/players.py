"""The players at a table, and how they play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sixplane.agents.agent import Agent

__all__ = ["Players"]


@dataclass(frozen=True)
class Players:
    """Two players, the names of both, and the times of their moves."""

    seats: tuple[Agent | None, Agent | None]
    """Black and White; None is a person."""
    names: tuple[str, str]
    """The names of Black and White, for the record."""
    hint: Agent
    """The agent that gives hints."""
    seconds_per_move: float | None = None
    """A player loses if a move takes longer; None: no limit."""
    delay: float = 0.3
    """Seconds between the moves of two agents."""

    @property
    def persons(self) -> tuple[bool, bool]:
        """Which of the players are persons."""
        return self.seats[0] is None, self.seats[1] is None

    @property
    def is_watched(self) -> bool:
        """Whether no person plays."""
        return not any(self.persons)

    def agents(self, person: Agent) -> tuple[Agent, Agent]:
        """Black and White, with this agent for persons."""
        return self.seats[0] or person, self.seats[1] or person
