"""The trainer: workers play, the learner learns, the judge measures."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from sixplane._arguments import Array
from sixplane._live import forget_live_records
from sixplane.jobs import Jobs
from sixplane.jobs.child import leave_if_importing
from sixplane.learn.boards import named
from sixplane.learn.config import Config
from sixplane.learn.folder import Checkpoint, RunFolder, minutes_ended, stages_ended
from sixplane.learn.growth import state_of_stage
from sixplane.learn.initial import initial_parameters
from sixplane.learn.judge import Judge
from sixplane.learn.learner import Learner, MakeLearner
from sixplane.learn.progress import Progress
from sixplane.learn.recorder import Recorder
from sixplane.learn.samples import Samples
from sixplane.learn.self_play import FinishedGames
from sixplane.learn.threads import kept_threads
from sixplane.learn.window import ReplayWindows
from sixplane.learn.workers import Workers, jobs_of
from sixplane.nets import Network
from sixplane.nets.inputs import komi_of
from sixplane.runs.calls import Call, Calls, RunFolderError

#: Seconds of learning before games are taken again.
SLICE_SECONDS: Final = 0.25

#: The largest share of the time that the judge takes.
JUDGE_SHARE: Final = 0.05

#: The least number of judgements of a stage, however short.
LEAST_JUDGEMENTS: Final = 5


def train(
    config: Config,
    *,
    learner: MakeLearner | None = None,
    jobs: Callable[[Config], Jobs] = jobs_of,
    on_progress: Callable[[Run], object] = lambda _run: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Network:
    """Trains a network, or resumes the run in the folder. A run that has ended is left as it is.

    Meanwhile PyTorch has the `learner_threads` of the settings, and libraries of new processes have one.

    Args:
        config: the settings of the run.
        learner: makes the learner of a stage; None: `sixplane.learn.torch_learner.TorchLearner`.
        jobs: makes what calls the workers of a stage. The default makes processes of this machine, or joins
            the cluster that the settings name.
        on_progress: called several times a second with the run; each of its stages is a `Run` of its own.
        is_stopped: called several times a second; True stops the run, which can be resumed.

    Returns:
        The network at the end of the run, as `last.npz` in the folder has it.

    Raises:
        ConfigError: there is no such initial network, or it does not fit the run.
        RunFolderError: the folder holds another run or cannot be written, or a game was not counted once.
        JobError: the cluster does not answer or cannot do the work, or processes cannot start.
        ImportError: PyTorch is not installed.
        FloatingPointError: the loss is no longer finite. The last checkpoint is kept.

    Example:
        >>> import tempfile
        >>> from dataclasses import replace
        >>> from sixplane.learn import Config
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     config = Config(game="reversi", size=4, minutes=0.02, workers=1, judge_games=2, out=folder)
        ...     network = train(config)
        ...     network = train(replace(config, minutes=0.04))  # the run is resumed
        >>> game = config.prototype()
        >>> logits, values = network(game.planes[None])
        >>> logits.shape, network.sizes
        ((1, 17), ((4, 4),))
    """
    leave_if_importing()
    # Before PyTorch is loaded, which takes seconds.
    config, last = config.chosen(), Path(config.out) / "last.npz"
    if minutes_ended(config) is not None:
        return Network.load(last)
    if learner is None:
        from sixplane.learn.torch_learner import TorchLearner

        learner = TorchLearner
    # Before the folder is touched: an error of the initial network comes first.
    stage = config.by_stage[number := stages_ended(config)]
    parameters = initial_parameters(stage)
    with ExitStack() as opened:
        opened.enter_context(kept_threads())
        # A run that goes on has other parameters in its checkpoint.
        made = learner(stage, stage.architecture, parameters)
        workers = opened.enter_context(jobs(config))
        folder = opened.enter_context(RunFolder(config))
        calls = opened.enter_context(closing(Calls(folder.path / "calls.csv")))
        while True:
            run = Run(config, folder, calls, made, workers, stages_ended=number)
            try:
                goes_on = _learn(run, on_progress, is_stopped)
            finally:
                run.close()
            if not goes_on:
                return Network.load(last)
            stage = config.by_stage[number := number + 1]
            made = learner(stage, stage.architecture, initial_parameters(stage))
            # Those of the stage before have ended, and with them calls whose games are of no use.
            workers = opened.enter_context(jobs(config))


def _learn(run: Run, on_progress: Callable[[Run], object], is_stopped: Callable[[], bool]) -> bool:
    """Goes on with a stage until it is over or stopped, and returns whether the next one is to begin."""
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
    is_over = run.is_over
    if is_over:
        run.judge(last=True)
        run.checkpoint()
    on_progress(run)
    progress = run.progress
    run.calls.check(progress.calls, progress.games, progress.positions)
    return is_over and run.begin_next_stage() and not is_stopped()


class Run:
    """A stage of a run of training, of which most runs have one; each method is a part of its loop.

    Example:
        >>> import tempfile
        >>> from sixplane.learn import Config
        >>> seen = []
        >>> def note(run):
        ...     seen.append((run.part, run.seconds, run.progress.games, run.line(), run.strength()))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     config = Config(game="reversi", size=4, minutes=0.02, workers=1, judge_games=2, out=folder)
        ...     network = train(config, on_progress=note)
        >>> part, seconds, games, line, strength = seen[-1]
        >>> part, seconds >= 1, f"{games} games" in line
        (1.0, True, True)
        >>> "there is no ladder for Reversi 4x4" in strength
        True
    """

    def __init__(
        self,
        config: Config,
        folder: RunFolder,
        calls: Calls,
        learner: Learner,
        jobs: Jobs,
        *,
        stages_ended: int = 0,
    ) -> None:
        self.config = config
        self._stage = stage = config.by_stage[stages_ended]
        self.folder = folder
        self.calls = calls
        self.jobs = jobs
        self.progress = Progress(stage=stages_ended)
        self.loss: dict[str, float] = {}
        """The parts of the loss of the last step."""
        self._prototype = stage.prototype()
        self._learner = learner
        self._windows = ReplayWindows(stage)
        self._workers = Workers(stage, folder, jobs, self._windows)
        self._rng = np.random.default_rng([config.seed, 1])
        self._load()
        progress = self.progress
        self._begun = time.monotonic() - progress.seconds
        self._published = self._saved = progress.seconds
        self._published_steps = progress.steps
        self._reported = 0.0
        self.network = self._network()
        self._judge = Judge(self._prototype, config.judge_games, progress.ratings, progress.judgements)
        try:
            self._recorder = Recorder(folder.path, config, progress)
        except OSError as error:
            raise RunFolderError(f"cannot use {error.filename}: {error.strerror}") from error

    def _load(self) -> None:
        self.folder.load_checkpoint(self._take)
        progress, calls = self.progress, self.calls
        if len(calls) < progress.calls:
            raise RunFolderError(
                f"calls.csv in {self.folder.path} lists {len(calls)} of {progress.calls} calls"
            )
        # The games of the window, oldest first.
        for number in self.folder.game_numbers():
            if number < progress.stage_files:
                continue
            try:
                call, samples = self.folder.load_games(number, progress.stage)
            except RunFolderError:
                continue  # Its games are lost, the run is not.
            self._windows.add(number, call, samples)
            progress.files = max(progress.files, number + 1)
            # A run that was killed had no time to list it.
            if call.number not in calls:
                calls.add(call)
        # Those after the checkpoint were not counted yet.
        for call in calls.lines[progress.calls :]:
            progress.count(call, self.config.samples_per_position)
        calls.check(progress.calls, progress.games, progress.positions)
        progress.tasks = max(progress.tasks, calls.last_number)
        for call in calls.lines[progress.stage_calls :]:
            self._windows.count(call)
        self._windows.shrink()

    def _take(self, checkpoint: Checkpoint) -> None:
        """Resumes from a checkpoint, whose arrays the learner checks."""
        counters = checkpoint.counters
        rng = np.random.default_rng()
        rng.bit_generator.state = counters["rng"]
        table = {name: counters[name] for name in counters if name != "rng"}
        progress = Progress.from_table(table, self._stage.batch)
        if progress.stage != self.progress.stage:
            raise ValueError(f"it is of stage {progress.stage + 1}, not {self.progress.stage + 1}")
        self._learner.restore(checkpoint.arrays)
        self._stage.architecture.check_parameters(self._learner.parameters())
        self._rng, self.progress = rng, progress

    @property
    def seconds(self) -> float:
        """Seconds trained so far, without the interruptions of the run."""
        return time.monotonic() - self._begun

    @property
    def part(self) -> float:
        """The part of the run's time that is over, from 0 to 1."""
        return min(1.0, self.seconds / max(60 * self.config.minutes, 1e-9))

    @property
    def _stage_seconds(self) -> float:
        return max(60 * self._stage.minutes - self.progress.stage_seconds, 1e-9)

    @property
    def stage_part(self) -> float:
        """The part of the stage's time that is over, from 0 to 1."""
        return min(1.0, (self.seconds - self.progress.stage_seconds) / self._stage_seconds)

    @property
    def is_over(self) -> bool:
        """Whether the stage's time is over."""
        return self.stage_part >= 1.0

    @contextmanager
    def driving(self) -> Iterator[None]:
        """Counts the time in the block as the driver's own, which grows with the number of workers.

        That of the report does not: it is the same for one worker and for many.
        """
        begun, reported = time.monotonic(), self._reported
        yield
        self.progress.driver_seconds += time.monotonic() - begun - (self._reported - reported)

    def take_games(self) -> None:
        """Begins new calls, and takes the games of finished ones, each once."""
        finished = list(self._workers.finished())
        # The workers go on while these are taken in.
        self._workers.begin(self.progress, self.network, self._learner.backend, self.stage_part)
        for number, games in finished:
            self._take_games(number, games)
        self._recorder.begin_calls(self.progress.tasks, self._workers.count, self.seconds)

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
        self._windows.add(progress.files, call, games.samples)
        progress.files += 1
        progress.count(call, self.config.samples_per_position)
        self._windows.count(call)
        self._windows.shrink()
        self._recorder.add_games(games, call)
        self._workers.show(call)

    def learn(self) -> None:
        """Learns for about a quarter of a second, or waits for games."""
        begun = time.monotonic()
        progress, size = self.progress, self.config.batch
        # The games of a run that goes on may be lost: it waits for new ones.
        if progress.samples_due < size or not len(self._windows):
            time.sleep(0.02)
            return
        while progress.samples_due >= size and time.monotonic() - begun < SLICE_SECONDS:
            samples = self.sample(size)
            losses = self._learner.step(samples, self._learning_rate())
            progress.steps += 1
            progress.samples += size
            progress.samples_due -= size
            self._recorder.add_losses(losses, samples.board)
            self.loss = losses
        progress.train_seconds += time.monotonic() - begun

    def publish(self, *, last: bool = False) -> None:
        """Publishes the network, which plays from then on, if the last one is old enough or `last` is set."""
        is_due = last or self.seconds - self._published >= self.config.publish_every
        if is_due and self.progress.steps > self._published_steps:
            self._published, self._published_steps = self.seconds, self.progress.steps
            self.progress.version += 1
            self.network = self._network()

    def sample(self, count: int) -> Samples:
        """Samples positions of a window for the next step, each in a random symmetry."""
        return self._windows.sample(count, self._rng, self.progress.steps)

    def _learning_rate(self) -> float:
        first, last = self.config.learning_rate, self.config.last_learning_rate
        return last + 0.5 * (first - last) * (1 + math.cos(math.pi * self.part))

    def _network(self) -> Network:
        progress = self.progress
        return Network(
            self._stage.architecture,
            self._learner.parameters(),
            sizes=self._stage.boards,
            komi=komi_of(self._prototype),
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

    def strength(self) -> str:
        """Says how strong the version that was judged last is, and on which scale."""
        return self._judge.summary()

    def line(self) -> str:
        """Returns the state of the run in one line."""
        progress = self.progress
        losses = " ".join(f"{name} {loss:.2f}" for name, loss in self.loss.items())
        short = self._judge.short()
        strength = f", {short}" if short else ""
        stages, stage = len(self.config.by_stage), ""
        if stages > 1:
            boards = ", ".join(map(named, self._stage.boards))
            stage = f", {boards} (stage {progress.stage + 1} of {stages})"
        return (
            f"{self.seconds / 60:.1f} of {self.config.minutes:g} min{stage}: {progress.games} games, "
            f"{progress.positions} positions ({progress.positions / max(self.seconds, 1e-9):.0f}/s), "
            f"loss {losses or 'none yet'}{strength}"
        )

    def judge(self, *, last: bool = False) -> None:
        """Judges the network now and then, within a twentieth of the time, or a `last` time after it."""
        progress = self.progress
        if progress.version < progress.unjudged:
            return  # The same games would count twice.
        every = min(self.config.judge_every, self._stage_seconds / LEAST_JUDGEMENTS)
        seconds = JUDGE_SHARE * self.seconds - progress.judge_seconds
        # The time that a run has left at its end is for its last version.
        is_due = self.seconds - progress.judged >= every and seconds > 0 and not self.is_over
        if not (last or is_due):
            return
        begun = time.monotonic()
        self._judge.judge(progress.version, self.network, self.folder.path, seconds)
        self.folder.save_network(f"networks/{progress.version:06}.npz", self.network)
        taken = time.monotonic() - begun
        if last:
            self._begun += taken  # It is no time of training.
        progress.judged, progress.unjudged = self.seconds, progress.version + 1
        progress.judge_seconds += taken

    def save(self) -> None:
        """Writes a checkpoint if the last is old enough, or if the judge has judged since.

        So each judgement has a row of figures, that of the version that was judged.
        """
        is_old = self.seconds - self._saved >= self.config.checkpoint_every
        if is_old or self.progress.judged > self._saved:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Writes a checkpoint, and deletes the games that have left the window."""
        self.progress.seconds = self._saved = self.seconds
        self.folder.sync()
        self.calls.sync()
        self._save_checkpoint(self.progress, self._learner.state())
        self.folder.save_network("last.npz", self.network)
        try:
            windows, begun = self._windows, time.monotonic()
            self._recorder.write(
                self.progress, len(windows), self._workers.count, self.network, windows.positions
            )
            self._reported += time.monotonic() - begun
        except OSError as error:
            raise RunFolderError(f"cannot write {error.filename}: {error.strerror}") from error
        self.folder.delete_games(self._windows.oldest_file(self.progress.files))

    def begin_next_stage(self) -> bool:
        """Leaves a checkpoint from which the next stage begins, and returns whether there is one."""
        if self.progress.stage + 1 == len(self.config.by_stage):
            return False
        progress = self.progress.copy()
        progress.begin_stage()
        state = state_of_stage(progress.stage, self.config, self._learner.state())
        # Twice: a run that went back into the stage before would find games of the next one.
        for _ in range(2):
            self._save_checkpoint(progress, state)
        return True

    def _save_checkpoint(self, progress: Progress, state: dict[str, Array]) -> None:
        counters = progress.to_table() | {"rng": self._rng.bit_generator.state}
        self.folder.save_checkpoint(counters, state)

    def close(self) -> None:
        """Ends the workers and the recorder."""
        self.jobs.close()
        # Of games that nobody plays any more; the next stage has others.
        forget_live_records(self.folder.path)
        self._recorder.close()
