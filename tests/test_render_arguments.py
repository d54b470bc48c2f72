"""Arguments of pictures: what is refused says why, and the booleans of NumPy are booleans."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sixplane
from sixplane.render import animated_svg, board_svg, board_text, grid_svg

PLANES = sixplane.Go(5).planes


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"style": "chess"}, ValueError, "connect4, go, gomoku, hex, reversi"),
        ({"width": 5}, ValueError, "from 16 to 16384"),
        ({"width": 100.0}, TypeError, "integer"),
        ({"last": 26}, ValueError, "off the board"),
        ({"last": -1}, ValueError, "off the board"),
        ({"numbers": {25: 1}}, ValueError, "off the board"),
        ({"heat": np.ones(25)}, ValueError, r"\(5, 5\) or \(26,\)"),
        ({"heat": -np.ones(26)}, ValueError, "not negative"),
        ({"heat": np.full(26, np.inf)}, ValueError, "finite"),
        ({"ownership": np.ones(25)}, ValueError, r"\(5, 5\)"),
        ({"ownership": np.full((5, 5), np.nan)}, ValueError, "finite"),
        ({"liberties": np.ones((4, 5))}, ValueError, r"\(5, 5\)"),
        ({"line": [0, 99]}, ValueError, "off the board"),
        ({"style": []}, TypeError, "style must be the name of a game or a Style, not list"),
        ({"numbers": [1, 2]}, TypeError, "numbers must map points to texts, not be of type list"),
        (
            {"ownership": np.full((5, 5), None)},
            TypeError,
            "ownership must be real numbers, not of type object",
        ),
        ({"liberties": np.full((5, 5), "3")}, TypeError, "liberties must be real numbers, not of type <U1"),
        ({"title": 3}, TypeError, "title must be a text or None, not int"),
    ],
)
def test_what_cannot_be_drawn_says_why(options: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        board_svg(PLANES, **options)


def test_other_refusals() -> None:
    with pytest.raises(ValueError, match="6, rows, cols"):
        board_svg(np.zeros((5, 5, 5)))
    with pytest.raises(ValueError, match="at least one"):
        grid_svg(np.zeros((0, 6, 5, 5)))
    with pytest.raises(ValueError, match="all frames of one size"):
        animated_svg([PLANES, sixplane.Go(6).planes])
    with pytest.raises(ValueError, match="all frames of one size"):
        animated_svg([])
    with pytest.raises(ValueError, match="above 0"):
        animated_svg([PLANES], seconds=0)
    for name in ("seconds", "hold"):
        with pytest.raises(TypeError, match=f"{name} must be a number, not str"):
            sixplane.Go().to_svg(animate=True, **{name: "1"})  # type: ignore[arg-type]
    for name in ("footer", "lasts", "heats", "ownerships"):
        with pytest.raises(TypeError, match=f"{name} must have one value for each frame, not be of type int"):
            animated_svg([PLANES], **{name: 3})  # type: ignore[arg-type]
    for draw in (grid_svg, animated_svg):
        with pytest.raises(TypeError, match="title must be a text or None, not int"):
            draw(np.stack([PLANES, PLANES]), title=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lasts must have one value for each of the 2 boards, not 1"):
        grid_svg(np.stack([PLANES, PLANES]), lasts=[1])
    with pytest.raises(TypeError, match="no ownership"):
        sixplane.Reversi().to_svg(ownership=True)
    with pytest.raises(TypeError, match="colour"):
        sixplane.Go().to_svg(colour="red")  # type: ignore[call-arg]
    batch: Any = sixplane.GameBatch(sixplane.Go(), 2)
    wrong: Any
    for wrong, error in ((-1, ValueError), (2.5, TypeError), (None, TypeError), ("2", TypeError)):
        for name in ("numbers", "heat_text"):
            with pytest.raises(error, match=f"{name} must be"):
                sixplane.Go().to_svg(**{name: wrong})
        with pytest.raises(error, match="heat_text must be"):
            batch.to_svg(heat_text=wrong)
    with pytest.raises(ValueError, match="limit"):
        batch.to_svg(limit=0)
    for name in ("last", "numbers", "animate"):
        with pytest.raises(TypeError, match=f"{name} belongs to one game: draw it by the game's to_svg"):
            batch.to_svg(**{name: True})
    says = "a picture of many boards does not take {}, only coordinates, footer, numbers, "
    with pytest.raises(TypeError, match=says.format("last")):
        grid_svg(np.stack([PLANES, PLANES]), last=1)  # type: ignore[call-arg]
    for name in ("lasts", "style", "colour"):
        with pytest.raises(TypeError, match=says.format(name)):
            batch.to_svg(**{name: 1})


@pytest.mark.parametrize("last", [1000, 26, -1])
def test_a_last_action_off_the_board_is_refused_in_text_as_in_pictures(last: int) -> None:
    for draw in (board_text, board_svg):
        with pytest.raises(ValueError, match=f"point {last} is off the board: it must be from 0 to 24"):
            draw(PLANES, last=last)
    assert board_text(PLANES, last=25) == board_text(PLANES), "a pass has no point"


def test_booleans_of_numpy_choose_all_or_none() -> None:
    game, heat = sixplane.Go(5).replay([12, 13, 25, 7]), np.linspace(0, 1, 26)
    batch, yes, no = sixplane.GameBatch(game, 2), np.True_, np.False_
    said: Any
    for said, plain in ((yes, True), (no, False)):
        assert game.to_svg(numbers=said) == game.to_svg(numbers=plain)
        assert game.to_svg(heat=heat, heat_text=said) == game.to_svg(heat=heat, heat_text=plain)
        assert batch.to_svg(heat=heat, heat_text=said) == batch.to_svg(heat=heat, heat_text=plain)
        assert game.to_svg(liberties=said) == game.to_svg(liberties=plain)
        assert game.to_svg(ownership=said) == game.to_svg(ownership=plain)
        assert batch.to_svg(liberties=said) == batch.to_svg(liberties=plain)
        assert board_svg(PLANES, liberties=said) == board_svg(PLANES, liberties=plain)
        for ended in (game, game.replay([25, 25])):
            for animate in (False, True):
                options: Any = {
                    "animate": animate,
                    "invalid": no,
                    "numbers": no,
                    "liberties": no,
                    "ownership": no,
                }
                assert ended.to_svg(footer=said, **options) == ended.to_svg(footer=plain, animate=animate)
    said = np.int64(2)
    assert game.to_svg(numbers=said) == game.to_svg(numbers=2)
