"""What `sixplane train` shows: how it goes in one line, and at the end what was made."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from shlex import split
from typing import TYPE_CHECKING

import pexpect
import pytest

from sixplane.agents import AgentSpec
from sixplane.cli.progress import fitted
from sixplane.learn import Metrics
from sixplane.learn.config import Config
from sixplane.learn.folder import RunFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = str(Path(__file__).with_name("pass_training.py"))
SETTINGS = """
blocks = 1
channels = 2
simulations = 2
last_simulations = 2
games_at_once = 4
batch = 16
judge_games = 2
"""


def options(folder: Path, *more: str) -> list[str]:
    """Arguments of a run of a second in `folder/run`."""
    file = folder / "tiny.toml"
    file.write_text(SETTINGS, encoding="utf-8")
    return ["train", "--out", str(folder / "run"), "--workers", "1", "--config", str(file), *more]


def trained(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("columns", [24, 200])
def test_the_line_of_a_run_stays_within_the_terminal(columns: int, tmp_path: Path) -> None:
    arguments = options(tmp_path, "--size", "3", "--minutes", "0.05")
    child = pexpect.spawn(
        sys.executable, [PROGRAM, *arguments], encoding="utf-8", timeout=120, dimensions=(24, columns)
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0, child.before
    progress, _, _end = child.before.replace("\r\n", "\n").partition("\n")
    lines = progress.split("\r")[1:]
    assert len(lines) >= 3
    assert all(len(line) < columns for line in lines)
    assert all(re.match(r"0\.\d of 0\.05 min: \d+", line) for line in lines)
    assert any("loss" in line for line in lines) == (columns > 60)


@pytest.mark.parametrize(
    ("line", "most", "expected"),
    [
        ("1.0 of 2 min: 8 games, 90 positions (3/s), loss 2.3", 80, None),
        ("1.0 of 2 min: 8 games, 90 positions (3/s), loss 2.3", 51, None),
        (
            "1.0 of 2 min: 8 games, 90 positions (3/s), loss 2.3",
            50,
            "1.0 of 2 min: 8 games, 90 positions (3/s)",
        ),
        ("1.0 of 2 min: 8 games, 90 positions (3/s), loss 2.3", 22, "1.0 of 2 min: 8 games"),
        ("1.0 of 2 min: 8 games, 90 positions (3/s), loss 2.3", 21, "1.0 of 2 min: 8 games"),
        ("1.0 of 2 min: 8 games, 90 positions (3/s), loss 2.3", 9, "1.0 of 2 "),
        ("", 5, None),
    ],
)
def test_a_line_is_cut_between_its_parts(line: str, most: int, expected: str | None) -> None:
    assert fitted(line, most) == (line if expected is None else expected)


@pytest.mark.parametrize(
    ("game", "start"),
    [
        (["--game", "go", "--size", "3", "--komi", "0.5", "--suicide"], "--size 3 --komi 0.5 --suicide"),
        (["--game", "reversi", "--size", "4x6"], "--game reversi --size 4x6 --opponent"),
        (
            ["--game", "gomoku", "--size", "5", "--exact-five"],
            "--game gomoku --size 5 --exact-five --opponent",
        ),
    ],
)
def test_the_end_says_what_was_made_and_what_to_do_with_it(
    game: list[str], start: str, tmp_path: Path
) -> None:
    arguments = options(tmp_path, *game)
    out = tmp_path / "run"
    done = trained([*arguments, "--minutes", "0.03"])
    assert done.returncode == 0, done.stderr
    made, strength, network, play, watch, _more = done.stdout.splitlines()
    assert re.fullmatch(r"trained for 0.03 minutes by [\d,]+ games of [\d,]+ positions", made)
    assert strength.startswith("its strength") and "there is no ladder for" in strength
    assert network.split()[-1] == str(out / "last.npz") and (out / "last.npz").is_file()
    assert start in play
    command = split(play)[3:]
    assert command[:2] == ["sixplane", "play"]
    assert AgentSpec.parse(command[-1]).options == {"file": str(out / "last.npz"), "simulations": 400}
    assert split(watch)[-3:] == ["sixplane", "watch", str(out)]

    before = {file: file.stat().st_mtime_ns for file in out.rglob("*")}
    again = trained([*arguments, "--minutes", "0.03"])
    assert (again.returncode, again.stderr) == (0, "")
    said = (
        rf"the run in {out} has ended after 0\.\d+ minutes; with --minutes of more than that the same command"
    )
    assert re.match(said, again.stdout)
    assert {file: file.stat().st_mtime_ns for file in out.rglob("*")} == before


def test_a_run_that_has_ended_goes_on_with_more_minutes(tmp_path: Path) -> None:
    arguments = options(tmp_path, "--size", "3")
    assert trained([*arguments, "--minutes", "0.03"]).returncode == 0
    played = Metrics(tmp_path / "run" / "metrics.csv").rows[-1].minutes
    more = f"{round(played + 0.03, 2):g}"
    longer = trained([*arguments, "--minutes", more])
    assert longer.returncode == 0 and longer.stdout.startswith(f"trained for {more} minutes")


def test_a_folder_with_a_comma_and_a_space_is_written_so_that_it_can_be_typed(tmp_path: Path) -> None:
    folder = tmp_path / "lr=1, batch=2"
    folder.mkdir()
    done = trained(options(folder, "--size", "3", "--minutes", "0.02"))
    assert done.returncode == 0, done.stderr
    command = split(done.stdout.splitlines()[3])
    assert AgentSpec.parse(command[-1]).options["file"] == str(folder / "run" / "last.npz")


def test_a_folder_in_use_is_refused_before_pytorch_is_loaded(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["torch"] = None
from sixplane.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
    arguments = options(tmp_path, "--size", "3")
    with RunFolder(Config.read(tmp_path / "tiny.toml", size=3, out=str(tmp_path / "run"))):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, timeout=60
        )
    said = f"sixplane: error: the folder {tmp_path / 'run'} is in use by another run\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    # Another game, a folder of something else: the same.
    other = [*arguments, "--game", "reversi", "--size", "6"]
    done = subprocess.run(
        [sys.executable, "-c", code, *other], capture_output=True, text=True, check=False, timeout=60
    )
    assert "holds another run: game go, not reversi" in done.stderr and done.stderr.count("\n") == 1


def test_training_without_pytorch_names_the_extra_and_leaves_nothing(tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules["torch"] = None
from sixplane import learn
try:
    learn.train(learn.Config(game="reversi", size=4, out={str(tmp_path / "run")!r}))
except ModuleNotFoundError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "training needs PyTorch: pip install 'sixplane[train]'\n", done.stderr
    assert not (tmp_path / "run").exists()
