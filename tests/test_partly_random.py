"""Agents that play a share of their moves at random."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from sixplane import Go, Gomoku, Reversi
from sixplane.agents import AgentSpec, MCTSAgent, PartlyRandomAgent, PolicyAgent, RandomAgent, ScoreTableAgent
from sixplane.match import arena

if TYPE_CHECKING:
    from sixplane.agents import Agent


class First:
    """Plays the first legal action."""

    def __init__(self) -> None:
        self.asked = 0

    def select_action(self, game: sixplane.Game) -> int:
        self.asked += 1
        return int(game.legal_actions[0])


def moves_of(agent: Agent, batch: sixplane.GameBatch[Any]) -> np.ndarray[Any, Any]:
    return np.array([agent.select_action(batch[i]) for i in range(len(batch))])


def test_a_random_move_is_one_of_those_allowed() -> None:
    agent, game = PartlyRandomAgent(MCTSAgent(simulations=20, seed=1), 1.0, seed=2), Reversi(size=6)
    allowed = np.zeros(game.num_actions, np.bool_)
    allowed[game.legal_actions[1:3]] = True
    allowed[0] = True  # not legal
    chosen = set()
    for _ in range(60):
        for _ in agent.consider(game, allowed=allowed):
            pass
        chosen.add(agent.decide(game))
    assert chosen == set(game.legal_actions[1:3].tolist())
    agent.select_action(game)
    for _ in agent.consider(game):
        pass
    assert {agent.decide(game) for _ in range(99)} == set(game.legal_actions.tolist())


def test_an_agent_is_not_asked_about_no_games() -> None:
    def first(planes: Any, masks: Any) -> Any:
        assert len(planes)
        return np.array([int(np.flatnonzero(mask)[0]) for mask in masks])

    batch = sixplane.GameBatch(Go(5), 3)
    for share in (0.0, 0.5, 1.0):
        agent = PartlyRandomAgent(PolicyAgent(first), share, seed=1)
        for _ in range(20):
            assert agent.select_actions(batch, np.arange(3)).shape == (3,)


@pytest.mark.parametrize("game", [Go(5), Go((3, 7)), Reversi(6), Gomoku((7, 5))])
def test_games_side_by_side_get_the_moves_that_they_get_one_by_one(game: sixplane.Game) -> None:
    batch = sixplane.GameBatch(game, 60, seed=1)
    one, many = (PartlyRandomAgent(First(), 0.4, seed=3) for _ in range(2))
    for _ in range(3):
        actions = many.select_actions(batch, np.arange(60))
        assert (moves_of(one, batch) == actions).all()
        batch.play(actions)
    one.reseed(9)
    again = PartlyRandomAgent(First(), 0.4, seed=9)
    assert (moves_of(one, batch) == moves_of(again, batch)).all()


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_so_many_moves_are_random(share: float) -> None:
    first = First()
    agent, batch = PartlyRandomAgent(first, share, seed=1), sixplane.GameBatch(Go(9), 2000)
    agent.select_actions(batch, np.arange(2000))
    # Four standard deviations of 2,000 trials.
    assert abs(first.asked / 2000 - (1 - share)) <= 4 * (share * (1 - share) / 2000) ** 0.5


def test_random_moves_are_those_of_the_random_agent() -> None:
    # Black has only own eyes left, and White's last stone is no eye of Black's.
    game = Go.from_text(
        """
        . X . X .
        X X X X X
        X X X X X
        X X X X X
        . X X X .""",
        "black",
    )
    agent = PartlyRandomAgent(First(), 1.0, seed=1)
    assert agent.select_action(game) == RandomAgent(seed=1).select_action(game) == game.num_actions - 1


def test_the_seed_of_the_agent_is_another_stream() -> None:
    spec = AgentSpec.parse("reversi8:temperature=1,random=0.5")
    game = Reversi()
    batch = sixplane.GameBatch(game, 100)
    results = [spec.make(5).select_actions(batch, np.arange(100)) for _ in range(2)]  # type: ignore[attr-defined]
    assert (results[0] == results[1]).all()
    assert len(set(results[0].tolist())) == 4


def test_a_new_seed_is_one_of_the_agent_too() -> None:
    game = sixplane.Go(5)
    agent, fresh = (PartlyRandomAgent(RandomAgent(seed=seed), 0.3, seed=seed) for seed in (1, 4))
    agent.reseed(4)
    assert [agent.select_action(game) for _ in range(30)] == [fresh.select_action(game) for _ in range(30)]


def test_other_attributes_are_those_of_the_agent() -> None:
    agent = PartlyRandomAgent(MCTSAgent(simulations=20, seed=1), 0.5, seed=1)
    agent.limit_time(3.0)
    assert agent.limits[1] < 3.0
    agent.agent.select_action(Go(5))
    assert agent.result.simulations == 20
    assert not hasattr(PartlyRandomAgent(ScoreTableAgent(), 0.5), "prepare")
    copy = pickle.loads(pickle.dumps(agent))
    assert copy.share == 0.5
    assert copy.select_action(Go(5)) in range(26)


def test_decide_is_partly_random_too() -> None:
    game = Gomoku(size=9)
    agent = PartlyRandomAgent(MCTSAgent(simulations=30, seed=1), 0.5, seed=2)
    for _ in agent.consider(game):
        pass
    best = agent.result.best_action
    decided = [agent.decide(game) for _ in range(100)]
    assert 30 < decided.count(best) < 70


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_is_from_0_to_1(share: float) -> None:
    with pytest.raises(ValueError, match="the share of random moves must be from 0 to 1"):
        PartlyRandomAgent(First(), share)


def test_a_game_that_is_over_has_no_random_move() -> None:
    game = Gomoku(5)
    game.resign()
    with pytest.raises(ValueError, match="the game is over"):
        PartlyRandomAgent(First(), 1.0).select_action(game)


@pytest.mark.parametrize(
    "text",
    [
        "mcts:simulations=20,random=0.3",
        "score-table:random=1",
        "gomoku15:random=0.2",
        "network:random=0.2,simulations=4",
    ],
)
def test_a_spec_with_a_share_is_read_written_and_plays(text: str) -> None:
    spec = AgentSpec.parse(text)
    assert AgentSpec.parse(str(spec)) == spec
    spec.check_game(Gomoku())
    agent = spec.make(1)
    assert isinstance(agent, PartlyRandomAgent)
    assert agent.select_action(Gomoku()) in range(225)


def test_a_spec_refuses_a_wrong_share() -> None:
    with pytest.raises(ValueError, match="random of mcts must be a number, not 'often'"):
        AgentSpec.parse("mcts:random=often")
    with pytest.raises(ValueError, match="from 0 to 1, not 2"):
        AgentSpec.parse("mcts:random=2").make(1)
    with pytest.raises(ValueError, match="plays Gomoku, not Go"):
        AgentSpec.parse("score-table:random=0.5").check_game(Go(5))


def test_more_random_moves_are_weaker() -> None:
    often, seldom = (PartlyRandomAgent(ScoreTableAgent(seed=1), share, seed=2) for share in (0.8, 0.2))
    assert arena(seldom, often, Gomoku(9), 40, seed=1).score > 0.8
