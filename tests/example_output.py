"""What the examples print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def example_output(folder: Path, name: str, *options: str) -> str:
    """Runs an example in a folder, with one thread, and returns what it prints.

    Threads of PyTorch that wait for one another take minutes beside other programs.
    """
    command = [sys.executable, str(EXAMPLES / name), *options]
    done = subprocess.run(
        command,
        capture_output=True, text=True, check=False, cwd=folder, timeout=300,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def score_against(opponent: str, told: str) -> float:
    """The percentage that an example has printed at its end."""
    score = re.search(rf"^against {opponent}: ([\d.]+)% ", told, re.MULTILINE)
    assert score is not None, told
    return float(score[1])
