"""How speed grows with the number of games and of threads: `python benches/growth.py`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sixplane.cli.bench.speed import PROTOTYPES, batch_work
from sixplane.cli.bench.timing import machine, processors, rates, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

GAMES = (1, 16, 64, 256, 1024, 4096)


def options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of each line (7)")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a run takes (0.3)")
    parser.add_argument("--only", default="", metavar="TEXT", help="lines that contain this text")
    return parser.parse_args()


def table(arguments: argparse.Namespace) -> Iterator[str]:
    """Steps a second of batches of several sizes, for each number of threads that is a power of two."""
    names = [name for name in PROTOTYPES if arguments.only in name]
    every = processors()
    threads = [2**i for i in range(every.bit_length()) if 2**i < every] + [every]
    yield f"| steps a second | threads | {' | '.join(f'B = {games}' for games in GAMES)} |"
    yield f"|---|---|{'---|' * len(GAMES)}"
    for name in names:
        works = [batch_work(name, games, count) for count in threads for games in GAMES]
        measured = iter(rates(works, runs=arguments.runs, seconds=arguments.seconds))
        for count in threads:
            cells = [shown(next(measured)) for _ in GAMES]
            yield f"| GameBatch, {name} | {count} | {' | '.join(cells)} |"


if __name__ == "__main__":
    print(machine(), end="\n\n")
    for line in table(options()):
        print(line, flush=True)
