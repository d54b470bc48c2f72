"""Self-play: games of a network against itself, by a worker of a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import Array
from sixplane._core import Game, GameBatch
from sixplane._live import LiveRecord
from sixplane.jobs.jobs import node_name
from sixplane.learn.samples import Samples
from sixplane.nets import Architecture, Network, Parameters
from sixplane.nets.backend import BackendOptions
from sixplane.nets.inputs import komi_of
from sixplane.nets.network import WIN_MARGIN
from sixplane.search import MCTS, OPEN, BatchSearchResult, Gumbel, Selection

#: Logits `(L, A)` and values `(L,)` of positions.
Evaluations: TypeAlias = "tuple[NDArray[np.float32], NDArray[np.float32]]"


class SelfPlaySearchOptions(TypedDict, total=False):
    """The options of `sixplane.search.MCTS` that a call of `self_play` takes."""

    selection: Selection
    cache: int
    leaves: int
    symmetry: bool
    exact: bool


@dataclass(frozen=True, kw_only=True)
class SelfPlay:
    """The settings of a call of `self_play`.

    Example:
        >>> import sixplane
        >>> from sixplane.nets import Architecture
        >>> settings = SelfPlay(
        ...     prototype=sixplane.Go(size=7),
        ...     architecture=Architecture("go", blocks=2, channels=16),
        ...     games=32,
        ...     simulations=64,
        ...     backend={"backend": "numpy"},
        ... )
        >>> settings.prototype.num_actions, settings.simulations
        (50, 64)
    """

    prototype: Game
    """The position that every game starts from."""
    architecture: Architecture
    """The shape of the network."""
    games: int
    """The number of games, which are played side by side, each to its end."""
    simulations: int
    """Simulations of the search of each move."""
    opening_plies: int = 0
    """The most random actions that a game begins with; the least is 0."""
    search: SelfPlaySearchOptions = field(default_factory=SelfPlaySearchOptions)
    """Other options of `sixplane.search.MCTS`. The selection is `"gumbel"` unless given: its noise makes the
    games differ."""
    backend: BackendOptions = field(default_factory=BackendOptions)
    """The options of `sixplane.nets.Network` that say what computes it."""
    calibration: NDArray[np.uint8] | None = field(default=None, compare=False, repr=False)
    """Planes of earlier positions, `(N, 6, rows, cols)`, for a network in 8 bits; None: there are none."""
    live: Path | None = None
    """A file for the record of one of the games while it goes on; None: it is not written."""


class FinishedGames(NamedTuple):
    """The result of a call of `self_play`: G games, and the N positions in them to learn from.

    Example:
        >>> import sixplane
        >>> from sixplane.nets import Architecture
        >>> network = Architecture("go", blocks=1, channels=4)
        >>> game = sixplane.Go(size=3, max_moves=12)
        >>> settings = SelfPlay(prototype=game, architecture=network, games=4, simulations=4)
        >>> finished = self_play(3, network.random_parameters(seed=1), 7, settings)
        >>> finished.version, finished.outcomes.shape, finished.lengths.shape
        (3, (4,), (4,))
        >>> finished.samples.planes.shape[1:], finished.record.is_over
        ((6, 3, 3), True)
    """

    version: int
    """The version of the network that played."""
    samples: Samples
    """The positions to learn from."""
    outcomes: NDArray[np.int8]
    """The outcomes, `(G,)`: +1 if Black has won, 0 for a draw, -1 if White has."""
    lengths: NDArray[np.int64]
    """The numbers of actions, `(G,)`, those of the opening included."""
    openings: NDArray[np.uint64]
    """A key of the position after the first actions, `(G,)`: the same for games that begin alike."""
    record: Game
    """The game whose record was written while it was played."""
    policy_entropy: float
    """The mean entropy of the policies to learn from, in nats."""
    certain_share: float
    """The share of the positions whose value is certain."""
    decided: int
    """The number of games that were played in full though they were decided before their end."""
    wrongly_decided: int
    """The number of those that the side lost that was sure to win."""
    seconds: float
    """Seconds that the call took."""
    network_seconds: float
    """Seconds of those that were spent inside the network."""
    node: str
    """The host that played, and on a cluster also the node."""


#: Actions of the opening of a game, beyond the random ones.
OPENING = 4

#: A game without a solver is decided after so many plies in a row in which the value of the search was above
#: this for the same side. It is then played on for points by so few simulations, and its positions are not
#: learned from. A search for the outcome alone would throw away what it still owns: all its moves lose.
SURE_PLIES = 4
SURE_VALUE = 0.95
FEW_SIMULATIONS = 4

#: One game in so many is played on by all simulations and learned from to its end, which shows how often the
#: side that was sure to win loses.
PLAYED_IN_FULL = 5

#: The most positions that the solver looks at for the end of a game, score included.
MOST_NODES = 40_000

#: The last call in this process: its version, architecture and backend, and the network that its weights
#: made. Some backends take half a second to prepare one.
_last: tuple[tuple[object, ...], Network] | None = None


def _network(version: int, weights: Parameters, settings: SelfPlay) -> Network:
    """Returns the network of a call: the one of the call before if it is the same."""
    global _last  # noqa: PLW0603 - a process of a worker makes one call after the other
    # What calibrates is seen with the komi of the games.
    seen, komi = settings.calibration, komi_of(settings.prototype)
    key = (
        version,
        komi,
        settings.architecture,
        *sorted(settings.backend.items()),
        None if seen is None else (seen.shape, seen.tobytes()),
    )
    # Read once, since another thread may replace it.
    last = _last
    if last is None or last[0] != key or not _has(last[1], weights):
        network = Network(settings.architecture, weights, komi=komi, calibration=seen, **settings.backend)
        _last = last = key, network
    return last[1].for_game(settings.prototype)


def _has(network: Network, weights: Parameters) -> bool:
    """Returns whether a network has these weights: those of two runs differ in versions of the same number.

    The network has copies, and the arrays of a caller may have changed since.
    """
    own = network.parameters
    return own.keys() == weights.keys() and all(
        np.array_equal(own[name], np.asarray(weights[name], np.float32)) for name in own
    )


class _Timed:
    """Evaluates by a network, and adds up the time."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.seconds = 0.0

    def outcomes(self, planes: NDArray[np.uint8]) -> Evaluations:
        """Evaluates for a search for the outcome."""
        return self._timed(self.network, planes)

    def margins(self, planes: NDArray[np.uint8]) -> Evaluations:
        """Evaluates for a search for points."""
        return self._timed(self.network.margins, planes)

    def _timed(
        self, evaluate: Callable[[NDArray[np.uint8]], Evaluations], planes: NDArray[np.uint8]
    ) -> Evaluations:
        begun = time.perf_counter()
        result = evaluate(planes)
        self.seconds += time.perf_counter() - begun
        return result


class _Searches:
    """The searches of a call: for the outcome, and in decided games for points."""

    def __init__(self, evaluator: _Timed, seed: int, settings: SelfPlay) -> None:
        # Without noise all games of a call would be the same.
        options = SelfPlaySearchOptions(**{"selection": "gumbel", **settings.search})
        self._outcome = MCTS(evaluator.outcomes, simulations=settings.simulations, seed=seed, **options)
        # PUCT weighs values as they are, and those of points are too large; Gumbel brings them to one scale.
        options = SelfPlaySearchOptions(**{**options, "selection": Gumbel(noise=0), "exact": False})
        self._points = MCTS(
            evaluator.margins, simulations=settings.simulations, seed=seed, reward="margin", **options
        )

    def search(
        self, batch: GameBatch, simulations: NDArray[np.int64], decided: NDArray[np.bool_]
    ) -> BatchSearchResult:
        """Searches the running games of a batch; values are from -1 to 1 in all of them."""
        running = ~batch.dones.astype(np.bool_)
        result = self._outcome.search_batch(batch, simulations=simulations, where=running & ~decided)
        if not decided.any():
            return result
        points = self._points.search_batch(batch, simulations=simulations, where=decided)
        return result._replace(
            policy=np.where(decided[:, None], points.policy, result.policy),
            # Where it is sure who wins, the margin is that of a win.
            value=np.where(decided, np.clip(points.value / WIN_MARGIN, -1, 1), result.value),
            best_action=np.where(decided, points.best_action, result.best_action),
        )


def self_play(version: int, weights: Parameters, seed: int, settings: SelfPlay) -> FinishedGames:
    """Plays games of a network against itself. The same arguments give the same games.

    Args:
        version: the number of the network; the result has it, too.
        weights: the parameters of the network by name.
        seed: the seed of all randomness.
        settings: what is played, and how.

    Example:
        >>> import sixplane
        >>> from sixplane.nets import Architecture
        >>> network = Architecture("reversi", blocks=1, channels=4)
        >>> game = sixplane.Reversi(size=4)
        >>> settings = SelfPlay(prototype=game, architecture=network, games=4, simulations=4)
        >>> finished = self_play(0, network.random_parameters(seed=1), 7, settings)
        >>> len(finished.outcomes), len(finished.samples) > 0
        (4, True)
    """
    begun = time.perf_counter()
    rng = np.random.default_rng(seed)
    evaluator = _Timed(_network(version, weights, settings))
    searches = _Searches(evaluator, seed, settings)
    batch = GameBatch(settings.prototype, settings.games, seed=seed, threads=1)
    batch.play_random(rng.integers(0, settings.opening_plies, settings.games, endpoint=True))

    shown = int(np.random.default_rng([seed, 1]).integers(settings.games))
    live = LiveRecord(settings.live, f"version {version}", f"version {version}")
    # A first move of no games, so that there is always something to join.
    none = np.zeros(0, np.int64)
    no_policy = np.zeros((0, settings.prototype.num_actions), np.float16)
    moves: list[tuple[Array, ...]] = [_positions(batch, none, no_policy, np.zeros(0, np.float16))]
    certain = 0
    has_solver = _is_solvable(settings.prototype)
    in_full = np.arange(settings.games) % PLAYED_IN_FULL == 0
    few = min(FEW_SIMULATIONS, settings.simulations)
    # The plies in a row in which a side was sure to win, below 0 for White, and the first such side.
    sure, winner = np.zeros((2, settings.games), np.int64)
    while not batch.dones.all():
        running = ~batch.dones.astype(np.bool_)
        decided = running & (np.abs(sure) >= SURE_PLIES)
        winner = np.where(decided & (winner == 0), np.sign(sure), winner)
        is_short = decided & ~in_full
        simulations = np.where(is_short, few, settings.simulations)
        result = searches.search(batch, simulations, decided)
        index = np.flatnonzero(running & ~is_short)
        moves.append(_positions(batch, index, result.policy[index], result.value[index]))
        if not has_solver:
            sure = _sure(sure, result.value * (1 - 2 * batch.turns))
        proven = np.flatnonzero(running & (result.proven != OPEN))
        lines = _lines(batch, proven) if has_solver else {}
        batch.play(result.best_action, where=running & ~np.isin(np.arange(len(batch)), [*lines]))
        ends = _play_lines(batch, lines)
        moves += ends
        certain += len(proven) + sum(len(end[0]) for end in ends)
        live.show(batch[shown])

    games, turns, planes, masks, policy, values = map(np.concatenate, zip(*moves, strict=True))
    sign = (1 - 2 * turns).astype(np.int8)
    samples = Samples(
        planes=planes,
        masks=masks,
        policy=policy.astype(np.float16, copy=False),
        root_value=values,
        outcome=sign * batch.outcomes[games],
        score=sign * batch.scores[games].astype(np.float32),
        ownership=sign[:, None, None] * batch.ownership()[games],
        komi=np.full(len(games), komi_of(settings.prototype), np.float32),
    )
    opening = settings.opening_plies + OPENING
    return FinishedGames(
        version=version,
        samples=samples,
        outcomes=batch.outcomes,
        lengths=batch.move_numbers,
        openings=np.array([game.replay(game.actions[:opening]).hash for game in batch[:]], np.uint64),
        record=batch[shown],
        policy_entropy=_mean_entropy(policy),
        certain_share=certain / max(len(samples), 1),
        decided=int((in_full & (winner != 0)).sum()),
        wrongly_decided=int((in_full & (winner * batch.outcomes < 0)).sum()),
        seconds=time.perf_counter() - begun,
        network_seconds=evaluator.seconds,
        node=node_name(),
    )


def _is_solvable(game: Game) -> bool:
    try:
        game.solve(nodes=1)
    except ValueError:
        return False
    return True


def _sure(sure: NDArray[np.int64], values: NDArray[np.float32]) -> NDArray[np.int64]:
    """Returns the plies in a row in which a side is sure to win, after one more with these values for Black.

    They are below 0 for White. A value that is NaN is that of a game that is over.
    """
    side = (values > SURE_VALUE).astype(np.int64) - (values < -SURE_VALUE)
    longer: NDArray[np.int64] = np.where(side * sure > 0, sure, 0) + side
    return longer


def _lines(batch: GameBatch, proven: NDArray[np.int64]) -> dict[int, tuple[Game, list[int]]]:
    """Returns the ends of those games where the solver finds them soon, and the best actions to there."""
    lines = {}
    for i in proven.tolist():
        game = batch[i]
        line = game.solve(score=True, nodes=MOST_NODES).principal_variation
        for action in line:
            game.play(action)
        if game.is_over:
            lines[i] = game, line
    return lines


def _play_lines(batch: GameBatch, lines: dict[int, tuple[Game, list[int]]]) -> list[tuple[Array, ...]]:
    """Plays games to their ends by these actions, and returns the positions between."""
    moves = []
    for ply in range(max((len(line) for _, line in lines.values()), default=0)):
        index = np.array([i for i, (_, line) in lines.items() if ply < len(line)])
        actions = np.full(len(batch), -1, np.int64)
        actions[index] = [lines[i][1][ply] for i in index.tolist()]
        if ply:
            policy = np.eye(batch.num_actions)[actions[index]]
            leads = np.array([lines[i][0].score() for i in index.tolist()])
            moves.append(_positions(batch, index, policy, np.sign(leads) * (1 - 2 * batch.turns[index])))
        batch.play(actions, where=actions >= 0)
    return moves


def _positions(batch: GameBatch, index: NDArray[np.int64], policy: Array, value: Array) -> tuple[Array, ...]:
    """Returns what is kept of these games before an action is played in them."""
    return (
        index,
        batch.turns[index],
        batch.planes[index],
        batch.action_masks[index].astype(np.bool_),
        policy.astype(np.float16),
        value.astype(np.float16),
    )


def _mean_entropy(policy: Array) -> float:
    """Returns the mean entropy of the rows, in nats; 0 if there are none."""
    p = policy.astype(np.float64)
    # 0 log 0 is 0.
    return float(-(p * np.log(np.maximum(p, 1e-30))).sum(axis=1).mean()) if len(p) else 0.0
