"""`sixplane gomocup` puts an agent behind the Gomoku protocol of piskvork."""

from __future__ import annotations

import argparse

from sixplane._core import Gomoku
from sixplane.agents.spec import SPEC_HELP
from sixplane.cli.parser import Commands
from sixplane.cli.players import DEFAULT_HELP, agent_of, best_agent, closing, serve
from sixplane.protocols.gomocup import GomocupEngine


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "gomocup",
        help="put an agent behind the Gomoku protocol of piskvork",
        description="Reads the commands of a Gomoku manager from standard input, and answers them.",
        epilog=SPEC_HELP,
    )
    parser.add_argument(
        "--agent", help=f"the agent that chooses the moves ({DEFAULT_HELP}, or less if the limit is shorter)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answers commands until `END` or the end of the input."""
    game = Gomoku()
    agent = agent_of(arguments.agent, game) if arguments.agent else best_agent(game)
    with closing(agent):
        return serve(GomocupEngine(agent))
