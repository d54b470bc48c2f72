"""The referee plays one game between two agents, and keeps the time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sixplane._core import Game, OwnGame
from sixplane.agents.agent import RESIGN, STOP, Agent, Choice, Resignation, checked_agent
from sixplane.errors import GameRulesError
from sixplane.games import COLORS, can_only_pass, game_to_play
from sixplane.jobs import JobError
from sixplane.jobs.child import is_sigterm
from sixplane.match.limits import Limits
from sixplane.match.player import IsolatedPlayer, LocalPlayer, Player
from sixplane.match.result import EndingName, Result


@dataclass(frozen=True)
class Move:
    """A move is what the referee reports after every action.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import RandomAgent
        >>> moves: list[Move] = []
        >>> game = sixplane.Reversi(size=4)
        >>> result = play(RandomAgent(seed=1), RandomAgent(seed=2), game, on_move=moves.append)
        >>> [(move.color, move.game.action_to_name(move.action)) for move in moves[:3]]
        [(0, 'A2'), (1, 'A1'), (0, 'C4')]
        >>> moves[-1].game.is_over
        True
    """

    game: Game
    """A copy of the game after the action."""
    color: int
    """The color that played: 0 black, 1 white."""
    action: int
    """The action that was played."""
    seconds: float
    """The time for this action; 0 for a forced pass, which no player is asked for."""
    total_seconds: tuple[float, float]
    """The time so far of Black and of White."""


class _ForfeitError(Exception):
    """Says that a player loses by a rule of the referee."""

    def __init__(self, color: int, ending: EndingName, detail: str) -> None:
        super().__init__(detail)
        self.color, self.ending, self.detail = color, ending, detail


def play(  # noqa: PLR0917 - as the interface has it
    black: Agent,
    white: Agent,
    game: Game,
    seconds_per_move: float | None = 60,
    illegal_tries: int = 3,
    isolate: bool = False,
    *,
    check_score: bool = False,
    on_move: Callable[[Move], object] | None = None,
) -> Result:
    """Plays a game to its end, and says who won and why.

    Each agent gets copies of the game. An agent that changes its copy loses, because it may have tried to
    cheat. A player whose only legal action is a pass is not asked to move. An exception of an agent does
    not leave this function, except Ctrl-C: the agent loses the game. What the rules of a game of your own
    raise leaves this function, too, as a `GameRulesError`: what is wrong is the game, and no agent.

    Args:
        black: the agent that plays Black. The referee does not close it.
        white: the agent that plays White.
        game: the game to start from; it is not changed.
        seconds_per_move: a player loses if a move takes longer, all its tries together. The referee calls
            the agents in threads, so that it need not wait for them. A thread cannot be ended: if an agent
            goes on after it has lost, the referee does not call it again until it has returned.
            None: no limit, and no threads.
        illegal_tries: a player loses after so many illegal actions for one move.
        isolate: whether each agent plays in a process of its own, as a copy made by pickle. The process
            is ended when its time is up.
        check_score: whether to ask agents with `final_score` for the score when the rules have ended the
            game. If another has won by the count of one agent than on the board, that agent wins, so that a
            disagreement never helps its opponent. If this is so for both, the game is a draw.
        on_move: a function to call after every action, such as `show`.

    Raises:
        ValueError: the game is over, or a limit is not positive and finite.
        TypeError: an agent without `select_action`, such as the spec of one, or what is no game or number.
        JobError: an agent cannot run in a process of its own, or the game cannot be handed to it.
        GameRulesError: the rules of a game of your own failed.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import RandomAgent, ScoreTableAgent
        >>> result = play(RandomAgent(seed=1), ScoreTableAgent(seed=1), sixplane.Gomoku())
        >>> result.winner, result.ending, result.score
        ('white', 'rules', -1.0)
    """
    game = game_to_play(game)
    agents = [checked_agent(*each, or_spec=False) for each in (("black", black), ("white", white))]
    limits = Limits(seconds_per_move, illegal_tries, isolate, check_score)
    seconds = limits.seconds_per_move
    players: list[Player] = []
    try:
        for agent in agents:
            # One by one, so that the first is closed if the second cannot be made.
            players.append(  # noqa: PERF401
                IsolatedPlayer(agent, seconds, game) if limits.isolate else LocalPlayer(agent, seconds)
            )
        result = _Referee(players, game.copy(), limits).run(on_move)
        for player in players:
            player.end(result)
        return result
    finally:
        for player in players:
            player.close()


class _Referee:
    def __init__(self, players: list[Player], game: Game, limits: Limits) -> None:
        self.players, self.game, self.limits = players, game, limits
        self.totals = [0.0, 0.0]
        self.times: list[float] = []

    def run(self, on_move: Callable[[Move], object] | None) -> Result:
        game = self.game
        try:
            while not game.is_over:
                color = game.turn
                action, seconds = self._choice(color)
                if action is RESIGN:
                    game.resign()
                    return self._result(COLORS[1 - color], "resignation", "")
                if action is STOP:
                    return self._stopped()
                game.play(action)
                self.times.append(seconds)
                if on_move is not None:
                    totals = (self.totals[0], self.totals[1])
                    on_move(Move(game.copy(), color, action, seconds, totals))
            return self._judged()
        except _ForfeitError as forfeit:
            if not game.is_over:
                game.resign(COLORS[forfeit.color])
            return self._result(COLORS[1 - forfeit.color], forfeit.ending, forfeit.detail)

    def _choice(self, color: int) -> tuple[Choice, float]:
        """Asks for a legal action, or what ends the game; returns it with the time it took."""
        game, limit, spent = self.game, self.limits.seconds_per_move, 0.0
        if can_only_pass(game):
            return game.num_actions - 1, 0.0
        refusals = []
        while True:
            left = None if limit is None else limit - spent
            begun = time.perf_counter()
            try:
                choice, has_tampered = self.players[color].choose(game, left)
            except TimeoutError as error:
                raise _ForfeitError(color, "time", f"{COLORS[color]}: {_said(error)}") from error
            except (Exception, SystemExit) as error:
                self._raise_if_blameless(error)
                said = "" if isinstance(error, JobError) else f"{type(error).__name__}: "
                raise _ForfeitError(color, "error", f"{COLORS[color]}: {said}{_said(error)}") from error
            finally:
                taken = time.perf_counter() - begun
                self.totals[color] += taken
                spent += taken
            if limit is not None and spent > limit:
                detail = f"{COLORS[color]} took {spent:.3g} s of {limit:.3g} s"
                raise _ForfeitError(color, "time", detail)
            if has_tampered:
                detail = f"{COLORS[color]} changed the game that it was shown"
                raise _ForfeitError(color, "tampering", detail)
            action = choice if isinstance(choice, Resignation) else _played(game, choice)
            if not isinstance(action, str):
                return action, spent
            refusals.append(action)
            if len(refusals) == self.limits.illegal_tries:
                raise _ForfeitError(color, "illegal", f"{COLORS[color]}: {'; '.join(refusals)}")

    def _stopped(self) -> Result:
        score = self.game.score()
        winner = "black" if score > 0 else "white" if score < 0 else "draw"
        return self._result(winner, "stopped", "", score)

    def _judged(self) -> Result:
        game = self.game
        score = game.score()
        counts: dict[int, float] = {}
        if self.limits.check_score and not game.is_truncated:
            for color in (0, 1):
                count = self._count(color)
                if count is not None and count != score:
                    counts[color] = count
        detail = "; ".join(
            f"{COLORS[color]} counts {count:+g}, the board {score:+g}" for color, count in counts.items()
        )
        # Where all agree about who has won, points decide nothing.
        disputed = [color for color, count in counts.items() if np.sign(count) != np.sign(score)]
        if disputed:
            winner = "draw" if len(disputed) == len(COLORS) else COLORS[disputed[0]]
            return self._result(winner, "score", detail)
        outcome = game.outcome
        assert outcome is not None  # noqa: S101 - the game is over
        return self._result(outcome, "moves" if game.is_truncated else "rules", detail, score)

    def _count(self, color: int) -> float | None:
        """Returns the score as a player counts it; None if it does not count."""
        try:
            return self.players[color].count(self.game)
        except (Exception, SystemExit) as error:
            self._raise_if_blameless(error)
            # The agent offers to count, and fails.
            detail = f"{COLORS[color]}, asked to count: {_said(error)}"
            raise _ForfeitError(color, "error", detail) from error

    def _raise_if_blameless(self, error: BaseException) -> None:
        """Raises what no agent can be blamed for: an error of the rules of this game, and SIGTERM."""
        if isinstance(error, GameRulesError) and isinstance(self.game, OwnGame):
            raise error
        if is_sigterm(error):
            raise error

    def _result(self, winner: str, ending: EndingName, detail: str, score: float = 0.0) -> Result:
        return Result(
            winner=winner,  # type: ignore[arg-type]
            ending=ending,
            detail=detail,
            score=score,
            seconds=(self.totals[0], self.totals[1]),
            move_seconds=tuple(self.times),
            record=self.game,
        )


def _said(error: BaseException) -> str:
    """Returns the text of an error of an agent, which may have none."""
    try:
        return str(error)
    except Exception:
        return "an error that cannot be shown"


def _played(game: Game, choice: object) -> int | str:
    """Returns the action of an answer, or why it cannot be played."""
    after = game.copy()
    try:
        after.play(choice)  # type: ignore[arg-type]
    except GameRulesError:
        raise
    except Exception as error:
        return str(error)
    action = after.last_action
    assert action is not None  # noqa: S101 - it has just been played
    return action


def show(move: Move) -> None:
    """Prints the board, the number of stones and the times, as an `on_move` of `play`.

    Example:
        >>> import sixplane
        >>> game = sixplane.Reversi(size=4)
        >>> game.play(1)
        >>> show(Move(game, 0, 1, 0.25, (0.25, 0.0)))
        black B1, 0.25 s
           A B C D
         1 .(X). . 1
         2 . X X . 2
         3 . X O . 3
         4 . . . . 4
           A B C D
        stones: black 4, white 1; seconds: black 0.25, white 0.00
        <BLANKLINE>
    """
    game = move.game
    black, white = (int(np.count_nonzero(game.planes[color])) for color in (0, 1))
    print(f"{COLORS[move.color]} {game.action_to_name(move.action)}, {move.seconds:.2f} s")
    print(str(game).rstrip("\n"))
    times = "{:.2f}, white {:.2f}".format(*move.total_seconds)
    print(f"stones: black {black}, white {white}; seconds: black {times}\n")
