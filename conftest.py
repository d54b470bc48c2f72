"""Tests that need packages which `make test` goes without are collected only where those are installed.

This file is read before any other of the tests, so that it can set what NumPy reads as it is imported.
"""

from __future__ import annotations

import os
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from which_tests import sets

# Tests run side by side, and threads of NumPy and PyTorch that wait for one another keep a processor busy.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

ROOT = Path(__file__).parent

#: Modules with doctests, and tests -> the packages that they import.
NEEDS: dict[str, list[str]] = tomllib.loads((ROOT / "tests/needs.toml").read_text(encoding="utf-8"))

#: The packages of those that are not installed.
MISSING = frozenset(name for names in NEEDS.values() for name in names if find_spec(name) is None)

#: What cannot be imported here.
LEFT_OUT = frozenset(ROOT / path for path, packages in NEEDS.items() if not MISSING.isdisjoint(packages))

SETS = {each.name: each for each in sets()}


@pytest.fixture(scope="session", autouse=True)
def logs_of_sb3(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Stable-Baselines3 makes a folder for each training, which nobody deletes, in that of the system."""
    os.environ["SB3_LOGDIR"] = str(tmp_path_factory.mktemp("sb3"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--set test-programs` runs the files of one set of tests/sets.toml, of the folders that are given."""
    parser.addoption("--set", choices=list(SETS), help="of the tests, those of this set of tests/sets.toml")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out what cannot be imported, and the files of other sets.

    pytest goes through a folder anew for each of its files that it is given, and through a list
    `collect_ignore` for each file: that was most of the time until the first test.
    """
    if collection_path in LEFT_OUT:
        return True
    name = config.getoption("set")
    if name is None or collection_path.suffix != ".py" or not collection_path.is_relative_to(ROOT / "tests"):
        return None
    return None if SETS[name].holds(collection_path.relative_to(ROOT).as_posix()) else True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says aloud what was not tested."""
    if MISSING:
        terminalreporter.section("not tested here")
        terminalreporter.line(f"{len(LEFT_OUT)} modules and files of tests, which `make test-all` runs:")
        terminalreporter.line(f"missing are {', '.join(sorted(MISSING))}")
