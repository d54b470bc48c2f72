"""Live analysis over GTP: what a search has found so far, in the words of Leela Zero and KataGo."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from sixplane import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sixplane._core import Game

__all__ = ["Analysis", "Request", "Searcher", "ownership_of", "read_request"]

#: Random games from the position that ownership and score are the means of, for each report.
PLAYOUTS: Final = 32


class Searcher(Protocol):
    """A search whose result has `visits`, `q` and `principal_variation`, as `MCTS` gives them."""

    def search(self, game: Game, index: int = 0) -> Any:
        """Searches a position; another index, other random choices."""


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
                request.interval = min(max(float(value), 1.0), 360_000.0) / 100
            case "ownership":
                request.ownership = value.lower() == "true"
            case "maxmoves":
                request.most = max(int(value), 1)
            case word if word in colors:
                request.color = colors[word]
    return request


class Analysis:
    """Searches of one position, one after the other, added up.

    Trees grown with different random numbers are as good as one larger tree at the root, where alone
    they are looked at.

    Args:
        game: the position; not over.
        search: makes a search of so many seconds.
        request: what is asked for.
    """

    def __init__(self, game: Game, search: Callable[[float], Searcher], request: Request) -> None:
        self._game = game
        self._searcher = search(request.interval)
        self._request = request
        self._visits: NDArray[Any] = np.zeros(game.num_actions, np.int64)
        self._worth: NDArray[Any] = np.zeros(game.num_actions, np.float64)
        self._variation: list[int] = []
        self._searches = 0
        self._ownership: NDArray[np.float64] | None = None
        self._score = 0.0

    def step(self) -> None:
        """Searches for one interval more."""
        result = self._searcher.search(self._game, self._searches)
        self._visits += result.visits
        self._worth += np.where(result.visits > 0, np.nan_to_num(result.q) * result.visits, 0.0)
        self._variation = list(result.principal_variation)
        if self._request.ownership:
            found = ownership_of(self._game, self._searches * PLAYOUTS, PLAYOUTS)
            old = found if self._ownership is None else self._ownership
            self._ownership = old + (found - old) / (self._searches + 1)
        self._searches += 1

    @property
    def best_action(self) -> int:
        """The most visited action."""
        return int(np.argmax(self._visits))

    def report(self, *, kata: bool) -> str:
        """One line of what is known, the best move first."""
        sign = -1.0 if self._game.turn else 1.0
        order = np.argsort(-self._visits, kind="stable")
        parts = []
        prior = 1.0 / max(len(self._game.legal_actions), 1)
        moves = [int(action) for action in order if self._visits[action]][: self._request.most]
        for rank, action in enumerate(moves):
            visits = int(self._visits[action])
            win = min(max((self._worth[action] / visits + 1) / 2, 0.0), 1.0)
            variation = self._variation if self._variation[:1] == [action] else [action]
            names = " ".join(self._game.action_to_name(one) for one in variation)
            name = self._game.action_to_name(action)
            if kata:
                lead = "" if self._ownership is None else f" scoreLead {sign * self._lead():.2f}"
                numbers = f"winrate {win:.4f}{lead} prior {prior:.4f}"
            else:
                numbers = f"winrate {round(win * 10000)} prior {round(prior * 10000)}"
            parts.append(f"info move {name} visits {visits} {numbers} order {rank} pv {names}")
        if self._ownership is not None and kata:
            parts.append("ownership " + " ".join(f"{sign * value:.3f}" for value in self._ownership.ravel()))
        return " ".join(parts)

    def _lead(self) -> float:
        owned = 0.0 if self._ownership is None else float(self._ownership.sum())
        return owned - float(getattr(self._game, "komi", 0.0))

    def run(self, seconds: float | None = None) -> Iterator[None]:
        """Steps until so many seconds have gone by, at least one; None: for ever."""
        begun = time.monotonic()
        while True:
            self.step()
            yield
            if seconds is not None and time.monotonic() - begun >= seconds:
                return


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
