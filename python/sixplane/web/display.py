"""How a page shows the board."""

from __future__ import annotations

from typing import Literal

import msgspec

from sixplane.web.tree import Source

__all__ = ["Display", "Overlay", "Theme"]

Theme = Literal["classic", "paper", "slate"]
Overlay = Literal["off", "policy", "visits", "values", "ownership", "table"]


class Display(msgspec.Struct, frozen=True):
    """What a page draws on the board, and how."""

    theme: Theme = "classic"
    numbers: bool = False
    marks: bool = False
    coordinates: bool = True
    overlay: Overlay = "off"
    """What of an agent's thoughts is drawn on the board."""
    of: Source = "hint"
    """Whose thoughts are drawn."""
    all_numbers: bool = False
    """Whether every number is written on the board, or only those of the best actions."""
