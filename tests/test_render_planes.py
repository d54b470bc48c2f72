"""A position and its six planes in one picture."""

from __future__ import annotations

import re

import numpy as np
import pytest

import sixplane
from sixplane.games import GAMES
from sixplane.planes import Plane
from sixplane.render import STYLES, planes_svg

SQUARE = re.compile(r"M[\d.]+ [\d.]+h([\d.]+)v\1h-\1Z")


def filled(svg: str, color: str) -> list[int]:
    """How many cells of each plane are filled."""
    paths = re.findall(rf'<path d="([^"]*)" fill="{color}"/>', svg)
    return [len(SQUARE.findall(path)) for path in paths]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("is_over", [False, True])
def test_a_cell_is_filled_where_the_plane_is_one(name: str, is_over: bool) -> None:
    game = GAMES[name].game_class(size=(6, 8) if name != "tictactoe" else 3)
    for _ in range(6):
        game.play(game.legal_actions[0])
    if is_over:
        game.resign()
    svg = planes_svg(game.planes, name)
    assert filled(svg, STYLES[name].heat) == game.planes.sum(axis=(1, 2)).tolist()


def test_the_picture_has_the_asked_width_and_says_what_it_shows() -> None:
    svg = planes_svg(sixplane.Go(size=5).planes, width=321)
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="321" ')
    assert "six planes</title>" in svg
    assert len(filled(svg, STYLES["go"].heat)) == len(Plane)


@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (2, 2)])
@pytest.mark.parametrize("footer", [False, True])
def test_cells_have_a_size_on_the_smallest_boards(shape: tuple[int, int], footer: bool) -> None:
    svg = planes_svg(np.ones((6, *shape)), coordinates=False, footer=footer)
    assert '="-' not in svg and "h-" in svg
    total = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert total is not None
    for left, top, inner in re.findall(
        r'<g transform="translate\(([\d.]+) ([\d.]+)\)">((?:(?!<g transform).)*stroke-width="1.5"/>)', svg
    ):
        frame = re.search(r'y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="none"', inner)
        assert frame is not None
        y, width, height = map(float, frame.groups())
        assert float(left) + width < float(total[1])
        assert float(top) + y + height < float(total[2])


@pytest.mark.parametrize("shape", [(5, 5), (5, 5, 5), (2, 6, 5, 5)])
def test_what_is_no_position_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"must be \(6, rows, cols\)"):
        planes_svg(np.zeros(shape))
