"""A bar that shows how many games are finished, on stderr if it is a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(total: int, unit: str) -> Iterator[Callable[[int], object]]:
    """Shows a bar until the block ends, or without tqdm a note; yields what moves it on."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        print("sixplane: no progress bar; pip install 'sixplane[cli]' brings it", file=sys.stderr)
        yield lambda _done: None
        return
    with tqdm(total=total, unit=unit, mininterval=0.1) as bar:
        yield bar.update
