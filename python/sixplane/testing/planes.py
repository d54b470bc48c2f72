"""Laws of the planes and of what is derived from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sixplane.testing.law import law
from sixplane.testing.trial import Trial

BLACK, WHITE, TURN, INVALID, PASS, DONE = range(6)


def is_array(array: object, dtype: str, shape: tuple[int, ...]) -> bool:
    """Returns whether an object is an array of this dtype and shape."""
    return isinstance(array, np.ndarray) and array.dtype.name == dtype and array.shape == shape


@law("positions")
def planes_are_zeros_and_ones(trial: Trial) -> None:
    """The planes are `uint8 (6, rows, cols)`; turn, pass and done have one value everywhere."""
    planes = trial.game.planes
    shape = (6, trial.game.rows, trial.game.cols)
    trial.demand(is_array(planes, "uint8", shape), f"planes are no uint8 array of shape {shape}")
    trial.demand(planes.max() <= 1, "a cell is neither 0 nor 1")
    for plane in (TURN, PASS, DONE):
        trial.demand(planes[plane].min() == planes[plane].max(), f"plane {plane} is not uniform")
    trial.demand(not (planes[BLACK] & planes[WHITE]).any(), "a point has two stones")
    trial.demand(trial.game.num_actions == trial.points + 1, "num_actions is not rows * cols + 1")
    trial.note("positions")


@law("black to play", "white to play")
def the_turn_plane_is_the_turn(trial: Trial) -> None:
    """The turn plane has the value of `turn`: 0 black, 1 white."""
    turn = trial.game.turn
    trial.demand(type(turn) is int and turn in (0, 1), f"turn is {turn!r}")
    trial.demand((trial.game.planes[TURN] == turn).all(), "plane 2 is not the turn")
    trial.note("white to play" if turn else "black to play")


@law("last steps")
def the_pass_plane_is_one_after_a_pass_only(trial: Trial) -> None:
    """The pass plane is 1 if the last action was a pass and no `set_turn` came after it."""
    if trial.steps:
        passed = trial.steps[-1] == ("play", trial.points)
        trial.demand((trial.game.planes[PASS] == passed).all(), "plane 4 does not agree with the last step")
        trial.note("last steps")


@law("stones")
def occupied_points_are_invalid(trial: Trial) -> None:
    """Nobody plays where a stone is."""
    planes = trial.game.planes
    occupied = planes[BLACK] | planes[WHITE]
    trial.demand((planes[INVALID] >= occupied).all(), "plane 3 is 0 at an occupied point")
    trial.note("stones", int(occupied.sum()))


@law("positions")
def the_invalid_plane_is_the_complement_of_the_mask(trial: Trial) -> None:
    """The mask is `int8`, and `legal_actions` are the indices where it is 1, ascending `int64`."""
    game, points = trial.game, trial.points
    mask, legal = game.action_mask, game.legal_actions
    trial.demand(is_array(mask, "int8", (points + 1,)), f"action_mask is no int8 array ({points + 1},)")
    invalid = game.planes[INVALID].ravel()
    trial.demand((mask[:points] == 1 - invalid.astype(np.int8)).all(), "plane 3 is no complement of the mask")
    trial.demand(mask[points] in (0, 1), "the mask of the pass is neither 0 nor 1")
    expected = np.flatnonzero(mask)
    trial.demand(
        is_array(legal, "int64", expected.shape), "legal_actions are no int64 array of the mask's length"
    )
    trial.demand((legal == expected).all(), "legal_actions are not where the mask is 1, ascending")
    trial.note("positions")


@law("running games", "finished games")
def a_finished_game_is_shut_and_a_running_one_open(trial: Trial) -> None:
    """A finished game has an outcome and nothing to play; a running one has no outcome."""
    game = trial.game
    planes, outcome = game.planes, game.outcome
    trial.demand((planes[DONE] == game.is_over).all(), "plane 5 is not is_over")
    trial.demand(type(game.is_over) is bool and type(game.is_truncated) is bool, "a flag is no bool")
    if game.is_over:
        trial.demand(planes[INVALID].all(), "a finished game has a point that is not invalid")
        trial.demand(not game.action_mask.any(), "a finished game has a legal action in its mask")
        trial.demand(not len(game.legal_actions), "a finished game has legal actions")
        trial.demand(outcome in ("black", "white", "draw"), f"a finished game has the outcome {outcome!r}")
        trial.note("finished games")
    else:
        trial.demand(outcome is None, f"a running game has the outcome {outcome!r}")
        trial.demand(not game.is_truncated, "a running game is truncated")
        trial.demand(game.action_mask.any(), "a running game has no legal action")
        trial.note("running games")


@law("arrays")
def arrays_are_fresh_and_writable(trial: Trial) -> None:
    """No two arrays share memory, each is C-contiguous, and writing to one does not change the game."""
    game = trial.game
    names = ("planes", "action_mask", "legal_actions", "actions", "history_planes")

    def read(name: str) -> NDArray[np.integer]:
        array: NDArray[np.integer] = (
            game.history_planes(2) if name == "history_planes" else getattr(game, name)
        )
        return array

    for name in names:
        array, again = read(name), read(name)
        trial.demand(not np.shares_memory(array, again), f"two arrays of {name} share memory")
        flags = array.flags
        trial.demand(flags.writeable and flags.c_contiguous, f"{name} is not writable and C-contiguous")
        array.fill(7)
        trial.demand(np.array_equal(read(name), again), f"writing to {name} changed the game")
        trial.note("arrays")


@law("earlier boards", "boards before the start")
def history_planes_are_the_boards_of_the_last_actions(trial: Trial) -> None:
    """The history has the stones of both players, now and before, the player to play first; then the turn."""
    game, boards = trial.game, trial.boards
    known = len(boards)
    for k in {1, 2, trial.rng.randint(1, 9), known + 2}:
        expected = np.zeros((2 * k + 1, game.rows, game.cols), np.uint8)
        for back, board in enumerate(reversed(boards[-k:])):
            expected[2 * back : 2 * back + 2] = board[::-1] if game.turn else board
        expected[-1] = game.turn
        found = game.history_planes(k)
        trial.demand(
            is_array(found, "uint8", expected.shape), f"history_planes({k}) is no uint8 array (2k+1, ...)"
        )
        trial.demand((found == expected).all(), f"history_planes({k}) are not the boards of the last actions")
        trial.note("earlier boards", min(k, known) - 1)
        trial.note("boards before the start", max(k - known, 0))
    for bad in (0, -1):
        with trial.raises(ValueError, f"history_planes({bad})"):
            game.history_planes(bad)
    for wrong in (1.0, None, True):
        with trial.raises(TypeError, f"history_planes({wrong})"):
            game.history_planes(wrong)
