"""A player is an agent as the referee calls it: in this process or in one of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from sixplane._core import Game
from sixplane.agents.agent import Agent, Choice, set_limit
from sixplane.agents.thread import AgentThread
from sixplane.errors import GameRulesError
from sixplane.jobs.child import Child, is_sigterm
from sixplane.match.result import Result

T = TypeVar("T")

#: How much longer to wait for an agent in this process. If it is late by less, its true time is known,
#: and no thread is left behind.
GRACE: Final = 1.0

#: Seconds to count a finished game.
COUNT_SECONDS: Final = 60.0

#: Seconds that `on_end` of an agent may take.
END_SECONDS: Final = 1.0


class LocalPlayer:
    """Calls an agent in this process, in a thread of its own if there is a limit of time.

    A thread cannot be ended: the agent goes on when its time is up. An agent that keeps the time itself
    needs no thread.
    """

    def __init__(self, agent: Agent, seconds: float | None) -> None:
        self._calls = _AgentCalls(agent, seconds)
        self._is_waited_for = seconds is None or bool(getattr(agent, "keeps_time", False))
        self._thread = AgentThread(agent)

    def choose(self, game: Game, seconds: float | None) -> tuple[Choice, bool]:
        """Returns an action, and whether the agent has changed the game that it was shown."""
        return self._ask(lambda: self._calls.choose(game), seconds, GRACE)

    def count(self, game: Game) -> float | None:
        """Returns the score of a finished game from Black's view; None if the agent does not count."""
        return self._ask(lambda: self._calls.count(game), COUNT_SECONDS)

    def end(self, result: Result) -> None:
        """Calls the agent's `on_end`, if it has one; what that raises changes nothing any more."""
        on_end = getattr(self._calls.agent, "on_end", None)
        if on_end is not None:
            try:
                self._ask(lambda: on_end(result), END_SECONDS)
            except (Exception, SystemExit) as error:
                if is_sigterm(error):
                    raise

    def _ask(self, question: Callable[[], T], seconds: float | None, grace: float = 0.0) -> T:
        if self._is_waited_for:
            return question()
        return self._thread.ask(lambda _left: question(), seconds, grace)

    def close(self) -> None:
        """Lets the thread end, and lifts the limit of time; the caller closes the agent."""
        self._thread.close()
        self._calls.lift_limit()


class IsolatedPlayer:
    """Calls an agent in a process of its own, which ends when its time is up."""

    def __init__(self, agent: Agent, seconds: float | None, game: Game) -> None:
        self._count_seconds = None if seconds is None else COUNT_SECONDS
        # With the game, so that one that cannot travel is refused before it begins.
        self._child = Child(_AgentCalls(agent, seconds, game))

    def choose(self, game: Game, seconds: float | None) -> tuple[Choice, bool]:
        """Returns an action, and whether the agent has changed the game that it was shown."""
        answer: tuple[Choice, bool] = self._answer("choose", game, seconds)
        return answer

    def count(self, game: Game) -> float | None:
        """Returns the score of a finished game from Black's view; None if the agent does not count."""
        score: float | None = self._answer("count", game, self._count_seconds)
        return score

    def _answer(self, what: str, game: Game, seconds: float | None) -> Any:
        self._child.ask((what, game))
        answer = self._child.answer(seconds)
        if isinstance(answer, GameRulesError):
            raise answer
        return answer

    def end(self, result: Result) -> None:
        """Does nothing: the process ends with the game."""

    def close(self) -> None:
        """Ends the process."""
        self._child.close()


class _AgentCalls:
    """Calls an agent, also as the service of another process."""

    def __init__(self, agent: Agent, seconds: float | None, game: Game | None = None) -> None:
        self.agent, self._seconds, self.game = agent, seconds, game
        self._is_limited = False

    def choose(self, game: Game) -> tuple[Choice, bool]:
        if self._seconds is not None:
            set_limit(self.agent, self._seconds)
            self._seconds, self._is_limited = None, True
        shown = game.copy()
        choice = self.agent.select_action(shown)
        return choice, shown != game

    def count(self, game: Game) -> float | None:
        if not hasattr(self.agent, "final_score"):
            return None
        score = self.agent.final_score(game.copy())
        return None if score is None else float(score)

    def lift_limit(self) -> None:
        if self._is_limited:
            set_limit(self.agent, None)

    def __call__(self, request: tuple[str, Game]) -> tuple[Choice, bool] | float | GameRulesError | None:
        what, game = request
        try:
            return self.count(game) if what == "count" else self.choose(game)
        except GameRulesError as error:
            # As it is: the referee sees whose fault it is.
            return error

    def close(self) -> None:
        if hasattr(self.agent, "close"):
            self.agent.close()


Player: TypeAlias = LocalPlayer | IsolatedPlayer
