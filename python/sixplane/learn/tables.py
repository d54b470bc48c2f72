"""Checks of the tables in settings: those of stages and of boards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from sixplane._fields import shown
from sixplane._nearest import did_you_mean

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
    if not 0 < value < math.inf:
        raise ValueError(f"{where}: {name} must be more than 0, not {shown(value)}")
    return float(value)
