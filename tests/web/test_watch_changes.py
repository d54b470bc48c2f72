"""`sixplane watch` while its folder changes: what the page goes on with, and what a reader keeps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tabs import close_tab
from watch_page import Tab, watched

import sixplane

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

FIGURES = "time,minutes,games,ladder_elo\nt,1.0,24,90\n"


def put_game(folder: Path, name: str, moves: int) -> None:
    """Writes the record of a game, as it stands after so many moves."""
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(sixplane.Go(size=5).replay([7, 8, 12, 13, 17, 18][:moves]).to_sgf())


def put_figures(folder: Path, more: str = "") -> None:
    """Writes the figures of a run of training."""
    (folder / "metrics.csv").write_text(FIGURES + more)


def test_a_game_that_leaves_the_folder_before_it_was_shown_to_its_end_is_followed_by_another(
    tmp_path: Path, browser: Browser
) -> None:
    put_game(tmp_path, "records/0000001.sgf", 4)
    put_game(tmp_path, "playing/2.sgf", 6)
    (tmp_path / "run.json").write_text(json.dumps({"game": "go", "size": 5, "minutes": 3}))
    put_figures(tmp_path)
    with watched(tmp_path) as server:
        tab = Tab(browser, server)
        tab.wait(lambda: tab.move() == 6)
        tab.page.click("#first")
        tab.wait(lambda: tab.move() == 0)
        (tmp_path / "playing/2.sgf").unlink()
        tab.page.click("#play")
        tab.wait(lambda: tab.text("#move") == "Game 2 has left the folder.")
        put_game(tmp_path, "records/0000003.sgf", 2)
        put_figures(tmp_path, "t,1.1,30,95\n")
        put_game(tmp_path, "playing/4.sgf", 5)
        tab.wait(lambda: tab.page.input_value("#games") == "4" and tab.move() == 5)
        tab.close()


def test_a_page_of_an_earlier_program_says_that_it_was_started_again(
    tmp_path: Path, browser: Browser
) -> None:
    put_game(tmp_path, "game-1.sgf", 2)
    with watched(tmp_path) as server:
        tab = Tab(browser, server)
        port = str(server.port)
    tab.wait(lambda: tab.text("#trouble").startswith("sixplane watch does not answer"))
    with watched(tmp_path, "--port", port):
        tab.wait(lambda: tab.text("#trouble").startswith("The program was started again"))
        close_tab(tab.page)


def test_a_new_figure_takes_neither_the_focus_nor_the_place_in_a_table(
    tmp_path: Path, browser: Browser
) -> None:
    settings = {"game": "go", "size": 5, "minutes": 3, "opponents": f"gtp:{'x' * 400}"}
    (tmp_path / "run.json").write_text(json.dumps(settings))
    put_game(tmp_path, "records/0000001.sgf", 2)
    put_figures(tmp_path)
    with watched(tmp_path) as server:
        tab = Tab(browser, server)
        tab.page.click("#sections summary")
        table = "#sections details .card"
        tab.page.focus(table)
        tab.page.eval_on_selector(table, "table => { table.scrollLeft = 100; }")
        put_figures(tmp_path, "t,1.1,30,95\n")
        tab.wait(lambda: tab.games() == 30)
        assert tab.page.eval_on_selector(table, "table => table.scrollLeft") == 100
        assert tab.page.eval_on_selector(table, "table => table === document.activeElement")
        tab.close()


def test_a_game_that_a_run_has_left_is_neither_played_nor_followed(tmp_path: Path, browser: Browser) -> None:
    record = sixplane.Go(size=5).replay([7, 8]).to_sgf()
    for name in ("records/0000001.sgf", "playing/2.sgf"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(record)
    (tmp_path / "run.json").write_text(json.dumps({"game": "go", "size": 5, "minutes": 3}))
    (tmp_path / "metrics.csv").write_text("time,minutes,games,ladder_elo\nt,3.0,24,90\n")
    with watched(tmp_path) as server:
        tab = Tab(browser, server)
        left = tab.page.locator("#games option").first.get_attribute("value")
        tab.wait(lambda: tab.page.input_value("#games") != left)
        assert tab.page.locator("#games option").first.text_content().startswith(f"{left} · not finished")
        tab.page.select_option("#games", left)
        tab.wait(lambda: tab.text("#move").endswith(": White D4. Not finished."))
        found = json.loads(server.ask(f"position?game={left}")[2])
        assert found["is_left"] and not found["is_live"]
        tab.close()
