"""Gomoku."""

from __future__ import annotations

from typing import Final

from sixplane._core import Gomoku
from sixplane.games.info import GameInfo, RuleOption
from sixplane.games.style import Style, star_points

__all__ = ["INFO"]


INFO: Final = GameInfo(
    title="Gomoku",
    game_class=Gomoku,
    style=Style(
        skips_i=Gomoku.skips_i,
        row_one_at_top=Gomoku.row_one_at_top,
        stars=lambda rows, cols: star_points(rows, cols, middles_of_sides=False),
    ),
    player="seconds=1,evaluator=score-table,leaves=8,first_play=0",
    # The search by the table is as strong as one with the network, and knows exactly five.
    rules=(RuleOption("exact_five", bool, "longer runs do not win"),),
    has_pass=False,
    baselines=("score-table",),
    has_score_table=True,
    has_solver=True,
    inputs=("own", "opponent", "ones", "own_five", "opponent_five", "own_four", "opponent_four"),
)
