"""`sixplane gtp`: an agent behind the Go Text Protocol."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from typing import Any

from sixplane.agents.spec import SPEC_HELP, AgentSpec
from sixplane.cli import CommandError
from sixplane.cli.game_options import add_game_options, game_of
from sixplane.protocols.gtp import GTPEngine
from sixplane.protocols.lines import PipeLines
from sixplane.search import MCTS

__all__ = ["add_parser", "run"]

EPILOG = f"""\
{SPEC_HELP}

example, for the engine list of Sabaki, Lizzie or GoGui
  sixplane gtp --game go --agent random
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "gtp",
        help="an agent behind the Go Text Protocol, for Go and Reversi",
        description=(
            "Reads GTP 2 commands from standard input and answers on standard output. The commands of "
            "analysis, such as lz-analyze and kata-analyze, search with rollouts, whoever the agent is."
        ),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_game_options(parser)
    parser.add_argument("--agent", default="random", help="who answers genmove (random)")
    parser.set_defaults(run=run)


def _search(seconds: float) -> MCTS:
    """What the commands of analysis search with: rollouts on all processors."""
    return MCTS(seconds=seconds, threads=min(os.cpu_count() or 1, 64))


def run(arguments: argparse.Namespace) -> int:
    """Answers until `quit` or the end of the input.

    Raises:
        CommandError: an agent or rules that do not exist, or a game without GTP.
    """
    game = game_of(arguments)
    try:
        spec = AgentSpec.parse(arguments.agent)
        agent = spec.make(secrets.randbits(63))
        engine = GTPEngine(game, agent, search=_search)
    except (TypeError, ValueError) as error:
        raise CommandError(str(error), status=2) from error

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    try:
        engine.run(PipeLines(sys.stdin.fileno()), write)
    finally:
        close = getattr(agent, "close", None)
        if close is not None:
            close()
    return 0
