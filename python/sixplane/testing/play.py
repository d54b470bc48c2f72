"""Laws of playing and of taking back."""

from __future__ import annotations

import math
from typing import Final, SupportsIndex

import numpy as np

from sixplane.errors import IllegalActionError
from sixplane.testing.law import law
from sixplane.testing.trial import Trial, snapshot, stones

#: The reasons for which the games of sixplane refuse an action.
REASONS: Final = (
    "game_over", "off_board", "pass_not_allowed", "occupied", "suicide", "ko", "superko", "no_flip",
    "no_support",
)  # fmt: skip

INTEGERS: Final = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


class Index:
    """An integer of a caller's own type."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


@law("legal actions", "illegal actions")
def the_mask_agrees_with_play(trial: Trial) -> None:
    """What the mask allows can be played, and nothing else can."""
    mask = trial.game.action_mask
    for action in trial.some_actions():
        error = trial.refusal(trial.game.copy(), action)
        legal = error is None
        trial.demand(
            legal == mask[action], f"the mask of action {action} is {mask[action]}; play gave {error!r}"
        )
        trial.note("legal actions" if legal else "illegal actions")


@law("illegal plays")
def an_illegal_play_changes_nothing(trial: Trial) -> None:
    """The game goes on as if an illegal action had never been offered."""
    game, before = trial.game, trial.snapshots[-1]
    twin, mask = game.copy(), game.action_mask
    offers = [action for action in trial.some_actions() if not mask[action]]
    for action in [*offers, -1, trial.points + 1]:
        if trial.refusal(game, action) is not None:
            trial.note("illegal plays")
    trial.demand_same(snapshot(game), before, "after illegal plays")
    trial.demand(game == twin, "after illegal plays, the game is not equal to its copy")


@law("off the board", "occupied", "the game is over")
def the_reason_is_the_first_that_holds(trial: Trial) -> None:
    """The order of reasons is: over, off the board, a pass that is not allowed, occupied, the rules."""
    game, points = trial.game, trial.points
    mask, occupied = game.action_mask, game.planes[:2].any(axis=0).ravel()
    beyond: list[int | np.int64 | np.uint64] = [
        -1,
        points + 1,
        points + 64,
        2**31,
        2**32,
        2**63,
        2**64,
        -(10**40),
        np.int64(-2),
        np.uint64(2**63),
    ]
    for action in [*trial.some_actions(), *beyond]:
        on_board = 0 <= action <= points
        if on_board and mask[int(action)]:
            continue
        error = trial.refusal(game.copy(), action)
        reason = None if error is None else error.reason
        if not on_board:
            # Beyond the board of a finished game, both reasons tell the truth.
            trial.demand(
                reason == "off_board" or (game.is_over and reason == "game_over"),
                f"action {action} was refused because of {reason}, not off_board",
            )
            trial.note("off the board")
            continue
        expected = None
        if game.is_over:
            expected = "game_over"
            trial.note("the game is over")
        elif action == points:
            expected = "pass_not_allowed"
        elif occupied[action]:
            expected = "occupied"
            trial.note("occupied")
        if expected is not None:
            trial.demand(
                reason == expected, f"action {action} was refused because of {reason}, not {expected}"
            )
        first = ("game_over", "off_board", "pass_not_allowed", "occupied")
        trial.demand(
            reason in trial.reasons and (expected is not None or reason not in first),
            f"action {action} was refused because of {reason}",
        )


@law("integers", "other types")
def every_integer_is_an_action_and_nothing_else_is(trial: Trial) -> None:
    """Any type with `__index__` is an action, but a bool, a float, None or a text is refused."""
    action = trial.some_legal_action()
    if action is None:
        return
    expected = trial.game.copy()
    expected.play(action)
    integers: list[SupportsIndex] = [
        np.dtype(name).type(action) for name in INTEGERS if action <= np.iinfo(name).max
    ]
    for integer in [*integers, np.array(action), Index(action)]:
        twin = trial.game.copy()
        try:
            twin.play(integer)
        except (TypeError, ValueError) as error:
            trial.demand(False, f"play({integer!r}) of {type(integer)} raised {error!r}")
        trial.demand(twin == expected, f"play({integer!r}) of {type(integer)} is not play({action})")
        trial.note("integers")
    others: list[object] = [
        None, True, False, np.True_, float(action), np.float64(action), math.nan, 1j, str(action), b"0",
        [action], (action,), {}, object(),
    ]  # fmt: skip
    twin = trial.game.copy()
    for other in others:
        with trial.raises(TypeError, f"play({other!r})"):
            twin.play(other)
        trial.note("other types")
    trial.demand_same(snapshot(twin), trial.snapshots[-1], "after plays that are no integers")


@law("actions")
def the_turn_flips_after_every_action(trial: Trial) -> None:
    """The turn flips after every action, a pass and the last one included."""
    if trial.steps and trial.steps[-1].verb == "play":
        before = trial.snapshots[-2]["turn"]
        trial.demand(before == 1 - trial.game.turn, "the turn did not flip after the last action")
        trial.note("actions")


@law("actions")
def the_actions_are_what_was_played(trial: Trial) -> None:
    """The members `actions`, `last_action` and `move_number` include passes."""
    game = trial.game
    played = [step.value for step in trial.steps if step.verb == "play"]
    expected = [*trial.start.actions.tolist(), *played]
    trial.demand(game.actions.dtype.name == "int64" and game.actions.ndim == 1, "actions are no int64 (n,)")
    trial.demand(game.actions.tolist() == expected, f"actions are {game.actions.tolist()}")
    last = expected[-1] if expected else None
    trial.demand(game.last_action == last, f"last_action is {game.last_action!r}, not {last!r}")
    trial.demand(
        game.move_number == len(expected), f"move_number is {game.move_number!r}, not {len(expected)}"
    )
    trial.note("actions", len(played))


@law("actions withdrawn")
def undo_is_the_inverse_of_play(trial: Trial) -> None:
    """After any action, `undo` brings back what was there before."""
    game = trial.game.copy()
    for action in trial.some_actions(8):
        if trial.refusal(game, action) is None:
            game.undo()
            trial.demand_undone(game, f"play({action})")
            trial.note("actions withdrawn")


@law("steps withdrawn", "starts", at_end=True)
def every_step_can_be_taken_back_and_taken_again(trial: Trial) -> None:
    """All steps can be taken back to the game that was given, and from there again to the same end."""
    game = trial.game.copy()
    for step, expected in zip(reversed(trial.steps), reversed(trial.snapshots[:-1]), strict=True):
        game.undo()
        trial.demand_same(snapshot(game), expected, f"after undo() of {step}")
        trial.note("steps withdrawn")
    trial.demand(game == trial.start, "after undo() of all steps, the game is not the one it began with")
    for step in trial.steps:
        step.take(game)
    trial.demand(game == trial.game, "taken back and taken again, the game is not equal")
    trial.demand_same(snapshot(game), trial.snapshots[-1], "taken back and taken again")
    origin = game.replay([])
    with trial.raises(ValueError, "undo() at the start"):
        origin.undo()
    trial.note("starts")


@law("turns set", "the turn set to what it was")
def set_turn_is_one_step_and_no_action(trial: Trial) -> None:
    """A set turn clears the pass plane, leaves stones and actions alone, and is withdrawn by one `undo`."""
    before = trial.snapshots[-1]
    if trial.game.is_over:
        with trial.raises(IllegalActionError, "set_turn(0) of a finished game"):
            trial.game.set_turn(0)
        return
    for turn, color in enumerate(("black", "white")):
        game = trial.game.copy()
        game.set_turn(color)
        twin = trial.game.copy()
        twin.set_turn(turn)
        trial.demand(twin == game, f"set_turn({turn}) is not set_turn({color!r})")
        trial.demand(game != trial.game, f"set_turn({color!r}) left an equal game")
        trial.demand(game.turn == turn, f"set_turn({color!r}) left the turn {game.turn}")
        trial.demand(not game.planes[4].any(), f"set_turn({color!r}) left the pass plane")
        trial.demand(stones(game) == stones(trial.game), f"set_turn({color!r}) changed stones")
        kept = {name: before[name] for name in ("actions", "last_action", "move_number")}
        trial.demand_same(snapshot(game), kept, f"after set_turn({color!r})")
        game.undo()
        trial.demand_undone(game, f"set_turn({color!r})")
        trial.note("turns set")
        trial.note("the turn set to what it was", int(turn == before["turn"]))
    game = trial.game.copy()
    for bad in (2, -1, "green", None, 0.0, True):
        with trial.raises((TypeError, ValueError), f"set_turn({bad!r})"):
            game.set_turn(bad)
    trial.demand_same(snapshot(game), before, "after set_turn of no color")


@law("resignations", "finished games")
def a_resignation_ends_the_game_and_is_no_action(trial: Trial) -> None:
    """After a resignation the other player wins, nothing else changes, and one `undo` withdraws it."""
    before = trial.snapshots[-1]
    if trial.game.is_over:
        with trial.raises(IllegalActionError, "resign() of a finished game"):
            trial.game.resign()
        trial.demand_same(snapshot(trial.game), before, "after a resignation that was refused")
        trial.note("finished games")
        return
    colors = ("black", "white")
    for color in (None, *colors, 0, 1):
        game = trial.game.copy()
        game.resign(color)
        loser = game.turn if color is None else color if isinstance(color, int) else colors.index(color)
        trial.demand(game.is_over and not game.is_truncated, f"resign({color!r}) did not end the game")
        trial.demand(
            game.outcome == colors[1 - loser], f"resign({color!r}) gave the outcome {game.outcome!r}"
        )
        planes = game.planes
        trial.demand(planes[3].all() and planes[5].all(), f"resign({color!r}) left plane 3 or 5 below 1")
        trial.demand(not game.action_mask.any(), f"resign({color!r}) left a legal action")
        names = ("actions", "last_action", "move_number", "turn", "score", "hash")
        trial.demand_same(snapshot(game), {name: before[name] for name in names}, f"after resign({color!r})")
        kept = [0, 1, 2, 4]
        trial.demand((planes[kept] == trial.game.planes[kept]).all(), f"resign({color!r}) changed planes")
        game.undo()
        trial.demand_undone(game, f"resign({color!r})")
        trial.note("resignations")


@law("finished games")
def the_outcome_is_the_sign_of_the_score(trial: Trial) -> None:
    """The outcome is the sign of the score from Black's view, unless a player has resigned."""
    score = trial.game.score()
    trial.demand(isinstance(score, float) and math.isfinite(score), f"score() is {score!r}")
    if trial.game.is_over:
        expected = "draw" if score == 0 else "black" if score > 0 else "white"
        trial.demand(
            trial.game.outcome == expected, f"the outcome of score {score} is {trial.game.outcome!r}"
        )
        trial.note("finished games")


@law("games cut off", needs=("from_planes",), at_end=True)
def max_moves_cuts_the_game_off(trial: Trial) -> None:
    """The game ends with the action number `max_moves`; unless the rules end it there, the score decides."""
    planes, make = trial.start.planes, type(trial.game).from_planes
    played = sum(step.verb == "play" for step in trial.steps)
    for limit in {1, max(played, 1), trial.rng.randint(1, played + 1)}:
        free, game = trial.start.copy(), make(planes, **{**trial.rules, "max_moves": limit})
        for step in trial.steps:
            trial.demand(
                not game.is_over, f"max_moves={limit} ended the game after {game.move_number} actions"
            )
            step.take(free)
            step.take(game)
            if game.move_number == limit:
                break
        else:
            continue
        trial.demand(game.is_over, f"max_moves={limit} did not end the game")
        by_rules = free.is_over and not free.is_truncated
        trial.demand(
            game.is_truncated != by_rules, f"max_moves={limit} left is_truncated {game.is_truncated}"
        )
        score = game.score()
        expected = "draw" if score == 0 else "black" if score > 0 else "white"
        trial.demand(
            game.outcome == expected, f"max_moves={limit} gave score {score} the outcome {game.outcome!r}"
        )
        trial.note("games cut off", int(not by_rules))
