"""An agent that is another program, behind the Go Text Protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import numpy as np

from sixplane._core import Game, Go
from sixplane.agents.agent import RESIGN, Choice, Resignation
from sixplane.agents.gtp_program import GTPProgram, GTPRefusal
from sixplane.agents.program import ProgramAgent, ProgramError
from sixplane.games import COLORS, check_gtp, has_liberties, info_of
from sixplane.games.plays import backwards, plays_between

#: Rules that always hold, by KataGo's names: without them another game would be played.
_AREA: Final = ("scoring AREA", "tax NONE")

#: Others of them, which programs of some versions do not know. With a bonus for handicap stones White has
#: more points than here, and where friendly passes are allowed dead stones stay on the board.
_USUAL: Final = ("hasButton false", "whiteHandicapBonus 0", "friendlyPassOk false")


class GTPAgent(ProgramAgent[GTPProgram]):
    """An agent that is a program for Go or Reversi by GTP 2, such as `gnugo --mode gtp`, in a child process.

    The agent starts the program for the first move, and sends size, komi and every action. If a game does
    not continue the one before, the agent clears the board and sends the whole game. If a game of Go holds
    an action that superko forbids, which the program may refuse, the agent sends only the stones. A program
    that lists `kata-set-rule` also gets the rules; start others with the right ones. In Reversi the agent
    follows `gtp-rhino`: it leaves a forced pass out if the program refuses it.

    Args:
        command: the program with its arguments, as one line or as a list.
        timeout: seconds for one move; the referee of a match sets its own.
        setup: more commands to send after the size, such as `"time_settings 0 5 1"`.

    Raises:
        ValueError, TypeError: the command is empty or of a wrong type.

    Example:
        >>> import sixplane, sys
        >>> program = "while True: print('=' + input().split()[0], 'pass', end=2*chr(10), flush=True)"
        >>> agent = GTPAgent([sys.executable, "-c", program])
        >>> agent.select_action(sixplane.Go(size=5))
        25
        >>> agent.close()
        >>> # Another program starts before its first move, and counts a finished game itself.
        >>> agent = GTPAgent([sys.executable, "-m", "sixplane", "gtp", "--agent", "random"])
        >>> agent.limit_time(30)
        >>> game = sixplane.Go(size=5, komi=0.5)
        >>> agent.prepare(game)
        >>> agent.final_score(game.replay([12, 25, 25]))
        24.5
        >>> agent.close()
    """

    def __init__(
        self, command: str | Sequence[str], *, timeout: float = 60.0, setup: Iterable[str] = ()
    ) -> None:
        super().__init__(GTPProgram, command, timeout)
        self._setup = tuple(setup)
        if any("\n" in line for line in self._setup):
            raise ValueError("a command of setup must be one line")

    def _forget(self) -> None:
        super()._forget()
        self._known: frozenset[str] = frozenset()

    def __reduce__(self) -> tuple[Callable[[], GTPAgent], tuple[()], dict[str, float]]:
        make = partial(type(self), self._arguments, timeout=self._own_timeout, setup=self._setup)
        return make, (), {"_timeout": self._timeout}

    def prepare(self, game: Game) -> None:
        """Starts the program and sends it a game; in Reversi it may also ask for a move.

        Raises:
            ProgramTimeoutError, ProgramError, TypeError: as `select_action`.
        """
        self._send(game)
        if "genmove" not in self._known:
            raise ProgramError(f"{self._arguments[0]} cannot play: it has no command genmove")
        if info_of(game).gtp_name and "set_game" not in self._known:
            # A program for Go accepts every command so far; only its move shows which game it plays.
            choice = self.select_action(game)
            if not isinstance(choice, Resignation) and choice not in game.legal_actions:
                move = game.action_to_name(choice)
                raise ProgramError(
                    f"{self._arguments[0]} answers 'genmove' with {move}, illegal in {info_of(game).title}"
                )

    def select_action(self, game: Game) -> Choice:
        """Asks the program for its move, by `genmove`.

        Raises:
            ProgramTimeoutError: it has not answered in time, and has been ended.
            ProgramError: it cannot be started, has ended, refuses, or does not answer by the protocol.
            TypeError: GTP is not for this game.
        """
        self._send(game)
        answer = self._ask(f"genmove {COLORS[game.turn]}")
        if answer.lower() == "resign":
            return RESIGN
        try:
            # An error shows the name, and an answer may be as long as a program likes.
            action = game.name_to_action(answer[:200])
        except ValueError as error:
            self.close()
            message = f"{self._arguments[0]} answers 'genmove' with {answer[:200]!r}: {error}"
            raise ProgramError(message) from error
        self._note(game, action)
        return action

    def final_score(self, game: Game) -> float | None:
        """Asks the program for the score of a finished game, from Black's view.

        Returns:
            None if it knows no `final_score`, or cannot count.

        Raises:
            ProgramError: it fails in any other way, or answers no score.
        """
        self._send(game)
        if "final_score" not in self._known:
            return None
        try:
            answer = self._ask("final_score")
        except GTPRefusal:
            return None
        if answer.lower() in {"0", "draw", "jigo"}:
            return 0.0
        found = re.fullmatch(r"([BW])\+(\d+(?:\.\d*)?)(?:\s.*)?", answer, re.I)
        if found is None:
            raise ProgramError(f"{self._arguments[0]} answers 'final_score' with {answer[:200]!r}")
        points = float(found[2])
        return points if found[1].upper() == "B" else -points

    def _send(self, game: Game) -> None:
        """Begins the time of a move, and sends the program what it does not know of a game yet."""
        self._begin_move()
        check_gtp(game)
        self._running()
        if not self._known:
            self._known = frozenset(self._ask("list_commands").split())
        new = self._new_plays(game)
        if new is None:
            new = self._send_start(game)
        for color, action in new:
            self._play(game, color, action)
        self._sent = game.copy()

    def _send_start(self, game: Game) -> list[tuple[int, int]]:
        """Sends size, rules and starting position; returns the plays that lead on from there."""
        if "set_game" in self._known and (name := info_of(game).gtp_name):
            self._ask(f"set_game {name}")
        if game.rows == game.cols:
            self._ask(f"boardsize {game.rows}")
        elif "rectangular_boardsize" in self._known:
            self._ask(f"rectangular_boardsize {game.cols} {game.rows}")
        else:
            raise ProgramError(f"{self._arguments[0]} plays on square boards only")
        self._ask("clear_board")
        if has_liberties(game):
            self._send_rules(game)
        for command in self._setup:
            self._ask(command)

        start = game.replay([])
        if (info := info_of(game)).gtp_name:
            plays = plays_between(start, game, _looks_like)
            if plays is None or start != info.game_class((game.rows, game.cols), max_moves=game.max_moves):
                raise ProgramError(
                    f"by GTP, {info.title} is played from its usual start, with both colors in turn"
                )
            return plays
        plays = _legal_plays(game)
        if plays is None:
            start, plays = game, []
        stones = [(color, int(p)) for color in (0, 1) for p in np.flatnonzero(start.planes[color])]
        return stones + plays

    def _send_rules(self, game: Go) -> None:
        """Sends the komi and, as far as the program knows how, the other rules."""
        self._ask(f"komi {game.komi:g}")
        if "kata-set-rule" not in self._known:
            return
        for rule in (f"ko {game.ko.upper()}", f"suicide {str(game.suicide).lower()}", *_AREA):
            self._ask(f"kata-set-rule {rule}")
        for rule in _USUAL:
            with suppress(GTPRefusal):
                self._ask(f"kata-set-rule {rule}")

    def _play(self, game: Game, color: int, action: int) -> None:
        try:
            self._ask(f"play {COLORS[color]} {game.action_to_name(action)}")
        except GTPRefusal:
            if has_liberties(game) or action != game.num_actions - 1:
                raise

    def _ask(self, command: str) -> str:
        assert self._program is not None  # noqa: S101 - `_send` has started it
        return self._program.ask(command, self._seconds_left)


def _legal_plays(game: Game) -> list[tuple[int, int]] | None:
    """Lists color and action of each play; None if superko forbids one, which a program may refuse."""
    plays = []
    for earlier, action in backwards(game):
        if action not in earlier.legal_actions:
            return None
        plays.append((earlier.turn, action))
    return plays[::-1]


def _looks_like(played: Game, game: Game) -> bool:
    return game.is_over or np.array_equal(played.planes[:4], game.planes[:4])
