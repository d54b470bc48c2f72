"""Rungs play the same moves whatever computes their networks, within what float32 allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import sixplane
from sixplane import GameBatch, ladder
from sixplane.agents import AgentSpec

#: The games with a ladder by networks.
GAMES = (sixplane.Go(9), sixplane.Reversi(), sixplane.Gomoku())

#: How many actions of four games are compared.
MOVES = 24

#: Rungs that search longer would take minutes with NumPy.
MOST_SIMULATIONS = 30


def network_rungs(game: sixplane.Game) -> list[AgentSpec]:
    """Those that ask the network for every move: the others play some of the same at random."""
    specs = [AgentSpec.parse(rung.spec) for rung in ladder.rungs(game)]
    return [
        spec
        for spec in specs
        if spec.kind == "network"
        and "random" not in spec.options
        and int(str(spec.options.get("simulations", 1))) <= MOST_SIMULATIONS
    ]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_backends_play_the_same_moves(game: sixplane.Game) -> None:
    assert network_rungs(game)
    for spec in network_rungs(game):
        batch = GameBatch(game, 4, seed=7)
        batch.play_random(4)
        players = {
            backend: replace(spec, options={**spec.options, "backend": backend}).make(seed=3)
            for backend in ("numpy", "openvino", "onnxruntime", "torch")
        }
        different = dict.fromkeys(players, 0)
        for _ in range(MOVES):
            index = np.flatnonzero(~batch.dones)
            if not len(index):
                break
            chosen = {
                backend: player.select_actions(batch, index)  # type: ignore[attr-defined]
                for backend, player in players.items()
            }
            for backend, actions in chosen.items():
                different[backend] += int((actions != chosen["numpy"]).sum())
            actions = np.zeros(len(batch), np.int64)
            actions[index] = chosen["numpy"]
            batch.play(actions, where=~batch.dones)
        # Of almost a hundred moves, two may differ: values that differ by a rounding alone change places.
        assert max(different.values()) <= 2, (str(spec), different)
