"""The page of `sixplane play --web` as a person uses it, in Debian's browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from page_server import Page, PageProcess

import sixplane
from sixplane.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.outside("chromium")

State = dict[str, Any]


def last_is(place: int) -> Callable[[State], bool]:
    return lambda state: bool(state["last"] == place)


def stands_at(place: int) -> Callable[[State], bool]:
    return lambda state: bool(state["stones"][place] != ".")


def is_open_after(number: int) -> Callable[[State], bool]:
    """Whether a person is to play, more than so many moves later, or nobody any more."""
    return lambda state: bool(
        state["result"] or (state["at"] > number and state["players"][state["turn"]]["is_person"])
    )


EXAMPLES = Path(__file__).parents[2] / "examples"
MEDIUM = "Medium (score table, 1000 simulations)"
SCRIPT = "<img src=x onerror=alert(1)><script>alert(1)</script>"


@pytest.mark.parametrize("game", [*GAMES, f"{EXAMPLES}/tictactoe.py:TicTacToe"])
def test_a_whole_game_by_clicks_against_an_agent(browser: Any, game: str) -> None:
    size = {"go": "5", "tictactoe": "3"}.get(game, "3" if ":" in game else "6")
    opponent = "random"
    with PageProcess("--game", game, "--size", size, "--opponent", opponent, "--seed", "1") as server:
        page = Page(browser, server)
        at = -1
        for _ in range(60):
            page.wait(is_open_after(at))
            state = page.state
            if state["result"]:
                break
            at = state["at"]
            if game == "go" and at >= 20:
                page.click("#pass")
            else:
                # In Connect Four the highest point of a column stands for the one where a disc comes to rest.
                point = state["legal"][0]
                page.click(f"#point-{point % state['game']['cols'] if state['game']['drops'] else point}")
        else:
            page.click("#resign")
            page.click("#ask-yes")
            page.wait(lambda now: now["result"])
        assert page.status.startswith(("Black wins", "White wins", "Draw"))
        assert page.is_disabled("#hint") and page.is_disabled("#resign")
        page.close()


def test_two_tabs_play_one_game_and_both_see_it(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        black, white = Page(browser, server), Page(browser, server)
        for place in (12, 7, 11, 6):
            (black, white)[black.state["turn"]].click(f"#point-{place}")
            for tab in (black, white):
                tab.wait(last_is(place))
        assert black.status == white.status == "Black to play"
        black.click("#point-7")
        black.wait_for_toast("There is a stone already.")
        # One looks back alone; the other's move does not pull it away.
        black.click("#back")
        black.wait(lambda state: state["at"] == 3)
        white.click("#point-0")
        black.wait(lambda state: len(state["moves"]) == 5)
        white.wait(lambda state: state["at"] == 5)
        assert black.state["at"] == 3
        assert black.status.startswith("Move 3 of 5")
        # What is played there is only tried out, and the other page does not move.
        black.click("#point-20")
        black.wait(lambda state: state["branch"] == 3)
        assert black.status.startswith("Variation: Black to play") and white.state["is_live"]
        black.click(".back-to-game")
        black.wait(lambda state: state["at"] == 5 and state["is_live"])
        white.click("#undo")
        for tab in (black, white):
            tab.wait(lambda state: len(state["moves"]) == 4)
        for played, tab in ((5, black), (6, white)):
            tab.click("#pass")
            for other in (black, white):
                other.wait(lambda state, played=played: state["played"] == played)  # type: ignore[misc]
        black.wait(lambda state: state["result"])
        assert "wins by" in black.status
        black.close()
        white.close()


def test_a_new_game_with_every_option(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.new(
            "go", 9, 9, "person", name="Ada", second="Bob", seconds="60",
            rules={"komi": "0.5", "ko": "situational", "suicide": True, "handicap": "3"},
        )  # fmt: skip
        state = page.state
        assert state["game"]["rules"] == {"komi": 0.5, "ko": "situational", "suicide": True, "handicap": 3}
        assert [player["name"] for player in state["players"]] == ["Ada", "Bob"]
        assert state["clock"]["limit"] == 60 and state["turn"] == 1
        assert page.text("#title") == "Go 9\u00d79 · komi 0.5 · handicap 3"
        page.new("gomoku", 7, 9, "medium", color="white", rules={"exact_five": True})
        state = page.state
        assert state["game"]["rules"] == {"exact_five": True}
        assert [player["is_person"] for player in state["players"]] == [False, True]
        page.wait(lambda state: len(state["moves"]) == 1)
        assert not page.is_visible("#pass") and page.text("#player-0 .name") == MEDIUM
        page.new("connect4", 6, 8, "person")
        assert page.text("#title") == "Connect Four 6\u00d78" and not page.is_visible("#pass")
        page.new("reversi", 4, 6, "*other", agent="random", color="black")
        assert page.text("#player-1 .name") == "random" and page.text("#player-0 .tally") == "2 discs"
        # The panel opens with the game that is on.
        page.new("go", 7, 9, "person", name="Ada", seconds="60", rules={"komi": "2.5", "suicide": True})
        page.click("#new")
        shown = [page.page.input_value(f"#{name}") for name in ("rows", "cols", "opponent", "time", "name")]
        assert shown == ["7", "9", "person", "60", "Ada"]
        rules = [page.page.locator(f"[data-rule={name}]") for name in ("komi", "suicide")]
        assert rules[0].input_value() == "2.5" and rules[1].is_checked()
        # Two agents play, and a person watches.
        serial = page.state["serial"]
        page.page.check("#colors input[value=watch]")
        assert not page.is_visible("#name")
        page.page.select_option("#watch", "beginner")
        page.page.select_option("#opponent", "easy")
        page.click("#begin")
        page.wait(lambda state: state["serial"] > serial and state["played"] > 1)
        assert page.text("#player-0 .name") == "Beginner (random)"
        assert page.text("#player-1 .name") == "Easy (50 playouts)"
        # What cannot be is said in the panel, and the game goes on.
        assert "handicap" in page.new("go", 9, 9, "person", rules={"handicap": "50"}, begins=False)
        page.close()


def test_every_size_fits_and_is_played_where_it_is_drawn(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        for rows, cols in ((2, 2), (25, 25), (2, 25), (25, 2), (7, 13)):
            page.new("go", rows, cols, "person")
            for place in (0, cols - 1, rows * cols - 1):
                page.click(f"#point-{place}")
                page.wait(stands_at(place))
            box, stage = page.box("#board"), page.box(".stage")
            assert box["width"] <= stage["width"] + 1 and box["height"] <= stage["height"] + 1
            assert max(box["width"] / stage["width"], box["height"] / stage["height"]) > 0.97
        page.close()


def test_everything_works_by_keyboard(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5", "--hint", "random") as server:
        page = Page(browser, server)
        press = page.page.keyboard.press
        page.page.locator("#board .cells").focus()
        press("Home")
        press("PageUp")
        press("Enter")
        page.wait(lambda state: state["last"] == 0)
        press("ArrowRight")
        press("ArrowDown")
        assert page.page.get_attribute("#board .cells", "aria-activedescendant") == "point-6"
        assert page.page.get_attribute("#point-0", "aria-label") == "A5, black, last move"
        press("Space")
        page.wait(lambda state: state["last"] == 6)
        press("u")
        page.wait(lambda state: len(state["moves"]) == 1)
        press("h")
        page.wait(lambda state: isinstance(state["hint"], int))
        press(",")
        page.wait(lambda state: state["at"] == 0)
        press(".")
        page.wait(lambda state: state["at"] == 1)
        press("?")
        assert page.is_visible("#help-sheet")
        press("Escape")
        press("n")
        assert page.is_visible("#panel")
        press("Escape")
        press("p")
        page.wait(lambda state: state["moves"][-1][1] == "pass")
        press("r")
        press("Escape")
        assert not page.state["result"]
        press("r")
        press("Enter")
        page.wait(lambda state: state["result"])
        assert page.status == "White wins by resignation"
        page.close()


def test_keys_go_through_the_moves_after_a_sheet_was_closed(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        for count, point in enumerate((12, 7), 1):
            page.page.click(f'#board [data-point="{point}"]')
            page.wait(lambda state, count=count: len(state["moves"]) == count)  # type: ignore[misc]
        # The board has the focus, as the browser has given it to whoever clicked there.
        page.page.keyboard.press("?")
        page.page.keyboard.press("Escape")
        page.until(lambda: not page.is_visible("#help-sheet"))
        page.page.keyboard.press("ArrowLeft")
        page.wait(lambda state: state["at"] == 1)
        # By the key Tab one comes to the points.
        page.page.keyboard.press("Tab")
        page.page.keyboard.press("Shift+Tab")
        before = page.page.get_attribute("#board .cells", "aria-activedescendant")
        page.page.keyboard.press("ArrowLeft")
        after = page.page.get_attribute("#board .cells", "aria-activedescendant")
        assert before != after and page.state["at"] == 1
        page.close()


def test_a_question_that_follows_another_at_once_gets_its_own_answer(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        # In one task of the browser, before it tells that the first question was closed.
        answers = """(answers) => {
            for (const [key, answer] of answers) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                document.querySelector(`#ask button[value=${answer}]`).click();
            }
        }"""
        page.click("#point-12")
        page.wait(lambda state: state["moves"])
        page.page.evaluate(answers, [["r", "yes"], ["r", "no"]])
        page.wait(lambda state: state["result"])
        # What is taken back is the resignation.
        page.click("#undo")
        page.wait(lambda state: not state["result"])
        page.page.evaluate(answers, [["r", "no"], ["r", "no"], ["r", "yes"]])
        page.wait(lambda state: state["result"])
        assert page.status == "Black wins by resignation"
        assert len(page.state["moves"]) == 1
        page.close()


def test_records_are_saved_opened_and_dropped(browser: Any, tmp_path: Path) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        for place in (12, 7):
            page.click(f"#point-{place}")
            page.wait(last_is(place))
        with page.page.expect_download() as waiting:
            page.click("#save")
        saved = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved)
        assert re.fullmatch(r"go-5x5-[\d-]+\.sgf", saved.name)
        assert sixplane.read_sgf(saved).actions.tolist() == [12, 7]
        page.new("reversi", 8, 8, "person")
        page.page.set_input_files("#file", saved)
        page.wait(lambda state: state["game"]["name"] == "go")
        assert page.state["moves"] == [[0, "C3"], [1, "C4"]]
        page.drop("(;GM[4]SZ[9]PB[Ada]PW[Bob];B[ee];W[dd])")
        page.wait(lambda state: state["game"]["name"] == "gomoku")
        assert page.text("#player-0 .name") == "Ada" and page.text("#player-1 .name") == "Bob"
        page.drop("this is no record")
        page.wait_for_toast("the file is no SGF record")
        assert page.state["game"]["name"] == "gomoku"
        page.close()


def test_script_in_any_text_stays_text(browser: Any) -> None:
    short = SCRIPT[:38]
    with PageProcess("--opponent", f"{SCRIPT}@random", "--size", "5") as server:
        page = Page(browser, server)
        assert page.text("#player-1 .name") == SCRIPT
        page.drop(f"(;GM[1]SZ[5]PB[{SCRIPT}]PW[&lt;b&gt;]C[{SCRIPT}]GN[{SCRIPT}];B[cc]C[{SCRIPT}])")
        page.wait(lambda state: state["last"] == 12)
        assert page.text("#player-0 .name") == SCRIPT[:40] and page.text("#player-1 .name") == "&lt;b&gt;"
        page.new("go", 5, 5, "person", name=short, second=short)
        assert page.text("#player-0 .name") == short
        assert SCRIPT[:20] in page.new("go", 5, 5, "*other", agent=f"x{SCRIPT}", begins=False)
        assert page.page.locator("img, script:not([src])").count() == 0
        assert page.page.evaluate("() => document.querySelectorAll('[onerror], [onclick]').length") == 0
        page.close()


SCREENS = [(360, 640, "dark"), (640, 360, "light"), (1366, 768, "light"), (3840, 2160, "dark")]


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
def test_no_screen_cuts_the_page_and_nothing_jumps(
    browser: Any, width: int, height: int, scheme: str
) -> None:
    with PageProcess("--game", "reversi", "--opponent", "human") as server:
        page = Page(browser, server, width, height, color_scheme=scheme)
        before = page.box("#board")
        assert page.page.evaluate("document.documentElement.dataset.scheme") == scheme
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        assert min(before["width"], before["height"]) >= 0.6 * min(width, height)
        for place in ("#board", "#player-0", "#player-1", "#new"):
            box = page.box(place)
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["y"] >= 0 and box["y"] + box["height"] <= height
        page.click(f"#point-{page.state['legal'][0]}")
        page.wait(lambda state: state["at"] == 1)
        page.click("#resign")
        page.click("#ask-yes")
        page.wait(lambda state: state["result"])
        assert page.box("#board") == before
        page.click("#new")
        panel = page.box("#panel")
        assert panel["x"] >= 0 and panel["x"] + panel["width"] <= width and panel["height"] <= height
        assert page.is_visible("#begin")
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_problem(browser: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server, color_scheme=scheme)
        page.click("#point-12")
        page.wait(lambda state: state["at"] == 1)
        for opens in (None, "#new", "#settings", "#help", "#resign"):
            if opens is not None:
                page.click(opens)
            if opens == "#new":
                page.click("#more summary")
            page.rest()
            found = Axe().run(page.page).response["violations"]
            serious = [one for one in found if one["impact"] in {"serious", "critical"}]
            assert not serious, [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious]
            if opens is not None:
                page.page.keyboard.press("Escape")
        page.close()


def test_the_page_comes_back_when_the_connection_does(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.page.evaluate("() => window.socket.close()")
        page.until(lambda: page.connections == 2 and not page.is_visible("#lost"))
        said: str = page.page.text_content("#lost")
        assert said.startswith("The server does not answer.")
        page.click("#point-12")
        page.wait(lambda state: state["at"] == 1)
        page.page.reload()
        page.ready()
        assert page.state["last"] == 12
        # It goes on where it looked.
        page.page.keyboard.press("<")
        page.wait(lambda state: state["at"] == 0)
        page.page.evaluate("() => window.socket.close()")
        page.until(lambda: page.connections == 4 and not page.is_visible("#lost"))
        page.wait(lambda state: state["at"] == 0 and not state["is_live"])
        page.close()
    assert server.process.returncode == 130


def test_the_second_click_of_a_double_click_is_none(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.page.dblclick("#point-12")
        page.wait(lambda state: state["at"] == 1)
        # It does nothing after the answer either.
        page.page.mouse.down(click_count=2)
        page.page.mouse.up(click_count=2)
        page.click("#point-7")
        page.wait(last_is(7))
        assert page.page.evaluate("window.toasts") == []
        # But a stone that was taken back can be played again at once.
        page.page.dblclick("#point-6")
        page.wait(last_is(6))
        page.click("#undo")
        page.wait(last_is(7))
        box = page.box("#point-6")
        page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.page.mouse.down(click_count=2)
        page.page.mouse.up(click_count=2)
        page.wait(last_is(6))
        assert page.page.evaluate("window.toasts") == []
        page.close()


def test_a_double_click_drops_one_disc(browser: Any) -> None:
    with PageProcess("--game", "connect4", "--opponent", "human") as server:
        page = Page(browser, server)
        page.page.dblclick("#point-3")
        page.wait(lambda state: state["at"] == 1)
        page.page.mouse.down(click_count=2)
        page.page.mouse.up(click_count=2)
        page.click("#point-0")
        page.wait(lambda state: state["at"] == 2)
        assert [name for _, name in page.state["moves"]] == ["D1", "A1"]
        page.close()


def test_a_document_may_hold_several_boards(browser: Any) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        page.page.evaluate(
            """async (state) => {
                const { Board } = await import("./board.js");
                window.played = [];
                for (const index of [0, 1]) {
                    const root = document.createElement("div");
                    root.style.width = "10rem";
                    document.body.append(root);
                    const board = new Board(root, { play: (point) => window.played.push([index, point]) });
                    board.show(state, { isOpen: true });
                }
            }""",
            page.state,
        )
        boards = page.page.locator("body > .board")
        assert boards.count() == 2
        boards.nth(1).locator("[data-point='7']").click()
        boards.nth(0).locator("[data-point='3']").click()
        assert page.page.evaluate("window.played") == [[1, 7], [0, 3]]
        ids = page.page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
        assert len(ids) == len(set(ids))
        page.close()


def test_marks_have_a_light_rim_where_discs_fall(browser: Any) -> None:
    with PageProcess("--game", "connect4", "--opponent", "human") as server:
        page = Page(browser, server)
        marks = page.page.locator(".board .legal")
        assert marks.count() == 7
        assert marks.first.evaluate("mark => getComputedStyle(mark).stroke") == "rgb(255, 255, 255)"
        page.close()
