"""`sixplane.search`: what is found out about the root, and what is played there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sixplane
from search_evaluators import Floats, Planes, noisy, uniform
from sixplane.search import MCTS, Gumbel, Puct, SearchResult, Ucb


def likes_one(action: int, others: float = 0.0) -> Any:
    """An evaluator for which one action wins for whoever plays it next, in its value and not its logits."""

    def evaluator(planes: Planes) -> tuple[Floats, Floats]:
        logits, values = uniform(planes)
        has_stone = planes[:, :2].sum(axis=1).reshape(len(planes), -1)[:, action] == 1
        black_has = planes[:, 0].reshape(len(planes), -1)[:, action] == 1
        is_whites_turn = planes[:, 2, 0, 0] == 1
        owner_plays = black_has != is_whites_turn
        values[:] = np.where(has_stone, np.where(owner_plays, 0.9, -0.9), others)
        return logits, values

    return evaluator


def test_noise_is_mixed_once_into_a_root_however_often_it_is_resumed() -> None:
    game, best = sixplane.Go(5), 12
    options: dict[str, Any] = {"selection": Puct(noise=(0.3, 0.25)), "seed": 1}
    whole = MCTS(likes_one(best), **options).search(game, simulations=2000)
    parts = MCTS(likes_one(best), **options)
    for _ in range(200):
        last = parts.search(game, simulations=10, resume=True)
    assert last.visits.sum() == whole.visits.sum() == 2000
    assert last.visits.tolist() == whole.visits.tolist()
    assert whole.visits[best] > 500


def test_noise_is_mixed_anew_into_every_new_root() -> None:
    game = sixplane.Go(5)
    search = MCTS(uniform, selection=Puct(noise=(0.03, 1.0)), simulations=30, seed=1)
    first, again = search.search(game), search.search(game)
    assert first.visits.tolist() != again.visits.tolist()
    search.advance(again.best_action)
    game.play(again.best_action)
    advanced = search.search(game, simulations=200)
    # With all of the prior noise, few actions get nearly all visits.
    assert np.sort(advanced.visits)[-5:].sum() > 150


def softmax(logits: Any, legal: Any) -> Any:
    weights = np.where(legal, np.exp(logits.astype(np.float64)), 0)
    return weights / weights.sum()


@pytest.mark.parametrize("selection", ["ucb", Puct(noise=(0.3, 0.5)), "gumbel"])
def test_the_prior_and_the_raw_value_are_the_evaluators(selection: Any) -> None:
    for game in (sixplane.Go(5).replay([25, 3]), sixplane.Reversi(6), sixplane.Gomoku(5).replay([7])):
        logits, values = noisy(game.planes[None])
        expected = softmax(logits[0], game.action_mask == 1)
        search = MCTS(noisy, selection=selection, simulations=30, seed=1)
        for resume in (False, True):
            result = search.search(game, resume=resume)
            assert result.prior.dtype == np.float32
            assert result.prior == pytest.approx(expected, abs=1e-6)
            assert result.raw_value == pytest.approx(values[0], abs=1e-6)
        search.advance(result.best_action)
        game.play(result.best_action)
        result = search.search(game)
        logits, values = noisy(game.planes[None])
        assert result.prior == pytest.approx(softmax(logits[0], game.action_mask == 1), abs=1e-6)
        assert result.raw_value == pytest.approx(values[0], abs=1e-6)


def test_without_an_evaluator_all_legal_actions_are_as_likely_and_there_is_no_raw_value() -> None:
    options: list[dict[str, Any]] = [{}, {"selection": Ucb(prior_visits=10)}, {"selection": Puct(noise=0.3)}]
    for own in options:
        game = sixplane.Go(5).replay([3])
        result = MCTS(simulations=20, seed=1, **own).search(game)
        assert result.prior == pytest.approx(game.action_mask / game.action_mask.sum())
        assert np.isnan(result.raw_value)


WIN = """
    . . . . . .
    . O O O . .
    . X X X X .
    . . . . . .
    O . . . . ."""


def against_the_win(planes: Planes) -> tuple[Floats, Floats]:
    """All but certain that the winning points, B3 and F3, are bad."""
    logits, values = uniform(planes)
    logits[:, [12, 17]] = np.log(1e-9)
    return logits, values


@pytest.mark.parametrize("selection", ["ucb", "puct", Gumbel(noise=0)])
@pytest.mark.parametrize("simulations", [1, 20])
def test_a_winning_action_is_played_however_unlikely_it_is(selection: Any, simulations: int) -> None:
    game = sixplane.Gomoku.from_text(WIN, "black")
    options: dict[str, Any] = {"selection": selection, "simulations": simulations, "seed": 1}
    for evaluator in (against_the_win, None):
        result = MCTS(evaluator, **options).search(game)
        best = result.best_action
        assert best in (12, 17)
        assert result.wins
        assert (result.value, result.q[best], result.policy[best]) == (1, 1, 1)
        assert result.policy.sum() == 1
        assert result.principal_variation == [best]
        assert result.visits.sum() == result.simulations == simulations
        assert {result.sample(temperature, rng=1) for temperature in (0, 1, 100)} == {best}
        batch = sixplane.GameBatch.from_games([game, sixplane.Gomoku((5, 6))])
        found = MCTS(evaluator, **options).search_batch(batch)
        assert found.wins.tolist() == [True, False]
        assert found.best_action[0] in (12, 17)
        assert found.sample(100, rng=1)[0] == found.best_action[0]


def test_a_pass_that_wins_is_played_and_one_that_loses_is_not() -> None:
    winning = sixplane.Go.from_text("X X .\nX . X\nX X X", "black", komi=0.5)
    result = MCTS(simulations=50, seed=1).search(winning)
    assert not result.wins
    winning.play(9)
    winning.set_turn("black")
    winning = winning.replay([])
    for komi, wins in ((0.5, True), (9.5, False)):
        game = sixplane.Go.from_text("X X .\nX . X\nX X X", "white", komi=komi)
        game.play(9)
        result = MCTS(simulations=50, seed=1).search(game)
        assert result.wins == wins
        assert not wins or result.best_action == 9
        assert not wins or result.value == 1


def test_a_win_by_the_largest_margin_is_the_best() -> None:
    game = sixplane.Reversi.from_text("X X X X\nX X X X\nX X X X\nX X O .")
    result = MCTS(simulations=10, reward="margin").search(game)
    assert result.wins
    assert result.value == 26


def test_where_points_count_a_win_at_once_is_not_played_if_there_is_more_to_win() -> None:
    game = sixplane.Go.from_text("XXXXX\nX.X.X\nXXXXX\nXOOOX\nX.O.O", "white", komi=0.5)
    game.play(25)

    options: dict[str, Any] = {"selection": "gumbel", "simulations": 800, "seed": 1}
    result = MCTS(uniform, reward="margin", **options).search(game)
    # The pass ends the game, won by 11.5 points. Black can also take the white stones.
    assert (result.best_action, result.wins, result.q[25]) == (23, False, 21.5)
    assert result.policy[25] < 0.1
    # What is certain is the least that the position is worth, whatever the mean of the visits.
    assert result.value == 21.5
    assert MCTS(uniform, **options).search(game).best_action == 25


@pytest.mark.parametrize("selection", ["ucb", "puct", "gumbel"])
def test_where_points_count_a_win_at_once_is_played_if_there_is_no_more_to_win(selection: Any) -> None:
    game = sixplane.Gomoku(size=9).replay([36, 1, 37, 3, 38, 5, 39, 7])
    for seed in range(5):
        search = MCTS(uniform, selection=selection, reward="margin", simulations=40, seed=seed)
        result = search.search(game)
        assert (result.best_action, result.wins, result.policy[40]) == (40, True, 1.0)
        assert result.value == result.q[40]


def test_actions_are_sampled_by_their_visits() -> None:
    game = sixplane.Go(5)
    result = MCTS(simulations=300, seed=1).search(game)
    rng = np.random.default_rng(1)
    for temperature in (0.5, 1.0, 3.0, np.inf):
        weights = np.where(result.visits > 0, result.visits.astype(float), 0) ** (1 / temperature)
        weights[result.visits == 0] = 0
        expected = weights / weights.sum()
        counts = np.bincount([result.sample(temperature, rng) for _ in range(4000)], minlength=26) / 4000
        assert abs(counts - expected).max() < 0.035
        assert not counts[result.visits == 0].any()
    assert {result.sample(0, rng) for _ in range(50)} == {result.best_action}
    most = np.flatnonzero(result.visits == result.visits.max())
    assert {result.sample(1e-300, rng) for _ in range(50)} <= set(most)
    assert result.sample(1.0, rng=7) == result.sample(1.0, rng=7)
    for bad in (-1.0, np.nan):
        with pytest.raises(ValueError, match="temperature must be 0 or more"):
            result.sample(bad)
    with pytest.raises(ValueError, match="temperature must be one number"):
        result.sample([1.0, 2.0])  # type: ignore[arg-type]


def test_each_game_of_a_batch_is_sampled_at_its_own_temperature() -> None:
    games = [sixplane.Go(5).replay([i % 25, (i + 7) % 25]) for i in range(64)]
    games[5].resign()
    batch = sixplane.GameBatch.from_games(games)
    result = MCTS(simulations=40, seed=1).search_batch(batch)
    temperatures = np.arange(64) % 2 * 1.0
    rng = np.random.default_rng(1)
    sampled = [result.sample(temperatures, rng) for _ in range(40)]
    for actions in sampled:
        assert actions.dtype == np.int64
        assert actions.shape == (64,)
        assert actions[5] == -1
        cold = temperatures == 0
        assert (actions[cold] == result.best_action[cold]).all()
        running = np.arange(64) != 5
        assert (result.visits[running, actions[running]] > 0).all()
    assert len({actions.tobytes() for actions in sampled}) == 40
    assert (result.sample(1.0, 3) == result.sample(np.ones(64), 3)).all()
    with pytest.raises(ValueError, match=r"one number or shape \(64,\), not of shape \(3,\)"):
        result.sample([1, 2, 3])
    batch.play(sampled[0])


def considered_actions(considered: int, game: sixplane.Game) -> list[int]:
    selection = Gumbel(noise=0, considered=considered)
    result = MCTS(noisy, selection=selection, simulations=64, seed=1).search(game)
    return np.flatnonzero(result.visits).tolist()


def test_gumbel_selection_considers_so_many_of_the_likeliest_actions() -> None:
    game = sixplane.Go(size=9)
    likeliest = np.argsort(-noisy(game.planes[None])[0][0])
    for considered in (1, 2, 4, 16, 40):
        assert considered_actions(considered, game) == sorted(likeliest[:considered].tolist())
    assert len(considered_actions(1000, sixplane.Go(3))) == 10


def completed(result: SearchResult, rescale: bool) -> Any:
    """The improved policy as the paper has it, written once more."""
    visited = result.visits > 0
    prior = result.prior.astype(np.float64)
    weight = prior[visited] / prior[visited].sum()
    total = result.visits.sum()
    mixed = (result.raw_value + total * (weight * result.q[visited]).sum()) / (1 + total)
    q = np.where(visited, result.q, mixed)
    if rescale:
        q = (q - q.min()) / max(q.max() - q.min(), 1e-8)
    logits = np.log(prior) + (50 + result.visits.max()) * 0.1 * q
    policy = np.exp(logits - logits.max())
    return policy / policy.sum()


@pytest.mark.parametrize("rescale", [True, False])
def test_values_are_rescaled_before_they_are_weighed_only_if_wanted(rescale: bool) -> None:
    # Reversi has no pass where another action is legal: each action is a move here.
    game = sixplane.Gomoku(5).replay([0, 1])
    options: dict[str, Any] = {"seed": 1, "simulations": 40}
    result = MCTS(noisy, selection=Gumbel(noise=0, rescale=rescale), **options).search(game)
    legal = game.action_mask == 1
    shown = result._replace(
        **{name: getattr(result, name)[legal] for name in ("visits", "q", "prior", "policy")}
    )
    assert shown.policy == pytest.approx(completed(shown, rescale), abs=1e-4)
    other = MCTS(noisy, selection=Gumbel(noise=0, rescale=not rescale), **options).search(game)
    assert other.policy[legal] != pytest.approx(shown.policy, abs=1e-3)


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Gumbel(considered=0), "considered must be from 1"),
        (Gumbel(noise=-1), "noise must be from 0"),
        (Gumbel(rescale=2), "rescale must be True or False"),  # type: ignore[arg-type]
    ],
)
def test_settings_of_gumbel_selection_are_checked(selection: Gumbel, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        MCTS(uniform, selection=selection)
