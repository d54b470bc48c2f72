"""`sixplane bench` prints how fast batches, environments and functions are here, as Markdown tables."""

from __future__ import annotations

import argparse

from sixplane.cli import CommandError
from sixplane.cli.arguments import positive, seconds
from sixplane.cli.bench import nets, speed
from sixplane.cli.bench.timing import machine
from sixplane.cli.parser import Commands

__all__ = ["add_parser", "run"]

TABLES = {"speed": speed.table, "nets": nets.table}


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure how fast it is on this machine",
        description=(
            "Prints Markdown tables of the speeds that Python reaches on this machine. A step is one action "
            "in one game, with fresh planes and an exact action mask, and a new game where one ends. Figures "
            "are medians of several runs, in which all lines take turns, after at least three mean game "
            "lengths."
        ),
    )
    parser.add_argument(
        "tables",
        nargs="*",
        metavar="TABLE",
        help="speed (steps a second; if none is named), nets (evaluations a second by each backend)",
    )
    parser.add_argument("--runs", type=positive, default=7, help="runs of each line (7)")
    parser.add_argument("--seconds", type=seconds, default=0.3, help="how long a run takes (0.3)")
    parser.add_argument("--only", default="", metavar="TEXT", help="lines that contain this text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the tables that are asked for, but for those without a line that is."""
    names = arguments.tables or ["speed"]
    if unknown := [name for name in names if name not in TABLES]:
        raise CommandError(f"no table {unknown[0]!r}; choose from {', '.join(TABLES)}", status=2)
    print(machine())
    is_empty = True
    for name in names:
        for number, line in enumerate(TABLES[name](arguments)):
            print(line if number else f"\n{line}", flush=True)
            is_empty = False
    if is_empty:
        raise CommandError(f"no line contains {arguments.only!r}", status=2)
    return 0
