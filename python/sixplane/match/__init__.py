"""Games between agents with a referee, and series of them.

`play` plays one game. A `Tournament` plays series between two or more players, several games at a
time; a `TournamentFolder` keeps the games, and `standings` adds them up.
"""

from sixplane.match.child import ChildError
from sixplane.match.folder import FolderError, TournamentFolder
from sixplane.match.referee import Move, Reason, Result, Winner, play, show
from sixplane.match.standings import Line, standings
from sixplane.match.tournament import Entrant, Fixture, Limits, Played, Tournament

__all__ = [
    "ChildError",
    "Entrant",
    "Fixture",
    "FolderError",
    "Limits",
    "Line",
    "Move",
    "Played",
    "Reason",
    "Result",
    "Tournament",
    "TournamentFolder",
    "Winner",
    "play",
    "show",
    "standings",
]
