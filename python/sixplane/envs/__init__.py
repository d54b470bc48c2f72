"""Gymnasium environments of all games: `sixplane/Go-v0`, `sixplane/Reversi-v0`, `sixplane/Gomoku-v0`.

| module | what is there |
|---|---|
| `single`, `vector` | the environments of one game and of many |
| `autoreset` | when a finished game of a vector starts again |
| `opponent`, `vector_opponent` | an agent in one seat |
| `making` | what `gymnasium.make` and `make_vec` call |
| `mask_in_observation` | the action mask in the observation, for other libraries |
| `settings`, `resets`, `rendering` | options, arguments of `reset`, rendering |

Raises:
    ImportError: at the import of this package or of a module of it, if Gymnasium is missing
        (`pip install 'sixplane[gym]'`) or too old.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

import sixplane._gymnasium  # noqa: F401 - says what is missing

if TYPE_CHECKING:
    from sixplane.envs.mask_in_observation import MaskInObservation, VectorMaskInObservation
    from sixplane.envs.opponent import VsOpponent
    from sixplane.envs.vector_opponent import VectorVsOpponent

__all__ = ["MaskInObservation", "VectorMaskInObservation", "VectorVsOpponent", "VsOpponent"]

#: Where each class is. They are imported when they are asked for: some need modules that need others.
_MODULES: Final = {
    "MaskInObservation": "mask_in_observation",
    "VectorMaskInObservation": "mask_in_observation",
    "VectorVsOpponent": "vector_opponent",
    "VsOpponent": "opponent",
}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return getattr(import_module(f"sixplane.envs.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
