"""Pictures show the planes: read back from text, SVG and pixels."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import sixplane
from sixplane.render import STYLES, Style, animated_svg, board_svg, board_text, grid_svg, rgb_array
from sixplane.render.game import game_title, positions, result_text
from sixplane.render.layout import CELL, Layout
from sixplane.render.overlay import ACCENT
from svg_reading import SVG, frozen, stones

if TYPE_CHECKING:
    from sixplane._core import Game

BOARDS: list[tuple[type[Game], Any]] = [
    *((sixplane.Go, size) for size in (2, 5, 9, 13, 19, 25, (7, 9), (25, 2))),
    *((sixplane.Gomoku, size) for size in (5, 15, 19, (7, 9))),
    *((sixplane.ConnectFour, size) for size in (4, (6, 7), 12)),
    (sixplane.TicTacToe, 3),
    *((sixplane.Hex, size) for size in (2, 5, (3, 7), 19)),
    *((sixplane.Reversi, size) for size in (4, 8, (6, 10), 24)),
]


def after_random_play(game_class: type[Game], size: Any, actions: int, seed: int = 1) -> Game:
    game, rng = game_class(size), random.Random(seed)
    for _ in range(actions):
        if game.is_over:
            break
        legal = game.legal_actions.tolist()
        game.play(rng.choice(legal[:-1] or legal) if rng.random() < 0.9 else legal[-1])
    return game


def style_name(game: Game) -> str:
    return game.name


@pytest.mark.parametrize(("game_class", "size"), BOARDS)
@pytest.mark.parametrize("options", [{}, {"coordinates": False}, {"footer": True}], ids=str)
def test_svg_shows_the_stones_of_the_planes_and_nothing_a_renderer_may_lack(
    game_class: type[Game], size: Any, options: dict[str, Any]
) -> None:
    for actions in (0, 7, 60):
        game = after_random_play(game_class, size, actions)
        svg = game.to_svg(width=200, **options)
        style = STYLES[style_name(game)]
        layout = Layout(game.rows, game.cols, style, options.get("coordinates", True), "footer" in options)
        assert np.array_equal(stones(svg, layout), game.planes[:2])
        root = ET.fromstring(svg)  # noqa: S314 - our own text
        assert root.attrib["width"] == "200"
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "g", "circle", "rect", "path"} | (
            {"text"} if options.get("footer") else set()
        )


def test_no_line_strikes_through_what_is_written_on_heat() -> None:
    visits = np.zeros(26, int)
    visits[[6, 12]] = 1, 40
    picture = rgb_array(board_svg(sixplane.Go(5).planes, heat=visits, heat_text=True, width=436))
    layout = Layout(5, 5, STYLES["go"])
    x, y = (round(2 * at) for at in layout.center(6))
    for beside in (-20, 20):
        assert picture[y, x + beside].min() > 60, "beside the narrow 1 nothing is dark"
        assert picture[y, x + 2 * beside].min() < 60, "the line goes on outside the square"
    assert picture[y - 18 : y + 19, x - 3 : x + 4].min() < 60, "the 1 is there"
    # What rounds to 0% is not written, and leaves no gap in the lines.
    faint = np.zeros(26)
    faint[[6, 12]] = 0.004, 0.1
    picture = rgb_array(board_svg(sixplane.Go(5).planes, heat=faint, heat_text=True, width=436))
    assert picture[y, x + 20].min() < 60


def test_only_the_hottest_points_are_written_on_if_so_many_are_asked_for() -> None:
    heat = np.zeros(26)
    heat[:4] = 0.1, 0.4, 0.2, 0.3
    plain, one, two, four, every = (
        board_svg(sixplane.Go(5).planes, heat=heat, heat_text=written) for written in (False, 1, 2, 4, True)
    )
    assert plain.count("<path") < one.count("<path") < two.count("<path") < four.count("<path")
    assert four.count("<path") == every.count("<path") and plain.count("fill-opacity") == 4


def test_labels_take_little_of_the_board_and_fit_in_its_margin() -> None:
    for side, part in ((9, 0.3), (19, 0.4), (25, 0.5)):
        layout = Layout(side, side, STYLES["go"])
        assert layout.label_height < layout.margin < part * CELL


@pytest.mark.parametrize(("game_class", "size"), BOARDS)
def test_pixels_in_the_middle_of_a_point_have_the_color_of_what_is_there(
    game_class: type[Game], size: Any
) -> None:
    game = after_random_play(game_class, size, 60)
    layout = Layout(game.rows, game.cols, STYLES[style_name(game)])
    pixels = rgb_array(board_svg(game.planes, style_name(game), width=600)).astype(int)
    assert pixels.shape == (round(600 * layout.height / layout.width), 600, 3)
    for point in range(game.rows * game.cols):
        x, y = layout.center(point)
        # Beside the middle, off the lines.
        at = [int((c + 0.12 * 40) * 600 / layout.width) for c in (y, x)]
        mean = pixels[at[0], at[1]].mean()
        black, white = game.planes[:2].reshape(2, -1)[:, point]
        assert (mean < 70) == bool(black)
        assert (mean > 215) == bool(white)


def test_points_are_found_where_they_are_drawn() -> None:
    for style in STYLES.values():
        for coordinates in (True, False):
            layout = Layout(7, 9, style, coordinates)
            for point in range(63):
                x, y = layout.center(point)
                assert layout.point_at(x, y) == point
                near = 10 if style.slants else 19  # a hexagon has no corners there
                assert layout.point_at(x + near, y - near) == point
            assert layout.point_at(1, 1) is None
            assert layout.point_at(layout.width - 1, layout.y(3)) is None


def test_every_place_in_a_hexagon_is_its_point() -> None:
    layout, rng = Layout(5, 6, STYLES["hex"]), random.Random(1)
    for _ in range(5000):
        x, y = (rng.uniform(0, side) for side in (layout.width, layout.height))
        far = [math.dist((x, y), layout.center(point)) for point in range(30)]
        # Right, below to the right and to the left: the three pairs of sides of a hexagon.
        sides = [(math.cos(turn), math.sin(turn)) for turn in (0, math.pi / 3, 2 * math.pi / 3)]
        inside = [
            point
            for point in range(30)
            for cx, cy in [layout.center(point)]
            if all(abs((x - cx) * right + (y - cy) * down) < CELL / 2 for right, down in sides)
        ]
        assert layout.point_at(x, y) == (far.index(min(far)) if inside else None)
        assert inside in ([], [layout.point_at(x, y)])


@pytest.mark.parametrize(("game_class", "size"), BOARDS)
def test_ascii_text_is_the_games_own(game_class: type[Game], size: Any) -> None:
    for actions in (0, 1, 60):
        game = after_random_play(game_class, size, actions)
        text = board_text(game.planes, style_name(game), last=game.last_action, ascii_only=True)
        assert text == str(game)


@pytest.mark.parametrize(("game_class", "size"), BOARDS)
def test_unicode_text_shows_the_same_marks_at_the_same_places(game_class: type[Game], size: Any) -> None:
    game = after_random_play(game_class, size, 60)
    lines = board_text(game.planes, style_name(game), last=game.last_action).splitlines()
    plain = str(game).splitlines()
    assert [len(line) for line in lines] == [len(line) for line in plain]
    for line, expected in zip(lines, plain, strict=True):
        read = line.translate(str.maketrans("●○·╋┼├┤┬┴┌┐└┘─", "XO........... "))
        if not expected.startswith("  "):
            assert read == expected


def test_text_without_coordinates_is_read_again_as_a_position() -> None:
    game = after_random_play(sixplane.Go, (7, 9), 40)
    text = board_text(game.planes, coordinates=False, ascii_only=True)
    turn = "white" if game.turn else "black"
    again = sixplane.Go.from_text(text, turn=turn)  # type: ignore[arg-type]
    assert np.array_equal(again.planes[:2], game.planes[:2])


def crosses(svg: str) -> int:
    found = [e.attrib["d"] for e in ET.fromstring(svg).iter(f"{SVG}path") if "m0 " in e.attrib["d"]]  # noqa: S314
    return sum(path.count("M") for path in found)


@pytest.mark.parametrize(("game_class", "size"), BOARDS)
def test_crosses_mark_the_empty_points_of_the_invalid_plane(game_class: type[Game], size: Any) -> None:
    game = after_random_play(game_class, size, 30)
    planes = game.planes
    expected = int(((planes[0] | planes[1]) == 0)[planes[3] == 1].sum())
    assert crosses(game.to_svg(invalid=True)) == expected
    assert crosses(game.to_svg()) == 0


def test_liberties_counted_from_planes_are_the_games() -> None:
    for seed in range(20):
        game = after_random_play(sixplane.Go, (9, 6), 70, seed)
        assert isinstance(game, sixplane.Go)
        assert game.to_svg(liberties=True) == game.to_svg(liberties=game.liberties())
    assert "stroke-width" in game.to_svg(liberties=True)
    assert game.to_svg(liberties=True) != game.to_svg()


def test_numbers_count_the_moves_whose_stones_are_there() -> None:
    game = sixplane.Go(5)
    for action in (12, 13, 25, 7):
        game.play(action)
    planes, title = game.planes, game_title(game)
    assert game.to_svg(numbers=True) == board_svg(planes, numbers={12: 1, 13: 2, 7: 4}, last=7, title=title)
    assert game.to_svg(numbers=2) == board_svg(planes, numbers={7: 4}, last=7, title=title)
    assert game.to_svg(numbers=False, last=False) == board_svg(planes, title=title)


def heat_squares(svg: str, style: Style) -> list[float]:
    root = ET.fromstring(svg)  # noqa: S314
    rects = root.iter(f"{SVG}rect")
    return [float(rect.attrib["fill-opacity"]) for rect in rects if rect.attrib["fill"] == style.heat]


@pytest.mark.parametrize("most", [0.2, 0.5, 0.9])
def test_shares_from_ten_to_twenty_percent_have_a_shade_each(most: float) -> None:
    shares = np.linspace(0.10, 0.19, 10)
    heat = np.zeros(26)
    heat[:10], heat[12] = shares, most
    picture = rgb_array(board_svg(sixplane.Go(5).planes, heat=heat, width=436))
    layout = Layout(5, 5, STYLES["go"], coordinates=True)
    scale = 436 / layout.width
    corners = [tuple(int(scale * (at - 0.3 * CELL)) for at in layout.center(point)) for point in range(10)]
    assert len({tuple(picture[y, x]) for x, y in corners}) == len(shares)


def test_heat_is_stronger_where_values_are_larger() -> None:
    planes = sixplane.Go(5).planes
    values = np.arange(26) / 100
    opacities = heat_squares(board_svg(planes, heat=values), STYLES["go"])
    assert len(opacities) == 24
    assert opacities == sorted(opacities)
    assert heat_squares(board_svg(planes, heat=values[:-1].reshape(5, 5) * 7), STYLES["go"])[-1] == 0.6
    mask = sixplane.Reversi().action_mask
    assert heat_squares(sixplane.Reversi().to_svg(heat=mask), STYLES["reversi"]) == [0.6] * 4
    nothing = np.full(26, np.nan)
    assert heat_squares(board_svg(planes, heat=nothing), STYLES["go"]) == []
    assert board_svg(planes, heat=values, heat_text=True) != board_svg(planes, heat=values)


def test_the_footer_tells_of_the_planes_that_are_whole() -> None:
    game = sixplane.Go(3)
    pictures = [game.to_svg(footer=True)]
    for _ in range(2):
        game.play(9)
        pictures.append(game.to_svg(footer=True))
    assert len(set(pictures)) == 3
    title = "Go 3x3, move 2, white wins by 7.5"
    assert pictures[2] == board_svg(game.planes, footer="white wins by 7.5", last=9, title=title)


@pytest.mark.parametrize(("game_class", "size"), [BOARDS[1], BOARDS[6], BOARDS[8], BOARDS[12]])
def test_each_moment_of_an_animation_is_the_picture_of_that_position(
    game_class: type[Game], size: Any
) -> None:
    game = after_random_play(game_class, size, 40)
    svg = game.to_svg(animate=True, seconds=0.25, hold=1.0, footer=True, width=120)
    frames = positions(game)
    assert len(frames) == game.move_number + 1
    total = 0.25 * (len(frames) - 1) + 1.0
    for index, (planes, last) in enumerate(frames):
        words = (index == game.move_number and result_text(game)) or True
        expected = board_svg(planes, style_name(game), last=last, footer=words, width=120)
        now = frozen(svg, (index * 0.25 + 0.1) / total)
        # One stone after another is shaded as all at once, but for rounding.
        assert np.abs(rgb_array(now).astype(int) - rgb_array(expected)).max() <= 8, index
    # What knows no animation shows the end.
    assert np.abs(rgb_array(svg).astype(int) - rgb_array(expected)).max() <= 8


def test_each_moment_of_an_animation_has_its_own_heat_and_ownership() -> None:
    game = after_random_play(sixplane.Go, 5, 12)
    frames = [planes for planes, _ in positions(game)]
    rng = np.random.default_rng(1)
    heats: list[Any] = [rng.random(26) ** 4 if i % 3 else None for i in range(len(frames))]
    owners: list[Any] = [
        np.round(rng.uniform(-1, 1, (5, 5)), 1) if i % 4 else None for i in range(len(frames))
    ]
    svg = animated_svg(frames, heats=heats, ownerships=owners, seconds=1, hold=1, width=120)
    for index, (planes, heat, owner) in enumerate(zip(frames, heats, owners, strict=True)):
        expected = board_svg(planes, heat=heat, ownership=owner, width=120)
        now = frozen(svg, (index + 0.5) / len(frames))
        assert np.abs(rgb_array(now).astype(int) - rgb_array(expected)).max() <= 8, index
    with pytest.raises(ValueError, match="the shape of ownership must be"):
        animated_svg(frames[:1], ownerships=[np.zeros(25)])
    with pytest.raises(ValueError, match="heats must have one value for each of the 13 frames, not 12"):
        animated_svg(frames, heats=heats[1:])


def test_positions_of_a_game_are_those_it_went_through() -> None:
    game = sixplane.Go(5)
    seen = [(game.planes, game.last_action)]
    for action in (3, 4, 25, 9):
        game.play(action)
        seen.append((game.planes, game.last_action))
        if action == 4:
            game.set_turn("white")
    game.resign()
    found = positions(game)
    assert [last for _, last in found] == [last for _, last in seen]
    assert all(np.array_equal(a[:2], b[:2]) for (a, _), (b, _) in zip(found, seen, strict=True))


def test_a_grid_shows_every_board() -> None:
    games = [after_random_play(sixplane.Go, 5, 12, seed) for seed in range(5)]
    svg = grid_svg(np.stack([game.planes for game in games]), columns=2, width=400)
    layout = Layout(5, 5, STYLES["go"], coordinates=False)
    root = ET.fromstring(svg)  # noqa: S314
    tiles = [group for group in root if group.tag == f"{SVG}g"]
    assert len(tiles) == 5
    for tile, game in zip(tiles, games, strict=True):
        ET.register_namespace("", SVG[1:-1])
        text = ET.tostring(tile, encoding="unicode")
        assert np.array_equal(stones(text, layout), game.planes[:2])
    assert rgb_array(svg).shape[1] == 400


def test_notebooks_show_games_and_batches() -> None:
    game = after_random_play(sixplane.Go, 9, 20)
    assert game._repr_svg_() == game.to_svg()
    batch = sixplane.GameBatch(sixplane.Reversi(), 30, seed=1)
    batch.play_random(10)
    assert batch._repr_svg_() == batch.to_svg(limit=16)
    assert batch.to_svg(limit=3, columns=3).count("<g transform") < batch.to_svg().count("<g transform")


def test_the_winning_five_are_joined() -> None:
    game = sixplane.Gomoku(5)
    for action in (0, 1, 6, 2, 12, 3, 18, 4, 24):
        assert f'stroke="{ACCENT}"' not in game.to_svg()
        game.play(action)
    line = [0, 6, 12, 18, 24]
    assert game.to_svg() == board_svg(game.planes, "gomoku", last=24, line=line, title=game_title(game))


@pytest.mark.parametrize("last", [99, -3])
def test_a_last_action_off_the_board_is_refused_in_animations_too(last: int) -> None:
    planes = sixplane.Go(5).planes
    says = f"point {last} is off the board: it must be from 0 to 24"
    with pytest.raises(ValueError, match=says):
        board_svg(planes, last=last)
    with pytest.raises(ValueError, match=says):
        animated_svg([planes], lasts=[last])
    assert animated_svg([planes, planes], lasts=[25, None]).count(ACCENT) == 0


def test_a_style_of_ones_own() -> None:
    planes = sixplane.Go(3).planes
    style = Style(squares=True, board="#ffffff", edge="#ffffff")
    assert "#ffffff" in board_svg(planes, style)
    assert board_text(planes, style, ascii_only=True).splitlines()[1] == " 3 . . . 3"


def test_results_in_words() -> None:
    go = sixplane.Go(3)
    assert result_text(go) == ""
    go.resign("black")
    assert result_text(go) == "white wins by resignation"
    go.undo()
    go.play(4)
    go.resign("white")
    assert result_text(go) == "black wins by resignation"
    go.undo()
    go.play(9)
    go.play(9)
    assert result_text(go) == "black wins by 1.5"
    gomoku = sixplane.Gomoku(5)
    for action in (0, 1, 6, 2, 12, 3, 18, 4, 24):
        gomoku.play(action)
    assert result_text(gomoku) == "black wins"
    assert result_text(sixplane.Gomoku(5, max_moves=1).replay([3])) == "draw"
    assert result_text(sixplane.Reversi(max_moves=1).replay([19])) == "black wins by 3"


def test_half_a_percent_is_rounded_up_as_on_the_page() -> None:
    heat = np.zeros(26)
    heat[25] = 0.125
    assert "pass 13%" in board_svg(sixplane.Go(5).planes, heat=heat, heat_text=True, footer=True)


def test_a_map_is_written_in_percent_or_in_plain_numbers_but_not_in_both() -> None:
    def written(*values: float) -> str:
        heat = np.array([*values, *[0] * (25 - len(values)), values[-1]])
        svg = board_svg(sixplane.Go(5).planes, heat=heat, heat_text=True, footer=True)
        return svg.rpartition(", pass ")[2].partition("<")[0]

    assert [written(each) for each in (0.125, 1.0, 0.004)] == ["13%", "100%", ""]
    assert [written(1.2, each) for each in (1.0, 0.5, 4.0, 0.04)] == ["1.0", "0.5", "4.0", ""]
    assert [written(1.2, each) for each in (999.9, 1000.0, 12345.6)] == ["999.9", "1.0K", "12.3K"]
    assert [written(each) for each in (1, 999, 1000)] == ["1", "999", "1.0K"], "counts are whole"
    # The pass belongs to the map: it alone is above 1 here.
    heat = np.full(26, 0.5)
    points = board_svg(sixplane.Go(5).planes, heat=heat[:-1].reshape(5, 5), heat_text=1)
    heat[25] = 1.5
    assert points != board_svg(sixplane.Go(5).planes, heat=heat, heat_text=1)
    heat[25] = 0.5
    assert points == board_svg(sixplane.Go(5).planes, heat=heat, heat_text=1).replace(", pass", "")
