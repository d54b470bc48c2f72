"""A picture of an agent among the rungs of a ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from sixplane.render.glyphs import text_path
from sixplane.render.svg import check_width
from sixplane.render.words import plain

#: Heights in pixels: of the picture, of the line of the rungs, and of the agent above it.
HEIGHT: Final = 96
LINE: Final = 56
AGENT: Final = 24

#: The color and the height of numbers.
INK: Final = "#333"
DIGIT: Final = 8

#: The width in pixels of the narrowest picture.
NARROWEST: Final = 120

#: Space on the left and on the right.
MARGIN: Final = 28

#: Rungs closer than this many pixels to the one before have no number.
LEAST_GAP: Final = 22


def ladder_svg(
    title: str,
    rungs: Sequence[tuple[int, float]],
    scores: Mapping[int, float],
    agent: tuple[float, float, float],
    width: int = 640,
) -> str:
    """Draws rungs on an axis of Elo, and above it an agent with its interval.

    Args:
        title: the title of the picture.
        rungs: the number and the Elo of each rung, ascending.
        scores: the score against each rung that was played, by its number.
        agent: the lower end of its interval, its Elo and the upper end.
        width: the width of the picture in pixels.

    Raises:
        ValueError: the width is not from 120 to 16384.
    """
    width = check_width(width, NARROWEST)
    values = [*(elo for _, elo in rungs), *agent]
    least, most = min(values), max(values)
    scale = (width - 2 * MARGIN) / max(most - least, 1.0)

    def x(elo: float) -> float:
        return round(MARGIN + (elo - least) * scale, 1)

    low, elo, high = map(x, agent)
    parts = [f'<path d="M{x(least)} {LINE}H{x(most)}" stroke="#888"/>']
    last = -float(LEAST_GAP)
    for number, rating in rungs:
        place, score = x(rating), scores.get(number)
        radius, fill = (3, "#888") if score is None else (5, "#06c")
        about = f"rung +{number}, Elo {rating:.0f}" + ("" if score is None else f", score {score:.0%}")
        parts.append(
            f'<circle cx="{place}" cy="{LINE}" r="{radius}" fill="{fill}"><title>{about}</title></circle>'
        )
        if place - last >= LEAST_GAP:
            parts.append(text_path(f"+{number}", place, LINE + 16, DIGIT, color=INK))
            last = place
    parts.append(
        f'<path d="M{low} {AGENT - 5}v10M{low} {AGENT}H{high}M{high} {AGENT - 5}v10" stroke="#c30" '
        f'stroke-width="2" fill="none"/><circle cx="{elo}" cy="{AGENT}" r="5" fill="#c30"/>'
        f'<path d="M{elo} {AGENT + 7}V{LINE - 7}" stroke="#c30" stroke-dasharray="2 3"/>'
        f"{text_path(f'{agent[1]:.0f}', elo, AGENT - 14, DIGIT, color=INK)}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" '
        f'viewBox="0 0 {width} {HEIGHT}" role="img"><title>{escape(plain(title))}</title>'
        f'<rect width="{width}" height="{HEIGHT}" fill="#fff"/>'
        f"{''.join(parts)}</svg>"
    )
