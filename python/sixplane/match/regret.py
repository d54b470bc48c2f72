"""How far a player is from perfect play, in positions whose value is known for certain."""

from __future__ import annotations

import operator
import random
import time
from contextlib import ExitStack
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import Game, GameBatch, exact_values
from sixplane.agents.agent import Agent, choices_of, select_one_by_one
from sixplane.agents.policy import Policy, PolicyAgent
from sixplane.agents.score_table import ScoreTableAgent
from sixplane.games import game_to_play, info_of
from sixplane.match.arena import made
from sixplane.match.statistics import wilson_interval

Floats: TypeAlias = NDArray[np.float64]

#: Empty points of the positions of a game that is solved near its end.
EMPTY: Final = 14

#: Random actions before such a position at least, and before a game of the score table.
OPENING: Final = 4

#: Positions that the solver looks at to find a forced win, before it counts as thrown away.
NODES: Final = 20_000

#: Games of a round, at least and at most.
LEAST: Final = 16
MOST: Final = 10_000

#: Rounds of games without a position before the search for more is given up.
PATIENCE: Final = 20


class RegretResult(NamedTuple):
    """The actions that a player chose in positions of known value, and how much of that they lost.

    Example:
        >>> import sixplane
        >>> from sixplane.match import regret
        >>> result = regret("random", sixplane.Reversi(size=6), positions=100, score=True, seed=1)
        >>> result.positions, result.mistakes == (result.losses > 0).sum()
        (100, np.True_)
        >>> result.rate == result.mistakes / 100, result.regret == result.losses.mean()
        (True, np.True_)
        >>> result.interval[0] < result.rate < result.interval[1]
        True
        >>> result.mean_score_loss == result.score_losses.mean()
        np.True_
        >>> result.unproven  # in Reversi every value is known
        0
        >>> worst = result.worst
        >>> int(result.values[worst] - result.reached[worst])
        2
    """

    records: list[Game]
    """The games that lead to the positions."""
    actions: NDArray[np.int64]
    """The actions that the player chose, `(positions,)`; -1: it resigned."""
    values: Floats
    """The value of each position for its player, `(positions,)`: +1 a win, 0 a draw, -1 a loss."""
    reached: Floats
    """The value after the action for the same player, `(positions,)`; NaN: it is no longer proven."""
    score_losses: Floats | None
    """The points of the score that each action lost, `(positions,)`, if that was asked for."""
    seconds: float
    """How long the player took to choose."""

    @property
    def positions(self) -> int:
        """The number of positions."""
        return len(self.records)

    @property
    def losses(self) -> Floats:
        """The value that each action lost, `(positions,)`: 1 from a win to a draw, 2 from a win to a loss.

        What is no longer proven counts as a draw.
        """
        return self.values - np.nan_to_num(self.reached)

    @property
    def mistakes(self) -> int:
        """The number of actions that lost value."""
        return int(np.count_nonzero(self.losses > 0))

    @property
    def rate(self) -> float:
        """The share of the positions in which the action lost value."""
        return self.mistakes / self.positions

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the rate."""
        return wilson_interval(self.mistakes, self.positions)

    @property
    def regret(self) -> float:
        """The mean loss of value, from 0 to 2."""
        return float(self.losses.mean())

    @property
    def mean_score_loss(self) -> float | None:
        """The mean loss of points, if that was asked for."""
        return None if self.score_losses is None else float(self.score_losses.mean())

    @property
    def unproven(self) -> int:
        """The number of mistakes after which nothing is proven: a win may be there, but is harder to find."""
        return int(np.count_nonzero(np.isnan(self.reached)))

    @property
    def worst(self) -> int:
        """The number of a position with the largest loss of value; among equal ones, of points."""
        points = self.losses if self.score_losses is None else self.score_losses
        return int(np.lexsort((points, self.losses))[-1])

    def __str__(self) -> str:
        low, high = self.interval
        points = "" if self.mean_score_loss is None else f" and {self.mean_score_loss:.2f} points"
        return (
            f"value thrown away in {self.rate:.1%} (95 %: {low:.1%} to {high:.1%}) of {self.positions} "
            f"positions; mean loss {self.regret:.3f}{points}; the player took {self.seconds:.2f} s"
        )

    def _repr_html_(self) -> str:
        from sixplane.render.game import game_title
        from sixplane.render.html import WIDTH, card, table

        worst, points, (low, high) = self.worst, self.mean_score_loss, self.interval
        game, action = self.records[worst], int(self.actions[worst])
        facts = [
            ("thrown away", f"{self.rate:.1%} of {self.positions} positions"),
            ("95 % interval", f"{low:.1%} to {high:.1%}"),
            ("mean loss of value", f"{self.regret:.3f}"),
            *([] if points is None else [("mean loss of points", f"{points:.2f}")]),
            ("time", f"{self.seconds:.2f} s"),
        ]
        value, score = self.losses[worst], 0 if self.score_losses is None else self.score_losses[worst]
        heat = np.zeros(game.num_actions)
        if value > 0 or score > 0:
            name = info_of(game).name_of(game, action) if action >= 0 else "resigns"
            lost = f"{value:g}" if value > 0 else f"{score:g} point{'' if score == 1 else 's'}"
            facts.append(("worst mistake", f"{name}: {lost}"))
            heat[action] = action >= 0
        title = f"Regret in {game_title(game)}"
        return card(title, game.to_svg(width=WIDTH, heat=heat, title=title), table(facts))


def regret(
    policy: Policy | Agent | str,
    game: Game,
    positions: int = 1000,
    *,
    score: bool = False,
    seed: int | None = None,
) -> RegretResult:
    """Measures how often a player throws away what a position is worth, and how much.

    The game's own solver says what a position is worth before and after the action. The positions have 14
    empty points after random play (on boards with fewer, four less than at the beginning), and some action
    loses value there. In Gomoku they are the first of a game of the score table, after four random stones, in
    which the player wins by fours and has no five at once; the win counts as thrown away if the solver finds
    none within 20,000 positions any more.

    Args:
        policy: as of `sixplane.evaluate`: a function of planes and masks (if it takes other planes than by
            default, as a `PolicyAgent`), an agent, or the spec of one.
        game: where the games begin that lead to the positions.
        positions: how many positions.
        score: whether to measure the loss of points as well, which takes the solver longer.
        seed: the seed of the positions and of an agent with `reseed`; None takes one from the system.

    Raises:
        ValueError: the game is over or cannot be solved, so many positions are not found, a number is out of
            range, the player does not play this game, or it gives an illegal action.
        TypeError: an argument is of another type.

    Example:
        >>> import sixplane
        >>> from sixplane.match import regret
        >>> result = regret("score-table", sixplane.Gomoku(size=9), positions=50, seed=1)
        >>> print(result)
        value thrown away in 2.0% (95 %: 0.4% to 10.5%) of 50 positions; mean loss 0.040; ... s
    """
    game = game_to_play(game)
    positions = integer("positions", positions, 1)
    game.solve(nodes=1)  # says why if it never can be
    if score and not info_of(game).counts_points:
        raise ValueError(f"{info_of(game).title} has no points to lose: score must be False")
    rng = random.Random(None if seed is None else integer("seed", seed, 0))
    find, nodes = (_wins, NODES) if info_of(game).has_score_table else (_ends, None)
    with ExitStack() as stack:
        player = made(policy, game, stack) if isinstance(policy, str) else policy
        agent = player if isinstance(player, Agent) else PolicyAgent(player)
        if hasattr(agent, "prepare"):
            agent.prepare(game)
        records = _found(partial(find, game, rng=rng), positions)
        batch = GameBatch.from_games(records, seed=0)
        if seed is not None and hasattr(agent, "reseed"):
            agent.reseed(rng.randrange(2**62))
        begun = time.perf_counter()
        actions = _choices(agent, batch)
        seconds = time.perf_counter() - begun
    values, scores = exact_values(batch, score=score, nodes=nodes)
    reached, final = _after(batch, actions, score=score, nodes=nodes)
    return RegretResult(records, actions, values, reached, scores - final if score else None, seconds)


def _choices(agent: Agent, batch: GameBatch) -> NDArray[np.int64]:
    """Returns the action of the player in each game, `(B,)`; -1: it resigns."""
    index = np.arange(len(batch))
    actions = choices_of(agent, batch, index, operator.index)
    on_board = (actions >= 0) & (actions < batch.num_actions)
    legal = on_board & (batch.action_masks[index, np.where(on_board, actions, 0)] == 1)
    for i in np.flatnonzero(~legal & (actions != -1)).tolist():
        who = f"the action of {type(agent).__name__}"
        raise ValueError(f"{who} in position {i} is illegal: {actions[i]}\n{batch[i]}")
    return actions


def _after(
    batch: GameBatch, actions: NDArray[np.int64], *, score: bool = False, nodes: int | None = None
) -> tuple[Floats, Floats]:
    """Returns value and score after one action in each game, for who has played it; who resigns loses all."""
    after, sign = batch.copy(), 1.0 - 2.0 * batch.turns
    after.play(actions, where=actions >= 0)
    values, scores = (-found for found in exact_values(after, score=score, nodes=nodes))
    values = np.where(after.dones, sign * after.outcomes, values)
    scores = np.where(after.dones, sign * after.scores, scores)
    resigned = actions < 0
    return np.where(resigned, -1.0, values), np.where(resigned, -float(batch.rows * batch.cols), scores)


def _found(find: partial[list[Game]], positions: int) -> list[Game]:
    """Returns so many positions, from as many rounds of games as it takes."""
    found: list[Game] = []
    failures = 0
    while len(found) < positions:
        more = find(min(max(positions - len(found), LEAST), MOST))
        failures = 0 if more else failures + 1
        if failures == PATIENCE:
            raise ValueError(f"games lead to no {positions} positions in which value can be thrown away")
        found += more
    return found[:positions]


def _ends(game: Game, count: int, rng: random.Random) -> list[Game]:
    """Positions of so many random games near their ends in which some action loses value."""

    def empty(batch: GameBatch) -> NDArray[np.int64]:
        return np.asarray((batch.planes[:, :2].sum(axis=1) == 0).sum(axis=(1, 2)), np.int64)

    batch = GameBatch(game, count, seed=rng.getrandbits(63))
    left = min(EMPTY, int(empty(batch)[0]) - OPENING)
    # A pass fills no point.
    while (more := np.where(batch.dones, 0, np.maximum(empty(batch) - left, 0))).any():
        batch.play_random(more)
    values, _ = exact_values(batch)
    # Nothing more can be lost in a lost position.
    games = [one for one, value in zip(batch[:], values, strict=True) if value >= 0]
    values, is_at_stake = values[values >= 0], np.zeros(len(games), np.bool_)
    left_to_try = np.array([one.action_mask for one in games], np.bool_).reshape(-1, game.num_actions)
    while len(index := np.flatnonzero(~is_at_stake & left_to_try.any(axis=1))):
        actions = left_to_try[index].argmax(axis=1)
        left_to_try[index, actions] = False
        reached, _ = _after(GameBatch.from_games([games[i] for i in index], seed=0), actions)
        is_at_stake[index] = reached < values[index]
    return [games[i] for i in np.flatnonzero(is_at_stake)]


def _wins(game: Game, count: int, rng: random.Random) -> list[Game]:
    """Finds in each of so many games of the score table the first position that is won by force."""
    agent = ScoreTableAgent(seed=rng.getrandbits(63))
    batch, found = GameBatch(game, count, seed=rng.getrandbits(63)), list[Game]()
    batch.play_random(OPENING)
    running = ~batch.dones
    while running.any():
        values, _ = exact_values(batch, leaf=True)
        for number in np.flatnonzero(running & (values == 1)).tolist():
            solution = batch[number].solve(nodes=NODES)
            # Anyone sees a five.
            found += [solution.game] if len(solution.principal_variation) > 1 else []
            running[number] = False
        actions = np.full(len(batch), -1, np.int64)
        index = np.flatnonzero(running)
        actions[index] = select_one_by_one(agent, batch, index)
        batch.play(actions, where=running)
        running &= ~batch.dones
    return found
