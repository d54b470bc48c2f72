"""The Gomoku protocol as piskvork speaks it."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import threading
import time
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sixplane
from sixplane.agents import RESIGN, BestAgent, RandomAgent, ScoreTableAgent, ScoreTableEvaluator
from sixplane.protocols.gomocup import GomocupEngine
from waiting import MINUTE


def engine() -> GomocupEngine:
    return GomocupEngine(ScoreTableAgent(seed=1))


def point(answer: str, size: int) -> int:
    assert re.fullmatch(r"\d+,\d+", answer), answer
    x, y = map(int, answer.split(","))
    assert x < size and y < size
    return y * size + x


@pytest.mark.parametrize("size", [5, 15, 20, 25])
def test_a_game_between_two_programs_ends_as_ours_does(size: int) -> None:
    players = [engine(), GomocupEngine(RandomAgent(seed=2))]
    game = sixplane.Gomoku(size)
    assert [player.answer(f"START {size}") for player in players] == ["OK", "OK"]
    answer = players[0].answer("BEGIN")
    game.play(point(answer, size))
    while not game.is_over:
        answer = players[game.turn].answer(f"TURN {answer}")
        game.play(point(answer, size))
    assert players[game.turn].answer(f"TURN {answer}") == "ERROR the game is over" or game.outcome == "draw"
    if size >= 15:
        assert game.outcome == "black"


def test_a_board_is_taken_over_by_either_side() -> None:
    program = engine()
    program.answer("START 20")
    # Four of its own in a row: it wins, whoever has begun.
    for extra in ([], ["9,9,2"]):
        lines = ["0,0,2", "5,5,1", "1,3,2", "6,5,1", "2,9,2", "7,5,1", "3,1,2", "8,5,1", *extra]
        assert [program.answer(line) for line in ["BOARD", *lines]] == [""] * (len(lines) + 1)
        assert program.answer("DONE") in {"9,5", "4,5"}
    # All of one color, as some managers test.
    for line in ("BOARD", "5,5,2", "6,5,2", "7,5,2", "8,5,2"):
        assert program.answer(line) == ""
    assert program.answer("DONE") in {"9,5", "4,5"}


def test_whoever_has_more_stones_the_program_that_is_given_a_board_is_to_play() -> None:
    # In turn, but the program's own stone comes last: four in a row that it can make five of.
    program = engine()
    program.answer("START 15")
    for line in ("BOARD", "5,5,1", "1,3,2", "6,5,1", "2,9,2", "7,5,1", "3,1,2", "8,5,1"):
        assert program.answer(line) == ""
    assert program.answer("DONE") in {"9,5", "4,5"}


def test_a_run_of_six_may_be_given_in_any_order() -> None:
    program = engine()
    for line in ("INFO rule 1", "START 15", "BOARD"):
        program.answer(line)
    for x in range(6):
        program.answer(f"{x},0,1")
        program.answer(f"{2 * x},14,2")
    assert point(program.answer("DONE"), 15) not in {*range(6), *range(14 * 15, 14 * 15 + 11, 2)}


def test_stones_are_taken_back() -> None:
    program = engine()
    program.answer("START 15")
    reply = program.answer("TURN 7,7")
    assert program.answer(f"TAKEBACK {reply}") == "OK"
    assert program.answer("TAKEBACK 7,7") == "OK"
    assert program.answer("TAKEBACK 7,7") == "ERROR no stone is there"
    assert program.answer("TURN 7,7") != "7,7"
    assert program.answer("RESTART") == "OK"
    assert program.answer("BEGIN") == "7,7"
    assert program.answer("RECTSTART 9,6") == "OK"
    assert program.answer("TURN 8,5").count(",") == 1
    assert program.answer("TURN 5,8") == "ERROR 5,8 is off the board"


def test_exactly_five_is_a_rule() -> None:
    six = ["0,0,1", "0,9,2", "1,0,1", "1,9,2", "2,0,1", "2,9,2", "4,0,1", "4,9,2", "5,0,1", "9,9,2"]
    for rule, wins in [(0, True), (1, False)]:
        program = engine()
        program.answer(f"INFO rule {rule}")
        program.answer("START 15")
        for line in ["BOARD", *six]:
            program.answer(line)
        assert (program.answer("DONE") == "3,0") is wins
    program.answer("INFO rule 4")
    assert program.answer("TURN 12,12") == "ERROR rule 4 is not offered: 0 is freestyle, 1 exactly five"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["INFO rule 4", "BEGIN", "INFO rule 0"], "ERROR rule 4 is not offered"),
        (["BOARD", "0,0,1", "1,0,1", "2,0,1", "3,0,1", "4,0,1", "DONE"], "ERROR the game is over"),
        (["BOARD", "0,0,1", "0,0,2", "DONE"], "ERROR a point of the board was given twice"),
        (["BOARD", "0,0,1", "15,0,2"], "ERROR 15,0 is off the board"),
        (["INFO rule 4", "TURN 0,0", "INFO rule 0"], "ERROR rule 4 is not offered"),
    ],
)
def test_a_refused_command_leaves_the_position(lines: list[str], answer: str) -> None:
    program = engine()
    program.answer("START 15")
    reply = program.answer("TURN 7,7")
    assert any(found.startswith(answer) for found in [program.answer(line) for line in lines])
    assert program.answer(f"TURN {reply}") == f"ERROR {reply} is occupied"
    assert point(program.answer("TURN 0,0"), 15) not in {point(reply, 15), point("7,7", 15)}
    assert program.answer("TAKEBACK 7,7") == "OK"


def test_the_best_agent_follows_the_board_and_the_rule() -> None:
    class Watched(BestAgent):
        asked: ClassVar[list[tuple[int, Any]]] = []

        def select_action(self, game: sixplane.Game) -> Any:
            evaluator: Any = self.agent_for(game).evaluator
            self.asked.append((game.rows, evaluator.for_game(game)))
            return super().select_action(game)

    program = GomocupEngine(Watched(seed=1))
    for lines in (["START 15"], ["INFO rule 1"], ["START 7"], ["INFO rule 0"]):
        for line in ("INFO timeout_turn 5000", *lines, "RESTART", "BEGIN"):
            answer = program.answer(line)
        assert re.fullmatch(r"\d+,\d+", answer)
    freestyle, exact = ScoreTableEvaluator(), ScoreTableEvaluator(exact_five=True)
    assert [(size, repr(seen)) for size, seen in Watched.asked] == [
        (15, repr(freestyle)), (15, repr(exact)), (7, repr(exact)), (7, repr(freestyle)),
    ]  # fmt: skip


def test_a_limit_that_is_lifted_is_lifted_for_the_agent() -> None:
    limited = GomocupEngine(agent := Slow("cheats"))
    for line in ("START 15", "INFO timeout_match 10000", "BEGIN", "INFO timeout_match 0", "TURN 0,0"):
        limited.answer(line)
    assert agent.limits == [pytest.approx(0.47), math.inf]


def test_what_was_left_of_one_match_counts_no_more_in_the_next() -> None:
    limited = GomocupEngine(agent := Slow("cheats"))
    for line in ("START 15", "INFO timeout_match 10000", "INFO time_left 2000", "BEGIN", "RESTART", "BEGIN"):
        limited.answer(line)
    assert agent.limits == pytest.approx([0.07, 0.47])


class Slow:
    """Thinks for ever, raises or gives up."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.limits: list[float] = []

    def limit_time(self, seconds: float) -> None:
        self.limits.append(seconds)

    def select_action(self, game: sixplane.Game) -> Any:
        if self.how == "sleeps":
            time.sleep(10 * MINUTE)
        if self.how == "raises":
            raise RuntimeError("no idea")
        return RESIGN if self.how == "resigns" else game.num_actions + 5


@pytest.mark.parametrize("how", ["sleeps", "raises", "resigns", "cheats"])
def test_a_move_is_played_in_time_whatever_the_agent_does(how: str) -> None:
    agent = Slow(how)
    program = GomocupEngine(agent)
    for line in ("INFO timeout_turn 1500", "INFO timeout_match 0", "INFO max_memory 0", "START 15"):
        program.answer(line)
    assert point(program.answer("BEGIN"), 15) == 7 * 15 + 7
    assert agent.limits == [pytest.approx(1.47)]
    program.answer("INFO timeout_match 100000")
    program.answer("INFO time_left 10000")
    point(program.answer("TURN 0,0"), 15)
    # Who sleeps through the second move is told nothing about it.
    assert agent.limits[-1] == pytest.approx(1.47 if how == "sleeps" else 0.47)


class Thinking:
    """Answers when it is told to, and counts by how many it is asked at the same time."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.asked = self.together = self.most = 0

    def select_action(self, game: sixplane.Game) -> int:
        self.asked += 1
        self.together += 1
        self.most = max(self.most, self.together)
        assert self.may_answer.wait(10 * MINUTE)
        self.together -= 1
        return int(game.legal_actions[0])


def test_an_agent_that_is_still_thinking_is_not_asked_again() -> None:
    agent = Thinking()
    program = GomocupEngine(agent)
    for line in ("START 15", "INFO timeout_turn 500"):
        program.answer(line)
    replies = [program.answer("BEGIN"), program.answer("TURN 0,0"), program.answer("INFO rule 1")]
    replies.append(program.answer("TURN 14,14"))
    assert (agent.asked, agent.most) == (1, 1), "the table plays meanwhile"
    taken = {point(reply, 15) for reply in (*replies[:2], replies[3])} | {0}
    agent.may_answer.set()
    program.answer("INFO timeout_turn 60000")
    first = min(set(range(15)) - {14} - taken)
    assert point(program.answer("TURN 14,0"), 15) == first, "when it is free, it is asked again"
    assert (agent.asked, agent.most) == (2, 1)


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["BEGIN"], "ERROR START comes first"),
        (["TURN 1,1"], "ERROR START comes first"),
        (["BOARD"], "ERROR START comes first"),
        (["START 4"], "ERROR a Gomoku board of 4x4"),
        (["START"], "ERROR not 1 number"),
        (["START x"], "ERROR not 1 number"),
        (["START 15 15"], "ERROR not 1 number"),
        (["RECTSTART 15"], "ERROR not 2 numbers"),
        (["RECTSTART 15,9,9"], "ERROR not 2 numbers"),
        (["START 15", "TURN 3,3,3"], "ERROR not 2 numbers"),
        (["START 15", "TURN 3,3", "TAKEBACK 3,3 1"], "ERROR not 2 numbers"),
        (["START 15", "BOARD", "1,1,1,1"], "ERROR not 3 numbers"),
        (["START 15", "TURN 15,0"], "ERROR 15,0 is off the board"),
        (["START 15", "TURN 3,3", "TURN 3,3"], "ERROR 3,3 is occupied"),
        (["START 15", "BOARD", "1,1,7"], "ERROR no player 7"),
        (["START 15", "BOARD", "1,1,1", "1,1,2", "DONE"], "ERROR a point of the board was given twice"),
        (
            ["START 8", "BOARD", *(f"{x},{y},{y + 1}" for y in range(2) for x in range(5)), "DONE"],
            "ERROR both colors have a winning line: the first ended the game",
        ),
        (["HELLO"], "UNKNOWN HELLO"),
        (["ABOUT"], 'name="sixplane"'),
        (["INFO"], ""),
        (["INFO rule x"], ""),
        ([""], ""),
    ],
)
def test_answers(lines: list[str], answer: str) -> None:
    program = engine()
    assert [program.answer(line) for line in lines][-1].startswith(answer)


def test_the_program_speaks_over_pipes_with_crlf() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "gomocup"],
        input=b"START 20\r\nTURN 10,10\r\n\xff\xfe\r\n" + b"x" * 100_000 + b"\r\nABOUT\r\nEND\r\nABOUT\r\n",
        capture_output=True, check=True,
    )  # fmt: skip
    ok, move, unknown, long, about = done.stdout.decode().splitlines()
    assert (ok, done.stderr) == ("OK", b"")
    assert re.fullmatch(r"\d+,\d+", move)
    assert (unknown, long) == ("UNKNOWN ??", "ERROR line too long")
    assert about.startswith('name="sixplane", version=')


WORDS = st.sampled_from(
    ["START", "BEGIN", "TURN", "BOARD", "DONE", "TAKEBACK", "RESTART", "INFO", "rule", "1", "15", "5", "5,5"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(WORDS | st.text(max_size=4), max_size=4), max_size=30))
def test_any_lines_are_answered_without_an_exception(lines: list[list[str]]) -> None:
    program = engine()
    program.answer("START 5")
    for words in lines:
        assert "\n" not in program.answer(" ".join(words))


def test_end_within_a_board_ends_the_program() -> None:
    program = GomocupEngine(ScoreTableAgent(seed=1))
    assert [program.answer(line) for line in ("START 15", "BOARD", "7,7,1", "end")] == ["OK", "", "", ""]
    assert program.has_ended
