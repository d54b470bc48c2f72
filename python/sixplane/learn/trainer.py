"""The trainer: workers play, the learner learns, the judge looks on."""

from __future__ import annotations

import math
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sixplane.jobs.script import leave_if_importing
from sixplane.learn.folder import RunFolder, RunFolderError, has_ended
from sixplane.learn.initial import initial_parameters
from sixplane.learn.judge import Judge
from sixplane.learn.progress import Progress
from sixplane.learn.recorder import Recorder
from sixplane.learn.window import Window
from sixplane.learn.workers import Workers, jobs_of
from sixplane.nets import Network
from sixplane.runs.calls import Call, Calls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sixplane.jobs import Jobs
    from sixplane.learn.config import Config
    from sixplane.learn.folder import Checkpoint
    from sixplane.learn.learner import Learner
    from sixplane.learn.samples import Samples
    from sixplane.learn.self_play import FinishedGames
    from sixplane.nets import Architecture

__all__ = ["Run", "train"]


def train(
    config: Config,
    *,
    learner: Callable[[Config, Architecture, dict[str, NDArray[np.float32]], float], Learner] | None = None,
    jobs: Callable[[Config], Jobs] = jobs_of,
    on_progress: Callable[[Run], object] = lambda _run: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Network:
    """Trains a network, or goes on where the run in the folder was stopped; one that has ended is left alone.

    Args:
        config: of the run.
        learner: makes what learns; None: `sixplane.learn.torch_learner.TorchLearner`.
        jobs: makes what calls the workers; the default: processes of this machine, or the cluster that the
            config names.
        on_progress: called several times a second with the run.
        is_stopped: whether to stop; asked several times a second. Everything is kept.

    Returns:
        The network of the run's end, which is also in the folder, as `last.npz`.

    Raises:
        ConfigError: the initial network is not there, or is none for this run.
        RunFolderError: the folder holds another run, cannot be written, or a game was lost or counted twice.
        JobError: the cluster does not answer or cannot do the work, or processes cannot start.
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
    leave_if_importing()
    # Before PyTorch is loaded, which takes seconds.
    if has_ended(config):
        return Network.load(Path(config.out) / "last.npz")
    if learner is None:
        from sixplane.learn.torch_learner import TorchLearner

        learner = TorchLearner
    # Before the folder is touched: what is wrong with the initial network is said first.
    komi = getattr(config.prototype(), "komi", 0.0)
    learns = learner(config, config.architecture, initial_parameters(config), komi)
    with (
        closing(jobs(config)) as made,
        RunFolder(config) as folder,
        closing(Calls(folder.path / "calls.csv")) as calls,
    ):
        run = Run(config, folder, calls, learns, made)
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
        >>> def note(run):
        ...     seen.append((run.part, run.seconds, run.progress.games, run.line()))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     config = Config(game="reversi", size=4, minutes=0.05, workers=1, judge_games=2, out=folder)
        ...     network = train(config, on_progress=note)
        >>> part, seconds, games, line = seen[-1]
        >>> part, seconds >= 3, f"{games} games" in line
        (1.0, True, True)
    """

    def __init__(self, config: Config, folder: RunFolder, calls: Calls, learner: Learner, jobs: Jobs) -> None:
        self.config = config
        self.folder = folder
        self.calls = calls
        self.jobs = jobs
        self.progress = Progress()
        self.loss: dict[str, float] = {}
        """The last step's loss, in parts."""
        self._prototype = config.prototype()
        self._learner = learner
        self._workers = Workers(config, folder, jobs)
        self._window = Window(config)
        self._rng = np.random.default_rng([config.seed, 1])
        self._load()
        progress = self.progress
        self._begun = time.monotonic() - progress.seconds
        self._published = self._saved = progress.seconds
        self._published_steps = progress.steps
        self.network = self._network()
        self._judge = Judge(self._prototype, config.judge_games, progress.judgements)
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
            self._window.add(number, samples)
            progress.files = max(progress.files, number + 1)
            # A run that was killed had no time to list it.
            if call.number not in calls:
                calls.add(call)
        # Those after the checkpoint were not counted yet.
        for call in calls.lines[progress.calls :]:
            progress.count(call, self.config.samples_per_position)
        calls.check(progress)
        progress.tasks = max(progress.tasks, calls.last_number)
        self._window.shrink(progress.positions)

    def _take(self, checkpoint: Checkpoint) -> None:
        """Takes up a checkpoint, whose arrays the learner knows best."""
        counters = checkpoint.counters
        rng = np.random.default_rng()
        rng.bit_generator.state = counters["rng"]
        progress = Progress.from_table({name: counters[name] for name in counters if name != "rng"})
        self._learner.restore(checkpoint.arrays)
        self.config.architecture.check_parameters(self._learner.parameters())
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

    @contextmanager
    def driving(self) -> Iterator[None]:
        """Counts the time in the block as the driver's own, which more workers make longer."""
        begun = time.monotonic()
        yield
        self.progress.driver_seconds += time.monotonic() - begun

    def take_games(self) -> None:
        """Begins new games, takes finished ones into the window and writes them down, each call once."""
        finished = list(self._workers.finished())
        # The workers go on while these are taken in.
        self._workers.begin(self.progress, self.network, self._learner.backend, self.part)
        for number, games in finished:
            self._take_games(number, games)

    def _take_games(self, number: int, games: FinishedGames) -> None:
        progress = self.progress
        call = Call(
            number,
            games.version,
            progress.version - games.version,
            len(games.outcomes),
            len(games.samples),
            games.samples.packed_bytes,
            games.seconds,
            games.network_seconds,
            self.seconds / 60,
            games.node,
        )
        self.folder.save_games(progress.files, call, games.samples)
        self.folder.save_record(call, games.record)
        self.calls.add(call)
        self._window.add(progress.files, games.samples)
        progress.files += 1
        progress.count(call, self.config.samples_per_position)
        self._window.shrink(progress.positions)
        self._recorder.games(games, call)
        self._workers.counted(call)

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
        return self._window.sample(count, self._rng)

    def _learning_rate(self) -> float:
        """From the first to the last along a cosine."""
        first, last = self.config.learning_rate, self.config.last_learning_rate
        return last + 0.5 * (first - last) * (1 + math.cos(math.pi * self.part))

    def _network(self) -> Network:
        """The network as it is."""
        progress = self.progress
        return Network(
            self.config.architecture,
            self._learner.parameters(),
            sizes=[(self._prototype.rows, self._prototype.cols)],
            komi=getattr(self._prototype, "komi", 0.0),
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
            self._recorder.write(self.progress, len(self._window), self._workers.count, self.network)
        except OSError as error:
            raise RunFolderError(f"cannot write {error.filename}: {error.strerror}") from error
        self.folder.forget_games(self._window.oldest_file(self.progress.files))

    def close(self) -> None:
        """Ends what plays and what writes."""
        self.jobs.close()
        self._recorder.close()


#: Seconds of learning between two looks at everything else.
_SLICE = 0.25

#: The judge takes at most so much of the time.
_JUDGE_SHARE = 0.05

#: A short run is judged so often at least.
_FEWEST_JUDGEMENTS = 5
