"""Hex."""

from __future__ import annotations

from typing import Final

from sixplane._core import Hex
from sixplane.games.info import GameInfo, RuleOption
from sixplane.games.style import Style

#: The boards on which matches have shown that a search with the network is stronger than one with playouts.
SIDES_FOR_NETWORK: Final = range(7, 12)


def _in_words(game: Hex) -> str:
    swap = (
        " Instead of a first stone White may swap, by the action pass: Black's stone becomes White's, on "
        "the point with column and row exchanged. Nobody may pass otherwise."
    )
    return (
        "The points are hexagons: each row lies half a point to the right of the row above it. A point "
        "touches the two next to it in its row, the one above it and the next to the right of that, the "
        "one below it and the next to the left of that. The players put stones on empty points in turn; "
        "stones never move and are never taken. Black wins by a chain of touching stones from the top row "
        "to the bottom row, White by one from the first column to the last. There is no draw"
        f"{'' if game.max_moves is None else ' but where the game is cut off'}."
        f"{swap if game.swap else ' Nobody may pass.'}"
    )


INFO: Final = GameInfo(
    title="Hex",
    game_class=Hex,
    style=Style(squares=True, slants=True, board="#e6d3a8", edge="#bf9d69", ink="#8a6a3c", label="#4a3312"),
    player="seconds=1,threads={threads}",
    prefers_network=lambda game: {game.rows, game.cols} <= {*SIDES_FOR_NETWORK},
    rules=(RuleOption("swap", bool, "White may take over Black's first stone"),),
    rules_in_words=_in_words,
    has_solver=True,
    inputs=("own", "opponent", "turn", "ones"),
    passing="swap",
)
