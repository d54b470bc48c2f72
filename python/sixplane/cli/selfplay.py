"""`sixplane selfplay` lets random players finish many games, on all cores."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sixplane import _core
from sixplane.cli.arguments import add_ray_option, positive, seed, threads
from sixplane.cli.game_folder import GameFolder
from sixplane.cli.game_options import add_game_options, game_of, rules_of
from sixplane.cli.interrupt import interrupt_flag
from sixplane.cli.parser import Commands
from sixplane.cli.players import default_threads
from sixplane.cli.progress import progress_bar
from sixplane.cli.tally import Tally
from sixplane.games import GAMES
from sixplane.games.info import MOVES_PER_POINT, long_game
from sixplane.jobs import Cluster

#: Seconds that a chunk of games should take: as often the bar moves and Ctrl-C has an effect.
CHUNK_SECONDS = 0.1

#: Seconds that a chunk should take on a cluster, where each travels.
CLUSTER_CHUNK_SECONDS = 1.0


def add_parser(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "selfplay",
        help="let random players finish games on all cores",
        description=(
            "Finishes games between random players, on all cores, then prints a table and the last "
            "board. In Go they never fill their own eyes. Ctrl-C keeps the finished games."
        ),
    )
    add_game_options(parser, max_moves=f" (Go under simple ko: {MOVES_PER_POINT} a point)")
    parser.add_argument("--games", type=positive, default=1000, help="how many games (1000)")
    parser.add_argument(
        "--seed", type=seed, help="game i of a seed is always the same game (random, and shown)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--threads", type=threads, help="how many cores to use (all)")
    add_ray_option(where)
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for SGF files of the games")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays the games, shows the progress, and prints the table and the last board.

    Returns:
        0, or 130 if Ctrl-C cut the series short.
    """
    prototype = _prototype(arguments)
    if arguments.threads is None:
        default_threads()  # A malformed limit is reported before a folder is made.
    total: int = arguments.games
    is_random = arguments.seed is None
    game_seed: int = secrets.randbits(32) if is_random else arguments.seed
    tally = Tally()
    try:
        with (
            interrupt_flag() as interrupted,
            _played(arguments, prototype, game_seed, interrupted) as chunks,
            progress_bar(total, unit="game") as advance,
        ):
            folder = None if arguments.out is None else GameFolder(arguments.out, total)
            for games, seconds in chunks:
                tally.add(games, seconds)
                if folder is not None:
                    folder.write(games)
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


def _prototype(arguments: argparse.Namespace) -> _core.Game:
    """Returns the game to play, which also ends where random players would play on for long."""
    rules = rules_of(arguments)
    prototype = game_of(arguments, rules)
    if GAMES[arguments.game].may_repeat(prototype) and "max_moves" not in rules:
        prototype = game_of(arguments, rules | {"max_moves": long_game(prototype)})
    return prototype


@contextmanager
def _played(
    arguments: argparse.Namespace, prototype: _core.Game, seed: int, stop: Callable[[], bool]
) -> Iterator[Iterator[tuple[list[_core.Game], float]]]:
    """Yields chunks of finished games in order and their times, from this machine or a cluster."""
    if not arguments.ray:
        yield _chunks(prototype, arguments.games, seed, arguments.threads)
        return
    with Cluster(arguments.ray) as cluster:
        yield _chunks_of_cluster(cluster, prototype, arguments.games, seed, stop)


def _chunks(
    prototype: _core.Game, total: int, seed: int, threads: int | None
) -> Iterator[tuple[list[_core.Game], float]]:
    """Yields finished games in order and their time, in chunks of about `CHUNK_SECONDS`."""
    first, size = 0, 16
    while first < total:
        games, seconds = _play(prototype, first, min(size, total - first), seed, threads)
        yield games, seconds
        first += len(games)
        size = _next_size(len(games), seconds, CHUNK_SECONDS)


def _chunks_of_cluster(
    cluster: Cluster, prototype: _core.Game, total: int, seed: int, stop: Callable[[], bool]
) -> Iterator[tuple[list[_core.Game], float]]:
    """Yields the same from a cluster, with the time since the chunk before."""
    size = 16

    def tasks() -> Iterator[tuple[_core.Game, int, int, int]]:
        first = 0
        while first < total:
            count = min(size, total - first)
            yield prototype, first, count, seed
            first += count

    begun = time.perf_counter()
    for games, seconds in cluster.map(_play, tasks(), stop):
        size = _next_size(len(games), seconds, CLUSTER_CHUNK_SECONDS)
        now = time.perf_counter()
        yield games, now - begun
        begun = now


def _play(
    prototype: _core.Game, first: int, count: int, seed: int, threads: int | None = 1
) -> tuple[list[_core.Game], float]:
    """Plays some games, on a node with one thread; returns them and their time."""
    begun = time.perf_counter()
    games = _core.selfplay(prototype, first, count, seed, threads)
    return games, time.perf_counter() - begun


def _next_size(size: int, seconds: float, aim: float) -> int:
    """Returns how many games to play next, after so many seconds for a chunk of this size."""
    return max(1, min(4 * size, int(size * aim / max(seconds, 1e-9))))
