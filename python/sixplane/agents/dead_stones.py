"""Dead stones of Go: stones that the other player can expect to capture if play goes on."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sixplane._core import Game, GameBatch, Go, selfplay
from sixplane.agents.agent import Agent, Choice, seconds_of_move, select_one_by_one
from sixplane.agents.around import AroundAgent
from sixplane.games import has_liberties
from sixplane.games.info import MOVES_PER_POINT
from sixplane.planes import dilate
from sixplane.search import SearchResult

#: Random games played to estimate who will own each point.
GAMES = 64

#: A stone is dead if the other player owns its point at the end of three games in four.
DEAD = 0.5

#: The clock is read after this many games; so many games are enough when the time is up.
SLICE = 4
ENOUGH = 16


def attacks_on_the_dead(game: Go, seed: int, deadline: float = math.inf) -> list[int]:
    """Lists the legal liberties of stones that the player to play can expect to take, ascending.

    Random games are played from the position. A stone of the other color is dead if the player owns
    its point at the end of most of them. This is an estimate: no sequence is read out.

    Args:
        game: the position.
        seed: the seed of the random games.
        deadline: when the random games stop, by `time.monotonic()`. If too few were played until then,
            the answer is empty.
    """
    points = game.rows * game.cols
    start = Go.from_planes(game.planes, suicide=game.suicide, max_moves=MOVES_PER_POINT * points)
    owned = []
    for first in range(0, GAMES, SLICE):
        if time.monotonic() >= deadline:
            break
        owned += [final.ownership() for final in selfplay(start, first, SLICE, seed, 1)]
    if len(owned) < ENOUGH:
        return []
    owners = np.mean(owned, axis=0)
    becomes_own = owners if game.turn == 0 else -owners
    chains = game.chains()
    dead = set(chains[(game.planes[1 - game.turn] == 1) & (becomes_own > DEAD)].tolist())
    if not dead:
        return []
    liberties = dilate(np.isin(chains, list(dead))).ravel()
    return [int(action) for action in game.legal_actions if action < points and liberties[action]]


#: Values from -1 to 1 that differ by less are about equal.
ABOUT: Final = 0.1

#: The part of the time of a move that is kept for finding dead stones, and the most seconds of it. An agent
#: that ends its search earlier leaves the rest of its time, too.
PART: Final = 0.1
MOST: Final = 0.05


class CapturingAgent(AroundAgent):
    """Plays as another agent does, and in Go captures dead stones before it passes.

    Area scoring counts dead stones as alive while they are on the board, and programs such as GNU Go
    disagree. Random games find them. If the agent searches, it passes nevertheless where its search values
    the pass clearly higher. All other attributes and methods are those of the agent.

    Args:
        agent: the agent.

    Example:
        >>> import numpy as np
        >>> import sixplane
        >>> from sixplane.agents import MCTSAgent
        >>> agent = CapturingAgent(MCTSAgent(simulations=100, seed=1))
        >>> agent.select_action(sixplane.Go(size=5)) in range(26)
        True
        >>> agent.limit_time(2.0)  # of a move, with what is kept for finding dead stones
        >>> agent.limits
        (100, 1.9)
        >>> game = sixplane.Go(size=5)
        >>> for _ in agent.consider(game):
        ...     pass
        >>> agent.decide(game) in range(26)
        True
        >>> batch = sixplane.GameBatch(game, 2, seed=1)
        >>> agent.select_actions(batch, np.arange(2)).shape
        (2,)
    """

    def __init__(self, agent: Agent) -> None:
        self.agent: Agent = agent
        """The agent that chooses."""
        self._given = math.inf
        #: When the time of the last `consider` is over.
        self._end = 0.0
        self._keep_of(self._limit_of_agent())

    def limit_time(self, seconds: float) -> None:
        """Limits every later move to this time; some of it is kept for finding dead stones."""
        limit = seconds_of_move(seconds)
        self._keep_of(limit)
        limit_time = getattr(self.agent, "limit_time", None)
        self._given = limit if math.isinf(limit) else limit - self._kept
        if limit_time is not None:
            limit_time(self._given)

    def select_action(self, game: Game) -> Choice:
        """Chooses as the agent does, but attacks dead stones instead of a pass that leaves them."""
        end = self._end_of_move()
        return self._but_no_early_pass(game, self.agent.select_action(game), end)

    def decide(self, game: Game) -> Choice:
        """Chooses as `select_action` does, by the agent's last search, which must have been of this game."""
        choice: Choice = self.agent.decide(game)  # type: ignore[attr-defined]  # an agent that searches
        return self._but_no_early_pass(game, choice, self._end)

    def _consider(
        self, consider: Callable[..., Iterator[SearchResult]], *arguments: Any, **options: Any
    ) -> Iterator[SearchResult]:
        """Searches as the agent does, and notes when its time is over."""
        self._end = self._end_of_move()
        return consider(*arguments, **options)

    def select_actions(self, batch: GameBatch, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Chooses in the games `index` of a batch; with a limit of time, in one after another."""
        select_actions = getattr(self.agent, "select_actions", None)
        if select_actions is None or not math.isinf(self._limit_of_agent()):
            return select_one_by_one(self, batch, index)
        actions: NDArray[np.int64] = select_actions(batch, index)
        found = getattr(self.agent, "batch_result", None)
        for place in np.flatnonzero(actions == batch.num_actions - 1).tolist():
            i = int(index[place])
            actions[place] = self._best_attack(batch[i], None if found is None else found.q[i], math.inf)
        return actions

    def _but_no_early_pass(self, game: Game, choice: Choice, end: float) -> Choice:
        if choice != game.num_actions - 1:
            return choice
        found = getattr(self.agent, "result", None)
        return self._best_attack(game, None if found is None else found.q, end)

    def _best_attack(self, game: Game, q: NDArray[np.float32] | None, end: float) -> int:
        """Returns the best capture of dead stones; the pass if there are none, or capturing costs much.

        `end`, by `time.monotonic()`, is when the agent's own time is over.
        """
        best = game.num_actions - 1
        if not has_liberties(game):
            return best
        attacks = attacks_on_the_dead(game, game.move_number, max(end, time.monotonic()) + self._kept)
        if q is None:
            return attacks[0] if attacks else best
        attack = max((a for a in attacks if q[a] == q[a]), key=lambda action: q[action], default=best)
        return attack if q[attack] >= q[best] - ABOUT else best

    def _end_of_move(self) -> float:
        return time.monotonic() + min(self._given, self._limit_of_agent())

    def _keep_of(self, seconds: float) -> None:
        self._kept = math.inf if math.isinf(seconds) else min(PART * seconds, MOST)

    def _limit_of_agent(self) -> float:
        limit: float = getattr(self.agent, "limits", (None, math.inf))[1]
        return limit
