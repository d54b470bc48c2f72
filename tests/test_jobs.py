"""Calls in processes of this machine: each result comes once, whatever dies, fails or is interrupted."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from interruptible import INTERRUPTIBLE, children_of, interrupts_raise, is_waiting
from sixplane.jobs import JobError, Processes, processes
from sixplane.jobs.child import Child
from waiting import MINUTE, until

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from types import FrameType


def results(jobs: Processes, keys: list[Any]) -> list[Any]:
    """What these calls give, in their order."""
    found: dict[Any, Any] = {}
    end = time.monotonic() + 4 * MINUTE
    while len(found) < len(keys):
        assert time.monotonic() < end
        found.update(jobs.finished(1))
    return [found[key] for key in keys]


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def die_once(marks: Path, number: int, how: int = signal.SIGKILL) -> tuple[int, int]:
    """Ends its process by a signal at the first try of every third call."""
    mark = marks / str(number)
    first = not mark.exists()
    mark.open("a").close()
    with mark.open("a") as file:
        file.write("x")
    if first and number % 3 == 0:
        os.kill(os.getpid(), how)
    return number, os.getpid()


def fail(error: BaseException) -> None:
    """Raises an exception."""
    raise error


class TwoPartsError(Exception):
    """An exception that pickles, but cannot be made again."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} {other}")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_dies_is_replaced_and_its_call_alone_is_made_again(tmp_path: Path, how: int) -> None:
    with Processes(workers=2) as jobs:
        made = results(jobs, [jobs.begin(die_once, tmp_path, number, how) for number in range(9)])
        assert jobs.waiting == 0
    assert [number for number, _ in made] == list(range(9))
    tries = {int(file.name): len(file.read_text()) for file in tmp_path.iterdir()}
    assert tries == {number: 1 + (number % 3 == 0) for number in range(9)}
    assert not any(alive(pid) for _, pid in made)


def test_deaths_between_calls_that_finish_are_accidents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "MOST_DEATHS", 2)
    with Processes(workers=1) as jobs:
        made = results(jobs, [jobs.begin(die_once, tmp_path, number) for number in (0, 3, 6)])
    assert [number for number, _ in made] == [0, 3, 6]


def test_all_workers_may_be_killed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "MOST_DEATHS", 2)
    with Processes(workers=2) as jobs:
        made = results(jobs, [jobs.begin(die_once, tmp_path, number) for number in (0, 3)])
    assert [number for number, _ in made] == [0, 3]


def test_deaths_are_counted_anew_when_a_call_was_given_up(tmp_path: Path) -> None:
    with Processes(workers=1) as jobs:
        jobs.begin(os._exit, 1)
        with pytest.raises(JobError, match="workers have died 10 times"):
            jobs.finished(4 * MINUTE)
        assert results(jobs, [jobs.begin(die_once, tmp_path, 0)])[0][0] == 0
        assert len((tmp_path / "0").read_text()) == 2


@pytest.mark.parametrize("error", [MemoryError("no memory"), OSError(28, "No space left"), ValueError()])
def test_what_a_call_raises_is_raised_with_the_place_where(error: Exception) -> None:
    with Processes(workers=1) as jobs:
        jobs.begin(fail, error)
        with pytest.raises(type(error)) as caught:
            jobs.finished(MINUTE)
        assert str(caught.value) == str(error)
        assert "test_jobs.py" in caught.value.__notes__[0]
        assert results(jobs, [jobs.begin(pow, 2, 5)]) == [32]


@pytest.mark.parametrize(
    "error", [SystemExit("bad input"), SystemExit(0), KeyboardInterrupt(), GeneratorExit()]
)
def test_a_call_that_would_end_its_process_fails_and_the_process_lives(
    error: BaseException, capfd: pytest.CaptureFixture[str]
) -> None:
    with Processes(workers=1) as jobs:
        before = results(jobs, [jobs.begin(os.getpid)])
        jobs.begin(fail, error)
        with pytest.raises(JobError) as caught:
            jobs.finished(MINUTE)
        assert str(caught.value) == f"the call has ended by {error!r}"
        assert "test_jobs.py" in caught.value.__notes__[0]
        assert results(jobs, [jobs.begin(os.getpid)]) == before
    assert capfd.readouterr() == ("", "")


def lambda_of(number: int) -> Any:
    """Something that cannot be pickled."""
    return lambda: number


def raise_two_parts() -> None:
    """Raises an exception that cannot be made again."""
    raise TwoPartsError("one", "other")


def test_what_cannot_travel_is_told_and_costs_no_other_call() -> None:
    with Processes(workers=1) as jobs:
        calls: list[tuple[Any, ...]] = [(len, lambda_of(1)), (lambda_of, 1), (raise_two_parts,)]
        messages = ["cannot hand Job to a process: ", "pickle", "TwoPartsError: one other"]
        for call, message in zip(calls, messages, strict=True):
            jobs.begin(*call)
            with pytest.raises(JobError, match=message):
                jobs.finished(MINUTE)
        assert results(jobs, [jobs.begin(pow, 2, 5)]) == [32]


@pytest.mark.parametrize(("workers", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError)])
def test_without_a_worker_there_are_no_processes(workers: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="workers must be"):
        Processes(workers)


def fail_with(number: int) -> int:
    """Fails, but for 0."""
    if number:
        raise ValueError(f"the call {number} of a map that was left")
    return number


def test_a_map_that_was_left_leaves_nothing_to_a_later_one() -> None:
    with Processes(workers=1) as jobs:
        for result in jobs.map(fail_with, [(0,), (1,), (2,)]):
            assert result == 0
            break
        assert jobs.waiting == 0
        assert list(jobs.map(pow, [(2, 3), (2, 4)])) == [8, 16]
        assert list(jobs.map(time.sleep, [(1000,)], stop=lambda: jobs.waiting > 0)) == []
        assert jobs.waiting == 0


def test_maps_at_the_same_time_get_their_own_results_and_failures() -> None:
    with Processes(workers=1) as jobs:
        other = jobs.begin(pow, 2, 5)
        for result in jobs.map(pow, [(2, power) for power in range(6)]):
            assert list(jobs.map(pow, [(result, 2), (result, 3)])) == [result**2, result**3]
        assert results(jobs, [other]) == [32]
        failing = jobs.map(fail_with, [(0,), (1,)])
        assert next(failing) == 0
        assert list(jobs.map(pow, [(2, 3), (2, 4)])) == [8, 16]
        with pytest.raises(ValueError, match="the call 1 of a map"):
            next(failing)


def wait_for_file(begun: Path, goes_on: Path) -> None:
    begun.touch()
    until(goes_on.exists)


def test_a_map_whose_call_was_taken_elsewhere_says_so(tmp_path: Path) -> None:
    with Processes(workers=1) as jobs:
        last = tmp_path / "goes on"
        mapped = jobs.map(wait_for_file, [(tmp_path / "first", tmp_path), (tmp_path / "last", last)])
        assert next(mapped) is None
        last.touch()
        while jobs.waiting:
            jobs.finished(1)
        with pytest.raises(JobError, match="a call of this map was forgotten, or taken by `finished`"):
            next(mapped)


@pytest.mark.parametrize("task", [None, 3])
def test_a_task_without_arguments_is_an_error_and_not_the_end_of_a_map(task: Any) -> None:
    with Processes(workers=1) as jobs:
        with pytest.raises(TypeError, match="must be an iterable"):
            list(jobs.map(pow, [(2, 3), task, (2, 4)]))
        assert jobs.waiting == 0


def test_a_call_that_is_forgotten_is_not_made_if_it_waits_and_else_is_made_in_vain(tmp_path: Path) -> None:
    with Processes(workers=1) as jobs:
        running = jobs.begin(wait_for_file, tmp_path / "begun", tmp_path / "goes on")
        until((tmp_path / "begun").exists)
        waiting, last = jobs.begin(Path.touch, tmp_path / "made"), jobs.begin(pow, 2, 5)
        jobs.forget([running, waiting])
        (tmp_path / "goes on").touch()
        assert jobs.waiting == 1
        assert results(jobs, [last]) == [32]
        assert not (tmp_path / "made").exists()


def test_what_has_finished_is_given_before_a_failure_is_raised() -> None:
    with Processes(workers=1) as jobs:
        first, _, last = jobs.begin(pow, 2, 3), jobs.begin(fail, KeyError("x")), jobs.begin(pow, 2, 4)
        until(last.done)
        assert jobs.finished() == [(first, 8)]
        with pytest.raises(KeyError):
            jobs.finished()
        assert jobs.finished() == [(last, 16)]


def test_closing_does_not_wait_for_calls_and_leaves_no_process() -> None:
    jobs = Processes(workers=2)
    pids = [pid for _, pid in results(jobs, [jobs.begin(pid_after, number, 0.5) for number in range(2)])]
    for _ in range(6):
        jobs.begin(time.sleep, 1000)
    begun = time.monotonic()
    jobs.close()
    assert time.monotonic() - begun < MINUTE
    assert jobs.waiting == 0
    assert not any(alive(pid) for pid in pids)
    jobs.close()


def test_processes_that_were_closed_take_no_calls_and_give_no_results() -> None:
    jobs = Processes(workers=1)
    mapped = jobs.map(time.sleep, [(0,), (1000,)])
    assert next(mapped) is None
    jobs.close()
    for use in (
        lambda: jobs.begin(pow, 2, 3),
        lambda: jobs.finished(MINUTE),
        lambda: next(mapped),
        lambda: list(jobs.map(pow, [(2, 3)])),
    ):
        with pytest.raises(JobError, match=r"^the processes were closed$"):
            use()
    assert jobs.waiting == 0


def test_a_process_that_is_busy_is_asked_nothing_when_all_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    # It may be writing its answer, which nobody reads any more: then both would wait for ever.
    asked: list[object] = []
    ask = Child[object].ask

    def listed(child: Child[object], request: object) -> None:
        asked.append(request)
        ask(child, request)

    class SlowlyClosing:
        """The end of a pipe that says late that it is closed."""

        def __init__(self, connection: Connection) -> None:
            self.connection, self.closed = connection, False

        def close(self) -> None:
            self.connection.close()
            time.sleep(0.5)
            self.closed = True

    monkeypatch.setattr(Child, "ask", listed)
    jobs = Processes(workers=1)
    monkeypatch.setattr(jobs, "_closing", SlowlyClosing(jobs._closing))
    jobs.begin(time.sleep, 1000)
    until(lambda: len(asked) == 1)
    jobs.close()
    assert len(asked) == 1


def pid_after(number: int, seconds: float) -> tuple[int, int]:
    """Its argument and its process, after some time."""
    time.sleep(seconds)
    return number, os.getpid()


SCRIPT = """
import sys, time
from sixplane.jobs import Processes

if __name__ == "__main__":
    jobs = Processes(2)
    for _ in range(3):
        jobs.begin(time.sleep, 1000)
    jobs.begin(pow, 2, 3)
    print("begun", flush=True)
    if sys.argv[1] == "wait":
        jobs.finished(1000)
"""


@pytest.mark.parametrize("how", ["end", "wait"])
def test_a_program_that_ends_or_is_interrupted_leaves_no_process(tmp_path: Path, how: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [*INTERRUPTIBLE, sys.executable, str(script), how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        children: set[str] = set()
        if how == "wait":
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            until(lambda: len(children_of(process.pid)) >= 2 and is_waiting(process.pid))
            children = children_of(process.pid)
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=2 * MINUTE)
    assert said.count("Traceback") == (how == "wait"), said
    until(lambda: not any(alive(int(child)) for child in children))


def test_a_signal_that_came_just_before_a_wait_is_seen() -> None:
    main = threading.main_thread().ident
    assert main is not None

    def names(frame: FrameType | None) -> set[str]:
        return set() if frame is None else {frame.f_code.co_name} | names(frame.f_back)

    def interrupt() -> None:
        # Python is told of the signal, and no call of the main thread ends by it.
        until(lambda: {"finished", "wait"} <= names(sys._current_frames()[main]))
        _thread.interrupt_main()
        until(lambda: "finished" not in names(sys._current_frames()[main]))
        seen.append(True)

    seen: list[bool] = []
    with Processes(1) as jobs, interrupts_raise():
        jobs.begin(time.sleep, 1000)
        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            jobs.finished(2 * MINUTE)
        thread.join()
    assert seen


LATE = """
import multiprocessing, time
from multiprocessing import util
from sixplane.jobs import Processes

if __name__ == "__main__":
    with Processes(1) as before:
        before.begin(pow, 2, 3)
        before.finished(60)
    jobs = Processes(1)

    def begin() -> None:
        jobs.begin(time.sleep, 1000)
        while not multiprocessing.active_children():
            time.sleep(0.01)

    # Before the jobs are ended, and after it was seen what there is to end.
    late = util.Finalize(None, begin, exitpriority=30)
"""


def test_a_process_that_starts_while_the_program_ends_is_ended_too(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(LATE)
    ended = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=2 * MINUTE, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
