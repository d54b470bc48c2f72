"""Words, numbers and names in pictures, and what a page of several pictures makes of them."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import own_games
import sixplane
from sixplane.agents import RandomAgent
from sixplane.match.result import Result
from sixplane.play.players import Players
from sixplane.render import STYLES, Style, board_svg, grid_svg, planes_svg, png, rgb_array
from sixplane.render.game import game_title, result_text
from sixplane.render.ladder import AGENT, LINE, ladder_svg
from sixplane.render.layout import CELL, Layout
from sixplane.render.overlay import ACCENT
from sixplane.search import MCTS
from sixplane.web.requested import Display
from sixplane.web.session import PageSession
from sixplane.web.view import state
from svg_reading import SVG, frozen


def test_a_picture_refers_to_nothing_by_an_id_which_another_one_on_the_page_may_have() -> None:
    game = sixplane.Go(9).replay(range(1, 60, 2))
    batch = sixplane.GameBatch(game, 3)
    names = "Żółw - 井山裕太"
    pictures = [
        *(game.to_svg(), game.to_svg(animate=True, footer=True), batch._repr_svg_()),
        game.to_svg(footer=names, numbers=True, liberties=False, invalid=True, heat=np.arange(82)),
    ]
    for svg in pictures:
        for element in ET.fromstring(svg).iter():  # noqa: S314 - our own text
            assert not element.attrib.keys() & {"id", "href", "style"}
            assert not any("url(" in value for value in element.attrib.values())
    assert game.to_svg() == game.copy().to_svg()


@pytest.mark.parametrize("words", ["Żółw - 井山裕太", "lower case", "a < b & c", "ß'\"", "tab\tand\x00null"])
def test_words_below_the_board_keep_their_letters(words: str) -> None:
    svg = sixplane.Go(9).to_svg(footer=words)
    (text,) = ET.fromstring(svg).iter(f"{SVG}text")  # noqa: S314 - our own text
    assert text.text == words.replace("\t", " ").replace("\x00", " ")
    if words == "lower case":  # other letters need a font
        blank = rgb_array(sixplane.Go(9).to_svg(footer=" "))
        assert (rgb_array(svg) != blank).any(), "the words are in the pixels, too"


def test_long_words_are_made_smaller_than_the_board_is_wide() -> None:
    sizes = [
        float(re.search(r'<text [^>]*font-size="([\d.]+)"', sixplane.Go(9).to_svg(footer=words))[1])  # type: ignore[index]
        for words in ("Ż", "Ż" * 40, "井" * 40)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] < sizes[1] < sizes[0]


def test_the_number_of_the_winning_move_stands_clear_of_the_line() -> None:
    game = sixplane.Gomoku(5).replay([0, 5, 1, 6, 2, 7, 3, 8, 4])
    svg = game.to_svg(numbers=True, width=400)
    plain = sixplane.Gomoku(5).replay([0, 5, 1, 6, 2, 7, 3, 8]).to_svg(numbers=True, width=400)
    layout = Layout(5, 5, STYLES["gomoku"])
    x, y = (round(400 / layout.width * place) for place in layout.center(2))
    reach = round(400 / layout.width * 0.3 * CELL)
    around = slice(y - reach // 2, y + reach // 2), slice(x - reach, x + reach)
    # The line is as red as the last number: none of it is left around the third move's.
    red = [(pixels[..., 0] > 150) & (pixels[..., 1] < 100) for pixels in (rgb_array(svg), rgb_array(plain))]
    assert red[0].any() and not red[0][around].any() and not red[1][around].any()


def words_of(svg: str) -> list[str]:
    """The texts of a picture."""
    return [str(text.text) for text in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314 - our own text


def test_who_counts_no_points_wins_by_none() -> None:
    nim: Any = own_games.Nim()
    game = nim.replay([0, 2, 4, 6, 7, 9, 11, 13])
    assert game.is_over and game.score() == -1
    assert result_text(game) == "white wins"
    assert game_title(game) == "Nim 2x7, move 8, white wins"
    assert words_of(game.to_svg(footer=True)) == ["white wins"]
    times = (0.0, 0.0)
    assert str(Result("white", "rules", "", -1.0, times, (), game)) == "white wins"
    assert str(Result("white", "stopped", "", -1.0, times, (), game)) == "stopped after 8 moves: white wins"
    reversi = sixplane.Reversi().replay([19])
    said = str(Result("black", "stopped", "", 3.0, times, (), reversi))
    assert said == "stopped after 1 move: black wins by 3"
    # Stones may be counted at the end of a line, too.
    own: Any = own_games.Reversi
    assert result_text(own(max_moves=1).replay([19])) == "black wins by 3"


@pytest.mark.parametrize(("game", "is_bare"), [(own_games.Nim(), True), (sixplane.Reversi(), False)])
def test_the_page_names_a_margin_where_points_are_counted(game: sixplane.Game, is_bare: bool) -> None:
    players = Players((None, None), ("", ""), RandomAgent(seed=1))
    session = PageSession(players, game)
    session.live.resign(0)
    result: Any = state(session.snapshot(), Display())["result"]
    assert result["by_line"] is is_bare


def test_a_swap_is_called_one_in_pictures_and_in_what_a_search_found() -> None:
    game = sixplane.Hex(size=4, swap=True).replay([5])
    visits = np.zeros(17, int)
    visits[16] = 20
    svg = game.to_svg(footer=True, heat=visits)
    assert "Hottest: swap." in svg and words_of(svg) == ["white to play, swap 20"]
    result = MCTS(simulations=100, seed=1).search(game)
    html = result._replace(best_action=16)._repr_html_()
    assert "swap" in html and "pass" not in html
    game.play(16)
    svg = game.to_svg(footer=True)
    assert game_title(game) == "Hex 4x4, move 2, swap, black to play"
    assert "Last move: swap." in svg and words_of(svg) == ["swap, black to play"]
    assert "swap, black to play" in words_of(game.to_svg(footer=True, animate=True))
    assert "white, swap, black to play" in sixplane.GameBatch(game, 2).to_svg()
    assert "pass, black to play" in board_svg(game.planes, "go")


def test_an_animation_has_the_words_that_it_is_given_and_says_who_has_won() -> None:
    game = sixplane.Gomoku(5).replay([0, 5, 1, 6, 2, 7, 3, 8, 4])
    assert set(words_of(game.to_svg(animate=True, footer="My words"))) == {"My words"}
    shown = words_of(game.to_svg(animate=True, footer=True))
    assert shown == ["black to play", "white to play", "black wins"]
    game.undo()
    game.resign("white")
    svg = game.to_svg(animate=True, footer=True, width=120, last=False)
    assert words_of(svg)[-1] == "black wins by resignation"
    still = game.to_svg(footer=True, width=120, last=False)
    assert np.abs(rgb_array(frozen(svg, 0.99)).astype(int) - rgb_array(still)).max() <= 8


@pytest.mark.parametrize(
    "option", ["numbers", "invalid", "liberties", "ownership", "heat", "heat_text", "line"]
)
def test_an_option_that_an_animation_does_not_take_is_named(option: str) -> None:
    value = np.ones(26) if option == "heat" else [1, 2] if option == "line" else True
    options: dict[str, Any] = {option: value}
    with pytest.raises(TypeError, match=f"an animation does not take {option}$"):
        sixplane.Go(5).to_svg(animate=True, **options)
    none: dict[str, Any] = {option: None if option in {"heat", "line", "ownership"} else False}
    assert sixplane.Go(5).to_svg(animate=True, **none) == sixplane.Go(5).to_svg(animate=True)


def test_an_animation_takes_options_that_ask_for_nothing() -> None:
    game = sixplane.Gomoku(5)
    nothing: dict[str, Any] = {"numbers": 0, "heat_text": 0, "invalid": np.False_}
    assert game.to_svg(animate=True, **nothing) == game.to_svg(animate=True)


def test_how_long_an_animation_shows_its_end_is_not_asked_without_one() -> None:
    assert sixplane.Go(5).to_svg(seconds=1, hold=1) == sixplane.Go(5).to_svg()


def test_the_words_of_a_ladder_are_in_its_pixels() -> None:
    svg = ladder_svg("title", [(0, 0.0), (1, 85.0)], {}, (10, 40.0, 70.0), 200)
    dark = rgb_array(svg).max(axis=-1) < 128
    assert dark[LINE + 10 :].any(), "the numbers of the rungs are below the line"
    assert dark[: AGENT - 8].any(), "the Elo is above the agent"


@pytest.mark.parametrize("width", [0, -5, 50, 16385])
def test_a_ladder_has_space_for_its_axis(width: int) -> None:
    with pytest.raises(ValueError, match=f"width must be from 120 to 16384 pixels, not {width}"):
        ladder_svg("title", [(0, 0.0), (1, 85.0)], {}, (10, 40.0, 70.0), width)


@pytest.mark.parametrize("color", ["crimson", "#c33", "rgb(1, 2, 3)", "#12345g", "", None, 3])
def test_a_color_of_heat_that_words_cannot_stand_on_is_refused_at_once(color: Any) -> None:
    with pytest.raises(ValueError, match="heat must be a color like '#1f3fc4', not "):
        Style(heat=color)
    assert board_svg(sixplane.Go(5).planes, Style(heat="#C33C33"), heat=np.ones(26), heat_text=True)


def test_thin_pictures_have_a_height_and_letters_a_size() -> None:
    thin = grid_svg(np.zeros((64, 6, 5, 5)), columns=64, width=16)
    assert rgb_array(thin).shape == (1, 16, 3)
    for columns in (1.5, "2", True):
        with pytest.raises(TypeError, match="columns must be an integer"):
            grid_svg(np.zeros((4, 6, 5, 5)), columns=columns)  # type: ignore[arg-type] # what is refused
    with pytest.raises(TypeError, match="limit must be an integer"):
        sixplane.GameBatch(sixplane.Go(5), 4).to_svg(limit=1.5)  # type: ignore[arg-type] # what is refused
    for name in ("numbers", "ownership"):
        with pytest.raises(TypeError, match=f"{name} belongs to one game: draw it by the game's to_svg"):
            sixplane.GameBatch(sixplane.Go(5), 4).to_svg(**{name: True})  # type: ignore[arg-type] # what is refused
    narrow = board_svg(np.zeros((6, 5, 2)), coordinates=False, footer=True)
    assert 'font-size="-' not in narrow and png(narrow)


def test_reduced_motion_shows_the_last_position_of_an_animation() -> None:
    svg = sixplane.Go(5).replay([12, 7, 8]).to_svg(animate=True, seconds=0.5, hold=2)
    moments = set(re.findall(r"animation-duration:([\d.]+)s;--sixplane-end:-([\d.]+)s", svg))
    assert len(moments) == 1
    ((lasts, end),) = moments
    # After the three positions before, and before all begins anew.
    assert float(lasts) == 3.5 and 1.5 < float(end) < 3.5


def test_the_last_action_is_marked_on_the_board_beside_its_planes() -> None:
    game = sixplane.Go(5).replay([12, 7])
    marked, plain = (planes_svg(game.planes, last=last).count(ACCENT) for last in (7, None))
    assert (marked, plain) == (1, 0)


def test_the_planes_of_a_board_have_the_words_that_the_board_has() -> None:
    game, heat = sixplane.Go(5).replay([12]), np.zeros(26)
    heat[3] = 1
    picture = planes_svg(game.planes, title="Mine", last=12, heat=heat)
    assert "<title>Mine</title><desc>Black: C3. White: none. Last move: C3. Hottest: D5.</desc>" in picture


def test_a_batch_says_how_many_of_its_games_are_drawn() -> None:
    batch = sixplane.GameBatch(sixplane.Go(5), 5)
    assert "<title>Go 5x5, 5 games</title>" in batch.to_svg()
    assert "<title>Go 5x5, the first 3 of 5 games</title>" in batch.to_svg(limit=3)


def test_boards_side_by_side_leave_space_for_their_words() -> None:
    planes = sixplane.GameBatch(sixplane.Go(5), 2).planes
    footer = Layout(5, 5, STYLES["go"], coordinates=False, footer=True).footer_height
    bare, worded = (
        float(ET.fromstring(grid_svg(planes, columns=1, footer=shown)).attrib["viewBox"].split()[3])  # noqa: S314
        for shown in (False, True)
    )
    assert worded == pytest.approx(bare + 2 * footer)


def test_faint_heat_has_dark_words_and_strong_heat_light_ones() -> None:
    heat = np.zeros((5, 5))
    heat[0, :2] = 1, 0.05
    picture = board_svg(sixplane.Go(5).planes, heat=heat, heat_text=True)
    inks = re.findall('stroke="(#ffffff|#10131a)"', picture)
    assert inks == ["#ffffff", "#10131a"]
