"""Commands that a signal ends from outside: `kill`, and a terminal that is closed."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

import sixplane
from fake_program import Fake, gone
from interruptible import INTERRUPTIBLE, interrupts_raise, is_waiting, started
from sixplane.__main__ import main
from sixplane.cli.signals import interrupt_flag, interrupted_by_signals
from waiting import MINUTE, until

if TYPE_CHECKING:
    from pathlib import Path

PLAY = ("play", "--game", "go", "--size", "5", "--delay", "0", "--watch", "random")
RATE = ("rate", "--game", "go", "--games", "8", "--seed", "1")


#: Presses Ctrl-C when a module is looked for, once.
PRESSES = """
import signal, sys

class Presses:
    def find_spec(self, name, *_):
        if name == {module!r}:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Presses())
"""

STARTS = {
    "sixplane": "from sixplane.__main__ import main; sys.exit(main())",
    "python -m sixplane": "import runpy; runpy.run_module('sixplane', run_name='__main__', alter_sys=True)",
}


@pytest.mark.parametrize("module", ["sixplane.cli", "sixplane.cli.watch"])
@pytest.mark.parametrize("start", STARTS)
def test_a_command_that_is_interrupted_as_it_starts_says_nothing(start: str, module: str) -> None:
    code = PRESSES.format(module=module) + STARTS[start]
    command = [*INTERRUPTIBLE, sys.executable, "-c", code, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", ["play", "rate"])
def test_a_command_that_is_ended_keeps_the_record_and_ends_other_programs(
    tmp_path: Path, command: str, number: signal.Signals
) -> None:
    fake, record = Fake(tmp_path), tmp_path / "game.sgf"
    thinks = f"gtp:{shlex.join(fake.command(misbehave='time.sleep(1000)'))}"
    words = [*PLAY, "--opponent", thinks, "--save", str(record)] if command == "play" else [*RATE, thinks]
    with started(*words) as process:
        until(lambda: fake.log.exists() and "genmove" in fake.log.read_text(), process)
        until(lambda: is_waiting(process.pid), process)
        process.send_signal(number)
        _, errors = process.communicate(timeout=MINUTE)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert fake.pids()
    assert all(gone(pid) for pid in fake.pids())
    if command == "play":
        assert sixplane.Go.from_sgf(record.read_text()).move_number == 1


def test_a_terminal_that_is_closed_ends_a_program_that_kill_does_not() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with interrupted_by_signals(), pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGHUP, hang_up)


def test_a_second_ctrl_c_ends_the_process_and_after_the_block_it_is_as_before() -> None:
    with interrupts_raise():
        with interrupt_flag() as interrupted:
            assert not interrupted()
            signal.raise_signal(signal.SIGINT)
            assert interrupted()
            assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_commands_run_in_other_threads(capsys: pytest.CaptureFixture[str]) -> None:
    ended: list[int] = []
    command = ["rate", "random", "--game", "reversi", "--games", "2"]
    thread = threading.Thread(target=lambda: ended.append(main(command)))
    thread.start()
    thread.join()
    assert ended == [0]
    assert "on the ladder for Reversi 8x8" in capsys.readouterr().out


def test_a_signal_that_is_ignored_stays_ignored_and_handlers_come_back() -> None:
    handlers = {signal.SIGTERM: signal.SIG_DFL, signal.SIGHUP: signal.SIG_IGN}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        with interrupted_by_signals():
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
        assert {number: signal.getsignal(number) for number in handlers} == handlers
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
