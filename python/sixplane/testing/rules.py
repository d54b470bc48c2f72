"""Laws of games whose rules are written in Python: what the rules may look at, and what they promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sixplane._core import OwnGame
from sixplane.testing.law import law

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sixplane.testing.trial import Trial

#: So many actions of a position are tried.
ACTIONS = 6


def _asked(trial: Trial) -> Iterator[tuple[OwnGame, NDArray[np.uint8], NDArray[np.int64]]]:
    """The game with its stones and some actions, and -1 for none; nothing if it is over or was passed in."""
    game = trial.game
    if isinstance(game, OwnGame) and not game.is_over and not game.planes[4].any():
        points = game.legal_actions[game.legal_actions < game.rows * game.cols]
        chosen = trial.rng.sample(points.tolist(), min(ACTIONS, len(points)))
        yield game, game.planes[:2], np.array([-1, *chosen])


def _answers(game: OwnGame, stones: NDArray[Any], actions: NDArray[np.int64]) -> list[NDArray[Any]]:
    """What the rules say when they are asked anew: stones, legal actions, endings and scores."""
    count = len(actions)
    turns = np.full(count, game.turn)
    boards = np.repeat(stones[None], count, axis=0)
    found = game._arbiter.next(boards, turns, np.zeros(count, np.int64), actions.copy())
    return [np.asarray(column).reshape(count, -1) for column in found]


@law("positions")
def rules_look_at_the_position_alone(trial: Trial) -> None:
    """The rules say the same when they are asked again, alone or with others, and the game says so, too."""
    for game, stones, actions in _asked(trial):
        trial.note("positions")
        together = _answers(game, stones, actions[::-1])
        alone = [_answers(game, stones, actions[i : i + 1]) for i in range(len(actions))]
        for column, name in enumerate(("play", "legal", "ending", "the score")):
            for i, answer in enumerate(alone):
                trial.demand(
                    np.array_equal(answer[column][0], together[column][::-1][i]),
                    f"{name} says something else of action {actions[i]} when it is asked again",
                )
        _, legal, ending, score = alone[0]
        trial.demand(
            np.array_equal(legal[0], game.action_mask),
            "legal says something else than when it was asked first",
        )
        trial.demand(ending[0, 0] == 0, "ending says that a game that goes on is over")
        trial.demand(score[0, 0] == game.score(), "the score is another one than when it was asked first")


@law("positions")
def rules_keep_the_symmetries_that_they_promise(trial: Trial) -> None:
    """The rules say of a turned or reflected board what they say of the board, turned alike."""
    for game, stones, actions in _asked(trial):
        trial.note("positions")
        grid = np.arange(game.rows * game.cols).reshape(game.rows, game.cols)
        seen = [grid[:, ::-1]][: game.num_symmetries - 1]
        if game.num_symmetries > 2:  # noqa: PLR2004 - more than the reflection left to right
            seen += [grid[::-1], grid[::-1, ::-1]]
        if game.num_symmetries > 4:  # noqa: PLR2004 - the turns of a square, too
            seen += [np.rot90(one) for one in (grid, *seen)]
        usual = _answers(game, stones, actions)
        for points in seen:
            order = points.ravel()
            place = np.argsort(order)
            moved = np.where(actions < 0, actions, place[actions])
            turned = stones.reshape(2, -1)[:, order].reshape(stones.shape)
            found = _answers(game, turned, moved)
            expected = [
                usual[0].reshape(len(actions), 2, -1)[:, :, order].reshape(len(actions), -1),
                usual[1][:, [*order, len(order)]],
                *usual[2:],
            ]
            for name, one, other in zip(("play", "legal", "ending", "score"), found, expected, strict=True):
                trial.demand(
                    np.array_equal(one, other),
                    f"{name} does not keep the symmetries of the board: symmetries must say which are kept",
                )


RULE_LAWS = (rules_look_at_the_position_alone, rules_keep_the_symmetries_that_they_promise)
