"""A whole game as one animated SVG: it plays by itself in browsers, in a page or as an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sixplane import _arguments
from sixplane.render import overlay
from sixplane.render.board import draw_board, draw_stones
from sixplane.render.glyphs import number as n
from sixplane.render.layout import Layout
from sixplane.render.style import Style, style_of
from sixplane.render.svg import WIDTH, document, draw_footer, footer_text, stones_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["animated_svg"]


def animated_svg(
    frames: Sequence[NDArray[Any]],
    style: str | Style = "go",
    *,
    lasts: Sequence[int | None] | None = None,
    seconds: float = 0.5,
    hold: float = 3.0,
    width: int = WIDTH,
    coordinates: bool = True,
    footer: bool = False,
) -> str:
    """Positions one after another, repeated for ever.

    A viewer without animations shows the last position.

    Args:
        frames: planes `(6, rows, cols)` of each position, all of one size.
        style: as in `board_svg`.
        lasts: the action played last in each position, if it is to be shown.
        seconds: how long each position is shown.
        hold: how long the last one is.
        width: of the picture in pixels.
        coordinates: whether letters and numbers stand around the board.
        footer: whether words below say whose turn it is.

    Raises:
        ValueError: no frames, frames of several sizes, or a time that is not above 0.
    """
    boards = [_arguments.planes(planes) for planes in frames]
    if not boards or any(planes.shape != boards[0].shape for planes in boards):
        raise ValueError("an animation needs frames, all of one size")
    if not (0 < seconds < float("inf") and 0 < hold < float("inf")):
        raise ValueError(f"seconds and hold must be above 0, not {seconds} and {hold}")
    ends = [None] * len(boards) if lasts is None else list(lasts)
    rows, cols = boards[0].shape[1:]
    layout = Layout(rows, cols, style_of(style), coordinates, footer)

    # Layers from below; in each, what is drawn and the frames that show it.
    stones: dict[tuple[int, int], list[int]] = {}
    dots: dict[int, list[int]] = {}
    words: dict[str, list[int]] = {}
    for index, (planes, last) in enumerate(zip(boards, ends, strict=True)):
        for stone in stones_of(planes).items():
            stones.setdefault(stone, []).append(index)
        if last is not None and 0 <= last < rows * cols:
            dots.setdefault(last, []).append(index)
        if footer:
            words.setdefault(draw_footer(layout, planes, footer_text(planes)), []).append(index)

    clock = _Clock(len(boards), seconds, hold)
    parts = [draw_board(layout)]
    parts.extend(
        clock.show(draw_stones(color, [layout.center(point)]), stones[point, color])
        for point, color in sorted(stones)
    )
    parts.extend(clock.show(overlay.draw_last(layout, point), dots[point]) for point in sorted(dots))
    parts.extend(clock.show(text, shown) for text, shown in words.items())
    return document("".join(parts), layout.width, layout.height, width)


class _Clock:
    """Turns numbers of frames into times of the animation."""

    def __init__(self, frames: int, seconds: float, hold: float) -> None:
        self._frames = frames
        self._seconds = seconds
        self._total = (frames - 1) * seconds + hold

    def show(self, element: str, frames: list[int]) -> str:
        """An element that is visible in these frames, which ascend, and in no others."""
        if len(frames) == self._frames:
            return element
        shown = set(frames)
        is_last = self._frames - 1 in shown
        times, values = ["0"], ["1" if 0 in shown else "0"]
        for index in range(1, self._frames):
            value = "1" if index in shown else "0"
            if value != values[-1]:
                times.append(f"{index * self._seconds / self._total:.6f}")
                values.append(value)
        return (
            f'<g opacity="{int(is_last)}">{element}<animate attributeName="opacity" calcMode="discrete" '
            f'dur="{n(self._total)}s" repeatCount="indefinite" values="{";".join(values)}" '
            f'keyTimes="{";".join(times)}"/></g>'
        )
