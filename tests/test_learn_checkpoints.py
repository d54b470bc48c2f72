"""Damaged checkpoints and games of a run: what is wrong is named, and the checkpoint before goes on."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from learn_runs import TINY, run_until
from sixplane.learn.folder import RunFolder
from sixplane.learn.judge import Judgement
from sixplane.learn.trainer import Run
from sixplane.runs.calls import RunFolderError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def go_on(out: Path) -> Run:
    """One round of the run's loop."""
    return run_until(out, lambda _: True)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run that was stopped."""
    path = tmp_path_factory.mktemp("run")
    run_until(path, lambda run: run.progress.calls >= 3 and run.progress.steps > 0)
    return {str(one.relative_to(path)): one.read_bytes() for one in path.rglob("*") if one.is_file()}


@pytest.fixture
def run(tmp_path: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def rewrite(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Changes the arrays of a file."""
    with np.load(file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    change(arrays)
    with file.open("wb") as stream:
        np.savez(stream, **arrays)


def counted(**changed: Any) -> Callable[[dict[str, Any]], object]:
    def change(arrays: dict[str, Any]) -> None:
        counters = json.loads(arrays["counters"].tobytes()) | changed
        arrays["counters"] = np.frombuffer(json.dumps(counters).encode(), np.uint8)

    return change


def called(**changed: Any) -> Callable[[dict[str, Any]], object]:
    def change(arrays: dict[str, Any]) -> None:
        call = json.loads(arrays["call"].tobytes()) | changed
        arrays["call"] = np.frombuffer(json.dumps(call).encode(), np.uint8)

    return change


JUDGEMENT = Judgement(1, "random", 0, 1.0, 2, 0.1, 0.2)
BAD: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (counted(games="many"), "games must be an integer from 0 on, not 'many'"),
    (counted(steps=-1), "steps must be an integer from 0 on, not -1"),
    (counted(seconds=None), "seconds must be a finite number, not None"),
    (counted(samples_due=float("nan")), "samples_due must be a finite number, not nan"),
    (counted(judgements=7), "judgements must be a list, not 7"),
    (counted(judgements=[[1, 2]]), r"a table of fields is needed, not \[1, 2\]"),
    (counted(judgements=[JUDGEMENT._asdict() | {"points": "1"}]), "points must be a finite number, not '1'"),
    (counted(judgements=[JUDGEMENT._replace(games=0)._asdict()]), "a judgement has no games"),
    (counted(ratings=[{"elo": None}]), "low is missing"),
    (counted(rng=None), "."),
    (counted(rng={"bit_generator": "MT19937"}), "."),
    (lambda arrays: arrays.update(counters=np.zeros(3)), "."),
    (lambda arrays: arrays.update(counters=np.frombuffer(b"[1]", np.uint8)), "."),
    (lambda arrays: arrays.pop("counters"), "there is no 'counters'"),
    (lambda arrays: arrays.pop("stem.weight"), r"the parameter stem\.weight is missing"),
    (
        lambda arrays: arrays.update({"stem.weight": np.zeros((3, 3), np.float32)}),
        r"the shape of stem\.weight must be \(2, 9, 3, 3\), not \(3, 3\)",
    ),
    (
        lambda arrays: arrays.update({"stem.bias": np.array([1, np.nan], np.float32)}),
        r"stem\.bias has numbers that are not finite",
    ),
    (lambda arrays: arrays.update(more=np.zeros(1)), "the network has no parameter more"),
]


@pytest.mark.parametrize(("change", "says"), BAD)
def test_what_is_wrong_with_a_checkpoint_is_named(
    run: Path, change: Callable[[dict[str, Any]], object], says: str
) -> None:
    (run / "checkpoint-before.npz").unlink(missing_ok=True)
    rewrite(run / "checkpoint.npz", change)
    before = {path: path.read_bytes() for path in run.glob("*.npz")}
    with pytest.raises(RunFolderError, match=rf"checkpoint\.npz is no checkpoint of this run: .*{says}"):
        go_on(run)
    assert {path: path.read_bytes() for path in run.glob("*.npz")} == before


def test_a_run_from_before_there_were_ladders_goes_on(run: Path) -> None:
    def older(arrays: dict[str, Any]) -> None:
        counters = json.loads(arrays["counters"].tobytes())
        del counters["ratings"]
        arrays["counters"] = np.frombuffer(json.dumps(counters).encode(), np.uint8)

    (run / "checkpoint-before.npz").unlink(missing_ok=True)
    rewrite(run / "checkpoint.npz", older)
    assert go_on(run).progress.calls >= 3


def test_the_checkpoint_before_a_damaged_one_goes_on(run: Path) -> None:
    (run / "checkpoint-before.npz").write_bytes((run / "checkpoint.npz").read_bytes())
    rewrite(run / "checkpoint.npz", BAD[15][0])
    assert go_on(run).progress.calls >= 3


def loaded(folder: RunFolder) -> object:
    """The number that the checkpoint has which a run would go on from."""
    checkpoint = folder.load_checkpoint()
    return checkpoint and checkpoint.counters["number"]


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100])


def test_a_damaged_checkpoint_does_not_replace_the_whole_one_before(tmp_path: Path) -> None:
    newest = tmp_path / "checkpoint.npz"
    arrays = {"weights": np.arange(1000)}
    config = dataclasses.replace(TINY, out=str(tmp_path))
    with RunFolder(config) as folder:
        assert loaded(folder) is None
        for number in (1, 2):
            folder.save_checkpoint({"number": number}, arrays)
    cut(newest)
    with RunFolder(config) as folder:
        assert loaded(folder) == 1
        folder.save_checkpoint({"number": 3}, arrays)
        assert loaded(folder) == 3
        cut(newest)
        assert loaded(folder) == 1
        # Those that follow are kept as ever.
        for number in (4, 5):
            folder.save_checkpoint({"number": number}, arrays)
        cut(newest)
        assert loaded(folder) == 4
        newest.unlink()
        assert loaded(folder) == 4
        folder.save_checkpoint({"number": 6}, arrays)
        newest.unlink()
        assert loaded(folder) == 4


def test_a_checkpoint_that_was_not_named_yet_is_kept_as_the_one_before(tmp_path: Path) -> None:
    newest = tmp_path / "checkpoint.npz"
    arrays = {"weights": np.arange(1000)}
    config = dataclasses.replace(TINY, out=str(tmp_path))
    with RunFolder(config) as folder:
        for number in (1, 2):
            folder.save_checkpoint({"number": number}, arrays)
    # As if the program had been killed before it named the second, and the first was damaged.
    newest.rename(tmp_path / "checkpoint-new.npz")
    newest.write_bytes(b"")
    with RunFolder(config) as folder:
        assert loaded(folder) == 2
        folder.save_checkpoint({"number": 3}, arrays)
        assert loaded(folder) == 3 and not (tmp_path / "checkpoint-new.npz").exists()
        cut(newest)
        assert loaded(folder) == 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda arrays: arrays.update(ownership=np.zeros((len(arrays["outcome"]), 1, 1), np.int8)),
            r"has no games of this run: ",
        ),
        (lambda arrays: arrays.update(policy=arrays["policy"].astype(np.float64)), "policy must be float16"),
        (
            lambda arrays: arrays.update(score=arrays["score"] + np.float32(np.inf)),
            "score has numbers that are",
        ),
        (lambda arrays: arrays.update(outcome=arrays["outcome"][:1]), r"outcome must be int8 of shape \("),
        (
            lambda arrays: arrays.update(root_value=arrays["root_value"][:, None]),
            "root_value must be float16",
        ),
        (lambda arrays: arrays.pop("masks"), "masks"),
        (called(positions=7), r"\d+ positions, not 7"),
        (lambda arrays: arrays.update(call=np.frombuffer(b"{}", np.uint8)), "number is missing"),
        (lambda arrays: arrays.update(call=np.frombuffer(b"[" * 9000, np.uint8)), "."),
    ],
)
def test_games_that_are_not_of_the_run_are_left_out(
    run: Path, change: Callable[[dict[str, Any]], object], says: str
) -> None:
    rewrite(run / "games/0000000.npz", change)
    with RunFolder(dataclasses.replace(TINY, out=str(run))) as folder:
        with pytest.raises(RunFolderError, match=says):
            folder.load_games(0)
        assert folder.load_games(1)[0].games == TINY.games_at_once
    assert go_on(run).progress.calls >= 3


def test_a_checkpoint_takes_no_more_memory_than_it_has_bytes(run: Path) -> None:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "|u1", "fortran_order": False, "shape": (1 << 40,)})
    (run / "checkpoint-before.npz").unlink(missing_ok=True)
    with zipfile.ZipFile(run / "checkpoint.npz", "a") as archive:
        archive.writestr("more.npy", file.getvalue())
    with pytest.raises(RunFolderError, match="'more' is damaged: its size is not that of its shape"):
        go_on(run)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize(
    "name", ["checkpoint.npz", "games/0000000.npz", "calls.csv", "metrics.csv", "run.json"]
)
def test_a_pipe_in_the_folder_of_a_run_does_not_hold_it_up(run: Path, name: str) -> None:
    (run / "checkpoint-before.npz").unlink(missing_ok=True)
    (run / name).unlink()
    os.mkfifo(run / name)
    if name == "games/0000000.npz":
        assert go_on(run).progress.calls >= 3
        return
    with pytest.raises(RunFolderError, match="it is no regular file"):
        go_on(run)


def test_a_run_that_goes_on_draws_other_samples_than_before(tmp_path: Path) -> None:
    before = run_until(tmp_path, lambda run: run.progress.steps >= 5)._rng.bit_generator.state
    # With so large a batch it does not learn.
    run = run_until(tmp_path, lambda _: True, {"batch": 1_000_000})
    assert run._rng.bit_generator.state == before
    new = run_until(tmp_path / "new", lambda _: True, {"batch": 1_000_000, "seed": 1})._rng
    assert new.bit_generator.state != np.random.default_rng([0, 1]).bit_generator.state
