"""Agents that take dead stones before they pass."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sixplane
from sixplane import _core
from sixplane.agents import CapturingAgent, MCTSAgent, dead_stones
from sixplane.agents.dead_stones import attacks_on_the_dead
from sixplane.match import play

# White's stone on B4 has no way to live in Black's area, nor have Black's anything to fear.
DEAD = """
    . . X . O
    . O X O .
    . . X O O
    X X X O .
    . . X O O
"""


class Passes:
    """Has nothing to say."""

    def select_action(self, game: sixplane.Game) -> int:
        return int(game.num_actions - 1)


def test_dead_stones_are_taken_before_a_pass() -> None:
    game = sixplane.Go.from_text(DEAD, turn="white", komi=0.5)
    game.play(25)
    stone = game.name_to_action("B4")
    around = {game.name_to_action(name) for name in ("B5", "A4", "B3")}
    assert set(attacks_on_the_dead(game, 1)) == around
    left = []
    for captures in (True, False):
        for seed in range(6):
            agent = MCTSAgent(simulations=300, seed=seed)
            result = play(CapturingAgent(agent) if captures else agent, Passes(), game)
            assert result.winner == "black"
            if result.record.planes[1].flat[stone]:
                left.append(captures)
    assert left and not any(left), "a CapturingAgent never leaves them, another one does"


def test_without_dead_stones_nothing_is_attacked() -> None:
    game = sixplane.Go.from_text(DEAD.replace(". O X", ". . X"), turn="black", komi=0.5)
    assert attacks_on_the_dead(game, 1) == []
    both_alive = ". X . X O\nX X X X O\nO O O O O\nO . O . O\nO O O O O"
    for turn in (0, 1):
        assert attacks_on_the_dead(sixplane.Go.from_text(both_alive, turn=turn), 1) == []


def test_the_search_for_dead_stones_has_a_part_of_the_time_of_the_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = sixplane.Go.from_text(DEAD, turn="white", komi=-9.5)
    game.play(25)
    now = 1000.0
    monkeypatch.setattr(dead_stones, "time", SimpleNamespace(monotonic=lambda: now))
    assert set(attacks_on_the_dead(game, 1, now + 60)) == set(attacks_on_the_dead(game, 1))
    assert attacks_on_the_dead(game, 1, now) == []
    begun: list[float] = []
    played = _core.selfplay

    def slow(*arguments: Any) -> Any:
        nonlocal now
        begun.append(now)
        now += 0.02
        return played(*arguments)

    monkeypatch.setattr(dead_stones, "selfplay", slow)

    def think(seconds: float) -> None:
        nonlocal now
        now += seconds

    slow_agent = Limited(think)
    agent = CapturingAgent(slow_agent)
    agent.limit_time(0.4)
    slow_agent.takes = 0.36
    assert agent.limits == (None, 0.36)
    assert agent.select_action(game) == 25  # there was no time for games enough
    assert begun == pytest.approx([1000.36, 1000.38])
    begun.clear()
    agent.limit_time(60)
    slow_agent.takes = 59.95
    assert agent.limits == (None, 59.95)
    agent.select_action(game)
    assert len(begun) == 3
    begun.clear()
    slow_agent.takes = 59.0  # what the agent leaves of its time is there for this, too
    assert agent.select_action(game) != 25
    assert len(begun) == 16
    begun.clear()
    assert list(agent.consider(game)) == ["found"]  # and so where it is asked for results first
    assert agent.decide(game) != 25
    assert len(begun) == 16
    begun.clear()
    agent = CapturingAgent(Passes())
    agent.limit_time(0.1)
    assert agent.select_action(game) != 25
    assert len(begun) == 5


class Limited(Passes):
    """Passes, and has a limit of time, of which it takes so many seconds."""

    limits: tuple[int | None, float] = (None, 1.0)

    def __init__(self, think: Callable[[float], None]) -> None:
        self.takes, self.think = 0.0, think

    def limit_time(self, seconds: float) -> None:
        self.limits = (None, seconds)

    def select_action(self, game: sixplane.Game) -> int:
        self.think(self.takes)
        return self.decide(game)

    def consider(self, _game: sixplane.Game) -> Iterator[str]:
        self.think(self.takes)
        yield "found"

    def decide(self, game: sixplane.Game) -> int:
        return super().select_action(game)


def test_any_agent_takes_dead_stones_and_keeps_its_own_methods() -> None:
    game = sixplane.Go.from_text(DEAD, turn="white", komi=0.5)
    game.play(25)
    agent = CapturingAgent(Passes())
    assert agent.select_action(game) in attacks_on_the_dead(game, game.move_number)
    batch = sixplane.GameBatch(game, 2)
    assert agent.select_actions(batch, np.arange(2)).tolist() == [agent.select_action(game)] * 2
    assert agent.select_action(sixplane.Reversi()) == 64  # other games have no dead stones
    assert not hasattr(agent, "limits") and not hasattr(agent, "reseed")
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert other.select_action(game) == agent.select_action(game)
    searching = CapturingAgent(MCTSAgent(simulations=50, seed=1))
    searching.reseed(2)
    assert list(searching.consider(game)) and searching.decide(game) in game.legal_actions


class Searched(Passes):
    """Passes, and says how its search values the actions: of one game, and of each of a batch."""

    def __init__(self, *values: Any) -> None:
        self.result, self.batch_result = SimpleNamespace(q=values[0]), SimpleNamespace(q=np.stack(values))

    def select_actions(self, batch: sixplane.GameBatch, index: np.ndarray) -> Any:
        return np.full(len(index), batch.num_actions - 1)


def test_a_search_that_values_the_pass_clearly_higher_passes() -> None:
    game = sixplane.Go.from_text(DEAD, turn="white", komi=0.5)
    game.play(25)
    attack = attacks_on_the_dead(game, game.move_number)[1]
    about_equal, worse = np.full((2, 26), np.nan)
    about_equal[[attack, 25]], worse[[attack, 25]] = (0.45, 0.5), (0.3, 0.5)
    assert CapturingAgent(Searched(about_equal)).select_action(game) == attack
    assert CapturingAgent(Searched(worse)).select_action(game) == 25
    agent, batch = CapturingAgent(Searched(worse, about_equal, worse)), sixplane.GameBatch(game, 3)
    assert agent.select_actions(batch, np.array([1, 2])).tolist() == [attack, 25]
