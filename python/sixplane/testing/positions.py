"""Laws of members that only some classes offer: games from positions and from records."""

from __future__ import annotations

import numpy as np

from sixplane.testing.law import law
from sixplane.testing.trial import Trial, snapshot


@law("positions", needs=("from_planes",))
def from_planes_gives_the_planes(trial: Trial) -> None:
    """A game from planes has these planes, their mask, turn and score, and that board as its history."""
    planes = trial.game.planes
    game = type(trial.game).from_planes(planes, **trial.rules)
    trial.demand(np.array_equal(game.planes, planes), "from_planes(planes) has other planes")
    now = snapshot(game)
    for name in ("action_mask", "legal_actions", "turn", "is_over", "score"):
        trial.demand(now[name] == trial.snapshots[-1][name], f"in from_planes(planes), {name} differs")
    trial.demand(game.move_number == 0 and game.last_action is None, "from_planes(planes) has actions")
    with trial.raises(ValueError, "undo() at the start of from_planes(planes)"):
        game.undo()
    trial.note("positions")


@law("planes refused", needs=("from_planes",))
def impossible_planes_are_refused(trial: Trial) -> None:
    """Planes are refused with two stones on a point, cells beyond 1, two turns at once, or a wrong shape."""
    make = type(trial.game).from_planes
    planes = trial.game.planes
    both, beyond, uneven = planes.copy(), planes.copy(), planes.copy()
    both[:2, 0, 0] = 1
    beyond[0, 0, 0] = 2
    uneven[2, 0, 0] = 1 - uneven[2, 0, 0]
    wrong = {
        "a point with two stones": both,
        "a cell of 2": beyond,
        "a turn plane that is not uniform": uneven,
        "five planes": planes[:5],
    }
    for what, given in wrong.items():
        with trial.raises(ValueError, f"from_planes of {what}"):
            make(given, **trial.rules)
        trial.note("planes refused")


@law("positions", needs=("from_stones", "from_text"))
def from_stones_and_from_text_give_the_board(trial: Trial) -> None:
    """Stones as actions and as rows of `X O .` make two equal games with this board and turn."""
    if trial.game.is_over:
        return
    game, size = trial.game, (trial.game.rows, trial.game.cols)
    black, white = (np.flatnonzero(plane).tolist() for plane in game.planes[:2])
    made = type(game).from_stones(black, white, turn=game.turn, size=size, **trial.rules)
    signs = np.full(trial.points, ".")
    signs[black], signs[white] = "X", "O"
    text = "\n".join(" ".join(row) for row in signs.reshape(size))
    drawn = type(game).from_text(text, turn=game.turn, **trial.rules)
    trial.demand(np.array_equal(made.planes[:3], game.planes[:3]), "from_stones has other stones or turn")
    trial.demand(drawn == made, "from_text is not equal to from_stones")
    trial.demand(made.hash == game.hash and made.move_number == 0, "from_stones has another hash or actions")
    trial.note("positions")


@law("records", "records of resignations", needs=("to_sgf", "from_sgf"), at_end=True)
def a_record_gives_the_game_back(trial: Trial) -> None:
    """The game `from_sgf(to_sgf())` is equal, set turns and resignation included."""
    read = type(trial.game).from_sgf
    resigned = trial.game.copy()
    if resigned.is_over:
        resigned.undo()
    resigned.resign(trial.rng.choice((0, 1)))
    for premise, game in (("records", trial.game), ("records of resignations", resigned)):
        text = game.to_sgf()
        again = read(text, **trial.rules)
        trial.demand(again == game, f"the game read from {text!r} is not equal")
        trial.demand_same(snapshot(again), snapshot(game), f"in the game read from {text!r}")
        trial.demand(again.to_sgf() == text, f"the record written again is not {text!r}")
        trial.note(premise)
