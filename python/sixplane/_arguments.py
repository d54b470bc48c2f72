"""Checks of arguments: planes, batches, sizes of boards, integers, seeds, True or False, words."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Final, SupportsFloat, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

#: The type of the numbers in an array.
T = TypeVar("T", bound=np.generic)
Word = TypeVar("Word", bound=str)
Item = TypeVar("Item")
#: An array of numbers of any type.
Array: TypeAlias = NDArray[np.generic]
Size: TypeAlias = SupportsIndex | tuple[SupportsIndex, SupportsIndex] | list[SupportsIndex]

MIN_SIDE, MAX_SIDE = 2, 25

#: The largest seed that a search takes.
MAX_SEED: Final = 2**63 - 1


def check_array(name: str, value: object) -> None:
    """Raises a `TypeError` unless the value is an array."""
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{name} must be a NumPy array, not {type(value).__name__}")


def check_numbers(value: Array) -> None:
    """Raises a `TypeError` unless planes are of booleans, integers or floats, in the words of the core."""
    if value.dtype.kind not in "biuf":
        raise TypeError(f"planes of dtype {value.dtype}: allowed are bool, integers and floats")


def planes(value: NDArray[T]) -> NDArray[T]:
    """Checks six planes, `(6, rows, cols)`, and returns them as given."""
    _axes(value, "(6, rows, cols)", planes=6, batches=(0,))
    return value


def batch(value: NDArray[T]) -> NDArray[T]:
    """Checks a batch of six planes, `(B, 6, rows, cols)`, and returns it as given."""
    _axes(value, "(B, 6, rows, cols)", planes=6, batches=(1,))
    return value


def board_of(value: Array) -> tuple[tuple[int, ...], int, int]:
    """Returns the axes before six planes, `()` or `(B,)`, and the rows and columns."""
    return _axes(value, "(6, rows, cols) or (B, 6, rows, cols)", planes=6)


def stack_of(value: Array) -> tuple[tuple[int, ...], int, int]:
    """Returns the axes before any number of planes, `()` or `(B,)`, and the rows and columns."""
    return _axes(value, "(P, rows, cols) or (B, P, rows, cols)")


def _axes(
    value: Array, allowed: str, *, planes: int | None = None, batches: tuple[int, ...] = (0, 1)
) -> tuple[tuple[int, ...], int, int]:
    check_array("planes", value)
    match value.shape:
        case (*before, count, rows, cols) if rows and cols and len(before) in batches:
            if planes is None:
                return tuple(before), rows, cols
            if planes == count:
                check_numbers(value)
                _check_sides(rows, cols)
                return tuple(before), rows, cols
    raise ValueError(f"the shape must be {allowed}, not {value.shape}")


def sides(size: Size) -> tuple[int, int]:
    """Returns the rows and columns of a board: one integer for a square, or (rows, cols)."""
    match size:
        case [rows, cols]:
            pass
        case tuple() | list():
            raise ValueError(f"a size must be an integer or (rows, cols), not {size!r}")
        case _:
            rows = cols = size
    rows, cols = integer("size", rows), integer("size", cols)
    _check_sides(rows, cols)
    return rows, cols


def _check_sides(rows: int, cols: int) -> None:
    if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= cols <= MAX_SIDE):
        raise ValueError(f"a board of {rows}x{cols}: rows and columns must each be from 2 to 25")


def integer(name: str, value: object, least: int | None = None) -> int:
    """Returns the integer that a value is: anything with `__index__` but a bool, and at least this number."""
    try:
        number = operator.index(value)  # type: ignore[arg-type] # else it raises
    except TypeError:  # that of an array speaks of arrays alone
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def one_each(name: str, values: Iterable[Item], count: int) -> list[Item]:
    """Returns the values, if there is one for each of so many states."""
    found = list(values)
    if len(found) != count:
        raise ValueError(f"{name} must have one entry for each of {count} states, not {len(found)}")
    return found


def flag(name: str, value: object) -> bool:
    """Returns the bool that a value is, one of NumPy's too; texts such as "false" would be true."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)


def seed_of(value: object) -> int:
    """Returns the seed that a value is: an integer from 0 to the largest that a search takes."""
    seed = integer("seed", value)
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed must be from 0 to {MAX_SEED}, not {seed}")
    return seed


def real(name: str, value: object) -> float:
    """Returns the number that a value is, as a float, which may be infinite or NaN."""
    if not isinstance(value, SupportsFloat | SupportsIndex):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is too large for a float") from None


def one_of(name: str, value: object, allowed: tuple[Word, ...]) -> Word:
    """Returns the word that a value is, if it is allowed."""
    for word in allowed:
        if isinstance(value, str) and value == word:
            return word
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f"{name} must be {' or '.join(map(repr, allowed))}, not {value!r}")
