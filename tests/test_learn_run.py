"""Runs of training: going on where they were stopped, and what goes wrong in them."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from commands import run_command
from learn_runs import TINY, PassLearner, run_until
from sixplane.jobs import Processes
from sixplane.learn.config import Config, ConfigError
from sixplane.learn.folder import RunFolder
from sixplane.learn.progress import Progress
from sixplane.learn.recorder import Recorder
from sixplane.learn.trainer import Run, train
from sixplane.nets import Network
from sixplane.runs.calls import RunFolderError
from sixplane.search import Puct

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane.learn import Samples


def checkpoint_of(out: Path) -> Progress:
    """What the checkpoint of a run counts."""
    with RunFolder(dataclasses.replace(TINY, out=str(out))) as folder:
        stored = folder.load_checkpoint()
    assert stored is not None
    counters = stored[0]
    counters.pop("rng")
    return Progress.from_table(counters)


def test_a_run_learns_and_leaves_a_network_that_plays(tmp_path: Path) -> None:
    run = run_until(tmp_path, lambda run: run.progress.steps >= 300)
    assert run.progress.version > 0
    network = Network.load(tmp_path / "last.npz")
    game = sixplane.Go(size=3)
    logits, _ = network.for_game(game)(game.planes[None])
    # The network says how likely a pass is in the games that it played.
    samples = run.sample(200)
    points = samples.masks[:, :-1].sum(axis=1)
    expected = np.exp(logits[0, -1]) / (np.exp(logits[0, -1]) + points)
    assert abs(float(logits[0, -1])) > 0.2
    assert expected.mean() == pytest.approx(float(samples.policy[:, -1].mean()), abs=0.15)


def test_the_report_is_no_time_that_the_workers_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[float] = []
    write = Recorder.write

    def slow(*arguments: Any, **options: Any) -> None:
        time.sleep(0.5)
        written.append(0.5)
        write(*arguments, **options)

    monkeypatch.setattr(Recorder, "write", slow)
    run = run_until(tmp_path, lambda run: run.progress.steps >= 5 and len(written) >= 4)
    assert 0 < run.progress.driver_seconds < 0.5 * sum(written)


def test_a_stopped_run_goes_on_with_all_that_it_had(tmp_path: Path) -> None:
    before = run_until(tmp_path, lambda run: run.progress.steps >= 20).progress
    assert checkpoint_of(tmp_path) == before
    names = ("seconds", "tasks", "games", "positions", "steps", "play_seconds", "train_seconds")
    seen: list[Progress] = []

    def all_has_grown(run: Run) -> bool:
        seen.append(run.progress.copy())
        return all(getattr(run.progress, name) > getattr(before, name) for name in names)

    run_until(tmp_path, all_has_grown)
    assert all(getattr(first, name) >= getattr(before, name) for first in seen[:1] for name in names)


def test_a_run_whose_time_is_over_ends_at_once(tmp_path: Path) -> None:
    run_until(tmp_path, lambda run: run.progress.steps >= 5)
    before = checkpoint_of(tmp_path)
    train(dataclasses.replace(TINY, minutes=1e-3, out=str(tmp_path)), learner=PassLearner)
    assert checkpoint_of(tmp_path).games == before.games


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(run: Run) -> bool:
        if run.progress.files >= 2 and not killed:
            child = multiprocessing.active_children()[0]
            killed.append(run.progress.files)
            os.kill(child.pid or 0, signal.SIGKILL)
        return bool(killed) and run.progress.files >= killed[0] + 3

    run = run_until(tmp_path, kill_one)
    assert run.progress.games == 4 * run.progress.files


UNGUARDED = """
from dataclasses import replace
from learn_runs import TINY, PassLearner
from sixplane.learn.trainer import Run, train

# So long that it can only end by the error.
train(replace(TINY, minutes=60, out={out!r}), learner=PassLearner)
"""


def test_an_unguarded_script_is_told_how_to_guard_itself(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    path.write_text(UNGUARDED.format(out=str(tmp_path / "run")))
    done = subprocess.run(
        [sys.executable, path], capture_output=True, text=True, check=False, env=environment, timeout=120
    )
    assert done.stderr.endswith('put what the script does below `if __name__ == "__main__":`\n')
    assert done.stderr.count("Traceback") == 1


class NotANumber(PassLearner):
    """Fails after some steps."""

    def step(self, samples: Samples, learning_rate: float) -> dict[str, float]:
        """As a loss that is no longer finite."""
        if self.steps >= 30:
            raise FloatingPointError("the loss is nan")
        return super().step(samples, learning_rate)


def test_a_loss_that_is_not_finite_ends_the_run_and_keeps_the_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(FloatingPointError, match="nan"):
        train(dataclasses.replace(TINY, out=str(tmp_path)), learner=NotANumber)
    if (tmp_path / "checkpoint.npz").exists():
        assert checkpoint_of(tmp_path).steps <= 30
    run_until(tmp_path, lambda run: run.progress.steps >= 1)


class Hungry(PassLearner):
    """Needs more memory than there is after some steps."""

    def step(self, samples: Samples, learning_rate: float) -> dict[str, float]:
        """As one whose window has outgrown the machine."""
        if self.steps >= 30:
            np.ones(1 << 60, np.uint8)
        return super().step(samples, learning_rate)


def hungry(*_arguments: Any) -> None:
    """A worker that finds no memory."""
    np.ones(1 << 60, np.uint8)


class HungryWorkers(Processes):
    """Processes whose calls find no memory."""

    def begin(self, _function: Callable[..., Any], *arguments: Any) -> Any:
        """Begins another call."""
        return super().begin(hungry, *arguments)


def test_no_memory_ends_the_run_and_keeps_what_there_is(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, out=str(tmp_path))
    with pytest.raises(MemoryError):
        train(config, learner=Hungry)
    before = counted(tmp_path)
    assert before > 0
    with pytest.raises(MemoryError):
        train(config, learner=PassLearner, jobs=lambda _config: HungryWorkers(1))
    assert counted(tmp_path) == before
    seen: list[int] = []

    def goes_on(run: Run) -> bool:
        seen.append(run.progress.games)
        return seen[-1] > before

    run_until(tmp_path, goes_on)
    assert seen[0] >= before


def counted(folder: Path) -> int:
    """The games that the folder lists."""
    return sum(int(line.split(",")[3]) for line in (folder / "calls.csv").read_text().splitlines()[1:])


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
@pytest.mark.parametrize(("most", "file"), [(1500, ""), (40_000, "report.html")])
def test_a_full_disk_ends_the_run_with_one_line_and_keeps_what_there_is(
    tmp_path: Path, most: int, file: str
) -> None:
    run_until(tmp_path, lambda run: run.progress.steps >= 5)
    before = checkpoint_of(tmp_path)
    program = [sys.executable, str(Path(__file__).with_name("learn_runs.py")), str(tmp_path), "{}"]

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    ended = subprocess.run(program, preexec_fn=limit, capture_output=True, timeout=120, check=False)
    assert ended.returncode == 1
    assert f"RunFolderError: cannot write {tmp_path / file}" in ended.stderr.decode()
    assert checkpoint_of(tmp_path).games >= before.games
    assert not list(tmp_path.rglob("*.part"))


def test_a_folder_is_used_by_one_run_at_a_time(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, out=str(tmp_path))
    with RunFolder(config), pytest.raises(RunFolderError, match="in use by another run"):
        RunFolder(config)


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, out=str(tmp_path))
    RunFolder(config).close()
    other = dataclasses.replace(config, size=6, channels=8)
    with pytest.raises(
        RunFolderError, match="another run: size 3x3, not 6x6, max_moves 27, not 108, channels 2, not 8"
    ):
        RunFolder(other)
    with pytest.raises(RunFolderError, match=r"another run: inputs own, .*komi.*, not own, opponent$"):
        RunFolder(dataclasses.replace(config, inputs=("own", "opponent")))
    RunFolder(dataclasses.replace(config, minutes=90)).close()


def test_settings_that_say_the_same_in_other_words_are_of_the_same_run(tmp_path: Path) -> None:
    config = Config(game="go", out=str(tmp_path))
    RunFolder(config).close()
    same = dataclasses.replace(config, size=(9, 9), rules={"komi": 7.5})
    RunFolder(same).close()
    other = dataclasses.replace(same, rules={"komi": 5.5})
    with pytest.raises(RunFolderError, match=r"another run: komi 7\.5, not 5\.5$"):
        RunFolder(other)


def test_what_a_killed_program_left_half_written_is_deleted(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, out=str(tmp_path))
    RunFolder(config).close()
    for name in (".run.json.7.part", "games/.0000001.npz.7.part"):
        (tmp_path / name).write_bytes(b"half")
    RunFolder(config).close()
    assert not list(tmp_path.rglob("*.part"))


def test_a_folder_with_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("...")
    with pytest.raises(RunFolderError, match=r"has thesis\.tex, but no run: choose another folder"):
        RunFolder(dataclasses.replace(TINY, out=str(tmp_path)))
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]


def unknown_method(data: bytes) -> bytes:
    """A zip file whose first entry says that it is compressed in a way that nobody knows."""
    at = data.rindex(b"PK\x01\x02") + 10
    return data[:at] + b"\x63\x00" + data[at + 2 :]


def test_a_corrupt_checkpoint_is_passed_over_for_the_one_before(tmp_path: Path) -> None:
    newest, before = tmp_path / "checkpoint.npz", tmp_path / "checkpoint-before.npz"
    run_until(tmp_path, lambda run: run.progress.steps >= 5)
    older, steps = newest.read_bytes(), checkpoint_of(tmp_path).steps
    run_until(tmp_path, lambda run: run.progress.steps >= steps + 20)
    whole = newest.read_bytes()
    assert checkpoint_of(tmp_path).steps > steps
    before.write_bytes(older)
    for spoiled in (b"", whole[: len(whole) // 2], b"x" * 99, unknown_method(whole)):
        newest.write_bytes(spoiled)
        assert checkpoint_of(tmp_path).steps == steps
    run_until(tmp_path, lambda run: run.progress.steps >= steps + 20)
    newest.write_bytes(b"")
    before.write_bytes(b"")
    with pytest.raises(RunFolderError, match=r"checkpoint\.npz is no checkpoint"):
        run_until(tmp_path, lambda _: True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": "chess"}, "no game 'chess'; there are connect4, go, gomoku, hex, reversi"),
        ({"blocks": 0}, "blocks must be a positive integer, not 0"),
        ({"minutes": float("nan")}, "minutes must be 0 or more, not nan"),
        ({"minutes": 10**400}, "minutes must be 0 or more, not 1000"),
        ({"device": "tpu"}, "device must be auto or cpu or cuda"),
        ({"gpu_share": 0.5}, "gpu_share is for the nodes of a Ray cluster, and ray names none"),
        ({"gpu_share": 2, "ray": "auto"}, "is from 0.0001 to 1, or 0 for none, not 2"),
        ({"gpu_share": True, "ray": "auto"}, "is from 0.0001 to 1, or 0 for none, not True"),
        ({"gpu_share": "half", "ray": "auto"}, "is from 0.0001 to 1, or 0 for none, not 'half'"),
        ({"size": 7.5}, "size"),
        ({"workers": 0}, "workers must be a positive integer, not 0"),
        ({"blocks": 2.0}, "blocks must be an integer, not 2.0"),
        ({"blocks": 2000}, "blocks"),
        ({"opening_plies": 10**20}, "opening_plies must be below 2147483648"),
        ({"batch": 10**11}, "batch must be below 2147483648"),
        ({"seed": True}, "seed must be an integer, not True"),
        ({"minutes": "60"}, "minutes must be a number, not '60'"),
        ({"game": 3}, "game"),
        ({"rules": "komi"}, "rules must be a table, not 'komi'"),
        ({"most_window": 0}, "most_window must be a positive integer, not 0"),
        ({"judge_games": 0}, "judge_games must be a positive integer, not 0"),
        ({"root_value_share": 3}, "root_value_share must be from 0 to 1, not 3"),
        ({"inputs": "own"}, "inputs must be names of planes, not 'own'"),
        ({"inputs": ["own", 3]}, "inputs: no input plane is called 3"),
        ({"inputs": ["own", "own_five"]}, "inputs: the input plane 'own_five' is not for go"),
        ({"speed": 3}, "no setting 'speed' (did you mean seed?); there are game, size"),
        ({"game": "reversi", "size": 7}, "7"),
        ({"game": "gomoku", "rules": {"komi": 7.5}}, "komi"),
        ({"game": "go", "rules": {"size": 9}}, "size is a setting of its own, and no rule"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        Config.make(settings)


def test_numbers_of_numpy_and_ranges_are_taken_as_json_has_them(tmp_path: Path) -> None:
    settings: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"game": "reversi", "size": np.int64(6)}, {"size": 6}),
        ({"game": "reversi", "size": [np.int8(6), 8]}, {"size": (6, 8)}),
        ({"sizes": range(5, 10, 2)}, {"sizes": (5, 7, 9)}),
        ({"sizes": [{"size": np.int64(5), "share": np.float64(1)}]}, {"sizes": ({"size": 5, "share": 1.0},)}),
        ({"size": 5, "rules": {"komi": np.float32(7.5)}}, {"rules": {"komi": 7.5}}),
        ({"rules": MappingProxyType({"komi": Fraction(15, 2)})}, {"rules": {"komi": 7.5}}),
        ({"size": np.array(5), "rules": {"suicide": np.True_}}, {"size": 5, "rules": {"suicide": True}}),
        ({"stages": [{"size": np.int64(9), "share": 1}]}, {"stages": ({"size": 9, "share": 1},)}),
        ({"seed": np.uint8(3), "minutes": np.float64(2)}, {"seed": 3, "minutes": 2.0}),
    ]
    for number, (given, expected) in enumerate(settings):
        config = Config(**given, out=str(tmp_path / str(number)))
        assert {name: getattr(config, name) for name in expected} == expected
        again = Config.make(json.loads(json.dumps(config.to_table())))
        assert again == config
        RunFolder(config).close()
        RunFolder(config).close()  # and the folder is read again


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sizes": bytes([7, 9])}, "settings must be values that JSON has: "),
        ({"size": np.array([7, 9])}, "size"),
        ({"game": {}}, "game must be the name of a game"),
        ({"blocks": np.float32(2)}, "blocks must be an integer, not 2.0"),
    ],
    ids=str,
)
def test_a_setting_that_json_cannot_say_is_refused_at_once(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Config(**settings)


@pytest.mark.parametrize(("size", "noise"), [(19, 0.03), (7, 0.03 * 362 / 50)])
def test_self_play_by_puct_has_noise_at_the_root(size: int, noise: float) -> None:
    # Without it a run learned almost nothing.
    selection = Config(size=size, selection="puct").search["selection"]
    assert isinstance(selection, Puct) and selection.noise == pytest.approx(noise)
    assert Config(size=size).search["selection"] == "gumbel"  # it has noise of its own


def test_settings_are_read_from_toml(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    inputs = '["own", "opponent"]'
    file.write_text(f'game = "go"\nsize = [5, 7]\nminutes = 3\ninputs = {inputs}\n[rules]\nkomi = 4.5\n')
    config = Config.read(file, minutes=9.0)
    assert config.inputs == ("own", "opponent")
    assert (config.size, config.rules, config.minutes) == ((5, 7), {"komi": 4.5}, 9.0)
    assert Config.make(json.loads(json.dumps(config.to_table()))) == config
    file.write_text("game = go")
    with pytest.raises(ConfigError, match="no TOML file"):
        Config.read(file)
    with suppress(OSError):
        file.unlink()
    with pytest.raises(ConfigError, match="cannot read"):
        Config.read(file)


def test_a_rule_that_is_given_leaves_the_other_rules_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('game = "go"\n[rules]\nkomi = 5.5\nsuicide = true\n')
    game = Config.read(file, rules={"max_moves": 200, "suicide": False}).prototype()
    assert isinstance(game, sixplane.Go)
    assert (game.komi, game.max_moves, game.suicide) == (5.5, 200, False)


def test_workers_of_a_cluster_compute_on_their_own_share_of_a_gpu_or_on_none() -> None:
    here, cluster = Config(), Config(ray="auto")
    shares = Config(ray="auto", gpu_share=0.25)
    assert [config.backend("torch") for config in (here, cluster, shares)] == ["torch", "auto", "torch"]
    assert [config.backend("auto") for config in (here, cluster, shares)] == ["auto", "auto", "torch"]


def test_the_command_without_pytorch_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sixplane", "train", "--out", str(tmp_path / "run")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 1
    assert ended.stderr == "sixplane: error: training needs PyTorch: pip install 'sixplane[train]'\n"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--game", "reversi", "--size", "7"], "7"),
        (["--game", "reversi", "--komi", "7.5"], "komi is a rule of go, not of reversi"),
        (["--game", "gomoku", "--suicide"], "suicide is a rule of go, not of gomoku"),
        (["--minutes", "0"], "'0' is no positive number of minutes"),
        (["--minutes", "-1"], "'-1' is no positive number of minutes"),
        (["--minutes", "nan"], "'nan' is no positive number of minutes"),
        (["--minutes", "an hour"], "'an hour' is no positive number of minutes"),
        (["--ray", "auto", "--gpu-share", "1.5"], "'1.5' is no share of a GPU, which is from 0.0001 to 1"),
        (["--gpu-share", "0.5"], "gpu_share is for the nodes of a Ray cluster, and ray names none"),
        (["--config", "nowhere.toml"], "cannot read nowhere.toml"),
    ],
)
def test_wrong_options_of_the_command_are_one_line(tmp_path: Path, options: list[str], message: str) -> None:
    ended = run_command("train", "--out", str(tmp_path / "run"), *options)
    assert ended.returncode == 2
    assert message in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()
