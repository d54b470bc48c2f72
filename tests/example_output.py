"""What the examples print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from forks import output_of

EXAMPLES = Path(__file__).parents[1] / "examples"

#: The seconds after which an example is taken to hang. `.ci/run` ends a whole set after 3600.
LONGEST = 2100

#: Runs an example whose clock goes on by the same time whenever it is looked at, and which plays few games
#: against a search at its end: they would take most of the time of a test.
BY_LOOKS = """
import itertools, sys, types
from importlib.util import module_from_spec, spec_from_file_location

spec = spec_from_file_location("example", sys.argv[2])
example = sys.modules["example"] = module_from_spec(spec)
spec.loader.exec_module(example)
example.time = types.SimpleNamespace(monotonic=itertools.count(0.0, 60 / int(sys.argv[1])).__next__)
evaluate = example.sixplane.evaluate

def few(agent, opponent, game, *, games, **options):
    return evaluate(agent, opponent, game, games=games if opponent == "random" else 20, **options)

example.sixplane.evaluate = few
sys.argv = [*sys.argv[2:], "--minutes", "1"]
example.main()
"""


#: Runs a file as Python does.
AS_FILE = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"


def example_output(
    folder: Path, name: str, *options: str, looks: int | None = None, is_forked: bool = False
) -> str:
    """Runs an example in a folder, with one thread, and returns what it prints.

    Threads of PyTorch that wait for one another take minutes beside other programs. With `looks`, an example
    that learns for some minutes looks at its clock so often instead: it learns as much on every machine.
    It begins with a new Python, or in a fork, which has imported the libraries.
    """
    file = str(EXAMPLES / name)
    if is_forked:
        code, start = (AS_FILE, []) if looks is None else (BY_LOOKS, [str(looks)])
        return output_of(code, *start, file, *options, folder=folder, seconds=LONGEST)
    start = [] if looks is None else ["-c", BY_LOOKS, str(looks)]
    command = [sys.executable, *start, file, *options]
    done = subprocess.run(
        command,
        capture_output=True, text=True, check=False, cwd=folder, timeout=LONGEST,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def score_against(opponent: str, told: str) -> float:
    """The percentage that an example has printed at its end."""
    score = re.search(rf"^against {opponent}: ([\d.]+)% ", told, re.MULTILINE)
    assert score is not None, told
    return float(score[1])
