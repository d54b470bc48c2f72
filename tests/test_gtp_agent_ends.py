"""The agent behind GTP: programs that misbehave, and the end of every program."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
from typing import Any

import pytest

import sixplane
from fake_program import INTERRUPTS, Fake, gone, group, is_alive
from interruptible import interrupts_raise
from sixplane.agents import GTPAgent, ProgramError, ProgramTimeoutError, RandomAgent
from sixplane.agents.gtp_program import GTPProgram
from sixplane.match import play
from waiting import MINUTE


@pytest.mark.parametrize(
    ("misbehave", "error", "message"),
    [
        ("time.sleep(1000)", ProgramTimeoutError, "has not answered 'genmove black' within"),
        ("while True: time.sleep(0.001); print('=', end='', flush=True)", ProgramTimeoutError, "within"),
        ("while True: sys.stderr.write('thinking' * 999)", ProgramTimeoutError, "within"),
        ("while True: sys.stdout.write('=' * 99999)", ProgramError, "writes without end"),
        ("sys.exit(3)", ProgramError, "has ended without an answer"),
        ("raise ValueError('out of ideas')", ProgramError, "it says 'ValueError: out of ideas'"),
        ("os.kill(os.getpid(), 9)", ProgramError, "has ended without an answer"),
        ("os.close(1); time.sleep(1000)", ProgramError, "has ended without an answer"),
        ("os.close(0); time.sleep(1000)", ProgramTimeoutError, "has not answered"),
        ("print('My move is', flush=True)", ProgramError, "with 'My move is', which is not of the protocol"),
        ("sys.stdout.buffer.write(bytes(range(256))); sys.stdout.flush()",
         ProgramError, "not of the protocol"),
        ("answer('Z99')", ProgramError, "answers 'genmove' with 'Z99'"),
        ("answer('')", ProgramError, "answers 'genmove' with ''"),
        ("answer('no idea', '?')", ProgramError, "answers 'genmove black' with 'no idea'"),
        ("number = 77; answer('pass')", ProgramError, "answers command 77 instead of"),
        ("print('=D4', flush=True); time.sleep(1000)", ProgramTimeoutError, "has not answered"),
        ("os.system('sleep 1000 &'); sys.exit()", ProgramTimeoutError, "has not answered"),
        ("import signal; signal.signal(15, signal.SIG_IGN); time.sleep(99)",
         ProgramTimeoutError, "not answered"),
    ],
)  # fmt: skip
def test_misbehavior_ends_in_a_clear_error_and_leaves_no_process(
    fake: Fake, misbehave: str, error: type[Exception], message: str
) -> None:
    agent = GTPAgent(fake.command(misbehave=misbehave), timeout=MINUTE)
    game = sixplane.Go(5)
    assert agent.final_score(game) is None  # the program has started, and knows the game
    agent.limit_time(0.8 if error is ProgramTimeoutError else MINUTE)
    with pytest.raises(error, match=message):
        agent.select_action(game)
    (pid,) = fake.pids()
    if "no idea" not in message:  # a refusal is an answer: the program goes on
        assert gone(pid)
        assert not [child for child in group(pid) if not gone(child)]
    agent.close()


def test_after_an_error_the_next_move_starts_the_program_again(fake: Fake) -> None:
    mark = fake.log.with_name("ended")
    ends_once = f"os.path.exists({str(mark)!r}) or (open({str(mark)!r}, 'w'), sys.exit())"
    agent = GTPAgent(fake.command("B2", misbehave=ends_once))
    with pytest.raises(ProgramError):
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
    while True:
        agent = GTPAgent(fake.command(misbehave="time.sleep(1000)"))
        result = play(agent, RandomAgent(), sixplane.Go(5), seconds_per_move=seconds, isolate=True)
        assert (result.winner, result.ending) == ("white", "time")
        if (fake.log.exists() and fake.pids()) or seconds > MINUTE:
            break
        seconds *= 2  # a slow machine has not started the program in time
    assert fake.pids()
    assert all(gone(pid) for pid in fake.pids())


def test_a_signal_does_not_cut_short_the_end_of_a_program(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = GTPAgent(fake.command(misbehave="time.sleep(1000)"))
    agent.final_score(sixplane.Go(5))
    (pid,) = fake.pids()

    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sixplane.agents.program.time.sleep", interrupt)
    # However soon the program ends, it is waited for.
    monkeypatch.setattr("sixplane.agents.program.os.waitid", lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        agent.close()
    monkeypatch.undo()
    assert gone(pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_program_starts_leaves_no_process(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    class Slow(subprocess.Popen[bytes]):
        """The signal comes when the program runs, and nobody knows of it yet."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self.pid)
            signal.raise_signal(number)

    def leave(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    started: list[int] = []
    monkeypatch.setattr("sixplane.agents.program.subprocess.Popen", Slow)
    before = signal.signal(number, leave)
    try:
        with pytest.raises(KeyboardInterrupt):
            GTPProgram(fake.command(misbehave="time.sleep(1000)"))
    finally:
        signal.signal(number, before)
    (pid,) = started
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
    agent = GTPAgent(fake.command(misbehave=INTERRUPTS))
    with interrupts_raise(), pytest.raises(KeyboardInterrupt):
        agent.select_action(sixplane.Go(5))
    (pid,) = fake.pids()
    assert gone(pid)
