"""Gymnasium environments of all games, such as `sixplane/Go-v0` and `sixplane/ConnectFour-v0`.

| module | what is there |
|---|---|
| `single`, `vector` | the environments of one game and of many |
| `autoreset` | when a finished game of a vector starts again |
| `opponent`, `vector_opponent` | an agent in one seat |
| `one_call` | refuses a call while another one runs |
| `climb` | the opponent `ladder:auto`, which goes up and down with the learner's results |
| `making` | what `gymnasium.make` and `make_vec` call |
| `mask_in_observation` | the action mask in the observation, for other libraries |
| `settings`, `resets`, `rendering` | options, arguments of `reset`, rendering |

Raises:
    ImportError: at the import of this package or of a module of it, if Gymnasium is missing
        (`pip install 'sixplane[gym]'`) or too old.
"""

from __future__ import annotations

import sixplane._gymnasium  # noqa: F401 - says what is missing
from sixplane.envs.climb import Climb, ClimbingOpponent
from sixplane.envs.making import register_game
from sixplane.envs.mask_in_observation import MaskInObservation, VectorMaskInObservation
from sixplane.envs.opponent import VsOpponent
from sixplane.envs.vector_opponent import VectorVsOpponent

__all__ = [
    "Climb",
    "ClimbingOpponent",
    "MaskInObservation",
    "VectorMaskInObservation",
    "VectorVsOpponent",
    "VsOpponent",
    "register_game",
]
