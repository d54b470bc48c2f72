"""The styles of boards by name."""

from __future__ import annotations

from typing import Final

from sixplane.games import GAMES
from sixplane.games.style import Style

#: The styles of sixplane's games, by their names on the command line.
STYLES: Final[dict[str, Style]] = {name: game.style for name, game in GAMES.items()}


def style_of(style: str | Style) -> Style:
    """Returns the style with this name, or the style itself.

    Raises:
        ValueError: no style has this name.
    """
    if isinstance(style, Style):
        return style
    if style not in STYLES:
        raise ValueError(f"style must be one of {', '.join(sorted(STYLES))} or a Style, not {style!r}")
    return STYLES[style]
