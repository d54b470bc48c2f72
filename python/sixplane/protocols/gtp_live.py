"""The commands that report while a search goes on, until the next line comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from sixplane.agents.agent import Resignation
from sixplane.protocols.gtp_analysis import Analysis, Thinker, read_request
from sixplane.protocols.gtp_words import COLORS, Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane.agents.agent import Agent
    from sixplane.protocols.gtp_session import Session
    from sixplane.search import SearchResult

__all__ = ["Live"]

#: Seconds of search between two looks at whether a line has come.
PATIENCE: Final = 0.1

Command: TypeAlias = Callable[[list[str], Callable[[str], None], Callable[[], bool]], None]


class Live:
    """The analysis of a session.

    Args:
        session: the game.
        agent: who plays. If it shows what it considers it also analyzes, and has `genmove_analyze`.
        analyst: who analyzes otherwise; None: nobody.
        limit_time: tells the agent how long it may think for a color.

    Attributes:
        commands: by name. Each is called with its words, what takes parts of the answer, and the
            question whether a line has come.
    """

    def __init__(
        self,
        session: Session,
        agent: Agent,
        analyst: Thinker | None,
        limit_time: Callable[[int], None],
    ) -> None:
        self._session, self._limit_time = session, limit_time
        self.commands: dict[str, Command] = {}
        own = agent if isinstance(agent, Thinker) else None
        thinker = own or analyst
        for prefix, kata in (("", False), ("lz-", False), ("kata-", True)):
            if thinker is not None:
                self.commands[f"{prefix}analyze"] = self._analyze(thinker, kata=kata)
            if own is not None:
                self.commands[f"{prefix}genmove_analyze"] = self._genmove_analyze(own, kata=kata)

    def _begin(self, thinker: Thinker, words: list[str]) -> tuple[Analysis, int]:
        try:
            request = read_request(words, COLORS)
        except ValueError as error:
            raise Failure("syntax error") from error
        color = self._session.game.turn if request.color is None else request.color
        game = self._session.facing(color)
        if game.is_over:
            raise Failure("the game is over")
        try:
            return Analysis(game, request, thinker.priors(game)), color
        except Exception as error:
            raise Failure(f"no analysis: {type(error).__name__}: {error}") from error

    def _analyze(self, thinker: Thinker, *, kata: bool) -> Command:
        def command(words: list[str], write: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
            analysis, _ = self._begin(thinker, words)
            results = _begun(thinker.consider(analysis.game, analysis.step(PATIENCE), endless=True))
            write("=\n")
            _report(analysis, results, write, interrupted, kata=kata)
            write("\n")

        return command

    def _genmove_analyze(self, agent: Thinker, *, kata: bool) -> Command:
        def command(words: list[str], write: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
            analysis, color = self._begin(agent, words)
            self._limit_time(color)
            results = _begun(agent.consider(analysis.game, analysis.step(PATIENCE)))
            write("=\n")
            _report(analysis, results, write, interrupted, kata=kata)
            choice = agent.decide(analysis.game)
            if isinstance(choice, Resignation):
                write("play resign\n\n")
                return
            try:
                self._session.play(color, choice)
            except (TypeError, ValueError):
                write("\n")  # the answer has begun: that it names no move has to say it all
                return
            write(f"play {self._session.game.action_to_name(choice)}\n\n")

        return command


def _begun(results: Iterator[SearchResult]) -> Iterator[SearchResult]:
    """The results, the first of which is there: an agent that fails at once is found out.

    Raises:
        Failure: it does.
    """
    try:
        first = next(results)
    except Exception as error:
        raise Failure(f"no analysis: {type(error).__name__}: {error}") from error

    def all_of_them() -> Iterator[SearchResult]:
        yield first
        # The answer has begun: of a later failure it says no more than what was found before.
        with suppress(Exception):
            yield from results

    return all_of_them()


def _report(
    analysis: Analysis,
    results: Iterator[SearchResult],
    write: Callable[[str], None],
    interrupted: Callable[[], bool],
    *,
    kata: bool,
) -> None:
    """Writes a line for every interval and for what was found last, until a line comes."""
    latest = shown = None
    for latest in results:
        if analysis.is_due():
            shown = latest
            write(analysis.report(latest, kata=kata) + "\n")
        if interrupted():
            break
    if latest is not None and latest is not shown:
        write(analysis.report(latest, kata=kata) + "\n")
