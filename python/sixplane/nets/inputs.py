"""The input planes of networks: a position in the view of the player to play.

| name | 1 means |
|---|---|
| `own`, `opponent` | a stone of the player to play, of the other |
| `invalid` | the player to play may not play here |
| `passed` | (whole plane) the previous action was a pass |
| `turn` | (whole plane) white is to play, where the colors have different aims, as in Hex |
| `ones` | (whole plane) always; it shows where the board ends |
| `komi` | (whole plane) 8.1 times the komi for each point, positive for the player who is given it |
| `liberties_1`, `liberties_2`, `liberties_3` | a stone whose chain has so many liberties |
| `own_five`, `opponent_five` | an empty point where a stone of that color makes five in a row |
| `own_four`, `opponent_four` | an empty point where a stone makes four of five in a row, the fifth empty |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import Array, batch
from sixplane._core import Game, Go
from sixplane.games import GAMES, info_of
from sixplane.planes import Plane, liberties

_COMMON: Final = ("own", "opponent", "invalid", "passed", "turn", "ones", "komi")
_LIBERTIES: Final = ("liberties_1", "liberties_2", "liberties_3")
_LINES: Final = ("own_five", "opponent_five", "own_four", "opponent_four")

#: The names of all input planes.
INPUTS: Final = (*_COMMON, *_LIBERTIES, *_LINES)

#: The points of a line.
FIVE: Final = 5

#: Networks see the points of a board as means over it. So the plane of komi is in proportion to the points,
#: and is a tenth of the komi on a board of so many.
KOMI_POINTS: Final = 81

#: What an opponent's stone counts in the sum of five points; an own stone counts 1.
_OPPONENT: Final = 8

#: For each sum of five points, a bit for each of `_LINES` that the empty points among them are in.
_BITS: Final = np.zeros(FIVE * _OPPONENT + 1, np.uint8)
_BITS[[4, 4 * _OPPONENT, 3, 3 * _OPPONENT]] = 1, 2, 4, 8


def check_inputs(names: Sequence[str], game: str) -> None:
    """Makes sure that these are input planes for a game.

    Raises:
        ValueError: a plane does not exist, is not for this game, or is named twice.
    """
    for name in names:
        if name not in INPUTS:
            raise ValueError(f"no input plane is called {name!r}; there are {', '.join(INPUTS)}")
        if name not in _COMMON and name not in GAMES[game].inputs:
            raise ValueError(f"the input plane {name!r} is not for {game}")
    if len(set(names)) < len(names):
        raise ValueError(f"an input plane is named twice: {', '.join(names)}")


def komi_of(game: Game) -> float:
    """Returns the komi that networks are told of a game: 0 unless the game has the plane for it.

    A game of your own may have an option that is called `komi` and is something else.

    Example:
        >>> import sixplane
        >>> komi_of(sixplane.Go(5, komi=6.5)), komi_of(sixplane.Gomoku())
        (6.5, 0.0)
    """
    return cast("Go", game).komi if "komi" in info_of(game).inputs else 0.0


def input_planes(planes: Array, names: Sequence[str], komi: ArrayLike = 0.0) -> NDArray[np.float32]:
    """Returns the input planes of positions.

    Args:
        planes: `(L, 6, rows, cols)`, in absolute colors, as games have them.
        names: the names of C planes, as the table above has them.
        komi: points given to White: one number, or `(L,)`.

    Returns:
        `(L, C, rows, cols)`.

    Raises:
        TypeError, ValueError: the planes or the komi have another type or shape, or a name is not in the
            table.

    Example:
        >>> import sixplane
        >>> game = sixplane.Go(size=2).replay([0])
        >>> input_planes(game.planes[None], ["opponent", "komi"], komi=0.1)
        array([[[[1.    , 0.    ],
                 [0.    , 0.    ]],
        <BLANKLINE>
                [[0.2025, 0.2025],
                 [0.2025, 0.2025]]]], dtype=float32)
    """
    count, _, rows, cols = batch(planes).shape
    given = _checked_komi(komi, count)
    inputs = np.empty((count, len(names), rows, cols), np.float32)
    is_white = planes[:, Plane.TURN, 0, 0] != 0
    turn = is_white.astype(np.intp)
    each = np.arange(count)
    stones = {"own": planes[each, turn], "opponent": planes[each, 1 - turn]}
    lines = _line_planes(stones["own"], stones["opponent"]) if set(names) & set(_LINES) else {}
    counts = liberties(planes) if set(names) & set(_LIBERTIES) else np.empty(0)
    for i, name in enumerate(names):
        if name in stones:
            inputs[:, i] = stones[name]
        elif name in lines:
            inputs[:, i] = lines[name]
        elif name in _LIBERTIES:
            inputs[:, i] = counts == int(name[-1])
        elif name == "invalid":
            inputs[:, i] = planes[:, Plane.INVALID]
        elif name == "passed":
            inputs[:, i] = planes[:, Plane.PASS]
        elif name == "turn":
            inputs[:, i] = planes[:, Plane.TURN]
        elif name == "ones":
            inputs[:, i] = 1
        elif name == "komi":
            tenth = 0.1 * KOMI_POINTS / (rows * cols)
            inputs[:, i] = (given * np.where(is_white, tenth, -tenth))[:, None, None]
        else:
            raise ValueError(f"no input plane is called {name!r}; there are {', '.join(INPUTS)}")
    return inputs


def _checked_komi(komi: ArrayLike, count: int) -> NDArray[np.float64]:
    """Returns the komi of so many positions, or one for all of them."""
    given = np.asarray(komi, np.float64)
    if given.shape not in ((), (count,)):
        raise ValueError(f"komi must be one number or ({count},), not an array of shape {given.shape}")
    return given


def _line_planes(own: Array, opponent: Array) -> dict[str, NDArray[np.bool_]]:
    """Returns the planes of `_LINES`, `(L, rows, cols)` each, from the stones of both players."""
    stones = own.astype(np.uint8) + np.uint8(_OPPONENT) * opponent.astype(np.uint8)
    rows, cols = stones.shape[1:]
    found = np.zeros_like(stones)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        height, width = rows - down * (FIVE - 1), cols - abs(right) * (FIVE - 1)
        if height < 1 or width < 1:
            continue
        # The k-th of five points, for all lines of five at once.
        first = 0 if right >= 0 else FIVE - 1
        starts = [(k * down, first + k * right) for k in range(FIVE)]
        points = [(slice(None), slice(r, r + height), slice(c, c + width)) for r, c in starts]
        total = stones[points[0]] + stones[points[1]]
        for point in points[2:]:
            total += stones[point]
        bits = _BITS[total]
        for point in points:
            found[point] |= bits
    found[stones != 0] = 0
    return {name: (found & (1 << i)).astype(np.bool_) for i, name in enumerate(_LINES)}
