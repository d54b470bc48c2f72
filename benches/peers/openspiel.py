"""OpenSpiel: one state in a Python loop, in C++ underneath. It has no batch of its own in C++."""

from __future__ import annotations

import random
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from entry import Entry
from open_spiel.python.observation import make_observation

from sixplane.cli.bench.timing import Work

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = f"OpenSpiel {version('open_spiel')}"

GAMES = {
    "Go 9x9": "go(board_size=9)",
    "Go 19x19": "go(board_size=19)",
    "Reversi 8x8": "othello",
    "Gomoku 15x15": "gomoku(size=15)",
    "Connect Four 6x7": "connect_four",
    "Hex 11x11": "hex(board_size=11)",
}


def entries() -> Iterator[Entry]:
    """Every game it has, alone."""
    for name, loaded in GAMES.items():
        yield Entry(name, "state and observer", None, lambda loaded=loaded: _work(loaded))


def _work(loaded: str) -> Work:
    game = pyspiel.load_game(loaded)
    # An observer writes into a NumPy array, which is quicker than a list of floats.
    observer = make_observation(game)
    actions = game.num_distinct_actions()
    state = game.new_initial_state()
    legal = state.legal_actions()

    def step() -> Any:
        nonlocal state, legal
        state.apply_action(legal[int(random.random() * len(legal))])
        if state.is_terminal():
            state = game.new_initial_state()
        legal = state.legal_actions()
        observer.set_from(state, state.current_player())
        mask = np.zeros(actions, np.int8)
        mask[legal] = 1
        return observer.tensor.copy(), mask

    return Work(step, 1)
