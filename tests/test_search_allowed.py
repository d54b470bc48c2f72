"""`allowed=`: a search that chooses among some of the actions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from effort import share
from search_evaluators import noisy, uniform
from sixplane.agents import MCTSAgent
from sixplane.search import MCTS, Gumbel, Puct, Ucb

if TYPE_CHECKING:
    from numpy.typing import NDArray


SEARCHES: dict[str, tuple[Any, dict[str, Any]]] = {
    "playouts": (None, {}),
    "rave": (None, {"selection": Ucb(rave=100, prior_visits=10)}),
    "prior visits": (None, {"selection": Ucb(prior_visits=10)}),
    "margin": (None, {"reward": "margin"}),
    "threads": (None, {"threads": 3}),
    "ucb": (noisy, {"leaves": 4}),
    "puct without an evaluator": (None, {"selection": "puct"}),
    "puct": (noisy, {"selection": Puct(noise=(0.3, 0.5)), "cache": 100, "leaves": 3}),
    "symmetry": (noisy, {"selection": "puct", "symmetry": True, "history": 0}),
    "gumbel": (noisy, {"selection": "gumbel", "leaves": 2}),
    "gumbel without an evaluator": (None, {"selection": Gumbel(considered=3)}),
    "a full tree": (None, {"max_nodes": 1}),
}

GAMES = (sixplane.Go(4), sixplane.Go(size=(3, 5), ko="situational"), sixplane.Reversi(6), sixplane.Gomoku(5))


def masks_of(game: sixplane.Game, rng: np.random.Generator) -> list[Any]:
    """Masks in which a few actions are allowed, one legal one at least, and one that allows all."""
    masks = []
    for part in (0.0, 0.2, 0.7):
        mask = rng.random(game.num_actions) < part
        mask[rng.choice(game.legal_actions)] = True
        masks.append(mask)
    return [*masks, np.ones(game.num_actions, np.bool_)]


def check(result: Any, game: sixplane.Game, mask: NDArray[np.bool_], simulations: int) -> None:
    allowed = mask & game.action_mask.astype(np.bool_)
    assert result.visits.sum() >= simulations
    for kept in (result.visits, result.policy, result.prior):
        assert not kept[~allowed].any()
    assert np.isnan(result.q[~allowed]).all()
    assert result.policy.sum() == pytest.approx(1, abs=1e-5)
    assert result.prior.sum() == pytest.approx(1, abs=1e-5)
    assert allowed[result.best_action] and result.principal_variation[0] == result.best_action
    for temperature in (0.0, 1.0):
        assert allowed[result.sample(temperature, rng=1)]


@pytest.mark.parametrize("name", SEARCHES)
def test_an_action_that_is_not_allowed_is_never_chosen_nor_visited(name: str) -> None:
    evaluator, options = SEARCHES[name]
    rng = np.random.default_rng(7)
    for start in GAMES:
        game, search = start.copy(), MCTS(evaluator, seed=3, **options)
        while not game.is_over and game.move_number < share(12):
            mask = np.ones(game.num_actions, np.bool_)
            for mask in masks_of(game, rng):
                for resume in (False, True, True):
                    check(search.search(game, simulations=20, allowed=mask, resume=resume), game, mask, 20)
            # The tree below the action stays, and what was allowed at its root holds no longer.
            action = int(rng.choice(game.legal_actions))
            search.advance(action)
            game.play(action)
            if len(game.legal_actions) and rng.random() < 0.5:
                (mask, *_) = masks_of(game, rng)
                check(search.search(game, simulations=5, allowed=mask), game, mask, 5)
                check(search.search(game, simulations=5, resume=True), game, np.ones_like(mask), 5)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_batch_searches_as_each_game_alone(name: str) -> None:
    evaluator, options = SEARCHES[name]
    rng = np.random.default_rng(8)
    games = [sixplane.Go(4).replay([int(a) for a in rng.permutation(16)[:n]]) for n in range(5)]
    over = sixplane.Go(4).replay([16, 16])
    batch = sixplane.GameBatch.from_games([*games, over])
    masks = np.array([masks_of(game, rng)[i % 3] for i, game in enumerate(games)] + [np.zeros(17, np.bool_)])
    # Where nothing is searched, nothing need be allowed.
    masks[1] = False
    where = np.array([True, False, True, True, True, True])
    result = MCTS(evaluator, seed=5, **options).search_batch(
        batch, simulations=25, where=where, allowed=masks
    )
    assert result.best_action.tolist()[1] == result.best_action.tolist()[5] == -1
    for i in (0, 2, 3, 4):
        alone = MCTS(evaluator, seed=5, **{**options, "threads": 1})
        one = alone.search(games[i], simulations=25, allowed=masks[i], stream=i)
        check(one, games[i], masks[i], 25)
        assert result.visits[i].tolist() == one.visits.tolist()
        assert result.best_action[i] == one.best_action
        assert result.policy[i].tolist() == one.policy.tolist()


@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "threads"])
def test_to_allow_every_legal_action_changes_nothing(name: str) -> None:
    evaluator, options = SEARCHES[name]
    game = sixplane.Go(4).replay([5, 6])
    legal = game.action_mask.astype(np.bool_)
    for mask in (legal, np.ones(17, np.bool_)):
        plain, masked = (MCTS(evaluator, seed=2, **options) for _ in range(2))
        for resume in (False, True):
            first = plain.search(game, simulations=30, resume=resume)
            second = masked.search(game, simulations=30, resume=resume, allowed=mask)
            assert first.visits.tolist() == second.visits.tolist()
            assert first.prior.tolist() == second.prior.tolist()


def test_priors_are_those_of_the_allowed_actions() -> None:
    game = sixplane.Go(4)
    mask = np.zeros(17, np.bool_)
    mask[[1, 6, 16]] = True
    logits = noisy(game.planes[None])[0][0]
    weights = np.where(mask, np.exp(logits.astype(np.float64)), 0)
    result = MCTS(noisy, selection="puct", simulations=10, seed=1).search(game, allowed=mask)
    assert result.prior == pytest.approx(weights / weights.sum(), abs=1e-6)


def test_a_tree_goes_on_only_with_the_same_actions() -> None:
    game, search = sixplane.Go(4), MCTS(simulations=100, seed=1)
    first, second = np.zeros((2, 17), np.bool_)
    first[[3, 4]] = second[[4, 5]] = True
    sums = [
        int(search.search(game, allowed=mask, resume=True).visits.sum())
        for mask in (first, first, second, None, None, first)
    ]
    assert sums == [100, 200, 100, 100, 200, 100]


def test_even_a_win_is_left_out_where_it_is_not_allowed() -> None:
    game = sixplane.Gomoku.from_text("X X X X . .\nO O O . . .\n. . . . . .\n. . . . . .\n. . . . . .")
    mask = np.ones(game.num_actions, np.bool_)
    assert MCTS(simulations=50, seed=1).search(game, allowed=mask).best_action == 4
    mask[4] = False
    result = MCTS(simulations=50, seed=1).search(game, allowed=mask)
    assert result.best_action != 4 and not result.wins


@pytest.mark.parametrize(
    ("mask", "error", "words"),
    [
        (np.ones(16, np.bool_), ValueError, r"allowed must be of shape \(17,\), not \(16,\)"),
        (np.ones((1, 17), np.bool_), ValueError, r"allowed must be of shape \(17,\), not \(1, 17\)"),
        (np.array(True), ValueError, r"allowed must be of shape \(17,\), not \(\)"),
        (np.ones(17, np.int8), TypeError, "allowed must be a boolean array, not int8"),
        ([1, 2], TypeError, "allowed must be a boolean array, not int64"),
        ("all", TypeError, "allowed must be a boolean array, not <U3"),
        (np.zeros(17, np.bool_), ValueError, "none of the allowed actions is legal"),
        (np.arange(17) == 5, ValueError, "none of the allowed actions is legal"),
    ],
)
def test_a_wrong_mask_is_refused_and_nothing_is_lost(mask: Any, error: type[Exception], words: str) -> None:
    game, search = sixplane.Go(4).replay([5]), MCTS(simulations=20, seed=1)
    search.search(game)
    for _ in range(2):
        with pytest.raises(error, match=f"^{words}$"):
            search.search(game, allowed=mask)
    assert search.search(game, resume=True).visits.sum() == 40


def test_a_wrong_mask_of_a_batch_is_refused() -> None:
    batch, search = sixplane.GameBatch(sixplane.Go(4), 2), MCTS(simulations=20, seed=1)
    for mask, words in [
        (np.ones(17, np.bool_), r"allowed must be of shape \(2, 17\), not \(17,\)"),
        (np.arange(34).reshape(2, 17) < 17, r"none of the allowed actions is legal \(game 1\)"),
    ]:
        with pytest.raises(ValueError, match=f"^{words}$"):
            search.search_batch(batch, allowed=mask)
    assert search.search_batch(batch).visits.sum() == 40
    # A view with gaps, and lists.
    assert search.search_batch(batch, allowed=np.ones((2, 34), np.bool_)[:, ::2]).visits.sum() == 40
    assert search.search_batch(batch, allowed=[[True] * 17] * 2).visits.sum() == 40


@pytest.mark.parametrize("is_batch", [False, True])
def test_a_search_that_is_refused_changes_nothing_of_those_to_come(is_batch: bool) -> None:
    def run(search: MCTS, game: sixplane.Game, allowed: Any = None) -> Any:
        if is_batch:
            batch = sixplane.GameBatch.from_games([game])
            return (
                search.search_batch(batch, allowed=None if allowed is None else allowed[None])
                .visits[0]
                .tolist()
            )
        return search.search(game, allowed=allowed).visits.tolist()

    game, other = sixplane.Reversi(6), sixplane.Hex(4)
    refused, plain = (MCTS(simulations=50, seed=1) for _ in range(2))
    for move in range(3):
        for wrong in (game, other):
            with pytest.raises(ValueError, match="none of the allowed actions is legal"):
                run(refused, wrong, np.zeros(wrong.num_actions, np.bool_))
        # The random numbers are the next ones, and the tree is where it was advanced to.
        visits = run(refused, game)
        assert visits == run(plain, game)
        assert (sum(visits) > 50) == (move > 0)
        action = int(np.argmax(visits))
        for search in (refused, plain):
            search.advance([action] if is_batch else action)
        game.play(action)


def test_an_agent_keeps_to_the_mask_in_every_result() -> None:
    for options in ({}, {"selection": "gumbel"}, {"evaluator": uniform, "leaves": 2}):
        agent: Any = MCTSAgent(simulations=40, seed=1, **options)
        game = sixplane.Go(4)
        for round_ in range(4):
            mask = np.zeros(17, np.bool_)
            mask[game.legal_actions[round_ : round_ + 2]] = True
            for result in agent.consider(game, 0.001, allowed=mask):
                check(result, game, mask, 0)  # so short a part may end before its first simulation
            check(agent.result, game, mask, 1)
            assert mask[agent.decide(game)]
            assert mask[agent.variation(agent.decide(game))[0]]
            assert len(agent.variation_visits(result.best_action)) == len(result.principal_variation)
            game.play(agent.decide(game))
            free = agent.select_action(game)
            assert agent.result.visits.astype(bool).sum() > 2
            game.play(free)
