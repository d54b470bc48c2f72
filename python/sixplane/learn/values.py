"""Checks of the value of each setting by itself."""

from __future__ import annotations

import math
from types import UnionType
from typing import Final, get_args, get_origin

from sixplane._fields import shown

#: The names of the types of settings in messages.
_NAMES: Final[dict[object, str]] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "a text",
    dict: "a table",
}

#: The settings that are from 0 to 1.
_SHARES: Final = ("growth", "window_share", "root_value_share")

#: The settings that are at least 1.
_POSITIVE: Final = (
    "workers",
    "blocks",
    "channels",
    "simulations",
    "last_simulations",
    "games_at_once",
    "batch",
    "learner_threads",
    "least_window",
    "most_window",
)

#: The settings that are one of some words.
_CHOICES: Final = {"device": ("auto", "cpu", "cuda"), "selection": ("gumbel", "puct")}


def check_value(name: str, hint: object, value: object) -> None:
    """Raises a `ValueError` unless a value is allowed for a setting, whose type `Config` has as `hint`."""
    # A setting that may be None has its other type first; a table has types of its own.
    kind: object = get_args(hint)[0] if isinstance(hint, UnionType) else get_origin(hint) or hint
    if value is None and isinstance(hint, UnionType):
        return
    # The size and the share of a GPU have checks of their own. A bool is an int to Python, and an int is as
    # good as a float.
    if kind in _NAMES and name not in {"size", "gpu_share"}:
        allowed = (int, float) if kind is float else (kind,)
        if type(value) not in allowed:
            raise ValueError(f"{name} must be {_NAMES[kind]}, not {shown(value)}")
    if isinstance(value, int | float):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} must be 0 or more, not {shown(value)}")
        if name in _SHARES and value > 1:
            raise ValueError(f"{name} must be from 0 to 1, not {shown(value)}")
        if name in _POSITIVE and value < 1:
            raise ValueError(f"{name} must be a positive integer, not {shown(value)}")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ValueError(f"{name} must be {' or '.join(_CHOICES[name])}, not {shown(value)}")
