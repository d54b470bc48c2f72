"""The networks that come with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import sixplane
from sixplane.agents import RandomAgent
from sixplane.cli.players import default_spec
from sixplane.games import GAMES
from sixplane.match import arena
from sixplane.nets import Network
from sixplane.nets.shipped import shipped_networks

SHIPPED = shipped_networks()

#: What the wheel may carry, in bytes.
MOST_BYTES = 3 << 20


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.values()) <= MOST_BYTES


@pytest.mark.parametrize("name", SHIPPED)
def test_a_network_says_how_it_was_trained_and_plays_with_numpy_alone(name: str) -> None:
    network = Network.load(name, backend="numpy")
    game_name = network.architecture.game
    (rows, cols) = network.sizes[0]
    assert name == f"{game_name}{rows}"
    assert rows == cols
    assert network.training["games"] > 1000
    assert network.training["settings"]["game"] == game_name
    assert not Path(str(network.training["settings"]["out"])).is_absolute()
    game = GAMES[game_name].game_class(size=rows)
    result = arena(network.for_game(game), RandomAgent(seed=1), game, games=40, seed=1)
    assert result.score > 0.9


def test_the_network_for_gomoku_plays_smaller_boards() -> None:
    game = sixplane.Gomoku(size=9)
    network = Network.load("gomoku15", backend="numpy").for_game(game)
    assert arena(network, RandomAgent(seed=1), game, games=40, seed=1).score > 0.9


def test_they_are_the_default_opponents_where_they_are_the_strongest() -> None:
    assert default_spec(sixplane.Go()).startswith("network@network:name=go9,seconds=1")
    assert default_spec(sixplane.Go(size=13)).startswith("mcts@mcts:")
    assert default_spec(sixplane.Reversi()).startswith("network@network:name=reversi8,seconds=1")
    assert default_spec(sixplane.Reversi(size=10)).startswith("mcts@mcts:")
    assert default_spec(sixplane.Gomoku()).startswith("mcts@mcts:seconds=1,evaluator=score-table,")
    assert "evaluator=score-table-exact-five," in default_spec(sixplane.Gomoku(exact_five=True))
