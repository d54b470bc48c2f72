"""Keeps the series of a rating in a folder."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sixplane._core import Game, __version__
from sixplane._fields import from_table
from sixplane._files import failing_as
from sixplane.agents.spec import AgentSpec
from sixplane.ladder import Table
from sixplane.match.folder import RATING, RESULTS, start_of
from sixplane.match.json_lines import FolderError, JSONLines, network_checksum


class Series(NamedTuple):
    """What an agent scored in some games against one rung."""

    rung: int
    """The number of the rung."""
    points: float
    games: int


def rating_file(folder: Path, agent: str, table: Table, game: Game, seed: int) -> JSONLines[Series]:
    """Opens the file of series in a folder, for this agent and ladder and from this seed.

    Raises:
        FolderError: it cannot be used, is in use, or holds another rating or a match.
    """
    with failing_as(FolderError, f"cannot use the folder {folder}"):
        if (folder / RESULTS).exists():
            raise FolderError(f"{folder} holds a match ({RESULTS}): choose another folder for a rating")
    header = {
        "the version of sixplane": __version__,
        "agent": agent,
        "network": _network_of(agent),
        "ladder": f"{table.board}, {table.date}",
        **start_of(game),
        "seed": seed,
    }
    read = partial(_series, rungs=len(table.rungs))
    return JSONLines(folder / RATING, header, ("rating", "a rating"), {"agent": str}, read)


def _network_of(agent: str) -> str | None:
    """Returns the checksum of the network in the file that a spec names."""
    try:
        options = AgentSpec.parse(agent).options
    except ValueError:  # the class of an agent that is an object
        return None
    return network_checksum(options)


def _series(text: bytes, rungs: int) -> Series:
    series = from_table(Series, json.loads(text))
    if series.rung >= rungs:
        raise ValueError(f"there is no rung +{series.rung}")
    if not 0 <= series.points <= series.games:
        raise ValueError(f"{series.points} points of {series.games} games")
    return series
