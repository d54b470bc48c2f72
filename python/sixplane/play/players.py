"""The two players of a game with persons, and how they play."""

from __future__ import annotations

from dataclasses import dataclass

from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.games import can_only_pass
from sixplane.games.plays import backwards
from sixplane.ladder import Rung


@dataclass(frozen=True)
class Players:
    """Holds two players, the names of both, and the times of their moves."""

    seats: tuple[Agent | None, Agent | None]
    """The agents of Black and White; None is a person."""
    names: tuple[str, str]
    """The names of Black and White, for the record."""
    hint: Agent
    """The agent that gives hints."""
    seconds_per_move: float | None = None
    """The time for one move, after which a player loses; None: no limit."""
    delay: float = 0.3
    """Seconds between the moves of two agents."""
    level: Rung | None = None
    """The rung that the opponent is; None: a person or another agent."""

    @property
    def persons(self) -> tuple[bool, bool]:
        """Which of Black and White are persons."""
        return self.seats[0] is None, self.seats[1] is None

    @property
    def is_watched(self) -> bool:
        """Whether no person plays."""
        return not any(self.persons)

    def before_last_person(self, game: Game) -> Game | None:
        """Returns the game before the last move of a person; None if no person has made one.

        A loss that a game has as a resignation is taken back alone if a person is to play, or has not played
        yet: an agent that failed at its first move then gets another try.
        """
        lost = game.ending == "resignation"
        if lost:
            game = game.copy()
            game.undo()
            if self.persons[game.turn]:
                return game
        return _before_choice(game, self.persons) or (game if lost and not self.is_watched else None)

    def before_choice(self, game: Game) -> Game | None:
        """Returns the game before the last move that a person chose, or an agent if no person plays; or None.

        A pass that is the only legal action is not chosen.
        """
        return _before_choice(game, (True, True) if self.is_watched else self.persons)

    def agents(self, person: Agent) -> tuple[Agent, Agent]:
        """Returns the agents of Black and White, with this one for persons."""
        return self.seats[0] or person, self.seats[1] or person


def _before_choice(game: Game, colors: tuple[bool, bool]) -> Game | None:
    """Returns the game before the last move of these colors that was no forced pass, or None."""
    choices = (game for game, _ in backwards(game) if colors[game.turn] and not can_only_pass(game))
    return next(choices, None)
