"""The agent behind GTP: what it tells a program, and programs that misbehave."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from sixplane.agents import RESIGN, GTPAgent, GTPError, GTPTimeoutError, RandomAgent
from sixplane.match import play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane.agents import Choice

#: A program that logs what it is told, and answers from a table; its first line is its process id.
PROGRAM = """
import os, sys, time
log = open(LOG, "a", buffering=1)
log.write(f"pid {os.getpid()}\\n")
moves = iter(MOVES)
def answer(text, mark="="):
    sys.stdout.write(f"{mark}{number} {text}\\n\\n"); sys.stdout.flush()
for line in sys.stdin:
    number, *words = line.split()
    log.write(" ".join(words) + "\\n")
    if words[0] == "list_commands":
        answer(KNOWN)
    elif words[0] == "genmove":
        MISBEHAVE
        answer(next(moves))
    elif words[0] == "final_score":
        answer(SCORE)
    elif "pass" in words and not PASSES:
        answer("syntax error", "?")
    else:
        answer("")
"""


class Fake:
    """A program of the test, and what it was told."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"

    def command(
        self,
        *moves: str,
        known: str = "play genmove",
        score: str = "0",
        passes: bool = True,
        misbehave: str = "pass",
    ) -> list[str]:
        values = {
            "LOG": str(self.log),
            "MOVES": list(moves),
            "KNOWN": known,
            "SCORE": score,
            "PASSES": passes,
        }
        code = PROGRAM.replace("MISBEHAVE", misbehave)
        for name, value in values.items():
            code = code.replace(name, repr(value))
        return [sys.executable, "-c", code]

    def told(self) -> list[str]:
        """What it was told since the last question, `list_commands` and its start left out."""
        lines = self.log.read_text().splitlines()
        self.log.write_text("")
        return [line for line in lines if line != "list_commands" and not line.startswith("pid")]

    def pids(self) -> list[int]:
        return [int(line[4:]) for line in self.log.read_text().splitlines() if line.startswith("pid")]


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fake]:
    fake = Fake(tmp_path)
    yield fake
    if fake.log.exists():
        assert not [pid for pid in fake.pids() if is_alive(pid)], "a process was left"


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def group(leader: int) -> list[int]:
    """The living processes of a process group."""
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    found = []
    for pid in pids:
        with suppress(ProcessLookupError):
            if os.getpgid(pid) == leader:
                found.append(pid)
    return found


def gone(pid: int, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_alive(pid)


def test_a_program_is_told_the_game_once_and_then_what_is_new(fake: Fake) -> None:
    agent = GTPAgent(fake.command("D4", "pass", "resign"), setup=["level 3"])
    game = sixplane.Go(size=5, komi=-2.5)
    game.play(game.name_to_action("C3"))
    action = agent.select_action(game)
    assert action == game.name_to_action("D4")
    start = ["boardsize 5", "clear_board", "komi -2.5", "level 3"]
    assert fake.told() == [*start, "play black C3", "genmove white"]
    game.play(action)
    game.play(game.name_to_action("E5"))
    assert agent.select_action(game) == 25
    assert fake.told() == ["play black E5", "genmove white"]
    # The pass was not played but another move: all is told anew.
    game.play(0)
    assert agent.select_action(game) is RESIGN
    told = fake.told()
    assert told[:4] == start
    assert told[-2:] == ["play white A5", "genmove black"]
    agent.close()


def test_a_new_game_is_told_from_its_start(fake: Fake) -> None:
    agent = GTPAgent(fake.command(*["pass"] * 9))
    agent.select_action(sixplane.Go(size=9, handicap=2))
    first = fake.told()
    assert first[3:] == ["play black G7", "play black C3", "genmove white"]
    position = sixplane.Go.from_text("X . .\n. O .\n. . X", turn="white")
    position.play(2)
    agent.select_action(position)
    assert fake.told()[3:] == [
        "play black A3",
        "play black C1",
        "play white B2",
        "play white C3",
        "genmove black",
    ]
    # A turn that was set by hand: the position counts.
    position.set_turn("white")
    agent.select_action(position)
    assert fake.told()[3:] == [
        "play black A3",
        "play black C1",
        "play white C3",
        "play white B2",
        "genmove white",
    ]
    agent.close()


def test_columns_leave_out_i_in_go_and_rows_count_from_the_top_in_reversi(fake: Fake) -> None:
    agent = GTPAgent(fake.command("J9", "f5", known="play rectangular_boardsize"))
    game = sixplane.Go(size=(9, 11))
    game.play(8)
    assert agent.select_action(game) == game.name_to_action("J9") == 8
    assert fake.told() == [
        "rectangular_boardsize 11 9",
        "clear_board",
        "komi 7.5",
        "play black J9",
        "genmove white",
    ]
    reversi = sixplane.Reversi()
    assert agent.select_action(reversi) == reversi.name_to_action("F5") == 4 * 8 + 5
    assert fake.told() == ["boardsize 8", "clear_board", "genmove black"]
    agent.close()


def test_rules_are_told_where_they_are_understood(fake: Fake) -> None:
    agent = GTPAgent(fake.command("pass", known="kata-set-rule\nplay"))
    agent.select_action(sixplane.Go(size=5, ko="situational", suicide=True, komi=7))
    assert fake.told() == [
        "boardsize 5",
        "clear_board",
        "komi 7",
        "kata-set-rule ko SITUATIONAL",
        "kata-set-rule suicide true",
        "kata-set-rule scoring AREA",
        "kata-set-rule tax NONE",
        "genmove black",
    ]
    agent.close()


@pytest.mark.parametrize("passes", [True, False])
def test_a_forced_pass_of_reversi_may_be_refused(fake: Fake, passes: bool) -> None:
    game = sixplane.Reversi(4)
    agent = RandomAgent(seed=0)
    while game.last_action != 16:
        game = sixplane.Reversi(4) if game.is_over else game
        choice = agent.select_action(game)
        assert choice is not RESIGN
        game.play(choice)
    program = GTPAgent(fake.command("pass", passes=passes))
    assert program.select_action(game) == 16
    assert fake.told()[-2].endswith("pass")
    program.close()


def test_a_pass_that_go_is_refused_is_an_error(fake: Fake) -> None:
    game = sixplane.Go(5)
    game.play(25)
    program = GTPAgent(fake.command(passes=False))
    with pytest.raises(GTPError, match="answers 'play black pass' with 'syntax error'"):
        program.select_action(game)
    program.close()


@pytest.mark.parametrize(
    ("answer", "score"),
    [("B+3.5", 3.5), ("W+12", -12.0), ("0", 0.0), ("b+2.0 (upper bound: 4)", 2.0), ("Draw", 0.0)],
)
def test_a_program_counts_the_score(fake: Fake, answer: str, score: float) -> None:
    agent = GTPAgent(fake.command(known="final_score", score=answer))
    game = sixplane.Go(5)
    game.play(25)
    game.play(25)
    assert agent.final_score(game) == score
    agent.close()


def test_a_program_may_be_unable_to_count(fake: Fake) -> None:
    mute = GTPAgent(fake.command())
    assert mute.final_score(sixplane.Go(5)) is None
    mute.close()
    odd = GTPAgent(fake.command(known="final_score", score="a lot"))
    with pytest.raises(GTPError, match="answers 'final_score' with 'a lot'"):
        odd.final_score(sixplane.Go(5))
    odd.close()


@pytest.mark.parametrize(
    ("misbehave", "error", "message"),
    [
        ("time.sleep(1000)", GTPTimeoutError, "has not answered 'genmove black' within"),
        ("while True: time.sleep(0.001); print('=', end='', flush=True)", GTPTimeoutError, "within"),
        ("while True: sys.stderr.write('thinking' * 999)", GTPTimeoutError, "within"),
        ("while True: sys.stdout.write('=' * 99999)", GTPError, "writes without end"),
        ("sys.exit(3)", GTPError, "has ended without an answer"),
        ("raise ValueError('out of ideas')", GTPError, "it says 'ValueError: out of ideas'"),
        ("os.kill(os.getpid(), 9)", GTPError, "has ended without an answer"),
        ("os.close(1); time.sleep(1000)", GTPError, "has ended without an answer"),
        ("os.close(0); time.sleep(1000)", GTPTimeoutError, "has not answered"),
        ("print('My move is', flush=True)", GTPError, "with 'My move is', which is not of the protocol"),
        ("sys.stdout.buffer.write(bytes(range(256))); sys.stdout.flush()", GTPError, "not of the protocol"),
        ("answer('Z99')", GTPError, "answers 'genmove' with 'Z99'"),
        ("answer('')", GTPError, "answers 'genmove' with ''"),
        ("answer('no idea', '?')", GTPError, "answers 'genmove black' with 'no idea'"),
        ("number = 77; answer('pass')", GTPError, "answers command 77 instead of"),
        ("print('=D4', flush=True); time.sleep(1000)", GTPTimeoutError, "has not answered"),
        ("os.system('sleep 1000 &'); sys.exit()", GTPTimeoutError, "has not answered"),
        ("import signal; signal.signal(15, signal.SIG_IGN); time.sleep(99)", GTPTimeoutError, "not answered"),
    ],
)  # fmt: skip
def test_misbehavior_ends_in_a_clear_error_and_leaves_no_process(
    fake: Fake, misbehave: str, error: type[Exception], message: str
) -> None:
    agent = GTPAgent(fake.command(misbehave=misbehave), timeout=60)
    game = sixplane.Go(5)
    assert agent.final_score(game) is None  # the program has started, and knows the game
    agent.limit_time(0.8 if error is GTPTimeoutError else 30)
    begun = time.monotonic()
    with pytest.raises(error, match=message):
        agent.select_action(game)
    assert time.monotonic() - begun < 20
    (pid,) = fake.pids()
    if "no idea" not in message:  # a refusal is an answer: the program goes on
        assert gone(pid)
        assert not [child for child in group(pid) if not gone(child)]
    agent.close()


def test_after_an_error_the_next_move_starts_the_program_again(fake: Fake) -> None:
    mark = fake.log.with_name("ended")
    ends_once = f"os.path.exists({str(mark)!r}) or (open({str(mark)!r}, 'w'), sys.exit())"
    agent = GTPAgent(fake.command("B2", misbehave=ends_once))
    with pytest.raises(GTPError):
        agent.select_action(sixplane.Go(5))
    assert agent.select_action(sixplane.Go(5)) == 16
    assert len(fake.pids()) == 2
    agent.close()


def test_an_agent_that_is_dropped_ends_its_program(fake: Fake) -> None:
    agent = GTPAgent(fake.command("pass"))
    agent.select_action(sixplane.Go(5))
    (pid,) = fake.pids()
    assert is_alive(pid)
    del agent
    gc.collect()
    assert not is_alive(pid)


def test_the_end_of_the_interpreter_ends_the_program(fake: Fake) -> None:
    code = f"""
import sixplane, signal
from sixplane.agents import GTPAgent
agent = GTPAgent({fake.command("pass", misbehave="import signal; signal.signal(15, signal.SIG_IGN)")!r})
agent.select_action(sixplane.Go(5))
keep = [agent]; keep.append(keep)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)
    (pid,) = fake.pids()
    assert gone(pid)


@pytest.mark.parametrize("seconds", [0.5, 1.0])
def test_an_isolated_agent_takes_its_program_along(fake: Fake, seconds: float) -> None:
    # The program runs out of its time when the process around it does: the end of the one must not
    # cut short the end of the other.
    agent = GTPAgent(fake.command(misbehave="time.sleep(1000)"))
    result = play(agent, RandomAgent(), sixplane.Go(5), seconds_per_move=seconds, isolate=True)
    assert (result.winner, result.reason) == ("white", "time")
    assert all(gone(pid) for pid in fake.pids())


def test_a_signal_does_not_cut_short_the_end_of_a_program(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = GTPAgent(fake.command(misbehave="time.sleep(1000)"))
    agent.final_score(sixplane.Go(5))
    (pid,) = fake.pids()

    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sixplane.agents.gtp_program.time.sleep", interrupt)
    # However soon the program ends, it is waited for.
    monkeypatch.setattr("sixplane.agents.gtp_program.os.waitid", lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        agent.close()
    monkeypatch.undo()
    assert gone(pid)


def test_a_fork_leaves_the_program_to_its_parent(fake: Fake) -> None:
    agent = GTPAgent(fake.command("pass", "resign"))
    game = sixplane.Go(5)
    agent.select_action(game)
    code = f"""
import os, sixplane
from sixplane.agents import GTPAgent
agent = GTPAgent({fake.command("pass", "resign")!r})
game = sixplane.Go(5)
agent.select_action(game)
child = os.fork()
if not child:
    del agent
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(agent.select_action(game))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "Resignation.RESIGN\n"
    agent.close()


def test_ctrl_c_while_a_program_thinks_ends_it(fake: Fake) -> None:
    agent = GTPAgent(fake.command(misbehave="os.kill(os.getppid(), 2); time.sleep(1000)"))
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            agent.select_action(sixplane.Go(5))
    finally:
        signal.signal(signal.SIGINT, before)
    (pid,) = fake.pids()
    assert gone(pid)


def test_wrong_commands_and_games_are_errors(tmp_path: Path) -> None:
    with pytest.raises(GTPError, match=r"cannot start /no/such/program: No such file"):
        GTPAgent("/no/such/program --mode gtp").select_action(sixplane.Go(5))
    with pytest.raises(GTPError, match="Permission denied"):
        GTPAgent([str(tmp_path)]).select_action(sixplane.Go(5))
    for command in ("", "  "):
        with pytest.raises(ValueError, match="the command is empty"):
            GTPAgent(command)
    with pytest.raises(ValueError, match="No closing quotation"):
        GTPAgent("a 'b")
    with pytest.raises(TypeError, match="a string or a list of strings"):
        GTPAgent([1])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="one line"):
        GTPAgent("a", setup=["komi 3\nquit"])
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="positive number of seconds"):
            GTPAgent("a", timeout=seconds)
    with pytest.raises(TypeError, match="plays Go and Reversi, not Gomoku"):
        GTPAgent("a").select_action(sixplane.Gomoku())


def test_what_the_program_cannot_be_told_is_an_error(fake: Fake) -> None:
    agent = GTPAgent(fake.command())
    with pytest.raises(GTPError, match="square boards only"):
        agent.select_action(sixplane.Go((5, 6)))
    with pytest.raises(GTPError, match="from its usual start"):
        agent.select_action(sixplane.Reversi.from_text("X O . .\n. . . .\n. . . .\n. . . ."))
    agent.close()


def test_agents_are_pickled_without_their_program(fake: Fake) -> None:
    agent = GTPAgent(fake.command("pass", "A1"), timeout=7, setup=["level 1"])
    agent.select_action(sixplane.Go(5))
    other = pickle.loads(pickle.dumps(agent))
    assert other.select_action(sixplane.Go(5)) == 25
    assert len(set(fake.pids())) == 2
    assert "level 1" in fake.told()
    agent.close()
    other.close()


def play_out(game: Any, agents: list[Any]) -> None:
    while not game.is_over:
        choice: Choice = agents[game.turn].select_action(game)
        if choice is RESIGN:
            game.resign()
        else:
            game.play(choice)


@pytest.mark.outside("gnugo")
def test_gnu_go_plays_and_counts_as_we_do() -> None:
    rules = "--chinese-rules --capture-all-dead --positional-superko"
    program = GTPAgent(f"gnugo --mode gtp --level 1 {rules}", timeout=60)
    for seed in range(2):
        game = sixplane.Go(size=7, komi=5.5)
        agents = [RandomAgent(seed=seed), program]
        if seed:
            agents.reverse()
        play_out(game, agents)
        assert game.outcome == ("black" if seed else "white")
        assert game.last_action == 49, "it does not resign"
        assert program.final_score(game) == game.score()
    program.close()


@pytest.mark.outside("gtp-rhino")
def test_rhino_plays_reversi_with_forced_passes() -> None:
    program = GTPAgent("gtp-rhino", timeout=60)
    passes = 0
    for seed in range(4):
        game = sixplane.Reversi()
        agents = [RandomAgent(seed=seed), program]
        if seed % 2:
            agents.reverse()
        play_out(game, agents)
        assert game.outcome == ("black" if seed % 2 else "white")
        passes += game.actions.tolist().count(64)
    assert passes > 0, "no game has tried a pass"
    program.close()


def test_programs_of_games_are_found() -> None:
    # Debian keeps games where the superuser does not look; the marks above look there as well.
    assert "/usr/games" in os.environ["PATH"].split(os.pathsep)
