"""Programs whose output goes where nothing can be written."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def sixplane_program(arguments: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixplane", *arguments],
        stderr=subprocess.PIPE, text=True, check=False, timeout=120, **options,
    )  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["selfplay", "--games", "3"],
        ["play", "--size", "3", "--watch", "random", "--opponent", "random", "--delay", "0"],
        ["play", "--opponent", "human"],
        ["match", "random", "b@random", "--size", "3", "--games", "2"],
        ["gtp", "--agent", "random"],
        ["gomocup", "--agent", "random"],
        ["bench", "--only", "no such line"],
    ],
    ids=" ".join,
)
def test_a_full_disk_is_an_error_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = sixplane_program(arguments, stdout=full, input="name\nABOUT\n")
    assert done.returncode == 1
    assert re.fullmatch(
        r"sixplane: error: cannot write the output: No space left on device\n", done.stderr
    ), done.stderr


@pytest.mark.parametrize("closed", [1, 2])
@pytest.mark.parametrize(
    "arguments",
    [
        ["selfplay", "--games", "3"],
        ["match", "random", "b@random", "--size", "3", "--games", "2"],
        ["play", "--size", "3", "--watch", "random", "--opponent", "random", "--delay", "0"],
    ],
    ids=" ".join,
)
def test_a_closed_output_is_no_failure(arguments: list[str], closed: int) -> None:
    done = sixplane_program(arguments, stdout=subprocess.PIPE, preexec_fn=lambda: os.close(closed))
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert bool(done.stdout) == (closed == 2)


def test_names_that_the_output_cannot_spell_are_written_as_escapes() -> None:
    done = sixplane_program(
        ["match", "λ@random", "random", "--size", "3", "--games", "2"],
        stdout=subprocess.PIPE, env=os.environ | {"PYTHONIOENCODING": "latin-1"},
    )  # fmt: skip
    assert done.returncode == 0 and r"\u03bb" in done.stdout, done.stderr


def small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["selfplay", "--games", "3"], "cannot write .*game-1.sgf: File too large"),
        (
            ["match", "random", "b@random", "--size", "3", "--games", "2"],
            "cannot use the folder .*: File too",
        ),
    ],
)
def test_a_folder_on_a_full_disk_is_an_error_in_one_line(
    arguments: list[str], says: str, tmp_path: Path
) -> None:
    done = sixplane_program(
        [*arguments, "--out", str(tmp_path)], stdout=subprocess.PIPE, preexec_fn=small_files
    )
    assert done.returncode == 1
    assert re.fullmatch(f"sixplane: error: {says}.*\n", done.stderr)
    assert not list(tmp_path.glob("*.sgf")), "no part of a game is left"
    assert ("last board" in done.stdout) == (arguments[0] == "selfplay"), "what was played is told"


def test_a_record_on_a_full_disk_is_a_failure() -> None:
    arguments = ["play", "--size", "3", "--opponent", "human", "--save", "/dev/full"]
    done = sixplane_program(arguments, stdout=subprocess.PIPE, input="B2\n")
    assert done.returncode == 1
    assert done.stderr == "sixplane: error: cannot write /dev/full: No space left on device\n"
