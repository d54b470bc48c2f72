"""The table of how speed grows with the number of games and of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sixplane.cli.bench.speed import PROTOTYPES, batch_work
from sixplane.cli.bench.timing import processors, rates, shown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

__all__ = ["table"]

GAMES = (1, 16, 64, 256, 1024, 4096)


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
