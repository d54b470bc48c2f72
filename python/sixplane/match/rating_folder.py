"""Keeps the series of games by which an agent is rated."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from sixplane._core import Game, __version__
from sixplane._fields import from_table
from sixplane.ladder import Table
from sixplane.match.json_lines import JSONLines

NAME: Final = "rating.jsonl"


class Series(NamedTuple):
    """What an agent scored in some games against one rung."""

    rung: int
    """The number of the rung."""
    points: float
    games: int


def rating_file(folder: Path, agent: str, table: Table, game: Game, seed: int) -> JSONLines[Series]:
    """Opens the file of series in a folder, for this agent and ladder and from this seed.

    Raises:
        FolderError: it cannot be used, is in use, or holds another rating.
    """
    header = {
        "sixplane": __version__,
        "agent": agent,
        "ladder": f"{table.board}, {table.date}",
        "rules": {rule: getattr(game, rule) for rule in game.rule_names},
        "position": game.to_sgf(),
        "seed": seed,
    }
    read = partial(_series, rungs=len(table.rungs))
    return JSONLines(folder / NAME, header, ("rating", "a rating"), {"agent": str}, read)


def _series(text: bytes, rungs: int) -> Series:
    series = from_table(Series, json.loads(text))
    if series.rung >= rungs:
        raise ValueError(f"there is no rung +{series.rung}")
    if not 0 <= series.points <= series.games:
        raise ValueError(f"{series.points} points of {series.games} games")
    return series
