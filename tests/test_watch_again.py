"""What `sixplane watch` reads of folders that are written anew, cannot be read for a while, or have ended."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from sixplane.cli.watch import reader_of
from sixplane.match import TournamentFolder
from sixplane.runs.calls import HEADER, RunFolderError
from sixplane.runs.match import MatchReader
from sixplane.runs.metrics import Row, Strength, to_csv
from sixplane.runs.reader import MOST_ENTRIES, Entry
from sixplane.runs.selfplay import SelfplayReader
from sixplane.runs.training import TrainingReader
from sixplane.web.watch_server import WatchServer
from small_matches import small
from waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

RECORD = "(;GM[1]FF[4]SZ[5];B[aa];W[bb])"


def write_match(path: Path, games: int, seed: int) -> None:
    tournament = small("random", "b@random", games=games, seed=seed)
    with TournamentFolder(path, tournament) as folder:
        for played in tournament.run(processes=0):
            folder.write(played)


def write_run(path: Path, minutes: float = 3.0, **row: Any) -> None:
    """A run of three minutes, with one row and one record."""
    (path / "records").mkdir(parents=True)
    (path / "run.json").write_text(json.dumps({"game": "go", "size": 5, "minutes": 3}))
    (path / "metrics.csv").write_text(to_csv([Row(minutes=minutes, games=24, **row)]))
    (path / "calls.csv").write_bytes(HEADER + b"\n1,3,1,24,240,9000,1.5,0.5,2.5,host\n")
    (path / "records" / "0000001.sgf").write_text(RECORD)


@pytest.mark.parametrize("is_seen_to_go", [False, True])
def test_a_match_that_takes_the_place_of_another_is_read_anew(tmp_path: Path, is_seen_to_go: bool) -> None:
    folder, other = tmp_path / "match", tmp_path / "other"
    write_match(folder, games=4, seed=1)
    write_match(other, games=8, seed=2)
    reader = reader_of(folder)
    shutil.rmtree(folder)
    if is_seen_to_go:
        with pytest.raises(FileNotFoundError):
            reader.update()
    shutil.copytree(other, folder)
    assert reader.update() and not reader.update()
    summary = reader.summary()
    assert (dict(summary["facts"])["games"], summary["alarms"]) == ("8", [])
    fresh = MatchReader(other)
    fresh.update()
    assert reader.entries == fresh.entries


@pytest.mark.parametrize("is_seen_to_go", [False, True])
def test_a_run_that_takes_the_place_of_another_begins_with_nothing(
    tmp_path: Path, is_seen_to_go: bool
) -> None:
    folder = tmp_path / "run"
    write_run(folder, strengths={"random": Strength(0.5, 0.4, 0.6)})
    reader = TrainingReader(folder)
    reader.update()
    assert reader.summary()["part"] == 1 and reader.entries and reader.games == 24
    shutil.rmtree(folder)
    if is_seen_to_go:
        with pytest.raises(FileNotFoundError):
            reader.update()
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps({"game": "go", "size": 5, "minutes": 3}))
    assert reader.update() and not reader.update()
    summary = reader.summary()
    assert not (reader.has_ended or reader.entries or reader.rows or reader.games)
    assert (summary["part"], dict(summary["facts"])["trained"]) == (0, "0 s")


def test_a_run_that_goes_on_loses_nothing_that_its_folder_has(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    reader = TrainingReader(tmp_path / "run")
    reader.update()
    before = reader.summary(), dict(reader.entries), reader.games
    new = tmp_path / "new"
    new.write_text((tmp_path / "run" / "run.json").read_text())
    new.replace(tmp_path / "run" / "run.json")
    assert reader.update()
    assert (reader.summary(), reader.entries, reader.games) == before


def test_self_play_that_takes_the_place_of_another_is_read_anew(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"game-{number}.sgf").write_text(RECORD)
        os.utime(tmp_path / f"game-{number}.sgf", (1.7e9, 1.7e9))
    reader = SelfplayReader(tmp_path)
    reader.update()
    (tmp_path / "game-2.sgf").unlink()
    (tmp_path / "game-1.sgf").unlink()
    (tmp_path / "game-1.sgf").write_text("(;GM[1]FF[4]SZ[5];B[aa])")
    assert reader.update()
    assert {number: entry.moves for number, entry in reader.entries.items()} == {1: 1}


def test_records_that_were_removed_are_news(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"game-{number}.sgf").write_text(RECORD)
    reader = SelfplayReader(tmp_path)
    assert reader.update()
    (tmp_path / "game-2.sgf").unlink()
    assert reader.update() and [*reader.entries] == [1]
    assert not reader.update()


@pytest.fixture
def serve() -> Iterator[Callable[[Path], WatchServer]]:
    """Makes servers of folders, which nobody asks; at the end their ports are free again."""
    made: list[WatchServer] = []

    def make(folder: Path) -> WatchServer:
        made.append(WatchServer(reader_of(folder)))
        return made[-1]

    yield make
    for server in made:
        server._over.set()
        server._socket.close()


def test_the_page_has_no_game_of_a_folder_that_another_one_has_replaced(
    tmp_path: Path, serve: Callable[[Path], WatchServer]
) -> None:
    game = tmp_path / "games" / "game-1.sgf"
    game.parent.mkdir()
    game.write_text(sixplane.Go(size=5).replay([7, 8]).to_sgf())
    server = serve(game.parent)
    _, before, _ = server._game(1)
    shutil.rmtree(game.parent)
    game.parent.mkdir()
    game.write_text(sixplane.Go(size=5).replay([3, 4, 9]).to_sgf())
    assert server._reader.update()
    server._renew()
    entry, after, _ = server._game(1)
    assert before is not None and before.actions.tolist() == [7, 8]
    assert after is not None and after.actions.tolist() == [3, 4, 9]
    assert entry is not None and entry.moves == 3


def test_an_error_of_the_folder_stays_until_it_is_mended(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    file = tmp_path / "run" / "run.json"
    reader, text = reader_of(tmp_path / "run"), file.read_text()
    file.write_text("{ half")
    for _ in range(3):
        with pytest.raises(RunFolderError, match=r"run\.json has no settings of a run"):
            reader.update()
    # The page goes on with what it had.
    assert reader.entries and "version" in dict(reader.summary()["facts"])
    file.write_text(text)
    assert reader.update() and not reader.update()


def test_figures_that_cannot_be_read_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path / "run")

    def refuse(_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("sixplane.runs.training.readable_rows", refuse)
        reader = TrainingReader(tmp_path / "run")
        for _ in range(2):
            with pytest.raises(OSError, match="Input/output error"):
                reader.update()
    assert reader.update() and len(reader.rows) == 1


def test_the_page_says_an_error_as_long_as_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Callable[[Path], WatchServer]
) -> None:
    write_run(tmp_path / "run")
    monkeypatch.setattr("sixplane.web.watch_server.INTERVAL", 0.01)
    server = serve(tmp_path / "run")
    (tmp_path / "run" / "run.json").write_text("{ half")
    seen: list[str] = []
    update = server._reader.update

    def counted() -> bool:
        seen.append(server._trouble)
        return update()

    monkeypatch.setattr(server._reader, "update", counted)
    thread = threading.Thread(target=server._update, daemon=True)
    thread.start()
    until(lambda: len(seen) > 5)
    server._over.set()
    thread.join()
    assert seen[0] == "" and all("has no settings of a run" in text for text in seen[1:])


def test_games_are_listed_by_their_numbers_in_whatever_order_they_ended(tmp_path: Path) -> None:
    write_match(tmp_path, games=4, seed=1)
    file = tmp_path / "results.jsonl"
    header, *lines = file.read_text().splitlines()
    file.write_text("\n".join([header, *lines[2:], *lines[:2], ""]))
    assert [entry.number for entry in reader_of(tmp_path).newest()] == [1, 2, 3, 4]


def test_a_run_has_ended_when_its_last_version_is_judged(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    judged: dict[str, Any] = {"strengths": {"random": Strength(0.5, 0.4, 0.6)}}
    for rows, has_ended in (
        ([], False),
        # The time is over, and the last judgement goes on.
        ([Row(minutes=1, version=3, **judged), Row(minutes=3, version=5)], False),
        ([Row(minutes=3, version=5), Row(minutes=3.2, version=5, **judged)], True),
        ([Row(minutes=3, version=5), Row(minutes=3.2, version=5, ladder_elo=90.0)], True),
        # It was judged before the end, and no version has come since.
        ([Row(minutes=2.9, version=5, **judged), Row(minutes=3, version=5)], True),
        ([Row(minutes=2.9, version=5, **judged)], False),
        ([Row(minutes=1, stage=1, version=5, **judged), Row(minutes=3, stage=2, version=5)], False),
    ):
        (tmp_path / "run" / "metrics.csv").write_text(to_csv(rows))
        reader = TrainingReader(tmp_path / "run")
        reader.update()
        assert reader.has_ended is has_ended, rows


def test_a_record_that_stays_damaged_is_a_fault(tmp_path: Path) -> None:
    for number, text in enumerate((RECORD, "junk", "", RECORD[:20]), 1):
        (tmp_path / f"game-{number}.sgf").write_text(text)
    reader = SelfplayReader(tmp_path)
    reader.update()
    assert dict(reader.summary()["facts"])["not read yet"] == "3" and not reader.summary()["alarms"]
    old = time.time() - 60
    for number in (2, 3):
        os.utime(tmp_path / f"game-{number}.sgf", (old, old))
    assert reader.update() and not reader.update()
    summary = reader.summary()
    assert dict(summary["facts"])["not read yet"] == "1"
    says = "it is no whole record of a game"
    assert summary["alarms"] == [f"game-{number}.sgf, {says}" for number in (2, 3)]
    (tmp_path / "game-2.sgf").write_text(RECORD)
    (tmp_path / "game-3.sgf").unlink()
    assert reader.update() and len(reader.entries) == 2 and not reader.summary()["alarms"]


def test_the_title_of_a_run_has_the_name_of_its_class_and_no_board_that_is_not_known(tmp_path: Path) -> None:
    titles = []
    for settings in ({"game": "tictactoe.py:TicTacToe"}, {"game": "x.py:TicTacToe", "size": 3}, {}):
        (tmp_path / "run.json").write_text(json.dumps(settings))
        reader = TrainingReader(tmp_path)
        reader.update()
        titles.append(reader.summary()["title"])
    assert titles == ["TicTacToe: training", "TicTacToe 3x3: training", "Game: training"]


def test_positions_a_second_are_those_of_the_time_that_is_shown(tmp_path: Path) -> None:
    write_run(tmp_path / "run", minutes=0.5)
    reader = TrainingReader(tmp_path / "run")
    reader.update()
    facts = dict(reader.summary()["facts"])
    assert (facts["positions"], facts["positions a second"]) == ("240", f"{240 / 150:.0f}")


@pytest.mark.parametrize(
    ("minutes", "trained", "says"),
    [(0.25, 0.2503, "15 s"), (1.25, 1.2503, "1.2 min"), (30, 30.01, "30.0 min"), (90, 90.01, "1 h 30 min")],
)
def test_a_run_that_has_just_ended_has_trained_as_long_as_it_was_to(
    tmp_path: Path, minutes: float, trained: float, says: str
) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"game": "go", "size": 5, "minutes": minutes}))
    (tmp_path / "metrics.csv").write_text(f"time,minutes,games\nt,{trained},24\n")
    reader = TrainingReader(tmp_path)
    reader.update()
    summary = reader.summary()
    assert (dict(summary["facts"])["trained"], summary["whole"]) == (says, says)


def test_a_page_lists_the_newest_games(tmp_path: Path) -> None:
    reader = TrainingReader(
        tmp_path, entries={number: Entry(number) for number in range(1, MOST_ENTRIES + 4)}
    )
    assert [entry.number for entry in reader.newest()] == list(range(4, MOST_ENTRIES + 4))
