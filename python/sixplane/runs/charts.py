"""What the page draws as curves, in the words of JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypedDict

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.float64]

__all__ = ["COLORS", "Chart", "Curve", "CurveData", "chart"]

Unit: TypeAlias = Literal["", "%", "Elo"]

#: A curve has at most so many points.
MOST_POINTS: Final = 400
#: The page has so many colors for curves.
COLORS: Final = 6


class CurveData(TypedDict):
    """A curve as the page takes it: numbers of equal count, and the ends of intervals if there are any."""

    label: str
    dashed: bool
    times: list[float]
    values: list[float]
    low: list[float]
    high: list[float]


class Chart(TypedDict):
    """A figure with curves, as the page takes it."""

    title: str
    note: str
    unit: Unit
    axis: str
    until: float
    bounds: tuple[float, float] | None
    stacked: bool
    curves: list[CurveData]


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

    def data(self, chosen: NDArray[np.bool_]) -> CurveData:
        """The points of this mask, thinned out evenly; the last one stays."""
        index = np.flatnonzero(chosen)
        if len(index) > MOST_POINTS:
            index = index[np.unique(np.linspace(0, len(index) - 1, MOST_POINTS).round().astype(np.int64))]
        values = self.values[index]
        low, high = (
            [] if ends is None else _rounded(np.where(np.isfinite(ends[index]), ends[index], values))
            for ends in (self.low, self.high)
        )
        times = _rounded(self.times[index])
        return CurveData(
            label=self.label, dashed=self.dashed, times=times, values=_rounded(values), low=low, high=high
        )


def chart(
    title: str,
    curves: Sequence[Curve],
    *,
    unit: Unit = "",
    axis: str = "min",
    until: float | None = None,
    bounds: tuple[float, float] | None = None,
    stacked: bool = False,
    note: str = "",
) -> list[Chart]:
    """A figure with a curve for each series; nothing if no value is known.

    Args:
        title: what it shows.
        curves: the curves; of more than six, the first six.
        unit: `"%"` for shares from 0 to 1.
        axis: the unit of the times.
        until: the end of the axis; None: the last time that has a value.
        bounds: of the values; None: as the values need.
        stacked: whether the curves are shares that lie one above the other; then only times count at which
            all are known.
        note: a sentence below the title, for what its words alone do not say.
    """
    curves = curves[:COLORS]
    known = [np.isfinite(curve.values) & np.isfinite(curve.times) for curve in curves]
    if stacked:
        known = [np.logical_and.reduce(known)] * len(curves)
    found = [curve.data(each) for curve, each in zip(curves, known, strict=True) if each.any()]
    if not found:
        return []
    last = max(curve["times"][-1] for curve in found) if until is None else until
    return [
        Chart(
            title=title,
            note=note,
            unit=unit,
            axis=axis,
            until=last,
            bounds=bounds,
            stacked=stacked,
            curves=found,
        )
    ]


def _rounded(values: Values) -> list[float]:
    """Values with six digits, as `metrics.csv` has them."""
    return [float(f"{value:.6g}") for value in values.tolist()]
