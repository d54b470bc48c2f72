"""Agents that take dead stones before they pass."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import sixplane
from search_evaluators import uniform
from sixplane import _core
from sixplane.agents import MCTSAgent, dead_stones, mcts
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

    def select_action(self, game: Any) -> int:
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
            agent = MCTSAgent(simulations=300, seed=seed, capture_dead_stones=captures)
            result = play(agent, Passes(), game)
            assert result.winner == "black"
            if result.record.planes[1].flat[stone]:
                left.append(captures)
    assert left and not any(left), "with capture_dead_stones=True never left, without it sometimes"


def test_without_dead_stones_nothing_is_attacked() -> None:
    game = sixplane.Go.from_text(DEAD.replace(". O X", ". . X"), turn="black", komi=0.5)
    assert attacks_on_the_dead(game, 1) == []
    both_alive = ". X . X O\nX X X X O\nO O O O O\nO . O . O\nO O O O O"
    for turn in (0, 1):
        assert attacks_on_the_dead(sixplane.Go.from_text(both_alive, turn=turn), 1) == []


class Clock:
    """The time of an agent, which stands still but for what its searches and playouts are said to take."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        for module in (mcts, dead_stones):
            monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: self.now))

    def times(self, agent: MCTSAgent, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """Lets the searches of an agent take the seconds that they are given, which it returns."""
        search, limits = agent._search, list[float]()

        def timed(game: Any, *, seconds: float, **options: Any) -> Any:
            limits.append(seconds)
            self.now += seconds
            return search.search(game, **options | {"simulations": 2000})

        monkeypatch.setattr(agent, "_search", SimpleNamespace(search=timed))
        return limits


def test_the_search_for_dead_stones_ends_with_the_time_of_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sixplane.Go.from_text(DEAD, turn="white", komi=-9.5)
    game.play(25)
    clock = Clock(monkeypatch)
    assert set(attacks_on_the_dead(game, 1, clock.now + 60)) == set(attacks_on_the_dead(game, 1))
    assert attacks_on_the_dead(game, 1, clock.now) == []
    begun: list[float] = []
    played = _core.selfplay

    def slow(*arguments: Any) -> Any:
        begun.append(clock.now)
        clock.now += 0.02
        return played(*arguments)

    monkeypatch.setattr(dead_stones, "selfplay", slow)
    agent = MCTSAgent(seconds=0.4, seed=1)
    limits = clock.times(agent, monkeypatch)
    (result,) = agent.consider(game)
    assert result.best_action == 25
    # The time kept back for it is left: the search did not take all.
    assert limits == [pytest.approx(0.36)] and agent._deadline == 1000.4
    agent.decide(game)
    assert begun == pytest.approx([1000.36, 1000.38])


def test_a_search_uses_the_time_kept_for_dead_stones_where_the_best_move_is_no_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch)
    agent = MCTSAgent(seconds=0.4, seed=1)
    limits = clock.times(agent, monkeypatch)
    (result,) = agent.consider(sixplane.Go(9))
    assert limits == pytest.approx([0.36, 0.04])
    assert result.visits.sum() == result.simulations == 4000
    for other in (
        MCTSAgent(seconds=0.4, seed=1, capture_dead_stones=False),
        MCTSAgent(uniform, seconds=0.4, seed=1),
    ):
        limits = clock.times(other, monkeypatch)
        assert len(list(other.consider(sixplane.Go(9)))) == 1
        assert sum(limits) == pytest.approx(0.4)
