"""What an agent is: something that gets a game and chooses an action."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext, suppress
from enum import Enum
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import real
from sixplane._core import Game, GameBatch


class Resignation(Enum):
    """The type of `RESIGN` and `STOP`, which end a game instead of an action.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import RandomAgent
        >>> from sixplane.match import play
        >>> class Timid:
        ...     def select_action(self, game):
        ...         return RESIGN
        >>> play(Timid(), RandomAgent(seed=1), sixplane.Go(size=9)).sgf_result
        'W+R'
    """

    RESIGN = "resign"
    STOP = "stop"


#: What an agent returns instead of an action to resign.
RESIGN: Final = Resignation.RESIGN

#: What an agent returns to end the game as it stands: the referee lets the board decide. Where there is no
#: referee, as in an environment, it resigns.
STOP: Final = Resignation.STOP

#: What an agent returns: an action, `RESIGN` or `STOP`.
Choice: TypeAlias = int | Resignation


@runtime_checkable
class Agent(Protocol):
    """An agent is anything with a method `select_action`.

    An agent may also have

    - `limit_time(seconds)`: the referee calls it before a game with the time for one move, and after the
      game with infinity, which lifts the limit,
    - `keeps_time = True`: the referee calls it in the caller's thread and waits for it. It may raise a
      `TimeoutError` itself when the time is up; if it answers later, as a person may, it loses then,
    - `select_actions(batch, index)`: chooses in many games at once. For each of the running games `index`
      of a `GameBatch` it returns an action or -1 to resign, `(k,)` int64. It does not change the batch.
      An agent without it is asked game by game,
    - `prepare(game)`: starts what a game needs, and raises if the agent cannot play it,
    - `reseed(seed)`: restarts the random choices from this seed,
    - `final_score(game)`: the score of a finished game as the agent counts it, from Black's view,
    - `on_end(result)`: the referee calls it after a game with its `sixplane.match.Result`, but not in a
      process of its own (`isolate=True`), which ends with the game,
    - `close()`: ends what the agent has started.

    Example:
        >>> import sixplane
        >>> class First:
        ...     def select_action(self, game):
        ...         return game.legal_actions[0]
        >>> isinstance(First(), Agent)
        True
    """

    def select_action(self, game: Game, /) -> Choice:
        """Chooses an action for the player to play in a running game, or `RESIGN` or `STOP`.

        The agent must not change the game. To try moves, it plays them on `game.copy()`. The referee of a
        match treats a changed game as an attempt to cheat.
        """


def checked_agent(name: str, value: object, *, or_spec: bool = True) -> Agent:
    """Returns the agent that a value is; `or_spec` says whether the message names specs, too.

    Raises:
        TypeError: it is none, such as the class of one.
    """
    if isinstance(value, type) or not isinstance(value, Agent):
        found = f"the class {value.__name__}" if isinstance(value, type) else repr(value)
        wanted = "an agent with select_action" + ", or the spec of one" * or_spec
        raise TypeError(f"{name} must be {wanted}, not {found}")
    return value


def select_one_by_one(
    agent: Agent, batch: GameBatch, index: NDArray[np.int64], read: Callable[[Any], int] = int
) -> NDArray[np.int64]:
    """Does what `select_actions` does by asking one by one; `read` makes an action of each answer."""
    choices = [agent.select_action(batch[i]) for i in index.tolist()]
    return np.array([-1 if isinstance(choice, Resignation) else read(choice) for choice in choices], np.int64)


def select_in(agent: Agent, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
    """Asks an agent for its actions in the games `index`: for all at once if it can, else game by game."""
    if not hasattr(agent, "select_actions"):
        return select_one_by_one(agent, batch, index)
    actions: NDArray[np.int64] = agent.select_actions(batch, index)
    return actions


def choices_of(
    agent: Agent, batch: GameBatch, index: NDArray[np.int64], read: Callable[[Any], int]
) -> NDArray[np.int64]:
    """Returns an agent's action in each of these running games, `(k,)`; -1 is a resignation.

    A player whose only legal action is a pass is not asked to move. `read` makes an action of what
    `select_action` returns; what `select_actions` returns may still be illegal.

    Raises:
        ValueError: `select_actions` does not return an integer for each game.
    """
    actions = np.full(len(index), batch.num_actions - 1)
    asked = np.flatnonzero(batch.action_masks[index, :-1].any(axis=1))
    games = index[asked]
    if not hasattr(agent, "select_actions"):
        actions[asked] = select_one_by_one(agent, batch, games, read)
    elif len(games):
        answers = np.asarray(agent.select_actions(batch, games))
        if answers.shape != games.shape or answers.dtype.kind not in "iu":
            raise ValueError(
                f"select_actions of {type(agent).__name__} must return {len(games)} integers, "
                f"not {answers.dtype} {answers.shape}"
            )
        if answers.dtype == np.uint64:
            # Those beyond int64 would become negative; no number from `num_actions` on is an action.
            answers = np.minimum(answers, np.uint64(batch.num_actions))
        actions[asked] = answers
    return actions


def seconds_of_move(seconds: float) -> float:
    """Returns the time limit of a move, which may be infinite.

    Raises:
        TypeError: it is no number.
        ValueError: it is NaN, 0 or negative.
    """
    limit = real("the time", seconds)
    if not limit > 0:
        raise ValueError(f"the time must be a positive number of seconds, not {seconds!r}")
    return limit


def set_limit(agent: object, seconds: float | None) -> None:
    """Limits the time of an agent's moves if it takes a limit, or for None lifts that of before.

    An agent of one's own may take no infinity, which lifts a limit; it keeps the one that it has.
    """
    limit_time = getattr(agent, "limit_time", None)
    if limit_time is not None:
        with nullcontext() if seconds is not None else suppress(Exception):
            limit_time(math.inf if seconds is None else seconds)
