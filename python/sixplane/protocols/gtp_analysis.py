"""Live analysis over GTP: what a search has found so far, in the words of Leela Zero and KataGo."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sixplane import _core

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane._core import Game
    from sixplane.agents.agent import Choice
    from sixplane.search import SearchResult

__all__ = ["Analysis", "Request", "Thinker", "ownership_of", "read_request"]

#: Random games from the position that ownership and score are the means of, for each report.
PLAYOUTS: Final = 32


@runtime_checkable
class Thinker(Protocol):
    """Who shows what it considers, as `MCTSAgent` does; its methods are described there."""

    def consider(
        self, game: Game, interval: float | None = None, *, endless: bool = False
    ) -> Iterator[SearchResult]:
        """Searches for a move, and shows every so many seconds what it has found."""

    def decide(self, game: Game) -> Choice:
        """What to play by what was found last."""

    def priors(self, game: Game) -> NDArray[np.float64]:
        """What each action is worth trying before any search, `(A,)`."""


class Request:
    """What an analysis command asks for.

    Attributes:
        color: whose view; None for the player to play.
        interval: seconds between two reports.
        ownership: whether they tell who will own each point.
        most: how many moves they tell of.
    """

    def __init__(self) -> None:
        self.color: int | None = None
        self.interval = 1.0
        self.ownership = False
        self.most = 1000


def read_request(words: list[str], colors: dict[str, int]) -> Request:
    """Reads `[color] [centiseconds] [name value]...`; names that are not known are passed over.

    Raises:
        ValueError: a number that is none.
    """
    request, rest = Request(), list(words)
    if rest and rest[0].lower() in colors:
        request.color = colors[rest.pop(0).lower()]
    if rest and rest[0].isdigit():
        rest = ["interval", *rest]
    for name, value in zip(rest[::2], rest[1::2], strict=False):
        match name.lower():
            case "interval":
                if math.isnan(hundredths := float(value)):
                    raise ValueError(value)
                request.interval = min(max(hundredths, 1.0), 360_000.0) / 100
            case "ownership":
                request.ownership = value.lower() == "true"
            case "maxmoves":
                request.most = max(int(value), 1)
            case word if word in colors:
                request.color = colors[word]
    return request


class Analysis:
    """What a search of one position says, put into words.

    Args:
        game: the position; not over.
        request: what is asked for.
        priors: `(A,)`.
    """

    def __init__(self, game: Game, request: Request, priors: NDArray[np.float64]) -> None:
        self.game = game
        self._request, self._priors = request, priors
        self._due = time.monotonic() + request.interval
        self._reports = 0
        self._ownership: NDArray[np.float64] | None = None

    def step(self, most: float) -> float:
        """How long to search before asking again whether a report is due."""
        return min(self._request.interval, most)

    def is_due(self) -> bool:
        """Whether it is time for a report; then the next one is due an interval later."""
        now = time.monotonic()
        if now < self._due:
            return False
        self._due = max(self._due + self._request.interval, now)
        return True

    def report(self, result: SearchResult, *, kata: bool) -> str:
        """One line of what was found, the best move first."""
        if kata and self._request.ownership:
            found = ownership_of(self.game, self._reports * PLAYOUTS, PLAYOUTS)
            old = found if self._ownership is None else self._ownership
            self._ownership = old + (found - old) / (self._reports + 1)
        self._reports += 1
        sign = -1.0 if self.game.turn else 1.0
        parts = []
        for rank, action in enumerate(self._ranking(result)):
            win = min(max((float(result.q[action]) + 1) / 2, 0.0), 1.0)
            line = result.principal_variation
            names = " ".join(map(self.game.action_to_name, line if line[:1] == [action] else [action]))
            prior = float(self._priors[action])
            if kata:
                lead = "" if self._ownership is None else f" scoreLead {sign * self._lead():.2f}"
                numbers = f"winrate {win:.4f}{lead} prior {prior:.4f}"
            else:
                numbers = f"winrate {round(win * 10000)} prior {round(prior * 10000)}"
            name = self.game.action_to_name(action)
            parts.append(f"info move {name} visits {result.visits[action]} {numbers} order {rank} pv {names}")
        if self._ownership is not None:
            parts.append("ownership " + " ".join(f"{sign * value:.3f}" for value in self._ownership.ravel()))
        return " ".join(parts)

    def _ranking(self, result: SearchResult) -> list[int]:
        """The actions to tell of: the one to play, then by visits."""
        order = np.argsort(-result.visits, kind="stable")
        others = [int(action) for action in order if result.visits[action]]
        best = result.best_action
        return [best, *(action for action in others if action != best)][: self._request.most]

    def _lead(self) -> float:
        owned = 0.0 if self._ownership is None else float(self._ownership.sum())
        return owned - float(getattr(self.game, "komi", 0.0))


def ownership_of(game: Game, first: int, playouts: int) -> NDArray[np.float64]:
    """Who owns each point at the end of random games: `(rows, cols)`, +1 Black's to -1 White's."""
    ends = _core.selfplay(_limited(game), first, playouts, 1)
    owners = [end.ownership() if isinstance(end, _core.Go) else _stones(end) for end in ends]
    return np.asarray(np.mean(owners, axis=0, dtype=np.float64))


def _stones(game: Game) -> NDArray[np.int8]:
    black, white = game.planes[:2].astype(np.int8)
    return np.asarray(black - white)


def _limited(game: Game) -> Game:
    """The position with a limit of moves, since random games under simple ko may have no end."""
    if not isinstance(game, _core.Go) or game.ko != "simple":
        return game
    rules: dict[str, Any] = {"komi": game.komi, "ko": game.ko, "suicide": game.suicide}
    limit = 4 * game.rows * game.cols
    return _core.Go.from_planes(game.planes, max_moves=limit, **rules)
