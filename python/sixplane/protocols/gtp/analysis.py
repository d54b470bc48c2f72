"""The GTP commands that report while a search runs, in the formats of Leela Zero and KataGo.

`analyze`, `lz-analyze` and `kata-analyze` search until the next line comes; `genmove_analyze`,
`lz-genmove_analyze` and `kata-genmove_analyze` search for one move as long as `genmove` does, and play it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Final, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from sixplane import _core
from sixplane._core import Game
from sixplane.agents.agent import Agent, Choice, Resignation
from sixplane.games import has_liberties
from sixplane.games.info import MOVES_PER_POINT
from sixplane.protocols.gtp.arguments import Failure
from sixplane.protocols.gtp.request import Request, read_request
from sixplane.protocols.gtp.rules import rules_of
from sixplane.protocols.gtp.session import GTPSession
from sixplane.search import SearchResult

#: The random games for each report; ownership and score are means over them.
PLAYOUTS: Final = 32

#: The search stops this often, in seconds, to see whether a line has come.
POLL_SECONDS: Final = 0.1

#: A command is called with its words, with a function that takes parts of the answer, and with one that says
#: whether a line has come.
AnalysisCommand: TypeAlias = Callable[[list[str], Callable[[str], None], Callable[[], bool]], None]


#: Limits the time of a move of a color, and counts it, from entering it to leaving it.
Timed: TypeAlias = Callable[[int], AbstractContextManager[None]]

#: The methods of a `SearchingAgent`.
SEARCHES: Final = ("consider", "decide", "priors", "variation", "variation_visits")


class SearchingAgent(Protocol):
    """An agent that shows what it considers, as `MCTSAgent` does, which describes the methods."""

    def consider(
        self,
        game: Game,
        interval: float | None = None,
        *,
        endless: bool = False,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Iterator[SearchResult]:
        """Searches for a move, and yields every `interval` seconds what it has found."""

    def decide(self, game: Game) -> Choice:
        """Returns the move by what was found last."""

    def priors(self, game: Game) -> NDArray[np.float64]:
        """Returns the prior of each action, `(A,)`."""

    def variation(self, action: int) -> list[int]:
        """Returns an action and the ones after it, as far as they are visited."""

    def variation_visits(self, action: int) -> list[int]:
        """Returns the visits of each action of a variation."""


def analysis_commands(
    session: GTPSession, agent: Agent, analyst: SearchingAgent | None, timed: Timed
) -> dict[str, AnalysisCommand]:
    """Returns the commands of analysis by name.

    Args:
        session: the game.
        agent: plays. If it is a `SearchingAgent`, it also analyzes, and has `genmove_analyze`.
        analyst: analyzes otherwise; None: there is no analysis then.
        timed: what the agent's search for a move of a color runs in.
    """
    own = cast("SearchingAgent", agent) if all(hasattr(agent, name) for name in SEARCHES) else None
    searcher = own or analyst
    commands: dict[str, AnalysisCommand] = {}
    for prefix, kata in (("", False), ("lz-", False), ("kata-", True)):
        if searcher is not None:
            commands[f"{prefix}analyze"] = _analyze(session, searcher, kata=kata)
        if own is not None:
            commands[f"{prefix}genmove_analyze"] = _genmove_analyze(session, own, timed, kata=kata)
    return commands


def _analyze(session: GTPSession, searcher: SearchingAgent, *, kata: bool) -> AnalysisCommand:
    def command(words: list[str], write: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
        report = _begin(session, searcher, words, kata=kata)
        results = _begun(
            searcher.consider(report.game, report.poll_seconds, endless=True, allowed=report.allowed)
        )
        write("=\n")
        _write_reports(report, results, write, interrupted)
        write("\n")

    return command


def _genmove_analyze(
    session: GTPSession, agent: SearchingAgent, timed: Timed, *, kata: bool
) -> AnalysisCommand:
    def command(words: list[str], write: Callable[[str], None], _interrupted: Callable[[], bool]) -> None:
        report = _begin(session, agent, words, kata=kata)
        color = report.game.turn
        with timed(color):
            results = _begun(agent.consider(report.game, report.poll_seconds, allowed=report.allowed))
            write("=\n")
            # A line that waits is the next command, and no reason for a weaker move.
            _write_reports(report, results, write, lambda: False)
            choice = agent.decide(report.game)
        if isinstance(choice, Resignation):
            write("play resign\n\n")
            return
        try:
            session.game_for(color).play(choice)
            session.play(color, choice)
        except (TypeError, ValueError):
            # The answer has begun, so that it cannot fail any more: it names no move.
            write("\n")
            return
        write(f"play {session.game.action_to_name(choice)}\n\n")

    return command


def _begin(session: GTPSession, searcher: SearchingAgent, words: list[str], *, kata: bool) -> _Report:
    """Makes the report that a command asks for."""
    request = read_request(words, session.game, kata=kata)
    game = session.game_for(session.game.turn if request.color is None else request.color)
    if game.is_over:
        raise Failure("the game is over")
    allowed = request.mask(game)
    try:
        return _Report(game, request, allowed, searcher, kata=kata)
    except Exception as error:
        raise Failure(f"no analysis: {type(error).__name__}: {error}") from error


def _begun(results: Iterator[SearchResult]) -> Iterator[SearchResult]:
    """Waits for the first result, so that a search that fails at once is a `Failure`; returns them all."""
    try:
        first = next(results)
    except Exception as error:
        raise Failure(f"no analysis: {type(error).__name__}: {error}") from error

    def all_of_them() -> Iterator[SearchResult]:
        yield first
        # The answer has begun: a later failure ends it, and what was found before stands.
        with suppress(Exception):
            yield from results

    return all_of_them()


def _write_reports(
    report: _Report,
    results: Iterator[SearchResult],
    write: Callable[[str], None],
    interrupted: Callable[[], bool],
) -> None:
    """Writes a line every interval and one for the last result, until it is interrupted."""
    latest = shown = None
    for latest in results:
        if report.is_due():
            shown = latest
            write(report.line(latest) + "\n")
        if interrupted():
            break
    if latest is not None and latest is not shown:
        write(report.line(latest) + "\n")


class _Report:
    """Writes lines about the results of a search of one position, as KataGo or as Leela Zero does."""

    def __init__(
        self,
        game: Game,
        request: Request,
        allowed: NDArray[np.bool_] | None,
        searcher: SearchingAgent,
        *,
        kata: bool,
    ) -> None:
        self.game, self.allowed = game, allowed
        self.poll_seconds = min(request.interval, POLL_SECONDS)
        self._request, self._searcher, self._kata = request, searcher, kata
        self._priors = searcher.priors(game)
        self._due = time.monotonic() + request.interval
        self._lines = 0
        self._ownership: NDArray[np.float64] | None = None

    def is_due(self) -> bool:
        """Returns whether it is time for a line; the next one is then due an interval later."""
        now = time.monotonic()
        if now < self._due:
            return False
        self._due = max(self._due + self._request.interval, now)
        return True

    def line(self, result: SearchResult) -> str:
        """Writes what was found, the best move first."""
        if "ownership" in self._request.additions:
            found = ownership_of(self.game, self._lines * PLAYOUTS, PLAYOUTS)
            old = found if self._ownership is None else self._ownership
            self._ownership = old + (found - old) / (self._lines + 1)
        self._lines += 1
        parts = [self._info(result, action, rank) for rank, action in enumerate(self._ranking(result))]
        if "rootinfo" in self._request.additions:
            parts.append(f"rootInfo visits {result.visits.sum()} {self._numbers(result.value)}")
        if self._ownership is not None:
            owned = self._sign * self._ownership.ravel()
            parts.append("ownership " + " ".join(f"{value:.3f}" for value in owned))
        return " ".join(parts)

    def _info(self, result: SearchResult, action: int, rank: int) -> str:
        # An action that was never visited is worth what the position is.
        value = result.q[action] if result.q[action] == result.q[action] else result.value
        prior = float(self._priors[action])
        line, visits = self._searcher.variation(action), self._searcher.variation_visits(action)
        text = (
            f"info move {self.game.action_to_name(action)} visits {result.visits[action]} "
            f"{self._numbers(value)} prior {f'{prior:.4f}' if self._kata else round(prior * 10000)} "
            f"order {rank} pv {' '.join(map(self.game.action_to_name, line or [action]))}"
        )
        # Visits of positions and of edges are the same in a tree.
        for name in ("pvVisits", "pvEdgeVisits"):
            if name.lower() in self._request.additions:
                text += f" {name} {' '.join(map(str, visits or [0]))}"
        return text

    def _numbers(self, value: float) -> str:
        """Writes a value as the chance to win, with the lead if the owners are known."""
        win = min(max((float(value) + 1) / 2, 0.0), 1.0)
        if not self._kata:
            return f"winrate {round(win * 10000)}"
        return f"winrate {win:.4f}" + ("" if self._ownership is None else f" scoreLead {self._lead():.2f}")

    def _ranking(self, result: SearchResult) -> list[int]:
        """Returns the actions of a line: the best one, then the others by visits, then by priors."""
        listed = np.zeros(self.game.num_actions, np.bool_)
        listed[self.game.legal_actions] = True
        if self.allowed is not None:
            listed &= self.allowed
        order = np.lexsort((-self._priors, -result.visits))
        found = [int(action) for action in order if listed[action] and action != result.best_action]
        visited = sum(1 for action in found if result.visits[action])
        most = min(max(visited + 1, self._request.least), self._request.most)
        return [result.best_action, *found][:most]

    @property
    def _sign(self) -> float:
        """The factor that makes numbers of Black those of the player to play."""
        return -1.0 if self.game.turn else 1.0

    def _lead(self) -> float:
        owned = 0.0 if self._ownership is None else float(self._ownership.sum())
        return self._sign * (owned - float(getattr(self.game, "komi", 0.0)))


def ownership_of(game: Game, first: int, playouts: int) -> NDArray[np.float64]:
    """Returns who owns each point after random games, `(rows, cols)`: from +1 (Black) to -1 (White)."""
    ends = _core.selfplay(_limited(game), first, playouts, 1)
    owners = [end.ownership() if has_liberties(end) else _stones(end) for end in ends]
    return np.asarray(np.mean(owners, axis=0, dtype=np.float64))


def _stones(game: Game) -> NDArray[np.int8]:
    black, white = game.planes[:2].astype(np.int8)
    return np.asarray(black - white)


def _limited(game: Game) -> Game:
    """Returns the position with a limit of moves, since random games under simple ko may never end."""
    if not has_liberties(game) or game.ko != "simple":
        return game
    rules = rules_of(game)
    rules["max_moves"] = MOVES_PER_POINT * game.rows * game.cols
    return _core.Go.from_planes(game.planes, **rules)
