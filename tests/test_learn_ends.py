"""Runs of training that would wait for ever, and what happens at the end of a stage and of a run."""

from __future__ import annotations

import dataclasses
import importlib
import os
import signal
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from learn_runs import TINY, PassLearner, run_until
from sixplane.__main__ import main
from sixplane._live import live_record
from sixplane.learn import Config, Metrics, Progress, self_play, trainer
from sixplane.learn.folder import minutes_ended
from sixplane.learn.judge import Judge
from sixplane.learn.self_play import SelfPlay
from sixplane.learn.threads import VARIABLES
from sixplane.learn.window import ReplayWindows
from sixplane.learn.workers import Workers
from sixplane.nets import Architecture, Network

if TYPE_CHECKING:
    from sixplane.learn.trainer import Run


def test_calls_go_on_until_the_learner_has_a_batch(tmp_path: Path) -> None:
    # A batch of 16 needs 64 positions, which is many calls of one game.
    settings = {"games_at_once": 1, "samples_per_position": 0.25}
    run = run_until(tmp_path, lambda run: run.progress.steps >= 2, settings)
    assert run.progress.calls > 3


def test_a_run_whose_games_are_lost_plays_new_ones_however_far_its_learner_is_behind(tmp_path: Path) -> None:
    settings = {"samples_per_position": 1000.0}
    before = run_until(tmp_path, lambda run: run.progress.calls >= 3, settings).progress
    for file in (tmp_path / "games").iterdir():
        file.unlink()
    run_until(tmp_path, lambda run: run.progress.steps > before.steps, settings)


def test_the_last_version_is_judged_though_the_run_was_killed_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = dataclasses.replace(TINY, minutes=0.02, judge_games=2, out=str(tmp_path))

    def killed(_run: Run, *, last: bool = False) -> None:
        if last:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(trainer.Run, "judge", killed)
        with pytest.raises(KeyboardInterrupt):
            trainer.train(config, learner=PassLearner)
    assert minutes_ended(config) is None
    seen: list[Run] = []
    network = trainer.train(config, learner=PassLearner, on_progress=seen.append)
    version = seen[-1].progress.version
    assert seen[-1].progress.judgements[-1].version == version == network.training["version"]
    assert (tmp_path / "networks" / f"{version:06}.npz").exists()
    assert minutes_ended(config) is not None


def test_the_last_judgement_is_no_time_of_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, took = trainer.Run.judge, []

    def slow(run: Run, *, last: bool = False) -> None:
        before = run.seconds
        if last:
            run.progress.unjudged = 0  # as if its last version were a new one
            monkeypatch.setattr(run._judge, "judge", lambda *_: time.sleep(4))
        judge(run, last=last)
        if last:
            took.append(run.seconds - before)

    monkeypatch.setattr(trainer.Run, "judge", slow)
    config = dataclasses.replace(TINY, minutes=0.02, judge_games=2, out=str(tmp_path))
    trainer.train(config, learner=PassLearner)
    assert 0 <= took[0] < 2
    assert minutes_ended(config) is not None
    times = [row.minutes for row in Metrics(tmp_path / "metrics.csv").rows]
    assert times == sorted(times) and times[-1] - times[-2] < 2 / 60


def test_the_network_of_a_run_is_the_same_when_it_ends_and_later(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, minutes=0.02, judge_games=2, out=str(tmp_path))
    first, again = (trainer.train(config, learner=PassLearner) for _ in range(2))
    assert repr(first) == repr(again) == repr(Network.load(tmp_path / "last.npz"))
    assert first.training == again.training
    for name, array in first.parameters.items():
        assert np.array_equal(array, again.parameters[name])


@pytest.mark.parametrize("fails", [False, True])
def test_a_run_leaves_the_environment_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    first, *others = VARIABLES
    monkeypatch.setenv(first, "3")
    for name in others:
        monkeypatch.delenv(name, raising=False)
    before, seen = dict(os.environ), []

    def is_stopped() -> bool:
        seen.append([os.environ[name] for name in VARIABLES])
        if fails:
            raise KeyboardInterrupt
        return True

    with pytest.raises(KeyboardInterrupt) if fails else nullcontext():
        trainer.train(
            dataclasses.replace(TINY, out=str(tmp_path)), learner=PassLearner, is_stopped=is_stopped
        )
    assert seen[0] == ["3", "1", "1"]
    assert dict(os.environ) == before


def test_ctrl_c_in_the_last_judgement_ends_a_run_that_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train, judge = trainer.train, trainer.Run.judge

    def interrupted(run: Run, *, last: bool = False) -> None:
        if last:
            signal.raise_signal(signal.SIGINT)
        judge(run, last=last)

    def learning(config: Any, **options: Any) -> Any:
        return train(config, learner=PassLearner, **options)

    monkeypatch.setattr(trainer, "train", learning)
    monkeypatch.setattr(trainer.Run, "judge", interrupted)
    settings = ("size", "blocks", "channels", "games_at_once", "simulations", "last_simulations", "batch")
    lines = [f"{name} = {getattr(TINY, name)}" for name in settings]
    file = tmp_path / "run.toml"
    file.write_text("\n".join([*lines, "judge_games = 2"]))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        command = ["train", "--config", str(file), "--minutes", "0.02", "--out", str(tmp_path / "run")]
        assert main([*command, "--workers", "1"]) == 0
    finally:
        signal.signal(signal.SIGINT, before)
    said = capsys.readouterr()
    assert "stopped" not in said.err
    assert "sixplane play" in said.out


def test_a_version_is_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged, judge = [], Judge.judge

    def noted(self: Judge, version: int, *others: Any) -> None:
        judged.append(version)
        judge(self, version, *others)

    monkeypatch.setattr(Judge, "judge", noted)
    often = {"minutes": 0.05, "judge_every": 0.01, "judge_games": 2, "publish_every": 60.0}
    run_until(tmp_path, lambda _run: False, often)
    assert judged == sorted(set(judged))


def test_games_in_play_are_forgotten_at_the_end_of_a_stage(tmp_path: Path) -> None:
    seen: list[bool] = []
    written: list[int] = []
    live = live_record(tmp_path, 999_999)

    def is_in_second(run: Run) -> bool:
        if run.progress.stage:
            seen.append(live.exists())
        elif not written:
            live.parent.mkdir(exist_ok=True)
            written.append(live.write_text("(;)"))
        return bool(run.progress.stage)

    stages = ({"size": 3, "minutes": 0.02}, {"size": 4, "share": 0.5})
    run_until(tmp_path, is_in_second, {"size": None, "stages": stages, "judge_games": 2})
    assert seen == [False]


def test_positions_that_calibrate_are_seen_with_the_komi_of_the_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Any] = []
    module = importlib.import_module("sixplane.learn.self_play")  # the package has the function of that name
    network = module.Network

    def noted(*arguments: Any, **options: Any) -> Any:
        made.append(network(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(module, "Network", noted)
    architecture = Architecture("go", blocks=1, channels=2)
    for komi in (9.5, 7.5):
        settings = SelfPlay(
            prototype=sixplane.Go(3, komi=komi), architecture=architecture, games=2, simulations=2,
            backend={"backend": "numpy"},
        )  # fmt: skip
        self_play(1, architecture.random_parameters(1), 1, settings)
        assert made[-1].komi == komi
    assert len(made) == 2


def test_the_learning_rate_falls_along_a_cosine() -> None:
    config = Config(learning_rate=0.4, last_learning_rate=0.2)
    rates = []
    for part in (0.0, 1 / 3, 0.5, 1.0):
        run: Any = SimpleNamespace(config=config, part=part)
        rates.append(trainer.Run._learning_rate(run))
    assert rates == pytest.approx([0.4, 0.35, 0.3, 0.2])


class Begun:
    """Stands in for the processes, and keeps the calls that were begun."""

    workers = 1

    def __init__(self) -> None:
        self.calls: list[tuple[int, SelfPlay]] = []

    @property
    def waiting(self) -> int:
        return len(self.calls)

    def put(self, value: Any) -> Any:
        return value

    def begin(self, _function: Any, _version: int, _weights: Any, seed: int, settings: SelfPlay) -> int:
        self.calls.append((seed, settings))
        return len(self.calls)


def begun(
    config: Config, part: float = 0.0, windows: Any = None, **counted: Any
) -> list[tuple[int, SelfPlay]]:
    """The calls that are begun when a part of the time is over."""
    jobs: Any = Begun()
    folder: Any = SimpleNamespace(path=Path(config.out))
    network: Any = SimpleNamespace(parameters={})
    workers = Workers(config, folder, jobs, windows or ReplayWindows(config))
    workers.begin(Progress(**counted), network, "numpy", part)
    calls: list[tuple[int, SelfPlay]] = jobs.calls
    return calls


def test_the_simulations_grow_evenly_for_a_part_of_the_time() -> None:
    config = dataclasses.replace(TINY, simulations=10, last_simulations=30, growth=0.5)
    found = [begun(config, part)[0][1].simulations for part in (0.0, 0.25, 0.5, 1.0)]
    assert found == [10, 20, 30, 30]


def test_every_call_has_a_seed_of_its_own_which_the_seed_of_the_run_makes() -> None:
    one, same, other = ([seed for seed, _ in begun(replace(TINY, seed=seed))] for seed in (1, 1, 2))
    assert one == same and len({*one, *other}) == 4


def test_calls_wait_for_a_learner_that_is_far_behind() -> None:
    class Full(ReplayWindows):
        def __len__(self) -> int:
            return 100

    counted = {"calls": 10, "positions": 1000}
    # A call has 100 positions, each learned from three times; two may wait for the learner.
    for due, count in ((601.0, 0), (600.0, 2)):
        assert len(begun(TINY, 0.0, Full(TINY), samples_due=due, **counted)) == count


def test_the_last_network_of_a_run_is_written_anew_where_it_is_damaged(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, minutes=0.02, judge_games=2, out=str(tmp_path))
    network, last = trainer.train(config, learner=PassLearner), tmp_path / "last.npz"
    last.write_bytes(last.read_bytes()[:100])
    for again in (trainer.train(config, learner=PassLearner), Network.load(last)):
        for name, array in network.parameters.items():
            assert np.array_equal(again.parameters[name], array)


def test_a_run_that_has_ended_without_its_last_network_goes_on(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, minutes=0.02, judge_games=2, out=str(tmp_path))
    trainer.train(config, learner=PassLearner)
    assert minutes_ended(config) is not None
    (tmp_path / "last.npz").unlink()
    assert minutes_ended(config) is None
    assert trainer.train(config, learner=PassLearner).sizes == ((3, 3),)
