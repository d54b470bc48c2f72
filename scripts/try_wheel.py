"""Tries the sixplane that is installed: whole games of each kind, a batch, a search, a record, the programs.

It needs NumPy alone, and prints what it has tried on which machine.
"""

from __future__ import annotations

import pickle
import platform
import subprocess
import sys

import numpy as np

import sixplane
from sixplane.search import MCTS


def whole_game(kind: type[sixplane.Game]) -> None:
    """Plays random legal actions to the end of a game."""
    game, rng = kind(), np.random.default_rng(1)
    while not game.is_over:
        game.play(int(rng.choice(game.legal_actions)))
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301 - just written
    assert np.array_equal(copy.planes, game.planes)
    assert kind.from_sgf(game.to_sgf()).score() == game.score()


def batch_equals_its_games() -> None:
    """Steps a batch on all cores, and replays one of its games."""
    batch = sixplane.GameBatch(sixplane.Go(size=9, ko="positional"), 256, seed=1)
    game = sixplane.Go(size=9, ko="positional")
    for _ in range(40):
        actions = batch.sample()
        step = batch.step(actions)
        game.play(int(actions[7]))
        assert np.array_equal(step.planes[7], game.planes)
        assert np.array_equal(step.action_masks[7], game.action_mask)


def search_and_network() -> None:
    """Searches with playouts, and asks the network that is shipped."""
    result = MCTS(simulations=50, seed=1).search(sixplane.Reversi())
    assert result.visits.sum() > 0
    agent = sixplane.agents.AgentSpec.parse("network").make(seed=1)
    assert agent.select_action(sixplane.Reversi()) in sixplane.Reversi().legal_actions


def programs() -> None:
    """Starts the programs as a user does."""
    command = [sys.executable, "-m", "sixplane"]
    for arguments in (
        ["--version"],
        ["selfplay", "--game", "go", "--size", "9", "--games", "50", "--seed", "1"],
    ):
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=300, check=True)  # noqa: S603
        assert done.stdout
    gtp = subprocess.run(  # noqa: S603
        [*command, "gtp", "--size", "9", "--agent", "random"],
        input="play b e5\ngenmove w\nquit\n", capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert gtp.stdout.startswith("=")
    assert "?" not in gtp.stdout


if __name__ == "__main__":
    for kind in (sixplane.Go, sixplane.Reversi, sixplane.Gomoku, sixplane.ConnectFour):
        whole_game(kind)
    batch_equals_its_games()
    search_and_network()
    programs()
    assert "gymnasium" not in sys.modules
    print(
        f"sixplane {sixplane.__version__} works: Python {platform.python_version()}, NumPy {np.__version__},"
        f" {platform.platform()}, {platform.machine()}"
    )
