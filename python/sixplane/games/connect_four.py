"""Connect Four."""

from __future__ import annotations

from typing import Final

from sixplane._core import ConnectFour
from sixplane.games.info import GameInfo
from sixplane.games.style import Style

IN_WORDS: Final = (
    "The players put discs into the columns in turn; a disc falls to the lowest empty point of its column, "
    "which is the only point of the column that can be played. Four discs of one color in an unbroken line "
    "along a row, column or diagonal win. A full board without such a line is a draw. Nobody may pass."
)


#: The board on which a search with the network is stronger than one with playouts.
BOARD_FOR_NETWORK: Final = (6, 7)


INFO: Final = GameInfo(
    title="Connect Four",
    game_class=ConnectFour,
    style=Style(
        squares=True,
        drops=True,
        board="#2e6fb7",
        edge="#234f86",
        ink="#1c4373",
        label="#e4ecf6",
        heat="#ffd43b",
    ),
    player="seconds=1,threads={threads}",
    prefers_network=lambda game: (game.rows, game.cols) == BOARD_FOR_NETWORK,
    rules_in_words=lambda _game: IN_WORDS,
    has_pass=False,
    has_solver=True,
    marks_legal=True,
)
