"""The ends of games on the page, and links to positions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser


pytestmark = pytest.mark.outside("chromium")

WALL = (
    "(;GM[1]SZ[9]KM[6.5];B[ed];W[fd];B[ee];W[fe];B[ef];W[ff];B[ec];W[fc];B[eb];W[fb];B[ea];W[fa]"
    ";B[eg];W[fg];B[eh];W[fh];B[ei];W[fi];B[hc];W[bf])"
)


def test_dead_stones_are_marked_and_agreed_on(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page, other = Page(browser, server), Page(browser, server)
        page.drop(WALL)
        page.wait(lambda state: state["played"] == 20)
        before = page.box("#moves")
        for _ in range(2):
            played = page.state["played"]
            page.click("#pass")
            page.wait(lambda state, played=played: state["played"] == played + 1)  # type: ignore[misc]
        # Counting begins with what random games hold to be dead; people correct it.
        for tab in (page, other):
            tab.wait(lambda state: state["counting"] and state["counting"]["dead"] == [25, 46])
        assert (
            page.status == "Black by 2.5, if both agree on the dead stones." and page.box("#moves") == before
        )
        page.click("#point-46")
        other.wait(lambda state: state["counting"]["dead"] == [25])
        assert page.page.get_attribute("#point-25", "aria-label") == "H7, black, dead"
        page.click("#point-25")
        page.wait(lambda state: not state["counting"]["dead"])
        assert page.status == "White wins by 6.5. Click on dead stones."
        page.click("#suggest")
        page.wait(lambda state: state["counting"]["dead"] == [25, 46])
        assert page.text("#agree-0") == "Black agrees"
        page.click("#agree-0")
        other.wait(lambda state: state["counting"]["agreed"] == [True, False])
        other.click("#agree-1")
        page.wait(lambda state: state["result"]["winner"] == "black")
        assert page.status == "Black wins by 2.5. Both agree."
        assert page.text("#player-0 .tally") == "45 points"
        # Playing on takes the last pass back.
        page.click("#undo")
        page.wait(lambda state: state["counting"] is None and not state["result"])
        assert page.is_visible("#hint") and not page.is_visible("#suggest")
        page.close()
        other.close()


def test_the_winning_line_and_the_discs_are_shown(browser: Browser) -> None:
    with PageProcess("--game", "gomoku", "--size", "7", "--opponent", "human") as server:
        page = Page(browser, server)
        for place in (0, 7, 1, 8, 2, 9, 3, 10, 4):
            page.click(f"#point-{place}")
            page.wait(lambda state, place=place: state["last"] == place)  # type: ignore[misc]
        assert page.status == "Black wins"
        assert page.page.locator(".board .picture path[stroke-opacity='0.75']").count() == 1
        page.new("reversi", 4, 4, "person")
        while not page.state["result"]:
            played = page.state["played"]
            page.click(f"#point-{page.state['legal'][0]}")
            page.wait(lambda state, played=played: state["played"] > played)  # type: ignore[misc]
        discs = [page.state["stones"].count(color) for color in "bw"]
        assert page.text("#player-0 .tally").split()[0] == str(discs[0])
        assert abs(discs[0] - discs[1]) == page.state["result"]["margin"]
        page.close()


def test_a_game_is_stopped_and_the_board_decides(browser: Browser) -> None:
    with PageProcess("--game", "reversi", "--size", "6", "--opponent", "human") as server:
        page = Page(browser, server)
        page.click(f"#point-{page.state['legal'][0]}")
        page.wait(lambda state: state["played"] == 1)
        page.click("#stop")
        assert page.text("#ask-title") == "Stop and count?"
        page.click("#ask-yes")
        page.wait(lambda state: state["result"])
        assert page.status == "Stopped: Black wins by 3"
        assert page.is_visible("#again") and not page.is_visible("#stop") and not page.is_visible("#resign")
        page.click("#undo")
        page.wait(lambda state: not state["result"])
        assert page.state["played"] == 1 and page.is_visible("#stop")
        page.new("gomoku", 7, 7, "beginner")
        page.page.keyboard.press("c")
        assert page.text("#ask-title") == "Stop the game?"
        assert page.text("#ask-text").startswith("It ends as a draw.")
        page.click("#ask-yes")
        page.wait(lambda state: state["result"])
        assert page.status == "Stopped: a draw"
        # Go is counted after two passes.
        page.new("go", 5, 5, "person")
        assert not page.is_visible("#stop")
        page.page.keyboard.press("c")
        assert not page.is_visible("#ask")
        page.close()


@pytest.mark.parametrize("game", ["hex", "connect4", "tictactoe"])
def test_a_game_without_points_is_stopped_as_a_draw(browser: Browser, game: str) -> None:
    with PageProcess("--game", game, "--opponent", "human") as server:
        page = Page(browser, server)
        page.click("#point-0")
        page.wait(lambda state: state["played"] == 1)
        assert page.page.get_attribute("#stop", "title") == "Stop the game: it ends as a draw"
        page.click("#stop")
        assert page.text("#ask-text") == "It ends as a draw. Undo continues the game."
        page.click("#ask-yes")
        page.wait(lambda state: state["result"])
        assert page.status == "Stopped: a draw"
        page.close()


FILL = """
import pathlib, sixplane

@sixplane.game_class
class Fill:
    default_size = 5
    def legal(self, position):
        return position.empty
    def ending(self, position):
        if pathlib.Path(__file__).with_name("fails").exists():
            raise ZeroDivisionError("no such position")
        return None if position.empty.any() else ("full", 0.0)
"""


def test_rules_that_fail_are_nobodys_loss(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "fill.py").write_text(FILL)
    fails, said = tmp_path / "fails", "the rules of Fill: ending raised ZeroDivisionError: no such position"
    game = f"{tmp_path / 'fill.py'}:Fill"
    with PageProcess("--game", game, "--opponent", "human") as server:
        page = Page(browser, server)
        page.click("#point-3")
        page.wait(lambda state: state["played"] == 1)
        fails.touch()
        page.click("#point-8")
        page.wait_for_toast(said)
        assert page.state["played"] == 1 and not page.state["result"]
        page.close()
    fails.unlink()
    with PageProcess("--game", game, "--opponent", "mcts:simulations=20", "--color", "white") as server:
        # The agent begins when the page is there.
        fails.touch()
        page = Page(browser, server)
        page.wait(lambda state: state["result"])
        assert page.status == f"Ended by an error of the rules. T{said[1:]}"
        page.close()


def test_a_link_reproduces_a_position(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        for place in (12, 7, 11):
            page.click(f"#point-{place}")
            page.wait(lambda state, place=place: state["last"] == place)  # type: ignore[misc]
        page.click("#back")
        page.wait(lambda state: state["at"] == 2)
        page.click("#link")
        page.wait_for_toast("The link is copied.")
        address = page.page.evaluate("navigator.clipboard.readText()")
        assert address.startswith(f"{server.address}#position=")
        # A game that is being played is given up only after a question.
        page.page.goto(address)
        page.click("#ask-yes")
        page.wait(lambda state: state["serial"] == 2)
        assert [name for _, name in page.state["moves"]] == ["C3", "C4"]
        assert page.page.url == server.address
        page.click("#point-0")
        page.wait(lambda state: state["played"] == 3)
        page.page.evaluate("location.hash = '#position=<script>alert(1)</script>'")
        page.click("#ask-yes")
        page.wait_for_toast("the link is damaged")
        assert page.state["serial"] == 2 and page.state["played"] == 3
        page.close()


def test_without_a_clipboard_the_link_is_shown(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
        page.click("#link")
        page.page.wait_for_selector("#link-sheet", state="visible")
        assert page.page.input_value("#link-text").startswith(f"{server.address}#position=")
        page.close()
