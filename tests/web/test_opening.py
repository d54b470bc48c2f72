"""Records on the page: what is asked before one replaces a game, and what is said of what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from page_server import Page, PageProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

GOMOKU = "(;GM[4]SZ[9];B[ee];W[dd])"


def test_a_record_ends_a_game_that_is_played_only_after_a_question(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.click("#point-12")
        page.wait(lambda state: state["is_played"])
        page.drop(GOMOKU)
        assert page.text("#ask-text") == "The game that is played now ends."
        page.click("#ask button[value=no]")
        page.page.wait_for_selector("#ask", state="hidden")
        page.click("#point-7")
        page.wait(lambda state: state["played"] == 2)
        assert page.state["game"]["name"] == "go"
        page.drop(GOMOKU)
        page.click("#ask-yes")
        page.wait(lambda state: state["game"]["name"] == "gomoku")
        page.wait_for_toast("The record is open.")
        # Nobody has played on in this record, so that nothing is lost.
        assert page.state["played"] == 2 and not page.state["is_played"]
        page.drop("(;GM[1]SZ[7];B[dd])")
        page.wait(lambda state: state["game"]["name"] == "go")
        page.click("#point-0")
        page.wait(lambda state: state["is_played"])
        page.click("#resign")
        page.click("#ask-yes")
        page.wait(lambda state: state["result"])
        page.drop(GOMOKU)
        page.wait(lambda state: state["game"]["name"] == "gomoku")
        page.close()


def test_what_was_tried_out_in_a_record_is_lost_only_after_a_question(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.drop(GOMOKU)
        page.wait(lambda state: state["game"]["name"] == "gomoku")
        page.click("#try")
        page.click("#point-0")
        page.wait(lambda state: state["is_played"])
        page.drop("(;GM[1]SZ[7];B[dd])")
        page.click("#ask-yes")
        page.wait(lambda state: state["game"]["name"] == "go" and not state["is_played"])
        page.close()


def test_a_problem_that_is_cut_off_is_opened(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.drop("(;GM[1]SZ[7]AB[aa]AW[bb]PL[W]C[White to live]")
        page.wait(lambda state: state["game"]["rows"] == 7 and state["stones"].strip(".") != "")
        page.close()


def test_the_page_says_what_is_left_out_of_a_file_and_refuses_one_without_a_move(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.drop("(;GM[4]SZ[7];B[dd])(;GM[4]SZ[8];B[dd])")
        page.wait(lambda state: state["game"]["name"] == "gomoku")
        page.wait_for_toast("left out: all games but the first of 2")
        page.drop("(;GM[1]FF[4]SZ[9]")
        page.wait_for_toast("the file is not complete: it ends before the first move")
        status, _, said = server.ask("record", "POST", b"(;GM[1]SZ[9]", {"Origin": f"http://{server.host}"})
        assert status == 422 and said.startswith(b"the file is not complete")
        assert page.state["game"]["name"] == "gomoku"
        page.close()
