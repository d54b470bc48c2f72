"""Ratings whose series are played side by side, in processes."""

from __future__ import annotations

import gc
import json
import os
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

import sixplane
from commands import run_command
from fake_program import Fake, gone
from interruptible import children_of, started
from sixplane.__main__ import main
from sixplane.agents import ProgramTimeoutError, RandomAgent
from sixplane.jobs import JobError, Processes
from sixplane.match import Rater, rate
from sixplane.match.openings import OpeningsError
from waiting import MINUTE, until

GAME = sixplane.Reversi()
COMMAND = ("rate", "random", "--game", "reversi", "--seed", "1")


class Fails(RandomAgent):
    """Raises an error that its title names."""

    def __init__(self, kind: type[Exception]) -> None:
        super().__init__()
        self.kind = kind

    def select_actions(self, *_: Any) -> Any:
        raise self.kind("x has not answered")

    def __reduce__(self) -> tuple[Any, ...]:
        return Fails, (self.kind,)


def test_a_rating_is_the_same_each_time(tmp_path: Path) -> None:
    first = rate("random", GAME, games=20, seed=1, processes=2)
    assert first.games == 20
    folder = tmp_path / "a"
    with Rater("random", GAME, 20, 1, folder, processes=2) as rater:
        while rater.step():
            written = [json.loads(line) for line in (folder / "rating.jsonl").read_text().splitlines()[1:]]
            assert written == [series._asdict() for series in rater._series]
        assert rater.rating == first
    assert [line["games"] for line in written] == [4, 4, 4, 4, 2, 2]


def test_processes_play_what_this_process_plays() -> None:
    """The seed of a series is that of its number, wherever it is played."""
    with Rater("score-table:random=0.6", sixplane.Gomoku(), 8, 1, processes=2) as rater:
        plans = rater._plans()
        elsewhere = list(rater._played(plans))
    with Rater("score-table:random=0.6", sixplane.Gomoku(), 8, 1) as here:
        assert list(here._played(plans)) == elsewhere


def test_a_rating_goes_on_with_another_number_of_processes(tmp_path: Path) -> None:
    for processes in (1, 2, 3, 1):
        with Rater("random", GAME, 60, 1, tmp_path, processes=processes) as rater:
            before = rater.rating.games
            assert rater.step()
            assert rater.rating.games > before
    assert rate("random", GAME, games=8, seed=1, folder=tmp_path, processes=2) == rater.rating


def test_the_command_prints_the_rating_of_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", "reversi8:random=0.5", "--game", "reversi", "--games", "20", "--seed", "5"]) == 0
    rating = rate("reversi8:random=0.5", GAME, games=20, seed=5)
    printed = capsys.readouterr().out
    assert f"  Elo    {rating.elo:.0f} (95 %: {rating.low:.0f} to {rating.high:.0f})\n" in printed
    assert [line.split() for line in printed.splitlines()[3:]] == [
        [f"+{rung.number}", "Elo", f"{rung.elo:.0f}", f"{points:g}", "of", str(games), rung.spec]
        for rung, points, games in ((each.rung, each.points, each.games) for each in rating.scores)
    ]


def test_an_object_plays_as_a_copy() -> None:
    assert rate(RandomAgent(), GAME, games=8, seed=1, processes=2) == rate(
        RandomAgent(), GAME, games=8, seed=1, processes=2
    )


def test_an_agent_that_does_not_pickle_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    class Local(RandomAgent):
        pass

    agent: Any
    for agent, name in ((Local(), "Local"), (lambda planes: planes, "function")):
        with pytest.raises(JobError, match=f"^cannot hand {name} to a process: "):
            Rater(agent, GAME, folder=tmp_path / "rating", processes=2)
    assert not (tmp_path / "rating").exists()


@pytest.mark.parametrize("kind", [ProgramTimeoutError, OpeningsError])
def test_an_error_in_a_process_is_the_error_of_the_step(kind: type[Exception]) -> None:
    with Rater(Fails(kind), GAME, 8, 1, processes=2) as rater:
        for _ in range(2):
            with pytest.raises(kind) as raised:
                rater.step()
            assert (type(raised.value), str(raised.value)) == (kind, "x has not answered")
        assert rater.rating.games == 0


def test_the_command_goes_on_after_ctrl_c(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rating.jsonl"

    def lines() -> int:
        return len(file.read_bytes().splitlines()) if file.exists() else 0

    options = ["--games", "100000", "--processes", "2", "--out", str(tmp_path)]
    with started(*COMMAND, *options) as process:
        until(lambda: lines() > 3, process)
        children = children_of(process.pid)
        assert len(children) >= 2
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=MINUTE)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    until(lambda: all(gone(int(child)) for child in children))
    kept = [json.loads(line)["games"] for line in file.read_text().splitlines()[1:]]
    told = re.search(r"\n  games  (\d+)\n", printed)
    # A series counts before it is written.
    assert told and int(told[1]) >= sum(kept)
    assert printed.endswith(f"\nsaved {tmp_path / 'rating.svg'}\n")
    assert errors.endswith(f"sixplane: stopped after {told[1]} of 100000 games\n")
    assert main([*COMMAND, "--games", str(sum(kept) + 8), "--out", str(tmp_path)]) == 0
    assert f"\n  games  {sum(kept) + 8}\n" in capsys.readouterr().out


def test_each_process_starts_its_own_program_and_ctrl_c_ends_them(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    thinks = f"gtp:{shlex.join(fake.command(misbehave='time.sleep(1000)'))}"
    with started("rate", thinks, "--game", "go", "--seed", "1", "--processes", "2") as process:
        until(lambda: fake.log.exists() and fake.log.read_text().count("genmove") == 2, process)
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=MINUTE)
    assert (process.returncode, printed) == (130, "")
    assert errors == "sixplane: stopped after 0 of 200 games\n"
    assert len(fake.pids()) >= 2
    until(lambda: all(gone(pid) for pid in fake.pids()))


def test_the_command_refuses_numbers_of_processes_that_are_none() -> None:
    done = run_command(*COMMAND, "--processes", "0")
    assert done.returncode == 2
    assert "argument --processes: '0' is no integer of at least 1" in done.stderr


def test_ctrl_c_again_while_processes_end_leaves_a_rater_that_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with Rater(Fails(KeyError), GAME, 8, 1, processes=2) as rater:
        with monkeypatch.context() as patch:
            patch.setattr(Processes, "close", interrupted)
            with pytest.raises(KeyboardInterrupt):
                rater.step()
        with pytest.raises(KeyError):
            rater.step()


def test_a_rater_that_cannot_be_made_leaves_no_processes_open() -> None:
    def files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = files()
    for _ in range(3):
        with pytest.raises(JobError, match="cannot hand function to a process"):
            Rater(lambda planes: planes, GAME, processes=2)
    gc.collect()
    assert files() == before


def test_a_picture_that_cannot_be_written_does_not_hide_how_a_rating_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "rating.svg").mkdir()
    step, steps = Rater.step, iter((True, False))

    def interrupted(self: Rater) -> bool:
        if next(steps):
            return step(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Rater, "step", interrupted)
    assert main([*COMMAND, "--out", str(tmp_path)]) == 130
    picture, stopped = capsys.readouterr().err.splitlines()[-2:]
    assert picture.startswith(f"sixplane: cannot write {tmp_path / 'rating.svg'}: ")
    assert stopped == "sixplane: stopped after 8 of 200 games"


def test_a_terminal_without_tqdm_has_a_line(tmp_path: Path) -> None:
    (tmp_path / "tqdm.py").write_text("raise ImportError('not here')")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    words = ["-m", "sixplane", *COMMAND, "--games", "20"]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=MINUTE, env=environment)
    child.expect(r"no progress bar; pip install")
    child.expect(r"8 of 20 games, Elo -?\d+, 95 %: ")
    child.expect(pexpect.EOF)


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_bar_shows_the_estimate_in_a_terminal(processes: str) -> None:
    words = ["-m", "sixplane", *COMMAND, "--games", "20", "--processes", processes]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=MINUTE, dimensions=(24, 100))
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    bar = str(child.before).partition("random on the ladder")[0]
    last = bar.rstrip().splitlines()[-1].rpartition("\r")[2]
    assert " 20/20 [" in last
    assert re.search(r"(game/s|s/game), Elo ", last)
    assert ", 95 %: " in last
    assert len(last) <= 100
