"""The saved page of a run in Debian's browser: from the disk, with nothing else."""

from __future__ import annotations

import dataclasses
import math
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from page_server import is_at_rest, until_shown
from tabs import OF_FILES, close_tab, open_tab

import sixplane
from run_rows import healthy
from sixplane.agents.called import known_players
from sixplane.learn import BoardFigures, Row, Strength, examine, report_html
from waiting import MINUTE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

#: The page has so many colors for curves.
COLORS = 6

GAME: Any = sixplane.Go(size=5).replay([12, 6, 8, 16, 18])


class Saved:
    """A saved page, without an error and without a request to anybody."""

    def __init__(self, browser: Browser, file: Path, anchor: str = "", **options: Any) -> None:
        self.page = open_tab(browser, site=OF_FILES, **options)
        self.page.set_default_timeout(1000 * MINUTE)
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.page.on(
            "console", lambda message: self.errors.append(message.text) if message.type == "error" else None
        )
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(f"{file.as_uri()}{anchor}")

    def wait(self, is_so: Callable[[], object]) -> None:
        until_shown(self.page, is_so, lambda: (self.page.text_content("main"), self.errors))

    def close(self) -> None:
        close_tab(self.page)
        assert not self.errors
        assert all(url.startswith("file:") and "report.html" in url for url in self.asked)


def saved(folder: Path, rows: list[Row], **options: Any) -> Path:
    path = folder / "report.html"
    path.write_text(report_html(rows, title="Go 5x5", **options), encoding="utf-8")
    return path


def sample(count: int = 5) -> Any:
    record = GAME.replay(GAME.actions[:count])
    return examine(record, lambda planes: (np.zeros((len(planes), 26)), np.full(len(planes), 0.5)))


def test_curves_end_at_their_last_values_and_tell_each(browser: Browser, tmp_path: Path) -> None:
    wins = [0.25, 0.75, math.nan, 0.5, 1.0]
    rows = [Row(minutes=i, black_wins=each) for i, each in enumerate(wins, 1)]
    page = Saved(browser, saved(tmp_path, rows))
    figure = page.page.locator("figure", has_text="Results of self-play")
    points = figure.locator(".line.c0").get_attribute("d")[1:].split("L")
    assert len(points) == 4 and points[-1] == "448 10"  # the corner: the longest time, the highest value
    shown = [(1, 25), (2, 75), (4, 50), (5, 100)]
    assert figure.locator(".place title").all_text_contents() == [
        f"{minute} min, Black wins {share} %" for minute, share in shown
    ]
    assert figure.locator(".keys").inner_text() == "Black wins 100 %"
    page.close()


def test_what_only_a_trainer_knows_is_explained_beside_its_curve(browser: Browser, tmp_path: Path) -> None:
    page = Saved(browser, saved(tmp_path, healthy(60), settings={"workers": 2}))
    sections = page.page.locator("#sections h2, #sections summary").all_text_contents()
    assert sections == ["Strength", "Learning", "Self-play", "Time", "Settings"]
    titles = page.page.locator("figure:has(.note) figcaption").all_text_contents()
    assert [title.split()[0] for title in titles] == [
        "Elo",
        "Policy",
        "Different",
        "Where",
        "Time",
        "Staleness:",
    ]
    assert page.page.locator("figure").count() == 14
    # 39 % of all time inside the network are 65 % of the 60 % of self-play.
    keys = page.page.locator("figure", has_text="Where the time goes").locator(".keys li").all_text_contents()
    assert keys[:2] == ["play, in the network 39 %", "play, elsewhere 21 %"]
    page.close()


def test_boards_that_are_mixed_have_a_curve_each(browser: Browser, tmp_path: Path) -> None:
    rows = [
        Row(
            minutes=i,
            policy_loss=2.0,
            boards={
                f"{size}x{size}": BoardFigures(positions=100 * i, policy_loss=size / 2, black_wins=size / 10)
                for size in (5, 7)
            },
        )
        for i in (1, 2)
    ]
    settings = {"game": "go", "sizes": [7, {"size": 5}]}
    page = Saved(browser, saved(tmp_path, rows, settings=settings))
    for title, keys in (
        ("Policy loss on each board", ["5x5 2.5", "7x7 3.5"]),
        ("Black wins on each board", ["5x5 50 %", "7x7 70 %"]),
        ("Positions on each board", ["5x5 200", "7x7 200"]),
    ):
        figure = page.page.locator("figure", has_text=title)
        assert figure.locator(".keys li").all_text_contents() == keys
    assert page.page.locator("figure", has_text="Length of a game on each board").count() == 0
    page.close()


def test_known_players_stand_beside_the_elo_up_to_the_next_one_above(
    browser: Browser, tmp_path: Path
) -> None:
    rows = [Row(minutes=i, ladder_elo=900.0 + i, ladder_low=800.0, ladder_high=1000.0) for i in (1, 2)]
    page = Saved(browser, saved(tmp_path, rows, settings={"game": "reversi", "size": 8}))
    figure = page.page.locator("figure", has_text="Elo, ladder")
    assert figure.locator(".keys").inner_text() == "Elo 902 (800 to 1,000)"
    known = known_players(sixplane.Reversi())
    above = next(number for number, (_, elo) in enumerate(known) if elo > 1000)
    assert 2 <= above < len(known) - 1
    assert figure.locator("text.mark").all_text_contents() == [name for name, _ in known[: above + 1]]
    assert figure.locator("path.mark").count() == above + 1
    # No name is cut off, and none lies on another.
    boxes = figure.locator("text.mark").evaluate_all(
        "all => all.map(text => text.getBBox()).map(box => [box.x + box.width, box.y, box.y + box.height])"
    )
    assert all(right <= 460 for right, _, _ in boxes)
    assert all(below[1] >= above[2] - 3 for below, above in pairwise(boxes))
    page.close()


@pytest.mark.parametrize("game", [sixplane.Go(9), sixplane.Reversi(), sixplane.Gomoku()])
def test_every_line_of_a_known_player_has_its_name(browser: Browser, tmp_path: Path, game: Any) -> None:
    known = known_players(game)
    elo = known[-1][1] - 10
    rows = [Row(minutes=i, ladder_elo=elo - 9, ladder_low=elo - 99, ladder_high=elo) for i in (1, 2)]
    page = Saved(browser, saved(tmp_path, rows, settings={"game": game.name, "size": game.rows}))
    figure = page.page.locator("figure", has_text="Elo, ladder")
    assert figure.locator("text.mark").all_text_contents() == [name for name, _ in known]
    assert figure.locator("path.mark").count() == len(known)
    page.close()


def test_a_thin_line_begins_each_stage_with_its_board(browser: Browser, tmp_path: Path) -> None:
    rows = healthy(20, stage=1) + healthy(40, stage=2)[20:]
    stages = [{"size": 9, "share": 0.5}, {"size": 13, "share": 0.5}]
    page = Saved(browser, saved(tmp_path, rows, settings={"game": "go", "stages": stages}))
    figure = page.page.locator("figure", has_text="Value loss")
    lines = figure.locator("path.stage").evaluate_all("all => all.map(line => line.getAttribute('d'))")
    assert lines == ["M70 10V182", "M259 10V182"]
    assert figure.locator("text.mark").all_text_contents() == ["9x9", "13x13"]
    assert page.page.locator("figure").count() == page.page.locator("figure:has(path.stage)").count()
    page.close()


def test_what_was_not_measured_has_no_figure(browser: Browser, tmp_path: Path) -> None:
    rows = [Row(minutes=1, policy_loss=3.0), Row(minutes=2, policy_loss=2.0)]
    page = Saved(browser, saved(tmp_path, rows))
    titles = page.page.locator("figcaption").all_text_contents()
    assert [title.split(",")[0] for title in titles] == ["Policy loss", "Positions"]
    assert page.page.locator("figure").first.locator(".keys li").all_text_contents() == ["policy loss 2"]
    page.close()


@pytest.mark.parametrize("rows", [[], [Row(minutes=0)], [Row(minutes=0.1, loss=1.0)], healthy(1)])
def test_pages_of_the_first_moments_are_whole(browser: Browser, tmp_path: Path, rows: list[Row]) -> None:
    page = Saved(browser, saved(tmp_path, rows))
    assert page.page.text_content("#facts dd").endswith((" s", " min"))
    assert not re.search(r"NaN|undefined|null|Infinity", page.page.inner_html("main"))
    page.close()


def test_of_many_opponents_the_last_have_curves_and_all_have_a_line(browser: Browser, tmp_path: Path) -> None:
    half = Strength(0.5, 0.4, math.nan)
    rows = [Row(minutes=i, strengths={f"player {i}": half}) for i in range(1, 9)]
    page = Saved(browser, saved(tmp_path, rows))
    figure = page.page.locator("figure", has_text="Score against opponents")
    assert figure.locator(".keys li").all_text_contents() == [f"player {i} 50 %" for i in range(3, 9)]
    assert figure.locator(".line").count() == 2 * COLORS
    lines = page.page.locator(".tables tr").all_text_contents()
    assert len(lines) == 8 and lines[0] == "player 150.0 %40.0 to ? %at 1.0 min"
    page.close()


def test_what_is_not_known_is_not_drawn(browser: Browser, tmp_path: Path) -> None:
    unknown = Strength(math.nan, math.nan, math.nan)
    rows = [
        Row(minutes=1, policy_loss=3.0),
        Row(minutes=2, policy_loss=2.5),
        Row(minutes=math.nan, policy_loss=2.0, strengths={"player": unknown}),
    ]
    page = Saved(browser, saved(tmp_path, rows))
    curve = page.page.locator("figure", has_text="Policy loss").locator(".line").get_attribute("d")
    # To the middle of the field and to its end.
    assert [point.split()[0] for point in curve[1:].split("L")] == ["259", "448"]
    assert page.page.locator(".tables td").all_text_contents() == ["? %", "? to ? %", "", ""]
    assert page.page.locator(".scale").count() == 0
    page.close()


def test_a_game_without_values_has_its_boards(browser: Browser, tmp_path: Path) -> None:
    known = sample()
    lost = dataclasses.replace(known, values=np.full_like(known.values, math.nan))
    page = Saved(browser, saved(tmp_path, [], sample=lost), anchor="#move=2")
    assert page.page.locator(".game figcaption").count() == page.page.locator(".boards figure").count() == 1
    assert page.page.text_content(".move").startswith("2. ")
    page.close()


def test_shares_lie_above_each_other(browser: Browser, tmp_path: Path) -> None:
    rows = [Row(minutes=i, play_share=0.5, train_share=0.25, judge_share=0, driver_share=0) for i in (1, 2)]
    page = Saved(browser, saved(tmp_path, rows))
    figure = page.page.locator("figure", has_text="Where the time goes")
    layers = [one.get_attribute("d") for one in figure.locator(".layer").all()]
    # From the top at 10 to the bottom at 182.
    assert layers[0] == "M259 96L448 96L448 182L259 182Z"
    assert layers[1] == "M259 53L448 53L448 96L259 96Z"
    page.close()


def test_rows_that_do_not_know_the_part_of_the_network_are_drawn(browser: Browser, tmp_path: Path) -> None:
    known = {1: math.nan, 2: 0.5, 3: math.nan}
    rows = [
        Row(minutes=i, play_share=0.5, network_share=part, train_share=0.25, judge_share=0, driver_share=0)
        for i, part in known.items()
    ]
    page = Saved(browser, saved(tmp_path, rows))
    figure = page.page.locator("figure", has_text="Where the time goes")
    first = figure.locator(".layer").first.get_attribute("d")
    # Three points above and three below, from the first row to the last, at half of the whole of play.
    assert first is not None and len(re.findall("[ML]", first)) == 6
    assert len(set(re.findall(r"[ML]\S+ (\S+?)(?=[LZ])", first))) == 2
    page.close()


def test_a_long_game_shows_its_moves_by_their_numbers(browser: Browser, tmp_path: Path) -> None:
    some = examine(GAME, lambda planes: (np.zeros((len(planes), 26)), np.full(len(planes), 0.5)), most=2)
    page = Saved(browser, saved(tmp_path, [], sample=some), anchor="#move=4")
    assert page.page.text_content(".move").startswith("4. ")
    assert "3 of its 6 positions are shown" in page.page.text_content(".game")
    # The curve goes to the last move that was evaluated, and the cursor is at its end.
    points = page.page.locator(".game .line.c0").get_attribute("d")[1:].split("L")
    assert len(points) == 2 and page.page.locator(".cursor").get_attribute("d").startswith("M448 ")
    page.close()


def test_no_number_of_a_curve_is_cut_off(browser: Browser, tmp_path: Path) -> None:
    rows = [Row(minutes=1234.0 * i, positions=10**7 * i, loss=1e-2 * i, elo=-150.0 * i) for i in range(9)]
    page = Saved(browser, saved(tmp_path, rows))
    boxes = page.page.eval_on_selector_all(
        ".chart text", "texts => texts.map(text => text.getBBox()).map(({x, width}) => [x, x + width])"
    )
    assert len(boxes) > 20 and all(left >= 0 and right <= 460 for left, right in boxes)
    page.close()


@pytest.mark.parametrize("width", [360, 390, 768, 1024, 1366, 1920])
def test_numbers_of_curves_can_be_read_and_stay_in_their_cards(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    shares = [0.00505 + 0.0001 * i for i in range(9)]
    rows = [
        Row(minutes=1234.0 * i, loss=1e-2 * i, elo=-150.0 * i, black_wins=share, ladder_elo=900.0 + i,
            ladder_low=800.0, ladder_high=1000.0, policy_loss=share)
        for i, share in enumerate(shares)
    ]  # fmt: skip
    settings = {"game": "reversi", "size": 8}
    page = Saved(browser, saved(tmp_path, rows, settings=settings), width=width, height=768)
    texts = page.page.eval_on_selector_all(
        ".chart text",
        """texts => texts.map(text => {
            const [own, card] = [text, text.closest("figure")].map(one => one.getBoundingClientRect());
            const scale = text.getScreenCTM().a;
            const size = scale * parseFloat(getComputedStyle(text).fontSize);
            return [text.textContent, size, own.left - card.left, card.right - own.right];
        })""",
    )
    assert len(texts) > 20
    assert not [one for one in texts if one[1] < 11 or min(one[2:]) < 0]
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_the_game_plays_by_itself_and_stops_where_the_reader_wants(browser: Browser, tmp_path: Path) -> None:
    page = Saved(browser, saved(tmp_path, healthy(3), sample=sample(), refresh=60))
    said, button = page.page.locator("p.move"), page.page.locator(".walk button")
    assert button.text_content() == "Pause"
    page.wait(lambda: said.text_content().startswith("2. White B4 · value +0.50 for Black · next, Black: "))
    button.click()
    assert button.text_content() == "Play"
    page.page.locator(".walk input").fill("4")
    assert said.text_content().startswith("4. White B2")
    # Of the stones, those of four moves are visible.
    stones = """boards => boards.map(board => [...board.querySelectorAll("circle, use, path")].filter(
        one => one.checkVisibility({ opacityProperty: true })).length)"""
    before = page.page.eval_on_selector_all(".boards svg", stones)
    page.page.locator(".walk input").fill("1")
    assert page.page.eval_on_selector_all(".boards svg", stones) != before
    button.click()
    page.wait(lambda: said.text_content().startswith("5. Black"))
    page.close()


def test_a_page_may_begin_at_a_move(browser: Browser, tmp_path: Path) -> None:
    path = saved(tmp_path, healthy(3), sample=sample())
    page = Saved(browser, path, "#move=3")
    assert page.page.text_content("p.move").startswith("3. Black")
    assert page.page.text_content(".walk button") == "Play"
    page.close()
    still = Saved(browser, path, reduced_motion="reduce")
    assert still.page.text_content("p.move").startswith("5. Black")
    still.close()


def test_names_of_opponents_are_never_markup(browser: Browser, tmp_path: Path) -> None:
    name = "</script><img src=x onerror=alert(1)>"
    page = Saved(browser, saved(tmp_path, [Row(minutes=1, strengths={name: Strength(0.5, 0.4, 0.6)})]))
    assert page.page.locator("th", has_text=name).count() == 1 and page.page.locator("img").count() == 0
    page.close()


@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(360, 640, "dark"), (1366, 768, "light"), (3840, 2160, "dark")]
)
def test_no_screen_cuts_the_page_and_axe_finds_no_serious_problem(
    browser: Browser, tmp_path: Path, width: int, height: int, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    # The policy of the page keeps the script of axe out, too.
    options: dict[str, Any] = {
        "width": width,
        "height": height,
        "color_scheme": scheme,
        "bypass_csp": True,
    }
    rows = healthy(20, black_wins=1.0, draws=0.0)
    settings = {"minutes": 60, "rules": {"komi": 7.5}}
    page = Saved(browser, saved(tmp_path, rows, settings=settings, sample=sample()), **options)
    page.page.click("summary")
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.page.evaluate("document.documentElement.dataset.scheme") == scheme
    page.page.click(".walk button")
    page.wait(lambda: is_at_rest(page.page))
    found = Axe().run(page.page).response["violations"]
    serious = [one for one in found if one["impact"] in {"serious", "critical"}]
    assert not serious, [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious]
    page.close()
