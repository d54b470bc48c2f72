"""The figures of a run: what is written is read again, the file is whole, and what goes wrong is noticed."""

from __future__ import annotations

import csv
import dataclasses
import math
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from run_rows import healthy
from sixplane._files import write_file
from sixplane.learn import BoardFigures, Metrics, MetricsError, Row, Strength, diagnose
from sixplane.runs.metrics import COLUMNS, series
from sixplane.runs.tensorboard import TensorBoard
from waiting import MINUTE

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    metrics = Metrics(path)
    assert metrics.rows == []
    rows = healthy(12)
    for row in rows:
        metrics.add(row)
    again = Metrics(path).rows
    assert len(again) == 12
    for name in COLUMNS:
        if name == "time":
            assert [row.time for row in again] == [row.time for row in rows]
        else:
            assert series(again, name).tolist() == pytest.approx(
                series(rows, name).tolist(), rel=1e-5, nan_ok=True
            )
    assert again[9].strengths["random"] == Strength(0.9, 0.85, 0.95)
    assert again[8].strengths == {}
    assert math.isnan(again[0].elo)
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_is_a_table_with_three_columns_for_each_opponent(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    metrics = Metrics(path)
    metrics.add(Row(minutes=1, loss=2.5))
    metrics.add(Row(minutes=2, strengths={'a, "b"\nc': Strength(0.5, 0.4, 0.6)}))
    with path.open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert lines[0]["loss"] == "2.5"
    assert lines[1]["loss"] == lines[0]['score against a, "b"\nc'] == ""
    assert lines[1]['low against a, "b"\nc'] == "0.4"
    assert Metrics(path).rows[1].strengths == metrics.rows[1].strengths


def test_a_file_of_an_older_version_is_read_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text(
        "minutes,games,elo,score against random,low against random,high against random\n2,9,,1,0.8,1\n"
    )
    metrics = Metrics(path)
    metrics.add(Row(minutes=3, ladder_elo=500.0))
    first, second = Metrics(path).rows
    assert (first.games, first.strengths["random"].low, second.ladder_elo) == (9, 0.8, 500)
    assert math.isnan(first.ladder_elo) and math.isnan(first.loss)
    assert (first.stage, second.stage) == (1, 1)


def test_whole_numbers_of_any_type_are_counts(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    counts: Any = {"games": 3_000_001.0, "positions": 2_500_000.0}
    boards = {"9x9": BoardFigures(positions=2_500_001.0), "13x13": BoardFigures(policy_loss=2.0)}
    Metrics(path).add(Row(minutes=1, boards=boards, **counts))
    assert ",2500001," in path.read_text() and "e+" not in path.read_text()
    (row,) = Metrics(path).rows
    assert (row.games, row.positions, row.boards["9x9"].positions) == (3_000_001, 2_500_000, 2_500_001)
    path.write_text(path.read_text().replace("2500001", "2.5e+06"))
    assert Metrics(path).rows[0].boards["9x9"].positions == 2_500_000


def test_a_run_that_goes_on_from_an_older_checkpoint_forgets_what_came_after(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    metrics = Metrics(path)
    for row in healthy(9):
        metrics.add(row)
    metrics = Metrics(path)
    metrics.forget_after(6.5)
    metrics.add(Row(minutes=6.6))
    assert [row.minutes for row in Metrics(path).rows] == [1, 2, 3, 4, 5, 6, 6.6]


def test_a_run_that_goes_on_at_once_keeps_its_last_row(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    minutes = 12.345678  # of which the file has 12.3457
    Metrics(path).add(Row(minutes=minutes))
    metrics = Metrics(path)
    metrics.forget_after(minutes)
    assert len(metrics.rows) == 1


def test_an_older_file_stays_if_the_new_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "metrics.csv"
    metrics = Metrics(path)
    metrics.add(Row(minutes=1))
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        metrics.add(Row(minutes=2))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    metrics.add(Row(minutes=3))
    assert [row.minutes for row in Metrics(path).rows] == [1, 2, 3]


def test_an_error_of_writing_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "file"
    with pytest.raises(FileNotFoundError) as error:
        write_file(path, b"")
    assert error.value.filename == str(path)


def test_threads_that_write_one_file_do_not_take_each_other_the_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    contents = [b"one" * 1000, b"other"]
    # Each has written its part before either puts it in place.
    both = threading.Barrier(2)
    monkeypatch.setattr("os.fsync", lambda _: both.wait(MINUTE))
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(write_file, [path] * 2, contents))
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no figures of a run"),
        (b"\xff\xfe", "no figures of a run"),
        (b"name,value\n1,2\n", "other columns"),
        (b"minutes\n-1\n", "minutes must be a number from 0 on, not '-1'"),
        (",".join(COLUMNS).encode() + b"\n1,2\n", "a damaged row"),
        (",".join(COLUMNS).encode() + b"\n" + b"x," * (len(COLUMNS) - 1) + b"\n", "a damaged row"),
    ],
)
def test_another_file_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_bytes(content)
    with pytest.raises(MetricsError, match=says):
        Metrics(path)


def test_a_run_that_learns_has_no_findings() -> None:
    for count in (0, 1, 4, 5, 60):
        assert diagnose(healthy(count)) == []


@pytest.mark.parametrize(
    ("kind", "changed", "says"),
    [
        ("not_finite", {"loss": math.inf}, "The loss is infinite"),
        ("flat_policy_loss", {"policy_loss": 4.2}, "it was 4.2 at first and is 4.2"),
        ("one_color", {"black_wins": 0.98}, "Black wins 98 %"),
        ("one_color", {"black_wins": 0.01}, "White wins 97 %"),
        ("same_games", {"distinct_openings": 0.05}, "only 5 % of the openings"),
        ("wrongly_decided", {"wrongly_decided": 0.08}, "8 % of the decided games"),
        ("starving_replay", {"positions": 50_000}, "No new positions in 5.0 minutes"),
        ("starving_replay", {"samples": lambda minute: 54_000 * 30 * minute}, "learned from 30 times"),
        (
            "starving_replay",
            {"positions_per_second": lambda minute: 900.0 if minute < 25 else 20.0},
            "makes 20 positions a second, and used to make 900",
        ),
    ],
)
def test_what_goes_wrong_is_found(kind: str, changed: dict[str, Any], says: str) -> None:
    (finding,) = diagnose(healthy(30, **changed))
    assert finding.kind == kind
    assert says in finding.text
    assert finding.text.endswith(".")


def test_a_run_waits_for_calls_that_are_longer_than_a_row() -> None:
    def lumps(minute: int) -> int:
        return 50_000 * (minute // 12)

    # No call has ended yet; then all end together, every twelve minutes.
    assert diagnose([Row(minutes=float(minute)) for minute in range(1, 30)]) == []
    for count in (6, 11, 23, 60, 71):
        rows = [
            Row(
                minutes=float(minute),
                positions=lumps(minute),
                samples=3 * lumps(minute),
                positions_per_second=(lumps(minute) - lumps(minute - 1)) / 60,
            )
            for minute in range(1, count + 1)
        ]
        assert diagnose(rows) == [], count
    stopped = [*rows, *(Row(minutes=float(minute), positions=lumps(71)) for minute in range(72, 85))]
    for bad, passed in (([Row(minutes=float(minute)) for minute in range(1, 32)], 30), (stopped, 24)):
        (finding,) = diagnose(bad)
        assert finding.text.startswith(f"No new positions in {passed:.1f} minutes")


def test_a_young_run_is_not_judged() -> None:
    assert diagnose(healthy(4, black_wins=1.0, distinct_openings=0.0, policy_loss=4.0)) == []


def test_losses_of_an_earlier_stage_are_not_compared_with() -> None:
    # They fall on both boards, and are higher on the second, which is bigger.
    first = healthy(20, stage=1, policy_loss=lambda minute: 2.0 - minute / 20)
    second = healthy(40, stage=2, policy_loss=lambda minute: 4.0 - minute / 20)[20:]
    assert diagnose(first + second) == []
    flat = healthy(40, stage=2, policy_loss=4.0)[20:]
    assert [finding.kind for finding in diagnose(first + flat)] == ["flat_policy_loss"]


def test_draws_are_no_wins_of_white() -> None:
    assert diagnose(healthy(30, black_wins=0.0, draws=0.9)) == []


def test_tensorboard_gets_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []
    flushed: list[int] = []
    # Stands in for the package: messages are their fields, and the writer keeps the events.
    log: Any = type("SessionLog", (SimpleNamespace,), {"START": 1})
    fakes: dict[str, Any] = {
        "tensorboard": SimpleNamespace(),
        "tensorboard.summary.writer.event_file_writer": SimpleNamespace(
            EventFileWriter=lambda folder: SimpleNamespace(
                folder=folder,
                add_event=written.append,
                flush=lambda: flushed.append(len(written)),
                close=lambda: None,
            )
        ),
        "tensorboard.compat.proto.event_pb2": SimpleNamespace(Event=SimpleNamespace, SessionLog=log),
        "tensorboard.compat.proto.summary_pb2": SimpleNamespace(Summary=_Summary),
    }
    for name, fake in fakes.items():
        monkeypatch.setitem(sys.modules, name, fake)
    writer = TensorBoard(tmp_path, 1, [])
    strengths = {"random": Strength(0.5, 0.4, 0.6)}
    writer.add(Row(minutes=1, positions=640, loss=2.5, ladder_elo=700.0, strengths=strengths))
    writer.close()
    _, event = written  # the first one says that the run begins
    assert flushed[-1:] == [2], "TensorBoard shows a row as soon as it is there"
    assert event.step == 640
    figures = {value.tag: value.simple_value for value in event.summary.value}
    assert figures["run/loss"] == 2.5
    assert figures["score/random"] == 0.5
    assert figures["ladder/elo"] == 700
    assert "run/policy_loss" not in figures


class _Summary(SimpleNamespace):
    Value = SimpleNamespace


def test_a_loss_that_was_infinite_and_is_no_longer_is_no_fault() -> None:
    assert diagnose(healthy(30, loss=lambda minute: math.inf if minute == 20 else 2.0)) == []


def test_a_run_of_a_few_minutes_is_not_judged_however_many_rows_it_has() -> None:
    rows = healthy(7, black_wins=1.0, draws=0.0)
    quick = [dataclasses.replace(row, minutes=row.minutes * 0.45) for row in rows]
    assert diagnose(quick[:6]) == [] and [finding.kind for finding in diagnose(quick)] == ["one_color"]


def test_one_loss_out_of_line_is_no_loss_that_does_not_fall() -> None:
    def loss(minute: int) -> float:
        return 9.0 if minute == 30 else 4.2 - minute / 20

    assert diagnose(healthy(30, policy_loss=loss)) == []


def test_only_recent_games_are_looked_at() -> None:
    for share in (1.0, 0.5):
        rows = healthy(30, black_wins=lambda minute, share=share: share if minute > 25 else 1.5 - share)
        assert [finding.kind for finding in diagnose(rows)] == (["one_color"] if share == 1 else [])


def test_white_wins_though_nobody_knows_how_many_games_are_draws() -> None:
    (finding,) = diagnose(healthy(30, black_wins=0.01, draws=math.nan))
    assert finding.text.startswith("White wins 99 % of the games.")


def test_a_later_stage_waits_no_longer_because_others_were_before_it() -> None:
    rows = healthy(40, stage=2, positions=lambda minute: 54_000 * min(minute, 34))[20:]
    (finding,) = diagnose(rows)
    assert finding.text.startswith("No new positions in 5.0 minutes")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Row(minutes=math.nan), "minutes must be a number from 0 on"),
        (Row(minutes=1, games=-1), "games must be an integer from 0 on"),
        (Row(minutes=1, time="a\nb"), "line 3|unexpected end of data"),
    ],
)
def test_a_row_that_could_not_be_read_again_is_refused(tmp_path: Path, row: Row, said: str) -> None:
    metrics = Metrics(tmp_path / "metrics.csv")
    metrics.add(Row(minutes=1))
    with pytest.raises(ValueError, match=said):
        metrics.add(row)
    metrics.add(Row(minutes=2))
    assert [one.minutes for one in Metrics(metrics.path).rows] == [1, 2]
