"""The Go Text Protocol as clients speak it, and as no client should."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sixplane
from sixplane.agents import RESIGN, RandomAgent
from sixplane.protocols.gtp import GTPEngine
from sixplane.protocols.gtp_clock import Clock
from sixplane.search import SearchResult

if TYPE_CHECKING:
    from collections.abc import Iterator


def go(size: Any = 5, **rules: Any) -> GTPEngine:
    return GTPEngine(sixplane.Go(size, **rules), RandomAgent(seed=1))


def say(engine: GTPEngine, *commands: str) -> list[str]:
    """What is answered to each, without the mark and the empty line."""
    answers = []
    for command in commands:
        answer = engine.answer(command)
        assert answer.startswith("="), f"{command}: {answer}"
        assert answer.endswith("\n\n") and "\n\n" not in answer[:-2]
        answers.append(answer[1:].strip())
    return answers


def refused(engine: GTPEngine, command: str) -> str:
    before = engine.game
    answer = engine.answer(command)
    assert answer.startswith("?") and answer.endswith("\n\n"), f"{command}: {answer}"
    assert engine.game == before
    return answer[1:].strip()


REQUIRED = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
)
OFFERED = (
    "undo showboard final_score final_status_list loadsgf time_settings time_left fixed_handicap "
    "place_free_handicap set_free_handicap rectangular_boardsize kata-set-rules kata-get-rules"
)


def test_every_command_that_is_listed_is_known() -> None:
    engine = go()
    listed = say(engine, "list_commands")[0].split("\n")
    assert {*REQUIRED.split(), *OFFERED.split()} <= set(listed)
    assert say(engine, *(f"known_command {name}" for name in listed)) == ["true"] * len(listed)
    assert say(engine, "known_command foo", "protocol_version", "name") == ["false", "2", "sixplane"]
    assert "kata-analyze" not in listed, "this agent does not search"


def test_numbers_are_echoed_and_comments_passed_over() -> None:
    engine = go()
    assert engine.answer("12 komi 6.5") == "=12\n\n"
    assert engine.answer("13 foo") == "?13 unknown command\n\n"
    assert engine.answer("14 name # who") == "=14 sixplane\n\n"
    assert engine.answer("\tname\x07\t") == "= sixplane\n\n"
    assert engine.answer("# a comment") == engine.answer("") == engine.answer("   ") == ""


def test_a_session_as_sabaki_has_it() -> None:
    engine = go(9)
    say(engine, "name", "version", "protocol_version", "list_commands", "komi 5.5")
    say(engine, "rectangular_boardsize 9 7", "clear_board", "set_free_handicap C3 G5")
    assert engine.game.turn == 1
    # Black twice, as somebody clicks who does not care whose turn it is.
    say(engine, "play W D4", "play B E5", "play B E6", "play b a1")
    assert engine.game.planes[0].sum() == 5
    say(engine, "undo", "undo")
    assert engine.game.planes[0].sum() == 3
    game = engine.game
    assert isinstance(game, sixplane.Go)
    assert (game.rows, game.cols, game.komi) == (7, 9, 5.5)
    assert say(engine, "genmove B")[0] != "resign"
    board = say(engine, "showboard")[0]
    assert "A B C D E F G H J" in board and "white to play" in board


def test_play_goes_on_after_two_passes() -> None:
    engine = go()
    say(engine, "play b c3", "play w d3", "play b pass", "play w pass")
    assert engine.game.is_over
    assert re.fullmatch(r"[A-E][1-5]|PASS|pass", say(engine, "genmove w")[0])
    say(engine, "undo")
    assert engine.game.is_over
    say(engine, "play w c4", "play b b3", "play w pass", "play b pass")
    assert engine.game.is_over
    say(engine, *["undo"] * 8)
    assert engine.game == go().game
    assert refused(engine, "undo") == "cannot undo"


def test_repetition_counts_through_the_clean_up() -> None:
    engine = go(3, ko="positional")
    # A ko: White takes, and after two passes may still not be taken back at once.
    say(engine, "rectangular_boardsize 4 3", "play b b3", "play b a2", "play b b1", "play w c3")
    say(engine, "play w d2", "play w c1", "play w b2", "play b c2")
    assert "superko" in refused(engine, "play w b2")
    say(engine, "play w pass", "play b pass")
    assert "superko" in refused(engine, "play w b2")


def test_illegal_moves_and_wrong_words_are_refused() -> None:
    engine = go()
    say(engine, "play b c3")
    for command, answer in [
        ("play w c3", "illegal move (occupied)"),
        ("play w z9", "invalid vertex z9"),
        ("play w i1", "invalid vertex i1"),
        ("play green c3", "invalid color"),
        ("play w", "syntax error"),
        ("boardsize 1", "unacceptable size"),
        ("boardsize 26", "unacceptable size"),
        ("boardsize x", "not an integer"),
        ("boardsize", "boardsize not an integer"),
        ("boardsize -5", "not an integer"),
        ("komi x", "not a number"),
        ("fixed_handicap 2", "invalid number of stones"),
        ("set_free_handicap a1", "bad vertex list"),
        ("set_free_handicap a1 a1", "repeated vertex"),
        ("set_free_handicap a1 pass", "bad vertex list"),
        ("set_free_handicap a1 b1", "board not empty"),
        ("place_free_handicap 1", "invalid number of stones"),
        ("final_status_list ill", "invalid status"),
        ("time_left b x 1", "syntax error"),
        ("time_settings 1 1", "syntax error"),
        ("time_settings -1 1 1", "syntax error"),
        ("genmove", "syntax error"),
        ("loadsgf", "missing filename"),
        ("undo_ all", "unknown command"),
    ]:
        assert refused(engine, command) == answer, command
    assert "komi" in refused(engine, "komi 0.3")
    assert "komi" in refused(engine, "komi nan")
    assert "cannot load file" in refused(engine, "loadsgf /nowhere.sgf")


def test_resignation_is_a_move_to_take_back() -> None:
    class Quitter:
        def select_action(self, _game: Any) -> Any:
            return RESIGN

    engine = GTPEngine(sixplane.Go(5), Quitter())
    assert say(engine, "genmove b") == ["resign"]
    assert not engine.game.is_over
    say(engine, "play b resign")
    assert engine.game.outcome == "white"
    assert refused(engine, "genmove w") == "the game is over"
    assert "game over" in refused(engine, "play w a1")
    say(engine, "undo", "play b a1")


def test_whatever_an_agent_does_is_answered() -> None:
    class Broken:
        answer: Any = 99

        def select_action(self, game: Any) -> Any:
            game.play(0)
            if self.answer is None:
                raise RuntimeError("no idea")
            return self.answer

    agent = Broken()
    engine = GTPEngine(sixplane.Go(5), agent)
    assert "off the board" in refused(engine, "genmove b")
    agent.answer = None
    assert "no idea" in refused(engine, "genmove b")
    agent.answer = np.int32(7)
    assert say(engine, "genmove b") == ["C4"]


def test_scores_and_status() -> None:
    engine = go()
    assert say(engine, "final_score", "komi 0", "final_score") == ["W+7.5", "", "0"]
    say(engine, "play b c3", "play b c4", "play w a1")
    assert say(engine, "final_status_list alive", "final_status_list dead", "final_status_list seki") == [
        "C4 C3\nA1", "", "",
    ]  # fmt: skip
    assert say(engine, "komi 0.5", "final_score") == ["", "B+0.5"]
    game = engine.game
    assert isinstance(game, sixplane.Go) and game.komi == 0.5
    assert game.move_number == 3


def test_handicaps() -> None:
    engine = go(19)
    assert set(say(engine, "fixed_handicap 4")[0].split()) == {"D4", "D16", "Q4", "Q16"}
    assert engine.game.turn == 1
    assert refused(engine, "fixed_handicap 2") == "board not empty"
    say(engine, "clear_board")
    assert len(say(engine, "place_free_handicap 20")[0].split()) == 9
    say(engine, "boardsize 5")
    assert len(say(engine, "place_free_handicap 4")[0].split()) == 2
    say(engine, "clear_board", "set_free_handicap a1 b2 c3", "genmove w", "undo")
    assert engine.game.planes[0].sum() == 3
    assert refused(engine, "undo") == "cannot undo"


def test_rules_change_under_the_game() -> None:
    engine = go(komi=6.5)
    say(engine, "play b c3", "kata-set-rules tromp-taylor")
    assert json.loads(say(engine, "kata-get-rules")[0]) == {
        "ko": "POSITIONAL", "suicide": True, "scoring": "AREA", "tax": "NONE", "hasButton": False,
        "whiteHandicapBonus": "0", "friendlyPassOk": False,
    }  # fmt: skip
    game = engine.game
    assert isinstance(game, sixplane.Go)
    assert (game.suicide, game.komi, game.move_number) == (True, 6.5, 1)
    say(engine, 'kata-set-rules {"ko":"SIMPLE","suicide":false}', "kata-set-rule ko SITUATIONAL")
    say(engine, "kata-set-rule scoring AREA", "kata-set-rules Chinese")
    assert json.loads(say(engine, "kata-get-rules")[0])["ko"] == "SIMPLE"
    for text in ("japanese", "{", '{"ko":"NONE"}', '{"scoring":"TERRITORY"}', "", "[" * 100_000):
        refused(engine, f"kata-set-rules {text}")
    refused(engine, "kata-set-rule scoring TERRITORY")
    # A suicide that was played cannot be forbidden afterwards.
    say(
        engine,
        "kata-set-rules new-zealand",
        "clear_board",
        "play w a3",
        "play w b2",
        "play w b1",
        "play b a1",
        "play b a2",
    )
    assert "illegal" in refused(engine, "kata-set-rules chinese")


def test_records_are_loaded_up_to_a_move(tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    path.write_text("(;SZ[7:9]KM[3.5]RU[AGA]AB[aa]PL[W];W[bb];B[cc];B[dd];W[];B[ff];W[ee])")
    engine = go()
    say(engine, f"loadsgf {path}")
    game = engine.game
    assert isinstance(game, sixplane.Go)
    assert (game.rows, game.cols, game.komi, game.ko) == (9, 7, 3.5, "situational")
    assert (game.move_number, game.planes[0].sum()) == (6, 4)
    say(engine, *["undo"] * 6)
    assert (engine.game.move_number, engine.game.turn, engine.game.planes[0].sum()) == (0, 1, 1)
    say(engine, f"loadsgf {path} 3")
    assert engine.game.move_number == 2
    path.write_text("(;SZ[5];B[aa]RE[W+R])")
    say(engine, f"loadsgf {path}")
    assert engine.game.outcome == "white"
    say(engine, "undo")
    assert not engine.game.is_over
    path.write_text("(;SZ[5];B[aa];W[aa])")
    assert "occupied" in refused(engine, f"loadsgf {path}")


def test_reversi_is_played_by_its_own_names() -> None:
    engine = GTPEngine(sixplane.Reversi(), RandomAgent(seed=1))
    assert "fixed_handicap" not in say(engine, "list_commands")[0]
    say(engine, "boardsize 8", "clear_board", "komi 0", "play b d3", "play w c3")
    assert "no flip" in refused(engine, "play b a1")
    assert "pass not allowed" in refused(engine, "play b pass")
    color = 0
    while not engine.game.is_over:
        say(engine, f"genmove {'bw'[color]}")
        color = 1 - color
    score = engine.game.score()
    assert say(engine, "final_score") == [f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"]
    assert refused(engine, "genmove b") == "the game is over"
    assert len(say(engine, "final_status_list alive")[0].split()) == engine.game.planes[:2].sum()
    with pytest.raises(TypeError, match="Gomoku"):
        GTPEngine(sixplane.Gomoku(), RandomAgent())


def test_reversi_clients_may_leave_forced_passes_out() -> None:
    rng, seen = random.Random(1), 0
    for _ in range(20):
        game, engine = sixplane.Reversi(6), GTPEngine(sixplane.Reversi(6), RandomAgent())
        while not game.is_over:
            action = rng.choice(game.legal_actions.tolist())
            color = "bw"[game.turn]
            game.play(action)
            if action == 36:
                seen += 1
            else:
                say(engine, f"play {color} {game.action_to_name(action)}")
        assert np.array_equal(engine.game.planes[:2], game.planes[:2])
    assert seen


def test_times_become_seconds_for_a_move() -> None:
    clock = Clock()
    assert clock.seconds(0) is None
    clock.set(0, 5, 1)
    assert clock.seconds(0) == pytest.approx(4.5)
    clock.set(0, 30, 10)
    assert clock.seconds(1) == pytest.approx(2.7)
    clock.set(300, 0, 0)
    assert clock.seconds(1) == pytest.approx(9)
    clock.tell(1, 30, 0)
    assert clock.seconds(1) == pytest.approx(0.9)
    clock.tell(1, 10, 5)
    assert clock.seconds(1) == pytest.approx(1.8)
    clock.set(0, 5, 0)
    assert clock.seconds(1) is None

    class Timed:
        limits: list[float] = []  # noqa: RUF012

        def limit_time(self, seconds: float) -> None:
            self.limits.append(seconds)

        def select_action(self, game: Any) -> Any:
            return game.legal_actions[0]

    engine = GTPEngine(sixplane.Go(5), Timed())
    say(engine, "genmove b", "time_settings 0 10 1", "genmove w", "time_left b 3 1", "genmove b")
    assert Timed.limits == pytest.approx([9.0, 2.7])


class FixedThinker:
    """Shows the same each time, with more visits."""

    def __init__(self, shown: int = 3, choice: Any = 12) -> None:
        self.shown, self.choice = shown, choice
        self.limits: list[float] = []
        self.intervals: list[float | None] = []
        self.broken: str | None = None

    def consider(
        self, game: Any, interval: float | None = None, *, endless: bool = False
    ) -> Iterator[SearchResult]:
        assert not game.is_over
        self.intervals.append(interval)
        for more in range(1_000_000 if endless else self.shown):
            if self.broken is not None:
                raise RuntimeError(self.broken)
            visits, q = np.zeros(26, np.int64), np.full(26, np.nan, np.float32)
            visits[[12, 7, 3]] = 6 + more, 3, 1
            q[[12, 7, 3]] = 0.5, -0.25, 0
            policy = np.zeros(26, np.float32)
            yield SearchResult(visits, q, policy, 0.5, 12, [12, 13], 10, 0.1, 99)

    def decide(self, _game: Any) -> Any:
        return self.choice

    def priors(self, game: Any) -> Any:
        return np.full(game.num_actions, 0.01)

    def select_action(self, game: Any) -> Any:
        return game.legal_actions[0]

    def limit_time(self, seconds: float) -> None:
        self.limits.append(seconds)


INFOS = (
    "info move C3 visits {} winrate 7500 prior 100 order 0 pv C3 D3 "
    "info move C4 visits 3 winrate 3750 prior 100 order 1 pv C4 "
    "info move D5 visits 1 winrate 5000 prior 100 order 2 pv D5"
)


def test_analysis_reports_as_leela_zero_and_katago_do() -> None:
    engine = GTPEngine(sixplane.Go(5), RandomAgent(seed=1), FixedThinker())
    say(engine, "play b a1")
    for command in ("lz-analyze 50", "analyze w 50", "lz-analyze w interval 50", "analyze W 50 minmoves 1"):
        assert engine.answer(f"3 {command}") == f"=3\n{INFOS.format(6)}\n\n"
    kata = engine.answer("kata-analyze W 10 ownership true maxmoves 1")
    found = re.fullmatch(
        r"=\ninfo move C3 visits 6 winrate 0.7500 scoreLead (\S+) prior 0.0100 order 0 pv C3 D3 "
        r"ownership ((?:\S+ ?){25})\n\n",
        kata,
    )
    assert found, kata
    owners = [float(value) for value in found[2].split()]
    assert all(-1 <= value <= 1 for value in owners)
    # From White's view, and White has komi.
    assert float(found[1]) == pytest.approx(sum(owners) + 7.5, abs=0.05)
    assert "syntax error" in refused(engine, "kata-analyze b interval x")


def test_who_does_not_search_is_analyzed_by_another_but_moves_itself() -> None:
    engine = GTPEngine(sixplane.Go(5), RandomAgent(seed=1), FixedThinker())
    listed = say(engine, "list_commands")[0].split()
    assert {"analyze", "lz-analyze", "kata-analyze"} <= set(listed)
    assert not [name for name in listed if "genmove_analyze" in name]
    assert refused(engine, "genmove_analyze b 10") == "unknown command"


def test_who_searches_shows_its_own_search_and_plays_by_it() -> None:
    thinker = FixedThinker()
    engine = GTPEngine(sixplane.Go(5), thinker, FixedThinker(shown=0))
    answers: list[str] = []

    class Lines:
        """Three commands, of which none has come before the one before is answered."""

        left: ClassVar = ["lz-genmove_analyze b 100000", "time_settings 0 10 1", "7 genmove_analyze w 10"]

        def get(self) -> str | None:
            return self.left.pop(0) if self.left else None

        def has_line(self) -> bool:
            return False

    engine.run(Lines(), answers.append)
    # One report at the end though the interval was long, and of the whole search.
    assert "".join(answers[:3]) == f"=\n{INFOS.format(8)}\nplay C3\n\n"
    # What it chose then was occupied: no move is named, and none is played.
    assert "".join(answers[4:]) == f"=7\n{INFOS.format(8)}\n\n"
    assert thinker.limits == [pytest.approx(9.0)]
    assert thinker.intervals == [0.1, 0.1]
    assert engine.game.actions.tolist() == [12]
    for name in ("analyze", "genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"):
        assert say(engine, f"known_command {name}") == ["true"]


def test_whatever_a_thinker_does_is_answered() -> None:
    thinker = FixedThinker(choice=RESIGN)
    engine = GTPEngine(sixplane.Go(5), thinker)
    assert engine.answer("genmove_analyze b 10").endswith("\nplay resign\n\n")
    assert engine.game.move_number == 0
    thinker.broken = "no idea"
    for command in ("genmove_analyze b 10", "lz-analyze b 10"):
        assert refused(engine, command) == "no analysis: RuntimeError: no idea"


def test_limits_of_time_are_lifted_again() -> None:
    thinker = FixedThinker()
    engine = GTPEngine(sixplane.Go(5), thinker)
    say(engine, "genmove b", "time_settings 0 10 1", "genmove w", "undo", "time_settings 0 10 0")
    say(engine, "reg_genmove w", "reg_genmove w")
    assert thinker.limits == [pytest.approx(9), 1e6]


def test_ownership_is_that_of_the_ends() -> None:
    from sixplane.protocols.gtp_analysis import ownership_of

    wall = sixplane.Go.from_text("X.X.XO.O\nXXXXXOOO\nX.X.XO.O\nXXXXXOOO", ko="simple")
    assert np.array_equal(np.sign(ownership_of(wall, 0, 20)), wall.ownership())
    discs = ownership_of(sixplane.Reversi(4), 0, 50)
    assert discs.shape == (4, 4)
    assert np.abs(discs).max() <= 1


class Program:
    """`sixplane gtp` as a child process."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sixplane", "gtp", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def send(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout
        lines = []
        while (line := self.process.stdout.readline()) not in {b"\n", b""}:
            lines.append(line.decode())
        return "".join(lines)

    def end(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors.decode()


def test_every_reply_is_sent_at_once() -> None:
    program = Program("--game", "go", "--size", "7", "--agent", "random")
    program.send(b"name\n")
    assert program.answer() == "= sixplane\n"
    program.send(b"2 genmove b\r\n")
    assert re.fullmatch(r"=2 [A-G][1-7]\n", program.answer())
    program.send(b"quit\n")
    assert program.answer() == "=\n"
    assert program.end() == (0, "")


def test_analysis_streams_until_the_next_line() -> None:
    program = Program("--size", "5")
    program.send(b"5 kata-analyze b 5 ownership true\n")
    assert program.process.stdout
    assert program.process.stdout.readline() == b"=5\n"
    reports = [program.process.stdout.readline().decode() for _ in range(3)]
    program.send(b"name\n")
    while (line := program.process.stdout.readline().decode()) != "\n":
        reports.append(line)
    assert program.answer() == "= sixplane\n"
    visits = []
    for report in reports:
        infos, _, owners = report.partition(" ownership ")
        assert len(owners.split()) == 25
        assert re.match(
            r"info move [A-E][1-5] visits \d+ winrate 0\.\d+ scoreLead \S+ prior 0\.\d+ order 0 pv", infos
        )
        visits.append(sum(map(int, re.findall(r"visits (\d+)", infos))))
    assert visits == sorted(visits)
    assert visits[0] < visits[-1]
    # However long the interval is, a line ends the analysis.
    program.send(b"lz-analyze 100000\n")
    assert program.process.stdout.readline() == b"=\n"
    program.send(b"name\n")
    assert program.answer().startswith("info move ")
    assert program.answer() == "= sixplane\n"
    program.send(b"time_settings 0 1 1\nlz-genmove_analyze b 20\nquit\n")
    assert program.answer() == "=\n"
    *reported, played = program.answer().splitlines()
    assert reported[0] == "="
    assert re.fullmatch(r"play ([A-E][1-5]|pass)", played)
    assert program.answer() == "=\n"
    assert program.end() == (0, "")


def test_garbage_and_overlong_lines_are_survived() -> None:
    program = Program()
    program.send(bytes(range(256)) * 3 + b"\n")
    program.send(b"play b " + b"x" * 1_000_000 + b"\n")
    program.send(b"\xff\xfe play \xe9\n\n\n99999999999999999999 name\n")
    program.send(b"boardsize 99999999999999999999999\nplay b \xc3\xa94\nname")
    assert program.process.stdin
    program.process.stdin.close()
    assert program.process.stdout
    answers = program.process.stdout.read().decode()
    program.process.stdin = None
    assert program.end() == (0, "")
    assert "? line too long\n\n" in answers
    assert "=99999999999999999999 sixplane\n\n" in answers
    assert answers.endswith("= sixplane\n\n"), answers[-200:]
    assert all(block[:1] in "=?" for block in answers.split("\n\n"))


def test_a_closed_pipe_ends_the_program_quietly() -> None:
    program = Program()
    assert program.process.stdout
    program.process.stdout.close()
    program.process.stdout = None
    for _ in range(200):
        try:
            program.send(b"list_commands\n")
        except BrokenPipeError:
            break
        time.sleep(0.01)
    assert program.process.stdin
    with suppress(BrokenPipeError):
        program.process.stdin.close()
    program.process.stdin = None
    status, errors = program.end()
    assert (status, errors) == (1, "")


def test_what_cannot_be_started_says_so() -> None:
    for arguments, says in [
        (["--game", "gomoku"], "GTP is for Go and Reversi"),
        (["--agent", "nobody"], "no agent is called"),
        (["--size", "99"], "from 2 to 25"),
    ]:
        done = subprocess.run(
            [sys.executable, "-m", "sixplane", "gtp", *arguments],
            capture_output=True, text=True, check=False, env=os.environ, input="",
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr


@pytest.mark.parametrize("command", ["gtp", "gomocup"])
def test_an_overlong_line_at_the_end_of_the_input_is_answered(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", command, "--agent", "random"],
        input="x" * 1_000_000, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "line too long" in done.stdout


WORDS = st.sampled_from(
    re.findall(
        r"\S+",
        "play genmove undo b w black white a1 c3 e5 z9 pass resign boardsize 5 9 25 99 -1 komi 6.5 nan x 7 "
        "clear_board fixed_handicap 2 9 place_free_handicap set_free_handicap showboard final_score # "
        "final_status_list alive time_settings time_left 1e999 loadsgf / kata-set-rules chinese {} ko é "
        "kata-get-rules kata-set-rule rectangular_boardsize reg_genmove list_commands known_command "
        "lz-analyze analyze genmove_analyze",
    )
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(WORDS | st.text(max_size=5), max_size=5), max_size=30), st.booleans())
def test_any_lines_get_a_reply_and_never_an_exception(lines: list[list[str]], is_go: bool) -> None:
    game: Any = sixplane.Go(5) if is_go else sixplane.Reversi(6)
    engine = GTPEngine(game, RandomAgent(seed=1))
    for words in lines:
        answer = engine.answer(" ".join(words))
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n"))
        assert "\n\n" not in answer[:-2]
