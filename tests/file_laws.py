"""Laws of the files that hold whatever somebody has changed in them; bytes decide the changes."""

from __future__ import annotations

import dataclasses
import io
import json
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from learn_runs import TINY, PassLearner
from run_rows import healthy
from sixplane.learn import Metrics, MetricsError
from sixplane.learn.folder import RunFolder
from sixplane.learn.progress import Progress
from sixplane.learn.trainer import Run
from sixplane.match import FolderError, TournamentFolder, standings
from sixplane.nets import Network, NetworkFileError
from sixplane.runs.calls import HEADER, Calls, RunFolderError
from sixplane.runs.match import MatchReader
from sixplane.runs.metrics import to_csv
from sixplane.runs.training import TrainingReader
from small_matches import small

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "a_changed_checkpoint_is_taken_or_refused",
    "a_changed_folder_of_a_match_is_told_or_refused",
    "a_changed_folder_of_a_run_is_told_or_refused",
    "a_changed_network_is_read_or_refused",
]

#: What is written over or into a file.
_WORDS: Final = (
    *(b"null", b"true", b"-1", b"0", b"1.5", b"1e999", b"NaN", b"Infinity", b"9" * 40, b"[]", b"{}", b'""'),
    *(
        b"[" * 60,
        b'"x"',
        b",",
        b",,",
        b"\n",
        b"\r",
        b"\r\n",
        b"\0",
        b"\xff",
        b'"',
        b"black",
        b"random",
        b"(3, 3)",
    ),
    *(b"games", b"<f8", b"|O", b"(99999999999,)", b"header", b"True"),
)
#: The most characters of an error or an alarm, without the path.
_LONGEST: Final = 1000

_TOURNAMENT: Final = small("random", "b@random", games=4, seed=2)
_ARCHITECTURE: Final = TINY.architecture


def _results() -> bytes:
    with tempfile.TemporaryDirectory() as name, TournamentFolder(Path(name), _TOURNAMENT) as folder:
        for played in _TOURNAMENT.run(processes=0):
            folder.write(played)
        return Path(name, "results.jsonl").read_bytes()


def _members(**arrays: Any) -> dict[str, bytes]:
    file = io.BytesIO()
    np.savez(file, **arrays)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _network() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, "network.npz")
        Network(_ARCHITECTURE, _ARCHITECTURE.random_parameters(seed=1), backend="numpy").save(file)
        with np.load(file) as stored:
            return _members(**{key: stored[key] for key in stored.files})


def _checkpoint() -> dict[str, bytes]:
    learner = PassLearner(TINY, _ARCHITECTURE, _ARCHITECTURE.random_parameters(seed=1))
    counters = Progress(games=8).to_table() | {"rng": np.random.default_rng(1).bit_generator.state}
    return _members(counters=np.frombuffer(json.dumps(counters).encode(), np.uint8), **learner.state())


_RESULTS: Final = _results()
_NETWORK: Final = _network()
_CHECKPOINT: Final = _checkpoint()
_RUN: Final = {
    "metrics.csv": to_csv(healthy(6)).encode(),
    "calls.csv": HEADER + b"\n1,3,1,4,40,9000,1.5,0.5,1.25,host\n2,3,1,4,40,9000,1.5,0.5,2.25,host\n",
    "run.json": b'{"game": "go", "size": [9, 9], "minutes": 60.0}',
}


def _changed(content: bytes, data: bytes) -> bytes:
    """A file with changes, three bytes each: where, and what."""
    changed = bytearray(content)
    for start in range(0, len(data) - 2, 3):
        place = int.from_bytes(data[start : start + 2]) * (len(changed) + 1) >> 16
        what = data[start + 2]
        if what < 96:
            changed[place : place + 1] = bytes([what])
        elif what < 112:
            del changed[place : place + what - 95]
        elif what < 114:
            del changed[place:]
        else:
            word = _WORDS[what % len(_WORDS)]
            end = place + (len(word) if what % 2 else 0)
            changed[place:end] = word
    return bytes(changed)


def _written(path: Path, members: Mapping[str, bytes], data: bytes) -> None:
    """An archive with one changed member."""
    chosen = list(members)[data[0] % len(members)] if data else ""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, _changed(content, data[1:]) if name == chosen else content)


def _check(said: str, path: str) -> None:
    assert len(said.replace(path, "")) < _LONGEST, said[:_LONGEST]
    assert "\n" not in said, said


def _show(reader: MatchReader | TrainingReader) -> None:
    summary = reader.summary()
    json.dumps([summary, reader.newest()], allow_nan=False)
    for alarm in summary["alarms"]:
        _check(alarm, "")


def a_changed_folder_of_a_match_is_told_or_refused(data: bytes) -> None:
    """The page tells what is damaged and shows the rest; a match goes on in a whole folder only."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        file = path / "results.jsonl"
        file.write_bytes(_changed(_RESULTS, data))
        before = file.read_bytes()
        reader = MatchReader(path)
        reader.update()
        _show(reader)
        try:
            with TournamentFolder(path, _TOURNAMENT) as folder:
                assert len(standings(list(_TOURNAMENT.entrants), folder.lines)) < 100_000
        except FolderError as error:
            _check(str(error), name)
            assert file.read_bytes() == before
        else:
            assert not reader.faults
            assert {line.game for line in folder.lines} == set(reader.lines)


def a_changed_folder_of_a_run_is_told_or_refused(data: bytes) -> None:
    """The page tells what is damaged and shows the rest; a run reads its lists whole or refuses them."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        chosen = list(_RUN)[data[0] % len(_RUN)] if data else ""
        for file, content in _RUN.items():
            (path / file).write_bytes(_changed(content, data[1:]) if file == chosen else content)
        before = (path / "calls.csv").read_bytes()
        reader = TrainingReader(path)
        try:
            reader.update()
        except RunFolderError as error:
            assert chosen == "run.json"
            _check(str(error), name)
        else:
            _show(reader)
        try:
            Metrics(path / "metrics.csv")
        except MetricsError as error:
            _check(str(error), name)
        try:
            Calls(path / "calls.csv").close()
        except RunFolderError as error:
            _check(str(error), name)
            assert (path / "calls.csv").read_bytes() == before


def a_changed_network_is_read_or_refused(data: bytes) -> None:
    """A file with a changed member is a network, or one short error."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, "network.npz")
        _written(file, _NETWORK, data)
        try:
            network = Network.load(file, backend="numpy")
        except NetworkFileError as error:
            _check(str(error), str(file))
        else:
            assert {key: value.shape for key, value in network.parameters.items()} == (
                network.architecture.shapes
            )


def a_changed_checkpoint_is_taken_or_refused(data: bytes) -> None:
    """A checkpoint with a changed member is taken up as that of this run, or is one short error."""
    with tempfile.TemporaryDirectory() as name, RunFolder(dataclasses.replace(TINY, out=name)) as folder:
        _written(Path(name, "checkpoint.npz"), _CHECKPOINT, data)
        learner = PassLearner(TINY, _ARCHITECTURE, _ARCHITECTURE.random_parameters(seed=1))
        run = cast("Run", SimpleNamespace(_learner=learner, config=TINY))
        try:
            folder.load_checkpoint(lambda checkpoint: Run._take(run, checkpoint))
        except RunFolderError as error:
            _check(str(error), name)
        else:
            assert _ARCHITECTURE.check_parameters(learner.parameters())
            assert run.progress.games >= 0
            assert 0 <= run._rng.random() < 1
