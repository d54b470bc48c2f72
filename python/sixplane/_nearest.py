"""The nearest of some names, for messages about names that do not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

#: Letters of a word that are compared: a file may have a name of a million.
MOST_LETTERS: Final = 100


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Returns the end of a message, which proposes the nearest name; empty if none is near."""
    letters = {name.strip("-").lower(): name for name in names}
    found = get_close_matches(word[:MOST_LETTERS].strip("-").lower(), letters, 1)
    return f" (did you mean {letters[found[0]]}?)" if found else ""
