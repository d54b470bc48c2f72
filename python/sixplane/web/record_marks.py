"""What a record says beside its moves: marks on points, the event, the date, the ranks and the result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sixplane.web.refusal import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane._core import Node

__all__ = ["Mark", "about", "line_of", "marks_of"]

#: Property -> the shape on its points; a label has a text instead.
SHAPES: Final = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}

#: Characters of a label, and of any other line that is shown.
LONGEST_LABEL: Final = 4
LONGEST_LINE: Final = 80

#: What is shown of a record, by the names of the page.
LINES: Final = {"event": "EV", "date": "DT", "result": "RE", "black_rank": "BR", "white_rank": "WR"}

#: A column that no board has.
NOWHERE: Final = (1000, 0)

#: A shape, or `label`, and the text of a label.
Mark = tuple[str, str]


def marks_of(node: Node, rows: int, cols: int) -> dict[int, Mark]:
    """The marks of a node by their points; what is no point of the board is left out."""
    found: dict[int, Mark] = {}
    for name, values in node.properties:
        for value in values if name in SHAPES else []:
            found |= dict.fromkeys(_points(value.strip(), rows, cols), (SHAPES[name], ""))
        for value in values if name == "LB" else []:
            point, _, text = value.partition(":")
            # A backslash keeps the character after it from being read.
            label = one_line(re.sub(r"\\(.)", r"\1", text), LONGEST_LABEL)
            if label:
                found |= dict.fromkeys(_points(point.strip(), rows, cols), ("label", label))
    return found


def about(root: Node) -> dict[str, str]:
    """The event, the date, the result and the ranks of a record, as far as it has them."""
    found = {name: line_of(root, of) for name, of in LINES.items()}
    return {name: text for name, text in found.items() if text}


def line_of(root: Node, name: str) -> str:
    """The text of a property in one line, of bounded length."""
    return one_line(root.text(name) or "", LONGEST_LINE)


def _points(value: str, rows: int, cols: int) -> Iterator[int]:
    """The points of `dd`, or of the rectangle `dd:gg`."""
    first, _, last = value.partition(":")
    (left, top), (right, bottom) = _place(first), _place(last or first)
    for row in range(max(top, 0), min(bottom, rows - 1) + 1):
        for col in range(max(left, 0), min(right, cols - 1) + 1):
            yield row * cols + col


def _place(name: str) -> tuple[int, int]:
    """Column and row of two letters; without these, a place beside every board."""
    if len(name) != 2 or not (name.isascii() and name.islower() and name.isalpha()):  # noqa: PLR2004 - column and row
        return NOWHERE
    col, row = (ord(letter) - ord("a") for letter in name)
    return col, row
