"""`sixplane selfplay`: random players finish many games, on all cores."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sixplane import _core
from sixplane.cli.arguments import positive, seed, threads
from sixplane.cli.game_folder import GameFolder
from sixplane.cli.game_options import add_game_options, game_of, rules_of
from sixplane.cli.interrupt import interrupt_flag
from sixplane.cli.players import default_threads
from sixplane.cli.progress import progress_bar
from sixplane.cli.tally import Tally
from sixplane.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["add_parser", "run"]

#: Seconds that a chunk of games should take: the bar moves, and Ctrl-C has an effect, this often.
CHUNK_SECONDS = 0.1


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "selfplay",
        help="random players finish games on all cores",
        description=(
            "Finishes games between random players, on all cores, then prints a table and the last "
            "board. In Go they never fill their own eyes. Ctrl-C keeps the finished games."
        ),
    )
    limits = [f"{game.title}, {game.random_limit_help}" for game in GAMES.values() if game.random_limit_help]
    add_game_options(parser, max_moves=f" ({'; '.join(limits)})")
    parser.add_argument("--games", type=positive, default=1000, help="how many games (1000)")
    parser.add_argument(
        "--seed", type=seed, help="game i of a seed is always the same game (random, and shown)"
    )
    parser.add_argument("--threads", type=threads, help="how many cores to use (all)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for SGF files of the games")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays, shows how far it is, prints the table and the last board.

    Returns:
        0, or 130 if Ctrl-C cut the series short.

    Raises:
        CommandError: wrong rules, or files that cannot be written.
    """
    rules = rules_of(arguments)
    prototype = game_of(arguments, rules)
    limit = GAMES[arguments.game].random_limit(prototype)
    if limit is not None and "max_moves" not in rules:
        prototype = game_of(arguments, rules | {"max_moves": limit})

    if arguments.threads is None:
        default_threads()  # A malformed limit is reported before a folder is made.
    total: int = arguments.games
    is_random = arguments.seed is None
    game_seed: int = secrets.randbits(32) if is_random else arguments.seed
    folder = None if arguments.out is None else GameFolder(arguments.out, total)

    tally = Tally()
    try:
        with interrupt_flag() as interrupted, progress_bar(total, unit="game") as advance:
            for games, seconds in _chunks(prototype, total, game_seed, arguments.threads):
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


def _chunks(
    prototype: _core.Game, total: int, seed: int, threads: int | None
) -> Iterator[tuple[list[_core.Game], float]]:
    """Finished games in order and their time, in chunks of about `CHUNK_SECONDS`."""
    first, size = 0, 16
    while first < total:
        size = min(size, total - first)
        begun = time.perf_counter()
        games = _core.selfplay(prototype, first, size, seed, threads)
        seconds = time.perf_counter() - begun
        yield games, seconds
        first += size
        size = max(1, min(4 * size, int(size * CHUNK_SECONDS / max(seconds, 1e-9))))
