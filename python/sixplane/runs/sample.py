"""A game with a network's evaluation of each position, and what a page shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from sixplane._core import Game, GameBatch
from sixplane.agents.evaluation import checked_answer, evaluator_for
from sixplane.games import COLORS, info_of
from sixplane.games.plays import backwards
from sixplane.nets import Evaluation
from sixplane.render.animation import animated_svg
from sixplane.render.game import positions, result_text
from sixplane.runs.reader import Numbers, numbers
from sixplane.search import Evaluator

#: Seconds for which each position and the last one are shown.
SECONDS: Final = 0.7
HOLD: Final = 3.5

POLICY: Final = "Policy: where the network would play"
OWNERSHIP: Final = "Ownership: whose each point will be"
#: The number of likely actions that are named.
NAMED: Final = 3


@dataclass(frozen=True)
class SampleGame:
    """A game with a network's evaluation of each position, all in Black's view.

    Example:
        >>> import numpy as np, sixplane
        >>> game = sixplane.Go(size=5).replay([12, 6, 8])
        >>> sample = examine(game, lambda planes: (np.zeros((len(planes), 26)), np.full(len(planes), 0.5)))
        >>> sample.values.tolist()
        [0.5, -0.5, 0.5]
    """

    record: Game
    """The game, of n actions."""
    policies: NDArray[np.float64]
    """The probability of each legal action before each action, `(n, A)`."""
    values: NDArray[np.float64]
    """The expected outcome before each action, `(n,)`, from -1 to 1."""
    ownership: NDArray[np.float64] | None
    """`(n + 1, rows, cols)`: who will own each point, from -1 to 1, and last who owns it. None: the
    evaluator gives no ownership."""
    moves: NDArray[np.int64] | None = None
    """The positions that were evaluated where not all were, `(k,)`: the actions before each, in ascending
    order. The arrays above then have k for n."""


def examine(record: Game, evaluator: Evaluator, most: int | None = None) -> SampleGame:
    """Evaluates the positions of a game by one call.

    Args:
        record: the game.
        evaluator: a `Network`, or any function of planes that returns logits and values, and then no
            ownership.
        most: the most positions before an action that are evaluated, at even distances; None: all.

    Raises:
        TypeError: the evaluator returns something else than two arrays of real numbers.
        ValueError: the game has no actions, `most` is below 1, or a search would refuse what the evaluator
            says: arrays of other shapes, a value beyond -1 and 1, or logits of legal actions that are NaN,
            +inf or all -inf.

    Example:
        >>> import numpy as np, sixplane
        >>> game = sixplane.Go(size=5).replay([12, 6, 8])
        >>> sample = examine(game, lambda planes: (np.zeros((len(planes), 26)), np.zeros(len(planes))))
        >>> sample.policies.shape, float(sample.policies[1].max().round(3))
        ((3, 26), 0.04)
        >>> uniform = lambda planes: (np.zeros((len(planes), 26)), np.zeros(len(planes)))
        >>> examine(game, uniform, most=2).moves.tolist()
        [0, 2]
    """
    if not record.move_number:
        raise ValueError("a game without actions has nothing to examine")
    if most is not None and most < 1:
        raise ValueError(f"most must be at least 1, not {most}")
    moves = None
    if most is not None and record.move_number > most:
        moves = np.linspace(0, record.move_number - 1, most).round().astype(np.int64)
    planes, legal = _before_each_action(record, moves)
    evaluator = evaluator_for(evaluator, record)
    is_white = planes[:, 2, 0, 0].astype(np.bool_)
    sign = np.where(is_white, -1.0, 1.0)
    ownership = None
    if hasattr(evaluator, "evaluate"):
        evaluation: Evaluation = evaluator.evaluate(planes)
        given: object = evaluation.logits, evaluation.values
        final = GameBatch.from_games([record]).ownership()
        ownership = np.concatenate([evaluation.ownership * sign[:, None, None], final.astype(np.float64)])
    else:
        given = evaluator(planes)
    masked, values = checked_answer(given, legal)
    weights = np.exp(masked - masked.max(axis=1, keepdims=True))
    policies = weights / weights.sum(axis=1, keepdims=True)
    return SampleGame(record, policies, values * sign, ownership, moves)


def _before_each_action(
    record: Game, moves: NDArray[np.int64] | None
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Returns the planes `(n, 6, rows, cols)` and the legal actions `(n, A)` before each action, or some."""
    wanted = range(record.move_number) if moves is None else frozenset(moves.tolist())
    found = [
        (past.planes, past.action_mask.astype(np.bool_))
        for past, _ in backwards(record)
        if past.move_number in wanted
    ]
    planes, masks = zip(*found[::-1], strict=True)
    return np.stack(planes), np.stack(masks)


class SampleView(TypedDict):
    """The content of a page about a game: pictures that play by themselves, by one clock."""

    text: str
    """The length and the result of the game."""
    pictures: list[tuple[str, str]]
    """The pictures, each with its title, as animated SVG."""
    lines: list[str]
    """A line about each position."""
    values: Numbers
    """The expected outcome for Black in each position but the last."""
    moves: list[int]
    """The number of actions before each position; the last one is the end of the game."""
    seconds: float
    """The seconds for which each position is shown."""
    hold: float
    """The seconds for which the last position is shown."""


def sample_view(sample: SampleGame) -> SampleView:
    """Draws a game for a page."""
    record = sample.record
    moves = _moves(sample)
    everything = positions(record)
    frames = [everything[move] for move in moves]
    planes, lasts = [planes for planes, _ in frames], [action for _, action in frames]

    picture = partial(animated_svg, planes, info_of(record).style, lasts=lasts, seconds=SECONDS, hold=HOLD)
    pictures = [(POLICY, picture(title=POLICY, heats=[*sample.policies, None]))]
    if sample.ownership is not None:
        pictures.append((OWNERSHIP, picture(title=OWNERSHIP, ownerships=list(sample.ownership))))
    text = f"{record.move_number} actions, {result_text(record) or 'not finished'}."
    if sample.moves is not None:
        text += f" {len(moves)} of its {len(everything)} positions are shown, at even distances."
    return SampleView(
        text=text,
        pictures=pictures,
        lines=_lines(sample, [int(board[2].any()) for board, _ in everything]),
        values=numbers(sample.values.tolist()),
        moves=moves,
        seconds=SECONDS,
        hold=HOLD,
    )


def _moves(sample: SampleGame) -> list[int]:
    """Returns the number of actions before each position that is shown, the end of the game included."""
    count = sample.record.move_number
    before = range(count) if sample.moves is None else sample.moves.tolist()
    return [*before, count]


def _lines(sample: SampleGame, turns: list[int]) -> list[str]:
    """Returns a line about each position: the last action, the value and the likely next actions."""
    record = sample.record
    name_of = partial(info_of(record).name_of, record)
    lines = []
    for i, move in enumerate(_moves(sample)):
        line = "Start"
        if move:
            action = int(record.actions[move - 1])
            line = f"{move}. {COLORS[turns[move - 1]].title()} {name_of(action)}"
        if move < record.move_number:
            policy = sample.policies[i]
            best = np.argsort(policy)[::-1][:NAMED].tolist()
            likely = ", ".join(f"{name_of(i)} {100 * policy[i]:.0f} %" for i in best if policy[i])
            turn = COLORS[turns[move]].title()
            line += f" · value {sample.values[i]:+.2f} for Black · next, {turn}: {likely}"
        elif result := result_text(record):
            line += f" · {result}"
        lines.append(line)
    return lines
