"""The page without its server: what it says, and when it comes back."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

from waiting import MINUTE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

LOST = "The connection is lost."


def end(server: PageProcess) -> None:
    server.process.send_signal(signal.SIGINT)
    server.process.wait(MINUTE)


def test_what_cannot_be_sent_is_said(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        end(server)
        page.page.wait_for_selector("#lost", state="visible")
        page.click("#point-12")
        page.wait_for_toast(LOST)
        page.click("#pass")
        page.wait_for_toast(LOST)
        page.click("#new")
        page.click("#begin")
        assert page.text("#panel-error") == LOST
        assert page.text("#begin") == "Start" and not page.is_disabled("#begin")
        page.page.close()


def test_a_game_that_was_asked_for_as_the_connection_broke_can_be_asked_for_again(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.click("#new")
        page.page.evaluate("() => { window.socket.send = () => {}; }")
        page.click("#begin")
        assert page.text("#begin") == "Starting …"
        page.page.evaluate("() => window.socket.close()")
        assert page.text("#panel-error") == LOST
        page.until(lambda: page.connections == 2 and not page.is_visible("#lost"))
        serial = page.state["serial"]
        page.click("#begin")
        page.wait(lambda state: state["serial"] > serial)
        page.page.wait_for_selector("#panel", state="hidden")
        page.close()


def test_a_page_of_an_earlier_server_says_so_and_tries_no_more(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.page.clock.install()
        end(server)
    with PageProcess("--opponent", "human", "--size", "5", "--port", str(server.port)) as other:
        assert other.port == server.port
        said = "The program was started again: open the address that it printed."
        page.until(lambda: page.page.text_content("#lost") == said)
        tries = page.connections
        page.page.clock.fast_forward(1000 * MINUTE)
        assert page.is_visible("#lost") and page.text("#lost") == said and page.connections == tries
        page.page.goto(other.address)
        page.ready()
        assert not page.is_visible("#lost")
        page.page.close()


def test_no_clock_runs_on_without_the_server(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        for place in (12, 7):
            page.click(f"#point-{place}")
            page.wait(lambda state, place=place: state["last"] == place)  # type: ignore[misc]
        assert page.state["clock"]["running"] == 0
        end(server)
        page.page.wait_for_selector("#lost", state="visible")
        before = page.text("#player-0 .clock")
        page.page.wait_for_timeout(1500)
        assert page.text("#player-0 .clock") == before
        page.page.close()
