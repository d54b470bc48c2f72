"""Board games whose whole state is six planes.

A state is a `uint8` array `(6, rows, cols)` of zeros and ones:

| # | plane | 1 means |
|---|---|---|
| 0 | black | a black stone is here |
| 1 | white | a white stone is here |
| 2 | turn | (whole plane) white is to play |
| 3 | invalid | the player to play may **not** play here |
| 4 | pass | (whole plane) the previous action was a pass |
| 5 | done | (whole plane) the game is over |

An action is the integer `row * cols + col`, row 0 at the top; `rows * cols` is a pass.

Importing sixplane registers its environments with Gymnasium, if version 1.1 or newer is installed.
"""

from sixplane._core import GameBatch, Go, Gomoku, Reversi, __version__
from sixplane.envs.registration import register_environments
from sixplane.errors import IllegalActionError, SGFError
from sixplane.masks import sample_legal
from sixplane.sgf import read_sgf

__all__ = [
    "GameBatch",
    "Go",
    "Gomoku",
    "IllegalActionError",
    "Reversi",
    "SGFError",
    "__version__",
    "read_sgf",
    "sample_legal",
]

register_environments()
del register_environments
