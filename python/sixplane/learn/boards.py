"""The boards of a run that mixes some: their settings, and the board of each call and of each batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, TypeAlias

from sixplane._arguments import sides
from sixplane._fields import shown
from sixplane.learn.checks import check_shares, checked_table

Board: TypeAlias = "tuple[int, int]"
"""Rows and columns."""

#: What a board of `sizes` may say; what it does not say is the run's.
NAMES: Final = ("size", "share", "rules")

#: The part of a circle that Fibonacci hashing steps on by, the golden ratio, in units of 2**-64.
GOLDEN: Final = 0x9E3779B97F4A7C15


def named(board: Board) -> str:
    """Returns the name of a board.

    Example:
        >>> named((9, 9))
        '9x9'
    """
    return f"{board[0]}x{board[1]}"


def checked_boards(sizes: object) -> list[dict[str, Any]]:
    """Returns the settings of each board of `sizes`, the smallest board first, each with its share.

    Raises:
        ValueError: there is no board, one says what no board may say or comes twice, or the shares
            are not 1 in sum.

    Example:
        >>> checked_boards([{"size": 9, "rules": {"komi": 7.5}}, 7])
        [{'size': (7, 7), 'share': 0.5}, {'size': (9, 9), 'rules': {'komi': 7.5}, 'share': 0.5}]
    """
    if not isinstance(sizes, Sequence) or isinstance(sizes, str):
        raise ValueError(f"sizes must be a list of boards, not {shown(sizes)}")
    if not sizes:
        raise ValueError("sizes has no board: leave it out, or say at least one")
    tables = [_table(number, board) for number, board in enumerate(sizes, 1)]
    board, count = Counter(table["size"] for table in tables).most_common(1)[0]
    if count > 1:
        raise ValueError(f"sizes has {named(board)} more than once")
    shares = [table.get("share") for table in tables]
    if all(share is None for share in shares):
        tables = [table | {"share": 1 / len(tables)} for table in tables]
    elif None in shares:
        raise ValueError(f"board {shares.index(None) + 1} of sizes has no share: all or none must have one")
    check_shares("sizes", "board {} of sizes", tables)
    # The order in which they are given changes nothing.
    return sorted(tables, key=lambda table: (table["size"][0] * table["size"][1], table["size"]))


def _table(number: int, board: object) -> dict[str, Any]:
    where = f"board {number} of sizes"
    if not isinstance(board, int | tuple | list | Mapping):
        raise ValueError(f"{where} must be a size or a table, not {shown(board)}")
    table: dict[str, Any] = (
        checked_table(where, board, NAMES) if isinstance(board, Mapping) else {"size": board}
    )
    if table.get("size") is None:
        raise ValueError(f"{where} has no size")
    try:
        return table | {"size": sides(table["size"])}
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from error


def chosen(number: int, weights: Sequence[float]) -> int:
    """Returns the place in `weights` that a number falls to; one of weight 0 is never chosen.

    The numbers that follow each other fall to every place in proportion to its weight, and are spread as
    evenly as multiples of the golden ratio are on a circle. So a run that forgets some of them, or that goes
    on, keeps the proportions.

    Example:
        >>> [chosen(number, [0.5, 0.25, 0.25]) for number in range(1, 9)]
        [1, 0, 2, 0, 0, 1, 0, 2]
    """
    # Exact in integers: the same on every machine.
    part = (number * GOLDEN % 2**64) / 2**64 * sum(weights)
    ends = [*accumulate(weights)]
    return next(
        (place for place, end in enumerate(ends) if part < end),
        max(place for place, weight in enumerate(weights) if weight),
    )
