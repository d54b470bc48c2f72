"""A whole game as one animated SVG: it plays by itself in browsers, in a page or as an image.

The animation is a style sheet. In a page, or opened by itself, it stops while the pointer is on it, or while
it is chosen by a click or by keys. An image takes no pointer: there it plays, unless the user has asked for
reduced motion. Then every picture stands still at the last position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from hashlib import blake2b
from typing import Final, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sixplane import _arguments
from sixplane._arguments import Array
from sixplane.games.style import Style
from sixplane.render import overlay
from sixplane.render.board import draw_board, draw_stones
from sixplane.render.description import draw_words, position_text, standing, title_text
from sixplane.render.glyphs import number as n
from sixplane.render.layout import Layout, last_point, style_of
from sixplane.render.svg import WIDTH, as_choice, board_array, document, draw_footer, stones_of, title_or

T = TypeVar("T")

#: What every element that changes has in common; its own rule says how. The same in all pictures of a page.
RULES: Final = (
    ".sixplane-moves{animation-timing-function:step-end;animation-iteration-count:infinite}"
    "svg:hover .sixplane-moves,svg:focus .sixplane-moves{animation-play-state:paused}"
    "@media(prefers-reduced-motion:reduce){.sixplane-moves{animation-play-state:paused;"
    "animation-delay:var(--sixplane-end)}}"
)


def animated_svg(
    frames: Sequence[Array],
    style: str | Style = "go",
    *,
    lasts: Sequence[int | None] | None = None,
    heats: Sequence[ArrayLike | None] | None = None,
    ownerships: Sequence[ArrayLike | None] | None = None,
    seconds: float = 0.5,
    hold: float = 3.0,
    width: int = WIDTH,
    coordinates: bool = True,
    footer: bool | str | Sequence[str | None] = False,
    title: str | None = None,
) -> str:
    """Draws positions one after another, again and again.

    A viewer without animations shows the last position, and so does one that is asked for reduced motion. In
    a page the animation pauses under the pointer, and while it has the focus.

    Args:
        frames: planes `(6, rows, cols)` of each position, all of one size.
        style: as in `board_svg`.
        lasts: the action played last in each position, if it is to be shown.
        heats: the heat of each position, if it is to be shown, as in `board_svg`; such as the policy.
        ownerships: `(rows, cols)` for each position, if it is to be shown, as in `board_svg`.
        seconds: time that each position is shown.
        hold: time that the last position is shown, in seconds.
        width: width of the picture in pixels.
        coordinates: whether letters and numbers stand around the board.
        footer: whether words below say whose turn it is, or other words, or the words of each position, where
            None says whose turn it is.
        title: what the picture shows, for screen readers; None: the size and the last position.

    Raises:
        TypeError: an option has a value of another type.
        ValueError: there are no frames, the frames differ in size, another list does not have one value for
            each, a last action is off the board, or a time is not above 0.

    Example:
        >>> import sixplane
        >>> game = sixplane.Go(size=5)
        >>> frames = [game.planes]
        >>> for action in (12, 6, 8):
        ...     game.play(action)
        ...     frames.append(game.planes)
        >>> svg = animated_svg(frames, lasts=[None, 12, 6, 8], seconds=0.8, title="Three moves")
        >>> svg.startswith("<svg"), "Three moves" in svg
        (True, True)
    """
    boards = [_arguments.planes(planes) for planes in frames]
    if not boards or any(planes.shape != boards[0].shape for planes in boards):
        raise ValueError("an animation needs at least one frame, and all frames of one size")
    seconds, hold = _arguments.real("seconds", seconds), _arguments.real("hold", hold)
    if not (0 < seconds < float("inf") and 0 < hold < float("inf")):
        raise ValueError(f"seconds and hold must be finite and above 0, not {seconds} and {hold}")
    ends = _one_each("lasts", lasts, len(boards))
    footer = as_choice(footer)
    says: Sequence[bool | str | None] = (
        [footer] * len(boards) if isinstance(footer, bool | str) else _one_each("footer", footer, len(boards))
    )
    rows, cols = boards[0].shape[1:]
    layout = Layout(rows, cols, style_of(style), coordinates, bool(footer))

    # Layers from below; in each, what is drawn and the frames that show it.
    stones: dict[tuple[int, int], list[int]] = {}
    dots: dict[int, list[int]] = {}
    words: dict[str, list[int]] = {}
    for index, (planes, last, said) in enumerate(zip(boards, ends, says, strict=True)):
        for stone in stones_of(planes).items():
            stones.setdefault(stone, []).append(index)
        dotted = last_point(layout, last)
        if dotted is not None:
            dots.setdefault(dotted, []).append(index)
        if footer:
            text = said if isinstance(said, str) else standing(planes, layout.style)
            words.setdefault(draw_footer(layout, planes, text), []).append(index)

    timeline = Timeline(len(boards), seconds, hold)
    parts = [draw_board(layout)]
    parts.extend(_heats(layout, timeline, _one_each("heats", heats, len(boards))))
    parts.extend(
        timeline.show(draw_stones(color, [layout.center(point)]), stones[point, color])
        for point, color in sorted(stones)
    )
    parts.extend(_ownerships(layout, timeline, _one_each("ownerships", ownerships, len(boards))))
    parts.extend(timeline.show(overlay.draw_last(layout, point), dots[point]) for point in sorted(dots))
    parts.extend(timeline.show(text, shown) for text, shown in words.items())
    name = title_or(title, title_text(boards[-1], layout.style))
    description = (
        f"{len(boards)} positions one after another. The last one: "
        f"{position_text(boards[-1], layout.style, last=ends[-1])}"
    )
    inner = draw_words(name, description) + timeline.style() + "".join(parts)
    return document(inner, layout.width, layout.height, width, is_animated=True)


def _one_each(name: str, given: Sequence[T | None] | None, frames: int) -> Sequence[T | None]:
    """Returns one value for each frame: those given, or None for all."""
    if given is None:
        return [None] * frames
    if not isinstance(given, Sized):
        raise TypeError(f"{name} must have one value for each frame, not be of type {type(given).__name__}")
    if len(given) != frames:
        raise ValueError(f"{name} must have one value for each of the {frames} frames, not {len(given)}")
    return given


def _heats(layout: Layout, timeline: Timeline, heats: Sequence[ArrayLike | None]) -> Iterator[str]:
    """Squares on the points that have heat in any frame."""
    strengths = np.zeros((len(heats), layout.rows * layout.cols))
    for row, heat in zip(strengths, heats, strict=True):
        if heat is not None:
            values, of_pass = overlay.heat_values(heat, layout.rows, layout.cols)
            most = max(float(values.max()), of_pass)
            row[:] = [overlay.heat_strength(value, most) for value in values.ravel().tolist()]
    strengths[strengths < overlay.FAINTEST] = 0
    for point in np.flatnonzero(strengths.any(axis=0)).tolist():
        yield timeline.fade(overlay.heat_square(layout, point), "fill-opacity", strengths[:, point].tolist())


def _ownerships(layout: Layout, timeline: Timeline, owners: Sequence[ArrayLike | None]) -> Iterator[str]:
    """Squares on the points that a color owns in any frame."""
    values = np.zeros((len(owners), layout.rows * layout.cols))
    for row, owned in zip(values, owners, strict=True):
        if owned is not None:
            row[:] = board_array("ownership", owned, layout.rows, layout.cols).ravel()
    # Nobody sees finer steps than tenths, and each step would be written down.
    values = np.round(values, 1)
    for color, sign in enumerate((1, -1)):
        for point in np.flatnonzero((sign * values > 0).any(axis=0)).tolist():
            strengths = [
                overlay.owner_strength(max(sign * value, 0.0)) for value in values[:, point].tolist()
            ]
            yield timeline.fade(overlay.owner_square(layout, point, color), "opacity", strengths)


class Timeline:
    """Turns numbers of frames into times of the animation.

    The picture must contain what `style()` returns. The name of a rule is a hash of its text, so several
    pictures on a page do not disturb each other. The times are those of `animated_svg`.
    """

    def __init__(self, frames: int, seconds: float, hold: float) -> None:
        self._frames = frames
        self._seconds = seconds
        self._total = (frames - 1) * seconds + hold
        self._end = self._total - hold / 2
        self._rules: dict[str, str] = {}

    def show(self, element: str, frames: list[int]) -> str:
        """Returns an element that only these frames show; their numbers ascend."""
        if len(frames) == self._frames:
            return element
        shown = set(frames)
        values = ["1" if index in shown else "0" for index in range(self._frames)]
        return f'<g {self._changing("opacity", values)} opacity="{values[-1]}">{element}</g>'

    def fade(self, rectangle: str, attribute: str, strengths: list[float]) -> str:
        """Returns a rectangle with one attribute that has its own value in each frame."""
        values = [n(round(strength, 2)) for strength in strengths]
        changing = f" {self._changing(attribute, values)}" if len(set(values)) > 1 else ""
        return f'<rect{changing} {rectangle} {attribute}="{values[-1]}"/>'

    def style(self) -> str:
        """Returns the style sheet for all elements made so far."""
        return f"<style>{RULES}{''.join(self._rules.values())}</style>"

    def _changing(self, attribute: str, values: list[str]) -> str:
        """Returns the attribute `class` of an element, and a new rule for it, by the values of its frames."""
        changes = [i for i in range(self._frames) if i == 0 or values[i] != values[i - 1]]
        steps = "".join(
            f"{n(100 * i * self._seconds / self._total)}%{{{attribute}:{values[i]}}}" for i in changes
        )
        timed = f"animation-duration:{n(self._total)}s;--sixplane-end:-{n(self._end)}s"
        name = f"m{blake2b(f'{timed}{steps}'.encode(), digest_size=6).hexdigest()}"
        self._rules[name] = f".{name}{{animation-name:{name};{timed}}}@keyframes {name}{{{steps}}}"
        return f'class="sixplane-moves {name}"'
