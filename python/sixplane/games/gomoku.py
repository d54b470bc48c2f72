"""Gomoku."""

from __future__ import annotations

from typing import Final

from sixplane._core import Gomoku
from sixplane.games.info import GameInfo, RuleOption
from sixplane.games.style import Style, star_points


def _in_words(game: Gomoku) -> str:
    longer = "a longer run does not" if game.exact_five else "so does a longer run"
    return (
        "The players put stones on empty points in turn; stones never move and are never taken. Five stones "
        "of one color in an unbroken run along a row, column or diagonal win, and "
        f"{longer}. A full board without such a run is a draw. Nobody may pass."
    )


INFO: Final = GameInfo(
    title="Gomoku",
    game_class=Gomoku,
    style=Style(stars=lambda rows, cols: star_points(rows, cols, middles_of_sides=False)),
    player="seconds=1,evaluator=score-table,leaves=8,first_play=0",
    # The search by the table is as strong as one with the network, and knows exactly five.
    rules=(RuleOption("exact_five", bool, "longer runs do not win"),),
    rules_in_words=_in_words,
    has_pass=False,
    has_score_table=True,
    has_solver=True,
    inputs=("own", "opponent", "ones", "own_five", "opponent_five", "own_four", "opponent_four"),
)
