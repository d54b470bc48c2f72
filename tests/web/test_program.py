"""`sixplane play --web` as a program: its address, its options, and how it ends."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from urllib.request import urlopen

import pytest
from page_server import PageProgram, told

import sixplane
from interruptible import started
from waiting import MINUTE, until

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "0.0.0.0"])  # noqa: S104 - asked for
def test_the_address_that_is_printed_is_that_of_the_page(host: str) -> None:
    with PageProgram("--opponent", "human", "--host", host) as server:
        assert len(server.path.strip("/")) >= 24
        if host != "::1":
            assert server.ask()[0] == 200
        else:
            assert server.host.startswith("[::1]:")
        with server.tab() as tab:
            assert told(tab, "state")["players"] == [{"name": "", "is_person": True}] * 2


def test_two_runs_have_two_tokens() -> None:
    with PageProgram("--opponent", "human") as one, PageProgram("--opponent", "human") as other:
        assert one.path != other.path
        assert one.ask(root=other.path)[0] == 403


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_while_an_agent_thinks_and_saves_the_game(tmp_path: Path, number: int) -> None:
    file = tmp_path / "game.sgf"
    with PageProgram("--opponent", "mcts:seconds=3600", "--size", "5", "--save", str(file)) as server:
        with server.tab() as tab:
            told(tab, "state")
            tab.send(json.dumps({"do": "play", "action": 12, "at": 0}))
            assert 0 <= told(tab, "progress")["part"] < 1
            server.process.send_signal(number)
            server.process.wait(MINUTE)
        assert sixplane.read_sgf(file).actions.tolist() == [12]


@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.3])
def test_ctrl_c_ends_it_quietly_while_a_network_thinks(seconds: float) -> None:
    agent = "network:simulations=1000000"
    options = ("--size", "9", "--opponent", agent, "--seconds-per-move", "3600")
    with PageProgram(*options) as server, server.tab() as tab:
        told(tab, "state")
        tab.send(json.dumps({"do": "play", "action": 12, "at": 0}))
        told(tab, "state", lambda state: state["is_thinking"])
        time.sleep(seconds)


#: A GTP program that says nothing for ten minutes if there is a file with the name that it is given.
SLOW_TO_START = """
import pathlib, sys, time
import sixplane
from sixplane.agents import RandomAgent
from sixplane.cli.players import serve
from sixplane.protocols.gtp import GTPEngine
file = pathlib.Path(sys.argv[1])
if file.exists():
    file.unlink()
    time.sleep(600)
sys.exit(serve(GTPEngine(sixplane.Go(9), RandomAgent())))
"""


def test_ctrl_c_ends_it_quietly_while_a_game_begins(tmp_path: Path) -> None:
    (program := tmp_path / "slow.py").write_text(SLOW_TO_START)
    file = tmp_path / "slow"
    new: dict[str, Any] = {
        "do": "new", "game": "go", "size": [9, 9], "rules": {}, "seconds": None, "place": None, "watch": "",
        "opponent": "slow", "color": "black", "name": "", "opponent_name": "",
    }  # fmt: skip
    opponent = f"slow@gtp:{sys.executable} {program} {file}"
    with PageProgram("--opponent", opponent) as server, server.tab() as tab:
        told(tab, "state")
        file.touch()
        tab.send(json.dumps(new))
        until(lambda: not file.exists())
        server.process.send_signal(signal.SIGINT)
        server.process.wait(MINUTE)


def test_what_a_script_has_started_in_the_background_serves_on_after_ctrl_c() -> None:
    options = ["--web", "--no-open", "--port", "0", "--opponent", "human"]
    with started("play", *options, ignores=[signal.SIGINT]) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        process.send_signal(signal.SIGINT)
        # A server that is told to end does so within a second.
        for _ in range(20):
            with urlopen(found[0], timeout=MINUTE) as page:  # noqa: S310 - our own
                assert page.status == 200
            time.sleep(0.1)


def test_two_agents_play_while_somebody_watches() -> None:
    with PageProgram(
        "--game", "reversi", "--size", "4", "--watch", "random", "--opponent", "random", "--delay", "0.02"
    ) as server, server.tab() as tab:  # fmt: skip
        state = told(tab, "state", lambda state: state["result"])
        assert state["result"]["winner"] in {"black", "white", "draw"}
        tab.send(json.dumps({"do": "resign", "at": len(state["moves"])}))
        assert told(tab, "refused")["reason"] == "game_over"


def test_the_delay_between_two_agents_holds_for_every_game() -> None:
    new = {
        "do": "new", "game": "go", "size": [3, 3], "rules": {"komi": 0.5}, "seconds": None, "place": None,
        "opponent": "random", "watch": "random", "color": "black", "name": "", "opponent_name": "",
    }  # fmt: skip
    options = ("--size", "2", "--watch", "random", "--opponent", "random", "--delay", "0")
    with PageProgram(*options) as server, server.tab() as tab:
        tab.send(json.dumps(new))
        told(tab, "begun")
        clocks = []

        def is_over(state: dict[str, Any]) -> bool:
            clocks.append(state["clock"]["running"])
            return bool(state["result"])

        told(tab, "state", is_over)
        # A delay stops the clock.
        assert None not in clocks[:-1]


def test_the_agent_for_hints_that_was_named_gives_them_in_every_game() -> None:
    new: dict[str, Any] = {
        "do": "new", "game": "gomoku", "size": [7, 7], "rules": {}, "seconds": None, "place": None,
        "opponent": "person", "watch": "", "color": "black", "name": "", "opponent_name": "",
    }  # fmt: skip
    options = ("--game", "gomoku", "--size", "9", "--opponent", "human", "--hint", "score-table")
    with PageProgram(*options) as server, server.tab() as tab:
        # A table has nothing to show beside its move, as the usual search has.
        assert told(tab, "state")["sources"] == []
        tab.send(json.dumps(new))
        assert told(tab, "state", lambda state: state["game"]["rows"] == 7)["sources"] == []


def test_a_saved_game_goes_on_at_the_page(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[4]SZ[7];B[dd];W[ee];B[cc])")
    with PageProgram("--opponent", "random", "--load", str(file)) as server, server.tab() as tab:
        state = told(tab, "state", lambda state: len(state["moves"]) == 4)  # the agent plays White
        assert state["game"]["name"] == "gomoku" and [move[0] for move in state["moves"]] == [0, 1, 0, 1]


def test_the_record_of_a_game_of_any_name_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "spiel.py"
    file.write_text(
        "import sixplane\n@sixplane.game_class\nclass Ним:\n    default_size = 3\n"
        "    def legal(self, position):\n        return position.empty\n"
        "    def ending(self, position):\n        return None if position.empty.any() else ('full', 0.0)\n",
        encoding="utf-8",
    )
    with PageProgram("--game", f"{file}:Ним", "--opponent", "human") as server:
        status, headers, record = server.ask("record")
    assert status == 200 and record.startswith(b"(;")
    plain, encoded = re.findall("filename[*]?=([^;]+)", headers["content-disposition"])
    assert re.fullmatch(r'"spiel____-3x3-[\d-]{15}[.]sgf"', plain)
    assert re.fullmatch(r"UTF-8''spiel:Ним-3x3-[\d-]{15}[.]sgf", unquote(encoded))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "no.such.host.invalid"], "cannot listen at no.such.host.invalid: "),
        (["--host", "203.0.113.7"], "cannot listen at 203.0.113.7: "),
        (["--opponent", "nobody"], "no agent is called 'nobody'"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(options: list[str], said: str) -> None:
    command = [sys.executable, "-m", "sixplane", "play", "--web", "--no-open", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in {1, 2} and said in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_an_error_only_if_it_was_asked_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "sixplane", "play", "--web", "--no-open", "--port", str(port)],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (
            1, f"sixplane: error: cannot listen at 127.0.0.1, port {port}: Address already in use\n",
        )  # fmt: skip
