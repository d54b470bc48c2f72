"""Laws of playing and taking back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sixplane.errors import IllegalActionError
from sixplane.testing.law import law
from sixplane.testing.scene import sight, stones

if TYPE_CHECKING:
    from sixplane.testing.scene import Scene

__all__ = ["REASONS"]

#: Why an action of the games of sixplane may be refused.
REASONS: Final = (
    "game_over", "off_board", "pass_not_allowed", "occupied", "suicide", "ko", "superko", "no_flip",
)  # fmt: skip

INTEGERS: Final = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


class Index:
    """An integer of a caller's own type."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


@law("legal actions", "illegal actions")
def the_mask_agrees_with_play(scene: Scene) -> None:
    """What the mask allows can be played, and nothing else can."""
    mask = scene.game.action_mask
    for action in scene.some_actions():
        error = scene.refusal(scene.game.copy(), action)
        legal = error is None
        scene.demand(
            legal == mask[action], f"the mask of action {action} is {mask[action]}; play gave {error!r}"
        )
        scene.note("legal actions" if legal else "illegal actions")


@law("illegal plays")
def an_illegal_play_changes_nothing(scene: Scene) -> None:
    """The game goes on as if it had never been offered."""
    game, before = scene.game, scene.sights[-1]
    twin, mask = game.copy(), game.action_mask
    offers = [action for action in scene.some_actions() if not mask[action]]
    for action in [*offers, -1, scene.points + 1]:
        if scene.refusal(game, action) is not None:
            scene.note("illegal plays")
    scene.demand_same(sight(game), before, "after illegal plays")
    scene.demand(game == twin, "after illegal plays, the game is not equal to its copy")


@law("off the board", "occupied", "the game is over")
def the_reason_is_the_first_that_holds(scene: Scene) -> None:
    """Over, off the board, a pass that is not allowed, occupied, then the rules of the game."""
    game, points = scene.game, scene.points
    mask, occupied = game.action_mask, game.planes[:2].any(axis=0).ravel()
    beyond: list[Any] = [
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
    for action in [*scene.some_actions(), *beyond]:
        on_board = 0 <= action <= points
        if on_board and mask[int(action)]:
            continue
        error = scene.refusal(game.copy(), action)
        reason = None if error is None else error.reason
        if not on_board:
            # Beyond the board of a finished game, both reasons tell the truth.
            scene.demand(
                reason == "off_board" or (game.is_over and reason == "game_over"),
                f"action {action} was refused because of {reason}, not off_board",
            )
            scene.note("off the board")
            continue
        expected = None
        if game.is_over:
            expected = "game_over"
            scene.note("the game is over")
        elif action == points:
            expected = "pass_not_allowed"
        elif occupied[action]:
            expected = "occupied"
            scene.note("occupied")
        if expected is not None:
            scene.demand(
                reason == expected, f"action {action} was refused because of {reason}, not {expected}"
            )
        first = ("game_over", "off_board", "pass_not_allowed", "occupied")
        scene.demand(
            reason in scene.reasons and (expected is not None or reason not in first),
            f"action {action} was refused because of {reason}",
        )


@law("integers", "other types")
def every_integer_is_an_action_and_nothing_else_is(scene: Scene) -> None:
    """Integers of any type with `__index__`; but a bool, a float, None or a text is no action."""
    action = scene.some_legal_action()
    if action is None:
        return
    expected = scene.game.copy()
    expected.play(action)
    integers: list[Any] = [np.dtype(name).type(action) for name in INTEGERS if action <= np.iinfo(name).max]
    for integer in [*integers, np.array(action), Index(action)]:
        twin = scene.game.copy()
        try:
            twin.play(integer)
        except (TypeError, ValueError) as error:
            scene.demand(False, f"play({integer!r}) of {type(integer)} raised {error!r}")
        scene.demand(twin == expected, f"play({integer!r}) of {type(integer)} is not play({action})")
        scene.note("integers")
    others: list[Any] = [
        None, True, False, np.True_, float(action), np.float64(action), math.nan, 1j, str(action), b"0",
        [action], (action,), {}, object(),
    ]  # fmt: skip
    twin = scene.game.copy()
    for other in others:
        with scene.raises(TypeError, f"play({other!r})"):
            twin.play(other)
        scene.note("other types")
    scene.demand_same(sight(twin), scene.sights[-1], "after plays that are no integers")


@law("actions")
def the_turn_flips_after_every_action(scene: Scene) -> None:
    """Also after a pass, and after the action that ends the game."""
    if scene.steps and scene.steps[-1].verb == "play":
        before = scene.sights[-2]["turn"]
        scene.demand(scene.game.turn == 1 - before, "the turn did not flip after the last action")
        scene.note("actions")


@law("actions")
def the_actions_are_what_was_played(scene: Scene) -> None:
    """`actions`, `last_action` and `move_number` tell the actions, passes included."""
    game = scene.game
    played = [step.value for step in scene.steps if step.verb == "play"]
    expected = [*scene.start.actions.tolist(), *played]
    scene.demand(game.actions.dtype.name == "int64" and game.actions.ndim == 1, "actions are no int64 (n,)")
    scene.demand(game.actions.tolist() == expected, f"actions are {game.actions.tolist()}")
    last = expected[-1] if expected else None
    scene.demand(game.last_action == last, f"last_action is {game.last_action!r}, not {last!r}")
    scene.demand(
        game.move_number == len(expected), f"move_number is {game.move_number!r}, not {len(expected)}"
    )
    scene.note("actions", len(played))


@law("actions withdrawn")
def undo_is_the_inverse_of_play(scene: Scene) -> None:
    """Whatever was played, `undo` gives what was there before."""
    game, before = scene.game.copy(), scene.sights[-1]
    for action in scene.some_actions(8):
        if scene.refusal(game, action) is None:
            game.undo()
            scene.demand_same(sight(game), before, f"after play({action}) and undo()")
            scene.demand(
                game == scene.game, f"after play({action}) and undo(), the game is not equal to itself"
            )
            scene.note("actions withdrawn")


@law("steps withdrawn", "starts", at_end=True)
def every_step_can_be_taken_back_and_taken_again(scene: Scene) -> None:
    """All the way to the start of the game that was given, and back to the same end."""
    game = scene.game.copy()
    for step, expected in zip(reversed(scene.steps), reversed(scene.sights[:-1]), strict=True):
        game.undo()
        scene.demand_same(sight(game), expected, f"after undo() of {step}")
        scene.note("steps withdrawn")
    scene.demand(game == scene.start, "after undo() of all steps, the game is not the one it began with")
    for step in scene.steps:
        step.take(game)
    scene.demand(game == scene.game, "taken back and taken again, the game is not equal")
    scene.demand_same(sight(game), scene.sights[-1], "taken back and taken again")
    origin = game.replay([])
    with scene.raises(ValueError, "undo() at the start"):
        origin.undo()
    scene.note("starts")


@law("turns set", "the turn set to what it was")
def set_turn_is_one_step_and_no_action(scene: Scene) -> None:
    """It clears the pass, leaves stones and actions alone, and one `undo` withdraws it."""
    before = scene.sights[-1]
    if scene.game.is_over:
        with scene.raises(IllegalActionError, "set_turn(0) of a finished game"):
            scene.game.set_turn(0)
        return
    for turn, color in enumerate(("black", "white")):
        game = scene.game.copy()
        game.set_turn(color)
        twin = scene.game.copy()
        twin.set_turn(turn)
        scene.demand(twin == game, f"set_turn({turn}) is not set_turn({color!r})")
        scene.demand(game != scene.game, f"set_turn({color!r}) left an equal game")
        scene.demand(game.turn == turn, f"set_turn({color!r}) left the turn {game.turn}")
        scene.demand(not game.planes[4].any(), f"set_turn({color!r}) left the pass plane")
        scene.demand(stones(game) == stones(scene.game), f"set_turn({color!r}) changed stones")
        now = sight(game)
        for name in ("actions", "last_action", "move_number"):
            scene.demand(now[name] == before[name], f"set_turn({color!r}) changed {name}")
        game.undo()
        scene.demand_same(sight(game), before, f"after set_turn({color!r}) and undo()")
        scene.demand(
            game == scene.game, f"after set_turn({color!r}) and undo(), the game is not equal to itself"
        )
        scene.note("turns set")
        scene.note("the turn set to what it was", int(turn == before["turn"]))
    game = scene.game.copy()
    for bad in (2, -1, "green", None, 0.0, True):
        with scene.raises((TypeError, ValueError), f"set_turn({bad!r})"):
            game.set_turn(bad)
    scene.demand_same(sight(game), before, "after set_turn of no color")


@law("resignations", "finished games")
def a_resignation_ends_the_game_and_is_no_action(scene: Scene) -> None:
    """The other player wins, nothing else changes, and one `undo` withdraws it."""
    before = scene.sights[-1]
    if scene.game.is_over:
        with scene.raises(IllegalActionError, "resign() of a finished game"):
            scene.game.resign()
        scene.demand_same(sight(scene.game), before, "after a resignation that was refused")
        scene.note("finished games")
        return
    colors = ("black", "white")
    for color in (None, *colors, 0, 1):
        game = scene.game.copy()
        game.resign(color)
        loser = game.turn if color is None else color if isinstance(color, int) else colors.index(color)
        scene.demand(game.is_over and not game.is_truncated, f"resign({color!r}) did not end the game")
        scene.demand(
            game.outcome == colors[1 - loser], f"resign({color!r}) gave the outcome {game.outcome!r}"
        )
        planes = game.planes
        scene.demand(planes[3].all() and planes[5].all(), f"resign({color!r}) left plane 3 or 5 below 1")
        scene.demand(not game.action_mask.any(), f"resign({color!r}) left a legal action")
        now = sight(game)
        for name in ("actions", "last_action", "move_number", "turn", "score", "hash"):
            scene.demand(now[name] == before[name], f"resign({color!r}) changed {name}")
        kept = [0, 1, 2, 4]
        scene.demand((planes[kept] == scene.game.planes[kept]).all(), f"resign({color!r}) changed planes")
        game.undo()
        scene.demand_same(sight(game), before, f"after resign({color!r}) and undo()")
        scene.demand(
            game == scene.game, f"after resign({color!r}) and undo(), the game is not equal to itself"
        )
        scene.note("resignations")


@law("finished games")
def the_outcome_is_the_sign_of_the_score(scene: Scene) -> None:
    """However the game ended but for a resignation; the score is black's view."""
    score = scene.game.score()
    scene.demand(isinstance(score, float) and math.isfinite(score), f"score() is {score!r}")
    if scene.game.is_over:
        expected = "draw" if score == 0 else "black" if score > 0 else "white"
        scene.demand(
            scene.game.outcome == expected, f"the outcome of score {score} is {scene.game.outcome!r}"
        )
        scene.note("finished games")


@law("games cut off", needs=("from_planes",), at_end=True)
def max_moves_cuts_the_game_off(scene: Scene) -> None:
    """On that action, unless the rules end the game on it; the outcome is the score's."""
    planes, make = scene.start.planes, type(scene.game).from_planes
    played = sum(step.verb == "play" for step in scene.steps)
    for limit in {1, max(played, 1), scene.dice.randint(1, played + 1)}:
        free, game = scene.start.copy(), make(planes, **{**scene.rules, "max_moves": limit})
        for step in scene.steps:
            scene.demand(
                not game.is_over, f"max_moves={limit} ended the game after {game.move_number} actions"
            )
            step.take(free)
            step.take(game)
            if game.move_number == limit:
                break
        else:
            continue
        scene.demand(game.is_over, f"max_moves={limit} did not end the game")
        by_rules = free.is_over and not free.is_truncated
        scene.demand(
            game.is_truncated != by_rules, f"max_moves={limit} left is_truncated {game.is_truncated}"
        )
        score = game.score()
        expected = "draw" if score == 0 else "black" if score > 0 else "white"
        scene.demand(
            game.outcome == expected, f"max_moves={limit} gave score {score} the outcome {game.outcome!r}"
        )
        scene.note("games cut off", int(not by_rules))
