"""How a page shows the board."""

from __future__ import annotations

from typing import Literal

import msgspec

from sixplane.web.tree import Source

Theme = Literal["classic", "paper", "slate"]
Overlay = Literal["off", "policy", "visits", "values", "ownership", "table"]


class Display(msgspec.Struct, frozen=True):
    """The choices of a page about its board."""

    theme: Theme = "classic"
    numbers: bool = False
    marks: bool = False
    coordinates: bool = True
    overlay: Overlay = "off"
    """The part of an analysis that is drawn on the board."""
    of: Source = "hint"
    """The agent whose analysis is drawn."""
    all_numbers: bool = False
    """Whether all numbers of an analysis are written on the board, and not only those of the best actions."""
