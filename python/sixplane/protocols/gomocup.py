"""The Gomoku protocol of piskvork and the Gomocup tournament, with an agent behind the commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Final

from sixplane._core import Game, Gomoku, __version__
from sixplane.agents import ScoreTableAgent
from sixplane.agents.agent import Agent, Choice, Resignation, set_limit
from sixplane.agents.thread import AgentThread
from sixplane.errors import IllegalActionError
from sixplane.protocols.lines import TOO_LONG, LineSource

__all__ = ["GomocupEngine"]

#: The owners of stones in `BOARD`: this program and the other.
OWN, OTHER = 1, 2

#: Seconds of every limit that stay in reserve, and the least time for a move.
RESERVE: Final = 0.03
LEAST: Final = 0.02

#: The time that is left for the match is divided into this many moves.
MOVES: Final = 20


class _Failure(Exception):  # noqa: N818 - an answer of the protocol
    """Says why a command fails: the answer is ERROR and these words."""


class GomocupEngine:
    r"""Answers commands: START, RECTSTART, RESTART, BEGIN, TURN, BOARD, TAKEBACK, INFO, ABOUT, END.

    Points are `x,y` from 0 at the top left. The engine keeps every time limit: if the agent has not
    answered by then, the score table chooses the move. If the agent is still busy with an earlier move, the
    engine waits for it within the time of this one, and never calls it twice at once.

    Args:
        agent: chooses the moves.

    Example:
        >>> from sixplane.agents import ScoreTableAgent
        >>> engine = GomocupEngine(ScoreTableAgent(seed=1))
        >>> engine.answer("START 15"), engine.answer("BEGIN")
        ('OK', '7,7')
        >>> import os
        >>> from sixplane.protocols.lines import PipeLines
        >>> reads, writes = os.pipe()
        >>> size = os.write(writes, b"TURN 6,6\nEND\n")
        >>> os.close(writes)
        >>> answers = []
        >>> engine.run(PipeLines(reads), answers.append)
        >>> len(answers)
        1
    """

    def __init__(self, agent: Agent) -> None:
        self._agent, self._thread = agent, AgentThread(agent)
        self._is_limited = False
        self._quick = ScoreTableAgent()
        self._size: tuple[int, int] | None = None
        #: Owner and point of each stone, in order.
        self._stones: list[tuple[int, int]] = []
        self._board: list[tuple[int, int]] | None = None
        self._rule = 0
        self._turn_limit: float | None = None
        self._match_limit: float | None = None
        self._left: float | None = None
        self.has_ended = False

    def run(self, lines: LineSource, write: Callable[[str], None]) -> None:
        """Answers lines until `END` or the last one; `write` must send each answer at once."""
        while not self.has_ended:
            line = lines.get()
            if line is None:
                return
            answer = self.answer(line)
            if answer:
                write(answer + "\n")

    def answer(self, line: str) -> str:
        """Returns the answer to one line, without a line break; empty if there is none."""
        if line == TOO_LONG:
            return "ERROR line too long"
        words = line.replace(",", " ").split()
        try:
            if self._board is not None and [word.upper() for word in words] != ["END"]:
                return self._board_line(words)
            if not words:
                return ""
            return self._command(words[0].upper(), words[1:])
        except _Failure as failure:
            return f"ERROR {failure}"

    def _command(self, name: str, words: list[str]) -> str:  # noqa: C901 - one case a command
        match name:
            case "START":
                (side,) = _integers(1, words)
                answer = self._start(side, side)
            case "RECTSTART":
                width, height = _integers(2, words)
                answer = self._start(height, width)
            case "RESTART":
                answer = self._start(*self._known_size())
            case "BEGIN":
                answer = self._move_on([])
            case "TURN":
                self._put(OTHER, words)
                answer = self._move()
            case "BOARD":
                self._known_size()
                self._board = []
                answer = ""
            case "TAKEBACK":
                answer = self._take_back(words)
            case "INFO":
                self._info(words)
                answer = ""
            case "END":
                self.has_ended = True
                answer = ""
            case "ABOUT":
                answer = f'name="sixplane", version="{__version__}", author="sixplane", country="-"'
            case _:
                answer = f"UNKNOWN {name[:40]}"
        return answer

    def _start(self, rows: int, cols: int) -> str:
        try:
            Gomoku((rows, cols))
        except ValueError as error:
            raise _Failure(str(error)) from error
        self._size, self._stones, self._left = (rows, cols), [], None
        return "OK"

    def _known_size(self) -> tuple[int, int]:
        if self._size is None:
            raise _Failure("START comes first")
        return self._size

    def _point(self, words: list[str]) -> int:
        rows, cols = self._known_size()
        x, y = _integers(2, words)
        if not (x < cols and y < rows):
            raise _Failure(f"{x},{y} is off the board")
        return y * cols + x

    def _put(self, owner: int, words: list[str]) -> None:
        point = self._point(words)
        game = self._game()
        if game.is_over:
            raise _Failure("the game is over")
        if point in (taken for _, taken in self._stones):
            raise _Failure(f"{words[0]},{words[1]} is occupied")
        self._stones.append((owner, point))

    def _take_back(self, words: list[str]) -> str:
        point = self._point(words)
        left = [(owner, taken) for owner, taken in self._stones if taken != point]
        if len(left) == len(self._stones):
            raise _Failure("no stone is there")
        self._stones = left
        return "OK"

    def _board_line(self, words: list[str]) -> str:
        """Takes a stone of `BOARD`, or the end of its list."""
        assert self._board is not None  # noqa: S101 - the caller has looked
        if [word.upper() for word in words] == ["DONE"]:
            stones, self._board = self._board, None
            if len({point for _, point in stones}) < len(stones):
                raise _Failure("a point of the board was given twice")
            return self._move_on(stones)
        try:
            *_, owner = _integers(3, words)
            if owner not in {OWN, OTHER}:
                raise _Failure(f"no player {owner}")
            self._board.append((owner, self._point(words[:2])))
        except _Failure:
            # The whole board is refused; its other lines will be unknown commands.
            self._board = None
            raise
        return ""

    def _info(self, words: list[str]) -> None:
        """Takes a setting; unknown names and malformed values are ignored."""
        if len(words) < 2 or not re.fullmatch(r"-?\d{1,12}", words[1], re.A):  # noqa: PLR2004
            return
        name, value = words[0].lower(), int(words[1])
        match name:
            case "rule":
                self._rule = value
            case "timeout_turn":
                self._turn_limit = max(value, 0) / 1000
            case "timeout_match":
                self._match_limit = value / 1000 if value > 0 else None
            case "time_left":
                self._left = max(value, 0) / 1000

    def _seconds(self) -> float | None:
        """Returns the seconds for this move; None: no limit."""
        limits = [] if self._turn_limit is None else [self._turn_limit]
        left = self._match_limit if self._left is None else self._left
        if self._match_limit is not None and left is not None:
            limits.append(left / MOVES)
        return max(min(limits) - RESERVE, LEAST) if limits else None

    def _game(self) -> Game:
        """Returns the game as it stands; with a history if the stones lead to a move of this program."""
        if self._rule not in {0, 1}:
            raise _Failure(f"rule {self._rule} is not offered: 0 is freestyle, 1 exactly five")
        size, exact = self._known_size(), self._rule == 1
        game = Gomoku(size, exact_five=exact)
        owners = [owner for owner, _ in self._stones]
        if owners[-1:] != [OWN] and all(one != two for one, two in pairwise(owners)):
            # An order that has not been played may pass a five on the way to a longer run, which is none.
            with suppress(IllegalActionError):
                for _, point in self._stones:
                    game.play(point)
                return game
        # The player with more stones has begun. With equal numbers this program has, and is to play.
        own, other = ([point for who, point in self._stones if who == one] for one in (OWN, OTHER))
        try:
            if len(own) >= len(other):
                return Gomoku.from_stones(own, other, "black", size, exact_five=exact)
            return Gomoku.from_stones(other, own, "white", size, exact_five=exact)
        except ValueError as error:
            raise _Failure(str(error)) from error

    def _move_on(self, stones: list[tuple[int, int]]) -> str:
        """Moves on other stones; those of before stay if the game cannot go on with these."""
        before, self._stones = self._stones, stones
        try:
            return self._move()
        except _Failure:
            self._stones = before
            raise

    def _move(self) -> str:
        game = self._game()
        if game.is_over:
            raise _Failure("the game is over")
        action = self._chosen(game)
        if action is None or action not in game.legal_actions:
            action = self._quick.select_action(game)
        self._stones.append((OWN, action))
        row, col = divmod(action, game.cols)
        return f"{col},{row}"

    def _chosen(self, game: Game) -> int | None:
        """Returns the agent's move; None if it fails, resigns, or does not answer in time."""
        seconds = self._seconds()
        agent = self._agent
        self._is_limited |= seconds is not None
        is_limited = self._is_limited

        def choose(left: float | None) -> Choice:
            if is_limited:
                set_limit(agent, left)
            return agent.select_action(game.copy())

        try:
            choice = self._thread.ask(choose, seconds)
            return None if isinstance(choice, Resignation) else int(choice)
        except Exception:  # The engine plays a move, whatever the agent does.
            return None


def _integers(count: int, words: list[str]) -> list[int]:
    if len(words) != count or not all(re.fullmatch(r"\d{1,9}", word, re.A) for word in words):
        raise _Failure(f"not {count} number{'s' * (count > 1)}")
    return [int(word) for word in words]
