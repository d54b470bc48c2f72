"""Reversi."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sixplane._core import Reversi
from sixplane.games.info import GameInfo
from sixplane.games.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The smallest board on which a search with the network is stronger than one with playouts.
LEAST_FOR_NETWORK: Final = 8

#: Boards with shorter sides have no stars: they would be too close together.
LEAST_WITH_STARS: Final = 6


def _stars(rows: int, cols: int) -> Iterator[tuple[int, int]]:
    if min(rows, cols) >= LEAST_WITH_STARS:
        yield from ((row, col) for row in (1, rows - 3) for col in (1, cols - 3))


def _discs(game: Reversi) -> tuple[int, int]:
    black, white = game.planes[:2].sum(axis=(1, 2)).tolist()
    return black, white


def _stopped(game: Reversi) -> str:
    """A player who leaves a game of Reversi has it counted."""
    black, white = _discs(game)
    lead = black - white
    winner = f"{'black' if lead > 0 else 'white'} wins by {abs(lead)}" if lead else "draw"
    return f"stopped: black {black}, white {white}: {winner}"


def _stopped_result(game: Reversi) -> str:
    lead = int(game.score())
    return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "Draw"


IN_WORDS: Final = (
    "A play puts a disc on an empty point and must flip at least one disc: in any of the eight directions, a "
    "straight line of the opponent's discs between the new disc and another disc of the player's color. All "
    "such lines flip. A player who can flip nothing passes, and nobody may pass otherwise. The game is over "
    "when neither player can flip anything; who has more discs wins."
)


INFO: Final = GameInfo(
    title="Reversi",
    game_class=Reversi,
    counts_points=True,
    score_share=10 / 64,
    style=Style(
        squares=True,
        stars=_stars,
        board="#2f8a57",
        edge="#234b38",
        ink="#1b5636",
        label="#e4efe8",
        heat="#ffd43b",
    ),
    player="seconds=1,threads={threads},prior_visits=200,c=0.5",
    prefers_network=lambda game: min(game.rows, game.cols) >= LEAST_FOR_NETWORK,
    has_solver=True,
    rules_in_words=lambda _game: IN_WORDS,
    speaks_gtp=True,
    gtp_name="Othello",
    tally=lambda game: ("discs", *_discs(game)),
    marks_legal=True,
    stopped=_stopped,
    stopped_result=_stopped_result,
)
