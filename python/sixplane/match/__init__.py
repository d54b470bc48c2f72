"""Plays games between agents with a referee, series of them, and many games at once.

`play` plays one game. A `Tournament` plays series between two or more players, several games at a
time; a `TournamentFolder` keeps the games, and `standings` adds them up. `arena` plays hundreds of
games of two evaluators or agents side by side, and `evaluate` those of a policy. `regret` measures a player
in positions whose value is known. `rate` finds its Elo on the ladder of a board, by games against rungs.
`ratings` turns the results of many pairs into Elo.
"""

from sixplane.match.arena import ArenaResult, arena, evaluate
from sixplane.match.folder import TournamentFolder
from sixplane.match.json_lines import FolderError
from sixplane.match.limits import Limits
from sixplane.match.rate import AgentRating, Rater, RungScore, rate
from sixplane.match.ratings import Rating, ratings
from sixplane.match.referee import Move, play, show
from sixplane.match.regret import RegretResult, regret
from sixplane.match.result import EndingName, Result, Winner
from sixplane.match.standings import Line, standings
from sixplane.match.tournament import Entrant, Fixture, Played, Tournament

__all__ = [
    "AgentRating",
    "ArenaResult",
    "EndingName",
    "Entrant",
    "Fixture",
    "FolderError",
    "Limits",
    "Line",
    "Move",
    "Played",
    "Rater",
    "Rating",
    "RegretResult",
    "Result",
    "RungScore",
    "Tournament",
    "TournamentFolder",
    "Winner",
    "arena",
    "evaluate",
    "play",
    "rate",
    "ratings",
    "regret",
    "show",
    "standings",
]
