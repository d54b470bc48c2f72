"""Analysis over GTP: commands that report while a search runs, in the formats of Leela Zero and KataGo.

`analyze`, `lz-analyze` and `kata-analyze` search until the next line comes; `genmove_analyze` and its
kin search for one move, and play it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sixplane import _core
from sixplane.agents.agent import Resignation
from sixplane.protocols.gtp.arguments import COLORS, Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane._core import Game
    from sixplane.agents.agent import Agent, Choice
    from sixplane.protocols.gtp.session import Session
    from sixplane.search import SearchResult

__all__ = ["AnalysisCommand", "Thinker", "analysis_commands", "ownership_of"]

#: Random games played for each report; ownership and score are means over them.
PLAYOUTS: Final = 32

#: The search stops this often, in seconds, to see whether a line has come.
POLL_SECONDS: Final = 0.1

#: A command is called with its words, with what takes parts of the answer, and with what says whether
#: a line has come.
AnalysisCommand: TypeAlias = Callable[[list[str], Callable[[str], None], Callable[[], bool]], None]


@runtime_checkable
class Thinker(Protocol):
    """An agent that shows what it considers, as `MCTSAgent` does; its methods are described there."""

    def consider(
        self, game: Game, interval: float | None = None, *, endless: bool = False
    ) -> Iterator[SearchResult]:
        """Searches for a move, and gives every `interval` seconds what it has found."""

    def decide(self, game: Game) -> Choice:
        """The move by what was found last."""

    def priors(self, game: Game) -> NDArray[np.float64]:
        """The prior of each action, `(A,)`."""


def analysis_commands(
    session: Session, agent: Agent, analyst: Thinker | None, limit_time: Callable[[int], None]
) -> dict[str, AnalysisCommand]:
    """The commands of analysis by name.

    Args:
        session: the game.
        agent: who plays. If it is a `Thinker`, it also analyzes, and has `genmove_analyze`.
        analyst: who analyzes otherwise; None: there is no analysis then.
        limit_time: tells the agent how long it may think for a color.
    """
    own = agent if isinstance(agent, Thinker) else None
    thinker = own or analyst
    commands: dict[str, AnalysisCommand] = {}
    for prefix, kata in (("", False), ("lz-", False), ("kata-", True)):
        if thinker is not None:
            commands[f"{prefix}analyze"] = _analyze(session, thinker, kata=kata)
        if own is not None:
            commands[f"{prefix}genmove_analyze"] = _genmove_analyze(session, own, limit_time, kata=kata)
    return commands


def _analyze(session: Session, thinker: Thinker, *, kata: bool) -> AnalysisCommand:
    def command(words: list[str], write: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
        report = _begin(session, thinker, words, kata=kata)
        results = _begun(thinker.consider(report.game, report.poll_seconds, endless=True))
        write("=\n")
        _write_reports(report, results, write, interrupted)
        write("\n")

    return command


def _genmove_analyze(
    session: Session, agent: Thinker, limit_time: Callable[[int], None], *, kata: bool
) -> AnalysisCommand:
    def command(words: list[str], write: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
        report = _begin(session, agent, words, kata=kata)
        color = report.game.turn
        limit_time(color)
        results = _begun(agent.consider(report.game, report.poll_seconds))
        write("=\n")
        _write_reports(report, results, write, interrupted)
        choice = agent.decide(report.game)
        if isinstance(choice, Resignation):
            write("play resign\n\n")
            return
        try:
            session.play(color, choice)
        except (TypeError, ValueError):
            # The answer has begun, so that it cannot fail any more: it names no move.
            write("\n")
            return
        write(f"play {session.game.action_to_name(choice)}\n\n")

    return command


@dataclass
class _Request:
    """What the words of an analysis command ask for."""

    color: int | None = None
    """Whose view; None: of the player to play."""
    interval: float = 1.0
    """Seconds between two reports."""
    ownership: bool = False
    """Whether reports say who will own each point."""
    most: int = 1000
    """How many moves a report has at most."""


def _read_request(words: list[str]) -> _Request:
    """Reads `[color] [centiseconds] [name value]...`; unknown names are ignored.

    Raises:
        ValueError: a value is no number.
    """
    request, rest = _Request(), list(words)
    if rest and rest[0].lower() in COLORS:
        request.color = COLORS[rest.pop(0).lower()]
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
            case word if word in COLORS:
                request.color = COLORS[word]
    return request


def _begin(session: Session, thinker: Thinker, words: list[str], *, kata: bool) -> _Report:
    """The report that a command asks for.

    Raises:
        Failure: wrong words, the game is over, or the thinker fails.
    """
    try:
        request = _read_request(words)
    except ValueError as error:
        raise Failure("syntax error") from error
    game = session.game_for(session.game.turn if request.color is None else request.color)
    if game.is_over:
        raise Failure("the game is over")
    try:
        return _Report(game, request, thinker.priors(game), kata=kata)
    except Exception as error:
        raise Failure(f"no analysis: {type(error).__name__}: {error}") from error


def _begun(results: Iterator[SearchResult]) -> Iterator[SearchResult]:
    """The results, after waiting for the first one, so that a search that fails at once is a `Failure`."""
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
    """Writes a line every interval and one for the last result, until a line comes."""
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
    """Puts the results of a search of one position into words.

    Args:
        game: the position; not over.
        request: what is asked for.
        priors: `(A,)`.
        kata: whether to write as KataGo does; else as Leela Zero.
    """

    def __init__(self, game: Game, request: _Request, priors: NDArray[np.float64], *, kata: bool) -> None:
        self.game = game
        self.poll_seconds = min(request.interval, POLL_SECONDS)
        self._request, self._priors, self._kata = request, priors, kata
        self._due = time.monotonic() + request.interval
        self._lines = 0
        self._ownership: NDArray[np.float64] | None = None

    def is_due(self) -> bool:
        """Whether it is time for a line; the next one is then due an interval later."""
        now = time.monotonic()
        if now < self._due:
            return False
        self._due = max(self._due + self._request.interval, now)
        return True

    def line(self, result: SearchResult) -> str:
        """What was found, the best move first."""
        if self._kata and self._request.ownership:
            found = ownership_of(self.game, self._lines * PLAYOUTS, PLAYOUTS)
            old = found if self._ownership is None else self._ownership
            self._ownership = old + (found - old) / (self._lines + 1)
        self._lines += 1
        sign = -1.0 if self.game.turn else 1.0
        parts = []
        for rank, action in enumerate(self._ranking(result)):
            win = min(max((float(result.q[action]) + 1) / 2, 0.0), 1.0)
            line = result.principal_variation
            names = " ".join(map(self.game.action_to_name, line if line[:1] == [action] else [action]))
            prior = float(self._priors[action])
            if self._kata:
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
        """The actions of a line: the best one, then the others by visits."""
        order = np.argsort(-result.visits, kind="stable")
        others = [int(action) for action in order if result.visits[action]]
        best = result.best_action
        return [best, *(action for action in others if action != best)][: self._request.most]

    def _lead(self) -> float:
        owned = 0.0 if self._ownership is None else float(self._ownership.sum())
        return owned - float(getattr(self.game, "komi", 0.0))


def ownership_of(game: Game, first: int, playouts: int) -> NDArray[np.float64]:
    """Who owns each point at the end of random games, `(rows, cols)`: from +1 (Black) to -1 (White)."""
    ends = _core.selfplay(_limited(game), first, playouts, 1)
    owners = [end.ownership() if isinstance(end, _core.Go) else _stones(end) for end in ends]
    return np.asarray(np.mean(owners, axis=0, dtype=np.float64))


def _stones(game: Game) -> NDArray[np.int8]:
    black, white = game.planes[:2].astype(np.int8)
    return np.asarray(black - white)


def _limited(game: Game) -> Game:
    """The position with a limit of moves, since random games under simple ko may never end."""
    if not isinstance(game, _core.Go) or game.ko != "simple":
        return game
    rules: dict[str, Any] = {"komi": game.komi, "ko": game.ko, "suicide": game.suicide}
    limit = 4 * game.rows * game.cols
    return _core.Go.from_planes(game.planes, max_moves=limit, **rules)
