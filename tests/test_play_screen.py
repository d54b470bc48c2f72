"""What `sixplane play` does with a terminal: colors, line editing, a sign, and boards that fit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import sixplane
from sixplane.agents import RandomAgent
from sixplane.games import info_of
from sixplane.games.style import Style
from sixplane.play.ink import Ink
from sixplane.play.keyboard import Asker
from sixplane.play.players import Players
from sixplane.play.record_file import MOST_BYTES, RecordError, read_record
from sixplane.play.screen import Screen
from sixplane.play.terminal import Terminal
from sixplane.render import board_text
from sixplane.render.text import board_parts
from test_play_terminal import CLEAR, end, start

if TYPE_CHECKING:
    from pathlib import Path

CODES = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]|\x1b[78]")


@pytest.mark.parametrize("game", [sixplane.Go(9), sixplane.Reversi(), sixplane.Gomoku((7, 9))])
@pytest.mark.parametrize("colors", [8, 256])
def test_colors_change_no_character_but_the_white_stones(game: sixplane.Game, colors: int) -> None:
    for action in game.legal_actions[:3].tolist():
        if action in game.legal_actions:
            game.play(action)
    style = info_of(game).style
    lines = board_parts(game.planes, style, last=game.last_action)
    plain = "\n".join(Ink(0).board(line, style) for line in lines)
    assert plain == board_text(game.planes, style, last=game.last_action)
    colored = "\n".join(Ink(colors).board(line, style) for line in lines)
    assert CODES.sub("", colored) == plain.replace("○", "●")
    black, white = {8: (";30m●", ";1;37m●"), 256: (";16m●", ";231m●")}[colors]
    assert colored.count(black) == game.planes[0].sum() and colored.count(white) == game.planes[1].sum()


def test_a_style_may_have_any_colors_of_pictures_in_a_terminal() -> None:
    game = sixplane.Gomoku(5)

    def shown(**colors: str) -> list[str]:
        style = Style(squares=True, **colors)  # type: ignore[arg-type] # colors are texts
        return [Ink(256).board(line, style) for line in board_parts(game.planes, style)]

    # Three digits are six of them, each twice.
    assert shown(board="#fc0", ink="#333") == shown(board="#ffcc00", ink="#333333") != shown()
    # A terminal shows the usual colors instead of those that have only a name.
    for color in ("burlywood", "rgb(1, 2, 3)", "none", "", "#12345", "#12345678", "#ggg"):
        assert shown(board=color, ink=color) == shown()


@pytest.mark.parametrize(
    ("environment", "codes"),
    [
        ({"NO_COLOR": ""}, "48;5;"),
        ({"NO_COLOR": "", "TERM": "xterm"}, "43;30"),
        ({"NO_COLOR": "1"}, None),
        ({"NO_COLOR": "", "TERM": "dumb"}, None),
    ],
    ids=str,
)
def test_a_terminal_gets_the_colors_that_it_has(environment: dict[str, str], codes: str | None) -> None:
    child = start("--size", "3", "--opponent", "human", environment={"COLORTERM": "", **environment})
    child.expect("black: $")
    if codes is None:
        assert not re.search(r"\x1b\[[\d;]+m", child.before)
    else:
        assert codes in child.before
    child.sendline("q")
    end(child)


def test_a_file_gets_neither_colors_nor_an_empty_screen() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", "--size", "3", "--opponent", "random"],
        capture_output=True, text=True, check=True, input="B2\nhelp\nq\n",
        env=os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
    )  # fmt: skip
    assert "\x1b" not in done.stdout and "thinking" not in done.stdout


def test_the_screen_is_emptied_before_every_board_and_says_what_was_played() -> None:
    child = start("--size", "5", "--opponent", "random", "--seed", "1")
    child.expect("black: $")
    assert CLEAR not in child.before
    child.sendline("C3")
    child.expect_exact(CLEAR)
    child.expect("black C3")
    child.expect_exact(CLEAR)
    child.expect(r"black C3.*, white [A-E]\d")
    child.expect(r"time: black \d\.\d s, white \d\.\d s")
    child.expect("black: $")
    child.sendline("undo")
    child.expect_exact(CLEAR)
    child.expect("black: $")
    assert "C3" not in child.before
    child.sendline("q")
    end(child)


def test_legal_moves_of_reversi_are_marked_where_a_person_plays() -> None:
    child = start("--game", "reversi", "--opponent", "human", "--ascii")
    child.expect("black: $")
    assert re.findall(r"^ (\d) ([.XO+ ]+) \d", child.before.replace("\r", ""), re.M)[2:4] == [
        ("3", ". . . + . . . ."), ("4", ". . + O X . . ."),
    ]  # fmt: skip
    child.sendline("D3")
    child.expect("white: $")
    assert child.before.count("+") == 3
    child.sendline("q")
    end(child)


@pytest.mark.parametrize(
    ("game", "size"), [("go", "19"), ("go", "25"), ("gomoku", "15"), ("reversi", "24"), ("hex", "14")]
)
def test_nothing_is_wider_than_a_narrow_terminal(game: str, size: str) -> None:
    child = start("--game", game, "--size", size, "--opponent", "human", columns=40)
    child.expect("black: $")
    first = child.before
    child.sendline("help")
    child.expect("black: $")
    lines = CODES.sub("", first + child.before).replace("\r", "").split("\n")
    assert len(lines) > int(size) and max(map(len, lines)) <= 40
    child.sendline("q")
    end(child)


@pytest.mark.parametrize("limit", [[], ["--seconds-per-move", "60"]])
def test_a_sign_is_shown_while_an_agent_thinks_and_goes_away(limit: list[str]) -> None:
    child = start("--size", "5", "--opponent", "mcts:seconds=1.5", *limit)
    child.expect(r"black( \d:\d\d)?: ")
    child.sendline("C3")
    child.expect(r"white is thinking \.\.?\.? * 0:\d\d")
    child.expect(r"white [A-E]\d|white passes")
    assert child.before.rpartition("thinking")[2].count("\r\x1b[K") == 1
    child.expect(r"black( \d:\d\d)?: ")
    child.sendline("q")
    end(child)


@pytest.mark.parametrize("limit", [[], ["--seconds-per-move", "60"]])
def test_lines_are_edited_repeated_and_completed(limit: list[str], tmp_path: Path) -> None:
    # Readline shows nothing that is typed where the terminal would not.
    child = start("--size", "5", "--opponent", "human", *limit, echo=True)
    child.expect(r"black( \d:\d\d)?: ")
    child.sendline("B3\x1b[D\x1b[D\x1b[3~C")  # to the start, where C takes the place of B
    child.expect("black C3")
    child.expect(r"white( \d:\d\d)?: ")
    child.sendline("\x1b[A")  # the line before
    child.expect("C3 is not legal: the point is occupied")
    child.expect(r"white( \d:\d\d)?: ")
    (tmp_path / "record.sgf").write_text("(;SZ[5];B[aa])")
    child.send("lo\t")
    child.expect("load ")
    child.send(f"{tmp_path}/rec\t")
    child.expect(r"record\.sgf")
    child.sendline("")
    child.expect(r"loaded \S+record\.sgf")
    child.expect(r"white( \d:\d\d)?: ")
    child.sendline("D4")
    child.expect(r"black( \d:\d\d)?: ")
    child.sendline("q")
    text, _ = end(child)
    assert text.endswith("stopped after 2 moves: as the board stands, white leads by 7.5")


def test_a_saved_game_is_loaded_and_goes_on_against_an_agent(tmp_path: Path) -> None:
    path, again = tmp_path / "first.sgf", tmp_path / "again.sgf"
    game = sixplane.Reversi(6)
    for _ in range(5):
        game.play(int(game.legal_actions[0]))
    path.write_text(game.to_sgf())
    options = ["--opponent", "random", "--color", "white", "--save", str(again)]
    child = start("--load", str(path), *options, columns=250)  # as wide as a path may be long
    child.expect("white: $")
    child.sendline("undo")
    child.expect("white: $")
    (tmp_path / "over.sgf").write_text("(;SZ[5];B[];W[])")
    (tmp_path / "other.sgf").write_text("(;SZ[5];B[aa])")
    (tmp_path / "size.sgf").write_text(sixplane.Reversi(8).to_sgf())
    (tmp_path / "broken.sgf").write_text("(;SZ[")
    answers = {
        "size": "is a game of Reversi 8x8: begin with sixplane play --load",
        "over": "is a game that is over",
        "other": "is a game of Go 5x5: begin with sixplane play --load",
        "broken": "cannot read",
        "none": "No such file",
    }
    for name, answer in answers.items():
        child.sendline(f"load {tmp_path}/{name}.sgf")
        child.expect(answer)
        child.expect("white: $")
    child.sendline("quit")
    end(child)
    assert sixplane.read_sgf(again).actions.tolist() == game.actions[:3].tolist()
    for arguments, status, says in [
        (["--load", str(path), "--size", "8"], 2, "--load takes the game and its rules from the record"),
        (["--load", str(tmp_path / "over.sgf")], 1, "is a game that is over"),
        (["--load", str(tmp_path / "broken.sgf")], 1, "cannot read"),
        (["--load", ""], 1, "load needs a file"),
    ]:
        done = subprocess.run(
            [sys.executable, "-m", "sixplane", "play", "--opponent", "human", *arguments],
            capture_output=True, text=True, check=False, input="",
        )  # fmt: skip
        assert done.returncode == status and says in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_time_of_a_move_that_was_taken_back_counts(capsys: pytest.CaptureFixture[str]) -> None:
    class Typist(Asker):
        typed = iter(["B2", "undo", "A1", "quit"])

        def ask(self, _prompt: str) -> str:
            line = next(self.typed)
            time.sleep(0.2 if line == "B2" else 0)
            return line

    players = Players((None, None), ("", ""), RandomAgent(seed=1))
    Terminal(players, sixplane.Go(size=3), Typist(None), Screen()).run()
    times = re.findall(r"time: black ([\d.]+) s", capsys.readouterr().out)
    assert len(times) == 3 and min(map(float, times)) >= 0.2


def test_a_file_that_is_too_large_for_a_record_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.sgf"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(RecordError, match="is too large for a record"):
        read_record(str(path))
