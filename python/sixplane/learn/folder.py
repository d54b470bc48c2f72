"""The folder of a run, with all that is needed to resume it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Self

import numpy as np

from sixplane._archive import Archive, archive_of
from sixplane._arguments import Array
from sixplane._core import Game
from sixplane._fields import from_table
from sixplane._files import (
    PART,
    failing_as,
    forget_parts,
    move_file,
    open_file,
    read_file,
    sync_file,
    try_lock,
    write_file,
)
from sixplane._live import forget_live_records, live_record
from sixplane.games import GAMES
from sixplane.learn.boards import named
from sixplane.learn.checks import CLOSE
from sixplane.learn.config import Config
from sixplane.learn.samples import Samples
from sixplane.nets import Network
from sixplane.runs.calls import Call, RunFolderError

#: Characters of an error that a message repeats.
MOST_LENGTH: Final = 300

#: What reading damaged content raises.
_DAMAGE: Final = (LookupError, ValueError, TypeError, AttributeError, RecursionError)

#: The number of calls of which a record is kept.
MOST_RECORDS: Final = 200


class Checkpoint(NamedTuple):
    """A checkpoint is what a run is resumed from."""

    counters: dict[str, Any]
    """The table of `Progress`, and the state of the generator of random numbers, as JSON has them."""
    arrays: dict[str, Array]
    """The state of the learner."""


class RunFolder:
    """Keeps checkpoints, games and networks. One program at a time uses it.

    | name | what it holds |
    |---|---|
    | `run.json` | the settings |
    | `checkpoint.npz`, `checkpoint-before.npz` | the last checkpoint and the one before |
    | `games/` | the positions of the replay window |
    | `networks/`, `last.npz` | the versions that were judged; the newest one |
    | `records/`, `playing/` | one game of each of the last calls; of each call in progress |
    | `calls.csv` | the calls whose games were counted (`sixplane.runs.calls`) |

    Every file but the last is written under another name first, so that there is never half of one. What
    cannot be written or read is a `RunFolderError`.

    Args:
        config: the settings of the run; its folder is made if it is not there.

    Raises:
        RunFolderError: the folder cannot be made or read, is in use, or is that of another run.
    """

    def __init__(self, config: Config) -> None:
        self.path = path = Path(config.out)
        self._config = config
        self._whole = _NEWEST
        """The checkpoint that was read or written last, which the next one keeps."""
        with _using(path):
            path.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(config)
        self._syncer = ThreadPoolExecutor(1, "sync")
        self._syncs: list[Future[None]] = []
        try:
            with _using(path):
                forget_live_records(path)
                forget_parts(path)
                for name in _FOLDERS:
                    (path / name).mkdir(exist_ok=True)
                    forget_parts(path / name)
                # Of calls that were left out there are none, so what is the oldest is counted anew.
                records = [file for file in (path / "records").glob("*.sgf") if file.stem.isdigit()]
                for record in sorted(records)[:-MOST_RECORDS]:
                    record.unlink()
            self.write("run.json", json.dumps(config.chosen().to_table(), indent=1).encode())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Lets other programs use the folder."""
        self._syncer.shutdown()
        if not self._lock.closed:
            forget_live_records(self.path)
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, name: str, content: bytes, *, sync: bool = True) -> None:
        """Writes a file whole or not at all; a power cut may damage one that is not synced."""
        with _writing(self.path / name):
            write_file(self.path / name, content, sync=sync)

    def save_network(self, name: str, network: Network) -> None:
        """Writes a network whole or not at all."""
        with _writing(self.path / name):
            network.save(self.path / name)

    def save_checkpoint(self, counters: Mapping[str, object], arrays: Mapping[str, Array]) -> None:
        """Writes a checkpoint; the one before that is whole is kept, too."""
        new, newest, before = (self.path / name for name in _CHECKPOINTS)
        header = np.frombuffer(json.dumps(counters).encode(), np.uint8)
        with _writing(newest):
            # A program that was killed had not given it its name.
            if self._whole == new.name:
                move_file(new, newest)
                self._whole = newest.name
        self.write(new.name, archive_of({"counters": header, **arrays}))
        with _writing(newest):
            if self._whole == newest.name and newest.exists():
                move_file(newest, before)
            move_file(new, newest)
        self._whole = newest.name

    def load_checkpoint(self, take: Callable[[Checkpoint], object] = lambda _: None) -> Checkpoint | None:
        """Returns the last checkpoint that is whole; None if the run is new.

        Args:
            take: called with a checkpoint; it raises an exception if that is none of this run.

        Raises:
            RunFolderError: there are checkpoints, but none is whole.
        """
        broken = []
        for name in _CHECKPOINTS:
            file = self.path / name
            if not file.exists():
                continue
            try:
                arrays = _arrays(file)
                checkpoint = Checkpoint(json.loads(arrays.pop("counters").tobytes()), arrays)
                take(checkpoint)
            except MemoryError:
                raise
            except Exception as error:  # a learner of somebody else may raise anything
                text = f"there is no {error}" if isinstance(error, KeyError) else str(error)
                broken.append(f"{file} is no checkpoint of this run: {text[:MOST_LENGTH]}")
            else:
                self._whole = name
                return checkpoint
        if broken:
            raise RunFolderError("; ".join(broken))
        return None

    def save_games(self, number: int, call: Call, samples: Samples) -> None:
        """Writes the positions of a call of `self_play`, and the call itself.

        An end of the program does not undo that, nor a power cut after `sync`.
        """
        header = np.frombuffer(json.dumps(call._asdict()).encode(), np.uint8)
        name = f"games/{number:07}.npz"
        self.write(name, archive_of({"call": header, **samples.packed()}), sync=False)
        # A disk takes a tenth of a second for it, in which the learner can learn.
        self._syncs.append(self._syncer.submit(sync_file, self.path / name))

    def save_record(self, call: Call, record: Game) -> None:
        """Writes a game of a call as SGF, and deletes the oldest one if there are too many."""
        name = f"version {call.version}"
        text = record.to_sgf(black_name=name, white_name=name, event=f"call {call.number}")
        self.write(f"records/{call.number:07}.sgf", text.encode(), sync=False)
        (self.path / "records" / f"{call.number - MOST_RECORDS:07}.sgf").unlink(missing_ok=True)
        with suppress(OSError):
            live_record(self.path, call.number).unlink(missing_ok=True)

    def sync(self) -> None:
        """Waits until all games are on the disk."""
        while self._syncs:
            # A file that is not there has left the window already.
            with _writing(self.path / "games"), suppress(FileNotFoundError):
                self._syncs.pop(0).result()

    def load_games(self, number: int, stage: int = 0) -> tuple[Call, Samples]:
        """Reads what `save_games` has written in a stage of the run, unless it is missing or damaged."""
        file = self.path / "games" / f"{number:07}.npz"
        config = self._config.by_stage[stage]
        try:
            arrays = _arrays(file)
            call = from_table(Call, json.loads(arrays.pop("call").tobytes()))
            samples = Samples.unpacked(arrays)
            samples.check(*config.boards[config.place_of_call(call.number)])
            if len(samples) != call.positions:
                raise ValueError(f"{len(samples)} positions, not {call.positions}")
        except (OSError, *_DAMAGE) as error:
            raise RunFolderError(f"{file} has no games of this run: {str(error)[:MOST_LENGTH]}") from error
        return call, samples

    def game_numbers(self) -> list[int]:
        """Returns the numbers of the files of games in ascending order."""
        names = [entry.stem for entry in (self.path / "games").glob("*.npz")]
        return sorted(int(name) for name in names if name.isdigit())

    def delete_games(self, before: int) -> None:
        """Deletes the games with lower numbers."""
        for number in self.game_numbers():
            if number < before:
                (self.path / "games" / f"{number:07}.npz").unlink(missing_ok=True)


def minutes_ended(config: Config) -> float | None:
    """Returns the minutes that the run in the folder has trained; None if it goes on. Nothing is written.

    Raises:
        RunFolderError: a run with these settings cannot use the folder.
    """
    path = Path(config.out)
    with _using(path):
        if not path.is_dir():
            return None
        if (path / "run.lock").exists():
            _locked(config).close()
        else:
            _refuse_others(config)
    # A damaged checkpoint is an error when the run is resumed.
    with suppress(Exception):
        counters = _counters(path / "checkpoint.npz")
        is_last = counters.get("stage", 0) == len(config.by_stage) - 1
        trained = float(counters["seconds"]) / 60
        # The last version is judged once the time is over, and may have been killed at that.
        is_judged = counters["version"] < counters.get("unjudged", counters["version"] + 1)
        is_over = is_judged and trained >= config.minutes
        if is_last and is_over:
            # A network that is missing or damaged is written anew, from the checkpoint.
            Network.load(path / "last.npz", backend="numpy")
            return trained
    return None


def stages_ended(config: Config) -> int:
    """Returns how many stages of the run in the folder have ended, by its newest checkpoint."""
    for name in _CHECKPOINTS:
        with suppress(Exception):
            ended = int(_counters(Path(config.out) / name).get("stage", 0))
            return max(0, min(ended, len(config.by_stage) - 1))
    return 0


def _counters(file: Path) -> dict[str, Any]:
    with open_file(file) as stream:
        counters: dict[str, Any] = json.loads(Archive(stream).read("counters").tobytes())
    return counters


_NEWEST: Final = "checkpoint.npz"
#: The files of checkpoints, the newest first; the first name is that of one before it has its own.
_CHECKPOINTS: Final = ("checkpoint-new.npz", _NEWEST, "checkpoint-before.npz")

#: The folders that a run keeps. They are made, and empty, before the settings are written.
_FOLDERS: Final = ("games", "networks", "records")


def _using(path: Path) -> AbstractContextManager[None]:
    return failing_as(RunFolderError, f"cannot use the folder {path}")


def _writing(file: Path) -> AbstractContextManager[None]:
    return failing_as(RunFolderError, f"cannot write {file}")


def _locked(config: Config) -> IO[bytes]:
    """Opens and locks the file that keeps other programs from the folder of a run."""
    _refuse_others(config)
    path = Path(config.out)
    lock = open_file(path / "run.lock", "ab")
    if not try_lock(lock):
        lock.close()
        raise RunFolderError(f"the folder {path} is in use by another run")
    return lock


def _refuse_others(config: Config) -> None:
    """Refuses a folder that holds another run, or something else, before anything is written to it."""
    path = Path(config.out)
    if (path / "run.json").exists():
        _check(config)
        return
    others = [
        entry.name
        for entry in path.iterdir()
        if not (entry.name == "run.lock" or (PART.fullmatch(entry.name) and "run.json" in entry.name))
        and not (entry.name in _FOLDERS and entry.is_dir() and not any(entry.iterdir()))
    ]
    if others:
        raise RunFolderError(f"the folder {path} has {min(others)}, but no run: choose another folder")


def _check(config: Config) -> None:
    """Refuses the folder of a run with other settings."""
    file = Path(config.out) / "run.json"
    try:
        before = Config.make(json.loads(read_file(file)))
    except _DAMAGE as error:
        raise RunFolderError(f"{file} has no settings of a run: {error}") from error
    changes = _changes(before, config)
    # From then on nobody reads it: another one would be noted as if the run had begun with it.
    if before.initial_network != config.initial_network and any(file.parent.glob("checkpoint*.npz")):
        began, now = (one.initial_network or "none" for one in (before, config))
        changes.append(f"initial_network {began}, not {now}")
    if changes:
        raise RunFolderError(f"the folder {file.parent} holds another run: {', '.join(changes)}")


def _changes(before: Config, now: Config) -> list[str]:
    """Returns what has changed of what cannot change within a run. Stages at its end may be new."""
    if before.game != now.game:  # whose rules and size do not compare
        return [f"game {before.game}, not {now.game}"]
    had, has = len(before.by_stage), len(now.by_stage)
    if had > has:
        return [f"{had} stages ({_boards(before)}), not {has} ({_boards(now)})"]
    changes, begun = [], (0.0, 0.0)
    for number, stages in enumerate(zip(before.by_stage, now.by_stage, strict=False), 1):
        old, new = map(_identity, stages)
        where = f"stage {number}: " if has > 1 else ""
        # What only boards of one of them have says no more than that the boards are others.
        changes += [
            f"{where}{name} {old[name]}, not {new[name]}"
            for name in new
            if name in old and old[name] != new[name]
        ]
        # The end of the run was always free, and so is that of its last stage.
        ends = stages[0].minutes, stages[1].minutes
        old_minutes, new_minutes = ends[0] - begun[0], ends[1] - begun[1]
        if before.stages is not None and number < has and new_minutes < old_minutes * (1 - CLOSE):
            changes.append(f"{where}{old_minutes:g} minutes, not {new_minutes:g}")
        begun = ends
    return changes


def _boards(config: Config) -> str:
    """Returns the boards of a run, stage by stage."""
    return ", then ".join(" and ".join(map(named, stage.boards)) for stage in config.by_stage)


def _identity(config: Config) -> dict[str, object]:
    """Returns what cannot change within a stage, by the names in messages. Defaults are filled in."""
    boards = config.boards
    rules: dict[str, object] = {}
    for board, settings in zip(boards, config.by_board, strict=True):
        game, on = settings.prototype(), f" on {named(board)}" if len(boards) > 1 else ""
        rules |= {
            f"{name}{on}": getattr(game, name) for name in ("max_moves", *GAMES[config.game].rule_names)
        }
    mixed: dict[str, object] = {}
    if len(boards) > 1:
        (judged,) = config.judged.boards
        # Games on two boards would become one Elo.
        mixed = {
            "shares": ", ".join(f"{share:g}" for share in config.shares),
            "the judge's board": named(judged),
        }
    inputs = ", ".join(config.architecture.inputs)
    network = {"blocks": config.blocks, "channels": config.channels, "inputs": inputs}
    return {"game": config.game, "size": ", ".join(map(named, boards)), **mixed, **rules, **network}


def _arrays(file: Path) -> dict[str, Array]:
    with open_file(file) as stream:
        archive = Archive(stream)
        return {name: archive.read(name) for name in archive.names}
