"""The agents of a command: the default one, checks, and closing them at the end."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sixplane import _core
from sixplane._core import Gomoku
from sixplane.agents.gtp_program import GTPError
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.saved_network import shipped_name
from sixplane.agents.spec import AgentSpec
from sixplane.agents.table_evaluator import ScoreTableEvaluator
from sixplane.cli import CommandError
from sixplane.games import info_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane._core import Game
    from sixplane.agents.agent import Agent

__all__ = [
    "DEFAULT_HELP",
    "agent_of",
    "analyst_of",
    "check_player",
    "closing",
    "default_spec",
    "default_threads",
    "spec_of",
]

#: The default agent, for `--help`.
DEFAULT_HELP: Final = "a search of one second a move"

#: More threads bring nothing.
MOST_THREADS: Final = 64

#: Seconds for the trial move by which an agent shows that it plays a game.
TRIAL_SECONDS: Final = 0.1

#: Seconds for another program to start and to be told the game.
START_SECONDS: Final = 60.0


def default_threads() -> int:
    """How many threads a program uses by default.

    Raises:
        CommandError: the environment variable `SIXPLANE_THREADS` is malformed.
    """
    try:
        return _core.default_threads()
    except ValueError as error:
        raise CommandError(str(error), status=2) from error


def default_spec(game: Game) -> str:
    """The agent that plays a game unless the user names one: a search of one second.

    It asks the network that comes with the package, if the game prefers it and there is one for boards of
    this size.
    """
    threads = str(min(default_threads(), MOST_THREADS))
    info = info_of(game)
    if info.prefers_network and (name := shipped_name(game)) is not None:
        return f"network@network:name={name},seconds=1,threads={threads}"
    options: str = info.player(game)
    return f"mcts@mcts:{options.replace('{threads}', threads)}"


def spec_of(text: str) -> AgentSpec:
    """The agent that a spec names.

    Raises:
        CommandError: the spec names none.
    """
    try:
        return AgentSpec.parse(text)
    except (TypeError, ValueError) as error:
        raise CommandError(str(error), status=2) from error


def analyst_of(game: Game) -> MCTSAgent:
    """The search that analyzes a game for an agent that does not search."""
    agent = AgentSpec.parse(default_spec(game)).make(secrets.randbits(63))
    assert isinstance(agent, MCTSAgent)  # noqa: S101 - every default searches
    return agent


def agent_of(text: str, game: Game) -> Agent:
    """A new agent by its spec, with a random seed.

    Raises:
        CommandError: the spec names none, or one that plays other games only.
    """
    spec = spec_of(text)
    try:
        spec.check_game(game)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return spec.make(secrets.randbits(63))


def check_player(spec: AgentSpec, game: Game, seconds: float | None = None) -> None:
    """Lets a new agent prepare for a game, or play one move of it, and closes it.

    Args:
        spec: the agent.
        game: the game.
        seconds: how long another program may take to prepare; None: a minute.

    Raises:
        CommandError: the agent cannot be started, or does not play this game.
    """
    try:
        agent = spec.make(0)
        with closing(agent):
            if isinstance(spec.options.get("evaluator"), ScoreTableEvaluator) and not isinstance(
                game, Gomoku
            ):
                raise TypeError(f"the score table is of Gomoku, not {type(game).__name__}")
            prepare = getattr(agent, "prepare", None)
            limit_time = getattr(agent, "limit_time", None)
            if limit_time is not None:
                limit_time(TRIAL_SECONDS if prepare is None else seconds or START_SECONDS)
            if prepare is None:
                agent.select_action(game.copy())
            else:
                prepare(game)
    except Exception as error:
        said = str(error) if isinstance(error, TypeError | GTPError) else f"{type(error).__name__}: {error}"
        raise CommandError(f"{spec.title} cannot play: {said}") from error


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
