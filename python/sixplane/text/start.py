"""Where a game begins: from a record, and after random moves."""

from __future__ import annotations

import random
import re
import warnings
from os import PathLike
from pathlib import Path
from typing import Any, Final

from sixplane import sgf
from sixplane._arguments import integer, one_of, seed_of
from sixplane._core import Game
from sixplane._files import read_file
from sixplane.games.plays import actions_of_moves
from sixplane.match.openings import random_openings

#: What a row of a dataset may say of a start.
ROW: Final = ("seed", "color", "start", "move_number", "opening_moves")

SEATS: Final = ("black", "white", "random", "to_play")

#: How a record begins; a path has nothing such.
RECORD: Final = re.compile(r"\(\s*;")


def checked(given: dict[str, Any]) -> dict[str, Any]:
    """Returns what a row or the options say of a start, if each has such a value.

    Raises:
        TypeError, ValueError: one has not.
    """
    one_of("color", given["color"], SEATS)
    start = given["start"]
    if start is not None and not isinstance(start, str | PathLike):
        raise TypeError(f"start must be a path, the text of a record or None, not {type(start).__name__}")
    if start is not None and not str(start).strip():
        raise ValueError("start is empty: give a path, the text of a record or None")
    if given["seed"] is not None:
        given["seed"] = seed_of(given["seed"])
    for name in ("move_number", "opening_moves"):
        if given[name] is not None:
            given[name] = integer(name, given[name], 0)
    return given


def opened(game: Game, given: dict[str, Any], seed: int) -> Game:
    """Returns the game at the model's start: after a record, if one is given, and random moves.

    Raises:
        ValueError: the record has fewer moves, is one of another game, or leads to the end of the game.
        OSError: the record cannot be read.
    """
    start, moves, game, counts = given["start"], given["move_number"], game.copy(), [0]
    if start is not None:
        is_text = isinstance(start, str) and RECORD.search(start)
        text = start if is_text else read_file(Path(start))
        limit = {} if game.max_moves is None else {"max_moves": game.max_moves}
        root = sgf.parse(text).games[0]
        game, found = root.follow(usual=game, **limit)
        counts = actions_of_moves(root, game)
        for warning in found:
            warnings.warn(warning, stacklevel=3)
    if moves is not None:
        if moves >= len(counts):
            raise ValueError(f"move_number is {moves}, but the record has {len(counts) - 1} moves")
        while game.move_number > counts[moves] or game.ending == "resignation":
            game.undo()
    if game.is_over:
        raise ValueError("the game is over at its start: give a smaller move_number")
    opening_seed = random.Random(f"{seed}/opening").getrandbits(62)
    (opening,) = random_openings(game, 1, given["opening_moves"] or 0, opening_seed)
    for action in opening:
        game.play(action)
    return game
