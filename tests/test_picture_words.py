"""Words, numbers and names in pictures, and what a page of several pictures makes of them."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import sixplane
from sixplane.render import STYLES, rgb_array
from sixplane.render.layout import CELL, Layout
from svg_reading import SVG


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
