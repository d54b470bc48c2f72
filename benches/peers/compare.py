"""Prints a Markdown table of peers and sixplane, taking turns in the same run.

`make bench-peers` runs it in an environment of its own.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from sixplane.cli.bench.speed import batch_work, environment_work
from sixplane.cli.bench.timing import machine, rates, shown

if TYPE_CHECKING:
    from entry import Entry

#: A module each.
PEERS = ("openspiel", "petting_zoo", "env_pool", "pgx_jax")


def main() -> int:
    """Prints the table line by line; a peer that is not there is told of in a line, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of each pair (5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long a run takes (0.5)")
    parser.add_argument("--only", default="", help="games whose name contains this text")
    parser.add_argument("--peers", nargs="*", default=PEERS, choices=PEERS, help="these peers")
    arguments = parser.parse_args()

    print(machine(), end="\n\n")
    print("| game | games at once | peer | steps/s | sixplane, steps/s | ratio |")
    print("|---|---|---|---|---|---|")
    young = False
    for peer in arguments.peers:
        try:
            module = import_module(peer)
        except Exception as error:
            print(f"| | | {peer}: NOT MEASURED, {type(error).__name__}: {error} | | | |", flush=True)
            continue
        for entry in module.entries():
            if arguments.only in entry.game:
                young |= _line(module.NAME, entry, arguments)
    if young:
        print("\n\\* Three mean game lengths took too long: these games are younger.")
    return 0


def _line(name: str, entry: Entry, arguments: argparse.Namespace) -> bool:
    """Prints one line; whether its games are younger than they should be."""
    alone = entry.games is None
    ours = environment_work(entry.game) if alone else batch_work(entry.game, entry.games, None)
    games = "one" if alone else str(entry.games)
    try:
        theirs, is_warm = entry.warmed_up()
        peer, own = rates([theirs, ours], runs=arguments.runs, seconds=arguments.seconds)
    except Exception as error:
        print(f"| {entry.game} | {games} | {name}, {entry.how}: FAILED, {error!r} | | | |", flush=True)
        return False
    star = "" if is_warm else " \\*"
    cells = (entry.game, games, f"{name}, {entry.how}", shown(peer) + star, shown(own), f"{own / peer:.1f}")
    print(f"| {' | '.join(cells)} |", flush=True)
    return not is_warm


if __name__ == "__main__":
    sys.exit(main())
