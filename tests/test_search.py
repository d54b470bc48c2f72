"""`sixplane.search`: what it finds, and what it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
import sixplane.planes
from search_evaluators import noisy, uniform
from sixplane.search import MCTS, Gumbel, Puct, Ucb

if TYPE_CHECKING:
    from sixplane.search import Evaluator


def test_a_search_returns_what_it_says() -> None:
    game = sixplane.Go(size=5)
    before = game.copy()
    result = MCTS(simulations=500, seed=1).search(game)
    assert game == before
    assert result.visits.dtype == np.int64 and result.visits.shape == (26,) and result.visits.sum() == 500
    assert result.q.shape == result.policy.shape == (26,)
    assert np.isnan(result.q).tolist() == (result.visits == 0).tolist()
    assert result.policy == pytest.approx(result.visits / 500)
    assert result.best_action == result.visits.argmax() == result.principal_variation[0]
    assert -1 <= result.value <= 1 and result.simulations == 500 and result.seconds > 0 and result.nodes > 26
    game.replay(result.principal_variation)


@pytest.mark.parametrize("game", [sixplane.Go(size=5), sixplane.Reversi(size=6), sixplane.Gomoku(size=6)])
@pytest.mark.parametrize("selection", ["ucb", "puct", "gumbel"])
def test_every_selection_searches_every_game(game: sixplane.Go, selection: Any) -> None:
    for evaluator in (None, noisy):
        search = MCTS(evaluator, selection=selection, simulations=60, seed=1)
        result = search.search(game)
        assert result.visits.sum() == 60
        assert result.policy.sum() == pytest.approx(1)
        assert not result.policy[game.action_mask == 0].any()
        assert game.action_mask[result.best_action] == 1


def test_the_same_seed_repeats_and_calls_draw_anew() -> None:
    game = sixplane.Go(size=5)
    one, other = MCTS(simulations=300, seed=5), MCTS(simulations=300, seed=5)
    first = one.search(game).visits
    assert (other.search(game).visits == first).all()
    second = one.search(game).visits
    assert (second != first).any()
    assert (other.search(game).visits == second).all()


def test_advance_keeps_what_is_below_an_action() -> None:
    game = sixplane.Go(size=5)
    both: list[dict[str, Any]] = [{}, {"evaluator": noisy, "selection": "puct"}]
    for options in both:
        search = MCTS(simulations=400, seed=1, **options)
        first = search.search(game)
        search.advance(first.best_action)
        after = game.copy()
        after.play(first.best_action)
        kept = first.visits[first.best_action] - 1
        second = search.search(after)
        assert second.visits.sum() == kept + 400 and second.simulations == 400
        # Not advanced since: the tree starts anew.
        assert search.search(after).visits.sum() == 400
        search.advance(second.best_action)
        assert search.search(game).visits.sum() == 400


def test_a_variation_follows_the_most_visited_actions() -> None:
    game = sixplane.Go(size=4, komi=0.5)
    evaluators: list[dict[str, Any]] = [{}, {"evaluator": noisy, "selection": "puct"}]
    for options in evaluators:
        search = MCTS(simulations=600, seed=1, **options)
        with pytest.raises(ValueError, match="a search of one game comes first"):
            search.variation(0)
        result = search.search(game)
        assert search.variation(result.best_action) == result.principal_variation
        for action in range(game.num_actions):
            line = search.variation(action)
            assert line[:1] == ([action] if result.visits[action] else [])
            assert not line or game.replay(line).move_number == len(line)
        with pytest.raises(ValueError, match="off the board"):
            search.variation(99)
        search.search_batch(sixplane.GameBatch(game, 2), simulations=10)
        with pytest.raises(ValueError, match="a search of one game comes first"):
            search.variation(0)


def test_a_search_goes_on_where_it_has_stopped() -> None:
    game = sixplane.Go(5)
    by_noise = {"selection": "puct", "leaves": 4}
    for search in (MCTS(seed=1), MCTS(noisy, seed=1, **by_noise)):  # type: ignore[arg-type]
        first = search.search(game, simulations=60)
        second = search.search(game, simulations=40, resume=True)
        assert (first.simulations, second.simulations, second.visits.sum()) == (60, 40, 100)
        assert (second.visits >= first.visits).all()
        assert second.nodes > first.nodes
        # Of another game, or if nobody asks for it, nothing is kept.
        assert search.search(sixplane.Go(5, komi=0.5), simulations=10, resume=True).visits.sum() == 10
        assert search.search(game, simulations=10).visits.sum() == 10
    # What is resumed does what one search does: without playouts nothing is random.
    whole = MCTS(noisy, selection="puct", simulations=100).search(game)
    parts = MCTS(noisy, selection="puct", simulations=30)
    for _ in range(3):
        parts.search(game, resume=True)
    last = parts.search(game, simulations=10, resume=True)
    assert last.visits.tolist() == whole.visits.tolist()
    assert last.principal_variation == whole.principal_variation


def test_limits_of_one_search_go_before_those_of_the_object() -> None:
    game, search = sixplane.Go(5), MCTS(simulations=30, seed=1)
    assert search.search(game, simulations=7).simulations == 7
    assert search.search(game).simulations == 30
    timed = search.search(game, seconds=0.05)
    assert timed.simulations != 30
    assert timed.seconds >= 0.05
    with pytest.raises(ValueError, match="seconds must be from"):
        search.search(game, seconds=-1)
    with pytest.raises(
        TypeError, match='unexpected option "time": allowed are simulations, seconds, allowed'
    ):
        search.search(game, time=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="resume must be True or False"):
        search.search(game, resume="yes")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plans its simulations"):
        MCTS(uniform, selection="gumbel").search(game, seconds=1)


def test_advance_refuses_what_may_not_be_played() -> None:
    search = MCTS(simulations=10, seed=1)
    with pytest.raises(ValueError, match="a search comes first"):
        search.advance(0)
    game = sixplane.Go(size=5).replay([7])
    search.search(game)
    with pytest.raises(sixplane.IllegalActionError) as caught:
        search.advance(7)
    assert caught.value.reason == "occupied"
    with pytest.raises(TypeError):
        search.advance(1.0)
    search.advance(8)


def test_threads_share_a_tree() -> None:
    result = MCTS(simulations=5000, threads=4, seed=1).search(sixplane.Go(size=7))
    assert result.visits.sum() == result.simulations == 5000


def test_seconds_end_a_search() -> None:
    both: list[dict[str, Any]] = [{}, {"evaluator": uniform, "selection": "puct"}]
    for options in both:
        result = MCTS(seconds=0.05, threads=2, **options).search(sixplane.Go(size=9))
        assert result.simulations == result.visits.sum() > 0
        assert result.seconds >= 0.05


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"selection": "alpha"}, ValueError, '"ucb", "puct", "gumbel"'),
        ({"selection": 3}, TypeError, "selection"),
        ({"simulations": 0}, ValueError, "simulations must be from 1"),
        ({"simulations": 2.5}, TypeError, "simulations must be an integer"),
        ({"seconds": 0}, ValueError, "seconds"),
        ({"seconds": float("nan")}, ValueError, "seconds"),
        ({"max_nodes": 0}, ValueError, "max_nodes"),
        ({"selection": Ucb(c=-1)}, ValueError, "c must be from 0"),
        ({"selection": Ucb(c="big")}, TypeError, "c must be a number"),  # type: ignore[arg-type]
        ({"c": 1.0}, TypeError, 'unexpected option "c"'),
        ({"selection": Puct(noise=0)}, ValueError, "noise"),
        ({"selection": Puct(noise=(0.3, 2))}, ValueError, "share of the noise"),
        ({"selection": "gumbel", "seconds": 1}, ValueError, "number is needed"),
        ({"leaves": 2}, ValueError, "leaves is for evaluators"),
        ({"symmetry": True}, ValueError, "symmetry is for evaluators"),
        ({"history": 1}, ValueError, "history is for evaluators"),
        ({"cache": 10}, ValueError, "cache is for evaluators"),
        ({"selection": (1.0, None, 0.0)}, TypeError, "selection"),
        ({"selection": Gumbel}, TypeError, "selection"),
        ({"evaluator": uniform, "selection": Ucb(rave=300)}, ValueError, "rave goes with playouts"),
        ({"selection": Ucb(prior_visits=-1)}, ValueError, "prior_visits must be from 0"),
        ({"selection": Ucb(prior_visits=float("nan"))}, ValueError, "prior_visits must be from 0"),
        ({"selection": Ucb(prior_visits=float("inf"))}, ValueError, "prior_visits must be from 0"),
        ({"selection": Ucb(prior_visits="many")}, TypeError, "prior_visits must be a number"),  # type: ignore[arg-type]
        ({"evaluator": uniform, "selection": Ucb(prior_visits=20)}, ValueError, "prior_visits goes with"),
        ({"selection": Puct(first_play=-0.1)}, ValueError, "first_play must be from 0"),
        ({"selection": Puct(first_play=float("nan"))}, ValueError, "first_play must be from 0"),
        ({"threads": 0}, ValueError, "threads"),
        ({"seed": -1}, ValueError, "seed"),
        ({"reward": "score"}, ValueError, '"outcome", "margin"'),
        ({"evaluator": 3}, TypeError, "callable, not int"),
        ({"simulation": 3}, TypeError, "unexpected option"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        MCTS(**options)


@pytest.mark.parametrize(("name", "value"), [("ucb", Ucb()), ("puct", Puct()), ("gumbel", Gumbel())])
@pytest.mark.parametrize("evaluator", [None, noisy])
def test_a_selection_by_its_name_is_the_one_with_the_defaults(
    name: Any, value: Any, evaluator: Evaluator | None
) -> None:
    games = sixplane.Go(5).replay([7]), sixplane.Gomoku(5)
    for game in games:
        found, expected = (
            MCTS(evaluator, selection=selection, simulations=60, seed=1).search(game)
            for selection in (name, value)
        )
        assert found.visits.tolist() == expected.visits.tolist()
        assert found.policy.tolist() == expected.policy.tolist()


@pytest.mark.parametrize(
    ("make", "setting"),
    [
        (Ucb, "noise"),
        (Ucb, "first_play"),
        (Puct, "rave"),
        (Puct, "rescale"),
        (Gumbel, "rave"),
        (Gumbel, "first_play"),
    ],
)
def test_settings_of_another_selection_cannot_be_written(make: Any, setting: str) -> None:
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{setting}'"):
        make(**{setting: 1})


def test_what_cannot_be_searched_is_refused() -> None:
    search = MCTS(simulations=10)
    with pytest.raises(TypeError, match="a game, not list"):
        search.search([1])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        search.search_batch(sixplane.Go())  # type: ignore[arg-type]
    game = sixplane.Go()
    game.resign()
    with pytest.raises(ValueError, match="the game is over"):
        search.search(game)


def test_one_object_searches_any_game_of_any_size() -> None:
    search = MCTS(noisy, selection="puct", simulations=20, cache=50)
    for game in (
        sixplane.Go(size=5),
        sixplane.Gomoku(size=6),
        sixplane.Go(size=(4, 6)),
        sixplane.Go(size=(6, 4)),
    ):
        assert search.search(game).visits.sum() == 20
    assert search.search_batch(sixplane.GameBatch(sixplane.Reversi(), 2)).visits.sum() == 40


def test_margins_are_what_ends_are_worth() -> None:
    game = sixplane.Reversi.from_text("X X X X\nX X X X\nX X X X\nX X O .")
    assert MCTS(simulations=10, reward="margin").search(game).value == 26


def test_gumbel_noise_of_no_scale_searches_the_likeliest_actions() -> None:
    game = sixplane.Go(size=9)
    result = MCTS(noisy, selection=Gumbel(noise=0), simulations=16).search(game)
    logits = noisy(game.planes[None])[0][0]
    likeliest = np.argsort(-logits)[:16]
    assert sorted(np.flatnonzero(result.visits)) == sorted(likeliest)
