"""The times on the page: of each move, of both players in all, and a delay that is on no clock."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser


pytestmark = pytest.mark.outside("chromium")


def test_two_agents_that_are_watched_do_not_lose_on_time_by_the_delay(browser: Browser) -> None:
    options = ["--watch", "random", "--opponent", "random", "--size", "5", "--max-moves", "2"]
    with PageProcess(*options, "--delay", "4", "--seconds-per-move", "3") as server:
        page = Page(browser, server)
        page.wait(lambda state: state["result"] is not None)
        assert page.state["result"]["ending"] == "moves" and len(page.state["moves"]) == 2
        used = page.page.locator("#moves button").evaluate_all("all => all.map(one => one.dataset.used)")
        assert len(used) == 2 and all(re.fullmatch(r"[0-2]\.\d s", text) for text in used)
        page.close()


def test_with_a_limit_the_page_shows_what_is_left_and_the_total(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5", "--seconds-per-move", "600") as server:
        page = Page(browser, server)
        page.click("#point-12")
        page.wait(lambda state: len(state["moves"]) == 1)
        for color, left in (("0", r"10:00"), ("1", r"(10:00|9:\d\d)")):
            clock = page.page.locator(f"#player-{color} .clock")
            assert re.fullmatch(left, clock.text_content())
            assert re.fullmatch(r"0:\d\d in all", clock.get_attribute("data-total"))
        assert re.fullmatch(r"\d\.\d s|0:\d\d", page.page.locator("#moves button").get_attribute("data-used"))
        page.close()


def test_who_loses_on_time_reads_one_sentence(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5", "--seconds-per-move", "0.3") as server:
        page = Page(browser, server)
        page.click("#point-12")  # No clock runs before the first move.
        page.wait(lambda state: state["result"] is not None)
        page.page.wait_for_function("document.querySelector('#status').textContent.includes('on time')")
        assert page.status == "Black wins on time"
        page.close()


@pytest.mark.parametrize("is_away", [False, True])
def test_a_loss_on_time_is_said_while_moves_are_tried_out(browser: Browser, is_away: bool) -> None:
    with PageProcess("--opponent", "human", "--size", "5", "--seconds-per-move", "2") as server:
        page = Page(browser, server)
        page.click("#point-12")
        page.wait(lambda state: state["played"] == 1)
        page.page.keyboard.press("v")
        if is_away:
            page.click("#point-7")
        page.wait(lambda state: state["result"] is not None and state["is_live"] is not is_away)
        if is_away:
            page.wait_for_toast("Black wins on time")
        else:
            page.page.wait_for_function("document.querySelector('#status').textContent.includes('on time')")
            assert page.status == "Black wins on time"
            assert page.page.get_attribute("#try", "aria-pressed") == "false"
        page.close()
