"""Monte-Carlo tree search: with rollouts, or with any Python function that evaluates planes.

Example:
    >>> import sixplane
    >>> from sixplane.search import MCTS
    >>> game = sixplane.Gomoku.from_text('''
    ...     . . . . . .
    ...     . O O O O .
    ...     . X X X X .
    ...     . . . . . .
    ...     . . . . . .''')
    >>> result = MCTS(simulations=500, seed=1).search(game)
    >>> game.play(result.best_action)
    >>> game.outcome
    'black'
    >>> int(result.visits.sum())
    500
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sixplane._core import MCTS

__all__ = ["MCTS", "BatchSearchResult", "Evaluator", "SearchResult"]

Evaluator: TypeAlias = Callable[[npt.NDArray[np.uint8]], tuple[npt.ArrayLike, npt.ArrayLike]]
"""Planes `(L, 6, rows, cols)` to logits `(L, A)` and values `(L,)`.

Planes are fresh and in absolute colours; with `history=k` they are `history_planes(k)` of each position,
`(L, 2k + 1, rows, cols)`. A value is from -1 to 1, for the player to play. Logits of illegal actions do
not matter. Arrays of any real type, and what NumPy can make one, will do.
"""


class SearchResult(NamedTuple):
    """What a search found of a position with A actions."""

    visits: npt.NDArray[np.int64]
    """`(A,)`: how often each action was followed. They sum to `simulations` and, after `advance`, the
    visits that were kept."""
    q: npt.NDArray[np.float32]
    """`(A,)`: the mean worth of each action to the player to play; NaN where unvisited."""
    policy: npt.NDArray[np.float32]
    """`(A,)`: the share of each action in the visits; with `selection="gumbel"` the improved policy."""
    value: float
    """The mean worth of the position to the player to play."""
    best_action: int
    """The most visited action; with `selection="gumbel"` the winner of sequential halving."""
    principal_variation: list[int]
    """The best action and the most visited ones after it."""
    simulations: int
    """Simulations of this search."""
    seconds: float
    """How long it took."""
    nodes: int
    """Nodes of the tree: the root, and every action considered anywhere."""


class BatchSearchResult(NamedTuple):
    """What a search found of B games with A actions each; see `SearchResult`.

    Of a game that is over, visits and policy are 0, values NaN, the best action is -1.
    """

    visits: npt.NDArray[np.int64]
    """`(B, A)`."""
    q: npt.NDArray[np.float32]
    """`(B, A)`."""
    policy: npt.NDArray[np.float32]
    """`(B, A)`."""
    value: npt.NDArray[np.float32]
    """`(B,)`."""
    best_action: npt.NDArray[np.int64]
    """`(B,)`: as `GameBatch.play` takes them."""
    principal_variation: list[list[int]]
    """One for each game."""
    simulations: npt.NDArray[np.int64]
    """`(B,)`."""
    seconds: npt.NDArray[np.float64]
    """`(B,)`: that of the whole batch with an evaluator, of each game without."""
    nodes: npt.NDArray[np.int64]
    """`(B,)`."""
