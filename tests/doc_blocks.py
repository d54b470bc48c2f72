"""The examples in the pages, and which library each needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

#: The extras whose libraries the usual tests do not have.
LIBRARIES = frozenset({"openspiel", "pettingzoo", "ray", "rllib", "sb3", "torchrl", "train", "widget"})


class Block(NamedTuple):
    """An example of a page."""

    code: str
    library: str | None
    """The extra that it needs beyond those of the usual tests, by its first line."""


def blocks(page: Path) -> list[Block]:
    """The examples of a page, in order."""
    found = []
    for code in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M):
        needs = re.match(r"# pip install 'sixplane\[(\w+)\]'", code)
        library = needs[1] if needs and needs[1] in LIBRARIES else None
        found.append(Block(code, library))
    return found
