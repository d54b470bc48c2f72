"""Reads objects from files that anybody may have changed: every field is there and has its type."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from typing import Final, Literal, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")

#: Integers are counts and numbers of things. Beyond this a float does not hold each of them.
MOST: Final = 1 << 53


def shown(value: object) -> str:
    """Returns the value as a message shows it, shortened if it is long."""
    return reprlib.repr(value)


def from_table(kind: type[T], table: object) -> T:
    """Makes an object of a dataclass or named tuple from its fields in JSON.

    Raises:
        ValueError: a field is missing, unknown or of another type. Integers must be from 0 to 2^53, and
            other numbers finite.
    """
    if not isinstance(table, dict):
        raise ValueError(f"a table of fields is needed, not {shown(table)}")
    hints = _hints(kind)
    if table.keys() != hints.keys():
        missing = [f"{name} is missing" for name in hints if name not in table]
        unknown = [f"there is no field {shown(name)}" for name in table if name not in hints]
        raise ValueError((missing or unknown)[0])
    return kind(**{name: _checked(hint, name, table[name]) for name, hint in hints.items()})


def from_cells(kind: type[T], cells: Mapping[str, str]) -> T:
    """Makes such an object from the cells of a table, which are texts."""
    hints = _hints(kind)
    return from_table(kind, {name: _number(hints.get(name), name, cell) for name, cell in cells.items()})


_HINTS: Final[dict[type, dict[str, object]]] = {}


def _hints(kind: type) -> dict[str, object]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _number(hint: object, name: str, cell: str) -> object:
    if hint is not int and hint is not float:
        return cell
    try:
        return int(cell) if hint is int else float(cell)
    except ValueError:
        raise ValueError(f"{name} must be {_NAMES[hint]}, not {shown(cell)}") from None


_NAMES: Final[dict[object, str]] = {
    int: "an integer from 0 on",
    float: "a finite number",
    str: "a text",
    bool: "true or false",
}


def _checked(hint: object, name: str, value: object) -> object:
    """Returns the value, if it is of this type."""
    if get_origin(hint) is list:
        if isinstance(value, list):
            return [_checked(get_args(hint)[0], f"each of {name}", one) for one in value]
        raise ValueError(f"{name} must be a list, not {shown(value)}")
    if isinstance(hint, type) and issubclass(hint, tuple):
        return from_table(hint, value)
    if get_origin(hint) is Literal:
        if isinstance(value, str) and value in get_args(hint):
            return value
        raise ValueError(f"{name} must be one of {', '.join(get_args(hint))}, not {shown(value)}")
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) < MOST and math.isfinite(value):
            return float(value)
    elif type(value) is hint and (hint is not int or (isinstance(value, int) and 0 <= value < MOST)):
        return value
    raise ValueError(f"{name} must be {_NAMES[hint]}, not {shown(value)}")
