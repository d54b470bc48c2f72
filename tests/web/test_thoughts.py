"""What agents think, on the page: overlays, expected lines, hints and the curve of chances."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from page_server import Page, PageProcess

import sixplane

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

State = dict[str, Any]

HINT = ("--hint", "mcts:simulations=200")


def is_at(number: int) -> Callable[[State], bool]:
    return lambda state: bool(state["at"] == number)


def told_at(number: int) -> Callable[[State], bool]:
    return lambda state: bool(state["at"] == number and state["insight"] and not state["is_asking"])


def test_thoughts_are_off_until_asked_for_and_drawn_on_the_board(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5", *HINT) as server:
        page = Page(browser, server)
        assert page.state["insight"] is None and not page.state["is_asking"]
        plain = page.state["board"]
        pictures = {plain}
        for overlay in ("policy", "visits", "values", "ownership"):
            page.page.select_option("#overlay", overlay)
            page.wait(lambda state: told_at(0)(state) and state["board"] not in pictures)
            pictures.add(page.state["board"])
        assert page.text("#insight-text").startswith("Black ")
        page.page.select_option("#overlay", "off")
        page.wait(lambda state: state["board"] == plain)
        page.close()


def test_the_expected_line_is_shown_where_the_pointer_is(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5", *HINT) as server:
        page = Page(browser, server)
        page.page.select_option("#overlay", "policy")
        page.wait(told_at(0))
        best = next(one for one in page.state["insight"]["candidates"] if len(one["line"]) > 1)
        page.page.hover(f"#point-{best['action']}")
        label = page.page.get_attribute(f"#point-{best['action']}", "aria-label")
        assert label.endswith(f", empty, candidate, {int(100 * best['policy'] + 0.5)} %")
        numbers = page.page.locator(".board .over .number")
        numbers.first.wait_for(state="attached")
        on_board = len({place for place in best["line"][:12] if place < 25})
        assert numbers.all_text_contents()[:1] == ["1"] and numbers.count() == on_board
        page.page.hover("#title")
        page.until(lambda: numbers.count() == 0)
        page.close()


def test_thoughts_by_keyboard_and_of_the_opponent(browser: Browser) -> None:
    # With another seed there may be several moves as good as the one that it plays.
    with PageProcess("--opponent", "mcts:simulations=400", "--size", "5", "--seed", "1", *HINT) as server:
        page = Page(browser, server)
        page.click("#point-12")
        page.wait(lambda state: state["at"] == 2)
        assert page.state["sources"] == ["hint", "white"]
        page.page.keyboard.press("t")
        assert page.page.input_value("#overlay") == "policy"
        page.wait(told_at(2))
        page.page.select_option("#of", "white")
        page.page.keyboard.press(",")
        page.wait(told_at(1))
        # What the opponent thought before it played: its move is the first candidate.
        page.page.locator("#overlay").blur()
        name = page.state["moves"][1][1]
        assert f"· {name} " in page.text("#insight-text")
        page.close()


def test_the_score_table_of_gomoku_is_shown_with_its_patterns(browser: Browser) -> None:
    record = "(;GM[4]SZ[7];B[cd];W[aa];B[dd];W[ag];B[ed];W[ga])"
    with PageProcess("--game", "gomoku", "--size", "7", "--opponent", "human", *HINT) as server:
        page = Page(browser, server)
        page.drop(record)
        page.wait(lambda state: len(state["moves"]) == 6)
        plain = page.state["board"]
        page.page.select_option("#overlay", "table")
        page.wait(lambda state: state["table"] and state["board"] != plain)
        scores = sixplane.agents.ScoreTableAgent.scores(sixplane.Gomoku.from_sgf(record)).max(axis=0)
        for point, score, _ in page.state["table"]:
            assert score == scores.flat[point]
        assert page.state["table"][0][1] == scores.max() and not page.state["is_asking"]
        assert "(open four)" in page.text("#insight-text")
        page.new("go", 5, 5, "person")
        page.wait(lambda state: state["table"] is None and state["game"]["name"] == "go")
        page.until(lambda: page.page.input_value("#overlay") == "off")
        assert page.page.locator("#overlay option[value=table]").count() == 0
        page.close()


def test_the_score_table_needs_no_agent_that_searches_and_goes_off_again(browser: Browser) -> None:
    options = ("--game", "gomoku", "--size", "9", "--hint", "score-table")
    with PageProcess(*options, "--opponent", "mcts:simulations=50") as server:
        page = Page(browser, server)
        press = page.page.keyboard.press
        offered = page.page.locator("#overlay option")
        assert page.state["sources"] == ["white"] and offered.count() > 2
        page.page.select_option("#overlay", "table")
        page.wait(lambda state: state["table"])
        # What needs no agent stays in a game of two persons.
        page.new("gomoku", 9, 9, "person")
        page.wait(lambda state: state["table"] and not state["sources"])
        assert offered.evaluate_all("all => all.map(one => one.value)") == ["off", "table"]
        assert page.page.input_value("#overlay") == "table" and not page.is_disabled("#overlay")
        page.page.locator("#overlay").blur()
        for has_table, shown in ((False, "off"), (True, "table")):
            press("t")
            page.wait(lambda state, has_table=has_table: bool(state["table"]) is has_table)  # type: ignore[misc]
            assert page.page.input_value("#overlay") == shown
        # What needs one goes off, and nothing is left to choose where there is no table.
        page.new("go", 5, 5, "*other", agent="mcts:simulations=50")
        page.page.select_option("#overlay", "policy")
        page.wait(lambda state: state["insight"])
        page.new("go", 5, 5, "person")
        page.until(lambda: page.page.input_value("#overlay") == "off" and page.is_disabled("#overlay"))
        press("t")
        assert page.page.input_value("#overlay") == "off" and offered.count() == 1
        page.close()


def test_a_hint_says_the_chances(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5", *HINT) as server:
        page = Page(browser, server)
        page.click("#hint")
        page.wait(lambda state: isinstance(state["hint"], int))
        assert page.status.startswith("Hint: ") and " · Black " in page.status
        page.close()


def test_after_the_end_and_at_earlier_moves_the_page_still_answers(browser: Browser) -> None:
    with PageProcess("--opponent", "mcts:simulations=50", "--size", "5", *HINT) as server:
        page = Page(browser, server)
        press = page.page.keyboard.press
        for number in (0, 2):
            page.wait(lambda state, number=number: state["at"] == number)  # type: ignore[misc]
            page.click(f"#point-{page.state['legal'][0]}")
        page.wait(lambda state: state["at"] == 4)
        assert not page.is_visible("#better") and not page.is_visible("#again")
        # What should I have played? My last move is the third, and the one before is the first.
        for at in (2, 0):
            press("w")
            page.wait(lambda state, at=at: state["at"] == at and isinstance(state["hint"], int))  # type: ignore[misc]
            assert page.state["played"] == 4
            mine, hint = page.state["moves"][at][1], page.state["hint"]
            told = f". Instead of {mine}: " in page.status or f". {mine} is the hint, too" in page.status
            # A search of few simulations may say that a pass is better, which has no point.
            assert told and 0 <= hint <= 25
            assert page.page.locator(".board .hint-mark").count() == (hint < 25)
        press("End")
        page.wait(lambda state: state["is_live"] and state["hint"] is None)
        page.click("#resign")
        page.click("#ask-yes")
        page.wait(lambda state: state["result"])
        assert page.status == "White wins by resignation" and not page.is_disabled("#hint")
        assert page.is_visible("#better") and not page.is_visible("#resign")
        page.page.select_option("#overlay", "visits")
        page.wait(told_at(4))
        press("h")
        page.wait(lambda state: isinstance(state["hint"], int))
        press("v")
        point = next(place for place in page.state["legal"] if place < 25)
        page.click(f"#point-{point}")
        page.wait(lambda state: state["branch"] == 4 and state["last"] == point)
        page.wait(told_at(5))
        assert page.status.startswith("Variation: ")
        press("a")
        page.wait(lambda state: state["serial"] == 2 and state["is_live"])
        assert page.state["played"] == 0 and not page.state["result"] and page.status == "Black to play"
        assert not page.is_visible("#again")
        page.close()


def test_what_was_better_than_a_forced_pass_is_not_asked(browser: Browser) -> None:
    with PageProcess("--game", "reversi", "--size", "4", "--opponent", "human", *HINT) as server:
        page = Page(browser, server)
        page.drop("(;GM[2]SZ[4];B[a2];W[a3];B[b4];W[c1];B[a4];W[PA];B[b1])")
        page.wait(lambda state: state["at"] == 7)
        # The page is told of one key after the other, and counts from where the first has led.
        key = "new KeyboardEvent('keydown', { key: 'w', bubbles: true })"
        page.page.evaluate(f"() => {{ for (const _ of '12') document.body.dispatchEvent({key}); }}")
        page.wait(lambda state: state["at"] == 4 and isinstance(state["hint"], int))
        press = page.page.keyboard.press
        press("Home")
        page.wait(is_at(0))
        press("w")
        press(".")
        page.wait(is_at(1))
        page.close()


def test_the_curve_grows_with_the_game_and_leads_to_moves(browser: Browser) -> None:
    with PageProcess("--opponent", "mcts:simulations=50", "--size", "5") as server:
        page = Page(browser, server)
        # No line strikes the words through that stand where the curve will be.
        assert page.text("#curve p") and page.page.locator("#curve path").count() == 0
        # What somebody plays by is said, and not how it is written.
        assert page.text("#player-1 .name") == "50 playouts"
        for number in (0, 2, 4):
            page.wait(lambda state, number=number: state["at"] == number)  # type: ignore[misc]
            page.click(f"#point-{page.state['legal'][0]}")
        page.wait(lambda state: state["at"] == 6)
        assert [depth for depth, _ in page.state["curves"]["white"]] == [1, 3, 5]
        assert page.page.locator("#curve .line.white").count() == 1
        page.page.keyboard.press("ArrowLeft")
        page.wait(lambda state: state["at"] == 5)
        assert re.fullmatch(r"Black \d+ %", page.text("#insight-text"))
        box = page.box("#curve")
        page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait(lambda state: state["at"] == 3)
        value = page.page.get_attribute("#curve", "aria-valuetext")
        assert value is not None and value.startswith("Move 3 of 6, Black ")
        page.page.locator("#curve").focus()
        page.page.keyboard.press("ArrowLeft")
        page.wait(lambda state: state["at"] == 2)
        page.page.keyboard.press("End")
        page.wait(lambda state: state["is_live"])
        page.close()


def test_a_proven_win_is_named_instead_of_a_chance(browser: Browser) -> None:
    game = ("--game", "gomoku", "--size", "5", "--opponent", "human")
    with PageProcess(*game, "--hint", "mcts:simulations=200,exact=true") as server:
        page = Page(browser, server)
        for number, point in enumerate((0, 10, 1, 11, 2, 12, 3, 20), start=1):
            page.page.click(f"#point-{point}")
            page.wait(is_at(number))
        page.page.select_option("#overlay", "policy")
        page.wait(told_at(8))
        page.until(lambda: page.text("#insight-text").startswith("Black wins, proven · E5 100 %"))
        page.close()


def test_lines_at_the_edges_of_the_curve_are_seen_whole(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5") as server:
        page = Page(browser, server)
        drawn = page.page.evaluate(
            """async () => {
                const { Curve } = await import("./curve.js");
                const curves = { hint: [[0, 0], [1, 1]] };
                new Curve(() => {}, () => {}).show({ at: 0, moves: [[0, "A1"]], curves });
                return document.querySelector("#curve .line").getAttribute("d");
            }"""
        )
        lowest, highest = (float(number) for number in re.findall(r"[\d.]+ ([\d.]+)", drawn))
        # The picture is 40 high, and about 60 pixels; the line and its rim are 4 pixels wide.
        assert lowest <= 38 and highest >= 2
        page.close()


@pytest.mark.parametrize(
    ("game", "has_owners", "marks"),
    [
        ("go", True, "Points where you may not play"),
        ("reversi", True, "Points where you may play"),
        ("hex", False, None),
        ("connect4", False, "Points where you may play"),
        ("gomoku", False, None),
    ],
)
def test_only_what_a_game_has_is_offered(
    browser: Browser, game: str, has_owners: bool, marks: str | None
) -> None:
    size = () if game == "connect4" else ("--size", "6")
    with PageProcess("--game", game, *size, "--opponent", "human", *HINT) as server:
        page = Page(browser, server)
        offered = page.page.locator("#overlay option").evaluate_all("all => all.map(one => one.value)")
        assert ("ownership" in offered) == has_owners and ("table" in offered) == (game == "gomoku")
        page.click("#settings")
        assert page.is_visible(".switch:has(#show-marks)") == (marks is not None)
        assert marks is None or page.text("#marks-text") == marks
        page.page.keyboard.press("Escape")
        page.close()


def test_owners_are_off_in_the_next_game_that_has_none(browser: Browser) -> None:
    with PageProcess("--opponent", "human", "--size", "5", *HINT) as server:
        page = Page(browser, server)
        page.page.select_option("#overlay", "ownership")
        page.new("hex", 5, 5, "person")
        page.wait(lambda state: not state["is_asking"])
        assert page.page.input_value("#overlay") == "off"
        assert page.page.locator("#overlay option").count() == 4
        page.close()
