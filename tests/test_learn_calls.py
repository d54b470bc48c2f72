"""Every game of a run is counted exactly once, also when the run is killed at any moment."""

from __future__ import annotations

import csv
import dataclasses
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sixplane
from learn_runs import TINY, counted, run_until, start
from sixplane.jobs import Processes
from sixplane.learn.folder import RunFolder
from sixplane.runs.calls import Call, Calls, RunFolderError
from sixplane.runs.metrics import Metrics
from waiting import until


def lines_of(out: Path) -> list[Call]:
    """What the file lists."""
    calls = Calls(out / "calls.csv")
    calls.close()
    return calls.lines


def call(number: int, **changed: Any) -> Call:
    """A call of four games."""
    return Call(number, 3, 1, 4, 40, 9000, 1.5, 0.5, 2.25, "host")._replace(**changed)


def test_a_call_that_was_counted_is_listed_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    run = run_until(tmp_path, lambda run: run.progress.calls >= 5)
    calls = lines_of(tmp_path)
    assert len(calls) == run.progress.calls == run.progress.files
    assert {one.games for one in calls} == {TINY.games_at_once}
    assert all(one.seconds > one.network_seconds > 0 and one.node for one in calls)
    with RunFolder(dataclasses.replace(TINY, out=str(tmp_path))) as folder:
        for number in folder.game_numbers():
            found, samples = folder.load_games(number)
            assert found._replace(seconds=0, network_seconds=0, minutes=0) == calls[number]._replace(
                seconds=0, network_seconds=0, minutes=0
            )
            assert (found.positions, found.bytes) == (len(samples), samples.packed_bytes)
            assert found.bytes == sum(array.nbytes for array in samples.packed().values())


def test_calls_without_a_position_are_counted_and_the_run_goes_on(tmp_path: Path) -> None:
    # Nearly every game ends within the random actions that it begins with.
    settings = {"game": "tictactoe", "size": None, "games_at_once": 1, "opening_plies": 1000}
    for count in (6, 12):
        run = run_until(
            tmp_path,
            lambda run, count=count: run.progress.calls >= count,  # type: ignore[misc]
            settings,
        )
        calls = lines_of(tmp_path)
        assert len(calls) == run.progress.calls == run.progress.games >= count
        assert sum(one.positions for one in calls) == run.progress.positions
        assert [one.bytes for one in calls if not one.positions].count(0) >= count // 2
    row = Metrics(tmp_path / "metrics.csv").rows[-1]
    assert row.games == run.progress.games and row.positions == run.progress.positions


def has_opened(pid: int, folder: Path) -> bool:
    """Whether a process has a file of a folder open, as the lock of a run is from its start."""
    files = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            files.append(file.readlink())
    return any(folder in file.parents for file in files)


def test_a_run_killed_at_any_moment_counts_every_game_once(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    listed: list[int] = []
    for index in range(5):
        before = len(listed)
        with start(tmp_path) as process:
            # Two are killed while they take up what is there, the others after they have counted calls.
            if index in (1, 3):
                until(lambda process=process: has_opened(process.pid, tmp_path), process)  # type: ignore[misc]
            else:
                until(lambda before=before: len(counted(tmp_path)) > before, process)  # type: ignore[misc]
            time.sleep(float(rng.uniform(0, 0.3)))
        numbers = [one.number for one in lines_of(tmp_path)]
        assert numbers[: len(listed)] == listed
        assert len(set(numbers)) == len(numbers)
        listed = numbers
    run = run_until(tmp_path, lambda run: run.progress.calls > len(listed))
    assert run.progress.games == TINY.games_at_once * len(lines_of(tmp_path))
    assert run.progress.files == len(lines_of(tmp_path))
    with RunFolder(dataclasses.replace(TINY, out=str(tmp_path))) as folder:
        for number in folder.game_numbers():
            kept, samples = folder.load_games(number)
            assert kept.games == TINY.games_at_once and len(samples)


def test_a_torn_line_and_games_without_a_line_are_made_whole(tmp_path: Path) -> None:
    run_until(tmp_path, lambda run: run.progress.calls >= 4)
    before = lines_of(tmp_path)
    file = tmp_path / "calls.csv"
    # As if the last two calls had been taken after the last checkpoint.
    with RunFolder(dataclasses.replace(TINY, out=str(tmp_path))) as folder:
        stored = folder.load_checkpoint()
        assert stored is not None
        counters, arrays = stored
        for one in before[-2:]:
            counters["calls"] -= 1
            counters["games"] -= one.games
            counters["positions"] -= one.positions
        folder.save_checkpoint(counters, arrays)
    text = file.read_bytes().splitlines(keepends=True)
    # The first of them is half there, and the second not at all.
    file.write_bytes(b"".join(text[:-2]) + text[-2][:7])
    run = run_until(tmp_path, lambda _: True)
    after = lines_of(tmp_path)
    assert [one.number for one in after[: len(before)]] == [one.number for one in before]
    assert run.progress.games == TINY.games_at_once * len(after)


def test_the_number_of_a_call_that_was_counted_is_not_given_again(tmp_path: Path) -> None:
    run_until(tmp_path, lambda run: run.progress.calls >= 3)
    last = max(one.number for one in lines_of(tmp_path))
    # The checkpoint is older than the calls, as after a kill.
    with RunFolder(dataclasses.replace(TINY, out=str(tmp_path))) as folder:
        stored = folder.load_checkpoint()
        assert stored is not None
        stored[0]["tasks"] = 1
        folder.save_checkpoint(*stored)
    run = run_until(tmp_path, lambda run: run.progress.calls >= 6)
    numbers = [one.number for one in lines_of(tmp_path)]
    assert len(set(numbers)) == len(numbers) == run.progress.calls
    assert run.progress.tasks > last


class Twice(Processes):
    """Gives everything twice, as a cluster might after a fault."""

    def finished(self, *arguments: Any) -> list[tuple[Any, Any]]:
        finished = super().finished(*arguments)
        return finished + finished


def test_games_that_come_twice_are_counted_once(tmp_path: Path) -> None:
    run = run_until(tmp_path, lambda run: run.progress.calls >= 4, jobs=lambda _: Twice(1))
    assert run.progress.games == TINY.games_at_once * len(lines_of(tmp_path))


@pytest.mark.parametrize(
    ("calls", "counted", "message"),
    [
        ([call(1), call(2)], (2, 8, 80), None),
        ([call(1), call(2)], (3, 12, 120), "lists 2 calls, and the run counts 3"),
        ([call(1), call(2, games=5)], (2, 8, 80), "lists 9 games, and the run counts 8"),
        ([call(1), call(2)], (2, 8, 81), "lists 80 positions, and the run counts 81"),
    ],
)
def test_a_broken_count_is_told(
    tmp_path: Path, calls: list[Call], counted: tuple[int, int, int], message: str | None
) -> None:
    kept = Calls(tmp_path / "calls.csv")
    for one in calls:
        kept.add(one)
    if message is None:
        kept.check(*counted)
    else:
        with pytest.raises(RunFolderError, match=message):
            kept.check(*counted)
    with pytest.raises(RunFolderError, match="has call 1 already"):
        kept.add(call(1))
    kept.close()
    with (tmp_path / "calls.csv").open("a") as file:
        file.write("1,3,1,4,40,9000,1.5,0.5,2.25,host\n")
    again = Calls(tmp_path / "calls.csv")
    with pytest.raises(RunFolderError, match="has call 1 more than once"):
        again.check(*counted)
    again.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "other columns"),
        (",".join(Call._fields) + "\n1,2\n", "a damaged line"),
        (",".join(Call._fields) + "\none,3,1,4,40,9000,1.5,0.5,2.25,host\n", "a damaged line"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "calls.csv").write_text(text)
    with pytest.raises(RunFolderError, match=message):
        Calls(tmp_path / "calls.csv")


def test_a_run_without_the_list_of_its_calls_is_refused(tmp_path: Path) -> None:
    run_until(tmp_path, lambda run: run.progress.calls >= 2)
    (tmp_path / "calls.csv").unlink()
    for file in tmp_path.glob("games/*.npz"):
        file.unlink()
    with pytest.raises(RunFolderError, match=r"lists 0 of \d+ calls"):
        run_until(tmp_path, lambda _: True)


def test_a_run_whose_games_are_lost_goes_on_with_new_ones(tmp_path: Path) -> None:
    run_until(tmp_path, lambda run: run.progress.calls >= 2)
    for file in tmp_path.glob("games/*.npz"):
        file.unlink()
    # It has samples to learn from that it cannot find.
    run = run_until(tmp_path, lambda run: run.progress.calls >= 4)
    assert run.progress.samples > 0


def test_a_checkpoint_of_another_version_is_refused(tmp_path: Path) -> None:
    run_until(tmp_path, lambda run: run.progress.calls >= 2)
    with RunFolder(dataclasses.replace(TINY, out=str(tmp_path))) as folder:
        stored = folder.load_checkpoint()
        assert stored is not None
        del stored[0]["driver_seconds"]
        folder.save_checkpoint(*stored)
        folder.save_checkpoint(*stored)
    with pytest.raises(RunFolderError, match="driver_seconds is missing"):
        run_until(tmp_path, lambda _: True)


def test_the_driver_knows_how_much_of_its_time_its_workers_take(tmp_path: Path) -> None:
    run = run_until(tmp_path, lambda run: run.progress.calls >= 5)
    progress = run.progress
    assert 0 < progress.driver_seconds < progress.seconds
    with (tmp_path / "metrics.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["call_bytes"]]
    for row in rows:
        assert 0 < float(row["driver_share"]) < float(row["driver_load"]) < 1
        assert 0 <= float(row["staleness"]) <= float(row["most_staleness"]) and float(row["call_bytes"]) > 0
    assert rows


def test_a_checkpoint_counts_only_what_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for of, name in ((RunFolder, "sync"), (Calls, "sync"), (RunFolder, "save_checkpoint")):
        method = getattr(of, name)

        def noted(self: Any, *arguments: Any, method: Any = method) -> None:
            done.append(method.__qualname__)
            method(self, *arguments)

        monkeypatch.setattr(of, name, noted)
    run_until(tmp_path, lambda run: run.progress.calls >= 2)
    assert set(zip(done[::3], done[1::3], done[2::3], strict=True)) == {
        ("RunFolder.sync", "Calls.sync", "RunFolder.save_checkpoint")
    }


def test_a_call_whose_line_cannot_be_written_is_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Calls(tmp_path / "calls.csv")

    def full(_line: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(kept._file, "add", full)
        with pytest.raises(RunFolderError, match=r"cannot write .*calls\.csv: No space left"):
            kept.add(call(1))
    assert (len(kept), kept.last_number, 1 in kept) == (0, 0, False)
    kept.add(call(1, node='a "node", on a host'))
    kept.close()
    again = Calls(tmp_path / "calls.csv")
    again.close()
    assert again.lines == [call(1, node='a "node", on a host')]


def test_the_records_of_the_last_calls_are_kept(tmp_path: Path) -> None:
    with RunFolder(dataclasses.replace(TINY, out=str(tmp_path))) as folder:
        for number in (1, 2, 201):
            folder.save_record(call(number), sixplane.Go(3))
    assert sorted(int(file.stem) for file in tmp_path.glob("records/*.sgf")) == [2, 201]


def test_no_more_records_are_kept_after_calls_that_were_left_out(tmp_path: Path) -> None:
    config, records = dataclasses.replace(TINY, out=str(tmp_path)), tmp_path / "records"
    RunFolder(config).close()
    (records / "mine.sgf").touch()
    for number in range(1, 206):
        (records / f"{2 * number:07}.sgf").touch()
    RunFolder(config).close()
    kept = sorted(file.stem for file in records.iterdir())
    assert kept == [f"{2 * number:07}" for number in range(6, 206)] + ["mine"]


def test_what_is_synced_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", lambda number: synced.append(os.fstat(number).st_ino))
    calls = Calls(tmp_path / "calls.csv")
    calls.add(call(1))
    calls.sync()
    calls.close()
    assert (tmp_path / "calls.csv").stat().st_ino in synced
