"""Agents that answer in many games of a batch at once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import sixplane
from sixplane._core import own_eyes
from sixplane.agents import RESIGN, CapturingAgent, MCTSAgent, NetworkAgent, RandomAgent
from sixplane.agents.around import AgentForGame

GAMES: dict[str, Any] = {
    "Go": sixplane.Go(size=(4, 5)),
    "Reversi": sixplane.Reversi(size=4),
    "Gomoku": sixplane.Gomoku(size=5),
}


def in_play(game: Any, count: int = 60, seed: int = 0) -> tuple[sixplane.GameBatch, Any]:
    """Games at all stages, and the indices of those that go on."""
    batch = sixplane.GameBatch(game, count, seed=seed)
    for i in range(count):
        one = game.copy()
        rng = np.random.default_rng([seed, i])
        while one.move_number < i // 2 and not one.is_over:
            points = [action for action in one.legal_actions if action < one.num_actions - 1]
            one.play(rng.choice(points or one.legal_actions))
        batch[i] = one
    return batch, np.flatnonzero(~batch.dones)


@pytest.mark.parametrize("rule", ["diagonal", "chain", "playout"])
def test_eyes_of_many_boards_are_those_of_each_game(rule: Any) -> None:
    found = 0
    for size in ((2, 2), (2, 5), (4, 4), (5, 3)):
        batch, index = in_play(sixplane.Go(size=size), 150, seed=2)
        eyes = own_eyes(batch, index, rule)
        for found_eyes, i in zip(eyes, index, strict=True):
            game = batch[i]
            expected = [game.is_eye(point, rule=rule) for point in range(game.num_actions - 1)]
            assert found_eyes.tolist() == expected
            found += sum(expected)
    assert found > 50
    assert own_eyes(batch, [], rule).shape == (0, 15)


@pytest.mark.parametrize(
    ("game", "index", "rule", "message"),
    [
        ("Reversi", [0], "chain", "reversi has no eyes"),
        ("Go", [0, 3], "chain", "index must be from 0 to 2"),
        ("Go", [-1], "chain", "index must be from 0 to 2"),
        ("Go", [[0]], "chain", "index must be 1-d"),
        ("Go", [0], "none", 'rule must be one of "diagonal", "chain", "playout"'),
        ("Go", [0], 3, "rule must be one of"),
    ],
)
def test_eyes_of_wrong_games_or_by_wrong_rules_are_refused(
    game: str, index: int, rule: Any, message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        own_eyes(sixplane.GameBatch(GAMES[game], 3), index, rule)


@pytest.mark.parametrize(
    "options", [{}, {"avoid_eyes": "chain"}, {"avoid_eyes": "playout"}, {"tries": 2}], ids=str
)
@pytest.mark.parametrize("name", GAMES)
def test_random_choices_at_once_are_those_game_by_game(name: str, options: dict[str, Any]) -> None:
    batch, index = in_play(GAMES[name])
    before = batch.copy()
    at_once, one_by_one = RandomAgent(seed=1, **options), RandomAgent(seed=2, **options)
    rounds = 250
    chosen = np.array([at_once.select_actions(batch, index) for _ in range(rounds)])
    assert chosen.dtype == np.int64 and chosen.shape == (rounds, len(index))
    assert batch == before
    for i, actions in zip(index[::4].tolist(), chosen.T[::4], strict=True):
        ours = Counter(actions.tolist())
        theirs = Counter(one_by_one.select_action(batch[i]) for _ in range(rounds))
        # What is rare may be missed.
        common = {action for action, count in (ours + theirs).items() if count > 30}
        assert common <= ours.keys() & theirs.keys()
        assert ours.keys() <= set(batch[i].legal_actions.tolist())
        for action in common:
            assert abs(ours[action] - theirs[action]) < 6 * max(ours[action] + theirs[action], 9) ** 0.5


def test_random_resignations_are_minus_one() -> None:
    batch, index = in_play(GAMES["Gomoku"])
    assert (RandomAgent(resign_probability=1.0).select_actions(batch, index) == -1).all()
    some = RandomAgent(resign_probability=0.3, seed=1)
    share = np.mean([some.select_actions(batch, index) == -1 for _ in range(200)])
    assert share == pytest.approx(0.3, abs=0.03)


def test_a_seed_decides_the_choices_at_once() -> None:
    batch, index = in_play(GAMES["Go"])

    def choices(agent: RandomAgent) -> list[Any]:
        return [agent.select_actions(batch, index).tolist() for _ in range(5)]

    agent = RandomAgent(seed=3)
    first = choices(agent)
    agent.reseed(3)
    assert choices(agent) == first == choices(RandomAgent(seed=3)) != choices(RandomAgent(seed=4))
    assert choices(RandomAgent()) != choices(RandomAgent())
    nobody: Any = np.array([], dtype=np.int64)
    assert agent.select_actions(batch, nobody).shape == (0,)


def evaluator(planes: Any) -> tuple[Any, Any]:
    """Depends on the planes alone, and on each board by itself."""
    rows = planes.reshape(len(planes), -1).astype(np.float64)
    points = planes.shape[2] * planes.shape[3]
    weights = np.random.default_rng(0).normal(size=(rows.shape[1], points + 2)) / 4
    found = rows @ weights
    return found[:, :-1], np.tanh(found[:, -1])


class One:
    """An agent that is asked game by game."""

    def __init__(self, agent: Any) -> None:
        self.select_action = agent.select_action


def alone(agent: Any, game: Any) -> int:
    choice = agent.select_action(game)
    return -1 if choice is RESIGN else int(choice)


@pytest.mark.parametrize(
    "asking",
    [
        {},
        {"view": "player", "dtype": "float32"},
        {"history": 2, "pad_to": 7},
        {"view": "player", "pad_to": 8},
    ],
    ids=str,
)
@pytest.mark.parametrize("resign_below", [None, -0.3])
@pytest.mark.parametrize("name", GAMES)
def test_a_network_answers_at_once_what_it_answers_game_by_game(
    name: str, resign_below: float | None, asking: dict[str, Any]
) -> None:
    batch, index = in_play(GAMES[name])
    before = batch.copy()
    agent = NetworkAgent(evaluator, resign_below=resign_below, **asking)
    actions = agent.select_actions(batch, index)
    assert actions.dtype == np.int64 and batch == before
    assert actions.tolist() == [alone(agent, batch[i]) for i in index.tolist()]
    assert ((actions == -1).any()) == (resign_below is not None)
    agent.select_actions(batch, index[:0])


def test_a_network_at_once_chooses_by_its_temperature() -> None:
    batch, index = in_play(GAMES["Go"], 12)
    at_once, one_by_one = (NetworkAgent(evaluator, temperature=0.8, seed=seed) for seed in (1, 2))
    chosen = np.array([at_once.select_actions(batch, index) for _ in range(600)])
    for i, actions in zip(index.tolist(), chosen.T, strict=True):
        ours, theirs = Counter(actions.tolist()), Counter(alone(one_by_one, batch[i]) for _ in range(600))
        for action in ours | theirs:
            assert abs(ours[action] - theirs[action]) < 6 * max(ours[action] + theirs[action], 9) ** 0.5


def wishes_to_end(planes: Any) -> tuple[Any, Any]:
    """Prefers the last action, which is the pass in Go, and then the first ones."""
    actions = planes.shape[2] * planes.shape[3] + 1
    logits = np.r_[np.linspace(0, -5, actions - 1), 9.0]
    return np.tile(logits, (len(planes), 1)), np.zeros(len(planes))


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_network_does_not_answer_a_pass_by_one_that_loses(temperature: float) -> None:
    agent = NetworkAgent(wishes_to_end, temperature=temperature, seed=1)
    batch, index = in_play(sixplane.Go(size=4, komi=3.5), 100)
    passed = [batch[i] for i in index.tolist()]
    for game in passed:
        game.play(game.num_actions - 1)
    passed = [game for game in passed if len(game.legal_actions) > 1]
    won = []
    for game in passed:
        ended = game.copy()
        ended.play(game.num_actions - 1)
        won.append(ended.outcome == ("black", "white")[game.turn])
    batch = sixplane.GameBatch.from_games(passed)
    at_once = agent.select_actions(batch, np.arange(len(passed)))
    one_by_one = [alone(agent, game) for game in passed]
    for actions in (at_once, one_by_one):
        ends = [action == game.num_actions - 1 for action, game in zip(actions, passed, strict=True)]
        # With a temperature it may well play on where it has won.
        assert ends == won if temperature == 0 else not (np.array(ends) & ~np.array(won)).any()
    assert min(sum(won), len(won) - sum(won)) > 10


def test_a_network_loses_by_the_policy_where_every_action_loses() -> None:
    game = sixplane.Go(size=3, komi=0.5, max_moves=4).replay([4, 9, 1])
    for action in game.legal_actions:
        ended = game.copy()
        ended.play(action)
        assert ended.outcome == "black"
    assert NetworkAgent(wishes_to_end).select_action(game) == game.num_actions - 1
    batch = sixplane.GameBatch(game, 2)
    assert NetworkAgent(wishes_to_end).select_actions(batch, np.arange(2)).tolist() == [9, 9]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "agent",
    [
        MCTSAgent(simulations=30, seed=1),
        MCTSAgent(evaluator, simulations=30, seed=1, leaves=4),
        MCTSAgent(simulations=30, selection="gumbel", resign_below=-0.5, seed=1),
        MCTSAgent(simulations=4, seconds=0.5, seed=1),
        MCTSAgent(evaluator, simulations=20, temperature=1.0, resign_below=-0.5, seed=1),
        NetworkAgent(evaluator, temperature=1.0, resign_below=-0.5, seed=1),
        CapturingAgent(MCTSAgent(simulations=20, seed=1)),
        CapturingAgent(MCTSAgent(simulations=4, seconds=0.5, seed=1)),
        CapturingAgent(NetworkAgent(evaluator)),
        CapturingAgent(RandomAgent(seed=1)),
        CapturingAgent(One(RandomAgent(seed=1))),
    ],
    ids=lambda agent: type(agent).__name__,
)
def test_searches_at_once_give_actions_and_win_where_they_can(name: str, agent: Any) -> None:
    batch, index = in_play(GAMES[name], 40)
    before = batch.copy()
    actions = agent.select_actions(batch, index)
    assert actions.dtype == np.int64 and actions.shape == index.shape and batch == before
    for i, action in zip(index.tolist(), actions.tolist(), strict=True):
        assert action == -1 or action in batch[i].legal_actions


def test_a_search_at_once_gives_up_the_games_that_it_has_lost_and_no_others() -> None:
    def by_the_corner(planes: Any) -> Any:
        """White's stone in the corner decides."""
        sign = 2.0 * planes[:, 2, 0, 0] - 1
        return np.zeros((len(planes), 26)), 0.9 * planes[:, 1, 0, 0] * sign

    level, lost = sixplane.Go(5).replay([12, 24]), sixplane.Go(5).replay([12, 0])
    batch = sixplane.GameBatch.from_games([level, level, lost])
    agent = MCTSAgent(by_the_corner, simulations=20, resign_below=-0.5, seed=1)
    assert (agent.select_actions(batch, np.array([1, 2])) == -1).tolist() == [False, True]


def test_a_search_at_once_wins_where_it_can() -> None:
    four = sixplane.Gomoku.from_text("X X X X .\nO O O O .\n" + ". . . . .\n" * 3, turn="white")
    batch = sixplane.GameBatch(four, 5)
    assert MCTSAgent(simulations=60, seed=1).select_actions(batch, np.arange(1, 4)).tolist() == [9] * 3


class ByKomi(AgentForGame):
    """Plays by an agent for each komi."""

    def _spec_for(self, game: Any) -> str:
        return str(game.komi)


class At:
    """Plays one point."""

    def __init__(self, point: int) -> None:
        self.point = point

    def select_action(self, _game: sixplane.Game) -> int:
        return self.point


def test_an_agent_for_each_game_is_asked_where_games_of_a_batch_differ_in_rules() -> None:
    agent = ByKomi(lambda spec, _seed: At(int(float(spec))), seed=None)
    batch = sixplane.GameBatch(sixplane.Go(size=5, komi=3), 3)
    batch.reset([False, True, False], game=sixplane.Go(size=5, komi=7))
    assert agent.select_actions(batch, np.array([0, 1, 2])).tolist() == [3, 7, 3]
    assert agent.select_actions(batch, np.array([1])).tolist() == [7]
    assert agent.select_actions(batch, np.array([], np.int64)).size == 0


def test_tries_of_games_at_once_find_every_point() -> None:
    batch = sixplane.GameBatch(sixplane.Go(size=3), 400)
    actions = RandomAgent(tries=1, seed=1).select_actions(batch, np.arange(400))
    assert np.unique(actions).tolist() == list(range(9))
