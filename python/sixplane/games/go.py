"""Go."""

from __future__ import annotations

from typing import Final

from sixplane._core import Go
from sixplane.games.info import GameInfo, RuleOption, moves_text
from sixplane.games.style import Style, star_points

__all__ = ["INFO"]

#: The smallest board on which a search with the network is stronger than one with playouts.
LEAST_FOR_NETWORK: Final = 9

#: The middles of the sides are marked on boards from this side on.
LARGE: Final = 15


def _stopped(game: Go) -> str:
    score = game.score()
    leader = f"{'black' if score > 0 else 'white'} leads by {abs(score):g}" if score else "nobody leads"
    return f"stopped after {moves_text(game.move_number)}: as the board stands, {leader}"


INFO: Final = GameInfo(
    title="Go",
    game_class=Go,
    style=Style(
        skips_i=Go.skips_i,
        row_one_at_top=Go.row_one_at_top,
        stars=lambda rows, cols: star_points(rows, cols, middles_of_sides=min(rows, cols) >= LARGE),
    ),
    player="seconds=1,threads={threads},rave=1000,prior_visits=50,c=0.1",
    prefers_network=lambda game: min(game.rows, game.cols) >= LEAST_FOR_NETWORK,
    rules=(
        RuleOption("komi", float, "points given to white"),
        RuleOption(
            "ko",
            str,
            "simple, positional or situational",
            choices=("simple", "positional", "situational"),
        ),
        RuleOption("suicide", bool, "two or more stones may take themselves"),
        RuleOption("handicap", int, "black stones that stand at the start"),
    ),
    inputs=(
        *("own", "opponent", "invalid", "passed", "ones", "komi"),
        *("liberties_1", "liberties_2", "liberties_3"),
    ),
    score_unit=10.0,
    counts_points=True,
    has_liberties=True,
    speaks_gtp=True,
    may_repeat=lambda game: game.ko == "simple",
    tally=lambda game: ("captured", *game.captures),
    caption=lambda game: "captured: by black {}, by white {}".format(*game.captures),
    stopped=_stopped,
)
