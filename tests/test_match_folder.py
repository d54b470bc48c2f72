"""The folder of a match: what it keeps, how a match goes on in it, and who may use it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sixplane
from commands import run_command
from sixplane.agents import RandomAgent
from sixplane.match import FolderError, Limits, Line, Played, Tournament, TournamentFolder, rate
from sixplane.nets import Architecture, Network
from small_matches import entrants, small


def test_a_folder_keeps_the_games_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games"
    tournament = small("random", "b@random", games=4, seed=2)
    with TournamentFolder(path, tournament) as folder:
        for played in tournament.run(processes=0, skip={1, 3}):
            folder.write(played)
    with TournamentFolder(path, tournament) as again:
        assert again.lines == folder.lines
        assert [entry.game for entry in again.lines] == [0, 2]
    with TournamentFolder(path, small("random", "b@random", games=6, seed=2)) as longer:
        assert longer.lines == folder.lines
    played = next(iter(tournament.run(processes=0)))
    record = (path / "game-0001.sgf").read_text()
    assert sixplane.Go.from_sgf(record) == played.result.record
    assert "PB[random]PW[b]" in record and f"RE[{played.result.sgf_result}]" in record
    entry = folder.lines[0]
    assert entry.asked == [sum(s > 0 for s in played.result.move_seconds[c::2]) for c in (0, 1)]
    assert entry.opening == [played.result.record.action_to_name(a) for a in played.fixture.opening]


def test_a_result_that_was_written_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = small("random", "b@random", games=2, seed=2)
    with TournamentFolder(tmp_path, tournament) as folder:
        synced: list[int] = []
        monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_ino))
        folder.write(next(tournament.run(processes=0)))
        assert synced[-1] == (tmp_path / "results.jsonl").stat().st_ino


def test_half_a_line_of_a_killed_run_is_dropped(tmp_path: Path) -> None:
    tournament = small("random", "b@random", games=2, seed=2)
    games = list(tournament.run(processes=0))
    with TournamentFolder(tmp_path, tournament) as folder:
        folder.write(games[0])
    results = tmp_path / "results.jsonl"
    whole = results.read_text()
    results.write_text(whole + '{"game": 1, "bla')
    with TournamentFolder(tmp_path, tournament) as folder:
        assert [entry.game for entry in folder.lines] == [0]
        folder.write(games[1])
    with TournamentFolder(tmp_path, tournament) as folder:
        assert [entry.game for entry in folder.lines] == [0, 1]
    assert results.read_text().startswith(whole)
    results.write_text(whole[:7])
    for _ in range(2):
        with TournamentFolder(tmp_path, tournament) as folder:
            assert folder.lines == []


def test_numbers_may_be_those_of_numpy(tmp_path: Path) -> None:
    games, tries, seconds = np.int64(2), np.int8(2), np.float32(5)
    limits = Limits(seconds_per_move=seconds, illegal_tries=tries, isolate=np.bool_(False))  # type: ignore[arg-type]
    tournament = small("random", "b@random", games=games, seed=2, opening_moves=games, limits=limits)
    assert tournament.limits == Limits(seconds_per_move=5.0, illegal_tries=2)
    with TournamentFolder(tmp_path / "match", tournament) as folder:
        for played in tournament.run(processes=0):
            assert played.result.ending == "rules"
            folder.write(played)
    rating = rate("random", sixplane.Reversi(), games, seed=1, folder=tmp_path / "rating")  # type: ignore[arg-type]
    assert rating == rate("random", sixplane.Reversi(), 2, seed=1, folder=tmp_path / "rating")


def test_a_folder_of_another_match_is_refused(tmp_path: Path) -> None:
    TournamentFolder(tmp_path, small("random", "b@random", seed=2)).close()
    for other, part in (
        (small("random", "c@random", seed=2), "players"),
        (small("b@random", "random", seed=2), "players"),
        (small("random", "b@random", seed=3), "seed"),
        (small("random", "b@random", seed=2, paired=False), "paired"),
        (small("random", "b@random", seed=2, opening_moves=3), "opening moves"),
        (small("random", "b@random", seed=2, limits=Limits(isolate=True)), "limits"),
        (Tournament(entrants("random", "b@random"), sixplane.Go(5, komi=3), seed=2), "rules"),
        (Tournament(entrants("random", "b@random"), sixplane.Go(5, max_moves=9), seed=2), "rules"),
    ):
        with pytest.raises(FolderError, match=f"holds another match: it differs in .*{part}"):
            TournamentFolder(tmp_path, other)
    stone = sixplane.Go.from_stones([12], [], "black", 5)
    TournamentFolder(
        tmp_path, small("random", "b@random", seed=2, limits=Limits(seconds_per_move=60))
    ).close()
    with pytest.raises(FolderError, match=r"it differs in position$"):
        TournamentFolder(tmp_path, Tournament(entrants("random", "b@random"), stone, seed=2))
    (tmp_path / "results.jsonl").write_text("dear diary\n")
    with pytest.raises(FolderError, match="no file of results"):
        TournamentFolder(tmp_path, small("random", "b@random", seed=2))
    with pytest.raises(FolderError, match=r"cannot use the folder .*: Not a directory"):
        TournamentFolder(tmp_path / "results.jsonl" / "x", small("random", "b@random"))


def test_a_folder_of_an_older_version_is_refused_by_that_alone(tmp_path: Path) -> None:
    tournament = small("random", "b@random", seed=2)
    TournamentFolder(tmp_path, tournament).close()
    results = tmp_path / "results.jsonl"
    text = results.read_text()
    assert "AP[" not in text
    results.write_text(text.replace(f'"{sixplane.__version__}"', '"0.0.1"'))
    with pytest.raises(FolderError, match=r"another match: it differs in the version of sixplane$"):
        TournamentFolder(tmp_path, tournament)


def test_a_match_and_a_rating_do_not_share_a_folder(tmp_path: Path) -> None:
    rated, played = tmp_path / "rated", tmp_path / "played"
    tournament = small("random", "b@random", seed=2)
    TournamentFolder(played, tournament).close()
    rate("random", sixplane.Reversi(), games=2, seed=3, folder=rated)
    before = {file: file.read_bytes() for file in tmp_path.glob("*/*")}
    for command, folder, says in (
        (["rate", "random", "--game", "reversi"], played, "holds a match (results.jsonl)"),
        (["match", "random", "b@random"], rated, "holds a rating (rating.jsonl)"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "sixplane", *command, "--games", "2", "--out", str(folder)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"sixplane: error: {folder} {says}: choose another folder")
        assert done.stderr.count("\n") == 1
    assert {file: file.read_bytes() for file in tmp_path.glob("*/*")} == before


def test_the_games_of_a_network_are_not_those_of_a_later_one(tmp_path: Path) -> None:
    file, architecture = tmp_path / "net.npz", Architecture("go", blocks=1, channels=4)
    match = small(f"network:file={file}", "random", games=2, seed=2)
    for seed in (1, 2):
        Network(architecture, architecture.random_parameters(seed=seed), backend="numpy").save(file)
        if seed == 1:
            TournamentFolder(tmp_path / "games", match).close()
            TournamentFolder(tmp_path / "games", match).close()
    with pytest.raises(FolderError, match=r"holds another match: it differs in networks$"):
        TournamentFolder(tmp_path / "games", match)
    file.unlink()
    with pytest.raises(FolderError, match=r"cannot read .*net\.npz"):
        TournamentFolder(tmp_path / "games", match)


def test_a_folder_is_one_programs_at_a_time(tmp_path: Path) -> None:
    tournament = small("random", "b@random", games=2, seed=2)
    command = [sys.executable, "-m", "sixplane", "match", "random", "b@random", "--games", "2", "--size", "5"]
    command += ["--seed", "2", "--out", str(tmp_path)]
    with TournamentFolder(tmp_path, tournament) as folder:
        for played in tournament.run(processes=0, skip={1}):
            folder.write(played)
        before = (tmp_path / "results.jsonl").read_bytes()
        with pytest.raises(FolderError, match="is in use by another match"):
            TournamentFolder(tmp_path, tournament)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"sixplane: error: the folder {tmp_path} is in use by another match\n"
        assert (tmp_path / "results.jsonl").read_bytes() == before
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "  games             2\n" in done.stdout


def test_a_program_that_was_killed_locks_nobody_out(tmp_path: Path) -> None:
    code = (
        "import os, signal, pathlib; from sixplane.match import TournamentFolder;"
        "from small_matches import small; tournament = small('random', 'b@random');"
        f"folder = TournamentFolder(pathlib.Path({str(tmp_path)!r}), tournament);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, check=False)
    assert killed.returncode == -9
    with TournamentFolder(tmp_path, small("random", "b@random")) as folder:
        assert folder.lines == []


class Novice:
    title = "novice"

    def make(self, seed: int) -> RandomAgent:
        return RandomAgent(seed=seed)


def test_entrants_of_your_own_go_on_and_the_record_says_where_they_begin(tmp_path: Path) -> None:
    game = sixplane.Gomoku(7).replay([0, 1, 2])
    for _ in range(2):
        tournament = Tournament([Novice(), *entrants("random")], game, games=2, opening_moves=2, seed=1)
        with TournamentFolder(tmp_path, tournament) as folder:
            for played in tournament.run(processes=0, skip={line.game for line in folder.lines}):
                folder.write(played)
    moves = (tmp_path / "game-0001.sgf").read_text().split(";")[2:]
    assert [i for i, move in enumerate(moves, 1) if "C[the players begin here]" in move] == [5]


def test_a_match_that_fails_tells_the_games_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = TournamentFolder.write

    def fails(folder: TournamentFolder, played: Played) -> Line:
        if folder.lines:
            raise FolderError("the disk is full")
        return write(folder, played)

    monkeypatch.setattr(TournamentFolder, "write", fails)
    done = run_command("match", "random", "b@random", "--size", "3", "--games", "4", "--out", str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "sixplane: error: the disk is full\n")
    assert "  games             1\n" in done.stdout


def test_each_game_counts_once_and_a_repeated_number_is_told(tmp_path: Path) -> None:
    tournament = small("random", "b@random", games=2, seed=2)
    with TournamentFolder(tmp_path, tournament) as folder:
        for played in tournament.run(processes=0):
            folder.write(played)
        with pytest.raises(FolderError, match="has game 2 already"):
            folder.write(played)
    results = tmp_path / "results.jsonl"
    header, first, second = results.read_text().splitlines()
    results.write_text("\n".join([header, first, second, first.replace("rules", "moves"), ""]))
    with TournamentFolder(tmp_path, tournament) as again:
        assert again.lines == folder.lines
        assert again.repeated == [0]
    command = [sys.executable, "-m", "sixplane", "match", "random", "b@random", "--games", "2", "--size", "5"]
    done = subprocess.run(
        [*command, "--seed", "2", "--out", str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stderr == "sixplane: game 1 is there twice; the first counts\n"
    assert "  games             2\n" in done.stdout
