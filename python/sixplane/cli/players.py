"""The agents of a command: who plays when nobody is named, and their end."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sixplane._core import Go, Gomoku
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.spec import AgentSpec
from sixplane.cli import CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane._core import Game
    from sixplane.agents.agent import Agent

__all__ = ["DEFAULT_HELP", "agent_of", "analyst_of", "closing", "default_spec", "spec_of"]

#: Who plays by default, for `--help`.
DEFAULT_HELP: Final = "a search of one second a move"

#: Threads are not worth more.
MOST_THREADS: Final = 64


def default_spec(game: Game) -> str:
    """Who plays a game when nobody is named: a search of one second on all processors."""
    if isinstance(game, Gomoku):
        table = "score-table-exact-five" if game.exact_five else "score-table"
        return f"mcts@mcts:seconds=1,evaluator={table},leaves=8,first_play=0"
    threads = min(os.cpu_count() or 1, MOST_THREADS)
    known = "rave=1000,prior_visits=50,c=0.1" if isinstance(game, Go) else "prior_visits=200,c=0.5"
    return f"mcts@mcts:seconds=1,threads={threads},{known}"


def spec_of(text: str) -> AgentSpec:
    """An agent as it is written.

    Raises:
        CommandError: there is none.
    """
    try:
        return AgentSpec.parse(text)
    except (TypeError, ValueError) as error:
        raise CommandError(str(error), status=2) from error


def analyst_of(game: Game) -> MCTSAgent:
    """Who analyzes a game for an agent that does not search."""
    return MCTSAgent(**AgentSpec.parse(default_spec(game)).options)


def agent_of(text: str) -> Agent:
    """An agent as it is written, with random choices of its own.

    Raises:
        CommandError: there is none.
    """
    return spec_of(text).make(secrets.randbits(63))


@contextmanager
def closing(*agents: Agent | None) -> Iterator[None]:
    """Closes the agents at the end of the block, whatever happens in it."""
    try:
        yield
    finally:
        for agent in agents:
            close = getattr(agent, "close", None)
            if close is not None:
                close()
