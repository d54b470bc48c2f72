"""The levels of a board on the page, and the one that it proposes after some games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

import sixplane
from sixplane import ladder
from sixplane.agents.called import level_name

if TYPE_CHECKING:
    from playwright.sync_api import Browser


pytestmark = pytest.mark.outside("chromium")

RUNGS = ladder.rungs(sixplane.Reversi())


def offered(page: Page, select: str) -> list[str]:
    found: list[str] = page.page.eval_on_selector_all(
        f"#{select} option", "(all) => all.map((one) => one.value)"
    )
    return found


def lose(page: Page) -> None:
    page.wait(lambda state: not state["result"])
    page.click("#resign")
    page.click("#ask-yes")
    page.wait(lambda state: state["result"])


def check_with_axe(page: Page) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.rest()
    found = Axe().run(page.page).response["violations"]
    serious = [one for one in found if one["impact"] in {"serious", "critical"}]
    assert not serious, [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_level_is_chosen_by_a_slider_and_after_two_losses_the_one_below_is_proposed(
    browser: Browser, scheme: str
) -> None:
    with PageProcess("--opponent", "human", "--game", "reversi", "--size", "6") as server:
        page = Page(browser, server, color_scheme=scheme)
        press = page.page.keyboard.press
        page.click("#new")
        # Where there is no ladder, no level is offered; on a board with one the weak agents make way for it.
        assert "level" not in offered(page, "opponent") and "easy" in offered(page, "opponent")
        page.page.check("#sizes input[value='8x8']")
        assert offered(page, "opponent") == ["level", "strong", "stronger", "strongest", "person", "*other"]
        assert offered(page, "watch")[3:] == [f"ladder:+{rung.number}" for rung in RUNGS]
        assert not page.is_visible("#level")
        page.page.select_option("#opponent", "level")
        page.page.locator("#level").focus()
        press("End")
        assert page.text("#level-name") == level_name(RUNGS[-1])
        press("Home")
        press("ArrowRight")
        press("ArrowRight")
        assert page.page.get_attribute("#level", "aria-valuetext") == page.text("#level-name")
        assert page.text("#level-name") == level_name(RUNGS[2])
        check_with_axe(page)
        page.page.evaluate("document.getElementById('more').open = true")
        page.page.fill("#name", "Ada")
        page.click("#begin")
        page.wait(lambda state: state["level"] == 2)
        assert page.text("#player-1 .name") == level_name(RUNGS[2])
        lose(page)
        assert not page.is_visible("#next") and page.status == "White wins by resignation"
        page.click("#again")
        lose(page)
        assert page.status == "White wins by resignation. You lost twice in a row."
        assert page.text("#next") == f"Next: {level_name(RUNGS[1])}" and page.is_visible("#again")
        check_with_axe(page)
        press("x")
        page.wait(lambda state: state["level"] == 1)
        names = [player["name"] for player in page.state["players"]]
        assert names == [level_name(RUNGS[1]), "Ada"] and not page.is_visible("#next")
        # The panel opens with the level that is played.
        page.click("#new")
        assert page.page.input_value("#opponent") == "level" and page.page.input_value("#level") == "1"
        press("Escape")
        page.close()


def test_the_limit_of_the_moves_stays_at_the_next_level_and_in_the_panel(browser: Browser) -> None:
    field = "[data-rule=max_moves]"
    with PageProcess("--level", "1", "--max-moves", "50") as server:
        page = Page(browser, server)
        lose(page)
        page.click("#again")
        lose(page)
        page.click("#next")
        page.wait(lambda state: state["level"] == 0)
        assert page.state["game"]["max_moves"] == 50
        # The panel keeps it for this game, and has no such field for others.
        page.click("#new")
        assert page.page.input_value(field) == "50"
        page.page.check("#games input[value=gomoku]")
        assert page.page.locator(field).count() == 0
        page.page.keyboard.press("Escape")
        page.click("#new")
        page.click("#begin")
        page.wait(lambda state: state["serial"] == 4)
        assert page.state["game"]["max_moves"] == 50
        # An empty field takes it away.
        page.click("#new")
        page.page.evaluate("document.getElementById('more').open = true")
        page.page.fill(field, "")
        page.click("#begin")
        page.wait(lambda state: state["serial"] == 5)
        assert page.state["game"]["max_moves"] is None
        page.click("#new")
        assert page.page.locator(field).count() == 0
        page.page.keyboard.press("Escape")
        page.close()


def test_a_panel_that_is_opened_while_the_next_level_begins_stays_open(browser: Browser) -> None:
    with PageProcess("--level", "1") as server:
        page = Page(browser, server)
        lose(page)
        page.click("#again")
        lose(page)
        page.page.evaluate(
            """() => {
                window.begun = 0;
                window.socket.addEventListener("message", ({ data }) => {
                    window.begun += JSON.parse(data).type === "begun";
                });
                for (const id of ["next", "new"]) document.getElementById(id).click();
            }"""
        )
        page.until(lambda: page.page.evaluate("window.begun") == 1)
        assert page.state["level"] == 0 and page.is_visible("#panel")
        page.page.keyboard.press("Escape")
        page.close()


def test_levels_are_proposed_up_to_the_width_of_a_phone(browser: Browser) -> None:
    with PageProcess("--level", "1") as server:
        page = Page(browser, server, 320, 568)
        for _ in range(3):
            if page.state["result"]:
                page.click("#again")
            lose(page)
        assert page.status.endswith("You lost 3 times in a row.")
        assert page.text("#next") == f"Next: {level_name(ladder.rungs(sixplane.Go(size=9))[0])}"
        assert page.page.evaluate("document.documentElement.scrollWidth") <= 320
        page.click("#next")
        page.wait(lambda state: state["level"] == 0)
        # Nothing is below random moves.
        for _ in range(2):
            if page.state["result"]:
                page.click("#again")
            lose(page)
        assert not page.is_visible("#next")
        page.close()
