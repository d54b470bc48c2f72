"""`sixplane gomocup`: an agent behind the Gomoku protocol of piskvork."""

from __future__ import annotations

import argparse
import secrets
import sys
from typing import Any

from sixplane.agents.spec import SPEC_HELP, AgentSpec
from sixplane.cli import CommandError
from sixplane.protocols.gomocup import GomocupEngine
from sixplane.protocols.lines import PipeLines

__all__ = ["add_parser", "run"]


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "gomocup",
        help="an agent behind the Gomoku protocol of piskvork",
        description="Reads the commands of a Gomoku manager from standard input, and answers them.",
        epilog=SPEC_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--agent", default="score-table", help="who chooses the moves (score-table)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answers until `END` or the end of the input.

    Raises:
        CommandError: an agent that does not exist.
    """
    try:
        engine = GomocupEngine(AgentSpec.parse(arguments.agent).make(secrets.randbits(63)))
    except (TypeError, ValueError) as error:
        raise CommandError(str(error), status=2) from error

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    engine.run(PipeLines(sys.stdin.fileno()), write)
    return 0
