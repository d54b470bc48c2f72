"""The standings of a tournament say who scored how much against whom."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from sixplane._fields import from_table, shown
from sixplane.games import COLORS
from sixplane.games.plays import plays_of
from sixplane.match.result import FORFEITS, EndingName, Winner
from sixplane.match.statistics import elo_difference, wilson_interval
from sixplane.match.tournament import Played

#: A part of the standings: a title, and the name and the text of each row below it.
Table: TypeAlias = tuple[str, list[tuple[str, str]]]

#: Points of Black.
POINTS: Final = {"black": 1.0, "draw": 0.5, "white": 0.0}


@dataclass(frozen=True)
class Line:
    """A line is a finished game, as the file of results has it.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import AgentSpec
        >>> from sixplane.match import Tournament
        >>> entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
        >>> played = next(Tournament(entrants, sixplane.Gomoku(size=7), games=2).run(processes=0))
        >>> line = Line.of(played)
        >>> line.black, line.white, line.winner, line.ending
        ('random', 'score-table', 'white', 'rules')
        >>> line.side("score-table"), line.points("score-table")
        (1, 1.0)
        >>> import dataclasses, json
        >>> Line.read(json.dumps(dataclasses.asdict(line)).encode()) == line
        True
    """

    game: int
    """The number of the game, from 0."""
    black: str
    """The title of the player of Black."""
    white: str
    """The title of the player of White."""
    winner: Winner
    """The winner in words, as `Result.winner`."""
    ending: EndingName
    """What decided the game, in one word."""
    detail: str
    """More about what decided the game, in words; it may be empty."""
    forfeit: bool
    """Whether a player lost by a rule of the referee."""
    score: float
    """The score from Black's view if the board decided, else 0."""
    moves: int
    """The number of actions played, the opening included."""
    opening: list[str]
    """The names of the actions of the opening."""
    asked: list[int]
    """The numbers of answers that the players of Black and White gave: moves, and what ended the game."""
    seconds: list[float]
    """The total time of Black and of White."""
    slowest: list[float]
    """The longest time for one answer, of Black and of White."""

    def side(self, player: str) -> int:
        """Returns the color of a player: 0 for Black, 1 for White."""
        return int(player != self.black)

    def points(self, player: str) -> float:
        """Returns the points of a player: 1 for a win, a half for a draw."""
        return POINTS[self.winner] if player == self.black else 1 - POINTS[self.winner]

    @classmethod
    def read(cls, text: bytes, players: Collection[str] | None = None) -> Line:
        """Reads the line of a game as a file has it; `players` are those of the match, if they are known.

        Raises:
            ValueError: it is none, has a field of another type or value, or is of another player.
        """
        try:
            line = from_table(cls, json.loads(text))
        except RecursionError:
            raise ValueError("it is no line of a game") from None
        for name in ("asked", "seconds", "slowest"):
            if len(getattr(line, name)) != len(COLORS):
                raise ValueError(f"{name} must be one of Black and one of White")
        if line.forfeit is not (line.ending in FORFEITS):
            raise ValueError(f"forfeit must be {line.ending in FORFEITS}".lower())
        for name in (line.black, line.white):
            if players is not None and name not in players:
                raise ValueError(f"{shown(name)} is no player of this match")
        if line.black == line.white:
            raise ValueError(f"{shown(line.black)} plays against itself")
        return line

    @classmethod
    def of(cls, played: Played) -> Line:
        """Makes the line of a game."""
        fixture, result = played.fixture, played.result
        record = result.record
        first = record.move_number - len(result.move_seconds)
        names = [record.action_to_name(action) for action in fixture.opening]
        timed = list(zip(result.move_seconds, plays_of(record)[first:], strict=True))
        times = [[second for second, (who, _) in timed if who == color] for color in (0, 1)]
        for each, total in zip(times, result.seconds, strict=True):
            # An answer that ended the game, such as a resignation, took time but is no action.
            each.append(max(0.0, round(total - sum(each), 6)))
        return cls(
            game=fixture.index,
            black=fixture.black,
            white=fixture.white,
            winner=result.winner,
            ending=result.ending,
            detail=result.detail,
            forfeit=result.is_forfeit,
            score=result.score,
            moves=record.move_number,
            opening=names,
            asked=[sum(second > 0 for second in each) for each in times],
            seconds=[round(second, 6) for second in result.seconds],
            slowest=[round(max(each), 6) for each in times],
        )


def standings(titles: Sequence[str], lines: Iterable[Line]) -> str:
    """Writes a paragraph for each two players that have met, then every forfeit.

    Draws count half. The intervals hold the true value in 95 of 100 cases
    (`sixplane.match.statistics` names the formulas).

    Example:
        >>> import sixplane
        >>> from sixplane.agents import AgentSpec
        >>> from sixplane.match import Tournament
        >>> entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
        >>> tournament = Tournament(entrants, sixplane.Gomoku(size=7), games=4)
        >>> lines = [Line.of(played) for played in tournament.run(processes=0)]
        >>> for row in standings(list(tournament.entrants), lines).splitlines()[:3]:
        ...     print(row)
        random against score-table
          games             4
          won, drawn, lost  0, 0, 4
    """
    paragraphs = []
    for title, rows in tables(titles, lines):
        width = max(len(name) for name, _ in rows)
        paragraphs.append("\n".join([title, *(f"  {name:<{width}}  {text}" for name, text in rows)]))
    return "\n\n".join(paragraphs)


def tables(titles: Sequence[str], lines: Iterable[Line]) -> list[Table]:
    """Makes the tables that `standings` prints, for a page that shows them."""
    lines = sorted(lines, key=lambda line: line.game)
    met: dict[frozenset[str], list[Line]] = {}
    for line in lines:
        met.setdefault(frozenset((line.black, line.white)), []).append(line)
    found = [
        _pairing(first, second, met[pair])
        for first, second in itertools.combinations(titles, 2)
        if (pair := frozenset((first, second))) in met
    ]
    forfeits = [
        (f"game {line.game + 1}", f"{_who_lost(line)}, {line.detail}") for line in lines if line.forfeit
    ]
    if forfeits:
        found.append(("lost by a rule of the referee", forfeits))
    return found


def _who_lost(line: Line) -> str:
    loser = {"black": line.white, "white": line.black}.get(line.winner)
    return f"{loser} lost {FORFEITS[line.ending][0]}" if loser else "nobody won"


def _pairing(first: str, second: str, lines: list[Line]) -> Table:
    games = len(lines)
    points = [line.points(first) for line in lines]
    by_color = [[line.points(first) for line in lines if line.side(first) == color] for color in (0, 1)]
    won, drawn = points.count(1.0), points.count(0.5)
    rate = sum(points) / games
    low, high = wilson_interval(sum(points), games)
    elo = [f"{elo_difference(each):+.0f}" for each in (rate, low, high)]
    rows = [
        ("games", f"{games}"),
        ("won, drawn, lost", f"{won}, {drawn}, {games - won - drawn}"),
        ("won as black", f"{by_color[0].count(1.0)} of {len(by_color[0])}"),
        ("won as white", f"{by_color[1].count(1.0)} of {len(by_color[1])}"),
        ("score", f"{rate:.1%} (95 %: {low:.1%} to {high:.1%})"),
        ("Elo difference", f"{elo[0]} (95 %: {elo[1]} to {elo[2]})"),
        ("mean length", f"{sum(line.moves for line in lines) / games:.1f} moves"),
    ]
    for player in (first, second):
        moves = sum(line.asked[line.side(player)] for line in lines)
        mean = sum(line.seconds[line.side(player)] for line in lines) / max(moves, 1)
        slowest = max(line.slowest[line.side(player)] for line in lines)
        lost = sum(line.forfeit and line.points(player) == 0 for line in lines)
        rows.append((player, f"{mean:.3f} s a move, at most {slowest:.3f} s; {lost} forfeits"))
    return f"{first} against {second}", rows
