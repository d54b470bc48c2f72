"""The trainer: workers play, the learner learns, the judge looks on."""

from __future__ import annotations

import math
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sixplane._core import default_threads
from sixplane._spawn import leave_if_importing
from sixplane.learn.calls import Call, Calls
from sixplane.learn.folder import RunFolder, RunFolderError, has_ended
from sixplane.learn.initial import architecture_of, initial_parameters
from sixplane.learn.judge import Judge
from sixplane.learn.play import Budget
from sixplane.learn.progress import Progress
from sixplane.learn.recorder import Recorder
from sixplane.learn.replay import Replay
from sixplane.learn.workers import WorkerPool
from sixplane.nets import Network
from sixplane.planes import symmetry_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sixplane.learn.config import Config
    from sixplane.learn.learner import Learner
    from sixplane.learn.pool import Pool
    from sixplane.learn.samples import Samples
    from sixplane.nets import Architecture

__all__ = ["Run", "train"]


def train(
    config: Config,
    *,
    learner: Callable[[Config, Architecture, dict[str, NDArray[np.float32]], float], Learner] | None = None,
    pool: Callable[[Config], Pool] | None = None,
    on_progress: Callable[[Run], object] = lambda _run: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Network:
    """Trains a network, or goes on where the run in the folder was stopped; one that has ended is left alone.

    Args:
        config: of the run.
        learner: makes what learns; None: `sixplane.learn.torch_learner.TorchLearner`.
        pool: makes what plays; None: processes of this machine, or the cluster that the config names.
        on_progress: called several times a second with the run.
        is_stopped: whether to stop; asked several times a second. Everything is kept.

    Returns:
        The network of the run's end, which is also in the folder, as `last.npz`.

    Raises:
        ConfigError: the initial network is not there, or is none for this run.
        RunFolderError: the folder holds another run, cannot be written, or a game was lost or counted twice.
        ClusterError: the cluster does not answer, or cannot do the work.
        ImportError: PyTorch is not installed.
        FloatingPointError: the loss is no longer finite. The last checkpoint is kept.

    Example:
        >>> import tempfile
        >>> from dataclasses import replace
        >>> from sixplane.learn import Config
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     config = Config(game="reversi", size=4, minutes=0.05, workers=1, judge_games=2, out=folder)
        ...     network = train(config)
        ...     network = train(replace(config, minutes=0.1))  # the run goes on
        >>> game = config.prototype()
        >>> logits, values = network(game.planes[None])
        >>> logits.shape, network.sizes
        ((1, 17), ((4, 4),))
    """
    if pool is None:
        leave_if_importing()
    # Before PyTorch is loaded, which takes seconds.
    if has_ended(config):
        return Network.load(Path(config.out) / "last.npz")
    if learner is None:
        from sixplane.learn.torch_learner import TorchLearner

        learner = TorchLearner
    # Before the folder is touched: what is wrong with the initial network is said first.
    komi = getattr(config.prototype(), "komi", 0.0)
    learns = learner(config, architecture_of(config), initial_parameters(config), komi)
    with (
        closing((pool or _pool)(config)) as workers,
        RunFolder(config) as folder,
        closing(Calls(folder.path / "calls.csv")) as calls,
    ):
        run = Run(config, folder, calls, learns, workers)
        try:
            while not (run.is_over or is_stopped()):
                with run.driving():
                    run.take_games()
                run.learn()
                with run.driving():
                    run.publish()
                run.judge()
                with run.driving():
                    run.save()
                on_progress(run)
            run.publish(last=True)
            run.checkpoint()
            if run.is_over:
                run.judge(last=True)
                run.checkpoint()
            on_progress(run)
            run.calls.check(run.progress)
        finally:
            run.close()
        return run.network


class Run:
    """A run of training; each method is one part of its loop.

    Example:
        >>> import tempfile
        >>> from sixplane.learn import Config
        >>> seen = []
        >>> def tell(run):
        ...     seen.append((run.part, run.seconds, run.progress.games, run.line()))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     config = Config(game="reversi", size=4, minutes=0.05, workers=1, judge_games=2, out=folder)
        ...     network = train(config, on_progress=tell)
        >>> part, seconds, games, line = seen[-1]
        >>> part, seconds >= 3, f"{games} games" in line
        (1.0, True, True)
    """

    def __init__(self, config: Config, folder: RunFolder, calls: Calls, learner: Learner, pool: Pool) -> None:
        self.config = config
        self.folder = folder
        self.calls = calls
        self.pool = pool
        self.progress = Progress()
        self._open: dict[int, int] = {}
        """The numbers of the calls in flight, by their seeds."""
        self.prototype = config.prototype()
        self.loss: dict[str, float] = {}
        """Of the last step, in parts."""
        self._file_lengths: dict[int, int] = {}
        game = self.prototype
        self._architecture = architecture_of(config)
        self._learner = learner
        self._replay = Replay(config.most_window)
        self._symmetries = symmetry_table(game.rows, game.cols)
        self._rng = np.random.default_rng([config.seed, 1])
        self._load()
        progress = self.progress
        self._begun = time.monotonic() - progress.seconds
        self._published = self._saved = progress.seconds
        self._published_steps = progress.steps
        self.network = self._network()
        self._judge = Judge(game, config.judge_games, progress.judgements)
        try:
            self._recorder = Recorder(folder.path, config, progress)
        except OSError as error:
            raise RunFolderError(f"cannot use {error.filename}: {error.strerror}") from error

    def _load(self) -> None:
        """Takes up what the folder holds."""
        self.folder.load_checkpoint(self._take)
        progress, calls = self.progress, self.calls
        if len(calls) < progress.calls:
            raise RunFolderError(
                f"calls.csv in {self.folder.path} lists {len(calls)} of {progress.calls} calls"
            )
        # The games of the window, oldest first.
        for number in self.folder.game_numbers():
            try:
                call, samples = self.folder.load_games(number)
            except RunFolderError:
                continue  # Its games are lost, the run is not.
            self._replay.add(samples)
            self._file_lengths[number] = len(samples)
            progress.files = max(progress.files, number + 1)
            # A run that was killed had no time to list it.
            if call.number not in calls:
                calls.add(call)
        # Those after the checkpoint were not counted yet.
        for call in calls.lines[progress.calls :]:
            self._count(call)
        calls.check(progress)
        progress.tasks = max(progress.tasks, calls.last_number)
        self._replay.shrink(self._window())

    def _take(self, counters: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Takes up a checkpoint, whose arrays the learner knows best."""
        rng = np.random.default_rng()
        rng.bit_generator.state = counters["rng"]
        progress = Progress.from_table({name: counters[name] for name in counters if name != "rng"})
        self._learner.restore(arrays)
        self._architecture.check_parameters(self._learner.parameters())
        self._rng, self.progress = rng, progress

    @property
    def seconds(self) -> float:
        """Time trained so far, in all sittings."""
        return time.monotonic() - self._begun

    @property
    def part(self) -> float:
        """The part of the time that is over, from 0 to 1."""
        return min(1.0, self.seconds / max(60 * self.config.minutes, 1e-9))

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self.part >= 1.0

    def _window(self) -> int:
        config = self.config
        grown = max(config.least_window, int(config.window_share * self.progress.positions))
        return min(grown, config.most_window)

    @contextmanager
    def driving(self) -> Iterator[None]:
        """Counts the time in the block as the driver's own, which more workers make longer."""
        begun = time.monotonic()
        yield
        self.progress.driver_seconds += time.monotonic() - begun

    def begin_games(self) -> None:
        """Keeps every worker busy, unless the learner is far behind."""
        config, progress = self.config, self.progress
        behind = progress.samples_due / max(config.samples_per_position, 1e-9)
        workers = self.pool.workers
        most = workers + spare_calls(workers)
        # All workers may end at the same time; with one call more to learn from, nobody waits for the other.
        enough = (workers + 1) * progress.positions / max(progress.calls, 1)
        while self.pool.waiting < most and behind <= enough:
            grown = min(1.0, self.part / max(config.growth, 1e-9))
            simulations = config.simulations + grown * (config.last_simulations - config.simulations)
            budget = Budget(
                prototype=self.prototype,
                games=config.games_at_once,
                simulations=round(simulations),
                opening_plies=config.opening_plies,
                search=config.search,
                architecture=self._architecture,
                backend={"backend": config.backend(self._learner.backend), "precision": "auto"},
                live=self.folder.live_record(self.progress.tasks + 1),
            )
            self.progress.tasks += 1
            seed = self._seed(self.progress.tasks)
            self._open[seed] = self.progress.tasks
            self.pool.begin(self.progress.version, self.network.parameters, seed, budget)

    def _seed(self, number: int) -> int:
        """That of a call of `play`."""
        entropy = np.random.SeedSequence([self.config.seed, 2, number])
        return int(entropy.generate_state(1, np.uint64)[0] >> np.uint64(1))

    def take_games(self) -> None:
        """Begins new games, takes finished ones into the window and writes them down, each call once."""
        finished = self.pool.take()
        # The workers go on while these are taken in.
        self.begin_games()
        for games in finished:
            number = self._open.pop(games.seed, None)
            if number is None:
                continue
            call = Call(
                number,
                games.version,
                self.progress.version - games.version,
                len(games.outcomes),
                len(games.samples),
                games.samples.packed_bytes,
                games.seconds,
                games.network_seconds,
                self.seconds / 60,
                games.node,
            )
            self.folder.save_games(self.progress.files, call, games.samples)
            self.folder.save_record(call, games.record)
            self.calls.add(call)
            self._file_lengths[self.progress.files] = len(games.samples)
            self.progress.files += 1
            self._count(call)
            self._replay.add(games.samples)
            self._replay.shrink(self._window())
            self._recorder.games(games, call)
            self.pool.taken(call)

    def _count(self, call: Call) -> None:
        self.progress.calls += 1
        self.progress.games += call.games
        self.progress.positions += call.positions
        self.progress.samples_due += call.positions * self.config.samples_per_position
        self.progress.play_seconds += call.seconds
        self.progress.network_seconds += call.network_seconds

    def learn(self) -> None:
        """Learns for about a quarter of a second, or waits for games."""
        begun = time.monotonic()
        progress, size = self.progress, self.config.batch
        if progress.samples_due < size:
            time.sleep(0.02)
            return
        while progress.samples_due >= size and time.monotonic() - begun < _SLICE:
            losses = self._learner.step(self.sample(size), self._learning_rate())
            progress.steps += 1
            progress.samples_due -= size
            self._recorder.losses(losses)
            self.loss = losses
        progress.train_seconds += time.monotonic() - begun

    def publish(self, *, last: bool = False) -> None:
        """Now and then, and at the end, lets later games be played by the network as it is."""
        is_due = last or self.seconds - self._published >= self.config.publish_every
        if is_due and self.progress.steps > self._published_steps:
            self._published, self._published_steps = self.seconds, self.progress.steps
            self.progress.version += 1
            self.network = self._network()

    def sample(self, count: int) -> Samples:
        """Positions of the window at random, each in a random symmetry."""
        chosen = self._rng.integers(0, len(self._symmetries), count)
        return self._replay.sample(count, self._rng).transformed(self._symmetries[chosen])

    def _learning_rate(self) -> float:
        """From the first to the last along a cosine."""
        first, last = self.config.learning_rate, self.config.last_learning_rate
        return last + 0.5 * (first - last) * (1 + math.cos(math.pi * self.part))

    def _network(self) -> Network:
        """The network as it is."""
        progress = self.progress
        return Network(
            self._architecture,
            self._learner.parameters(),
            sizes=[(self.prototype.rows, self.prototype.cols)],
            komi=getattr(self.prototype, "komi", 0.0),
            training={
                "games": progress.games,
                "positions": progress.positions,
                "minutes": round(self.seconds / 60, 1),
                "version": progress.version,
                "settings": self.config.to_table(),
            },
            backend=self._learner.backend,
            precision="auto",
        )

    def line(self) -> str:
        """How it goes, in one line."""
        progress = self.progress
        losses = " ".join(f"{name} {loss:.2f}" for name, loss in self.loss.items())
        strength = f", {progress.judgements[-1]}" if progress.judgements else ""
        return (
            f"{self.seconds / 60:.1f} of {self.config.minutes:g} min: {progress.games} games, "
            f"{progress.positions} positions ({progress.positions / max(self.seconds, 1e-9):.0f}/s), "
            f"loss {losses or 'none yet'}{strength}"
        )

    def judge(self, *, last: bool = False) -> None:
        """Measures the strength now and then, within a twentieth of the time."""
        progress = self.progress
        every = min(self.config.judge_every, 60 * self.config.minutes / _FEWEST_JUDGEMENTS)
        budget = _JUDGE_SHARE * self.seconds - progress.judge_seconds
        if not last and (self.seconds - progress.judged < every or budget <= 0):
            return
        begun = time.monotonic()
        for judgement in self._judge.look(progress.version, self.network, self.folder.path, budget):
            progress.judgements.append(judgement)
            self._recorder.judged(judgement)
        self.folder.save_network(f"networks/{progress.version:06}.npz", self.network)
        progress.judged = self.seconds
        progress.judge_seconds += time.monotonic() - begun

    def save(self) -> None:
        """Writes a checkpoint if the last is old enough."""
        if self.seconds - self._saved >= self.config.checkpoint_every:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Writes a checkpoint, and deletes what has left the window."""
        self.progress.seconds = self._saved = self.seconds
        self.folder.sync()
        self.calls.sync()
        counters = self.progress.to_table() | {"rng": self._rng.bit_generator.state}
        self.folder.save_checkpoint(counters, self._learner.state())
        self.folder.save_network("last.npz", self.network)
        try:
            self._recorder.write(self.progress, len(self._replay), self.pool.workers, self.network)
        except OSError as error:
            raise RunFolderError(f"cannot write {error.filename}: {error.strerror}") from error
        self.folder.forget_games(self._oldest_file())

    def _oldest_file(self) -> int:
        """The number of the first file of games that the window still needs."""
        needed, number = len(self._replay), self.progress.files
        while number and needed > 0:
            number -= 1
            needed -= self._file_lengths.get(number, 0)
        return number

    def close(self) -> None:
        """Ends what plays and what writes."""
        self.pool.close()
        self._recorder.close()


def spare_calls(workers: int) -> int:
    """How many calls are begun beyond those that run, so that no worker waits for the driver."""
    return 1 + workers // 8


def _pool(config: Config) -> Pool:
    """What plays: processes of this machine, or the nodes of a cluster."""
    if not config.ray:
        return WorkerPool(config.workers or default_threads())
    from sixplane.learn.ray_pool import RayPool

    advice = f"the run in {config.out} goes on later, by the same command"
    return RayPool(config.ray, config.workers, gpu_share=config.gpu_share, advice=advice)


#: Seconds of learning between two looks at everything else.
_SLICE = 0.25

#: The judge takes at most so much of the time.
_JUDGE_SHARE = 0.05

#: A short run is judged so often at least.
_FEWEST_JUDGEMENTS = 5
