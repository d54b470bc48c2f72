"""Tic-tac-toe."""

from __future__ import annotations

from typing import Final

from sixplane._core import TicTacToe
from sixplane.games.info import GameInfo
from sixplane.games.style import Style

IN_WORDS: Final = (
    "The players put stones on empty points in turn. Three stones of one color along a row, column or "
    "diagonal win. A full board without such a line is a draw. Nobody may pass."
)


INFO: Final = GameInfo(
    title="Tic-tac-toe",
    game_class=TicTacToe,
    style=Style(squares=True, board="#e9d8b4", edge="#b98f56", ink="#7a5a2c", label="#3d2a10"),
    player="seconds=1",
    rules_in_words=lambda _game: IN_WORDS,
    has_pass=False,
    has_solver=True,
)
