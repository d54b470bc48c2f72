"""What the tests of errors share: the texts of the messages, and how a refusal is caught."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sixplane import Go, IllegalActionError

# Callers who do not read the types.
ANY_GO: Any = Go

SIZE = "rows and columns must each be from 2 to 25"
KOMI = "komi must be a multiple of 0.5 between -1000 and 1000"
KO = 'ko must be one of "simple", "positional", "situational"'
COLOR = 'a color must be 0, 1, "black" or "white"'
COLOR_TYPE = 'a color (0, 1, "black" or "white") must be an integer, not '
MAX_MOVES = "max_moves must be from 1 to 4294967295, not "
OFF_BOARD = "is off the board: on 5x5 an action is 0 to 25, the last one the pass"
NO_NAME = 'names no action on 5x5: the points are A5 (top left) to E1 (bottom right), or "pass"'


def raises(error: type[Exception], message: str) -> Any:
    """Expects an error whose message contains this text."""
    return pytest.raises(error, match=re.escape(message))


KO_SHAPE = ". . . . .\n. X O . .\nX O . O .\n. X O . .\n. . . . ."


def reason_of(game: Go, action: int) -> tuple[str, str]:
    """Why an action is refused: the reason and the message."""
    before = game.copy()
    with pytest.raises(IllegalActionError) as error:
        game.play(action)
    assert game == before
    assert isinstance(error.value, ValueError)
    return error.value.reason, str(error.value)
