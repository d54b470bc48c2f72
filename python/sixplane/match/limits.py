"""The limits of a game: what the referee grants each player, and how it asks."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sixplane._arguments import flag, integer, real


@dataclass(frozen=True)
class Limits:
    """The options of the referee, which `sixplane.match.play` describes.

    Raises:
        ValueError: a limit is not positive and finite.
        TypeError: a limit is no number.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import AgentSpec
        >>> from sixplane.match import Tournament
        >>> class Corner:
        ...     title = "corner"
        ...     def make(self, seed):
        ...         return self
        ...     def select_action(self, game):
        ...         return 0
        >>> players = [Corner(), AgentSpec.parse("random")]
        >>> tournament = Tournament(players, sixplane.Gomoku(size=7), games=2, limits=Limits(illegal_tries=1))
        >>> [played.result.ending for played in tournament.run(processes=0)]
        ['illegal', 'illegal']
    """

    seconds_per_move: float | None = 60.0
    """The time for one move, after which a player loses; None: no limit."""
    illegal_tries: int = 3
    """The number of illegal actions for one move with which a player loses."""
    isolate: bool = False
    """Whether each agent plays in a process of its own."""
    check_score: bool = False
    """Whether agents with `final_score` are asked for the score."""

    def __post_init__(self) -> None:
        # Plain numbers, as files have them.
        if self.seconds_per_move is not None:
            seconds = real("seconds_per_move", self.seconds_per_move)
            if not 0 < seconds < math.inf:
                raise ValueError(f"seconds_per_move must be positive and finite, or None, not {seconds:g}")
            object.__setattr__(self, "seconds_per_move", seconds)
        object.__setattr__(self, "illegal_tries", integer("illegal_tries", self.illegal_tries, 1))
        object.__setattr__(self, "isolate", flag("isolate", self.isolate))
        object.__setattr__(self, "check_score", flag("check_score", self.check_score))
