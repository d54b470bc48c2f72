"""Agents play with each seed what is recorded of them in `data/agent_play.json`.

Where the play is meant to change, `python tests/test_agent_play.py` records it anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from search_evaluators import noisy
from sixplane.agents import Agent, AgentSpec, MCTSAgent, NetworkAgent, Resignation
from sixplane.match import play
from sixplane.search import Gumbel

if TYPE_CHECKING:
    from collections.abc import Callable

RECORD = Path(__file__).parent / "data" / "agent_play.json"

GAMES = {
    "go": sixplane.Go(5, komi=0.5, max_moves=40),
    "reversi": sixplane.Reversi(6),
    "gomoku": sixplane.Gomoku(6),
}

SPECS = {
    "mcts:simulations=60": "go reversi gomoku",
    "mcts:simulations=60,rave=100,prior_visits=10,c=0.3": "go reversi",
    "mcts:simulations=60,selection=puct,first_play=0.2,c=2": "go gomoku",
    "mcts:simulations=32,selection=gumbel": "go reversi",
    "mcts:simulations=60,reward=margin,resign_below=-12": "reversi",
    "mcts:simulations=40,evaluator=score-table,leaves=4,first_play=0": "gomoku",
    "random:resign_probability=0.01": "go",
}

AGENTS: dict[str, Callable[[], Agent]] = {
    "policy": lambda: NetworkAgent(noisy, resign_below=-0.999, seed=1),
    "sampled policy": lambda: NetworkAgent(
        noisy, temperature=0.7, view="player", dtype="float32", pad_to=4, seed=1
    ),
    "policy with history": lambda: NetworkAgent(noisy, temperature=0.2, history=2, seed=3),
    "search": lambda: MCTSAgent(noisy, simulations=20, leaves=2, seed=1),
    "sampled search": lambda: MCTSAgent(noisy, simulations=20, temperature=1, view="player", seed=2),
    "search by its policy": lambda: MCTSAgent(noisy, simulations=20, selection=Gumbel(noise=0), seed=2),
}

# White's stone on B4 has no way to live in Black's area.
DEAD = ". . X . O\n. O X O .\n. . X O O\nX X X O .\n. . X O O"


class Passes:
    """Has nothing to say."""

    def select_action(self, game: Any) -> int:
        return int(game.num_actions - 1)


def played(agent: Agent, game: sixplane.Game) -> list[int]:
    """What an agent plays for both colors, -1 for a resignation."""
    game, actions = game.copy(), list[int]()
    while not game.is_over and len(actions) < 30 and -1 not in actions:
        choice = agent.select_action(game)
        if isinstance(choice, Resignation):
            return [*actions, -1]
        actions.append(int(choice))
        game.play(choice)
    return actions


def played_at_once(agent: Any, game: sixplane.Game) -> list[list[int]]:
    batch = sixplane.GameBatch(game, 6, seed=1)
    batch.play_random(5)
    return [agent.select_actions(batch, np.array([0, 2, 5])).tolist() for _ in range(2)]


def of_spec(text: str) -> dict[str, list[int]]:
    return {
        f"{text} {name}": played(AgentSpec.parse(text).make(1), GAMES[name]) for name in SPECS[text].split()
    }


def of_agent(name: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for game_name, game in GAMES.items():
        found[f"{name} {game_name}"] = played(AGENTS[name](), game)
        found[f"{name} {game_name} at once"] = played_at_once(AGENTS[name](), game)
    return found


def of_dead_stones() -> dict[str, Any]:
    spec = AgentSpec.parse("mcts:simulations=300")
    game = sixplane.Go.from_text(DEAD, turn="white", komi=0.5).replay([25])
    batch = sixplane.GameBatch(game, 4)
    return {
        **{
            f"dead stones {seed}": play(spec.make(seed), Passes(), game).record.actions.tolist()
            for seed in range(4)
        },
        "dead stones at once": spec.make(1).select_actions(batch, np.arange(4)).tolist(),  # type: ignore[attr-defined]
        "dead stones left": [
            play(MCTSAgent(simulations=300, seed=seed), Passes(), game).record.actions.tolist()
            for seed in range(4)
        ],
    }


def recorded(found: dict[str, Any]) -> dict[str, Any]:
    record = json.loads(RECORD.read_text())
    return {name: record[name] for name in found}


@pytest.mark.parametrize("text", SPECS)
def test_a_spec_plays_what_is_recorded(text: str) -> None:
    found = of_spec(text)
    assert found == recorded(found)


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_plays_what_is_recorded(name: str) -> None:
    found = of_agent(name)
    assert found == recorded(found)


def test_dead_stones_are_taken_as_is_recorded() -> None:
    found = of_dead_stones()
    assert found == recorded(found)


if __name__ == "__main__":
    every: dict[str, Any] = {}
    for part in (*map(of_spec, SPECS), *map(of_agent, AGENTS), of_dead_stones()):
        every |= part
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in every.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")
