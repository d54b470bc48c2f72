"""The stages of a run: boards that it learns on one after the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final, TypeAlias

from sixplane._arguments import sides
from sixplane._fields import shown
from sixplane.learn.boards import Board, named
from sixplane.learn.checks import CLOSE, check_shares, checked_table, positive
from sixplane.runs.stages import says_boards

Stages: TypeAlias = "Sequence[Mapping[str, object]]"

#: How long a stage takes: one of these.
TIMES: Final = ("minutes", "share")

#: What the network of a stage may have more of than that of the stage before.
GROWING: Final = ("blocks", "channels")

#: What a stage may say; what it does not say is the run's.
NAMES: Final = (
    *("size", "sizes", "rules", *TIMES, *GROWING),
    *("simulations", "last_simulations", "games_at_once"),
)

#: A board with so many times the points of the game's usual one is learned after that, which has this share
#: of the time. It was measured on Go 13x13 (docs/training.md).
LARGE: Final = 2
FIRST_SHARE: Final = 0.75


def usual_stages(board: Board, usual: int | Board) -> Stages | None:
    """Returns the stages of a run on a board, given the usual size of the game; None: it has one stage.

    A board with at least twice as many points as the usual one is learned after that one.

    Example:
        >>> usual_stages((13, 13), 9)
        ({'size': 9, 'share': 0.75}, {'share': 0.25})
        >>> usual_stages((11, 11), 9) is None
        True
    """
    if math.prod(board) < LARGE * math.prod(sides(usual)):
        return None
    return {"size": usual, "share": FIRST_SHARE}, {"share": 1 - FIRST_SHARE}


def check_boards(
    own: Board | None,
    boards: Sequence[tuple[Sequence[Board], Board]],
    stages: Stages | None,
    *,
    has_sizes: bool,
) -> None:
    """Refuses boards that a run says and no stage has, or only one that is not its last.

    Args:
        own: the board that the run says; None: it says none.
        boards: the boards of each stage, and the one that its judge plays on.
        stages: what the stages say.
        has_sizes: whether the run says boards to mix.
    """
    known = dict.fromkeys(board for mixed, _ in boards for board in mixed)
    if own is not None and own not in known:
        raise ValueError(f"size {named(own)} is that of no stage: they have {', '.join(map(named, known))}")
    if stages is None or not all(map(says_boards, stages)):
        return
    if has_sizes:
        raise ValueError("sizes are the boards of no stage: each says its own, so leave sizes out")
    last = boards[-1][1]
    is_judged = any(len(mixed) > 1 and judged == own for mixed, judged in boards)
    if own is not None and own != last and not is_judged:
        raise ValueError(
            f"size {named(own)} is not the board of the last stage, {named(last)}: each says its own, "
            f"so leave size out"
        )


def checked_stages(stages: object, minutes: float) -> list[dict[str, object]]:
    """Returns the settings that each stage says; its `minutes` are those of the run when the stage ends.

    The last stage goes on until the `minutes` of the run are over.

    Raises:
        ValueError: there is no stage, one says what no stage may say, or their times make no run.
    """
    if not isinstance(stages, Sequence) or isinstance(stages, str):
        raise ValueError(f'stages must be a list of tables or "auto", not {shown(stages)}')
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
