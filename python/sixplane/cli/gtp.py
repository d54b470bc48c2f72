"""`sixplane gtp` puts an agent behind the Go Text Protocol."""

from __future__ import annotations

import argparse

from sixplane.agents.spec import SPEC_HELP
from sixplane.cli import failing
from sixplane.cli.game_options import add_game_options, game_of
from sixplane.cli.parser import Commands
from sixplane.cli.players import DEFAULT_HELP, agent_of, best_agent, closing, serve
from sixplane.games import GAMES, check_gtp
from sixplane.protocols.gtp import GTPEngine

EPILOG = f"""\
{SPEC_HELP}

for the engine list of Sabaki, Lizzie or GoGui, which set the board themselves
  sixplane gtp
"""


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "gtp",
        help="put an agent behind the Go Text Protocol, for Go and Reversi",
        description=(
            "Reads GTP 2 commands from standard input and answers on standard output. An agent that "
            "searches shows its own search in analysis (lz-analyze, kata-analyze, genmove_analyze, ...); "
            "for any other the default search analyzes."
        ),
        epilog=EPILOG,
    )
    # The protocol has no game of your own.
    add_game_options(parser, games=[name for name, game in GAMES.items() if game.speaks_gtp], which="")
    parser.add_argument(
        "--agent",
        help=f"the agent for genmove on every board ({DEFAULT_HELP}, the best of the package for each)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answers commands until `quit` or the end of the input."""
    game = game_of(arguments)
    with failing(TypeError):
        check_gtp(game)
    agent = agent_of(arguments.agent, game) if arguments.agent else best_agent(game)
    with closing(agent):
        return serve(GTPEngine(game, agent, best_agent(game)))
