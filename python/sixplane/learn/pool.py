"""What plays in a run of training: it calls `play` elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sixplane.learn.calls import Call
    from sixplane.learn.play import Budget, FinishedGames
    from sixplane.nets import Parameters

__all__ = ["Pool"]


class Pool(Protocol):
    """What calls `sixplane.learn.play` elsewhere; `sixplane.learn.workers.WorkerPool` is one."""

    @property
    def workers(self) -> int:
        """How many calls are made at the same time."""

    @property
    def waiting(self) -> int:
        """Calls that were begun and not taken yet."""

    def begin(self, version: int, weights: Parameters, seed: int, budget: Budget, /) -> None:
        """Begins a call of `play` with these arguments."""

    def take(self) -> list[FinishedGames]:
        """What has been finished since the last call, each once and in any order."""

    def taken(self, call: Call, /) -> None:
        """Takes note of a call of which the games were counted."""

    def close(self) -> None:
        """Ends what is not finished; may be called again."""
