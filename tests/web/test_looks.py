"""How the page looks: its main states, compared with kept pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from looks import check_look
from page_server import Page, PageProcess
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

RECORD = (
    "(;GM[1]SZ[9]KM[6.5]PB[Ada]PW[Bob];B[ee];W[gc]"
    "(;B[cg]C[Played.];W[gg];B[cc])(;B[cc]C[Better];W[cg])(;B[gg]))"
)
WALL = (
    "(;GM[1]SZ[9]KM[6.5];B[ed];W[fd];B[ee];W[fe];B[ef];W[ff];B[ec];W[fc];B[eb];W[fb];B[ea];W[fa]"
    ";B[eg];W[fg];B[eh];W[fh];B[ei];W[fi];B[hc];W[bf];B[];W[])"
)
FIVE = "(;GM[4]SZ[15];B[hh];W[gh];B[hi];W[gi];B[hg];W[gg];B[hf];W[gf];B[he])"


@pytest.fixture(scope="module")
def server() -> Iterator[PageProcess]:
    with PageProcess("--opponent", "human", "--size", "9") as process:
        yield process


def opened(
    browser: Browser, server: PageProcess, record: str, width: int, height: int, **options: Any
) -> Page:
    """A page that shows the end of a record."""
    page = Page(browser, server, width, height, **options)
    serial = page.state["serial"]
    page.drop(record)
    page.wait(lambda state: state["serial"] > serial)
    page.wait_for_toast("The record is open.")
    page.page.evaluate("document.getElementById('toast').hidden = true")
    return page


def set_theme(page: Page, theme: str) -> None:
    """Chooses a board in the settings."""
    before = page.state["board"]
    page.click("#settings")
    page.page.check(f"#themes input[value={theme}]")
    page.page.keyboard.press("Escape")
    page.wait(lambda state: state["board"] != before)


@pytest.mark.parametrize(
    "case",
    [
        ("go-record", RECORD, 1366, 768, "light", "classic"),
        ("go-dark", RECORD, 1366, 768, "dark", "slate"),
        ("go-phone", RECORD, 360, 640, "light", "classic"),
        ("gomoku-won", FIVE, 1366, 768, "light", "classic"),
        ("reversi-paper", "(;GM[2]SZ[8];B[dc];W[cc])", 1366, 768, "dark", "paper"),
        ("go-2x2", "(;GM[1]SZ[2];B[bb])", 1366, 768, "light", "paper"),
        ("go-25x25", "(;GM[1]SZ[25];B[ma];W[mm];B[yy])", 1366, 768, "light", "slate"),
        ("go-5x19", "(;GM[1]SZ[19:5];B[cc];W[qc])", 1366, 768, "dark", "classic"),
        ("go-4k", RECORD, 3840, 2160, "light", "classic"),
    ],
    ids=lambda case: case[0],
)
def test_boards_look_as_before(browser: Browser, server: PageProcess, tmp_path: Path, case: Any) -> None:
    name, record, width, height, scheme, theme = case
    page = opened(browser, server, record, width, height, color_scheme=scheme, bypass_csp=True)
    if theme != "classic":
        set_theme(page, theme)
    check_look(page.page, name, tmp_path)
    page.close()


def test_sheets_and_the_count_look_as_before(browser: Browser, server: PageProcess, tmp_path: Path) -> None:
    page = opened(browser, server, WALL, 1366, 768, bypass_csp=True)
    page.wait(lambda state: state["counting"]["dead"] == [25, 46])
    check_look(page.page, "go-count", tmp_path)
    page.click("#new")
    check_look(page.page, "new-game", tmp_path)
    page.page.keyboard.press("Escape")
    page.click("#settings")
    check_look(page.page, "settings", tmp_path)
    page.close()


def test_another_look_is_found_and_drawn(
    browser: Browser, server: PageProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIXPLANE_KEEP_LOOKS", raising=False)
    page = opened(browser, server, RECORD.replace("B[cc])(", "B[cc];W[bb])("), 1366, 768, bypass_csp=True)
    check_look_fails = pytest.raises(AssertionError, match=r"of go-record differ, see .*-difference\.png")
    with check_look_fails as caught:
        check_look(page.page, "go-record", tmp_path)
    picture = np.asarray(Image.open(str(caught.value).rsplit(" ", 1)[1]))
    assert (picture == (220, 0, 0)).all(axis=2).any()
    page.close()
