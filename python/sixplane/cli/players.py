"""Makes, checks, serves and closes the agents of a command."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Final

from sixplane import _core
from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.agents.best import BestAgent, best_spec
from sixplane.agents.program import ProgramError
from sixplane.agents.spec import HUMAN, NO_PERSON, AgentSpec
from sixplane.cli import CommandError, failing
from sixplane.errors import GameRulesError
from sixplane.ladder import LadderError
from sixplane.protocols.gomocup import GomocupEngine
from sixplane.protocols.gtp import GTPEngine
from sixplane.protocols.lines import PipeLines

#: The default agent, for `--help`.
DEFAULT_HELP: Final = "a search of one second a move"

#: The most threads of the default agent; more bring nothing.
MOST_THREADS: Final = 64

#: Seconds for the trial move by which an agent shows that it plays a game.
TRIAL_SECONDS: Final = 0.1

#: Seconds for another program to start and to set up the game.
START_SECONDS: Final = 60.0


def default_threads() -> int:
    """Returns how many threads a program uses by default."""
    with failing(ValueError):
        return _core.default_threads()


def default_spec(game: Game) -> str:
    """Returns the spec of the agent that plays a game unless the user names one."""
    return best_spec(game, min(default_threads(), MOST_THREADS))


def best_agent(game: Game) -> BestAgent:
    """Makes the agent that plays this and every other board and rule unless the user names one."""
    agent = BestAgent(min(default_threads(), MOST_THREADS), secrets.randbits(63))
    agent.agent_for(game)  # loads its network now, and not within the time of the first move
    return agent


def spec_of(text: str) -> AgentSpec:
    """Reads the spec of an agent, which must be one."""
    with failing(TypeError, ValueError):
        spec = AgentSpec.parse(text)
        spec.make(0)  # The agent may refuse a value.
        return spec


def no_person(text: str) -> AgentSpec:
    """Reads the spec of an agent that is no person."""
    spec = spec_of(text)
    if spec.kind == HUMAN:
        raise CommandError(NO_PERSON, status=2)
    return spec


def agent_of(text: str, game: Game) -> Agent:
    """Makes an agent by its spec, with a random seed.

    Raises:
        CommandError: the spec names none, a person, or an agent that plays other games only.
    """
    spec = no_person(text)
    with failing(ValueError, status=1):
        spec.check_game(game)
    return spec.make(secrets.randbits(63))


def check_player(spec: AgentSpec, game: Game, seconds: float | None = None) -> None:
    """Lets a new agent prepare for a game, or play one move of it, and closes it.

    Another program may take so many seconds to prepare; None: a minute.

    Raises:
        CommandError: the agent cannot be started, or does not play this game.
        GameRulesError: the rules of a game of your own failed.
    """
    if spec.kind == HUMAN:
        return
    # A random move in the place of the agent's own would not show what the agent plays.
    own = {name: value for name, value in spec.options.items() if name != "random"}
    try:
        agent = replace(spec, options=own).make(0)
        with closing(agent):
            prepare = getattr(agent, "prepare", None)
            limit_time = getattr(agent, "limit_time", None)
            if limit_time is not None:
                limit_time(TRIAL_SECONDS if prepare is None else seconds or START_SECONDS)
            if prepare is None:
                agent.select_action(game.copy())
            else:
                prepare(game)
    except GameRulesError:
        raise
    except Exception as error:
        is_clear = isinstance(error, TypeError | ProgramError | LadderError)
        said = str(error) if is_clear else f"{type(error).__name__}: {error}"
        raise CommandError(f"{spec.title} cannot play: {said}") from error


def serve(engine: GTPEngine | GomocupEngine) -> int:
    """Answers the lines of standard input, until the engine must quit or the input ends; returns 0."""
    # A standard input that was closed has ended; its number may be that of another file by now.
    if sys.stdin is not None:
        engine.run(PipeLines(sys.stdin.fileno()), partial(print, end="", flush=True))
    return 0


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
