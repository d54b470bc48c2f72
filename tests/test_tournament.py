"""Series of games: openings, schedules, results, and the program `sixplane match`."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import sixplane
from sixplane.agents import AgentSpec
from sixplane.match import (
    ChildError,
    FolderError,
    Limits,
    Line,
    Tournament,
    TournamentFolder,
    standings,
)
from sixplane.match.openings import random_openings
from sixplane.match.statistics import elo_difference, wilson_interval
from sixplane.planes import symmetries


def entrants(*texts: str) -> list[AgentSpec]:
    return [AgentSpec.parse(text) for text in texts]


def small(*texts: str, **options: Any) -> Tournament:
    return Tournament(entrants(*texts), sixplane.Go(5), **options)


@pytest.mark.parametrize("game", [sixplane.Go(9), sixplane.Reversi(), sixplane.Gomoku()])
def test_openings_are_distinct_up_to_symmetry_and_follow_from_the_seed(game: Any) -> None:
    openings = random_openings(game, 40, 3, seed=5)
    seen = set()
    for opening in openings:
        course = game.replay(opening)
        assert not course.is_over
        assert game.num_actions - 1 not in opening
        seen |= {planes.tobytes() for planes in symmetries(course.planes)[0][:1]}
        for planes in symmetries(course.planes)[0][1:]:
            assert planes.tobytes() == course.planes.tobytes() or planes.tobytes() not in seen
    assert len(seen) == 40
    assert openings[:10] == random_openings(game, 10, 3, seed=5)
    assert openings != random_openings(game, 40, 3, seed=6)


def test_openings_get_longer_where_there_are_too_few() -> None:
    openings = random_openings(sixplane.Reversi(), 10, 1, seed=0)
    assert len(openings[0]) == 1  # by symmetry there is one first move
    assert len(openings[1]) > 1
    assert random_openings(sixplane.Go(5), 1, 0, seed=0) == [[]]
    with pytest.raises(ValueError, match="no 500 different openings"):
        random_openings(sixplane.Go(2, max_moves=3), 500, 1, seed=0)


def test_openings_begin_at_the_position_of_the_game() -> None:
    game = sixplane.Go(5)
    game.play(12)
    for opening in random_openings(game, 5, 2, seed=0):
        course = game.copy()
        for action in opening:
            course.play(action)
        assert course.move_number == 3


def test_each_opening_is_played_with_both_colors() -> None:
    tournament = small("random", "b@random", "c@random", games=6, opening_moves=2)
    fixtures = tournament.fixtures
    assert [fixture.index for fixture in fixtures] == list(range(18))
    met = Counter((fixture.black, fixture.white, fixture.opening) for fixture in fixtures)
    assert set(met.values()) == {1}
    assert all((white, black, opening) in met for black, white, opening in met)
    assert len({fixture.opening for fixture in fixtures}) == 3
    assert len({fixture.seed for fixture in fixtures}) == 18


def test_unpaired_each_game_has_its_own_opening_and_colors_take_turns() -> None:
    fixtures = small("random", "b@random", games=5, paired=False).fixtures
    assert len({fixture.opening for fixture in fixtures}) == 5
    assert [fixture.black for fixture in fixtures] == ["random", "b", "random", "b", "random"]


def test_games_follow_from_the_seed_however_they_are_played() -> None:
    tournament = small("random", "b@random", games=4, seed=9)
    here = {played.fixture.index: played.result.record for played in tournament.run(processes=0)}
    apart = {played.fixture.index: played.result.record for played in tournament.run(processes=2)}
    assert here == apart
    assert len(here) == 4
    assert small("random", "b@random", games=8, seed=9).fixtures[:4] == tournament.fixtures
    for fixture in tournament.fixtures:
        assert here[fixture.index].actions[:4].tolist() == list(fixture.opening)


def test_what_is_skipped_is_not_played_and_stop_stops() -> None:
    tournament = small("random", "b@random", games=6)
    for processes in (0, 2):
        indices = {played.fixture.index for played in tournament.run(processes, skip={0, 2, 3})}
        assert indices == {1, 4, 5}
        assert not list(tournament.run(processes, stop=lambda: True))


def test_a_process_that_ends_is_an_error() -> None:
    class Deadly(AgentSpec):
        pass

    with pytest.raises(ChildError, match="cannot hand"):
        list(Tournament([*entrants("random"), Deadly("x", "x", "x", {})], sixplane.Go(5)).run())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 3}, "games must be even and at least 1, not 3"),
        ({"games": 0, "paired": False}, "games must be at least 1, not 0"),
        ({"opening_moves": -1}, "opening_moves must be at least 0"),
        ({"games": 1.0}, "games must be an integer"),
    ],
)
def test_wrong_numbers_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        small("random", "b@random", **options)


def test_wrong_players_are_errors() -> None:
    with pytest.raises(ValueError, match="at least two players, not 1"):
        small("random")
    with pytest.raises(ValueError, match="both called 'random'"):
        small("random", "random")
    over = sixplane.Go(5)
    over.resign()
    with pytest.raises(ValueError, match="is over"):
        Tournament(entrants("random", "b@random"), over)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dance", "no agent is called 'dance'; there are random, score-table"),
        ("", "no agent is called ''"),
        ("random:speed=3", "random has no option 'speed'; it has avoid_eyes"),
        ("random:tries=x", "tries of random cannot be 'x'"),
        ("random:tries=0", "tries must be at least 1"),
        ("random:tries", "tries of random cannot be ''"),
        ("random:resign_probability=nan", "cannot be 'nan'"),
        ("random:", "random has no option ''"),
        ("score-table:x=1", "score-table has no option 'x'; it has none"),
        ("gtp:", "the command is empty"),
        ("gtp:a 'b", "No closing quotation"),
    ],
)
def test_specs_say_what_is_wrong_with_them(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        AgentSpec.parse(text)


def test_specs_are_read() -> None:
    spec = AgentSpec.parse("random:avoid-eyes=none, tries=5")
    assert (spec.title, spec.options) == ("random:avoid-eyes=none, tries=5", {"avoid_eyes": None, "tries": 5})
    program = AgentSpec.parse("strong@gtp:prog --user a@b:c --x=1,2")
    assert (program.title, program.options) == ("strong", {"command": "prog --user a@b:c --x=1,2"})
    assert repr(program.make(1)) == "GTPAgent(['prog', '--user', 'a@b:c', '--x=1,2'])"
    assert AgentSpec.parse("gtp:prog a@b").title == "gtp:prog a@b"


@pytest.mark.parametrize(("points", "games"), [(0, 1), (7, 10), (30.5, 60), (60, 60), (0, 200), (1, 3)])
def test_the_interval_solves_wilsons_equation(points: float, games: int) -> None:
    low, high = wilson_interval(points, games)
    rate = points / games
    assert 0 <= low <= rate <= high <= 1
    for end in (low, high):
        # The ends are where the observed rate is 1.96 standard deviations from the true one.
        deviation = math.sqrt(end * (1 - end) / games)
        assert end in {0, 1} or abs(rate - end) / deviation == pytest.approx(1.959964, abs=1e-5)
    assert wilson_interval(games - points, games) == pytest.approx((1 - high, 1 - low))
    assert wilson_interval(0, 0) == (0, 1)


def test_elo_differences_are_those_of_the_expected_score() -> None:
    for difference in (-300.0, 0.0, 17.0, 400.0):
        assert elo_difference(1 / (1 + 10 ** (-difference / 400))) == pytest.approx(difference)
    assert (elo_difference(0), elo_difference(1)) == (-math.inf, math.inf)


def line(game: int, black: str, white: str, winner: str, **options: Any) -> Line:
    values: dict[str, Any] = {
        "reason": "rules", "detail": "", "forfeit": False, "score": 0.0, "moves": 20,
        "opening": [], "asked": [10, 5], "seconds": [1.0, 2.0], "slowest": [0.2, 0.7],
    }  # fmt: skip
    return Line(game=game, black=black, white=white, winner=winner, **(values | options))


def test_standings_add_up_the_games() -> None:
    lines = [
        line(0, "a", "b", "black"),
        line(1, "b", "a", "white"),
        line(2, "a", "b", "draw"),
        line(3, "b", "a", "black", reason="time", detail="white took 9 s", forfeit=True, moves=60),
    ]
    text = standings(["a", "b", "c"], reversed(lines))
    assert text == (
        "a against b\n"
        "  games             4\n"
        "  won, drawn, lost  2, 1, 1\n"
        "  won as black      1 of 2\n"
        "  won as white      1 of 2\n"
        "  score             62.5% (95 %: 21.9% to 90.8%)\n"
        "  Elo difference    +89 (95 %: -220 to +398)\n"
        "  mean length       30.0 moves\n"
        "  a                 0.200 s a move, at most 0.700 s; 1 forfeits\n"
        "  b                 0.200 s a move, at most 0.700 s; 0 forfeits\n"
        "\n"
        "lost by a rule of the referee\n"
        "  game 4: a lost on time, white took 9 s"
    )


def test_a_folder_keeps_the_games_and_goes_on(tmp_path: Path) -> None:
    tournament = small("random", "b@random", games=4, seed=2)
    folder = TournamentFolder(tmp_path / "new" / "games", tournament)
    for played in tournament.run(processes=0, skip={1, 3}):
        folder.write(played)
    again = TournamentFolder(tmp_path / "new" / "games", tournament)
    assert again.lines == folder.lines
    assert [entry.game for entry in again.lines] == [0, 2]
    longer = TournamentFolder(tmp_path / "new" / "games", small("random", "b@random", games=6, seed=2))
    assert longer.lines == folder.lines
    played = next(iter(tournament.run(processes=0)))
    record = (tmp_path / "new" / "games" / "game-0001.sgf").read_text()
    assert sixplane.Go.from_sgf(record) == played.result.record
    assert "PB[random]PW[b]" in record and f"RE[{played.result.sgf_result}]" in record
    entry = folder.lines[0]
    assert entry.asked == [sum(s > 0 for s in played.result.move_seconds[c::2]) for c in (0, 1)]
    assert entry.opening == [played.result.record.action_to_name(a) for a in played.fixture.opening]


def test_half_a_line_of_a_killed_run_is_dropped(tmp_path: Path) -> None:
    tournament = small("random", "b@random", games=2, seed=2)
    folder = TournamentFolder(tmp_path, tournament)
    games = list(tournament.run(processes=0))
    folder.write(games[0])
    results = tmp_path / "results.jsonl"
    whole = results.read_text()
    results.write_text(whole + '{"game": 1, "bla')
    again = TournamentFolder(tmp_path, tournament)
    assert [entry.game for entry in again.lines] == [0]
    again.write(games[1])
    assert [entry.game for entry in TournamentFolder(tmp_path, tournament).lines] == [0, 1]
    assert results.read_text().startswith(whole)
    results.write_text('{"sixpl')
    assert TournamentFolder(tmp_path, tournament).lines == []
    assert TournamentFolder(tmp_path, tournament).lines == []


def test_a_folder_of_another_match_is_refused(tmp_path: Path) -> None:
    TournamentFolder(tmp_path, small("random", "b@random", seed=2))
    for other, part in (
        (small("random", "c@random", seed=2), "players"),
        (small("random", "b@random", seed=3), "seed"),
        (small("random", "b@random", seed=2, paired=False), "paired"),
        (small("random", "b@random", seed=2, opening_moves=3), "opening moves"),
        (small("random", "b@random", seed=2, limits=Limits(isolate=True)), "limits"),
        (Tournament(entrants("random", "b@random"), sixplane.Go(5, komi=3), seed=2), "rules and position"),
    ):
        with pytest.raises(FolderError, match=f"holds another match: it differs in .*{part}"):
            TournamentFolder(tmp_path, other)
    (tmp_path / "results.jsonl").write_text("dear diary\n")
    with pytest.raises(FolderError, match="no file of results"):
        TournamentFolder(tmp_path, small("random", "b@random", seed=2))
    with pytest.raises(FolderError, match=r"cannot use the folder .*: Not a directory"):
        TournamentFolder(tmp_path / "results.jsonl" / "x", small("random", "b@random"))


def program(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixplane", "match", *arguments],
        capture_output=True, text=True, check=False, timeout=240, **options,
    )  # fmt: skip


def test_the_program_plays_and_reports(tmp_path: Path) -> None:
    arguments = [
        "random", "score-table", "--game", "gomoku", "--games", "6", "--seed", "1", "--processes", "2",
    ]  # fmt: skip
    done = program(*arguments, "--size", "9x11", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "won, drawn, lost  0, 0, 6" in done.stdout
    assert "6/6" in done.stderr
    assert len(list(tmp_path.glob("*.sgf"))) == 6
    header, *lines = [json.loads(text) for text in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert header["game"] == "Gomoku"
    assert {entry["winner"] for entry in lines} == {"black", "white"}
    again = program(*arguments, "--size", "9x11", "--out", str(tmp_path))
    assert again.stdout == done.stdout
    other = program(*arguments, "--size", "9x11", "--out", str(tmp_path), "--illegal-tries", "2")
    assert other.returncode == 1
    assert "holds another match: it differs in limits" in other.stderr
    without = program("random", "b@random", "--size", "5", "--games", "2")
    assert re.search(r"\n\nseed \d+\n$", without.stdout)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_cut_short_goes_on(tmp_path: Path, sign: signal.Signals) -> None:
    # A random player in Python needs a while for so many games on a large board.
    arguments = [
        "random",
        "b@random",
        "--size",
        "13",
        "--games",
        "400",
        "--seed",
        "1",
        "--out",
        str(tmp_path),
    ]
    command = [sys.executable, "-m", "sixplane", "match", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 120
        while len(list(tmp_path.glob("*.sgf"))) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(sign)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == (130 if sign == signal.SIGINT else -9)
    assert "Traceback" not in stderr
    kept = len((tmp_path / "results.jsonl").read_text().splitlines()) - 1
    assert 3 <= kept < 400
    if sign == signal.SIGINT:
        assert f"stopped after {kept} of 400 games" in stderr
        assert f"games             {kept}" in stdout
    files = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.sgf")}
    few = str(kept + 2 + kept % 2)
    again = program(*(few if argument == "400" else argument for argument in arguments))
    assert again.returncode == 0, again.stderr
    assert f"games             {few}" in again.stdout
    counted = {json.loads(text)["game"] for text in (tmp_path / "results.jsonl").read_text().splitlines()[1:]}
    assert counted == set(range(int(few)))
    unchanged = sum(path.stat().st_mtime_ns == when for path, when in files.items())
    assert unchanged >= kept


def test_no_process_outlives_the_program() -> None:
    marker = f"marker-{os.getpid()}"
    code = f"import time; time.sleep(1000)  # {marker}"
    spec = f"x@gtp:{sys.executable} -c '{code}'"
    command = [sys.executable, "-m", "sixplane", "match", "random", spec, "--games", "2", "--size", "5"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not running(code) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert running(code)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    deadline = time.monotonic() + 10
    while running(code) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not running(code)


def running(code: str) -> list[int]:
    """The processes that run this code."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                arguments = (path / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if code.encode() in arguments:
                found.append(int(path.name))
    return found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "AGENT"),
        ("random", "at least two players"),
        ("random random", "both called 'random'"),
        ("random dance", "no agent is called 'dance'"),
        ("random b@random --games 3", "even"),
        ("random b@random --game chess", "go"),
        ("random b@random --komi 0.3", "0.5"),
        ("random b@random --seconds-per-move 0", "positive"),
        ("random b@random --opening-moves -1", "at least 0"),
        ("random b@random --processes 0", "at least 1"),
        ("random b@random --size 2 --games 1000 --max-moves 3", "different openings"),
    ],
)
def test_wrong_arguments_are_an_error_in_one_line(arguments: str, message: str) -> None:
    done = program(*arguments.split())
    assert done.returncode == 2
    assert re.fullmatch(r"sixplane.*: error: .*\n", done.stderr)
    assert message in done.stderr
    assert done.stdout == ""


def test_help_explains_agents() -> None:
    shown = program("--help").stdout
    for word in (
        "gtp:COMMAND",
        "score-table",
        "--check-score",
        "--isolate",
        "--unpaired",
        "TITLE@AGENT",
        "examples",
    ):
        assert word in shown
