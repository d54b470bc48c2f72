"""Kept pictures of the page: how they are made, and how another one is compared with them.

Fonts differ from machine to machine, so texts are invisible in these pictures, and small shifts are allowed.
`SIXPLANE_KEEP_LOOKS=1 make test-web` keeps the pictures of this machine instead; look at them before they are
committed.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["check_look"]

KEPT: Final = Path(__file__).parent / "looks"

#: A kept picture has a pixel for so many by so many of the page's.
SCALE: Final = 3

#: A pixel may be the same as one so far away, and differ by so much brightness, of 255.
SHIFT: Final = 2
TOLERANCE: Final = 32

#: The part of all pixels that may differ by more: less than a stone on a board of 9x9.
ALLOWED: Final = 0.0015

INVISIBLE: Final = """
* { color: transparent !important; caret-color: transparent !important; text-shadow: none !important; }
select, input { color: transparent !important; }
.tools svg, .actions svg, .walk svg { color: #808080; }
"""


def check_look(page: Any, name: str, folder: Path) -> None:
    """Compares the page with a kept picture.

    Args:
        page: of the browser.
        name: of the picture.
        folder: where a picture of the difference goes.

    Raises:
        AssertionError: too much differs; the message names the picture of the difference.
    """
    page.add_style_tag(content=INVISIBLE)
    page.mouse.move(0, 0)
    shot = page.screenshot(animations="disabled", caret="hide")
    found = Image.open(io.BytesIO(shot)).convert("RGB")
    found = found.resize((found.width // SCALE, found.height // SCALE), Image.Resampling.BOX)
    kept = KEPT / f"{name}.png"
    if os.environ.get("SIXPLANE_KEEP_LOOKS"):
        kept.parent.mkdir(exist_ok=True)
        found.save(kept, optimize=True)
    before = np.asarray(Image.open(kept).convert("RGB"), np.int16)
    now = np.asarray(found, np.int16)
    assert before.shape == now.shape, f"{name} is {now.shape}, not {before.shape}"
    differs = _differs(before, now)
    if differs.mean() > ALLOWED:
        told = folder / f"{name}-difference.png"
        _difference(before, now, differs).save(told)
        raise AssertionError(f"{100 * differs.mean():.2f} % of {name} differ, see {told}")


def _differs(before: NDArray[np.int16], now: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Which pixels are like none of the kept ones around."""
    rows, cols = now.shape[:2]
    padded = np.pad(before, ((SHIFT, SHIFT), (SHIFT, SHIFT), (0, 0)), mode="edge")
    differs = np.ones((rows, cols), np.bool_)
    for row in range(2 * SHIFT + 1):
        for col in range(2 * SHIFT + 1):
            differs &= np.abs(padded[row : row + rows, col : col + cols] - now).max(axis=2) > TOLERANCE
    return differs


def _difference(before: NDArray[Any], now: NDArray[Any], differs: NDArray[np.bool_]) -> Image.Image:
    """The kept picture, the new one, and what differs in red, side by side."""
    marked = now // 3 + 150
    marked[differs] = (220, 0, 0)
    return Image.fromarray(np.concatenate([before, now, marked], axis=1).astype(np.uint8))
