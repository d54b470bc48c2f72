"""`sixplane.search`: time, memory and what is left when they end."""

from __future__ import annotations

import copy
import subprocess
import sys
import time
from typing import Any

import pytest

import sixplane
from search_evaluators import uniform
from sixplane.agents import BestAgent, CapturingAgent, MCTSAgent
from sixplane.search import MCTS, Ucb

SELECTIONS: list[dict[str, Any]] = [
    {},
    {"selection": "puct"},
    {"selection": "puct", "evaluator": uniform},
    {"selection": "puct", "evaluator": uniform, "leaves": 4},
    {"evaluator": uniform},
]


@pytest.mark.parametrize("options", SELECTIONS)
def test_a_tree_that_was_made_for_a_small_board_is_large_enough_for_every_other(options: Any) -> None:
    search = MCTS(max_nodes=1, seed=1, **options)
    for game in (sixplane.Go(3), sixplane.Go(9), sixplane.Go(25), sixplane.Go(4)):
        for limits in ({"simulations": 20}, {"seconds": 0.02}):
            result = search.search(game, **limits)
            assert game.action_mask[result.best_action] == 1
            assert result.nodes == 1 + len(game.legal_actions)
            assert result.visits.sum() == result.simulations > 0
    batch = sixplane.GameBatch(sixplane.Go(9), 2)
    assert search.search_batch(batch).visits.sum() > 0


@pytest.mark.parametrize(
    "options", [*SELECTIONS, {"selection": Ucb(rave=100)}, {"selection": Ucb(prior_visits=10)}]
)
def test_the_best_action_is_legal_however_short_the_time(options: Any) -> None:
    search = MCTS(seconds=1e-6, seed=1, **options)
    games = [sixplane.Go(5).replay([24, 25, 3]), sixplane.Reversi(4), sixplane.Gomoku(5)]
    for game in games:
        result = search.search(game)
        assert game.action_mask[result.best_action] == 1
        batch = sixplane.GameBatch(game, 3)
        best = search.search_batch(batch).best_action
        assert game.action_mask[best].tolist() == [1, 1, 1]


STARVED = """
import resource, sys
import numpy as np, sixplane
from sixplane.agents import BestAgent, CapturingAgent, MCTSAgent
from sixplane.search import MCTS, Ucb

def uniform(planes):
    return np.zeros((len(planes), planes[0, 0].size + 1), np.float32), np.zeros(len(planes), np.float32)

def limit(megabytes):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (megabytes << 20), resource.RLIM_INFINITY))

game = sixplane.Gomoku(25)
search = MCTS({evaluator}, max_nodes=2**31, seconds=600, seed=1, {options})
small = search.search(sixplane.Go(5), simulations=10)
limit(8)
try:
    print(search.search{batch})
except MemoryError as error:
    print("MemoryError:", error)
again = search.search(game, simulations=10)
print(again.visits.sum(), game == sixplane.Gomoku(25))
"""


@pytest.mark.parametrize(
    ("evaluator", "options", "batch"),
    [
        ("None", "selection=Ucb(rave=300)", "(game)"),
        ("None", "threads=3", "(game)"),
        ("uniform", "leaves=64", "(game)"),
        ("None", "", "_batch(sixplane.GameBatch(game, 2))"),
        ("None", "threads=3", "_batch(sixplane.GameBatch(game, 4))"),
    ],
)
def test_a_tree_that_finds_no_memory_is_an_error_and_not_the_end(
    evaluator: str, options: str, batch: str
) -> None:
    program = STARVED.format(evaluator=evaluator, options=options, batch=batch)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    said = "MemoryError: there is no memory for the tree of the search: a smaller max_nodes limits it\n"
    assert (done.returncode, done.stdout) == (0, said + "10 True\n"), done.stderr


def test_a_cache_that_finds_no_memory_is_an_error() -> None:
    program = """
import resource, sixplane
from sixplane.search import MCTS
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, resource.RLIM_INFINITY))
try:
    MCTS(lambda planes: None, cache=2**31)
except MemoryError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "there is no memory for so large a cache\n"), done.stderr


@pytest.mark.parametrize("seconds", [float("nan"), 0, -1.0, "x", None])
@pytest.mark.parametrize("make", [MCTSAgent, lambda: CapturingAgent(MCTSAgent()), BestAgent])
def test_a_limit_of_time_is_a_positive_number_and_what_is_refused_changes_nothing(
    make: Any, seconds: Any
) -> None:
    agent = make()
    agent.limit_time(10)
    before = copy.deepcopy(agent)
    with pytest.raises((TypeError, ValueError), match="the time must be a"):
        agent.limit_time(seconds)
    assert vars(agent).get("_kept") == vars(before).get("_kept")
    assert getattr(agent, "agent", agent).limits == getattr(before, "agent", before).limits


def test_an_infinite_time_is_no_limit() -> None:
    for agent in (MCTSAgent(simulations=5), CapturingAgent(MCTSAgent(simulations=5))):
        agent.limit_time(float("inf"))
        assert agent.limits == (5, float("inf"))


def test_the_time_that_a_tree_takes_to_be_carried_over_is_a_part_of_the_limit() -> None:
    agent, game, asked = MCTSAgent(seconds=10.0, simulations=50, seed=1), sixplane.Gomoku(size=7), []
    agent.select_action(game)
    assert agent.result is not None
    game.play(agent.result.best_action)
    search = agent._search

    class Slow:
        def advance(self, action: int) -> None:
            search.advance(action)
            time.sleep(0.25)

        def search(self, *arguments: Any, seconds: float, **options: Any) -> Any:
            asked.append(seconds)
            return search.search(*arguments, seconds=seconds, **options)

        def __getattr__(self, name: str) -> Any:
            return getattr(search, name)

    agent._search = Slow()  # type: ignore[assignment]
    agent.select_action(game)
    assert len(asked) == 1 and 0 < asked[0] <= 9.75
