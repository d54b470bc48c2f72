"""Gymnasium environments of all games: `sixplane/Go-v0`, `sixplane/Reversi-v0`, `sixplane/Gomoku-v0`.

| module | what is there |
|---|---|
| `single`, `vector` | the environments of one game and of many |
| `autoreset` | when a finished game of a vector starts again |
| `opponent`, `vector_opponent` | an agent in one seat |
| `making` | what `gymnasium.make` and `make_vec` call |
| `settings`, `resets`, `rendering` | options, arguments of `reset`, rendering |

Raises:
    ImportError: at the import of this package or of a module of it, if Gymnasium is missing
        (`pip install 'sixplane[gym]'`) or too old.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sixplane._gymnasium  # noqa: F401 - says what is missing

if TYPE_CHECKING:
    from sixplane.envs.opponent import VsOpponent
    from sixplane.envs.vector_opponent import VectorVsOpponent

__all__ = ["VectorVsOpponent", "VsOpponent"]


def __getattr__(name: str) -> Any:
    if name == "VsOpponent":
        from sixplane.envs.opponent import VsOpponent

        return VsOpponent
    if name == "VectorVsOpponent":
        from sixplane.envs.vector_opponent import VectorVsOpponent

        return VectorVsOpponent
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
