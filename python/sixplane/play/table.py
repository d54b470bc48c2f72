"""A table: two seats, a game, and moves that may be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sixplane import match
from sixplane.games import info_of
from sixplane.play.record_file import RecordFiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane._core import Game
    from sixplane.agents.agent import Agent
    from sixplane.play.players import Players

__all__ = ["Load", "Quit", "Table", "TakeBack", "before_last_person", "end_text"]


class Quit(BaseException):
    """A person leaves the game."""


class TakeBack(BaseException):
    """A person takes a move back."""


class Load(BaseException):
    """A person goes on with another game of the same kind and size.

    Attributes:
        game: its position now.
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game


class Table:
    """Two players and the game between them.

    Args:
        players: the players. Taking back goes to the last move of a person.
        person: the agent that asks a person for a move.
        game: the game to start from.
        on_move: called by the referee after every action.
        on_back: called with the game after a move was taken back, or another game loaded.
    """

    def __init__(
        self,
        players: Players,
        person: Agent,
        game: Game,
        *,
        on_move: Callable[[match.Move], object] = lambda _move: None,
        on_back: Callable[[Game], object] = lambda _game: None,
    ) -> None:
        self._players, self._agents = players, players.agents(person)
        self._on_move, self._on_back = on_move, on_back
        self._files = RecordFiles()
        self.game = game.copy()
        self.result: match.Result | None = None
        self.seconds = (0.0, 0.0)
        """Time so far of Black and of White, moves that were taken back included."""
        self._earlier = self.seconds
        self._is_left = False

    def run(self) -> match.Result:
        """Plays on to the end, with moves taken back as persons ask for it.

        Raises:
            Quit: a person asked for it.
        """
        while True:
            self._earlier = self.seconds
            try:
                limit = self._players.seconds_per_move
                self.result = match.play(*self._agents, self.game, limit, on_move=self._moved)
            except TakeBack:
                self.take_back()
            except Load as wanted:
                self.game, self.result = wanted.game.copy(), None
            else:
                self.game = self.result.record
                return self.result
            self._on_back(self.game.copy())

    def _moved(self, move: match.Move) -> None:
        self.game = move.game
        black, white = (sum(times) for times in zip(self._earlier, move.total_seconds, strict=True))
        self.seconds = (black, white)
        self._on_move(move)

    def leave(self) -> None:
        """The person leaves the game as it stands; in Reversi the discs then decide."""
        self._is_left = True

    @property
    def can_take_back(self) -> bool:
        """Whether a person has made a move."""
        return before_last_person(self.game, self._players.persons) is not None

    def take_back(self) -> None:
        """Goes back to before the last move of a person; without one, nothing changes."""
        game = before_last_person(self.game, self._players.persons)
        if game is not None:
            self.game, self.result = game, None

    def save(self, path: str) -> str:
        """Writes the game as SGF, and returns a message about it.

        Raises:
            SaveError: it cannot be written.
        """
        result = None if self.result is None else self.result.sgf_result
        if result is None and self._is_left:
            result = info_of(self.game).stopped_result(self.game)
        names = self._players.names
        text = self.game.to_sgf(black_name=names[0], white_name=names[1], result=result)
        self._files.write(path, text)
        return f"saved {path}"


def before_last_person(game: Game, persons: tuple[bool, bool]) -> Game | None:
    """The game before the last move of a person; None if no person has made one.

    Args:
        game: it stays as it is.
        persons: which of Black and White are persons.
    """
    game = game.copy()
    while True:
        try:
            game.undo()
        except ValueError:
            return None
        # A person whose only legal action is a pass was not asked to move.
        has_choice = game.legal_actions.tolist() != [game.num_actions - 1]
        if persons[game.turn] and has_choice:
            return game


def end_text(game: Game, result: match.Result | None) -> str:
    """How a game ended, in words; without a result, how it stood when it was left."""
    if result is not None:
        return str(result)
    text: str = info_of(game).stopped(game)
    return text
