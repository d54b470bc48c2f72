"""The panel of a new game: fields that are wrong, empty or out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

import sixplane

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")


def set_rule(page: Page, rule: str, value: str) -> None:
    """Fills in a rule, whether it is to be seen or not."""
    page.page.locator(f"[data-rule={rule}]").evaluate("(field, value) => { field.value = value; }", value)


@pytest.mark.parametrize(("rule", "value"), [("komi", "6.3"), ("handicap", "-1")])
def test_a_wrong_rule_that_is_out_of_sight_is_shown(browser: Browser, rule: str, value: str) -> None:
    with PageProcess("--opponent", "human", "--size", "5", "--komi", "2.5") as server:
        page = Page(browser, server)
        page.click("#new")
        set_rule(page, rule, value)
        assert not page.page.locator("#more").get_attribute("open")
        page.click("#begin")
        page.page.wait_for_selector(f"#more[open] [data-rule={rule}]:focus")
        assert page.is_visible("#panel")
        # An empty number stands for the usual one.
        for name in ("komi", "handicap"):
            page.page.fill(f"[data-rule={name}]", "")
        serial = page.state["serial"]
        page.click("#begin")
        page.wait(lambda state: state["serial"] > serial)
        usual = sixplane.Go(size=5)
        rules = page.state["game"]["rules"]
        assert rules["komi"] == usual.komi != 2.5 and rules["handicap"] == 0
        page.close()


def test_wrong_rules_do_not_matter_to_a_game_from_the_position_shown(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        for place in (12, 7):
            page.click(f"#point-{place}")
            page.wait(lambda state, place=place: state["last"] == place)  # type: ignore[misc]
        page.click("#back")
        page.wait(lambda state: state["at"] == 1)
        page.click("#new")
        set_rule(page, "komi", "6.3")
        page.page.check("#starts input[value=shown]")
        serial = page.state["serial"]
        page.click("#begin")
        page.wait(lambda state: state["serial"] > serial)
        assert page.state["played"] == 1
        page.close()


def test_a_new_connection_leaves_the_open_panel_as_it_is(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.click("#new")
        page.page.check("#games input[value=hex]")
        page.page.select_option("#rows", "7")
        page.page.check("#colors input[value=white]")
        page.page.evaluate("() => window.socket.close()")
        # The state comes after what the server offers.
        page.until(lambda: page.connections == 2 and page.page.evaluate("window.shown"))
        for field in ("#games input[value=hex]", "#colors input[value=white]"):
            assert page.page.is_checked(field)
        assert page.page.input_value("#rows") == "7"
        page.page.select_option("#opponent", "person")
        page.click("#begin")
        page.wait(lambda state: state["game"]["name"] == "hex")
        assert page.state["game"]["rows"] == 7
        page.close()


def test_levels_are_those_of_the_board_that_the_game_will_have(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.click("#point-12")
        page.wait(lambda state: state["played"] == 1)
        page.click("#new")
        levels = "#opponent option[value=level]"
        page.page.check("#sizes input[value='9x9']")
        assert page.page.locator(levels).count() == 1
        page.page.check("#starts input[value=shown]")
        assert page.page.locator(levels).count() == 0
        page.page.check("#starts input[value=empty]")
        assert page.page.locator(levels).count() == 1
        page.close()
