"""What an agent is: something that is shown a game and picks an action."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane._core import Game, GameBatch

__all__ = ["RESIGN", "Agent", "Choice", "Resignation", "select_one_by_one"]


class Resignation(Enum):
    """The type of `RESIGN`, which is its only value."""

    RESIGN = "resign"


#: What an agent answers instead of an action to give the game up.
RESIGN: Final = Resignation.RESIGN

Choice: TypeAlias = int | Resignation


@runtime_checkable
class Agent(Protocol):
    """Anything with this one method plays.

    An agent may also have

    - `limit_time(seconds)`, which the referee calls before a game with the time of one move,
    - `select_actions(batch, index)`, which answers in many games at once: `(k,)` int64, for each of the
      games `index` of a `GameBatch`, which all go on, an action or -1 to resign. It leaves the batch as
      it is. Without it, an agent is asked game by game,
    - `prepare(game)`, which starts what a game needs and raises if the agent cannot play it,
    - `reseed(seed)`, which begins its random choices anew,
    - `final_score(game)`: the score of a finished game as the agent counts it, from Black's view,
    - `close()`, which ends what it has started.

    Example:
        >>> import sixplane
        >>> class First:
        ...     def select_action(self, game):
        ...         return game.legal_actions[0]
        >>> isinstance(First(), Agent)
        True
    """

    def select_action(self, game: Game, /) -> Choice:
        """An action for the player to play in a game that goes on, or `RESIGN`.

        The game is a copy, and is to be left as it is: who wants to try moves plays them on
        `game.copy()`. The referee of a match takes a changed game for an attempt to cheat.
        """


def select_one_by_one(agent: Agent, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
    """What `select_actions` gives, by asking the agent game by game."""
    choices = [agent.select_action(batch[i]) for i in index.tolist()]
    return np.array([-1 if choice is RESIGN else choice for choice in choices], np.int64)
