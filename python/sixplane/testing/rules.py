"""Laws of games whose rules are written in Python: what the rules may look at, and what they promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sixplane._core import OwnGame
from sixplane.testing.law import law

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sixplane.testing.trial import Trial

#: So many plays of a position are tried.
ACTIONS = 6

#: What the rules say, by the columns of `_answers`.
NAMES = ("play", "legal", "ending", "the score")


class _Questions(NamedTuple):
    """Positions `(B, 2, rows, cols)` with their turns and passes, and an action in each or -1 for none."""

    boards: NDArray[Any]
    turns: NDArray[Any]
    passes: NDArray[Any]
    actions: NDArray[Any]

    def rows(self, chosen: Sequence[int]) -> _Questions:
        """Returns some of them, in this order."""
        return _Questions(*(column[list(chosen)] for column in self))

    def beside(self, others: _Questions) -> _Questions:
        """Returns these and then others."""
        return _Questions(*(np.concatenate(pair) for pair in zip(self, others, strict=True)))


def _passes(game: OwnGame) -> int:
    """Counts the passes that the rules see: how many of the last two actions with none after them."""
    if not game.planes[4].any():
        return 0
    if game.move_number == 0:  # planes that were given hold one
        return 1
    before = game.copy()
    before.undo()
    return 1 + int(before.planes[4, 0, 0])


def _questions(game: OwnGame, actions: Sequence[int]) -> _Questions:
    count = len(actions)
    return _Questions(
        np.repeat(game.planes[:2][None], count, axis=0),
        np.full(count, game.turn, np.int64),
        np.full(count, _passes(game), np.int64),
        np.array(actions, np.int64),
    )


def _asked(trial: Trial) -> Iterator[tuple[OwnGame, _Questions]]:
    """The game and what is asked of it: no action, some plays, and the pass; nothing if it is over."""
    game = trial.game
    if isinstance(game, OwnGame) and not game.is_over:
        legal = game.legal_actions.tolist()
        plays = [action for action in legal if action != trial.points]
        chosen = trial.rng.sample(plays, min(ACTIONS, len(plays)))
        yield game, _questions(game, [-1, *chosen, *legal[len(plays) :]])


def _asked_before(trial: Trial, game: OwnGame) -> _Questions:
    """What is asked of the game one step earlier: no action, and what was played then."""
    if not trial.steps:
        return _questions(game, [])
    before, step = game.copy(), trial.steps[-1]
    before.undo()
    return _questions(before, [-1, step.value] if step.verb == "play" else [-1])


def _answers(game: OwnGame, asked: _Questions) -> list[NDArray[Any]]:
    """What the rules say when they are asked anew: stones, legal actions, endings and scores."""
    found = game._arbiter.next(*(column.copy() for column in asked))
    return [np.asarray(column).reshape(len(asked.actions), -1) for column in found]


@law("positions")
def rules_look_at_the_position_alone(trial: Trial) -> None:
    """The rules say the same when they are asked again, alone or with others, and the game says so, too."""
    for game, now in _asked(trial):
        trial.note("positions")
        # Beside an earlier position both players are to play, and there are other stones.
        asked = now.beside(_asked_before(trial, game))
        order = trial.rng.sample(range(len(asked.actions)), len(asked.actions))
        together = _answers(game, asked.rows(order))
        alone = [_answers(game, asked.rows([row])) for row in range(len(order))]
        for place, row in enumerate(order):
            for name, one, other in zip(NAMES, alone[row], together, strict=True):
                trial.demand(
                    np.array_equal(one[0], other[place]),
                    f"{name} says something else of action {asked.actions[row]} when it is asked again",
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
    for game, asked in _asked(trial):
        trial.note("positions")
        grid = np.arange(trial.points).reshape(game.rows, game.cols)
        seen = [grid[:, ::-1]][: game.num_symmetries - 1]
        if game.num_symmetries > 2:  # noqa: PLR2004 - more than the reflection left to right
            seen += [grid[::-1], grid[::-1, ::-1]]
        if game.num_symmetries > 4:  # noqa: PLR2004 - the turns of a square, too
            seen += [np.rot90(one) for one in (grid, *seen)]
        usual, count = _answers(game, asked), len(asked.actions)
        for points in seen:
            order = points.ravel()
            # No action and the pass, -1 and the last one, stay what they are.
            place = np.array([*np.argsort(order), trial.points, -1])
            turned = asked._replace(
                boards=asked.boards.reshape(count, 2, -1)[:, :, order].reshape(asked.boards.shape),
                actions=place[asked.actions],
            )
            found = _answers(game, turned)
            expected = [
                usual[0].reshape(count, 2, -1)[:, :, order].reshape(count, -1),
                usual[1][:, [*order, len(order)]],
                *usual[2:],
            ]
            for name, one, other in zip(NAMES, found, expected, strict=True):
                trial.demand(
                    np.array_equal(one, other),
                    f"{name} does not keep the symmetries of the board: symmetries must say which are kept",
                )


@law("positions", at_end=True)
def a_position_comes_again_only_if_the_rules_say_so(trial: Trial) -> None:
    """Stones, turn and passes come twice by plays alone only with `may_repeat = True` or `max_moves`."""
    game = trial.game
    if not isinstance(game, OwnGame):
        return
    may_repeat = game.max_moves is not None or game.info.may_repeat(game)
    said = "a position comes again: may_repeat = True must say so, or max_moves limit the game"
    passes = _passes(trial.start)
    met = {(trial.snapshots[0]["planes"], passes)}
    for step, snapshot in zip(trial.steps, trial.snapshots[1:], strict=True):
        if step.verb == "set_turn":
            met.clear()
        passes = min(passes + 1, 2) if step == ("play", trial.points) else 0
        position = (snapshot["planes"], passes)
        trial.demand(may_repeat or position not in met, said)
        met.add(position)
        trial.note("positions")
    # Random games seldom pass so often that passes alone bring a position back, as four of them do.
    idle, passed = game.copy(), 0
    if idle.is_over:
        idle.undo()
    while passed < 4 and idle.action_mask[-1]:  # noqa: PLR2004
        idle.play(trial.points)
        passed += 1
    trial.demand(may_repeat or idle.is_over or passed < 4, said)  # noqa: PLR2004


RULE_LAWS = (
    rules_look_at_the_position_alone,
    rules_keep_the_symmetries_that_they_promise,
    a_position_comes_again_only_if_the_rules_say_so,
)
