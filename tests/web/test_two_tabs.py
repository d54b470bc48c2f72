"""Two pages at one game: what one of them does while the other is in the middle of something."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

TOO_LATE = "The board has changed meanwhile."


def test_a_tap_stands_until_the_position_changes(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "19") as server:
        phone, other = Page(browser, server, 360, 640, has_touch=True, is_mobile=True), Page(browser, server)
        phone.page.tap("#point-60")
        phone.wait_for_toast("Tap the point again to play there.")
        # Whatever agents and others do, a state arrives.
        version = phone.state["version"]
        other.click("#hint")
        phone.wait(lambda state: state["version"] > version and isinstance(state["hint"], int))
        assert phone.page.locator(".board .cursor").count() == 1
        phone.page.tap("#point-60")
        phone.wait(lambda state: state["last"] == 60)
        phone.page.tap("#point-80")
        other.click("#point-100")
        phone.wait(lambda state: state["last"] == 100)
        phone.page.tap("#point-80")
        phone.wait_for_toast("Tap the point again to play there.")
        assert phone.state["played"] == 2 and phone.page.locator(".board .cursor").count() == 1
        phone.close()
        other.close()


@pytest.mark.parametrize("key", ["r", "c"])
def test_a_question_about_one_game_ends_no_other(browser: Browser, key: str) -> None:
    with PageProcess("--game", "gomoku", "--opponent", "human", "--size", "9") as server:
        page, other = Page(browser, server), Page(browser, server)
        page.page.keyboard.press(key)
        other.new("gomoku", 9, 9, "person")
        page.wait(lambda state: state["serial"] == 2)
        page.click("#ask-yes")
        page.wait_for_toast(TOO_LATE)
        # Nor does one about an earlier position.
        page.page.keyboard.press(key)
        other.click("#point-40")
        page.wait(lambda state: state["played"] == 1)
        page.click("#ask-yes")
        page.wait_for_toast(TOO_LATE)
        assert not page.state["result"]
        page.page.keyboard.press(key)
        page.click("#ask-yes")
        page.wait(lambda state: state["result"])
        page.close()
        other.close()


#: Keeps what a page sends.
KEEPS = """() => {
  window.kept = [];
  const send = socket.send.bind(socket);
  socket.send = (text) => { kept.push(text); send(text); };
}"""


def test_what_changes_a_game_names_the_game_that_is_shown(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.page.evaluate(KEEPS)
        for button, played in (("#point-12", 1), ("#pass", 2), ("#undo", 1), ("#pass", 2), ("#pass", 3)):
            page.click(button)
            page.wait(lambda state, played=played: state["played"] == played)  # type: ignore[misc]
        page.click("#point-12")
        page.wait(lambda state: state["counting"]["dead"] == [12])
        page.click("#agree-0")
        page.wait(lambda state: state["counting"]["agreed"][0])
        page.click("#suggest")
        page.page.keyboard.press("Home")
        page.wait(lambda state: state["at"] == 0)
        page.click("#point-3")
        page.wait(lambda state: state["last"] == 3)
        sent = [json.loads(text) for text in page.page.evaluate("kept")]
        assert {one["do"] for one in sent} == {"play", "undo", "mark", "agree", "look", "try"}
        assert all(one["serial"] == 1 for one in sent if one["do"] != "look")
        page.close()


def test_the_position_shown_is_one_of_the_game_that_was_shown(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page, other = Page(browser, server), Page(browser, server)
        for place in (12, 7):
            page.click(f"#point-{place}")
            page.wait(lambda state, place=place: state["last"] == place)  # type: ignore[misc]
        page.click("#back")
        page.wait(lambda state: state["at"] == 1)
        page.click("#new")
        page.page.check("#starts input[value=shown]")
        other.new("go", 7, 7, "person")
        for place in (0, 1):
            other.click(f"#point-{place}")
            other.wait(lambda state, place=place: state["last"] == place)  # type: ignore[misc]
        page.click("#begin")
        assert page.text("#panel-error") == TOO_LATE
        assert page.state["game"]["rows"] == 7 and page.state["serial"] == 2
        page.close()
        other.close()
