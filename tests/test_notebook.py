"""What notebooks show of games, batches, searches, results, environments and networks."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import gymnasium
import numpy as np
import pytest

import sixplane
from sixplane import match
from sixplane.agents import RandomAgent
from sixplane.nets import Architecture, Network
from sixplane.render import animated_svg, board_svg, grid_svg, html
from sixplane.search import MCTS
from svg_reading import SVG

if TYPE_CHECKING:
    from sixplane._core import Game

HOSTILE = "</td><script>alert('x')</script><img src=x onerror=alert(1)> \" & \x00 \x1b"


def shown(html: str) -> ET.Element:
    """The HTML, which is XML as well, without anything that runs or comes from elsewhere."""
    root = ET.fromstring(html.replace("&nbsp;", " "))  # noqa: S314 - our own text
    for element in root.iter():
        assert element.tag in {"div", "span", "strong", "table", "thead", "tbody", "tr", "th", "td", "img"}
        assert not any(name.startswith("on") for name in element.attrib)
    for image in root.iter("img"):
        assert image.attrib["src"].startswith("data:image/svg+xml,")
        assert image.attrib["alt"]
        ET.fromstring(unquote(image.attrib["src"].partition(",")[2]))  # noqa: S314 - our own text
    return root


def words(root: ET.Element) -> str:
    return " ".join(" ".join(root.itertext()).split())


def cells(root: ET.Element) -> dict[str, list[str]]:
    """The first text of each row -> the others."""
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
    return {row[0]: row[1:] for row in rows}


def pictures(game: Game) -> list[str]:
    batch = sixplane.GameBatch(game, 3)
    return [
        game.to_svg(),
        game.to_svg(animate=True, footer=True),
        game.to_svg(footer=HOSTILE, title=HOSTILE),
        batch.to_svg(),
        board_svg(game.planes, title=HOSTILE),
        grid_svg(batch.planes, title=HOSTILE),
        animated_svg([game.planes, game.planes], title=HOSTILE),
    ]


@pytest.mark.parametrize("game", [sixplane.Go((7, 9)), sixplane.Reversi(), sixplane.Gomoku()], ids=repr)
def test_every_picture_says_what_it_shows(game: Game) -> None:
    for action in game.legal_actions[:3].tolist():
        if action in game.legal_actions:
            game.play(action)
    for svg in pictures(game):
        root = ET.fromstring(svg)  # noqa: S314 - our own text
        assert root.attrib["role"] == "img"
        assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
        assert root[0].text and root[1].text
        assert len(list(root.iter(f"{SVG}title"))) == 1, "one picture, one title"
        assert not {f"{SVG}script", f"{SVG}img"} & {element.tag for element in root.iter()}
    title, description = (ET.fromstring(game.to_svg())[i].text or "" for i in (0, 1))  # noqa: S314
    last = game.last_action
    assert last is not None
    assert title == f"{type(game).__name__} {game.rows}x{game.cols}, move {game.move_number}, " + (
        "white to play" if game.turn else "black to play"
    )
    assert f"Last move: {game.action_to_name(last)}." in description
    black = description.partition("Black: ")[2].partition(".")[0].split()
    assert [game.name_to_action(name) for name in black] == np.flatnonzero(game.planes[0]).tolist()


def test_heat_is_told_from_the_hottest_action_on() -> None:
    heat = np.zeros(26)
    heat[[12, 25, 0]] = 0.5, 0.3, 0.2
    description = ET.fromstring(sixplane.Go(5).to_svg(heat=heat))[1].text  # noqa: S314 - our own text
    assert description == "Black: none. White: none. Hottest: C3, pass, A5."


def test_an_animation_stops_for_the_pointer_for_keys_and_for_reduced_motion() -> None:
    svg = sixplane.Go(5).replay([12, 7, 8]).to_svg(animate=True)
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    sheet = root.findtext(f"{SVG}style") or ""
    assert root.attrib["tabindex"] == "0"
    assert "svg:hover .sixplane-moves,svg:focus .sixplane-moves{animation-play-state:paused}" in sheet
    assert "@media(prefers-reduced-motion:reduce)" in sheet
    moving = [one for one in root.iter() if "sixplane-moves" in one.get("class", "")]
    assert len(moving) == 3 + 3, "stones and dots"
    assert [one.get("opacity") for one in moving] == ["1"] * 3 + ["0", "1", "0"]


def test_a_search_shows_its_visits_and_its_line() -> None:
    game = sixplane.Go(5, komi=0.5)
    game.play(12)
    result = MCTS(simulations=200, seed=1).search(game)
    assert result.game == game and result.game is not game
    root = shown(result._repr_html_())
    table = cells(root)
    best = game.action_to_name(result.best_action)
    assert table["best action"] == [best]
    assert table[best][0] == str(result.visits[result.best_action])
    assert table["expected line"][0].split()[0] == best
    assert "Go 5x5, move 1, white to play" in words(root)
    (image,) = root.iter("img")
    assert f"Hottest: {best}" in image.attrib["alt"]
    assert cells(shown(result._replace(game=None)._repr_html_()))["best action"] == [str(result.best_action)]


def test_the_result_of_a_match_shows_who_won_and_why() -> None:
    class Failing:
        def select_action(self, game: Game) -> int:
            raise ValueError(f"{HOSTILE} in {game!r}")

    result = match.play(RandomAgent(seed=1), Failing(), sixplane.Go(5))
    root = shown(result._repr_html_())
    assert "Black wins" in words(root)
    assert cells(root)["decided by"] == ["by an error"]
    assert "<script>alert('x')</script>" in cells(root)["detail"][0]
    assert "<script>" not in result._repr_html_()
    (image,) = root.iter("img")
    assert f"move {result.record.move_number}, black wins: white lost by an error" in image.attrib["alt"]
    assert "resignation" not in image.attrib["alt"]


def test_a_network_shows_its_shape_and_what_its_file_says() -> None:
    shape = Architecture("go", blocks=1, channels=4)
    parameters = shape.random_parameters(seed=1)
    told = {HOSTILE: HOSTILE, "games": 31360, "settings": {"size": 9, "seed": 0}, "long": "x" * 10_000}
    network = Network(shape, parameters, sizes=[9, (7, 5)], training=told, backend="numpy")
    table = cells(shown(network._repr_html_()))
    assert table["shape"] == ["1 blocks of 4 channels"]
    assert table["parameters"] == [f"{shape.num_parameters:,}"]
    assert table["boards"] == ["9x9, 7x5"]
    assert table["training: games"] == ["31,360"]
    assert table["training: settings"] == ["size=9, seed=0"]
    assert len(table["training: long"][0]) < 700
    assert "<script>" not in network._repr_html_()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Go", {"size": 5}),
        ("Reversi", {"size": 6, "view": "player"}),
        ("Gomoku", {"size": 7, "opponent": "random", "seat": "white"}),
    ],
)
def test_environments_show_their_games_and_options(name: str, options: dict[str, Any]) -> None:
    env: Any = gymnasium.make(f"sixplane/{name}-v0", **options)
    while not hasattr(env, "_repr_html_"):
        env = env.env
    env.reset(seed=1)
    root = shown(env._repr_html_())
    assert f"sixplane/{name}-v0: {name} " in words(root)
    assert cells(root)["view"] == [options.get("view", "black")]
    if "opponent" in options:
        assert cells(root)["seat"] == ["white"]
        assert cells(root)["opponent"] == ["RandomAgent"]
    envs: Any = gymnasium.make_vec(f"sixplane/{name}-v0", 3, **options)
    root = shown(f"<div>{envs._repr_html_()}</div>")
    assert f"sixplane/{name}-v0: 3 games of {name}" in words(root)
    assert len(list(root.iter("img"))) == 3


def test_gymgos_environment_shows_its_board() -> None:
    env: Any = gymnasium.make("sixplane/GymGo-v0", size=5).unwrapped
    env.reset()
    env.step(12)
    root = shown(env._repr_html_())
    assert "sixplane/GymGo-v0: Go 5x5" in words(root)
    (image,) = root.iter("img")
    assert "Black: C3." in image.attrib["alt"]


def test_a_batch_of_any_size_fits_the_page() -> None:
    for size, count in ((25, 3), (19, 2000)):
        batch = sixplane.GameBatch(sixplane.Go(size), count, seed=1)
        batch.play_random(40)
        shows = batch._repr_html_()
        root = shown(shows)
        assert len(shows) < 2_000_000
        assert len(list(root.iter("img"))) == min(count, 24)
        over = int(batch.dones.sum())
        assert f"{count} games of Go {size}x{size}, {over} over" in words(root)
        assert ("; the first 24 are shown" in words(root)) == (count > 24)
        (box,) = (each for each in root.iter("div") if "overflow:auto" in each.get("style", ""))
        assert "max-height" in box.attrib["style"] and box.attrib["tabindex"] == "0"
        assert "0: move 40, black to play" in words(root)


def test_an_image_tells_what_its_picture_does() -> None:
    batch = sixplane.GameBatch(sixplane.Go(5), 1)
    (image,) = shown(batch._repr_html_()).iter("img")
    svg = batch[0].to_svg(width=150, coordinates=False)
    assert unquote(image.attrib["src"]) == f"data:image/svg+xml,{svg}"
    assert image.attrib["alt"] == "Go 5x5, move 0, black to play. Black: none. White: none."
    assert unescape(image.attrib["alt"]) == image.attrib["alt"]


def test_an_image_may_be_shown_in_another_width() -> None:
    svg = sixplane.Hex((3, 7)).to_svg()
    (image,) = ET.fromstring(f"<p>{html.image(svg, 240)}</p>")  # noqa: S314 - our own text
    own = ET.fromstring(svg).attrib  # noqa: S314 - our own text
    assert image.attrib["width"] == "240" and own["width"] == "480"
    assert int(image.attrib["height"]) == round(int(own["height"]) / 2)
