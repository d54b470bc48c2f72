"""The self-play workers of a run: calls of `self_play` in processes or on a cluster."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import numpy as np
from numpy.typing import NDArray

from sixplane._core import default_threads
from sixplane._live import live_record
from sixplane.jobs import Cluster, Jobs, Processes
from sixplane.jobs.gpu import with_gpu
from sixplane.learn.config import Config, ConfigError
from sixplane.learn.dashboard import Dashboard
from sixplane.learn.folder import RunFolder
from sixplane.learn.progress import Progress
from sixplane.learn.self_play import FinishedGames, SelfPlay, self_play
from sixplane.learn.threads import limit_threads_of_children
from sixplane.learn.window import ReplayWindows
from sixplane.nets import Network, Parameters
from sixplane.nets.backend import BackendName
from sixplane.runs.calls import Call

#: The number of positions that calibrate a network in 8 bits: where its numbers become largest is among them.
CALIBRATION = 256


class Workers:
    """Keeps the workers of a run busy."""

    def __init__(self, config: Config, folder: RunFolder, jobs: Jobs, windows: ReplayWindows) -> None:
        self._config = config
        self._folder = folder
        self._jobs = jobs
        self._windows = windows
        self._prototypes = [board.prototype() for board in config.by_board]
        self._numbers: dict[Hashable, int] = {}
        """The numbers of the calls in flight, by their keys."""
        self._weights: tuple[int, Parameters] = (-1, {})
        """The version that plays, and what stands for its weights."""
        self._calibrations: list[NDArray[np.uint8] | None] = []
        """Positions on each board for the version that plays."""
        self._dashboard = Dashboard() if config.ray else None

    @property
    def count(self) -> int:
        """The number of calls that run at the same time. It may change as nodes of a cluster come and go."""
        return self._config.workers or self._jobs.workers

    def begin(self, progress: Progress, network: Network, backend: BackendName, part: float) -> None:
        """Begins calls until every worker is busy, unless the learner is far behind.

        `backend` computes the network fastest where it learns, and `part` of the stage's time is over.
        """
        config = self._config
        behind = progress.samples_due / max(config.samples_per_position, 1e-9)
        most = self.count + spare_calls(self.count)
        # All workers may end at the same time: with one call more to learn from, the learner does not wait.
        positions = progress.positions - progress.stage_positions
        enough = (self.count + 1) * positions / max(progress.calls - progress.stage_calls, 1)
        # A learner without a batch, or without games, waits for more.
        can_learn = progress.samples_due >= config.batch and len(self._windows) > 0
        if can_learn and behind > enough:
            return
        if self._weights[0] != progress.version:
            self._weights = progress.version, self._jobs.put(network.parameters)
            self._calibrations = self._windows.spread(CALIBRATION)
        grown = min(1.0, part / max(config.growth, 1e-9))
        simulations = config.simulations + grown * (config.last_simulations - config.simulations)
        # A worker of a cluster that computes elsewhere than on its share of a GPU would be slow in silence.
        function = (with_gpu, self_play) if config.gpu_share else (self_play,)
        while self._jobs.waiting < most:
            progress.tasks += 1
            place = config.place_of_call(progress.tasks)
            settings = SelfPlay(
                prototype=self._prototypes[place],
                games=config.games_at_once,
                simulations=round(simulations),
                opening_plies=config.opening_plies,
                search=config.by_board[place].search,
                architecture=config.architecture,
                backend={"backend": config.backend(backend), "precision": "auto"},
                calibration=self._calibrations[place],
                # The folder is on this machine alone.
                live=None if config.ray else live_record(self._folder.path, progress.tasks),
            )
            seed = _seed(config.seed, progress.tasks)
            key = self._jobs.begin(*function, *self._weights, seed, settings)
            self._numbers[key] = progress.tasks

    def finished(self) -> Iterator[tuple[int, FinishedGames]]:
        """Yields the calls that have finished since the last time, each once, with its number."""
        for key, games in self._jobs.finished():
            number = self._numbers.pop(key, None)
            if number is not None:
                yield number, games

    def show(self, call: Call) -> None:
        """Shows a call whose games were counted on the dashboard, if there is one."""
        if self._dashboard is not None:
            self._dashboard.show(call)


def _seed(seed: int, number: int) -> int:
    entropy = np.random.SeedSequence([seed, 2, number])
    return int(entropy.generate_state(1, np.uint64)[0] >> np.uint64(1))


def spare_calls(workers: int) -> int:
    """Returns how many calls are begun beyond those that run, so that no worker waits for the driver."""
    return 1 + workers // 8


def jobs_of(config: Config) -> Jobs:
    """Makes what runs the calls of a run: processes of this machine, or a cluster.

    Raises:
        ConfigError: `SIXPLANE_THREADS` is malformed; the judge would fail, too.
        JobError: the cluster does not answer or cannot do the work, or processes cannot start.
    """
    try:
        threads = default_threads()
    except ValueError as error:
        raise ConfigError(str(error)) from error
    if config.ray:
        advice = f"the run in {config.out} goes on later, by the same command"
        return Cluster(config.ray, config.gpu_share, advice)
    limit_threads_of_children()
    return Processes(config.workers or threads)
