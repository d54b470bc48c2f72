"""The folder of a run: all that it needs to go on where it was stopped."""

from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from sixplane._archive import Archive, archive_of
from sixplane._fields import from_table
from sixplane._files import PART, forget_parts, open_file, sync_file, try_lock, write_file
from sixplane._live import forget_live_records, live_record
from sixplane.games import GAMES
from sixplane.learn.config import Config
from sixplane.learn.samples import Samples
from sixplane.runs.calls import Call, RunFolderError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType
    from typing import Self

    from sixplane._arguments import Array
    from sixplane._core import Game
    from sixplane.nets import Network

__all__ = ["Checkpoint", "RunFolder", "RunFolderError", "has_ended"]

#: Characters of an error that are told.
MOST_WORDS: Final = 300

#: Calls of which a record is kept.
MOST_RECORDS: Final = 200


class Checkpoint(NamedTuple):
    """A checkpoint is what a run goes on from."""

    counters: dict[str, Any]
    """What `Progress.to_table` gives, and the state of the generator of random numbers, as JSON has them."""
    arrays: dict[str, Array]
    """What `Learner.state` gives."""


class RunFolder:
    """Keeps checkpoints, games and networks. One program at a time uses it.

    `run.json` has the settings, `checkpoint.npz` the last checkpoint and `checkpoint-before.npz` the one
    before, `games/` the positions of the replay window, `networks/` the versions that were judged,
    `last.npz` the network that plays best as far as is known: the newest, `records/` one game of each of the
    last calls, for people to look at, and `playing/` those that go on. Every file is written under
    another name first, so that there is never half of one. `calls.csv` beside them lists the calls of
    which the games were counted (`sixplane.runs.calls`).

    Args:
        config: the settings of the run; its folder is made if it is not there.

    Raises:
        RunFolderError: it cannot be made or read, is in use, or is that of another run.
    """

    def __init__(self, config: Config) -> None:
        self.path = path = Path(config.out)
        self._config = config
        self._lock: IO[bytes] | None = None
        self._syncer = ThreadPoolExecutor(1, "sync")
        self._syncs: list[Future[None]] = []
        settings = json.loads(json.dumps(config.to_table()))
        try:
            path.mkdir(parents=True, exist_ok=True)
            _refuse_others(path)
            self._lock = open_file(path / "run.lock", "ab")
            if not try_lock(self._lock):
                raise RunFolderError(f"the folder {path} is in use by another run")
            _check(config)
            forget_live_records(self.path)
            forget_parts(path)
            for name in _FOLDERS:
                (path / name).mkdir(exist_ok=True)
                forget_parts(path / name)
            self.write("run.json", json.dumps(settings, indent=1).encode())
        except OSError as error:
            self._release()
            raise RunFolderError(f"cannot use the folder {path}: {error.strerror}") from error
        except BaseException:
            self._release()
            raise

    def close(self) -> None:
        """Lets other programs use the folder."""
        if self._lock is not None and not self._lock.closed:
            forget_live_records(self.path)
        self._release()

    def _release(self) -> None:
        self._syncer.shutdown()
        if self._lock is not None:
            with suppress(OSError):
                self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def write(self, name: str, content: bytes, *, sync: bool = True) -> None:
        """Writes a file whole or not at all; without `sync`, this holds of a power cut only after `sync`.

        Raises:
            RunFolderError: there is no space, or no right to write.
        """
        file = self.path / name
        try:
            write_file(file, content, sync=sync)
        except OSError as error:
            raise RunFolderError(f"cannot write {file}: {error.strerror}") from error

    def save_network(self, name: str, network: Network) -> None:
        """Writes a network whole or not at all."""
        try:
            network.save(self.path / name)
        except OSError as error:
            raise RunFolderError(f"cannot write {self.path / name}: {error.strerror}") from error

    def save_checkpoint(self, counters: Mapping[str, object], arrays: Mapping[str, Array]) -> None:
        """Writes a checkpoint; the one before is kept, too."""
        newest = self.path / "checkpoint.npz"
        header = np.frombuffer(json.dumps(counters).encode(), np.uint8)
        self.write("checkpoint-new.npz", archive_of({"counters": header, **arrays}))
        try:
            if newest.exists():
                newest.replace(self.path / "checkpoint-before.npz")
            (self.path / "checkpoint-new.npz").replace(newest)
        except OSError as error:
            raise RunFolderError(f"cannot write {newest}: {error.strerror}") from error

    def load_checkpoint(self, take: Callable[[Checkpoint], object] = lambda _: None) -> Checkpoint | None:
        """The last checkpoint that is whole; None if the run is new.

        Args:
            take: takes them up, or raises an exception if they are none of this run.

        Raises:
            RunFolderError: there are checkpoints, but none is whole.
        """
        broken = []
        # A run that was killed between two renames has the newest under its first name.
        for name in ("checkpoint-new.npz", "checkpoint.npz", "checkpoint-before.npz"):
            file = self.path / name
            if not file.exists():
                continue
            try:
                arrays = _arrays(file)
                checkpoint = Checkpoint(json.loads(arrays.pop("counters").tobytes()), arrays)
                take(checkpoint)
                return checkpoint
            except MemoryError:
                raise
            except Exception as error:  # a learner of somebody else may raise anything
                said = f"there is no {error}" if isinstance(error, KeyError) else str(error)
                broken.append(f"{file} is no checkpoint of this run: {said[:MOST_WORDS]}")
        if broken:
            raise RunFolderError("; ".join(broken))
        return None

    def save_games(self, number: int, call: Call, samples: Samples) -> None:
        """Writes the positions of a call of `self_play` and its line.

        They are safe from an end of the program at once, and from a power cut after `sync`.

        Raises:
            RunFolderError: there is no space, or no right to write.
        """
        header = np.frombuffer(json.dumps(call._asdict()).encode(), np.uint8)
        name = f"games/{number:07}.npz"
        self.write(name, archive_of({"call": header, **samples.packed()}), sync=False)
        # A disk takes a tenth of a second for it, in which the learner can learn.
        self._syncs.append(self._syncer.submit(sync_file, self.path / name))

    def save_record(self, call: Call, record: Game) -> None:
        """Writes a game of a call as SGF, and deletes the oldest one if there are many.

        Raises:
            RunFolderError: there is no space, or no right to write.
        """
        name = f"version {call.version}"
        text = record.to_sgf(black_name=name, white_name=name, event=f"call {call.number}")
        self.write(f"records/{call.number:07}.sgf", text.encode(), sync=False)
        (self.path / "records" / f"{call.number - MOST_RECORDS:07}.sgf").unlink(missing_ok=True)
        with suppress(OSError):
            self.live_record(call.number).unlink(missing_ok=True)

    def live_record(self, number: int) -> Path:
        """The file for a game of a call while it goes on."""
        return live_record(self.path, number)

    def sync(self) -> None:
        """Waits until all games are on the disk.

        Raises:
            RunFolderError: the disk has failed, or has no space.
        """
        while self._syncs:
            try:
                self._syncs.pop(0).result()
            except FileNotFoundError:
                continue  # It has left the window already.
            except OSError as error:
                raise RunFolderError(f"cannot write the games in {self.path}: {error.strerror}") from error

    def load_games(self, number: int) -> tuple[Call, Samples]:
        """What `save_games` wrote.

        Raises:
            RunFolderError: the file is not there, or not whole.
        """
        file = self.path / "games" / f"{number:07}.npz"
        game = self._config.prototype()
        try:
            arrays = _arrays(file)
            call = from_table(Call, json.loads(arrays.pop("call").tobytes()))
            samples = Samples.unpacked(arrays)
            samples.check(game.rows, game.cols)
            if len(samples) != call.positions:
                raise ValueError(f"{len(samples)} positions, not {call.positions}")
        except (
            OSError,
            KeyError,
            ValueError,
            TypeError,
            IndexError,
            AttributeError,
            RecursionError,
        ) as error:
            raise RunFolderError(f"{file} has no games of this run: {str(error)[:MOST_WORDS]}") from error
        return call, samples

    def game_numbers(self) -> list[int]:
        """The numbers of the files of games, ascending."""
        names = [entry.stem for entry in (self.path / "games").glob("*.npz")]
        return sorted(int(name) for name in names if name.isdigit())

    def forget_games(self, before: int) -> None:
        """Deletes the games with lower numbers."""
        for number in self.game_numbers():
            if number < before:
                (self.path / "games" / f"{number:07}.npz").unlink(missing_ok=True)


def has_ended(config: Config) -> bool:
    """Whether the run in the folder has trained for its time. Nothing is written, and little is read.

    Raises:
        RunFolderError: a run with these settings cannot use the folder.
    """
    path = Path(config.out)
    try:
        if not path.is_dir():
            return False
        _refuse_others(path)
        if (path / "run.lock").exists():
            with open_file(path / "run.lock", "ab") as lock:
                if not try_lock(lock):
                    raise RunFolderError(f"the folder {path} is in use by another run")
        _check(config)
    except OSError as error:
        raise RunFolderError(f"cannot use the folder {path}: {error.strerror}") from error
    # A damaged checkpoint is told of when the run goes on.
    with suppress(Exception), open_file(path / "checkpoint.npz") as stream:
        seconds: float = json.loads(Archive(stream).read("counters").tobytes())["seconds"]
        return seconds >= 60 * config.minutes and (path / "last.npz").exists()
    return False


#: The folders that a run keeps. They are there, and empty, before the settings are.
_FOLDERS: Final = ("games", "networks", "records")


def _refuse_others(path: Path) -> None:
    """Refuses a folder that holds something, but no run, before anything is written to it."""
    if (path / "run.json").exists():
        return
    others = [
        entry.name
        for entry in path.iterdir()
        if not (entry.name == "run.lock" or (PART.fullmatch(entry.name) and "run.json" in entry.name))
        and not (entry.name in _FOLDERS and entry.is_dir() and not any(entry.iterdir()))
    ]
    if others:
        raise RunFolderError(f"the folder {path} is no folder of a run: it has {min(others)}")


def _check(config: Config) -> None:
    """Refuses the folder of a run with other settings."""
    file = Path(config.out) / "run.json"
    if not file.exists():
        return
    try:
        with open_file(file) as stream:
            before = _identity(Config.make(json.loads(stream.read())))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunFolderError(f"{file} has no settings of a run: {error}") from error
    now = _identity(config)
    if before["game"] != now["game"]:  # whose rules and size do not compare
        before, now = {"game": before["game"]}, {"game": now["game"]}
    changes = [f"{name} {before[name]}, not {now[name]}" for name in now if before[name] != now[name]]
    if changes:
        raise RunFolderError(f"the folder {file.parent} holds another run: {', '.join(changes)}")


def _identity(config: Config) -> dict[str, object]:
    """What must be the same for a run to go on, as messages name it; defaults are filled in."""
    game = config.prototype()
    rules = {name: getattr(game, name) for name in GAMES[config.game].rule_names}
    inputs = ", ".join(config.architecture.inputs)
    network = {"blocks": config.blocks, "channels": config.channels, "inputs": inputs}
    size = f"{game.rows}x{game.cols}"
    return {"game": config.game, "size": size, "max_moves": game.max_moves, **rules, **network}


def _arrays(file: Path) -> dict[str, Array]:
    """All members of a file."""
    with open_file(file) as stream:
        archive = Archive(stream)
        return {name: archive.read(name) for name in archive.names}
