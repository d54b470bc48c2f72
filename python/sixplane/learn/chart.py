"""Curves over time or moves, as figures of a page: SVG in HTML, with the colors of the page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from sixplane.render.glyphs import number as n

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.float64]

__all__ = ["COLORS", "Curve", "Field", "curves", "shares"]

Unit: TypeAlias = Literal["", "%", "Elo"]

#: Width and height of a picture, and the space around the field of the curves.
SIZE: Final = (560, 230)
LEFT, TOP, RIGHT, BOTTOM = 52, 10, 12, 28
#: Half the width of a letter below the field, or a little more.
HALF_LETTER: Final = 3.8

#: A curve has at most so many points; so many places tell their numbers when one points at them.
MOST_POINTS: Final = 400
MOST_PLACES: Final = 100
#: Up to so many points, each is marked.
FEW: Final = 40
#: The page has so many colors for curves.
COLORS: Final = 6


@dataclass(frozen=True)
class Curve:
    """Values over minutes, or over moves; where one is not finite, there is none."""

    label: str
    times: Values
    """`(k,)`: minutes or moves, ascending."""
    values: Values
    """`(k,)`."""
    low: Values | None = None
    """`(k,)`: the lower ends of intervals."""
    high: Values | None = None
    dashed: bool = False

    def known(self) -> Curve:
        """Without what is not finite, and thinned out."""
        chosen = np.flatnonzero(np.isfinite(self.values) & np.isfinite(self.times))
        chosen = _thinned(chosen, MOST_POINTS)
        values = self.values[chosen]
        low, high = (
            None if ends is None else np.where(np.isfinite(ends[chosen]), ends[chosen], values)
            for ends in (self.low, self.high)
        )
        return Curve(self.label, self.times[chosen], values, low, high, self.dashed)


def curves(
    title: str,
    given: Sequence[Curve],
    *,
    unit: Unit = "",
    axis: str = "min",
    until: float | None = None,
    bounds: tuple[float, float] | None = None,
    extra: Callable[[Field], str] | None = None,
    size: tuple[int, int] = SIZE,
    note: str = "",
) -> str:
    """A figure with a curve for each series; an empty text if no value is known.

    Args:
        title: what it shows.
        given: the curves; of more than six, the first six.
        unit: `"%"` for shares from 0 to 1.
        axis: the unit of the times.
        until: the end of the axis; None: the last time that has a value.
        bounds: of the values; None: as the values need.
        extra: what is drawn over the curves.
        size: width and height of the picture; texts are 12 high.
        note: a sentence below the title, for what its words alone do not tell.
    """
    known = [curve for curve in (each.known() for each in given[:COLORS]) if len(curve.values)]
    if not known:
        return ""
    everything = [
        ends[np.isfinite(ends)]
        for curve in known
        for ends in (curve.values, curve.low, curve.high)
        if ends is not None
    ]
    lowest, highest = bounds or _bounds(np.concatenate(everything))
    last = max(float(curve.times[-1]) for curve in known)
    field = Field(last if until is None else until, lowest, highest, axis, size)
    parts = [field.grid(unit)]
    for color, curve in enumerate(known):
        if curve.low is not None and curve.high is not None:
            parts.append(field.band(curve, color))
    for color, curve in enumerate(known):
        parts.append(field.line(curve, color))
    if extra is not None:
        parts.append(extra(field))
    parts.append(field.places(known, unit))
    latest = {curve.label: _text(float(curve.values[-1]), unit) for curve in known}
    return _figure(title, latest, "".join(parts), size, note)


def shares(title: str, minutes: Values, parts: Mapping[str, Values], note: str = "") -> str:
    """A figure of shares from 0 to 1, one above the other; an empty text if none is known."""
    chosen = np.flatnonzero(np.all([np.isfinite(share) for share in parts.values()], axis=0))
    chosen = _thinned(chosen, MOST_POINTS)
    if not len(chosen):
        return ""
    field = Field(float(minutes[chosen[-1]]), 0.0, 1.0, "min", SIZE)
    pieces, below = [], np.zeros(len(chosen))
    for color, share in enumerate(parts.values()):
        above = np.clip(below + share[chosen], 0, 1)
        layer = Curve("", minutes[chosen], above, below, above)
        pieces.append(field.band(layer, color, "layer"))
        below = above
    known = [Curve(label, minutes[chosen], share[chosen]) for label, share in parts.items()]
    pieces += [field.grid("%"), field.places(known, "%")]
    latest = {curve.label: _text(float(curve.values[-1]), "%") for curve in known}
    return _figure(title, latest, "".join(pieces), SIZE, note)


class Field:
    """Where values stand in the picture, and what is drawn there."""

    def __init__(
        self, longest: float, lowest: float, highest: float, axis: str, size: tuple[int, int]
    ) -> None:
        self.longest = max(longest, 1e-9)
        self.lowest, self.highest, self.axis = lowest, highest, axis
        self.left, self.top, self.right, self.bottom = LEFT, TOP, size[0] - RIGHT, size[1] - BOTTOM

    def x(self, time: float) -> float:
        """The place of a time."""
        return self.left + (self.right - self.left) * time / self.longest

    def y(self, value: float) -> float:
        """The place of a value, within the field."""
        part = (value - self.lowest) / (self.highest - self.lowest)
        return self.bottom - (self.bottom - self.top) * min(1.0, max(0.0, part))

    def grid(self, unit: Unit) -> str:
        """Lines at round numbers, and these numbers."""
        parts = []
        for value in _ticks(self.lowest, self.highest, 4):
            y = n(self.y(value))
            parts.append(f'<path class="grid" d="M{self.left} {y}H{self.right}"/>')
            parts.append(
                f'<text class="end" x="{self.left - 7}" y="{y}" dy=".35em">{_short(value, unit)}</text>'
            )
        ticks = _ticks(0, self.longest, 6)
        for time in ticks:
            text = f"{time:g} {self.axis}" if time == ticks[-1] else f"{time:g}"
            # A long one below the end would be cut off at the edge of the picture.
            x = min(self.x(time), self.right + RIGHT - HALF_LETTER * len(text))
            parts.append(f'<text class="middle" x="{n(x)}" y="{self.bottom + 18}">{text}</text>')
        parts.append(f'<path class="axis" d="M{self.left} {self.bottom}H{self.right}"/>')
        return "".join(parts)

    def _path(self, times: Values, values: Values) -> str:
        points = zip(times.tolist(), values.tolist(), strict=True)
        return "L".join(f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in points)

    def line(self, curve: Curve, color: int) -> str:
        """A curve; few points are marked, of many only the last."""
        dashed = " dashed" if curve.dashed else ""
        path = f'<path class="line c{color}{dashed}" d="M{self._path(curve.times, curve.values)}"/>'
        points = list(zip(curve.times.tolist(), curve.values.tolist(), strict=True))
        marked = points if len(points) <= FEW and not curve.dashed else points[-1:]
        return path + "".join(
            f'<circle class="dot c{color}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3.5"/>'
            for x, y in marked
        )

    def band(self, curve: Curve, color: int, kind: str = "band") -> str:
        """The area between the ends of a curve's intervals."""
        assert curve.low is not None and curve.high is not None  # noqa: PT018, S101 - the caller has checked
        if len(curve.times) == 1:
            x, ends = self.x(float(curve.times[0])), (curve.low[0], curve.high[0])
            bottom, top = (self.y(float(end)) for end in ends)
            return f'<path class="line c{color}" d="M{x:.1f} {bottom:.1f}V{top:.1f}"/>'
        there = self._path(curve.times, curve.high)
        back = self._path(curve.times[::-1], curve.low[::-1])
        return f'<path class="{kind} c{color}" d="M{there}L{back}Z"/>'

    def places(self, known: Sequence[Curve], unit: Unit) -> str:
        """Columns that tell the values of their time when one points at them."""
        times = np.unique(np.concatenate([curve.times for curve in known]))
        times = times[_thinned(np.arange(len(times)), MOST_PLACES)]
        edges = [self.left, *(self.x(float(middle)) for middle in (times[1:] + times[:-1]) / 2), self.right]
        parts = []
        for i, time in enumerate(times.tolist()):
            said = [f"{time:.4g} {self.axis}"]
            for curve in known:
                nearest = int(np.abs(curve.times - time).argmin())
                if math.isclose(curve.times[nearest], time):
                    said.append(f"{curve.label} {_text(float(curve.values[nearest]), unit)}")
            left, right = edges[i : i + 2]
            parts.append(
                f'<rect class="place" x="{left:.1f}" y="{self.top}" width="{right - left:.1f}" '
                f'height="{self.bottom - self.top}"><title>{escape(", ".join(said))}</title></rect>'
            )
        return "".join(parts)


def _figure(title: str, latest: Mapping[str, str], inner: str, size: tuple[int, int], note: str) -> str:
    """A picture with its title, and the last value of each curve beside its color."""
    explained = f'<p class="note">{escape(note)}</p>' if note else ""
    keys = "".join(
        f'<li><span class="key k{color}"></span>{escape(label)} <b>{value}</b></li>'
        for color, (label, value) in enumerate(latest.items())
    )
    return (
        f'<figure class="chart"><figcaption>{escape(title)}</figcaption>'
        f'{explained}<ul class="keys">{keys}</ul>'
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" role="img" '
        f'aria-label="{escape(title)}">{inner}</svg></figure>'
    )


def _thinned(chosen: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """At most so many of them, evenly, the last included."""
    if len(chosen) <= most:
        return chosen
    return chosen[np.unique(np.linspace(0, len(chosen) - 1, most).round().astype(np.int64))]


def _bounds(values: Values) -> tuple[float, float]:
    """The least and the greatest with some space around them."""
    lowest, highest = float(values.min()), float(values.max())
    space = 0.06 * (highest - lowest) or 0.1 * abs(highest) or 1.0
    # What is never negative gets no space below 0.
    return (max(0.0, lowest - space) if lowest >= 0 else lowest - space), highest + space


def _ticks(lowest: float, highest: float, count: int) -> list[float]:
    """About so many round numbers from lowest to highest."""
    rough = (highest - lowest) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= 0.999 * rough)
    first = math.ceil(lowest / step - 1e-9)
    last = math.floor(highest / step + 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def _text(value: float, unit: Unit) -> str:
    if unit == "%":
        return f"{100 * value:.3g} %"
    if unit == "Elo":
        return f"{value:+.0f}" if value else "0"
    if abs(value) >= 1000:  # noqa: PLR2004 - from here on, digits are grouped
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _short(value: float, unit: Unit) -> str:
    """As beside an axis, where thousands and millions are letters."""
    for power, letter in ((1e6, "M"), (1e3, "k")):
        if not unit and abs(value) >= power:
            return f"{value / power:g} {letter}"
    return _text(value, unit)
