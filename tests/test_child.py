"""A service in a process of its own: it answers, it ends, and it says why it cannot begin."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from multiprocessing import util
from pathlib import Path

import pytest

from interruptible import INTERRUPTIBLE
from sixplane.jobs import JobError
from sixplane.jobs.child import Child, TerminatedError, _terminate
from waiting import MINUTE, until


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def own_pid(_request: object) -> int:
    return os.getpid()


def echo(request: object) -> object:
    return request


def test_a_child_answers_and_leaves_no_process() -> None:
    child = Child(own_pid)
    child.ask(None)
    pid = child.answer(60)
    assert pid != os.getpid() and is_alive(pid)
    child.close()
    assert not is_alive(pid)
    with pytest.raises(JobError, match="the process has ended"):
        child.ask(None)
    dropped = Child(own_pid)
    dropped.ask(None)
    pid = dropped.answer(60)
    del dropped
    assert not is_alive(pid)


def test_a_child_that_was_closed_leaves_nothing_behind() -> None:
    at_exit = getattr(util, "_finalizer_registry")  # noqa: B009 - there is no public way to count them
    before = len(at_exit)
    child = Child(echo)
    assert len(at_exit) > before
    child.close()
    del child
    assert len(at_exit) == before


class Marks:
    """A service that writes a file when it is closed."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, request: object) -> object:
        return request

    def close(self) -> None:
        # As it may come at any time.
        signal.raise_signal(signal.SIGTERM)
        self.file.write_text("closed")


def test_a_service_is_closed_with_its_child(tmp_path: Path) -> None:
    child = Child(Marks(tmp_path / "mark"))
    child.ask(7)
    assert child.answer(MINUTE) == 7
    assert not (tmp_path / "mark").exists()
    child.close()
    assert (tmp_path / "mark").read_text() == "closed"


def test_sigterm_raises_once_and_cuts_nothing_short_that_follows() -> None:
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        with pytest.raises(TerminatedError):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_child_is_not_waited_for_longer_than_asked() -> None:
    child = Child(time.sleep)
    child.ask(1000)
    with pytest.raises(TimeoutError, match=r"no answer within 0\.1 s"):
        child.answer(0.1)
    child.close()
    other = Child(echo)
    other.ask(7)
    assert other.answer() == 7
    other.close()


def starts(_request: object) -> int:
    """The number of a process that goes on by itself."""
    return subprocess.Popen(["sleep", "1000"]).pid


def test_what_a_service_has_started_ends_with_its_child() -> None:
    child = Child(starts)
    child.ask(None)
    pid = child.answer(MINUTE)
    assert is_alive(pid)
    child.close()
    until(lambda: not is_alive(pid))


def test_a_child_may_be_waited_for_as_long_as_anybody_likes() -> None:
    child = Child(echo)
    for seconds in (1e12, math.inf):
        child.ask(7)
        assert child.answer(seconds) == 7
    child.close()


SCRIPT = """
import sixplane
from sixplane.match import play


class Corner:
    def select_action(self, game):
        return game.legal_actions[0]


{guard}
    print(play(Corner(), Corner(), sixplane.Reversi(4), isolate=True).ending)
"""


def test_an_unguarded_script_is_told_how_to_guard_itself(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.format(guard="if True:"))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.endswith('put what the script does below `if __name__ == "__main__":`\n')
    path.write_text(SCRIPT.format(guard='if __name__ == "__main__":'))
    guarded = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert guarded.stdout == "rules\n"


def test_a_notebook_is_told_to_put_its_agents_into_a_module() -> None:
    # As in a notebook, there is no file to import the agent from.
    script = SCRIPT.format(guard="if True:")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert "a new process cannot find Corner, which was made in a notebook or at a prompt" in done.stderr
    typed = subprocess.run([sys.executable, "-"], input=script, capture_output=True, text=True, check=False)
    assert typed.stderr.endswith("importing the script, and <stdin> is no file\n")


STARTING = """
import pathlib, signal, sys, threading, time
from sixplane.jobs.child import Child, TerminatedError, _terminate

_, marks, how = sys.argv
marks = pathlib.Path(marks)


def blocked(_request):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def begin():
    child = Child(blocked)
    child.ask(None)
    print("blocked", child.answer(), blocked(None), flush=True)
    child.close()


if __name__ == "__mp_main__":
    (marks / "importing").touch()
    while not (marks / "interrupted").exists():
        time.sleep(0.01)
elif __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: print("interrupted", flush=True))
    if how == "main":
        begin()
    else:
        thread = threading.Thread(target=begin)
        thread.start()
        thread.join()
"""


@pytest.mark.parametrize("how", ["main", "thread"])
def test_ctrl_c_does_not_reach_a_child_that_is_starting(tmp_path: Path, how: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(STARTING)
    command = [*INTERRUPTIBLE, sys.executable, str(script), str(tmp_path), how]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        until((tmp_path / "importing").exists, process)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout is not None
        assert process.stdout.readline() == "interrupted\n"
        (tmp_path / "interrupted").touch()
        said, errors = process.communicate(timeout=MINUTE)
    assert (process.returncode, said, errors) == (0, "blocked False False\n", "")
