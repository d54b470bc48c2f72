"""The examples in the pages, and which library each needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

#: The extras, and the packages without one, that the usual tests do not have.
LIBRARIES = frozenset(
    {
        "jax",
        "openspiel",
        "pettingzoo",
        "ray",
        "rllib",
        "sb3",
        "tianshou",
        "torch",
        "torchrl",
        "train",
        "widget",
    }
)


class Block(NamedTuple):
    """An example of a page."""

    code: str
    library: str | None
    """The extra or package that it needs beyond those of the usual tests, by its first line."""


def blocks(page: Path) -> list[Block]:
    """The examples of a page, in order."""
    found = []
    for code in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M):
        first, _, _ = code.partition("\n")
        needs = re.match(r"# pip install 'sixplane\[(\w+)\]'(?: (\w+))?", first)
        names = needs.groups() if needs else ()
        found.append(Block(code, next((name for name in names if name in LIBRARIES), None)))
    return found
