"""Gomoku."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sixplane._core import Gomoku
from sixplane.games.info import GameInfo, RuleOption
from sixplane.games.style import Style, star_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["INFO"]


def _stars(rows: int, cols: int) -> Iterator[tuple[int, int]]:
    """The corners of the star lines and the middle, without the middles of the sides."""
    for row in star_lines(rows):
        for col in star_lines(cols):
            if (row == rows - 1 - row) == (col == cols - 1 - col):
                yield row, col


INFO: Final = GameInfo(
    title="Gomoku",
    game_class=Gomoku,
    style=Style(skips_i=Gomoku.skips_i, row_one_at_top=Gomoku.row_one_at_top, stars=_stars),
    player="seconds=1,evaluator=score-table,leaves=8,first_play=0",
    # The search by the table is as strong as one with the network, and knows exactly five.
    rules=(RuleOption("exact_five", bool, "longer runs do not win"),),
    has_pass=False,
    baselines=("score-table",),
    has_score_table=True,
    inputs=("own", "opponent", "ones", "own_five", "opponent_five", "own_four", "opponent_four"),
)
