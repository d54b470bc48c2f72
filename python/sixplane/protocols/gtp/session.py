"""Keeps the game of a GTP connection with all that was played, so that anything can be taken back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sixplane._core import Game, Go
from sixplane.agents.agent import Resignation
from sixplane.errors import IllegalActionError
from sixplane.games import COLORS, can_only_pass, has_liberties, info_of
from sixplane.games.plays import plays_of
from sixplane.protocols.gtp.arguments import Failure, failing
from sixplane.protocols.gtp.rules import rules_of

if TYPE_CHECKING:
    from sixplane.protocols.gtp.rules import Rules

#: A color, and what it played.
Play: TypeAlias = tuple[int, int | Resignation]


class GTPSession:
    """Keeps a game of Go or Reversi in which either color may play at any time.

    Play may go on after two passes in Go, so that clients can clean up the board: the second pass is
    forgotten. What cannot be done raises a `Failure`.

    Args:
        game: the first game, with what was played in it; its rules hold for it and all later ones until
            others are set.
    """

    def __init__(self, game: Game) -> None:
        self._class = info_of(game).game_class
        self._rules: Rules
        self._start: Game
        self._log: list[Play]
        self.load(game)
        # A game that is loaded may have others.
        self._usual_rules = self._rules

    @property
    def game(self) -> Game:
        """A copy of the game."""
        return self._game.copy()

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        return self._game.rows, self._game.cols

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._rules.copy()

    @property
    def usual(self) -> Game:
        """A new game on a board of this size, with the rules of new games."""
        game: Game = self._class(self.size, **self._usual_rules)
        return game

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was played, and no stones stand but those that a game begins with."""
        usual = self._class(self.size, **self._rules)
        return not self._log and np.array_equal(usual.planes, self._game.planes)

    def resize(self, rows: int, cols: int) -> None:
        """Begins a game on an empty board of this size."""
        with failing("unacceptable size"):
            start = self._class((rows, cols), **self._usual_rules)
        self._rules = self._usual_rules
        self._begin(start)

    def clear(self) -> None:
        """Begins a game on the board that it usually starts from."""
        self.resize(*self.size)

    def set_rules(self, rules: Rules) -> None:
        """Sets other rules for the game in play, by which what was played is legal, and for those to come."""
        new = self._rules | rules
        try:
            start = _with_rules(self._start, new)
            game = _after(start, self._log)
        except IllegalActionError as error:
            raise Failure(f"what was played is illegal by these rules: {error}") from error
        except (TypeError, ValueError) as error:
            raise Failure(str(error)) from error
        self._rules, self._start, self._game = new, start, game
        self._usual_rules = self._usual_rules | rules

    def place(self, points: Iterable[int]) -> None:
        """Begins a game with black stones as a handicap; White plays first."""
        self._begin(Go.from_stones(points, (), "white", self.size, **self._rules))

    def load(self, game: Game) -> None:
        """Goes on with another game of the same kind, its rules included; nobody has resigned in it."""
        log: list[Play] = [*plays_of(game)]
        rules = rules_of(game)
        start = _with_rules(game.replay([]), rules)
        self._game = _after(start, log)
        self._rules, self._start, self._log = rules, start, log

    def play(self, color: int, action: int | Resignation) -> bool:
        """Plays for a color, also when it is the other's turn, and also what only superko forbids.

        A client with another rule would be out of step from then on. The history has the repeated position
        twice, and superko goes on from there.

        Returns:
            Whether superko forbids it.

        Raises:
            IllegalActionError: the action is illegal; nothing has changed.
        """
        game = self._game.copy()
        repeats = _apply(game, color, action)
        self._log.append((color, action))
        self._game = game
        return repeats

    def undo(self) -> None:
        """Takes the last play back."""
        if not self._log:
            raise Failure("cannot undo")
        self._log.pop()
        self._game = _after(self._start, self._log)

    def game_for(self, color: int) -> Game:
        """Returns a copy of the game with this color to play; a game that two passes ended goes on."""
        game = self._game.copy()
        _give_turn(game, color)
        return game

    def _begin(self, start: Game) -> None:
        self._start, self._log, self._game = start, [], start.copy()


def _with_rules(start: Game, rules: Rules) -> Game:
    if not has_liberties(start):
        return start.copy()
    black, white = (np.flatnonzero(start.planes[color]).tolist() for color in (0, 1))
    return Go.from_stones(black, white, COLORS[start.turn], (start.rows, start.cols), **rules)


def _after(start: Game, log: list[Play]) -> Game:
    game = start.copy()
    for color, action in log:
        _apply(game, color, action)
    return game


def _apply(game: Game, color: int, action: int | Resignation) -> bool:
    """Plays for a color, and returns whether superko forbids it."""
    if isinstance(action, Resignation):
        game.resign(COLORS[color])
        return False
    _give_turn(game, color)
    is_legal = action in game.legal_actions
    if has_liberties(game):
        game.play_repetition(action)
    else:
        game.play(action)
    return not is_legal


def _give_turn(game: Game, color: int) -> None:
    if game.ending == "passes":
        # Play goes on without the second pass.
        game.undo()
        game.set_turn(COLORS[color])
    if game.turn != color and not game.is_over:
        if can_only_pass(game) and not has_liberties(game):
            game.play(game.num_actions - 1)  # Clients leave forced passes out.
        else:
            game.set_turn(COLORS[color])
