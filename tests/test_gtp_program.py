"""`sixplane gtp` as a child process, as clients start it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress

import pytest

from waiting import MINUTE


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
        _, errors = self.process.communicate(timeout=MINUTE)
        return self.process.returncode, errors.decode()


def run_command_with(talk: str, *arguments: str) -> str:
    """What a program answers to these lines."""
    command = [sys.executable, "-m", "sixplane", *arguments]
    return subprocess.run(command, input=talk, capture_output=True, text=True, check=True).stdout


def test_every_reply_is_sent_at_once() -> None:
    program = Program("--game", "go", "--size", "7", "--agent", "random")
    program.send(b"name\n")
    assert program.answer() == "= sixplane\n"
    program.send(b"2 genmove b\r\n")
    assert re.fullmatch(r"=2 [A-G][1-7]\n", program.answer())
    program.send(b"quit\n")
    assert program.answer() == "=\n"
    assert program.end() == (0, "")


@pytest.mark.parametrize("agent", [[], ["--agent", "random"], ["--agent", "mcts:simulations=4"]])
def test_whatever_agent_plays_there_is_analysis(agent: list[str]) -> None:
    done = run_command_with("known_command lz-analyze\nknown_command kata-analyze\n", "gtp", *agent)
    assert done == "= true\n\n" * 2


def test_no_two_programs_play_the_same_random_games() -> None:
    talk = "genmove b\n" * 9
    assert run_command_with(talk, "gtp", "--size", "19", "--agent", "random") != run_command_with(
        talk, "gtp", "--size", "19", "--agent", "random"
    )


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
            r"info move [A-E][1-5] visits \d+ winrate [01]\.\d+ scoreLead \S+ prior 0\.\d+ order 0 pv", infos
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
    # It may have found out at the first of them.
    with suppress(BrokenPipeError):
        for _ in range(9):
            program.send(b"list_commands\n")
    # Its input is still open.
    assert program.process.wait(MINUTE) == 1
    assert program.process.stdin
    with suppress(BrokenPipeError):
        program.process.stdin.close()
    program.process.stdin = None
    assert program.end() == (1, "")


def test_what_cannot_be_started_says_so() -> None:
    for arguments, says in [
        (["--game", "gomoku"], "'gomoku' is none of go, reversi"),
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


@pytest.mark.parametrize(
    ("command", "line", "answer"), [("gtp", "name", "= sixplane"), ("gomocup", "START 15", "OK")]
)
def test_a_byte_order_mark_before_the_first_line_is_none_of_it(command: str, line: str, answer: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", command, "--agent", "random"],
        input=f"\ufeff{line}\n\ufeff{line}\n".encode(), capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout.decode().startswith(f"{answer}\n")
    assert done.stdout.decode().count(answer) == 1, "within the input it is no mark"


@pytest.mark.parametrize("command", ["gtp", "gomocup"])
def test_a_closed_input_is_the_end_of_the_input(command: str) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "sixplane", command, "--agent", "random"],
        capture_output=True, text=True, check=False, timeout=MINUTE,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
