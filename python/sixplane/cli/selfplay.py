"""`sixplane selfplay` lets random players finish many games, on all cores."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import starmap
from pathlib import Path

from sixplane import _core
from sixplane._files import failing_as
from sixplane.cli import CommandError
from sixplane.cli.arguments import add_ray_option, folder, positive, seed, threads
from sixplane.cli.game_options import LONG_GAMES_END, add_game_options, ending_game_of
from sixplane.cli.parser import Commands
from sixplane.cli.players import default_threads
from sixplane.cli.progress import progress_bar
from sixplane.cli.signals import interrupt_flag
from sixplane.cli.tally import Tally
from sixplane.jobs import Cluster
from sixplane.play.record_file import RecordFiles

#: Seconds that a chunk of games should take: as often the bar moves and Ctrl-C has an effect.
CHUNK_SECONDS = 0.1

#: Seconds that a chunk should take on a cluster, where each travels.
CLUSTER_CHUNK_SECONDS = 1.0


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "selfplay",
        help="let random players finish games on all cores",
        description=(
            "Finishes games between random players, on all cores, then prints a table and the last "
            "board. In Go they never fill their own eyes. Ctrl-C keeps the finished games."
        ),
    )
    add_game_options(parser, max_moves=LONG_GAMES_END)
    parser.add_argument("--games", type=positive, default=1000, help="how many games (1000)")
    parser.add_argument(
        "--seed", type=seed, help="game i of a seed is always the same game (random, and shown)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--threads", type=threads, help="how many cores to use (all)")
    add_ray_option(where)
    parser.add_argument("--out", type=folder, metavar="DIR", help="folder for SGF files of the games")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays the games, shows the progress, and prints the table and the last board."""
    prototype = ending_game_of(arguments)
    if arguments.threads is None:
        default_threads()  # A malformed limit is reported before a folder is made.
    total: int = arguments.games
    is_random = arguments.seed is None
    game_seed: int = secrets.randbits(32) if is_random else arguments.seed
    tally = Tally()
    try:
        with (
            interrupt_flag() as interrupted,
            Cluster(arguments.ray) if arguments.ray else nullcontext() as cluster,
            progress_bar(total, "game") as advance,
        ):
            folder = None if arguments.out is None else _new_folder(arguments.out)
            for games, seconds in _chunks(cluster, prototype, arguments, game_seed, interrupted):
                tally.add(games, seconds)
                if folder is not None:
                    for number, game in enumerate(games, tally.games - len(games) + 1):
                        file = folder / f"game-{number:0{len(str(total))}}.sgf"
                        RecordFiles().write(str(file), game.to_sgf())
                advance(len(games))
                if interrupted():
                    break
    finally:
        # Finished games count, also after a failure.
        if tally.last is not None:
            print(tally.table(), f"\nlast board\n{tally.last}", sep="\n")
            if is_random:
                print(f"\nseed {game_seed}")
    if tally.games < total:
        print(f"sixplane: stopped after {tally.games} of {total} games", file=sys.stderr)
        return 130
    return 0


def _new_folder(path: Path) -> Path:
    """Makes a folder for `game-0001.sgf`, `game-0002.sgf`, ..., where no such file may be."""
    with failing_as(CommandError, f"cannot make the folder {path}"):
        path.mkdir(parents=True, exist_ok=True)
        there = next(path.glob("game-*.sgf"), None)
    if there is not None:
        raise CommandError(f"{there} exists already; choose a folder without games")
    return path


def _chunks(
    cluster: Cluster | None,
    prototype: _core.Game,
    arguments: argparse.Namespace,
    seed: int,
    stop: Callable[[], bool],
) -> Iterator[tuple[list[_core.Game], float]]:
    """Yields chunks of finished games in order and their times, from this machine or a cluster."""
    size, total = 16, arguments.games

    def tasks() -> Iterator[tuple[_core.Game, int, int, int]]:
        first = 0
        while first < total:
            count = min(size, total - first)
            yield prototype, first, count, seed
            first += count

    played: Iterator[tuple[list[_core.Game], float]]
    if cluster is None:
        played, aim = starmap(partial(_play, threads=arguments.threads), tasks()), CHUNK_SECONDS
    else:
        played, aim = cluster.map(_play, tasks(), stop), CLUSTER_CHUNK_SECONDS
    before = time.perf_counter()
    for games, seconds in played:
        # As many games next time as take so long, but not many times more at once.
        size = max(1, min(4 * len(games), int(len(games) * aim / max(seconds, 1e-9))))
        now = time.perf_counter()
        # The nodes of a cluster play side by side.
        yield games, seconds if cluster is None else now - before
        before = now


def _play(
    prototype: _core.Game, first: int, count: int, seed: int, threads: int | None = 1
) -> tuple[list[_core.Game], float]:
    """Plays some games, on a node with one thread; returns them and their time."""
    begun = time.perf_counter()
    games = _core.selfplay(prototype, first, count, seed, threads)
    return games, time.perf_counter() - begun
