"""Policies as agents, and games that tell how good they are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from sixplane.agents import RESIGN, PolicyAgent, RandomAgent
from sixplane.nets import Network

if TYPE_CHECKING:
    from numpy.typing import NDArray


def first(_planes: Any, masks: NDArray[np.bool_]) -> Any:
    """The first legal action."""
    return masks.argmax(axis=1)


def given(actions: Any, _planes: Any, _masks: NDArray[np.bool_]) -> Any:
    """The same answer to everything."""
    return actions


@pytest.mark.parametrize("view", ["black", "player"])
@pytest.mark.parametrize("dtype", ["float32", "uint8", "bool"])
def test_a_policy_sees_what_the_environment_shows(view: Any, dtype: Any) -> None:
    rng, seen = np.random.default_rng(1), []

    def policy(planes: Any, masks: NDArray[np.bool_]) -> Any:
        seen.append((planes.copy(), masks.copy()))
        planes[:] = 1  # its own arrays
        return sixplane.sample_legal(masks.astype(np.int8), rng)

    agent = PolicyAgent(policy, view=view, dtype=dtype)
    batch = sixplane.GameBatch(sixplane.Reversi(size=6), 9, seed=1)
    batch.play_random(np.arange(9))
    index = np.array([0, 3, 4, 8])
    actions = agent.select_actions(batch, index)
    planes, masks = seen.pop()
    assert planes.dtype == dtype
    assert masks.dtype == np.bool_
    for row, i in enumerate(index.tolist()):
        game = batch[i]
        turned = [1, 0, 2, 3, 4, 5] if view == "player" and game.turn == 1 else slice(None)
        np.testing.assert_array_equal(planes[row], game.planes[turned])
        np.testing.assert_array_equal(masks[row], game.action_mask)
        assert int(actions[row]) in game.legal_actions
        agent.select_action(game)
        np.testing.assert_array_equal(seen.pop()[0][0], planes[row])


def test_history_is_that_of_the_player() -> None:
    shapes = []

    def policy(planes: Any, masks: NDArray[np.bool_]) -> Any:
        shapes.append(planes.shape)
        return first(planes, masks)

    agent = PolicyAgent(policy, history=3)
    game = sixplane.Go(size=5)
    game.play(3)
    assert agent.select_action(game) == 0
    assert shapes == [(1, 7, 5, 5)]


def test_minus_one_resigns_and_other_answers_are_refused() -> None:
    game = sixplane.Go(size=5)
    assert PolicyAgent(lambda planes, _: np.full(len(planes), -1)).select_action(game) is RESIGN
    wrong: object
    for wrong in ([1.5], [[1]], [1, 2], None):
        agent = PolicyAgent(partial(given, wrong))
        with pytest.raises(ValueError, match="the policy must give 1 integers"):
            agent.select_action(game)
    with pytest.raises(TypeError, match="must be a function"):
        PolicyAgent(3)  # type: ignore[arg-type] # what is refused
    with pytest.raises(ValueError, match="view must be 'black' or 'player'"):
        PolicyAgent(first, view="white")  # type: ignore[arg-type] # what is refused
    with pytest.raises(ValueError, match="dtype must be"):
        PolicyAgent(first, dtype="int8")  # type: ignore[arg-type] # what is refused
    with pytest.raises(ValueError, match="history must be at least 0"):
        PolicyAgent(first, history=-1)


def test_evaluate_counts_the_games_of_the_policy() -> None:
    game = sixplane.Gomoku(size=7)
    result = sixplane.evaluate(first, "score-table", game, games=40, seed=1)
    assert result.games == 40
    assert result.score < 0.1
    assert result.interval[0] <= result.score <= result.interval[1]
    again = sixplane.evaluate(first, "score-table", game, games=40, seed=1)
    assert again.records == result.records
    agents = sixplane.evaluate(RandomAgent(seed=1), RandomAgent(seed=2), game, games=10, seed=1)
    assert agents.games == 10
    with pytest.raises(ValueError, match="score-table"):
        sixplane.evaluate(first, "score-table", sixplane.Go(size=5), games=2)


def test_the_opponent_may_be_a_policy_as_well() -> None:
    shapes = set()

    def last(planes: Any, masks: NDArray[np.bool_]) -> Any:
        shapes.add((planes.shape[1:], planes.dtype.name))
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    game = sixplane.Gomoku(size=7)
    options: dict[str, Any] = {"games": 10, "seed": 1, "dtype": "uint8", "history": 2}
    result = sixplane.evaluate(first, last, game, **options)
    turned = sixplane.evaluate(last, first, game, **options)
    assert shapes == {((5, 7, 7), "uint8")}
    agents = PolicyAgent(first), PolicyAgent(last, dtype="uint8", history=2)
    assert result.records == sixplane.evaluate(*agents, game, games=10, seed=1).records
    assert (result.games, turned.games) == (10, 10)


def test_a_network_plays_its_best_action_on_either_side() -> None:
    network, game = Network.load("reversi8", backend="numpy"), sixplane.Reversi()
    assert sixplane.evaluate(network, first, game, games=10, seed=1).wins > 5
    assert sixplane.evaluate(first, network, game, games=10, seed=1).losses > 5


@pytest.mark.parametrize(("policy", "opponent"), [(3, "random"), ("random", None)])
def test_what_is_no_player_is_named(policy: Any, opponent: Any) -> None:
    name, given = ("policy", "int") if policy == 3 else ("opponent", "NoneType")
    message = f"{name} must be a function of planes and masks, an agent or the spec of one, not {given}"
    with pytest.raises(TypeError, match=message):
        sixplane.evaluate(policy, opponent, sixplane.Reversi(size=6), games=2)
