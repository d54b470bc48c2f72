"""Actions that an evaluator leaves out by a logit of -inf, or by one so low that no probability is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from sixplane.search import MCTS, Gumbel, Puct, Ucb

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Planes = NDArray[np.uint8]

GAME = sixplane.Gomoku(size=7)
KEPT = [10, 11, 12]
SELECTIONS = [Ucb(), Puct(), Puct(noise=0.5), Puct(first_play=0.2), Gumbel(), Gumbel(considered=2)]


def keeping(kept: list[int], logit: float, value: float = 0.0) -> Any:
    """An evaluator that gives all actions but those this logit where the board is empty."""

    def evaluate(planes: Planes) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        logits = np.zeros((len(planes), planes.shape[2] * planes.shape[3] + 1), np.float32)
        empty = ~planes[:, :2].any(axis=(1, 2, 3))
        others = np.setdiff1d(np.arange(logits.shape[1]), kept)
        logits[np.ix_(empty, others)] = logit
        # What the moves are worth to the player who makes them is the opposite.
        return logits, np.where(empty, 0.0, -value).astype(np.float32)

    return evaluate


@pytest.mark.parametrize("logit", [-np.inf, -1e9, -200.0])
@pytest.mark.parametrize("value", [-0.9, 0.0, 0.9])
@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_they_are_not_searched(selection: Any, value: float, logit: float) -> None:
    for simulations in (1, 2, 8, 16, 100):
        for leaves in (1, 8):
            search = MCTS(
                keeping(KEPT, logit, value),
                selection=selection,
                simulations=simulations,
                leaves=leaves,
                seed=1,
            )
            result = search.search(GAME)
            assert set(np.flatnonzero(result.visits)) <= set(KEPT)
            assert result.visits.sum() == simulations
            assert result.best_action in KEPT
            assert set(np.flatnonzero(result.policy)) <= set(KEPT)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
@pytest.mark.parametrize("exact", [False, True])
def test_they_are_played_when_all_others_are_lost(selection: Any, exact: bool) -> None:
    # White, to play, must block at 2; the evaluator knows nothing of that.
    game = sixplane.TicTacToe.from_text("X X .\nO O X\n. . .", "white")

    def evaluate(planes: Planes) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        is_root = planes[:, :2].sum(axis=(1, 2, 3)) == 5
        logits = np.zeros((len(planes), 10), np.float32)
        logits[is_root, 2] = -np.inf
        return logits, np.zeros(len(planes), np.float32)

    search = MCTS(evaluate, selection=selection, simulations=200, exact=exact, seed=1)
    result = search.search(game)
    assert (result.best_action == 2) == exact
    assert exact or result.visits[2] == 0


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_where_none_is_left_of_those_allowed_the_error_says_so(selection: Any) -> None:
    allowed = np.zeros(50, bool)
    allowed[:5] = True
    search = MCTS(keeping(KEPT, -np.inf), selection=selection, simulations=8, seed=1)
    with pytest.raises(ValueError, match="the logits of all actions that may be played are -inf"):
        search.search(GAME, allowed=allowed)


def test_an_error_names_the_row_that_the_evaluator_was_given() -> None:
    def evaluate(planes: Planes) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        is_odd = planes[:, :2].sum(axis=(1, 2, 3)) == 5
        return np.zeros((len(planes), 50), np.float32), np.where(is_odd, np.nan, 0.0)

    search = MCTS(evaluate, selection="puct", simulations=1, cache=100, seed=1)
    search.search(GAME)
    batch = sixplane.GameBatch(GAME, 4)
    batch.reset([False, False, False, True], game=GAME.replay(range(5)))
    with pytest.raises(ValueError, match="in position 0 the value is NaN"):
        search.search_batch(batch)
