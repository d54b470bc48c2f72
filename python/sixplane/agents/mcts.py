"""An agent that searches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import seed_of
from sixplane._core import Game, GameBatch
from sixplane.agents.agent import RESIGN, Choice, seconds_of_move, select_one_by_one
from sixplane.agents.evaluation import GameEvaluator, PlaneOptions, Sampler, resigns_below, softmax
from sixplane.games import info_of
from sixplane.games.plays import plays_between
from sixplane.search import MCTS, BatchSearchResult, Evaluator, Gumbel, SearchResult, Selection

#: The part of a time limit that is kept in reserve, and the most seconds of it.
RESERVE: Final = 0.1
MOST_RESERVE: Final = 0.05

#: The most seconds between two results of an endless search that is decided.
WAIT: Final = 0.1

#: A search whose position is proven lost ends after this part of its limits, as in `sixplane.search.MCTS`.
LOST_PART: Final = 0.125

#: A solver may take a quarter of the time of one call of the search. So the first part of an exact search is
#: so long, in seconds, whatever the interval is: of a move, and of an endless search, which is watched.
FIRST_OF_MOVE: Final = 2.0
FIRST_OF_ENDLESS: Final = 0.5

#: Simulations of a move by default, as in the search.
SIMULATIONS: Final = 1000


class SearchOptions(PlaneOptions, total=False):
    """The options of `sixplane.search.MCTS` that an agent passes on as they are."""

    selection: Selection
    max_nodes: int
    leaves: int
    threads: int
    symmetry: bool
    cache: int
    reward: Literal["outcome", "margin"]
    exact: bool


class _Options(SearchOptions):
    simulations: int | None
    seconds: float | None
    seed: int | None


class MCTSAgent:
    """Plays the best action of a Monte-Carlo tree search, in any game, or samples one by the visits.

    Between its moves it keeps the part of the tree below the actions that were played. If a game does not
    continue the one before, its search starts anew.

    Args:
        evaluator: None for playouts, or a function of planes; `sixplane.search.Evaluator` says which. If it
            has a method `for_game(game)`, as `sixplane.nets.Network` has, that makes the one for each game.
        simulations: how many for each move; None: 1000, or without limit if `seconds` is given.
        seconds: the time for each move.
        temperature: 0 plays the best action; else the agent samples one, by the policy of the search (the
            visits, or with `"gumbel"` the improved policy) to the power of the inverse of this.
        resign_below: the agent resigns when the position's value to it is less than this; None: never.
        seed: the seed of all randomness; None takes one from the system.
        options: those of `sixplane.search.MCTS`, such as `threads=2`; with an evaluator the selection is
            `"puct"` unless given.

    Raises:
        ValueError, TypeError: an option of the search that does not exist or has no such value.

    Example:
        >>> import sixplane
        >>> game = sixplane.Gomoku(size=6)
        >>> for name in ("B3", "B5", "C3", "C5", "D3", "D5", "E3", "F5"):
        ...     game.play(game.name_to_action(name))
        >>> game.action_to_name(MCTSAgent(simulations=500, seed=1).select_action(game)) in ("A3", "F3")
        True
    """

    def __init__(
        self,
        evaluator: Evaluator | None = None,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        temperature: float = 0.0,
        resign_below: float | None = None,
        seed: int | None = None,
        **options: Unpack[SearchOptions],
    ) -> None:
        self._options: _Options = {"simulations": simulations, "seconds": seconds, "seed": seed, **options}
        self._evaluator = None
        if evaluator is not None:
            self._options.setdefault("selection", "puct")
            of_planes = {
                name: value for name, value in options.items() if name in PlaneOptions.__annotations__
            }
            reward = options.get("reward", "outcome")
            self._evaluator = GameEvaluator(evaluator, reward, **of_planes)  # type: ignore[arg-type]  # as they are named
        self._sampler = Sampler(temperature, seed)
        self._resign_below = resigns_below(resign_below)
        self._limit = math.inf
        self._begin()

    def _begin(self) -> None:
        self._search = MCTS(self._evaluator, **self._options)
        #: For many games at once; a search of its own, so that the tree of the game in play is kept.
        self._batch_search = MCTS(self._evaluator, **self._options)
        #: The same by the facts of the games, for batches whose games differ in rules.
        self._searches: dict[tuple[object, ...], MCTS] = {}
        #: The game that was searched last; what its search found.
        self._root: Game | None = None
        self._is_endless = False
        self.result: SearchResult | None = None
        """What the last search found; None before the first."""
        self.allowed: NDArray[np.bool_] | None = None
        """The actions that the last search of one game chose among, `(A,)`; None: all legal ones."""
        self.batch_result: BatchSearchResult | None = None
        """What the last search of many games side by side found; None before the first."""

    def __reduce__(self) -> tuple[Callable[[], MCTSAgent], tuple[()], dict[str, float]]:
        make = partial(
            type(self),
            self.evaluator,
            temperature=self._sampler.temperature,
            resign_below=self._resign_below,
            **self._options,
        )
        return make, (), {"_limit": self._limit}

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed.

        Raises:
            TypeError, ValueError: it is no integer, negative or too large. The agent stays as it was.

        Example:
            >>> import sixplane
            >>> agent, game = MCTSAgent(simulations=50, seed=1), sixplane.Reversi(size=6)
            >>> first = agent.select_action(game)
            >>> agent.reseed(1)
            >>> agent.select_action(game) == first
            True
        """
        self._options["seed"] = seed_of(seed)
        self._sampler.reseed(seed)
        self._begin()

    def forget(self) -> None:
        """Lets the next search of a game begin without the tree of the last one. Its random numbers go on.

        Example:
            >>> import sixplane
            >>> agent, game = MCTSAgent(simulations=50, seed=1), sixplane.Reversi(size=6)
            >>> visits = []
            >>> for _ in range(2):
            ...     action = agent.select_action(game)
            ...     visits.append(int(agent.result.visits.sum()))
            ...     agent.forget()
            >>> visits
            [50, 50]
        """
        self._root, self._is_endless = None, False

    def limit_time(self, seconds: float) -> None:
        """Limits every later move to this time, in addition to the agent's own limits.

        Raises:
            TypeError, ValueError: the time is no positive number.

        Example:
            >>> agent = MCTSAgent(simulations=100)
            >>> agent.limits
            (100, inf)
            >>> agent.limit_time(10)  # some of it is kept in reserve
            >>> agent.limits
            (100, 9.95)
        """
        limit = seconds_of_move(seconds)
        self._limit = max(limit - min(RESERVE * limit, MOST_RESERVE), 1e-3)

    def select_action(self, game: Game) -> Choice:
        """Searches, and chooses an action or `RESIGN` by what was found.

        Raises:
            ValueError: the game is over, or the evaluator returns invalid numbers.
        """
        for _ in self.consider(game):
            pass
        return self.decide(game)

    def consider(
        self,
        game: Game,
        interval: float | None = None,
        *,
        endless: bool = False,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Iterator[SearchResult]:
        """Searches for one move, and gives its results from time to time: all visits so far.

        The next search continues an endless one.

        Args:
            game: the position.
            interval: seconds between two results; None: one, at the end. With selection `"gumbel"`,
                which plans its search, there is always one for each search. With `exact=True`, in a game
                that has a solver, the first comes after up to 2 seconds (endless: 0.5), if it is no proof:
                the solver takes a quarter of them at most.
            endless: whether the search goes on until the caller stops iterating; else it ends at the
                agent's limits.
            allowed: `(A,)`: the actions to choose among; None: all legal ones.

        Raises:
            ValueError: the game is over, no allowed action is legal, or the evaluator returns invalid
                numbers.

        Example:
            >>> import sixplane
            >>> agent, game = MCTSAgent(seed=1), sixplane.Gomoku(size=5)
            >>> for result in agent.consider(game, interval=0.01, endless=True):
            ...     if result.visits.sum() > 500:
            ...         break
            >>> best = agent.decide(game)
            >>> agent.variation(best)[0] == best, len(agent.variation_visits(best)) > 0
            (True, True)
        """
        self._bind(game)
        self.allowed = allowed
        root = self._root if type(self._root) is type(game) else None
        plays = plays_between(root, game) if root is not None else None
        begin = time.monotonic()  # to carry a large tree over takes a part of the time
        for _, action in plays or ():
            self._search.advance(action)
        resume, self._is_endless = endless or self._is_endless, endless
        most, seconds = self.limits
        selection = self._options.get("selection")
        is_planned = selection == "gumbel" or isinstance(selection, Gumbel)
        step = math.inf if interval is None or is_planned else interval
        first = step
        is_known = endless and plays == []  # the solver was asked about this position
        if self._options.get("exact") and info_of(game).has_solver and not is_known:
            first = max(step, FIRST_OF_ENDLESS if endless else FIRST_OF_MOVE)
        if endless and not is_planned:
            most, seconds = None, math.inf
        done, wanted, left = 0, most, begin + seconds - time.monotonic()
        goes_on = True
        while goes_on or endless:
            if is_planned:  # each search of an endless one has all of the limits
                begin, done, wanted, left = time.monotonic(), 0, most, seconds
            self._root = None
            limit, first = min(left, first), step
            self.result = self._search.search(
                game,
                simulations=None if wanted is None else wanted - done,
                seconds=None if math.isinf(limit) else min(max(limit, 1e-6), 1e6),
                allowed=allowed,
                resume=resume,
            )
            self._root = game.copy()
            resume = True
            done += self.result.simulations
            part = LOST_PART if self.result.proven == -1 else 1.0
            wanted = None if most is None else math.ceil(part * most)
            left = begin + part * seconds - time.monotonic()
            is_decided = self.result.proven in (0, 1)
            has_more = (wanted is None or done < wanted) and left > 0
            goes_on = has_more and not is_planned and not is_decided
            yield self.result
            if endless and is_decided:
                time.sleep(min(step, WAIT))  # nothing is left to search

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index`; they are searched side by side, or with a limit of time one by one.

        The leaves of all games go to the evaluator in one call. Trees are not kept from one call to the next.

        Raises:
            ValueError: the evaluator returns invalid numbers.

        Example:
            >>> import sixplane
            >>> agent = MCTSAgent(simulations=100, seed=1)
            >>> batch = sixplane.GameBatch(sixplane.Gomoku(size=5), 3)
            >>> agent.select_actions(batch, np.array([0, 2])).shape
            (2,)
        """
        result = self.search_games(batch, index)
        if result is None:
            return select_one_by_one(self, batch, index)
        actions = self._sampler.many(_logarithms(result.policy[index]), result.best_action[index])
        if self._resign_below is not None:
            actions[result.value[index] < self._resign_below] = -1
        return actions

    def search_games(self, batch: GameBatch, index: NDArray[np.int64]) -> BatchSearchResult | None:
        """Searches these games side by side; None if the agent has a time limit for each game.

        Example:
            >>> import sixplane
            >>> batch = sixplane.GameBatch(sixplane.Gomoku(size=5), 3)
            >>> MCTSAgent(simulations=100, seed=1).search_games(batch, np.array([0, 2])).visits.sum(axis=1)
            array([100,   0, 100])
        """
        simulations, seconds = self.limits
        if not math.isinf(seconds):
            return None
        evaluator = self._evaluator
        groups = [index] if evaluator is None else [index[at] for at in evaluator.groups(batch, index)]
        found = []
        for group in groups:
            where = np.zeros(len(batch), np.bool_)
            where[group] = True
            search = self._search_for(batch, group, alone=len(groups) == 1)
            found.append(search.search_batch(batch, simulations=simulations, where=where))
        self.batch_result = _joined(found, groups)
        return self.batch_result

    def _search_for(self, batch: GameBatch, index: NDArray[np.int64], *, alone: bool) -> MCTS:
        """Returns the search for games of the same rules: one of their own where others have other rules."""
        if not len(index):
            return self._batch_search
        game = batch[int(index[0])]
        if alone or self._evaluator is None:
            self._bind(game)
            return self._batch_search
        evaluator = self._evaluator.bound_to(game)
        return self._searches.setdefault(evaluator.facts, MCTS(evaluator, **self._options))

    def _bind(self, game: Game) -> None:
        """Takes the evaluator for this game, and forgets what another one has found."""
        if self._evaluator is not None and self._evaluator.bind(game):
            self._begin()

    @property
    def limits(self) -> tuple[int | None, float]:
        """The simulations of a move, None without a limit, and its seconds, infinite without one."""
        simulations, seconds = self._options["simulations"], self._options["seconds"]
        if simulations is None and seconds is None:
            simulations = SIMULATIONS
        return simulations, min(math.inf if seconds is None else seconds, self._limit)

    def decide(self, game: Game) -> Choice:  # noqa: ARG002 - others look at it
        """Chooses an action or `RESIGN` by the last search, which must have been of this game."""
        result = self.result
        if result is None:
            raise ValueError("nothing was searched yet: call select_action, or consider before decide")
        if self._resign_below is not None and result.value < self._resign_below:
            return RESIGN
        return self._sampler.one(_logarithms(result.policy), result.best_action)

    @property
    def evaluator(self) -> Evaluator | None:
        """The evaluator as it was given; None: playouts."""
        return None if self._evaluator is None else self._evaluator.given

    def variation(self, action: int) -> list[int]:
        """Lists an action of the position searched last and the most visited after it; none if unvisited.

        Raises:
            ValueError: nothing was searched.
        """
        return self._search.variation(action)

    def variation_visits(self, action: int) -> list[int]:
        """Lists the visits of each action of `variation(action)`.

        Raises:
            ValueError: nothing was searched.
        """
        return self._search.variation_visits(action)

    def priors(self, game: Game) -> NDArray[np.float64]:
        """Returns the prior of each action, `(A,)`: the evaluator's, else equal for all legal actions.

        Raises:
            TypeError, ValueError: the game is over, or the evaluator returns what a search refuses.

        Example:
            >>> import sixplane
            >>> from sixplane.agents import ScoreTableEvaluator
            >>> agent, game = MCTSAgent(ScoreTableEvaluator()), sixplane.Gomoku(size=7)
            >>> priors = agent.priors(game)
            >>> priors.shape, int(priors.argmax()), agent.evaluator
            ((50,), 24, ScoreTableEvaluator(exact_five=False))
        """
        if game.is_over:
            raise ValueError("the game is over")
        if self._evaluator is None:
            legal = game.action_mask
            return np.asarray(legal / legal.sum(), np.float64)
        self._bind(game)
        return softmax(self._evaluator.evaluate_game(game)[0])


def _joined(results: list[BatchSearchResult], groups: list[NDArray[np.int64]]) -> BatchSearchResult:
    """Joins what was found in groups of the games of a batch; changes the first result."""
    first = results[0]
    own: Any
    other: Any
    for result, index in zip(results[1:], groups[1:], strict=True):
        for own, other in zip(first, result, strict=True):
            for i in index.tolist():
                own[i] = other[i]
    return first


def _logarithms(policy: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the logarithms of probabilities; minus infinity of 0."""
    return np.log(policy, out=np.full(policy.shape, -np.inf), where=policy > 0, dtype=np.float64)
