"""Marks and facts of a record: marks on points, the event, the date, the players, their ranks, the result."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

from sixplane._core import Game, Node, recorded_action
from sixplane.web.refusal import one_line
from sixplane.web.tree import FACTS

#: The property of a record -> the shape that it draws on its points.
SHAPES: Final = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}

#: The most characters of a label.
LONGEST_LABEL: Final = 4

#: The facts of a record, by the names that the page uses, with their properties.
LINES: Final = FACTS | {"result": "RE", "black": "PB", "white": "PW"}

#: The shape of a mark, or `label`, and the text of the label.
Mark = tuple[str, str]


def marks_of(node: Node, game: Game) -> dict[int, Mark]:
    """Returns the marks of a node by their points, as records of the game name them; others are left out."""
    found: dict[int, Mark] = {}
    for name, values in node.properties:
        for value in values if name in SHAPES else []:
            found |= dict.fromkeys(_points(value.strip(), game), (SHAPES[name], ""))
        for value in values if name == "LB" else []:
            point, _, text = value.partition(":")
            # A backslash takes the special meaning from the character after it.
            label = one_line(re.sub(r"\\(.)", r"\1", text), LONGEST_LABEL)
            if label:
                found |= dict.fromkeys(_points(point.strip(), game), ("label", label))
    return found


def about(root: Node) -> dict[str, str]:
    """Returns the facts of a record, whole: event, date, result, players and ranks, as far as it has them."""
    found = {name: (root.text(of) or "").strip() for name, of in LINES.items()}
    return {name: text for name, text in found.items() if text}


def _points(value: str, game: Game) -> Iterator[int]:
    """Returns the point of `dd`, or the points of the rectangle `dd:gg`."""
    first, _, last = value.partition(":")
    corners = [recorded_action(game, name) for name in (first, last or first)]
    (top, left), (bottom, right) = (divmod(-1 if one is None else one, game.cols) for one in corners)
    if min(top, bottom) >= 0 and max(top, bottom) < game.rows:
        for row, col in itertools.product(range(top, bottom + 1), range(left, right + 1)):
            yield row * game.cols + col
