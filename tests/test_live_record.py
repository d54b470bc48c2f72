"""Records of games that go on: when they are written, what is in them, and that none is left."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from interruptible import started
from sixplane import _live
from sixplane._live import BURST, INTERVAL, LIVE, START, LiveRecord, live_record
from sixplane.agents import RandomAgent
from sixplane.learn.self_play import SelfPlay, self_play
from sixplane.match import Tournament, TournamentFolder
from sixplane.nets import Architecture
from sixplane.runs.match import MatchReader
from waiting import MINUTE, until

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every move is written, also of games that are over in an instant."""
    monkeypatch.setattr(_live, "START", -BURST)
    monkeypatch.setattr(_live, "INTERVAL", 0.0)


@pytest.mark.parametrize("seed", range(6))
def test_a_record_is_written_often_enough_and_not_too_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    now = 1000.0
    monkeypatch.setattr(_live, "time", SimpleNamespace(monotonic=lambda: now))
    path = live_record(tmp_path, 3)
    record = LiveRecord(path, "one", "two")
    game = sixplane.Gomoku(size=13)
    written: list[float] = []
    rested = 0.0
    while not game.is_over:
        pause = rng.choice((0.001, 0.02, 0.3, 3.0))
        now += pause
        game.play(rng.choice(list(game.legal_actions)))
        record.show(game)
        shown = sixplane.Gomoku.from_sgf(path.read_text()).move_number if path.exists() else 0
        if shown == game.move_number:
            written.append(now)
            assert "PB[one]PW[two]" in path.read_text()
        # A move after a rest is there at once, and so is an answer that comes at once.
        if min(pause, now - 1000 - START) > BURST + INTERVAL:
            rested = now
        assert now - rested > 0.01 or shown == game.move_number
        # What was shown already is not written again.
        before = path.stat().st_mtime_ns if path.exists() else 0
        record.show(game)
        assert (path.stat().st_mtime_ns if path.exists() else 0) == before or shown < game.move_number
    assert written[0] - 1000 >= START
    for i, first in enumerate(written):
        for j, last in enumerate(written[i:]):
            assert j <= (last - first + BURST) / INTERVAL + 1e-6


@pytest.mark.usefixtures("at_once")
def test_what_cannot_be_written_is_left_out(tmp_path: Path) -> None:
    (tmp_path / LIVE).write_text("a file where the folder should be")
    LiveRecord(live_record(tmp_path, 1)).show(sixplane.Go(size=5))
    assert (tmp_path / LIVE).read_text() == "a file where the folder should be"
    LiveRecord(None).show(sixplane.Go(size=5))


class Reader:
    """Plays at random, and reads the folder like those who watch, before each of its moves."""

    def __init__(self, title: str, folder: Path) -> None:
        self.title, self.folder = title, folder
        self.seen: list[tuple[int, int]] = []

    def make(self, seed: int) -> Reader:
        self.random = RandomAgent(seed=seed)
        return self

    def select_action(self, game: sixplane.Game) -> Any:
        reader = MatchReader(self.folder)
        reader.update_live()
        reader.update()
        if game.move_number > 2:
            (row,) = [entry[:5] for entry in reader.going_on()]
            number, black, white, result, moves = row
            assert {black, white} == {"a", "b"} and result == "" and moves == game.move_number
            assert reader.live[number].game.actions.tolist() == game.actions.tolist()
            assert number not in reader.entries
            self.seen.append((number, moves))
        return self.random.select_action(game)


@pytest.mark.usefixtures("at_once")
def test_a_match_is_seen_move_by_move(tmp_path: Path) -> None:
    readers = [Reader(title, tmp_path) for title in ("a", "b")]
    tournament = Tournament(readers, sixplane.Go(size=5, max_moves=40), games=2, opening_moves=2)
    with TournamentFolder(tmp_path, tournament) as folder:
        for played in tournament.run(processes=0, live=tmp_path):
            file = live_record(tmp_path, played.fixture.index + 1)
            assert file.exists()
            folder.write(played)
            assert not file.exists()
            reader = MatchReader(tmp_path)
            assert not reader.update_live() and reader.update() and reader.going_on() == []
    assert not (tmp_path / LIVE).exists()
    assert {number for number, _ in readers[0].seen} == {1, 2}


@pytest.mark.usefixtures("at_once")
def test_a_worker_shows_the_game_that_it_records(tmp_path: Path) -> None:
    architecture = Architecture("go", blocks=1, channels=4)

    def finished(live: Path | None) -> Any:
        settings = SelfPlay(
            prototype=sixplane.Go(size=3, max_moves=18),
            games=5,
            simulations=4,
            opening_plies=2,
            search={},
            architecture=architecture,
            backend={"backend": "numpy"},
            live=live,
        )
        return self_play(12, architecture.random_parameters(0), 7, settings)

    path = live_record(tmp_path, 31)
    shown, silent = finished(path), finished(None)
    text = path.read_text()
    assert sixplane.Go.from_sgf(text).actions.tolist() == shown.record.actions.tolist()
    assert "PB[version 12]PW[version 12]" in text
    # Nothing else depends on whether somebody watches.
    assert shown.record == silent.record and (shown.outcomes == silent.outcomes).all()
    assert (shown.samples.policy == silent.samples.policy).all()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("processes", [1, 2])
def test_a_match_that_was_killed_leaves_records_to_the_next_one(tmp_path: Path, processes: int) -> None:
    # Much too long to be over before it is seen.
    players = ["a@mcts:simulations=2000", "b@mcts:simulations=2000"]
    options = ["--size", "19", "--games", "100", "--processes", str(processes), "--out", str(tmp_path)]
    stale = live_record(tmp_path, 77)

    def is_seen(since: int = 0) -> bool:
        try:
            written = [file.stat().st_mtime_ns for file in (tmp_path / LIVE).glob("[0-9]*.sgf")]
        except FileNotFoundError:  # The match has just removed the folder that the killed one left.
            return False
        return sum(when > since for when in written) >= processes

    def match() -> AbstractContextManager[subprocess.Popen[str]]:
        return started("match", *players, *options, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    with match() as killed:
        until(is_seen, killed)
        killed.kill()
        killed.wait()
    assert list((tmp_path / LIVE).iterdir())
    stale.write_text("(;GM[1]SZ[9])")
    left = stale.stat().st_mtime_ns
    with match() as again:
        # Records of its own: a match that is interrupted before it plays may leave those that it has found.
        until(lambda: is_seen(left), again)
        assert not stale.exists()
        again.send_signal(signal.SIGINT)
        assert again.wait(MINUTE) == 130
    assert not (tmp_path / LIVE).exists()
