"""Tic-tac-toe as a game of your own: the rules alone, in plain Python.

`python examples/tictactoe.py` plays a game of a search with itself, and proves the laws of games on it.
`sixplane train --game examples/tictactoe.py:TicTacToe --out run --minutes 2` trains a network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sixplane
from sixplane.search import MCTS
from sixplane.testing import check_game

if TYPE_CHECKING:
    from sixplane.games.arbiter import Position


@sixplane.game_class
class TicTacToe:
    """Three in a row, column or diagonal win; nobody passes."""

    default_size = 3

    def legal(self, position: Position) -> Any:
        """Where the player to play may play."""
        return position.empty

    def ending(self, position: Position) -> tuple[str, float] | None:
        """How the game has ended, and with what score for Black."""
        stones = position.opponent  # of the player who has just played
        lines = [*stones, *stones.T, stones.diagonal(), stones[:, ::-1].diagonal()]
        if any(line.all() for line in lines):
            return "line", 1.0 if position.turn else -1.0
        return None if position.empty.any() else ("full", 0.0)


def main() -> None:
    """Lets a search play with itself, then proves the laws."""
    game: Any = TicTacToe()
    search = MCTS(simulations=1000, seed=1)
    while not game.is_over:
        game.play(search.search(game).best_action)
    print(game, f"outcome: {game.outcome}", check_game(game.replay([])), sep="\n\n")


if __name__ == "__main__":
    main()
