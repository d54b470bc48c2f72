"""Searches that prove: the option `exact` of Python. What is proven is tested in Rust, beside minimax."""

from __future__ import annotations

import copy
import pickle
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import sixplane
from search_evaluators import noisy, uniform
from sixplane.agents import AgentSpec, MCTSAgent
from sixplane.search import MCTS, Gumbel, Puct

#: Black has a four with both ends open.
WON = """
    . . . . . . .
    . X X X X . .
    . O O O . . .
    . . O . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . ."""


def won() -> sixplane.Gomoku:
    return sixplane.Gomoku.from_text(WON, turn="black")


@pytest.mark.parametrize("selection", ["ucb", "puct", "gumbel", Gumbel(noise=0), Puct(noise=0.3)])
def test_a_proven_win_is_played_with_any_selection(selection: Any) -> None:
    result = MCTS(uniform, selection=selection, simulations=30, exact=True, seed=1).search(won())
    assert (result.proven, result.wins, result.value, result.simulations) == (1, True, 1.0, 0)
    assert result.proofs.dtype == np.int8
    assert result.proofs.shape == result.q.shape
    assert result.proofs[result.best_action] == 1
    assert result.q[result.best_action] == 1
    assert result.sample(temperature=np.inf, rng=1) == result.best_action
    assert "wins for certain" in result._repr_html_()


def test_nothing_is_proven_without_the_option() -> None:
    result = MCTS(simulations=30, seed=1).search(won())
    assert result.proven is None
    assert (result.proofs == 2).all()


def test_a_batch_has_arrays_of_what_its_games_have() -> None:
    open_game = sixplane.Gomoku(size=7)
    batch = sixplane.GameBatch.from_games([won(), open_game])
    search = MCTS(simulations=20, exact=True, seed=3)
    result = search.search_batch(batch)
    assert result.proven.tolist() == [1, 2]
    assert result.proofs.shape == result.visits.shape
    assert result.proven.dtype == result.proofs.dtype == np.int8
    assert result.simulations.tolist() == [0, 20]
    assert result.sample(temperature=np.inf, rng=1)[0] == result.best_action[0]
    left_out = search.search_batch(batch, where=np.array([False, True]))
    assert left_out.proven[0] == 2


#: A game of Reversi on 6x6 that a search of some hundred simulations proves in part.
PARTLY_PROVEN = [8, 9, 22, 27, 34, 7, 3, 10, 2, 25, 13, 28, 16, 11, 35, 26, 6]


def test_an_action_that_loses_for_certain_is_never_sampled_while_another_is_open() -> None:
    game = sixplane.Reversi(size=6).replay(PARTLY_PROVEN)
    for result in (
        MCTS(simulations=100, exact=True, seed=1).search(game),
        MCTS(simulations=100, exact=True, seed=1).search_batch(sixplane.GameBatch.from_games([game])),
    ):
        visits, policy, proofs = (np.ravel(one) for one in (result.visits, result.policy, result.proofs))
        losing = proofs == -1
        assert result.proven in (None, 2)
        assert visits[losing].all() and losing.sum() >= 2
        assert not policy[losing].any()
        for seed in range(40):
            assert not losing[result.sample(rng=seed, temperature=np.inf)].any()


def test_a_proven_draw_is_kept_whatever_the_temperature() -> None:
    game = sixplane.Reversi(size=6).replay(PARTLY_PROVEN)
    one = MCTS(simulations=300, exact=True, seed=1).search(game)
    many = MCTS(simulations=300, exact=True, seed=1).search_batch(sixplane.GameBatch.from_games([game]))
    assert one.proven == many.proven[0] == 0
    assert (one.visits > 0).sum() > 1
    for seed in range(20):
        assert one.sample(rng=seed, temperature=np.inf) == one.best_action
        assert many.sample(rng=seed, temperature=np.inf)[0] == many.best_action[0]


def test_a_lost_game_is_searched_for_an_eighth_of_the_simulations() -> None:
    game = sixplane.Reversi(size=4)  # White wins it by eight
    search = MCTS(simulations=50, exact=True, seed=1)
    result = search.search(game)
    assert (result.proven, result.value, result.simulations) == (-1, -1.0, 7)
    result = search.search(game, resume=True)
    assert (result.simulations, result.visits.sum()) == (50, 57)
    legal = game.action_mask == 1
    assert (result.proofs[legal] == -1).all()
    assert (result.proofs[~legal] == 2).all()
    assert result.sample(rng=1) in game.legal_actions


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"reward": "margin", "exact": True}, ValueError, 'reward="outcome"'),
        ({"exact": 1}, TypeError, "exact must be"),
        ({"exact": "yes"}, TypeError, "exact must be"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        MCTS(**options)


def test_copies_and_pickles_keep_the_option() -> None:
    search = MCTS(simulations=20, exact=True, seed=1)
    for other in (copy.copy(search), pickle.loads(pickle.dumps(search))):
        assert other.search(won()).proven == 1


@pytest.mark.parametrize("interval", [None, 1e-6])
def test_an_agent_gives_a_lost_game_an_eighth_of_its_simulations(interval: float | None) -> None:
    agent = MCTSAgent(simulations=50, exact=True, seed=1)
    results = list(agent.consider(sixplane.Reversi(size=4), interval))
    assert sum(result.simulations for result in results) == 7
    assert len(results) == 1  # the first part of a search is long enough for the solver


def test_an_agent_gives_a_lost_game_an_eighth_of_its_time() -> None:
    def slow(planes: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        time.sleep(0.25)
        return uniform(planes)

    agent = MCTSAgent(slow, seconds=4, exact=True, seed=1)
    agent.select_action(sixplane.Reversi(size=4))
    assert agent.result is not None
    assert (agent.result.proven, agent.result.simulations <= 1) == (-1, True)


class Recorded:
    """A search that notes how long it may take, and does little."""

    def __init__(self, search: MCTS) -> None:
        self.short, self.seconds = search, list[float]()

    def search(self, game: sixplane.Game, *, seconds: float, resume: bool, **_: object) -> Any:
        self.seconds.append(seconds)
        return self.short.search(game, simulations=2, resume=resume)


def parts(game: sixplane.Game, *searches: bool, exact: bool = True) -> list[float]:
    """How long the first two parts of some searches of a position may take, each endless or a move's."""
    agent = MCTSAgent(seconds=1.5, exact=exact, seed=1)
    recorded = agent._search = Recorded(agent._search)  # type: ignore[assignment]
    for is_endless in searches:
        results = agent.consider(game, 0.01, endless=is_endless)
        next(results)
        next(results)
    return recorded.seconds


def test_the_solver_has_its_share_of_a_move_whatever_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "sixplane.agents.mcts.time", SimpleNamespace(monotonic=lambda: 0.0)
    )  # it stands still
    assert parts(sixplane.Reversi(), False) == [1.5, 0.01]
    # An endless search asks it once, and the move after it asks again.
    assert parts(sixplane.Reversi(), True, True, False) == [0.5, *[0.01] * 3, 1.5, 0.01]
    assert parts(sixplane.Go(5), False) == parts(sixplane.Reversi(), True, exact=False) == [0.01, 0.01]


def test_an_agent_ends_its_move_when_it_is_decided() -> None:
    agent = MCTSAgent(simulations=10**6, seconds=3600, exact=True, seed=1)
    action = agent.select_action(won())
    assert agent.result is not None
    assert agent.result.proven == 1
    assert action == agent.result.best_action
    results = agent.consider(won(), interval=0.01, endless=True)
    assert [next(results).proven for _ in range(3)] == [1, 1, 1]


def test_specs_take_the_option() -> None:
    spec = AgentSpec.parse("mcts:simulations=20,exact=true")
    assert spec.options == {"simulations": 20, "exact": True}
    assert str(spec) == "mcts:simulations=20,exact=true"
    assert spec.make(1).select_action(won()) in (7, 12)
    with pytest.raises(ValueError, match="exact of mcts must be true or false, not 'perhaps'"):
        AgentSpec.parse("mcts:exact=perhaps")


def test_a_tree_that_goes_on_plays_a_won_game_to_its_end() -> None:
    game, search = won(), MCTS(simulations=50, exact=True, seed=1)
    while not game.is_over:
        result = search.search(game)
        assert result.proven == (1 if game.turn == 0 else -1)
        game.play(result.best_action)
        search.advance(result.best_action)
    assert game.outcome == "black"


@pytest.mark.parametrize("selection", ["gumbel", "puct"])
@pytest.mark.parametrize("simulations", [1, 30])
def test_an_action_that_loses_leaves_its_share_to_those_without_a_probability(
    selection: Any, simulations: int
) -> None:
    def certain(planes: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Knows the last point alone, as long as it is empty."""
        is_taken = planes[:, 3, 8, 8] == 1
        logits = np.full((len(planes), 82), -np.inf, np.float32)
        logits[:, 80] = 0.0
        logits[is_taken] = 0.0
        return logits, np.zeros(len(planes), np.float32)

    rows = ["X O O O O . . . .", *[". . . . . . . . ."] * 6, "X . . X . . X . .", ". . . . . . . . ."]
    game = sixplane.Gomoku.from_text("\n".join(rows), turn="black")
    search = MCTS(certain, selection=selection, simulations=simulations, exact=True, seed=1)
    result = search.search(game)
    # Black must stop the row of four.
    assert result.proofs[80] == -1 and result.best_action == 5
    assert result.policy[80] == 0 and result.policy.sum() == pytest.approx(1)


def test_values_are_rescaled_as_if_actions_that_lose_were_not_there() -> None:
    def evaluate(planes: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        return uniform(planes)[0], noisy(planes)[1]

    # White must stop the row of three: at one of its ends, for no other point is left.
    empty = ". . . . . . . . ."
    rows = [*[empty] * 3, ". . . X X X . . .", *[empty] * 4, "O . . . O . . . ."]
    game = sixplane.Gomoku.from_text("\n".join(rows), turn="white")
    search = MCTS(evaluate, selection=Gumbel(noise=0), simulations=40, exact=True, seed=1)
    result = search.search(game)
    open_actions = np.flatnonzero((result.proofs == 2) & (game.action_mask == 1))
    assert len(open_actions) == 2 and (result.proofs == -1).sum() > 70
    better = open_actions[result.q[open_actions].argmax()]
    # The better one has 1 and the other one 0.
    scale = (50 + result.visits[open_actions].max()) * 0.1
    assert result.policy[better] == pytest.approx(1 / (1 + np.exp(-scale)), abs=1e-4)
