"""Gymnasium environments of all games: `sixplane/Go-v0` and its likes, and `sixplane/GymGo-v0`.

Nothing here imports Gymnasium before an environment is made, or `VsOpponent` is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sixplane.envs.opponent import VsOpponent

__all__ = ["VsOpponent"]


def __getattr__(name: str) -> Any:
    if name == "VsOpponent":
        from sixplane.envs.opponent import VsOpponent

        return VsOpponent
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
