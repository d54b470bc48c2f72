"""An agent that is another program, behind the Gomoku protocol of piskvork and Gomocup."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import Final

import numpy as np

from sixplane._arguments import integer, real
from sixplane._core import Game, Gomoku
from sixplane.agents.gomocup_program import GomocupProgram
from sixplane.agents.program import ProgramAgent

#: Seconds of the time for a move that the program is not told of, and the least that it is told.
RESERVE: Final = 0.05
LEAST: Final = 0.01

#: What the protocol calls no limit of a match, in milliseconds.
NO_LIMIT: Final = 2**31 - 1

#: What the protocol calls a game against another program.
PROGRAM: Final = 1


def check_gomocup(game: Game) -> None:
    """Raises a `TypeError` unless the protocol of Gomocup knows this game."""
    if not isinstance(game, Gomoku):
        raise TypeError(f"the protocol of Gomocup is for Gomoku, not {type(game).__name__}")


class GomocupAgent(ProgramAgent[GomocupProgram]):
    """An agent that is a program for Gomoku with the protocol of piskvork and Gomocup, in a child process.

    The agent starts the program for the first move, and sends it the size, the rule and the limits. It sends
    a move of the opponent by `TURN`. If a game does not continue the one before, the agent sends
    `RESTART` and the whole board; for another size or rule, and if the program does not know `RESTART`, it
    starts the program again. The protocol has no resignation.

    Args:
        command: the program with its arguments, as one line or as a list.
        seconds: what the program is told to think about a move, or less if `timeout` is shorter.
        timeout: seconds for one move; the referee of a match sets its own.
        max_memory: how many bytes the program is told to use at most; 0 for no limit.

    Raises:
        ValueError, TypeError: the command is empty, or an argument is of a wrong type or value.

    Example:
        >>> import sixplane, sys
        >>> agent = GomocupAgent([sys.executable, "-m", "sixplane", "gomocup", "--agent", "score-table"])
        >>> agent.limit_time(30)
        >>> game = sixplane.Gomoku()
        >>> agent.prepare(game)
        >>> agent.about()["name"]
        'sixplane'
        >>> game.action_to_name(agent.select_action(game))
        'H8'
        >>> agent.close()
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        seconds: float = 1.0,
        timeout: float = 60.0,
        max_memory: int = 0,
    ) -> None:
        super().__init__(GomocupProgram, command, timeout)
        self._seconds = real("seconds", seconds)
        if not (self._seconds > 0 and math.isfinite(self._seconds)):
            raise ValueError(f"seconds must be a positive number, not {seconds!r}")
        self._max_memory = integer("max_memory", max_memory, 0)

    def _forget(self) -> None:
        super()._forget()
        #: What the program was started for: columns, rows and rule.
        self._board: tuple[int, int, int] | None = None

    def __reduce__(self) -> tuple[Callable[[], GomocupAgent], tuple[()], dict[str, float]]:
        options = {"seconds": self._seconds, "timeout": self._own_timeout, "max_memory": self._max_memory}
        make = partial(type(self), self._arguments, **options)  # type: ignore[arg-type]
        return make, (), {"_timeout": self._timeout}

    def prepare(self, game: Game) -> None:
        """Starts the program, and a game on the board and with the rule of this one.

        Raises:
            ProgramTimeoutError, ProgramError, TypeError: as `select_action`.
        """
        self._begin_move()
        check_gomocup(game)
        self._start(game)

    def about(self) -> dict[str, str]:
        """Asks the program for its `name`, `version`, `author` and `country`; returns what it tells.

        Raises:
            ProgramTimeoutError, ProgramError: as `select_action`.
        """
        self._begin_move()
        answer = self._running().ask(["ABOUT"], self._seconds_left)
        return dict(re.findall(r'(\w+)="([^"]*)"', answer))

    def select_action(self, game: Game) -> int:
        """Sends the program what it does not know of a game, and returns its move.

        Raises:
            ProgramTimeoutError: it has not answered in time, and has been ended.
            ProgramError: it cannot be started, has ended, refuses, or does not answer with a point.
            TypeError: the protocol is not for this game.
        """
        self._begin_move()
        check_gomocup(game)
        self._running()
        new = self._new_plays(game)
        if new is not None and [color for color, _ in new] == [1 - game.turn]:
            lines = [f"TURN {_point(game, new[0][1])}"]
        else:
            lines = [*self._start(game), *_position(game)]
        program = self._running()
        seconds = max(min(self._seconds, self._seconds_left - RESERVE), LEAST)
        limits = [f"INFO timeout_turn {round(1000 * seconds)}", f"INFO time_left {NO_LIMIT}"]
        answer = program.ask([*limits, *lines], self._seconds_left)
        found = re.fullmatch(r"(\d{1,4})\s*,\s*(\d{1,4})", answer, re.A)
        if found is None or int(found[1]) >= game.cols or int(found[2]) >= game.rows:
            self.close()
            raise program.refusal(lines[-1], answer, "a point of the board", _title(game))
        action = int(found[2]) * game.cols + int(found[1])
        self._note(game, action)
        return action

    def _start(self, game: Game) -> list[str]:
        """Gives the program an empty board; returns what else it must be told before the first move."""
        self._sent = None
        rule = int(game.exact_five)  # type: ignore[attr-defined]
        board = (game.cols, game.rows, rule)
        program = self._running()
        if self._board != board or not _agrees(program.ask(["RESTART"], self._seconds_left)):
            if self._board is not None:
                self.close()
                program = self._running()
            start = f"START {board[0]}" if board[0] == board[1] else f"RECTSTART {board[0]},{board[1]}"
            # Managers send the rule after the start. Sent before it, too, a rule may be refused at once.
            answer = program.ask([f"INFO rule {rule}", start], self._seconds_left)
            if not _agrees(answer):
                self.close()
                raise program.refusal(start, answer, "OK", _title(game))
            self._board = board
        settings = {"timeout_match": 0, "max_memory": self._max_memory, "game_type": PROGRAM, "rule": rule}
        return [f"INFO {name} {value}" for name, value in settings.items()]


def _agrees(answer: str) -> bool:
    return re.match(r"OK\b", answer, re.I) is not None


def _title(game: Game) -> str:
    rule = "exactly five" if game.exact_five else "five or more"  # type: ignore[attr-defined]
    return f"Gomoku {game.rows}x{game.cols}, {rule}"


def _point(game: Game, point: int) -> str:
    row, col = divmod(point, game.cols)
    return f"{col},{row}"


def _position(game: Game) -> list[str]:
    """Writes a position for a program that has an empty board and is to play.

    The stones come in the order in which they were played. Those that were set up come first, the colors
    in turn as far as possible, since some programs count by the order who is to play.
    """
    set_up = np.flatnonzero(game.replay([]).planes[:2].any(axis=0))
    order = [*set_up.tolist(), *game.actions.tolist()]
    own, other = (
        [f"{_point(game, point)},{owner}" for point in order if game.planes[color].flat[point]]
        for owner, color in ((1, game.turn), (2, 1 - game.turn))
    )
    if not own and len(other) <= 1:
        return [f"TURN {stone.removesuffix(',2')}" for stone in other] or ["BEGIN"]
    turns = zip_longest(own, other) if len(own) >= len(other) else zip_longest(other, own)
    return ["BOARD", *(stone for turn in turns for stone in turn if stone is not None), "DONE"]
