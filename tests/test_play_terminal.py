"""`sixplane play` in a real pseudo-terminal, as a person sits at it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pexpect
import pytest

import sixplane
from commands import run_command
from interruptible import INTERRUPTIBLE, is_waiting
from waiting import until

SECONDS = 60

CLEAR = "\x1b[2J\x1b[H"


def start(
    *arguments: str, columns: int = 100, echo: bool = False, environment: dict[str, str] | None = None
) -> pexpect.spawn:
    program, *command = [*INTERRUPTIBLE, sys.executable, "-m", "sixplane", "play", *arguments]
    return pexpect.spawn(
        program, command, encoding="utf-8", codec_errors="replace", timeout=SECONDS,
        dimensions=(60, columns), echo=echo,
        env=os.environ | {"TERM": "xterm-256color", "NO_COLOR": "1"} | (environment or {}),
    )  # fmt: skip


def end(child: pexpect.spawn) -> tuple[str, int]:
    """What else it says, and how it ends."""
    child.expect(pexpect.EOF)
    child.close()
    text: str = child.before
    return text.replace("\r\n", "\n").strip(), child.exitstatus


def test_two_persons_play_go_to_its_end_and_save_it(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    child = start("--size", "5", "--opponent", "human", "--komi", "0.5", "--ascii")
    child.expect("black: $")
    for move, asked in [("c3", "white"), ("c2", "black"), ("b2", "white"), ("a5", "black"), ("d2", "white")]:
        child.sendline(move)
        child.expect(f"{asked}: $")
    child.sendline("pass")
    child.expect("white passes")
    child.expect("black: $")
    child.sendline("C1")
    # The stone on C2 is taken off the board.
    child.expect(re.escape(" 2 . X . X . 2"))
    child.expect("captured: by black 1, by white 0")
    child.expect("white: $")
    child.sendline(f"save {path}")
    child.expect("saved")
    child.expect("white: $")
    game = sixplane.read_sgf(path)
    assert (game.move_number, game.planes[:2].sum()) == (7, 5)
    prompts: list[str | None] = ["black: $", None]
    for prompt in prompts:
        child.sendline("pass")
        if prompt is not None:
            child.expect(prompt)
    text, status = end(child)
    assert text.splitlines()[-1] == "black wins by 3.5"
    assert status == 0


def test_a_wrong_entry_says_why_and_asks_again() -> None:
    child = start("--size", "5", "--opponent", "human")
    child.expect("black: $")
    for entry, says in [
        ("Z9", "names no action"),
        ("I3", "names no action"),
        ("é", "names no action"),
        ("", "type a point such as"),
        ("help", "show this list"),
        ("save", "save needs a file"),
        ("load", "load needs a file"),
        ("load /no/such/game.sgf", "cannot read /no/such/game.sgf: No such file"),
        ("load /dev/zero", "/dev/zero is no file"),
        ("save /no/such/folder/x.sgf", "cannot write"),
        ("undo", "nothing to take back"),
    ]:
        child.sendline(entry)
        child.expect(re.escape(says))
        child.expect("black: $")
    child.sendline("D4")
    child.expect("black D4")
    child.expect("white: $")
    child.sendline("d4")
    child.expect("D4 is not legal: the point is occupied")
    child.expect("white: $")
    child.sendline("resign")
    text, status = end(child)
    assert (text, status) == ("black wins by resignation", 0)


def test_undo_goes_back_to_the_persons_own_move() -> None:
    child = start("--game", "gomoku", "--opponent", "score-table", "--hint", "score-table", "--seed", "1")
    child.expect("black: $")
    child.sendline("H8")
    child.expect(r"white ([A-O]\d+)")
    child.expect("black: $")
    child.sendline("hint")
    child.expect(r"hint: ([A-O]\d+)")
    child.expect("black: $")
    child.sendline("undo")
    child.expect("15 ┌")
    board = child.before
    child.expect("black: $")
    assert "●" not in board + child.before and "○" not in child.before
    child.sendline("J9")
    child.expect("black J9")
    child.expect("black: $")
    child.sendline("quit")
    assert end(child) == ("stopped after 2 moves", 0)


def test_quitting_reversi_counts_the_discs(tmp_path: Path) -> None:
    first, last = tmp_path / "first.sgf", tmp_path / "last.sgf"
    child = start("--game", "reversi", "--opponent", "human", "--save", str(last))
    child.expect("black: $")
    child.sendline("D3")
    child.expect("discs: black 4, white 1")
    child.expect("white: $")
    child.sendline("pass")
    child.expect("PASS is not legal: a pass is not allowed here")
    child.expect("white: $")
    child.sendline(f"save {first}")
    child.expect("saved")
    child.expect("white: $")
    child.sendline("Q")
    text, status = end(child)
    assert text == f"stopped: black 4, white 1: black wins by 3\nsaved {last}"
    assert status == 0
    assert "RE[" not in first.read_text()
    assert "RE[B+3]" in last.read_text()


# Who it is in other games is for `test_shipped_networks.py`.
@pytest.mark.parametrize(("game", "name"), [("go", "go9, 1 s")])
def test_the_opponent_that_nobody_named_searches_within_the_time(game: str, name: str) -> None:
    child = start("--game", game, "--seconds-per-move", "120", "--save", "/dev/stdout")
    child.expect(r"black \d:\d\d: ")
    child.sendline("hint")
    child.expect(r"hint: ([A-T]\d+)")
    assert child.match
    child.sendline(child.match[1])
    child.expect(r"white [A-T]\d+ \(\d+\.\d s\)")
    child.expect(r"black \d:\d\d: ")
    child.sendline("resign")
    text, status = end(child)
    assert "PB[human]" in text and f"PW[{name}]" in text
    assert status == 0


def test_the_machine_begins_when_the_person_is_white() -> None:
    child = start("--color", "white", "--size", "5", "--opponent", "random", "--seed", "1")
    child.expect("black [A-E][1-5]")
    child.expect("white: $")
    child.sendeof()
    text, status = end(child)
    assert re.fullmatch(r"stopped after 1 move: as the board stands, black leads by 17\.5", text)
    assert status == 0


def test_control_c_leaves_cleanly() -> None:
    child = start("--opponent", "human")
    child.expect("black: $")
    until(lambda: is_waiting(child.pid))
    child.sendintr()
    text, status = end(child)
    assert text == "stopped after 0 moves: as the board stands, white leads by 7.5"
    assert status == 130
    # On so large a board it is not over before it is interrupted.
    child = start("--watch", "random", "--opponent", "random", "--delay", "0.2", "--size", "25")
    child.expect("white [A-Z]")
    child.kill(signal.SIGINT)
    text, status = end(child)
    assert re.search(r"stopped after \d+ moves?: as the board stands, .*$", text)
    assert "Traceback" not in text
    assert status == 130


def test_control_c_amid_a_board_leaves_cleanly() -> None:
    # It draws until the terminal is full, since nobody reads that. Its text may end within a character then.
    child = start("--watch", "random", "--opponent", "random", "--delay", "0", "--size", "25")
    child.expect("white [A-Z]")
    until(lambda: is_waiting(child.pid))
    child.kill(signal.SIGINT)
    text, status = end(child)
    assert re.search(r"\nstopped after \d+ moves?: as the board stands, .*$", text)
    assert "Traceback" not in text
    assert status == 130


def test_a_person_who_takes_too_long_loses_without_typing_anything() -> None:
    child = start("--opponent", "human", "--seconds-per-move", "0.1")
    text, status = end(child)
    assert text.splitlines()[-1] == "white wins: black lost on time"
    assert status == 0


def test_the_clock_of_a_person_runs_and_leaves_alone_what_is_typed() -> None:
    child = start("--opponent", "human", "--seconds-per-move", "60")
    child.expect(r"black \d:\d\d: ")
    child.send("D")
    seen = []
    for _ in range(2):
        # Back to the start of the line, the clock anew, and back to where the person types.
        child.expect("\x1b7\rblack 0:(\\d\\d): \x1b8")
        assert child.match
        seen.append(int(child.match[1]))
    assert 60 > seen[0] > seen[1]
    child.sendline("4")
    child.expect("black D4")
    child.expect(r"time: black [1-9]\d*\.\d s, white 0\.0 s")
    child.expect(r"white \d:\d\d: ")
    child.sendline("q")
    text, _ = end(child)
    assert text.splitlines()[-1].startswith("stopped after 1 move")


def test_a_clock_is_not_drawn_where_there_is_no_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", "--opponent", "human", "--seconds-per-move", "60"],
        capture_output=True, text=True, check=True, input="D4\nundo\nq\n",
    )  # fmt: skip
    assert "\x1b" not in done.stdout
    assert re.search(r"black \d:\d\d: ", done.stdout)


@pytest.mark.parametrize(
    ("game", "words"),
    [("gomoku", "type a point such as H8, resign,"), ("go", "type a point such as F5, pass,")],
)
def test_only_what_can_be_played_is_named(game: str, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", "--game", game, "--opponent", "human"],
        capture_output=True, text=True, check=True, input="help\nq\n",
    )  # fmt: skip
    said = [line for line in done.stdout.splitlines() if "type a point" in line]
    assert len(said) == 1 and words in said[0]
    assert said[0].endswith("resign, undo, board, quit, hint, save FILE, load FILE, or help")
    listed = re.findall(r"^(?:black: )?  (\S+)", done.stdout.partition(said[0])[2], re.M)
    passes = ["pass"] if game == "go" else []
    assert listed == ["D4", *passes, "undo", "hint", "resign", "board", "save", "load", "quit,", "help,"]


def test_agents_are_watched_move_by_move(tmp_path: Path) -> None:
    path = tmp_path / "watched.sgf"
    agents = ["--watch", "random", "--opponent", "random", "--seed", "1"]
    child = start(*agents, "--size", "5", "--delay", "0", "--save", str(path))
    text, status = end(child)
    assert status == 0
    game = sixplane.read_sgf(path)
    boards = text.split("\x1b[2J\x1b[H")
    assert len(boards) == game.move_number + 1
    for action, board in zip(game.actions.tolist(), boards[1:], strict=True):
        name = game.action_to_name(action)
        assert re.search(f" (passes|{name})\\b", board)
    assert re.search(r"(black|white) wins by \d+\.5\nsaved", text)
    assert "PW[random]" in path.read_text()


def test_a_seed_gives_the_same_game_between_two_agents_again(tmp_path: Path) -> None:
    watched = ["play", "--watch", "random", "--opponent", "random", "--size", "5", "--delay", "0"]
    played = []
    for number, seed in enumerate("778"):
        path = tmp_path / f"{number}.sgf"
        assert run_command(*watched, "--color", "random", "--seed", seed, "--save", str(path)).returncode == 0
        played.append(sixplane.read_sgf(path).actions.tolist())
    assert played[0] == played[1] != played[2]


def test_after_each_move_of_two_agents_but_the_last_there_is_the_delay(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(
        "sixplane.play.terminal.time", SimpleNamespace(**vars(time) | {"sleep": slept.append})
    )
    path = tmp_path / "game.sgf"
    options = ["--watch", "random", "--opponent", "random", "--size", "3", "--delay", "0.25"]
    assert run_command("play", *options, "--save", str(path)).returncode == 0
    assert slept == [0.25] * (sixplane.read_sgf(path).move_number - 1)


def test_what_cannot_be_played_says_so() -> None:
    for arguments, says in [
        (["--opponent", "nobody"], "no agent is called 'nobody'"),
        (["--size", "99"], "from 2 to 25"),
        (["--opponent", "score-table:x=1"], "no option"),
        (["--hint", "human"], "takes an agent"),
        (["--delay", "-1"], "no number of seconds"),
        (["--seconds-per-move", "0"], "no positive number"),
    ]:
        done = run_command("play", *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert says in done.stderr
    for arguments, says in [
        (["--watch", "score-table"], "score-table cannot play: the score table plays Gomoku, not Go"),
        (["--opponent", "x@gtp:no-such-program"], "x cannot play: cannot start no-such-program"),
        (["--hint", "x@gtp:true"], "x cannot play: true has ended without an answer"),
    ]:
        done = run_command("play", *arguments)
        assert (done.returncode, done.stdout) == (1, ""), "before the game begins"
        assert re.fullmatch(rf"sixplane: error: {says}.*\n", done.stderr)


@pytest.mark.parametrize(
    "locale", [{"PYTHONIOENCODING": "utf-8"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}]
)
def test_bytes_that_are_no_text_are_a_wrong_entry_like_any_other(locale: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", "--size", "5", "--opponent", "human", "--ascii"],
        capture_output=True, check=True, env=os.environ | locale,
        input=b"\xff\xfe\nd\xc3\xa94\n" + b"a" * 1_000_000 + b"\n\x00\nC3\nquit\n",
    )  # fmt: skip
    assert done.stdout.count(b"names no action") == 4
    assert done.stdout.endswith(b"stopped after 1 move: as the board stands, black leads by 17.5\n")
    assert len(done.stdout) < 2000
    assert done.stderr == b""


def test_a_loaded_game_keeps_the_most_moves(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    rules = ["--opponent", "human", "--max-moves", "4", "--ascii"]
    for arguments, entries in [
        (["--size", "5", *rules], ["a1", f"save {path}", f"load {path}", "b2", "c3", "d4", "e5"]),
        (["--load", str(path), *rules], ["b2", "c3", "d4", "e5"]),
    ]:
        done = subprocess.run(
            [sys.executable, "-m", "sixplane", "play", *arguments],
            capture_output=True, check=False, text=True, input="".join(f"{entry}\n" for entry in entries),
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1] == "white wins by 7.5", "after the fourth move"


def test_a_place_where_no_record_can_be_written_is_refused_before_the_game(tmp_path: Path) -> None:
    mine = tmp_path / "mine.sgf"
    mine.write_text("mine")
    for path, says in [
        (str(tmp_path / "no" / "game.sgf"), "cannot write .*: No such file or directory"),
        (str(tmp_path), ".* exists already"),
        (str(mine), ".* exists already and is left as it is"),
        ("", "save needs a file"),
    ]:
        done = run_command("play", "--opponent", "human", "--save", path)
        assert (done.returncode, done.stdout) == (1, "")
        assert re.fullmatch(rf"sixplane: error: {says}.*\n", done.stderr)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["mine"]


def test_saving_writes_over_its_own_file_and_no_other(tmp_path: Path) -> None:
    mine, own = tmp_path / "mine.sgf", tmp_path / "own.sgf"
    mine.write_text("mine")
    typed = f"save {mine}\nsave {own}\nC3\nsave {own}\nD4\nquit\n"
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", "--opponent", "human", "--save", str(own)],
        capture_output=True, text=True, check=True, input=typed,
    )  # fmt: skip
    assert f"{mine} exists already and is left as it is" in done.stdout
    assert mine.read_text() == "mine"
    assert done.stdout.count(f"saved {own}") == 3
    assert sixplane.read_sgf(own).move_number == 2


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "latin-1"])
def test_lines_and_discs_are_drawn_where_the_terminal_knows_them(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", "--size", "3", "--opponent", "human"],
        capture_output=True, check=True, input=b"B2\n", env=os.environ | {"PYTHONIOENCODING": encoding},
    )  # fmt: skip
    text = done.stdout.decode(encoding)
    assert ("├(●)┤" in text) is (encoding == "utf-8")
    assert (" 2 .(X). 2" in text) is (encoding != "utf-8")
