"""The side of the page on screens where it has little space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

SCREENS = [(1280, 900), (1024, 768), (390, 844)]
RECORD = (
    f"(;GM[2]SZ[8]EV[{'A long event ' * 8}]PB[{'Ada of the ' * 4}]PW[{'Bob of the ' * 4}]BR[9d]WR[9d]"
    f";B[dc](;W[cc]C[{'A long comment. ' * 60}];B[cd])(;W[ec])(;W[ce]))"
)


def cut_off(page: Page, selector: str) -> list[str]:
    """The texts of elements that are wider than their place."""
    found: list[str] = page.page.eval_on_selector_all(
        selector,
        """all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)""",
    )
    return found


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_actions_and_moves_have_the_width_that_they_need(browser: Browser, width: int, height: int) -> None:
    with PageProcess("--game", "reversi", "--opponent", "human") as server:
        page = Page(browser, server, width, height)
        for _ in range(12):
            played = page.state["played"]
            page.click(f"#point-{page.state['legal'][0]}")
            page.wait(lambda state, played=played: state["played"] > played)  # type: ignore[misc]
        # Numbers, names and times as long as they become.
        page.page.evaluate(
            """() => { for (const button of document.querySelectorAll("#moves button")) {
                button.dataset.used = "12:34";
                button.querySelector(".number").textContent = "100";
            } }"""
        )
        assert page.page.locator(".actions button:visible").count() == 6
        assert cut_off(page, ".actions button") == cut_off(page, "#moves button") == []
        page.close()


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_a_record_with_long_texts_leaves_space_for_the_moves(
    browser: Browser, width: int, height: int
) -> None:
    with PageProcess("--opponent", "human") as server:
        page = Page(browser, server, width, height)
        page.drop(RECORD)
        page.wait(lambda state: state["game"]["name"] == "reversi")
        page.click("#first")
        for at in (1, 2):
            page.click("#forward")
            page.wait(lambda state, at=at: state["at"] == at)  # type: ignore[misc]
        moves, around = page.box("#moves"), page.box(".moves")
        assert moves["height"] >= 60
        assert moves["y"] + moves["height"] <= around["y"] + around["height"]
        if width > height:
            assert around["y"] + around["height"] <= height
        page.close()
