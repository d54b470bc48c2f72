"""The program `sixplane`, started as a user starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pexpect
import pytest
from sgfmill import boards, sgf

import sixplane
from commands import run_command
from interruptible import started
from sixplane import _core
from sixplane.cli.program import parsers
from sixplane.cli.progress import progress_bar
from sixplane.cli.tally import Tally
from waiting import MINUTE, until

if TYPE_CHECKING:
    from sixplane._core import Game


def sixplane_program(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixplane", *arguments],
        capture_output=True, text=True, check=False, timeout=120, **options,
    )  # fmt: skip


def figures(stdout: str) -> dict[str, float]:
    """The table, as numbers."""
    lines = re.findall(r"^([a-z/ ]+?) +([+-]?[\d,.]+)$", stdout, re.M)
    return {name: float(figure.replace(",", "")) for name, figure in lines}


def test_a_command_imports_no_other() -> None:
    code = "import sys; from sixplane.__main__ import main; main(['gtp']); print(*sys.modules)"
    words = [sys.executable, "-c", code]
    done = subprocess.run(
        words, input="name\n", capture_output=True, text=True, check=True, timeout=MINUTE
    )  # fmt: skip
    answer, _, modules = done.stdout.partition("\n\n")
    assert answer.startswith("= sixplane")
    names = modules.split()
    assert "sixplane.cli.gtp" in names
    assert not [name for name in names if name.startswith(("sixplane.match", "sixplane.web"))]
    assert "sixplane.cli.play" not in names


def test_table_adds_up_the_very_games_of_the_seed() -> None:
    done = sixplane_program("selfplay", "--size", "5x6", "--games", "300", "--seed", "7", "--komi", "0.5")
    assert done.returncode == 0, done.stderr
    games = _core.selfplay(sixplane.Go(size=(5, 6), komi=0.5), 0, 300, 7, None)
    table = figures(done.stdout)
    assert table.pop("moves/s") > 0
    outcomes = [game.outcome for game in games]
    assert table == {
        "games": 300,
        "moves": sum(game.move_number for game in games),
        "black wins": outcomes.count("black"),
        "white wins": outcomes.count("white"),
        "draws": outcomes.count("draw"),
        "mean length": pytest.approx(sum(game.move_number for game in games) / 300, abs=0.006),
        "mean score": pytest.approx(sum(game.score() for game in games) / 300, abs=0.006),
    }
    assert table["black wins"] > 0
    assert table["white wins"] > 0
    assert str(games[-1]).rstrip() in done.stdout
    assert re.search(rf"^profile +{_core.PROFILE}$", done.stdout, re.M)


def test_moves_a_second_are_those_of_all_chunks() -> None:
    games, tally = _core.selfplay(sixplane.Go(size=3), 0, 4, 1), Tally()
    tally.add(games[:1], 3.0)
    tally.add(games[1:], 1.0)
    moves = sum(game.move_number for game in games)
    assert figures(tally.table())["moves/s"] == pytest.approx(moves / 4, abs=0.5)


@pytest.mark.parametrize(
    ("game", "options", "start"),
    [
        ("go", [], sixplane.Go(9)),
        ("reversi", [], sixplane.Reversi(8)),
        ("reversi", ["--size", "4x6"], sixplane.Reversi((4, 6))),
        ("gomoku", ["--max-moves", "30"], sixplane.Gomoku(15, max_moves=30)),
        ("gomoku", ["--size", "6", "--exact-five"], sixplane.Gomoku(6, exact_five=True)),
    ],
)
def test_any_game_is_played_with_its_own_defaults(game: str, options: list[str], start: Game) -> None:
    done = sixplane_program("selfplay", "--game", game, "--games", "20", "--seed", "4", *options)
    assert done.returncode == 0, done.stderr
    games = _core.selfplay(start, 0, 20, 4)
    table = figures(done.stdout)
    assert table["games"] == 20
    assert table["moves"] == sum(one.move_number for one in games)
    assert str(games[-1]).rstrip() in done.stdout


def test_threads_change_nothing_but_the_time() -> None:
    tables = []
    for threads in ("1", "2", "5"):
        done = sixplane_program("selfplay", "--games", "50", "--seed", "3", "--threads", threads)
        tables.append(re.sub(r"moves/s .*", "", done.stdout))
    assert tables[0]
    assert tables[0] == tables[1] == tables[2]


def test_without_a_seed_games_differ_and_the_seed_is_shown(tmp_path: Path) -> None:
    def played(name: str, *options: str) -> tuple[str, list[str]]:
        done = sixplane_program("selfplay", "--games", "20", "--out", str(tmp_path / name), *options)
        return done.stdout, [file.read_text() for file in sorted((tmp_path / name).iterdir())]

    printed, games = played("first")
    assert len(games) == 20
    assert played("second")[1] != games
    assert played("again", "--seed", re.findall(r"seed (.*)", printed)[0])[1] == games


def test_rules_of_a_users_game_that_fail_are_told_with_their_line(tmp_path: Path) -> None:
    rules = Path(__file__).with_name("own_games.py").read_text()
    line = rules[: rules.index('raise ZeroDivisionError("no such position")')].count("\n") + 1
    file = tmp_path / "faulty.py"
    file.write_text(rules)
    for command in (["selfplay"], ["match", "random", "random", "--processes", "1"]):
        done = sixplane_program(*command, "--game", f"{file}:Faulty", "--games", "2", "--seed", "1")
        assert done.returncode == 1
        said = "the rules of Faulty: ending raised ZeroDivisionError: no such position, in the position with"
        assert re.match(rf"sixplane: error: (GameRulesError: )?{said}", done.stderr)
        if command == ["selfplay"]:
            assert done.stderr.endswith(f"({file}, line {line})\n")


def test_the_line_of_rules_that_fail_is_theirs_and_not_that_of_a_library(tmp_path: Path) -> None:
    file = tmp_path / "singular.py"
    file.write_text(
        "import numpy as np, sixplane\n\n\n@sixplane.game_class\nclass Singular:\n"
        "    def legal(self, position):\n        return position.empty\n\n"
        "    def ending(self, position):\n        return inverse()\n\n\n"
        "def inverse():\n    return np.linalg.inv(np.zeros((2, 2)))\n"
    )
    done = sixplane_program(
        "match", "--game", f"{file}:Singular", "mcts:simulations=5", "random", "--games", "2"
    )
    assert done.returncode == 1
    assert "ending raised LinAlgError: Singular matrix" in done.stderr
    assert done.stderr.endswith(f"({file}, line 14)\n")


def test_moves_are_cut_off_where_asked() -> None:
    done = sixplane_program("selfplay", "--games", "10", "--max-moves", "4", "--ko", "simple")
    assert figures(done.stdout)["moves"] == 40


def test_a_match_under_simple_ko_comes_to_an_end() -> None:
    options = ("--size", "2", "--ko", "simple", "--games", "2", "--opening-moves", "0", "--seed", "1")
    done = sixplane_program("match", "random", "b@random", *options)
    assert done.returncode == 0 and "random" in done.stdout, done.stderr


def test_games_under_simple_ko_come_to_an_end() -> None:
    # Random games of simple ko on this board go round for ever.
    done = sixplane_program("selfplay", "--size", "2", "--ko", "simple", "--games", "20", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert figures(done.stdout)["mean length"] == 12
    with pytest.raises(ValueError, match="max_moves is needed"):
        _core.selfplay(sixplane.Go(size=2, ko="simple"), 0, 1, 1)


def test_games_are_written_as_sgf_that_another_library_reads(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "games"
    done = sixplane_program(
        "selfplay",
        "--size",
        "7x7",
        "--games",
        "12",
        "--seed",
        "5",
        "--komi",
        "3.5",
        "--out",
        str(folder),
    )
    assert done.returncode == 0, done.stderr
    assert [file.name for file in sorted(folder.iterdir())] == [f"game-{i:02}.sgf" for i in range(1, 13)]
    games = _core.selfplay(sixplane.Go(size=7, komi=3.5), 0, 12, 5, None)
    for file, game in zip(sorted(folder.iterdir()), games, strict=True):
        record = sgf.Sgf_game.from_bytes(file.read_bytes())
        assert (record.get_size(), record.get_komi()) == (7, 3.5)
        assert (record.get_winner() or "draw")[0] == (game.outcome or "")[0]
        board = boards.Board(7)
        actions: list[int] = []
        for node in record.get_main_sequence()[1:]:
            color, move = node.get_move()
            assert color == "bw"[len(actions) % 2]
            if move is None:
                actions.append(49)
            else:
                board.play(*move, color)  # sgfmill counts rows from the bottom
                actions.append((6 - move[0]) * 7 + move[1])
        assert actions == game.actions.tolist()
        planes = game.planes
        for (row, column), stone in ((point, board.get(*point)) for point in board.board_points):
            black, white = planes[:2, 6 - row, column]
            assert {"b": (1, 0), "w": (0, 1), None: (0, 0)}[stone] == (black, white)


def test_files_that_are_there_are_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "game-2.sgf"
    mine.write_text("mine")
    done = sixplane_program("selfplay", "--games", "3", "--out", str(tmp_path))
    assert done.returncode == 1
    assert "game-2.sgf exists already" in done.stderr
    assert [file.read_text() for file in tmp_path.iterdir()] == ["mine"]


def test_a_folder_that_cannot_be_is_an_error_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = sixplane_program("selfplay", "--games", "3", "--out", str(tmp_path / "file" / "games"))
    assert done.returncode == 1
    assert re.fullmatch(r"sixplane: error: cannot make the folder .*games: Not a directory\n", done.stderr)


def test_a_match_that_cannot_begin_leaves_no_match_behind(tmp_path: Path) -> None:
    chosen = ("--game", "gomoku", "--size", "5", "--games", "2", "--out", str(tmp_path))
    assert run_command("match", "gtp:no-such-program", "random", *chosen).returncode == 1
    assert not list(tmp_path.iterdir())
    assert run_command("match", "random", "b@random", *chosen).returncode == 0


def test_a_table_without_lines_is_an_error() -> None:
    for table in (), ("nets",):
        done = run_command("bench", *table, "--only", "nothing")
        assert (done.returncode, "no line contains 'nothing'" in done.stderr) == (2, True)


def test_the_home_of_the_user_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    done = run_command("match", "random", "b@random", "--size", "3", "--games", "2", "--out=~/games")
    assert done.returncode == 0 and (tmp_path / "games" / "results.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("dance", "selfplay"),
        ("-x", "unrecognized arguments: -x"),
        ("match random random --out=", "the name of a folder is needed"),
        ("match random random --out ~no-such-user/games", "Could not determine home directory"),
        ("match random random --seconds-per-move 3e6", "'3e6' is more than 1,000,000"),
        ("rate random --max-moves 1 --games 8", "different openings of"),
        ("selfplay --dance", "(try sixplane selfplay --help)"),
        ("bench --dance", "(try sixplane bench --help)"),
        ("selfplay --game chess", "go"),
        ("selfplay --game reversi --komi 3", "--komi is a rule of go, not of reversi"),
        ("selfplay --game reversi --size 7", "even and from 4 to 24"),
        ("selfplay --exact-five", "--exact-five is a rule of gomoku, not of go"),
        ("selfplay --game reversi --suicide", "--suicide is a rule of go, not of reversi"),
        ("selfplay --size 9 --handicap 10", "handicap"),
        ("selfplay --handicap -1", "at least 0"),
        ("selfplay --size 9x", "write 9 or 7x9"),
        ("selfplay --size 5x5x5", "write 9 or 7x9"),
        ("selfplay --size 26", "25"),
        ("selfplay --size 99999999999999999999", "25"),
        ("selfplay --size -3", "2"),
        ("selfplay --games 0", "at least 1"),
        ("selfplay --games many", "at least 1"),
        ("selfplay --seed -1", "2**63"),
        ("selfplay --seed 9223372036854775808", "2**63"),
        ("selfplay --komi 0.3", "0.5"),
        ("selfplay --komi nan", "komi"),
        ("selfplay --ko super", "simple"),
        ("selfplay --max-moves 0", "at least 1"),
        ("selfplay --max-moves 99999999999999999999999", "max"),
        ("selfplay --threads 0", "at least 1"),
        ("selfplay --threads 100000", "at most 1024"),
        ("gtp --game gomoku", "'gomoku' is none of go, reversi"),
    ],
)
def test_wrong_arguments_are_an_error_in_one_line(arguments: str, message: str) -> None:
    done = run_command(*arguments.split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"sixplane.*: error: .*\n", done.stderr)
    assert message in done.stderr


def test_help_and_version_are_everywhere() -> None:
    assert sixplane_program("--version").stdout == f"sixplane {sixplane.__version__}\n"
    assert "selfplay" in sixplane_program("--help").stdout
    described = sixplane_program("selfplay", "--help").stdout
    for option in (
        "game",
        "size",
        "games",
        "seed",
        "ko",
        "komi",
        "handicap",
        "suicide",
        "exact-five",
        "max-moves",
        "threads",
        "out",
    ):
        assert f"--{option} " in described
    script = Path(sys.executable).with_name("sixplane")
    assert subprocess.run([script, "--version"], check=True, capture_output=True).stdout.startswith(
        b"sixplane"
    )


def in_a_terminal(*arguments: str, **options: Any) -> str:
    """What the program writes to a terminal."""
    command = ["-m", "sixplane", *arguments]
    child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60, **options)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    shown: str = child.before
    return shown


def test_a_bar_is_shown_in_a_terminal_and_nowhere_else(tmp_path: Path) -> None:
    assert "5/5" in in_a_terminal("selfplay", "--games", "5")
    assert sixplane_program("selfplay", "--games", "5").stderr == ""
    (tmp_path / "tqdm.py").write_text("raise ImportError")
    bare = os.environ | {"PYTHONPATH": str(tmp_path)}
    assert "pip install 'sixplane[cli]' brings it" in in_a_terminal("selfplay", "--games", "5", env=bare)
    assert sixplane_program("selfplay", "--games", "5", env=bare).stderr == ""


def test_a_match_that_goes_on_begins_its_bar_with_what_was_played(tmp_path: Path) -> None:
    match = ["match", "random", "b@random", "--size", "3", "--out", str(tmp_path), "--games"]
    assert run_command(*match, "2").returncode == 0
    assert "4/4" in in_a_terminal(*match, "4")


def test_notes_without_a_bar_count_what_was_done_before(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(20, "game", 8) as advance:
        advance(4, "Elo 300")
    assert capsys.readouterr().err == "12 of 20 games, Elo 300\n"


def test_handicap_and_suicide_are_rules_of_go_to_choose() -> None:
    rules = ["--size", "9", "--handicap", "4", "--suicide", "--games", "3", "--seed", "1"]
    done = sixplane_program("selfplay", *rules)
    assert done.returncode == 0, done.stderr
    games = _core.selfplay(sixplane.Go(9, handicap=4, suicide=True), 0, 3, 1)
    assert str(games[-1]).rstrip() in done.stdout


def test_help_fits_a_terminal_of_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    parser, commands = parsers()
    helps = {"": parser, **commands.choices}
    assert len(helps) > 9
    long = [(name, line) for name in helps for line in helps[name].format_help().splitlines() if line[80:]]
    assert long == []


def test_gtp_offers_the_games_that_it_has() -> None:
    described = sixplane_program("gtp", "--help").stdout
    assert "{go,reversi}" in described
    assert "gomoku" not in described.split("--agent")[0].lower()
    assert "FILE.py:CLASS" not in described
    assert described.endswith("\n  sixplane gtp\n"), "no agent need be named"


def test_an_interrupt_keeps_what_is_finished(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with started("selfplay", "--games", "100000000", "--out", str(folder)) as process:
        until(lambda: folder.is_dir() and any(folder.iterdir()), process)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=MINUTE)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    finished = figures(stdout)["games"]
    assert 0 < finished < 100_000_000
    assert len(list(folder.iterdir())) == finished
    assert f"stopped after {finished:.0f} of 100000000 games" in stderr


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    command = [sys.executable, "-m", "sixplane", "selfplay", "--games", "20"]
    done = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writes)
    assert (done.returncode, done.stderr) == (1, "")
