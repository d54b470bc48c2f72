"""Checks of settings: the value of each by itself, and the tables of stages and boards."""

from __future__ import annotations

import operator
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import UnionType
from typing import Final, SupportsFloat, SupportsIndex, get_args, get_origin

import numpy as np

from sixplane._fields import shown
from sixplane._other_names import did_you_mean

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

#: The integers that may be 0, or have a check of their own; the others are at least 1.
_NOT_POSITIVE: Final = ("seed", "opening_plies", "size")

#: Integers but the seed are below this: they count what is there, or what is done.
MOST_COUNT: Final = 2**31

#: The largest number; an integer of Python may be larger than any float.
MOST_NUMBER: Final = sys.float_info.max

#: The settings that are one of some words.
_CHOICES: Final = {"device": ("auto", "cpu", "cuda"), "selection": ("gumbel", "puct")}


def plain(value: object) -> object:
    """Returns a value as JSON has it: with Python's own numbers, dicts for tables, and tuples for lists.

    What JSON cannot say stays as it is.

    Example:
        >>> plain({"komi": np.float32(7.5), "sizes": range(5, 8)})
        {'komi': 7.5, 'sizes': (5, 6, 7)}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str | bytes | int | float):
        return value
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, Sequence):
        return tuple(map(plain, value))
    # Not every number with these methods has a value of that type; an array of several has none.
    with suppress(TypeError, ValueError, OverflowError):
        if isinstance(value, SupportsIndex):
            return operator.index(value)
    with suppress(TypeError, ValueError, OverflowError):
        if isinstance(value, SupportsFloat):
            return float(value)
    return value


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
        if not 0 <= value <= MOST_NUMBER:
            raise ValueError(f"{name} must be 0 or more, not {shown(value)}")
        if name in _SHARES and value > 1:
            raise ValueError(f"{name} must be from 0 to 1, not {shown(value)}")
        if kind is int and value < 1 and name not in _NOT_POSITIVE:
            raise ValueError(f"{name} must be a positive integer, not {shown(value)}")
        if kind is int and value >= MOST_COUNT and name != "seed":
            raise ValueError(f"{name} must be below {MOST_COUNT}, not {shown(value)}")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ValueError(f"{name} must be {' or '.join(_CHOICES[name])}, not {shown(value)}")


#: How far the sum of shares may be from 1, since not every share has a float of its own.
CLOSE: Final = 1e-6


def checked_table(where: str, table: object, names: Sequence[str]) -> dict[str, object]:
    """Returns a copy of a table; `where` begins a message, such as `stage 2`.

    Raises:
        ValueError: it is no table, it has another name than these, or its `rules` are no table.
    """
    if not isinstance(table, Mapping):
        raise ValueError(f"{where} must be a table, not {shown(table)}")
    for name in table:
        if name not in names:
            proposal = did_you_mean(str(name), names)
            raise ValueError(
                f"{where}: there is no setting {shown(name)}{proposal}; there are {', '.join(names)}"
            )
    if not isinstance(table.get("rules", {}), Mapping):
        raise ValueError(f"{where}: rules must be a table, not {shown(table['rules'])}")
    return dict(table)


def check_shares(what: str, where: str, tables: Sequence[Mapping[str, object]]) -> None:
    """Makes sure that the shares of some tables are 1 in sum; `where` names each by its number."""
    total = sum(positive(where.format(number), table, "share") for number, table in enumerate(tables, 1))
    if abs(total - 1) > CLOSE:
        raise ValueError(f"the shares of {what} must be 1 in sum, not {total:g}")


def positive(where: str, table: Mapping[str, object], name: str) -> float:
    """Returns a number of a table, which must be above 0."""
    value = table[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{where}: {name} must be a number, not {shown(value)}")
    if not 0 < value <= MOST_NUMBER:
        raise ValueError(f"{where}: {name} must be more than 0, not {shown(value)}")
    return float(value)
