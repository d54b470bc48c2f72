"""How many threads work is given to where nobody asks for a number."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sixplane import GameBatch, Go, _core
from sixplane.__main__ import main

VARIABLE = "SIXPLANE_THREADS"


@pytest.fixture(autouse=True)
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_the_variable_limits_the_default_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert _core.default_threads() == processors
    for text, expected in [("1", 1), (" 1 ", 1), ("100000", processors), ("", processors)]:
        monkeypatch.setenv(VARIABLE, text)
        assert _core.default_threads() == expected, text
    monkeypatch.setenv(VARIABLE, "1")
    assert GameBatch(Go(size=5), 4, threads=3).threads == 3
    assert GameBatch(Go(size=5), 4).threads is None


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "1 2", "9" * 40])
@pytest.mark.parametrize(
    "use",
    [
        lambda: GameBatch(Go(size=5), 4),
        lambda: GameBatch.from_games([Go(size=5)]),
        lambda: _core.selfplay(Go(size=5), 0, 1, 0),
        _core.default_threads,
    ],
)
def test_a_malformed_limit_is_an_error_at_the_first_use(
    use: Any, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(ValueError, match=f'{VARIABLE} must be a positive integer, not "{text}"'):
        use()
    assert len(GameBatch(Go(size=5), 4, threads=1)) == 4, "who asks for a number is not concerned"


@pytest.mark.parametrize(
    "command", [["selfplay", "--games", "1", "--size", "5"], ["play", "--size", "5", "--save", "none.sgf"]]
)
def test_a_program_says_in_one_line_that_the_limit_is_malformed(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(VARIABLE, "many")
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    expected = (
        f'sixplane: error: the environment variable {VARIABLE} must be a positive integer, not "many"\n'
    )
    assert capsys.readouterr().err == expected


COUNT_THREADS = """
import sixplane
from pathlib import Path
batch = sixplane.GameBatch(sixplane.Go(size=19), 512, seed=1)
for _ in range(4):
    batch.play_random(20)
print(len(list(Path("/proc/self/task").iterdir())))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the threads of a process")
def test_one_thread_means_that_no_other_is_started() -> None:
    quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    counts = {}
    for limit in ("1", "2"):
        environment = os.environ | quiet | {VARIABLE: limit}
        command = [sys.executable, "-c", COUNT_THREADS]
        counts[limit] = int(subprocess.check_output(command, env=environment, text=True))
    assert counts["1"] == 1
    assert counts["2"] == min(2, len(os.sched_getaffinity(0)))
