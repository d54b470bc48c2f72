"""`sixplane gtp`: an agent behind the Go Text Protocol."""

from __future__ import annotations

import argparse
from typing import Any

from sixplane.agents.spec import SPEC_HELP
from sixplane.cli.engine import serve
from sixplane.cli.game_options import add_game_options, game_of
from sixplane.cli.players import DEFAULT_HELP, agent_of, analyst_of, closing, default_spec
from sixplane.games import GAMES
from sixplane.protocols.gtp import GTPEngine

__all__ = ["add_parser", "run"]

EPILOG = f"""\
{SPEC_HELP}

examples, for the engine list of Sabaki, Lizzie or GoGui
  sixplane gtp
  sixplane gtp --game go --agent mcts:seconds=5,threads=2,rave=1000,prior_visits=50,c=0.1
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "gtp",
        help="an agent behind the Go Text Protocol, for Go and Reversi",
        description=(
            "Reads GTP 2 commands from standard input and answers on standard output. An agent that "
            "searches shows its own search in analysis (lz-analyze, kata-analyze, genmove_analyze, ...); "
            "for any other a search with playouts analyzes."
        ),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_game_options(parser, games=[name for name, game in GAMES.items() if game.speaks_gtp])
    parser.add_argument("--agent", help=f"the agent that answers genmove ({DEFAULT_HELP})")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answers until `quit` or the end of the input.

    Raises:
        CommandError: an agent or rules that do not exist, or an agent of another game.
    """
    game = game_of(arguments)
    agent = agent_of(arguments.agent or default_spec(game), game)
    with closing(agent):
        return serve(GTPEngine(game, agent, analyst_of(game)))
