"""`sixplane rate` finds the Elo of an agent on the ladder of a board."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path
from typing import Final

from sixplane._files import failing_as, write_file
from sixplane.agents.program import ProgramError
from sixplane.agents.spec import SPEC_HELP
from sixplane.cli import CommandError, failing
from sixplane.cli.arguments import folder, positive, seed
from sixplane.cli.game_options import add_game_options, game_of
from sixplane.cli.parser import Commands
from sixplane.cli.players import check_player, no_person
from sixplane.cli.progress import progress_bar
from sixplane.cli.signals import interrupted_by_signals
from sixplane.jobs import JobError
from sixplane.ladder import LadderError
from sixplane.match.json_lines import FolderError
from sixplane.match.openings import OpeningsError
from sixplane.match.rate import AgentRating, Rater

#: The file of the picture in the folder of a rating.
PICTURE: Final = "rating.svg"

#: The boards that have ladders: to read it in their tables would make every command start more slowly.
LADDERS: Final = "Go 9x9, Go 13x13, Gomoku 15x15 and Reversi 8x8"

EPILOG = f"""\
{SPEC_HELP}

examples
  sixplane rate go9:simulations=100 --game go --size 9 --processes 2
  sixplane rate 'network:file=run/last.npz' --game reversi --out rating
"""


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "rate",
        help="find how strong an agent is: its Elo on the ladder of the board",
        description=(
            "Finds the Elo of an agent above random play, by games against the rungs of the ladder of the "
            "board that tell most. Prints the Elo, its 95 % interval and the score against each rung. Ctrl-C "
            "drops the series in play and keeps those before; with --out the same command goes on where it "
            "was stopped."
        ),
        epilog=EPILOG,
    )
    parser.add_argument("agent", metavar="AGENT", help="an agent, see below")
    add_game_options(parser, which=f"; {LADDERS} have ladders")
    parser.add_argument("--games", type=positive, default=200, help="games to play at most (200)")
    parser.add_argument(
        "--seed", type=seed, help="the seed of openings and agents (random, and shown; 0 with --out)"
    )
    parser.add_argument(
        "--processes", type=positive, default=1, help="how many processes share the games (1)"
    )
    parser.add_argument(
        "--out", type=folder, metavar="DIR", help=f"folder that keeps what was played, and {PICTURE}"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays series of games, shows the estimate as it narrows, and prints the rating."""
    # With a folder it is 0, so that the same command goes on there.
    usual_seed = secrets.randbits(32) if arguments.out is None else 0
    seed = usual_seed if arguments.seed is None else arguments.seed
    spec = no_person(arguments.agent)
    game = game_of(arguments)
    check_player(spec, game)
    with failing(LadderError):
        rater = Rater(
            arguments.agent, game, arguments.games, seed, arguments.out, processes=arguments.processes
        )
    stopped = False
    failure: ProgramError | OpeningsError | JobError | FolderError | None = None
    with interrupted_by_signals(), rater:
        before = rater.rating.games
        try:
            _play(rater, arguments.games)
        except KeyboardInterrupt:
            stopped = True
        except (ProgramError, OpeningsError, JobError, FolderError) as error:
            failure = error
        rating = rater.rating
        _report(rating)
        if rater.illegal_losses:
            now = rating.games - before
            print(f"The agent lost {rater.illegal_losses} of the {now} games played now by illegal moves.")
    if arguments.seed is None and rating.games:
        print(f"\nseed {seed}")
    try:
        if rating.games and arguments.out is not None:
            _draw(rating, arguments.out / PICTURE)
    except CommandError as error:
        if not stopped and failure is None:
            raise
        print(f"sixplane: {error}", file=sys.stderr)
    if stopped:
        print(f"sixplane: stopped after {rating.games} of {arguments.games} games", file=sys.stderr)
        return 130
    if failure is not None:
        raise CommandError(str(failure), status=2 if isinstance(failure, OpeningsError) else 1) from failure
    return 0


def _play(rater: Rater, games: int) -> None:
    """Plays all series, and shows the estimate as it narrows."""
    done = rater.rating.games
    with progress_bar(max(games, done), "game", done) as advance:
        while rater.step():
            now = rater.rating
            advance(now.games - done, f"Elo {now.elo:.0f}, {_interval(now)}")
            done = now.games


def _draw(rating: AgentRating, file: Path) -> None:
    with failing_as(CommandError, f"cannot write {file}"):
        write_file(file, rating.to_svg().encode())
    print(f"saved {file}")


def _interval(rating: AgentRating) -> str:
    return f"95 %: {rating.low:.0f} to {rating.high:.0f}"


def _report(rating: AgentRating) -> None:
    """Prints a rating, with a line for each rung that was played."""
    if not rating.games:
        return
    print(f"{rating.title} on the ladder for {rating.board}")
    print(f"  Elo    {rating.elo:.0f} ({_interval(rating)})")
    print(f"  games  {rating.games}")
    rows = [(f"+{each.rung.number}", f"{each.rung.elo:.0f}", each) for each in rating.scores]
    for number, elo, each in rows:
        print(f"  {number:>4}  Elo {elo:>5}  {each.points:>5g} of {each.games:<4}  {each.rung.spec}")
