"""Marks and facts of a record: marks on points, the event, the date, the ranks and the result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sixplane._core import Node
from sixplane.web.refusal import one_line

#: The property of a record -> the shape that it draws on its points.
SHAPES: Final = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}

#: The most characters of a label, and of any other line that is shown.
LONGEST_LABEL: Final = 4
LONGEST_LINE: Final = 80

#: The facts that are shown, by the names that the page uses, with their properties.
LINES: Final = {"event": "EV", "date": "DT", "result": "RE", "black_rank": "BR", "white_rank": "WR"}

#: The column and row of a point that no board has.
NOWHERE: Final = (1000, 0)

#: The shape of a mark, or `label`, and the text of the label.
Mark = tuple[str, str]


def marks_of(node: Node, rows: int, cols: int) -> dict[int, Mark]:
    """Returns the marks of a node by their points; marks off the board are left out."""
    found: dict[int, Mark] = {}
    for name, values in node.properties:
        for value in values if name in SHAPES else []:
            found |= dict.fromkeys(_points(value.strip(), rows, cols), (SHAPES[name], ""))
        for value in values if name == "LB" else []:
            point, _, text = value.partition(":")
            # A backslash takes the special meaning from the character after it.
            label = one_line(re.sub(r"\\(.)", r"\1", text), LONGEST_LABEL)
            if label:
                found |= dict.fromkeys(_points(point.strip(), rows, cols), ("label", label))
    return found


def about(root: Node) -> dict[str, str]:
    """Returns the event, the date, the result and the ranks of a record, without those that it lacks."""
    found = {name: line_of(root, of) for name, of in LINES.items()}
    return {name: text for name, text in found.items() if text}


def line_of(root: Node, name: str) -> str:
    """Returns the text of a property, shortened to one line."""
    return one_line(root.text(name) or "", LONGEST_LINE)


def _points(value: str, rows: int, cols: int) -> Iterator[int]:
    """Returns the point of `dd`, or the points of the rectangle `dd:gg`."""
    first, _, last = value.partition(":")
    (left, top), (right, bottom) = _place(first), _place(last or first)
    for row in range(max(top, 0), min(bottom, rows - 1) + 1):
        for col in range(max(left, 0), min(right, cols - 1) + 1):
            yield row * cols + col


def _place(name: str) -> tuple[int, int]:
    """Returns the column and row of two letters; anything else is off every board."""
    if len(name) != 2 or not (name.isascii() and name.islower() and name.isalpha()):  # noqa: PLR2004 - column and row
        return NOWHERE
    col, row = (ord(letter) - ord("a") for letter in name)
    return col, row
