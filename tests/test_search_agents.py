"""Agents that search, or ask an evaluator."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest

import sixplane
from gomoku_tactics import read_cases
from sixplane.agents import (
    RESIGN,
    Agent,
    AgentSpec,
    CapturingAgent,
    MCTSAgent,
    NetworkAgent,
    RandomAgent,
    Resignation,
    ScoreTableEvaluator,
)
from sixplane.match import play
from sixplane.search import Ucb

if TYPE_CHECKING:
    from sixplane.search import Evaluator


Array = npt.NDArray[Any]


def uniform(planes: Array) -> tuple[Array, Array]:
    count, _, rows, cols = planes.shape
    return np.zeros((count, rows * cols + 1)), np.zeros(count)


class Likes:
    """An evaluator that likes some actions, and has one value."""

    def __init__(self, logits: dict[int, float], value: float = 0.0) -> None:
        self.logits, self.value = logits, value
        self.shapes: list[tuple[int, ...]] = []

    def __call__(self, planes: Array) -> tuple[Array, Array]:
        self.shapes.append(planes.shape)
        count, _, rows, cols = planes.shape
        logits = np.zeros((count, rows * cols + 1))
        for action, logit in self.logits.items():
            logits[:, action] = logit
        return logits, np.full(count, self.value)


def made(evaluator: Evaluator, **options: Any) -> MCTSAgent | NetworkAgent:
    """An agent that searches, if there are simulations, or follows the policy."""
    return MCTSAgent(evaluator, **options) if "simulations" in options else NetworkAgent(evaluator, **options)


def test_they_are_agents() -> None:
    assert isinstance(MCTSAgent(), Agent)
    assert isinstance(NetworkAgent(uniform), Agent)


@pytest.mark.parametrize("game", [sixplane.Go(5), sixplane.Reversi(6), sixplane.Gomoku(7)])
def test_search_beats_random_play(game: sixplane.Game) -> None:
    for seed in range(3):
        search, other = MCTSAgent(simulations=300, seed=seed), RandomAgent(seed=seed)
        own = "black" if seed % 2 else "white"
        result = play(search, other, game) if seed % 2 else play(other, search, game)
        assert (result.winner, result.ending) == (own, "rules")


def test_wins_in_one_are_found() -> None:
    wins = [case for case in read_cases() if case.goal == "wins" and case.stones == 1]
    assert wins
    for case in wins:
        for exact in case.exact:
            game = sixplane.Gomoku.from_text(case.drawing, case.turn, exact_five=exact)
            action = MCTSAgent(simulations=2000, seed=1).select_action(game)
            assert not isinstance(action, Resignation)
            assert game.action_to_name(action) in case.answers, case.name


def test_search_by_the_score_table_finds_every_tactical_answer() -> None:
    for case in read_cases():
        exact = case.exact[0]
        game = sixplane.Gomoku.from_text(case.drawing, case.turn, exact_five=exact)
        agent = MCTSAgent(ScoreTableEvaluator(exact_five=exact), simulations=400, seed=1)
        action = agent.select_action(game)
        assert not isinstance(action, Resignation)
        assert game.action_to_name(action) in case.answers, case.name


@pytest.mark.parametrize("size", [9, 15, 20, (7, 10)])
def test_search_by_the_score_table_opens_in_the_center(size: int | tuple[int, int]) -> None:
    game = sixplane.Gomoku(size)
    for simulations in (8, 4000):
        agent = MCTSAgent(ScoreTableEvaluator(), simulations=simulations, leaves=8, seed=1)
        assert agent.select_action(game) == game.rows // 2 * game.cols + game.cols // 2


def test_the_tree_is_kept_while_the_game_goes_on() -> None:
    agent = MCTSAgent(simulations=400, seed=1)
    game = sixplane.Go(5)
    for moves in range(3):
        action = agent.select_action(game)
        result = agent.result
        assert result is not None and not isinstance(action, Resignation)
        kept = int(result.visits.sum()) - result.simulations
        assert (kept > 0) == (moves > 0)
        game.play(action)
        # The most visited answer is sure to have been searched.
        game.play(result.principal_variation[1])


def test_a_game_that_does_not_go_on_is_searched_anew() -> None:
    agent = MCTSAgent(simulations=200, seed=1)
    game = sixplane.Go(5)
    agent.select_action(game)
    others: list[Any] = [
        sixplane.Go(5, komi=0.5),
        sixplane.Gomoku(5),
        sixplane.Go.from_text("X . .\n. . .\n. . O"),
        sixplane.Go(5),
    ]
    for other in others:
        agent.select_action(other)
        result = agent.result
        assert result is not None
        assert int(result.visits.sum()) == result.simulations == 200
    turned = sixplane.Go(5)
    turned.play(0)
    turned.set_turn("black")
    assert agent.select_action(turned) in turned.legal_actions


def test_seeds_repeat_and_reseed_begins_anew() -> None:
    game = sixplane.Go(5)
    agent = MCTSAgent(simulations=100, seed=4)

    def visits() -> list[int]:
        agent.select_action(game)
        assert agent.result is not None
        found: list[int] = agent.result.visits.tolist()
        return found

    first = visits()
    agent.reseed(5)
    second = visits()
    agent.reseed(4)
    assert visits() == first != second


def test_it_resigns_below_the_threshold_only() -> None:
    lost = sixplane.Go.from_text("O O .\nO . O\nO O O", turn="black", komi=7.5)
    assert MCTSAgent(simulations=200, seed=1, resign_below=-0.9).select_action(lost) is RESIGN
    assert MCTSAgent(simulations=200, seed=1).select_action(lost) is not RESIGN
    assert MCTSAgent(simulations=200, seed=1, resign_below=-0.9).select_action(sixplane.Go(3)) is not RESIGN


def test_agents_are_copied_and_pickled() -> None:
    game = sixplane.Go(5)
    for agent in (MCTSAgent(simulations=50, seed=2), NetworkAgent(uniform, seed=2)):
        action = agent.select_action(game)
        for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            assert other.select_action(game) == action


def test_an_isolated_search_plays() -> None:
    agents = MCTSAgent(simulations=50, seed=1), NetworkAgent(uniform, temperature=1, seed=1)
    result = play(*agents, sixplane.Reversi(4), isolate=True)
    assert result.ending == "rules"


@pytest.mark.parametrize("isolated", [{}, {"simulations": 30}])
def test_a_network_plays_its_best_legal_action(isolated: dict[str, Any]) -> None:
    game = sixplane.Go(5)
    game.play(12)
    evaluator = Likes({12: 9.0, 7: 5.0})
    assert made(evaluator, **isolated).select_action(game) == 7
    assert evaluator.shapes[0] == (1, 6, 5, 5)
    made(evaluator, history=2, **isolated).select_action(game)
    assert evaluator.shapes[-1] == (1, 5, 5, 5)


def test_actions_are_drawn_with_the_chances_of_the_policy() -> None:
    game = sixplane.Go(2)
    game.play(0)
    agent = NetworkAgent(Likes({1: np.log(6), 2: np.log(3), 0: 50.0}), temperature=1, seed=1)
    drawn = [agent.select_action(game) for _ in range(2000)]
    # Legal are 1, 2, 3 and the pass.
    legal = game.legal_actions.tolist()
    weights = {1: 6.0, 2: 3.0}
    total = sum(weights.get(action, 1.0) for action in legal)
    for action in range(5):
        expected = weights.get(action, 1.0) / total if action in legal else 0
        assert drawn.count(action) / 2000 == pytest.approx(expected, abs=0.04)
    cold = NetworkAgent(Likes({1: 6.0, 2: 3.0}), temperature=0.1, seed=1)
    assert {cold.select_action(game) for _ in range(50)} == {1}
    visits = MCTSAgent(uniform, simulations=60, temperature=1, seed=1)
    seen = set()
    for seed in range(10):
        visits.reseed(seed)
        seen.add(visits.select_action(sixplane.Go(5)))
    assert len(seen) > 3


@pytest.mark.parametrize("search", [{}, {"simulations": 8}])
def test_a_network_resigns_by_its_value(search: dict[str, Any]) -> None:
    def bad_for_black(planes: Array) -> tuple[Array, Array]:
        logits, _ = uniform(planes)
        return logits, np.where(planes[:, 2, 0, 0] == 1, 0.9, -0.9)

    game = sixplane.Go(5)
    assert made(bad_for_black, resign_below=-0.8, **search).select_action(game) is RESIGN
    assert made(bad_for_black, resign_below=-0.95, **search).select_action(game) is not RESIGN
    game.play(12)
    assert made(bad_for_black, resign_below=-0.8, **search).select_action(game) is not RESIGN


@pytest.mark.parametrize(
    "evaluator",
    [
        lambda _planes: None,
        lambda _planes: "ab",
        lambda planes: list(uniform(planes)),
        lambda planes: uniform(planes)[0],
        lambda _planes: (np.zeros((1, 3)), np.zeros(1)),
        lambda _planes: (np.zeros((1, 26)), np.zeros(2)),
        lambda _planes: (np.zeros((1, 26)), np.zeros((1, 1))),
        lambda _planes: (np.zeros((1, 26), np.bool_), np.zeros(1)),
        lambda _planes: (np.zeros((1, 26)).astype(str), np.zeros(1)),
        lambda _planes: (np.zeros((1, 26)), np.zeros(1, complex)),
        lambda _planes: (np.full((1, 26), np.nan), np.zeros(1)),
        lambda _planes: (np.full((1, 26), np.inf), np.zeros(1)),
        lambda _planes: (np.full((1, 26), -np.inf), np.zeros(1)),
        lambda _planes: (np.zeros((1, 26)), np.full(1, np.inf)),
        lambda _planes: (np.zeros((1, 26)), np.full(1, 5.0)),
        lambda _planes: (np.zeros((1, 26)), np.full(1, -1e10)),
        lambda _planes: (np.zeros((1, 26)), np.full(1, np.nan)),
    ],
)
def test_agents_refuse_of_an_evaluator_what_a_search_refuses_in_its_words(evaluator: Any) -> None:
    game = sixplane.Go(5)
    said = []
    for ask in (
        MCTSAgent(evaluator, simulations=2).select_action,
        MCTSAgent(evaluator, simulations=2).priors,
        NetworkAgent(evaluator).select_action,
        NetworkAgent(evaluator).evaluate,
    ):
        with pytest.raises((TypeError, ValueError)) as error:
            ask(game)
        said.append((error.type, str(error.value)))
    assert said == [said[0]] * 4


def test_an_agent_that_plays_for_points_has_priors_of_an_evaluator_that_says_margins() -> None:
    agent = MCTSAgent(Likes({4: 50.0}, 30.0), simulations=2, reward="margin")
    assert agent.priors(sixplane.Go(3)).argmax() == 4
    endless = MCTSAgent(Likes({}, np.inf), simulations=2, reward="margin")
    with pytest.raises(ValueError, match="the value is inf: it must be a finite number"):
        endless.priors(sixplane.Go(3))


def test_an_evaluator_leaves_actions_out() -> None:
    def no_pass_no_corner(planes: Any) -> Any:
        logits = np.zeros((len(planes), 26))
        logits[:, [0, 25]] = -np.inf
        return logits, np.zeros(len(planes))

    game = sixplane.Go(5)
    assert NetworkAgent(no_pass_no_corner).select_action(game) == 1
    sampled = [
        NetworkAgent(no_pass_no_corner, temperature=9, seed=seed).select_action(game) for seed in range(99)
    ]
    assert {0, 25}.isdisjoint(sampled) and len(set(sampled)) > 15
    priors = MCTSAgent(no_pass_no_corner, simulations=9).priors(game)
    assert np.flatnonzero(priors == 0).tolist() == [0, 25]


def test_what_is_considered_is_what_is_played() -> None:
    game = sixplane.Go(5)
    agent = MCTSAgent(seconds=3600, seed=1)
    results = list(itertools.islice(agent.consider(game, 0.1), 3))
    visits = [int(result.visits.sum()) for result in results]
    assert visits == sorted(set(visits)), "each result has all visits so far"
    assert visits[-1] == sum(result.simulations for result in results)
    assert agent.decide(game) == results[-1].best_action
    # Limits are those of the agent, however it is cut.
    counted = MCTSAgent(simulations=700, seed=1)
    assert sum(result.simulations for result in counted.consider(game, 0.005)) == 700
    assert counted.decide(game) in game.legal_actions
    planned = MCTSAgent(uniform, simulations=50, selection="gumbel", seed=1)
    assert [result.simulations for result in planned.consider(game, 0.001)] == [50]


def test_a_move_goes_on_from_what_was_found_without_end() -> None:
    game = sixplane.Go(5)
    agent = MCTSAgent(simulations=20, seed=1)
    found = 0
    for result in agent.consider(game, 0.02, endless=True):
        found = int(result.visits.sum())
        if found > 500:
            break
    agent.select_action(game)
    assert agent.result is not None
    assert agent.result.visits.sum() == found + 20
    # A move that was only searched for itself is searched anew.
    agent.select_action(game)
    assert agent.result.visits.sum() == 20


@pytest.mark.parametrize("limit", [{"simulations": 50}, {"simulations": 10**5, "seconds": 0.05}])
def test_a_planned_search_without_end_is_repeated_with_all_of_its_limits(limit: dict[str, Any]) -> None:
    agent = MCTSAgent(uniform, selection="gumbel", seed=1, **limit)
    results = itertools.islice(agent.consider(sixplane.Go(5), 0.001, endless=True), 4)
    counts = [(result.simulations, result.visits.sum()) for result in results]
    assert all(0 < simulations == visits for simulations, visits in counts)
    if "seconds" not in limit:
        assert counts == [(50, 50)] * 4


def test_a_limit_of_time_goes_before_the_agents_own() -> None:
    game = sixplane.Go(9)
    for agent in (MCTSAgent(seconds=3600, seed=1), MCTSAgent(simulations=2**31 - 1, seed=1)):
        agent.limit_time(0.2)
        agent.select_action(game)
        assert agent.result is not None
        assert 0.17 <= agent.result.seconds < 3600
    quick = MCTSAgent(simulations=10, seed=1)
    quick.limit_time(3600)
    quick.select_action(game)
    assert quick.result is not None
    assert quick.result.simulations == 10


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
def test_a_copy_keeps_the_limit_of_time(clone: Any) -> None:
    agent = MCTSAgent(simulations=100)
    assert clone(agent).limits == agent.limits
    agent.limit_time(10)
    assert clone(agent).limits == agent.limits == (100, 9.95)


def test_priors_are_the_evaluators() -> None:
    game = sixplane.Go(3)
    game.play(0)
    assert MCTSAgent().priors(game) == pytest.approx([0.0] + [1 / 9] * 9)
    likes = MCTSAgent(Likes({0: 50.0, 4: np.log(3)})).priors(game)
    assert likes == pytest.approx([0, *[1 / 11] * 3, 3 / 11, *[1 / 11] * 5])


def test_wrong_options_are_errors() -> None:
    with pytest.raises(ValueError, match="temperature must be 0 or a positive number"):
        NetworkAgent(uniform, temperature=-1)
    with pytest.raises(ValueError, match="temperature must be 0 or a positive number"):
        MCTSAgent(temperature=float("nan"))
    with pytest.raises(TypeError, match="threads"):
        NetworkAgent(uniform, threads=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        MCTSAgent(speed=3)  # type: ignore[call-arg]
    over = sixplane.Go(5)
    over.resign()
    for agent in (MCTSAgent(simulations=5), NetworkAgent(uniform), CapturingAgent(MCTSAgent(simulations=5))):
        with pytest.raises(ValueError, match="the game is over"):
            agent.select_action(over)


@pytest.mark.parametrize("evaluator", [None, uniform])
def test_a_finished_game_has_no_priors(evaluator: Any) -> None:
    over = sixplane.Go(5)
    over.resign()
    with pytest.raises(ValueError, match="the game is over"):
        MCTSAgent(evaluator, simulations=5).priors(over)


@pytest.mark.parametrize("value", [float("nan"), "x", [0.5]])
def test_a_value_to_resign_below_is_a_number(value: Any) -> None:
    error = ValueError if isinstance(value, float) else TypeError
    for make in (MCTSAgent, NetworkAgent):
        with pytest.raises(error, match="resign_below must be a number"):
            make(uniform, resign_below=value)


def test_a_search_is_written_as_a_spec() -> None:
    spec = AgentSpec.parse("mcts:simulations=100,threads=1,c=0.7,rave=500,prior_visits=20")
    options = {"simulations": 100, "threads": 1, "c": 0.7, "rave": 500.0, "prior_visits": 20.0}
    assert spec.options == options
    assert spec.make(1).agent._options["selection"] == Ucb(c=0.7, rave=500, prior_visits=20)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="threads"):
        AgentSpec.parse("mcts:threads=0").make(0)
    by_table = AgentSpec.parse("mcts:simulations=50,evaluator=score-table,leaves=8")
    assert by_table.options["evaluator"] == "score-table"
    assert pickle.loads(pickle.dumps(by_table)) == by_table
    game = sixplane.Gomoku(9, exact_five=True)
    agent = by_table.make(1)
    assert isinstance(agent, CapturingAgent) and agent.evaluator == ScoreTableEvaluator()
    assert agent.select_action(game) in game.legal_actions
    with pytest.raises(ValueError, match="evaluator of mcts must be score-table, not 'guess'"):
        AgentSpec.parse("mcts:evaluator=guess")


@pytest.mark.parametrize("isolated", [{}, {"simulations": 20}])
def test_a_network_gets_its_planes_as_it_asks_for_them(isolated: dict[str, Any]) -> None:
    game = sixplane.Go(5).replay([7, 9, 11])
    seen: list[Array] = []

    def keeping(planes: Array) -> tuple[Array, Array]:
        seen.append(planes.copy())
        logits, values = uniform(planes)
        logits[:, 3] = 2
        return logits, values

    agent = made(keeping, view="player", dtype="float32", pad_to=4, seed=1, **isolated)
    assert agent.select_action(game) == 3
    assert seen[0].dtype == np.float32
    assert seen[0].shape == (4, 6, 5, 5)
    assert (seen[0][0] == game.planes[[1, 0, 2, 3, 4, 5]]).all()
    assert not seen[0][1:].any()
    searcher = MCTSAgent(keeping, view="player", dtype="float32", pad_to=4)
    seen.clear()
    assert searcher.priors(game).argmax() == 3
    assert (seen[0][0] == game.planes[[1, 0, 2, 3, 4, 5]]).all()
    with pytest.raises(ValueError, match='view must be one of "black", "player"'):
        made(uniform, view="white", **isolated)


def test_a_search_of_agents_plays_what_wins_at_once() -> None:
    game = sixplane.Gomoku.from_text(". . . . .\nO O O O .\nX X X X .\n. . . . .\n. . . . .", "black")

    def against(planes: Array) -> tuple[Array, Array]:
        logits, values = uniform(planes)
        logits[:, 14] = -20
        return logits, values

    for agent in (
        MCTSAgent(against, simulations=5),
        MCTSAgent(against, simulations=5, temperature=1, seed=1),
    ):
        assert agent.select_action(game) == 14
