"""The counters of a run."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Self

from sixplane._fields import from_table
from sixplane.learn.judge import Judgement
from sixplane.match.ratings import Rating
from sixplane.runs.calls import Call


@dataclass
class Progress:
    """Counts what a run has done; a checkpoint keeps it.

    Example:
        >>> progress = Progress(games=128, positions=5000)
        >>> Progress.from_table(progress.to_table()) == progress
        True
        >>> before = progress.copy()
        >>> from sixplane.runs.calls import Call
        >>> call = Call(1, 3, 0, 64, 2500, 9000, 1.5, 0.5, 0.1, "host")
        >>> progress.count(call, samples_per_position=4.0)
        >>> before.games, progress.games, progress.samples_due
        (128, 192, 10000.0)
        >>> progress.begin_stage()
        >>> progress.stage, progress.stage_positions, progress.samples_due
        (1, 7500, 0.0)
    """

    seconds: float = 0.0
    """Seconds trained, without the interruptions of the run."""
    tasks: int = 0
    """Calls of `self_play` that were begun; each has a number and a seed of its own."""
    calls: int = 0
    """Calls whose games were counted."""
    files: int = 0
    """Files of games that were written."""
    games: int = 0
    """Finished games."""
    positions: int = 0
    """Positions of those games that can be learned from."""
    steps: int = 0
    """Steps of the learner, one batch each."""
    samples: int = 0
    """Samples that the learner has learned from."""
    samples_due: float = 0.0
    """Samples that the learner has still to learn from."""
    version: int = 0
    """The version of the network that plays."""
    play_seconds: float = 0.0
    """Seconds that all workers together have played."""
    network_seconds: float = 0.0
    """Seconds of those that were spent inside the network."""
    driver_seconds: float = 0.0
    """Seconds in which the driver began calls, took their games, published and saved."""
    train_seconds: float = 0.0
    """Seconds in which the learner learned."""
    judge_seconds: float = 0.0
    """Seconds in which the judge played."""
    judged: float = 0.0
    """The time of the last judgement, in seconds trained."""
    unjudged: int = 0
    """The first version that was not judged in this stage."""
    ratings: list[Rating] = field(default_factory=list)
    """The ratings of the run on the ladder of its board, oldest first."""
    judgements: list[Judgement] = field(default_factory=list)
    """The series of the judge on a board without a ladder, oldest first."""
    stage: int = 0
    """The number of stages that have ended; ratings and judgements are those of the present one."""
    stage_seconds: float = 0.0
    """The time at which the stage began, in seconds trained."""
    stage_calls: int = 0
    """Calls that were counted before the stage."""
    stage_files: int = 0
    """Files of games that were written before the stage."""
    stage_positions: int = 0
    """Positions of the games before the stage."""

    def count(self, call: Call, samples_per_position: float) -> None:
        """Counts the games of a call."""
        self.calls += 1
        self.games += call.games
        self.positions += call.positions
        self.samples_due += call.positions * samples_per_position
        self.play_seconds += call.seconds
        self.network_seconds += call.network_seconds

    def begin_stage(self) -> None:
        """Begins the next stage, which learns from its own games."""
        self.stage += 1
        for name in ("seconds", "calls", "files", "positions"):
            setattr(self, f"stage_{name}", getattr(self, name))
        self.samples_due, self.unjudged = 0.0, 0
        self.ratings, self.judgements = [], []

    def copy(self) -> Self:
        """Returns a copy, which no longer changes."""
        return copy.deepcopy(self)

    def to_table(self) -> dict[str, object]:
        """Returns all counters by their names, for JSON."""
        lists = {name: [one._asdict() for one in getattr(self, name)] for name in ("ratings", "judgements")}
        return vars(self) | lists

    @classmethod
    def from_table(cls, table: object, batch: int = 0) -> Self:
        """Makes the counters from a table, as `to_table` returns it.

        Args:
            table: the counters by their names.
            batch: the samples of a step, for a run that began before samples were counted.

        Raises:
            ValueError: the table is of another version of the program, or has a field of another type.
        """
        # Runs that began before the judge rated on ladders have no ratings, and those before stages none.
        absent = {name: value for name, value in cls().to_table().items() if name.startswith("stage")}
        if isinstance(table, dict):
            table = {"ratings": [], "unjudged": 0} | absent | table
            if "samples" not in table and isinstance(steps := table.get("steps"), int):
                table["samples"] = steps * batch
        progress = from_table(cls, table)
        if not all(judgement.games for judgement in progress.judgements):
            raise ValueError("a judgement has no games")
        return progress
