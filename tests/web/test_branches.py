"""Going through a game: variations, comments, trying out, and going on from a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

SGF = (
    "(;GM[1]SZ[9]KM[6.5]PB[Ada]PW[Bob]C[<b>Start</b>];B[ee];W[gc]"
    "(;B[cg]C[Played];W[gg];B[cc])(;B[cc]C[Better];W[cg])(;B[gg]))"
)


def test_a_tree_is_walked_by_keys_and_buttons(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.drop(SGF)
        page.wait(lambda state: len(state["moves"]) == 5)
        press = page.page.keyboard.press
        press("<")
        page.wait(lambda state: state["at"] == 0)
        assert page.text("#comment") == "<b>Start</b>" and page.page.locator("#comment b").count() == 0
        for _ in range(3):
            press(".")  # perhaps quicker than the server
        page.wait(lambda state: state["at"] == 3)
        assert page.text("#comment") == "Played"
        assert page.page.locator("#branches [data-place]").all_text_contents() == ["C3", "C7", "G3"]
        press("]")
        page.wait(lambda state: state["branch"] == 2)
        assert page.text("#comment") == "Better" and page.page.locator("#moves .branch").count() == 2
        # Back and forward stays on this line.
        press(",")
        page.wait(lambda state: state["at"] == 2)
        press(".")
        page.wait(lambda state: state["last"] == 20)
        page.click("#branches [data-place]:last-of-type")
        page.wait(lambda state: state["last"] == 60)
        page.click(".back-to-game")
        page.wait(lambda state: state["is_live"] and state["at"] == 5)
        page.close()


def test_arrows_and_the_wheel_walk_through_the_moves(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.drop(SGF)
        page.wait(lambda state: len(state["moves"]) == 5)
        press = page.page.keyboard.press

        def shown_after(key: str, at: int) -> None:
            press(key)
            page.wait(lambda state: state["at"] == at)

        shown_after("ArrowLeft", 4)
        shown_after("Home", 0)
        shown_after("ArrowRight", 1)
        shown_after("End", 5)
        shown_after("Home", 0)
        for _ in range(3):
            press("ArrowRight")
        page.wait(lambda state: state["at"] == 3)
        press("ArrowDown")
        page.wait(lambda state: state["comment"] == "Better")
        press("ArrowUp")
        page.wait(lambda state: state["comment"] == "Played")
        # A click gives the board the focus, and arrows still walk.
        page.click("#point-0")
        page.wait(lambda state: state["last"] == 0)
        before = page.page.get_attribute("#board .cells", "aria-activedescendant")
        shown_after("ArrowLeft", 3)
        shown_after("ArrowLeft", 2)
        cells = page.page.locator("#board .cells")
        assert cells.get_attribute("aria-activedescendant") == before
        press("Enter")
        # By keyboard, arrows choose a point.
        page.page.locator("#help").focus()
        press("Tab")
        page.until(lambda: page.page.evaluate("document.activeElement.matches('.cells')"))
        press("ArrowRight")
        assert cells.get_attribute("aria-activedescendant") == "point-1" and page.state["at"] == 2
        for turns, at in ((-100, 1), (-100, 0), (100, 1), (20, 1), (20, 1), (20, 2)):
            page.page.hover("#point-40")
            page.page.wait_for_timeout(60)
            page.page.mouse.wheel(0, turns)
            page.wait(lambda state, at=at: state["at"] == at)  # type: ignore[misc]
        page.close()


MARKED = (
    "(;GM[1]SZ[9]PB[Ada]PW[Bob]BR[9p]WR[3d]EV[Spring Cup]DT[2026-04-01]RE[B+R]"
    ";B[ee]TR[ee]SQ[aa:ba]LB[cc:A][dd:<b>][zz:x]CR[gg]MA[hh];W[gc])"
)


def test_a_record_tells_its_event_ranks_result_and_marks(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5", "--seconds-per-move", "30") as server:
        page = Page(browser, server)
        page.drop(MARKED)
        page.wait(lambda state: len(state["moves"]) == 2)
        assert page.text("#title").endswith(" · Spring Cup · 2026-04-01 · B+R")
        assert page.text("#player-0 .name") == "Ada 9p" and page.text("#player-1 .name") == "Bob 3d"
        # Reading uses nobody's time.
        assert page.state["clock"]["running"] is None
        assert page.page.locator(".board .mark").count() == 0
        page.page.keyboard.press("ArrowLeft")
        page.wait(lambda state: state["at"] == 1)
        assert page.page.locator(".board .mark").count() == 5
        assert page.page.locator(".board .mark-label").all_text_contents() == ["A", "<b>"]
        labels = {place: page.page.get_attribute(f"#point-{place}", "aria-label") for place in (0, 20, 40)}
        assert labels == {
            0: "A9, empty, square",
            20: "C7, empty, label A",
            40: "E5, black, last move, triangle",
        }
        page.new("go", 5, 5, "person")
        assert page.text("#title") == "Go 5\u00d75 · komi 7.5" and not page.state["about"]
        page.close()


def test_steps_that_a_slow_server_has_not_answered_are_counted(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.drop(SGF)
        page.wait(lambda state: len(state["moves"]) == 5)
        # No answer arrives within one task of the browser, and two seconds pass between the steps.
        page.page.evaluate(
            """(keys) => {
                const now = performance.now.bind(performance);
                keys.forEach((key, index) => {
                    performance.now = () => now() + 2000 * index;
                    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                });
            }""",
            [",", ",", ",", "."],
        )
        page.wait(lambda state: state["at"] == 3)
        page.close()


def test_moves_are_tried_out_while_the_game_waits(browser: Browser, tmp_path: Path) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page, other = Page(browser, server), Page(browser, server)
        page.click("#point-12")
        for tab in (page, other):
            tab.wait(lambda state: state["played"] == 1)
        page.page.keyboard.press("v")
        assert page.page.get_attribute("#try", "aria-pressed") == "true"
        for place in (7, 11, 17):
            page.click(f"#point-{place}")
            page.wait(lambda state, place=place: state["last"] == place)  # type: ignore[misc]
        page.click("#pass")
        page.wait(lambda state: state["moves"][-1][1] == "pass")
        assert page.state["played"] == 1 and page.state["branch"] == 1 and other.state["at"] == 1
        page.click("#undo")
        page.wait(lambda state: state["at"] == 4)
        # The game goes on meanwhile.
        other.click("#point-0")
        page.wait(lambda state: state["played"] == 2)
        assert page.state["at"] == 4
        page.page.keyboard.press("v")
        page.wait(lambda state: state["is_live"] and state["at"] == 2)
        with page.page.expect_download() as waiting:
            page.click("#save")
        saved = tmp_path / "game.sgf"
        waiting.value.save_as(saved)
        assert saved.read_text().count("(") == 3
        page.close()
        other.close()


def test_what_was_tried_out_behind_the_game_is_no_part_of_it(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--hint", "random", "--size", "5") as server:
        page = Page(browser, server)
        page.click("#point-12")
        page.wait(lambda state: state["played"] == 1)
        page.click("#try")
        page.click("#pass")
        page.wait(lambda state: state["moves"][-1][1] == "pass")
        page.page.keyboard.press("ArrowLeft")
        page.wait(lambda state: state["is_live"] and len(state["moves"]) == 2)
        page.until(lambda: page.status == "White to play")
        page.click("#hint")
        page.wait(lambda state: isinstance(state["hint"], int))
        page.until(lambda: page.status.startswith("Hint: "))
        page.close()


def plays_on(page: Page, free: int, count: int) -> None:
    """Plays where it is shown that the next move counts, and sees it."""
    assert page.status == "White to play" and page.state["is_live"]
    page.page.click(f'#board [data-point="{free}"]')
    page.wait(lambda state: state["played"] == count and state["is_live"])
    assert page.state["stones"][free] == "w" and page.status == "Black to play"
    page.page.keyboard.press("u")
    page.wait(lambda state: state["played"] == count - 1 and state["is_live"])


def test_the_page_goes_on_with_the_game_however_it_has_come_to_its_last_position(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        press = page.page.keyboard.press

        def click(point: int) -> None:
            page.page.click(f'#board [data-point="{point}"]')

        for count, point in enumerate((12, 7, 13), 1):
            click(point)
            page.wait(lambda state, count=count: state["played"] == count)  # type: ignore[misc]
        # By stepping back from what was tried out.
        press("v")
        click(20)
        page.wait(lambda state: not state["is_live"])
        press("ArrowLeft")
        page.wait(lambda state: state["is_live"])
        plays_on(page, 0, 4)
        # By the move that was played, played again in the position before it.
        press("ArrowLeft")
        page.wait(lambda state: state["at"] == 2)
        click(13)
        page.wait(lambda state: state["at"] == 3)
        plays_on(page, 1, 4)
        # From a variation beside the last move.
        press("ArrowLeft")
        page.wait(lambda state: state["at"] == 2)
        click(24)
        page.wait(lambda state: state["branch"] == 2)
        press("ArrowUp")
        page.wait(lambda state: state["is_live"])
        plays_on(page, 2, 4)
        page.close()


def test_who_goes_through_variations_by_keys_stays_on_their_button(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.drop(SGF)
        page.wait(lambda state: len(state["moves"]) == 5)
        page.page.keyboard.press("<")
        for at in (1, 2, 3):
            page.page.keyboard.press(".")
            page.wait(lambda state, at=at: state["at"] == at)  # type: ignore[misc]
        page.page.focus("#branches [data-place]:last-of-type")
        page.page.keyboard.press("Enter")
        page.wait(lambda state: state["last"] == 60)
        assert page.page.evaluate("document.activeElement.textContent") == "G3"
        page.close()


def test_a_record_goes_on_against_an_agent_from_the_position_shown(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.drop(SGF)
        page.wait(lambda state: len(state["moves"]) == 5)
        page.click("#back")
        page.wait(lambda state: state["at"] == 4)
        serial = page.state["serial"]
        page.click("#new")
        assert page.page.is_checked("#starts input[value=shown]") and not page.is_visible("#games")
        page.page.select_option("#opponent", "level")
        page.page.fill("#level", "0")
        page.page.check("#colors input[value=white]")
        page.click("#begin")
        page.wait(lambda state: state["serial"] > serial and state["played"] == 5)
        assert page.state["is_live"] and page.text("#player-0 .name") == "Level 0, random moves"
        assert [name for _, name in page.state["moves"][:4]] == ["E5", "G7", "C3", "G3"]
        page.click(f"#point-{page.state['legal'][0]}")
        page.wait(lambda state: state["played"] >= 6)
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_problem_beside_the_game(browser: Browser, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    def check() -> None:
        page.rest()
        found = Axe().run(page.page).response["violations"]
        serious = [one for one in found if one["impact"] in {"serious", "critical"}]
        assert not serious, [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious]

    with PageProcess("--opponent", "human", "--size", "5", "--hint", "mcts:simulations=30") as server:
        page = Page(browser, server, color_scheme=scheme)
        page.drop(SGF)
        page.wait(lambda state: len(state["moves"]) == 5)
        page.page.select_option("#overlay", "visits")
        page.page.locator("#overlay").blur()
        page.page.keyboard.press(",")
        page.page.keyboard.press(",")
        page.wait(lambda state: state["at"] == 3 and state["insight"])
        page.page.keyboard.press("]")
        page.wait(lambda state: state["branch"] == 2)
        check()
        page.click(".back-to-game")
        page.wait(lambda state: state["is_live"])
        for played in (6, 7):
            page.click("#pass")
            page.wait(lambda state, played=played: state["played"] == played)  # type: ignore[misc]
        dead = page.state["counting"]["dead"]
        page.click("#point-20")
        page.wait(lambda state: state["counting"]["dead"] != dead)
        check()
        page.close()
