"""The stages of a run: boards that it learns on one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from sixplane._fields import shown
from sixplane.learn.checks import CLOSE, check_shares, checked_table, positive

#: How long a stage takes: one of these.
TIMES: Final = ("minutes", "share")

#: What the network of a stage may have more of than that of the stage before.
GROWING: Final = ("blocks", "channels")

#: What a stage may say; what it does not say is the run's.
NAMES: Final = (
    *("size", "sizes", "rules", *TIMES, *GROWING),
    *("simulations", "last_simulations", "games_at_once"),
)


def checked_stages(stages: object, minutes: float) -> list[dict[str, object]]:
    """Returns the settings that each stage says; its `minutes` are those of the run when the stage ends.

    The last stage goes on until the `minutes` of the run are over.

    Raises:
        ValueError: there is no stage, one says what no stage may say, or their times make no run.
    """
    if not isinstance(stages, Sequence) or isinstance(stages, str):
        raise ValueError(f"stages must be a list of tables, not {shown(stages)}")
    if not stages:
        raise ValueError("stages has no stage: leave it out, or say at least one")
    tables = [checked_table(f"stage {number}", stage, NAMES) for number, stage in enumerate(stages, 1)]
    spans = [_minutes(number, table, minutes) for number, table in enumerate(tables, 1)]
    if all("share" in table for table in tables):
        check_shares("the stages", "stage {}", tables)
    elif sum(spans) > minutes * (1 + CLOSE):
        raise ValueError(f"the stages take {sum(spans):g} minutes, and the run has {minutes:g}")
    ends = [*accumulate(spans[:-1]), minutes]
    if len(ends) > 1 and ends[-1] <= ends[-2]:
        raise ValueError(f"the last stage has no time: those before it take the run's {minutes:g} minutes")
    return [
        {name: value for name, value in table.items() if name not in TIMES} | {"minutes": float(end)}
        for table, end in zip(tables, ends, strict=True)
    ]


def _minutes(number: int, table: dict[str, object], minutes: float) -> float:
    """Returns how many of the run's minutes a stage takes."""
    given = [name for name in TIMES if name in table]
    if len(given) != 1:
        says = "has both minutes and share: one of them" if given else "has no time: minutes or share"
        raise ValueError(f"stage {number} {says} is needed")
    value = positive(f"stage {number}", table, given[0])
    return value * minutes if "share" in table else value
