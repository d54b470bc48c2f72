"""Monte-Carlo tree search: with playouts, or with any Python function that evaluates planes.

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
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sixplane._core import MCTS

if TYPE_CHECKING:
    from sixplane._core import Game

__all__ = ["MCTS", "BatchSearchResult", "Evaluator", "Gumbel", "Puct", "SearchResult", "Selection", "Ucb"]

# `Any`, because an evaluator may know only one of the types that planes can have.
Evaluator: TypeAlias = Callable[[npt.NDArray[Any]], tuple[npt.ArrayLike, npt.ArrayLike]]
"""A function from planes `(L, 6, rows, cols)` to logits `(L, A)` and values `(L,)`.

Planes are fresh, `uint8` and in absolute colors, unless the options of `MCTS` say otherwise: with
`view="player"` the first two are the stones of the player to play and of the other; `dtype="float32"` changes
their type; with `pad_to=n` there is a multiple of `n` rows, the last ones of zeros; with `history=k` they are
`history_planes(k)` of each position, `(L, 2k + 1, rows, cols)`. A value is from -1 to 1, for the player to
play; with `reward="margin"` it is the margin that it expects, any finite number. Logits of illegal actions
and the rows of the padding are not read; `-inf` leaves an action out. Arrays of any real type will do, and
anything that NumPy can make one.
"""

#: The entry of `proven` and `proofs` where nothing is certain.
OPEN: Final = 2

#: How many actions of a result a notebook lists.
MOST_ACTIONS: Final = 8

# As text: NumPy loads its generators when they are first named, and that takes longer than sixplane itself.
Rng: TypeAlias = "np.random.Generator | int | None"
"""A generator, a seed, or None for a seed of the system."""


class Ucb(NamedTuple):
    """Selection by UCB1: the largest `mean + c * sqrt(2 ln N / n)`, every action once before any twice.

    Example:
        >>> import sixplane
        >>> search = MCTS(selection=Ucb(c=0.1, rave=1000, prior_visits=50), simulations=100, seed=1)
        >>> search.search(sixplane.Go(size=5)).simulations
        100
    """

    c: float = 1.0
    """The weight of exploration."""
    rave: float | None = None
    """The number of visits of a position at which playouts that have an action anywhere (RAVE) count half.
    None: they do not count. It goes with playouts only."""
    prior_visits: float = 0.0
    """The number of visits that the game's heuristic value of an action counts as (equivalent experience).
    The value is from -1 to 1 times that of a win; in Gomoku it is 0 for every action. With `rave`, it counts
    half at `rave` visits of the action. It goes with playouts only."""


class Puct(NamedTuple):
    """Selection by PUCT, as AlphaZero has it: the mean, and a bonus in proportion to the prior.

    Example:
        >>> import sixplane
        >>> search = MCTS(selection=Puct(noise=(0.3, 0.25)), simulations=100, seed=1)
        >>> search.search(sixplane.Go(size=5)).simulations
        100
    """

    c: float = 1.25
    """The weight of exploration (`c_init`)."""
    noise: float | tuple[float, float] | None = None
    """The parameter of Dirichlet noise on the root's priors, or `(parameter, share)`; its share is 0.25 by
    default. The noise is sampled once for each root. None: there is none."""
    first_play: float | None = None
    """How much less than the mean of the visited actions an unvisited one counts (first-play urgency).
    None: it counts as 0, an even game."""


class Gumbel(NamedTuple):
    """Selection as Gumbel AlphaZero has it: sequential halving at the root, and completed Q-values.

    Example:
        >>> import sixplane
        >>> search = MCTS(selection=Gumbel(noise=0, considered=4), simulations=100, seed=1)
        >>> int((search.search(sixplane.Go(size=5)).visits > 0).sum())
        4
    """

    c: float = 0.1
    """The weight of values beside logits (`value_scale`)."""
    noise: float = 1.0
    """The scale of the Gumbel noise: 1 for self-play, 0 for matches."""
    considered: int = 16
    """The most actions of the root that are considered, 1 to 1000."""
    rescale: bool = True
    """Whether the values of a position's actions are scaled to the range 0 to 1 before they are added to
    logits (`rescale_values` of mctx)."""


Selection: TypeAlias = Ucb | Puct | Gumbel | Literal["ucb", "puct", "gumbel"]
"""How a search selects: one of these values, or the name of one for its defaults."""


class SearchResult(NamedTuple):
    """The result of a search of a position with A actions.

    Example:
        >>> import sixplane
        >>> result = MCTS(simulations=200, seed=1).search(sixplane.Reversi(size=4))
        >>> result.visits.shape, int(result.visits.sum()), result.simulations
        ((17,), 200, 200)
        >>> result.best_action == result.principal_variation[0] == int(result.visits.argmax())
        True
        >>> # White wins Reversi on so small a board, whatever Black plays first.
        >>> result = MCTS(simulations=50, exact=True, seed=1).search(sixplane.Reversi(size=4))
        >>> result.proven, result.proofs.shape, sorted(set(result.proofs.tolist()))
        (-1, (17,), [-1, 2])
    """

    visits: npt.NDArray[np.int64]
    """The visits of each action, `(A,)`. They sum to `simulations` and, after `advance`, the visits that were
    kept."""
    q: npt.NDArray[np.float32]
    """The mean value of each action for the player to play, `(A,)`, or its exact value where that is known;
    NaN for other actions without visits."""
    policy: npt.NDArray[np.float32]
    """The share of each action in the visits, `(A,)`; with `selection="gumbel"` the improved policy. All of
    it is the best action's if that wins or keeps a proven draw; an action that loses for certain has none
    while another is open."""
    value: float
    """The value of the position for the player to play: the exact one if it is known, else the mean of the
    visits."""
    best_action: int
    """An action that wins for certain, if one is known. Else the most visited action; with
    `selection="gumbel"` the winner of sequential halving."""
    principal_variation: list[int]
    """The best action and the most visited ones after it."""
    simulations: int
    """The number of simulations of this search."""
    seconds: float
    """The time that the search took."""
    nodes: int
    """The number of nodes of the tree: the root, and every action of an expanded position."""
    prior: npt.NDArray[np.float32]
    """The probabilities of the evaluator, `(A,)`: the softmax of its logits over the legal actions, without
    noise; equal for all legal actions without an evaluator."""
    raw_value: float
    """The evaluator's value of the position itself, for the player to play; NaN without an evaluator."""
    wins: bool
    """Whether the best action wins for certain: at once, or with `exact=True` at any depth."""
    proven: int | None
    """What is certain of the position with best play of both: +1 if the player to play wins, 0 for a draw,
    -1 for a loss. None if nothing is, and without `exact=True`."""
    proofs: npt.NDArray[np.int8]
    """What is certain of each action, `(A,)`, for the player to play; 2 where nothing is."""
    game: Game | None = None
    """A copy of the game that was searched."""

    def _repr_html_(self) -> str:
        from sixplane.games import info_of
        from sixplane.render.game import game_title
        from sixplane.render.html import WIDTH, card, table

        game = self.game
        name: Callable[[int], str] = str if game is None else partial(info_of(game).name_of, game)
        best = name(self.best_action)
        how = {1: ", wins for certain", 0: ", a draw for certain", -1: ", lost for certain"}
        proven = 1 if self.wins else self.proven
        facts = [
            ("best action", best if proven is None else best + how[proven]),
            ("value", f"{self.value:+.2f} for the player to play"),
            ("expected line", " ".join(name(action) for action in self.principal_variation)),
            ("simulations", f"{self.simulations:,} in {self.seconds:.2f} s, {self.nodes:,} nodes"),
        ]
        total = max(int(self.visits.sum()), 1)
        rows = [
            (
                name(action),
                f"{self.visits[action]:,}",
                f"{self.visits[action] / total:.1%}",
                "" if np.isnan(self.q[action]) else f"{self.q[action]:+.2f}",
                f"{self.prior[action]:.1%}",
            )
            for action in np.argsort(-self.visits, kind="stable")[:MOST_ACTIONS].tolist()
            if self.visits[action]
        ]
        title, svg = "Search", None
        if game is not None:
            title = f"Search of {game_title(game)}"
            svg = game.to_svg(width=WIDTH, heat=self.visits, heat_text=True, title=title)
        return card(title, svg, table(facts), table(rows, ("action", "visits", "share", "value", "prior")))

    def sample(self, temperature: float = 1.0, rng: Rng = None) -> int:
        """Samples an action, with a chance in proportion to its visits to the power of `1 / temperature`.

        An action that wins or keeps a proven draw is always played, and with temperature 0 the best action.
        One that loses for certain is played only where all do.

        Args:
            temperature: 0 or more; infinity makes all visited actions equal.
            rng: a generator, a seed, or None for a seed of the system.

        Raises:
            ValueError: the temperature is negative or NaN.

        Example:
            >>> import sixplane
            >>> result = MCTS(simulations=100, seed=1).search(sixplane.Gomoku(size=5))
            >>> result.sample(temperature=0) == result.best_action
            True
            >>> bool(result.visits[result.sample(temperature=1.0, rng=7)] > 0)
            True
        """
        proven = np.array([OPEN if self.proven is None else self.proven])
        visits = _playable(self.visits[None], proven, self.proofs[None])
        best, is_certain = np.array([self.best_action]), (proven == 0) | self.wins
        return int(_sample(visits, best, is_certain, temperature, rng)[0])


class BatchSearchResult(NamedTuple):
    """The results of a search of B games with A actions each, with the fields of `SearchResult`.

    For a game that is over or was left out, visits, policy and prior are 0, q and values are NaN, and the
    best action is -1.

    Example:
        >>> import sixplane
        >>> batch = sixplane.GameBatch(sixplane.Reversi(size=4), 3)
        >>> result = MCTS(simulations=50, seed=1).search_batch(batch)
        >>> result.visits.shape, result.value.shape
        ((3, 17), (3,))
        >>> batch.play(result.best_action)
    """

    visits: npt.NDArray[np.int64]
    """The visits of each action, `(B, A)`."""
    q: npt.NDArray[np.float32]
    """The mean or exact value of each action, `(B, A)`."""
    policy: npt.NDArray[np.float32]
    """The policy of each search, `(B, A)`."""
    value: npt.NDArray[np.float32]
    """The value of each position for its player to play, `(B,)`."""
    best_action: npt.NDArray[np.int64]
    """The best actions, `(B,)`, as `GameBatch.play` takes them."""
    principal_variation: list[list[int]]
    """The principal variation of each game."""
    simulations: npt.NDArray[np.int64]
    """The number of simulations of each game, `(B,)`."""
    seconds: npt.NDArray[np.float64]
    """The time, `(B,)`: with an evaluator that of the whole batch, without one that of each game."""
    nodes: npt.NDArray[np.int64]
    """The number of nodes of each tree, `(B,)`."""
    prior: npt.NDArray[np.float32]
    """The probabilities of the evaluator, `(B, A)`."""
    raw_value: npt.NDArray[np.float32]
    """The evaluator's value of each position, `(B,)`."""
    wins: npt.NDArray[np.bool_]
    """Whether each best action wins for certain, `(B,)`."""
    proven: npt.NDArray[np.int8]
    """What is certain of each position, `(B,)`; 2 where nothing is."""
    proofs: npt.NDArray[np.int8]
    """What is certain of each action, `(B, A)`; 2 where nothing is."""

    def sample(self, temperature: npt.ArrayLike = 1.0, rng: Rng = None) -> npt.NDArray[np.int64]:
        """Samples actions `(B,)`, each as `SearchResult.sample` does; -1 where nothing was searched.

        Args:
            temperature: one for all games, or one for each, `(B,)`.
            rng: a generator, a seed, or None for a seed of the system.

        Raises:
            ValueError: a temperature is negative or NaN, or there are not as many as games.

        Example:
            >>> import sixplane
            >>> batch = sixplane.GameBatch(sixplane.Gomoku(size=5), 2)
            >>> result = MCTS(simulations=100, seed=1).search_batch(batch)
            >>> actions = result.sample(temperature=[1.0, 0.0], rng=7)  # the second plays its best
            >>> actions.shape, bool(actions[1] == result.best_action[1])
            ((2,), True)
        """
        visits = _playable(self.visits, self.proven, self.proofs)
        return _sample(visits, self.best_action, (self.proven == 0) | self.wins, temperature, rng)


def _playable(
    visits: npt.NDArray[np.int64], proven: npt.NDArray[np.int8], proofs: npt.NDArray[np.int8]
) -> npt.NDArray[np.int64]:
    """Visits `(B, A)` without those of actions that lose for certain, unless all do."""
    return np.where((proofs == -1) & (proven != -1)[:, None], 0, visits)


def _sample(
    visits: npt.NDArray[np.int64],
    best: npt.NDArray[np.int64],
    is_certain: npt.NDArray[np.bool_],
    temperature: npt.ArrayLike,
    rng: Rng,
) -> npt.NDArray[np.int64]:
    """Samples actions `(B,)` by visits `(B, A)`; the best if it is certain or nothing is random."""
    heat = np.asarray(temperature, np.float64)
    if heat.shape not in ((), best.shape):
        allowed = "one number" if len(best) == 1 else f"one number or shape {best.shape}"
        raise ValueError(f"temperature must be {allowed}, not of shape {heat.shape}")
    if not (heat >= 0).all():
        raise ValueError(f"temperature must be 0 or more, not {heat[~(heat >= 0)].flat[0]}")
    heat = np.broadcast_to(heat, best.shape)
    # One number for each game, even where it is not needed: so no game depends on the others.
    sampled = np.random.default_rng(rng).random(len(best))
    is_random = (visits.max(axis=1, initial=0) > 0) & (heat > 0) & ~is_certain
    rows, counts = np.flatnonzero(is_random), visits[is_random].astype(np.float64)
    # The share of the most visited is 1 before it is raised, so that nothing overflows.
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        logs = np.log(counts / counts.max(axis=1, keepdims=True, initial=1)) / heat[rows, None]
    weights = np.where(counts > 0, np.exp(logs), 0)
    bounds = weights.cumsum(axis=1)
    actions = best.copy()
    if len(rows):
        aims = sampled[rows] * bounds[:, -1]
        # The first bound above the aim; its action has weight, for bounds before it are not above.
        actions[rows] = (bounds > aims[:, None]).argmax(axis=1)
    return actions
