"""Small games of a training on a Ray cluster, and the program there, for the tests of clusters."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from learn_runs import TINY
from sixplane.learn.self_play import FinishedGames, SelfPlay
from sixplane.nets import Architecture
from waiting import MINUTE

if TYPE_CHECKING:
    from pathlib import Path

    from sixplane.jobs import Jobs
    from sixplane.nets.backend import BackendName

ARCHITECTURE = Architecture("go", blocks=1, channels=2)
WEIGHTS = ARCHITECTURE.random_parameters(np.random.default_rng(0))


def environment() -> dict[str, str]:
    """What programs are told: the package as these tests know it, and what Ray has set since."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}


def settings(games: int = 4, backend: BackendName = "numpy") -> SelfPlay:
    """Games of Go 3x3."""
    return SelfPlay(
        prototype=TINY.prototype(),
        games=games,
        simulations=2,
        opening_plies=2,
        search={},
        architecture=ARCHITECTURE,
        backend={"backend": backend},
    )


def key(games: FinishedGames) -> bytes:
    """What tells the games of one call from those of another."""
    return games.samples.planes.tobytes() + games.samples.policy.tobytes()


def taken(jobs: Jobs, seconds: float = 240) -> list[FinishedGames]:
    """Everything that was begun."""
    games: list[FinishedGames] = []
    end = time.monotonic() + seconds
    while jobs.waiting:
        games += [result for _, result in jobs.finished(1)]
        assert time.monotonic() < end, f"{jobs.waiting} calls are still not finished"
    return games


def sixplane_command(*arguments: str) -> list[str]:
    """The program as a command."""
    return [sys.executable, "-m", "sixplane", *arguments]


def train_command(out: Path, address: str, sizes: str = "3") -> list[str]:
    """A small run of training on a cluster."""
    config = out.with_suffix(".toml")
    settings = {
        name: getattr(TINY, name)
        for name in ("blocks", "channels", "simulations", "last_simulations", "games_at_once", "batch")
    }
    settings |= {"checkpoint_every": 0.5, "publish_every": 0.3, "judge_games": 16}
    config.write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))
    options = ["--game", "go", "--sizes", sizes, "--minutes", "60", "--config", str(config)]
    return sixplane_command("train", *options, "--out", str(out), "--ray", address)


def run_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The program, until it has ended."""
    command = sixplane_command(*arguments)
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=20 * MINUTE, env=environment()
    )


def results(tournament: Any, **options: Any) -> dict[int, tuple[str, list[int]]]:
    """Of each game: who won, and its actions."""
    return {
        played.fixture.index: (str(played.result.winner), played.result.record.actions.tolist())
        for played in tournament.run(**options)
    }
