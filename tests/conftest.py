"""Rules for every test: one that is skipped has failed, unless an outside program is missing."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from fake_program import Fake, FakeGomocup, is_alive

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

# Debian keeps games where the superuser does not look.
os.environ["PATH"] += os.pathsep + "/usr/games"

# Ray reads this as it is imported. Its 30 seconds for the start of a node are too few on a busy machine.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")
# Its workers give way to all other programs of a machine; here they are what is tested.
os.environ.setdefault("RAY_worker_niceness", "0")

# Every program of a test would start as many threads for NumPy as there are processors, and wait for them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Readline, which pytest imports, sets these for processes that are started; tests make their own terminals.
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("outside"):
        (program,) = mark.args
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    expected = hasattr(report, "wasxfail") or item.get_closest_marker("outside")
    if report.skipped and not expected:
        report.outcome = "failed"
        report.longrepr = f"skipped, though it needs no outside program: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"a whole module was skipped: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's browser, for the tests of the page."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # One process draws all tabs of a context.
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--process-per-site"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fake]:
    """A program behind GTP, of which nothing may be left after the test."""
    fake = Fake(tmp_path)
    yield fake
    _assert_ended(fake)


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[FakeGomocup]:
    """A program behind the protocol of Gomocup, of which nothing may be left after the test."""
    brain = FakeGomocup(tmp_path)
    yield brain
    _assert_ended(brain)


def _assert_ended(fake: Fake | FakeGomocup) -> None:
    if fake.log.exists():
        assert not [pid for pid in fake.pids() if is_alive(pid)], "a process was left"
