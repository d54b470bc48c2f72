"""The table of a ladder: its rungs, how they were rated, and known players beside them."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from sixplane._arguments import real
from sixplane._core import Game
from sixplane.games import GAMES, game_of, info_of

#: How many rungs above random play, as a spec has it.
ABOVE: Final = re.compile(r"\+\d{1,6}", re.ASCII)


class LadderError(ValueError):
    """There is no ladder for a board, or no such rung.

    Example:
        >>> import sixplane
        >>> try:
        ...     rungs(sixplane.Go(size=5))
        ... except LadderError as error:
        ...     print(str(error).partition(";")[0])
        there is no ladder for Go 5x5
    """


class Rung(NamedTuple):
    """A rung is an opponent of known strength.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import AgentSpec
        >>> rung = rungs(sixplane.Gomoku())[0]
        >>> rung.number, rung.spec, rung.elo, str(rung)
        (0, 'random', 0.0, 'rung +0, Elo 0: random')
        >>> agent = AgentSpec.parse(rung.spec).make(seed=1)
    """

    number: int
    """The number of the rung, which is how many are below it: 0 is random play."""
    spec: str
    """The agent, as `sixplane.agents.AgentSpec` reads it."""
    elo: float
    """The strength in Elo above random play."""
    low: float
    """The lower end of the 95 % interval of `elo`."""
    high: float
    """The upper end of the 95 % interval of `elo`."""
    games: int
    """The number of games that the rung has played against others."""
    gap: float
    """The Elo between the rung below and this one."""
    gap_low: float
    """The lower end of the 95 % interval of `gap`."""
    gap_high: float
    """The upper end of the 95 % interval of `gap`."""

    def __str__(self) -> str:
        return f"rung +{self.number}, Elo {self.elo:.0f}: {self.spec}"


class KnownPlayer(NamedTuple):
    """A known player is no rung, but has a place on the ladder: a program of others, or a network's search.

    Example:
        >>> import sixplane
        >>> players = {player.name: player for player in table_of(sixplane.Go(size=9)).players}
        >>> gnu_go = players["GNU Go 3.8, level 1"]
        >>> gnu_go.low < gnu_go.elo < gnu_go.high
        True
    """

    name: str
    """The program and how it was set, such as `GNU Go 3.8, level 10`."""
    elo: float
    """The strength in Elo above random play."""
    low: float
    """The lower end of the 95 % interval of `elo`."""
    high: float
    """The upper end of the 95 % interval of `elo`."""
    games: int
    """The number of games that the player has played against rungs."""
    date: str
    """The day on which the player was rated, such as `2026-11-27`."""


class Table(NamedTuple):
    """A table is the ladder of one board, and says how it was made.

    Example:
        >>> import sixplane
        >>> gomoku = table_of(sixplane.Gomoku())
        >>> gomoku.board, gomoku.rules, gomoku.opening_moves
        ('Gomoku 15x15', {'exact_five': False}, 4)
        >>> gomoku.rungs == rungs(sixplane.Gomoku())
        True
    """

    board: str
    """The game and its size, such as `Go 9x9`."""
    rules: dict[str, object]
    """The rules by which the rungs played; the same rungs serve for other rules on that board."""
    opening_moves: int
    """The number of random actions that each game began with."""
    date: str
    """The day of the table, such as `2026-11-26`."""
    version: str
    """The version of sixplane that played the games."""
    commands: tuple[str, ...]
    """The commands that make it: they play what the kept games lack, and rate by all of them."""
    networks: dict[str, str]
    """The networks of the package that rungs play by: name -> the SHA-256 of the file."""
    rungs: tuple[Rung, ...]
    """The rungs, the weakest first."""
    players: tuple[KnownPlayer, ...]
    """Known players that are no rungs, the weakest first; none where nobody has rated any."""


def table_of(game: Game) -> Table:
    """Returns the ladder of a game's board.

    Raises:
        LadderError: there is none.
        TypeError: it is no game.

    Example:
        >>> import sixplane
        >>> table_of(sixplane.Go(size=9)).board
        'Go 9x9'
    """
    # Of a game that is over the board still has a ladder.
    game, tables = game_of(game), _tables()
    found = tables.get((game.name, game.rows, game.cols))
    if found is None:
        boards = ", ".join(tables[board].board for board in sorted(tables))
        raise LadderError(
            f"there is no ladder for {info_of(game).unique_title} {game.rows}x{game.cols}; "
            f"there are ladders for {boards}"
        )
    return found


def rungs(game: Game) -> tuple[Rung, ...]:
    """Lists the rungs for a game's board, from random play up.

    Raises:
        LadderError: there are none.
        TypeError: it is no game.

    Example:
        >>> import sixplane
        >>> [rung.number for rung in rungs(sixplane.Reversi())][:3]
        [0, 1, 2]
    """
    return table_of(game).rungs


def nearest(game: Game, elo: float) -> Rung:
    """Returns the rung nearest to this Elo; of two, the weaker one.

    Raises:
        LadderError: the board has no ladder.
        TypeError: it is no game, or the Elo is no number.
        ValueError: the Elo is not finite.

    Example:
        >>> import sixplane
        >>> nearest(sixplane.Go(size=9), -100).spec
        'random'
    """
    if isinstance(elo, bool):
        raise TypeError("the Elo of a rung must be a number, not bool")
    if not math.isfinite(real("the Elo of a rung", elo)):
        raise ValueError(f"the Elo of a rung must be finite, not {elo!r}")
    return min(rungs(game), key=lambda rung: abs(rung.elo - elo))


def check(text: str) -> None:
    """Makes sure that a text can mean a rung: an Elo, or how many rungs above random play.

    Raises:
        LadderError: it cannot.
        TypeError: it is no text.

    Example:
        >>> check("1200")
        >>> check("+3")
        >>> try:
        ...     check("strong")
        ... except LadderError as error:
        ...     print(error)
        a rung is an Elo, such as 1200, or +3 for the third above random play, not 'strong'
    """
    _read(text)


def find(game: Game, text: str) -> Rung:
    """Returns the rung that a text means on a game's board, as in the spec `ladder:TEXT`.

    Raises:
        LadderError: the text means none, or the board has no ladder or none so high.
        TypeError: it is no game, or no text.

    Example:
        >>> import sixplane
        >>> find(sixplane.Go(size=9), "+1").number, find(sixplane.Go(size=9), "0").spec
        (1, 'random')
    """
    number, elo = _read(text)
    if number is None:
        return nearest(game, elo)
    found = rungs(game)
    if number >= len(found):
        raise LadderError(
            f"the ladder for {table_of(game).board} has rungs from +0 to +{len(found) - 1}, "
            f"and none +{number}"
        )
    return found[number]


def _read(text: str) -> tuple[int | None, float]:
    """Reads the number of a rung, or else an Elo."""
    if not isinstance(text, str):
        raise TypeError(f"a rung must be a text, such as '1200' or '+3', not {type(text).__name__}")
    text = text.strip()
    if text == "auto":
        raise LadderError(
            "ladder:auto follows the results of a learner: it is an opponent for environments only"
        )
    if ABOVE.fullmatch(text):
        return int(text), 0.0
    try:
        elo = float(text)
    except ValueError:
        elo = math.nan
    if not math.isfinite(elo) or text.startswith("+"):
        raise LadderError(
            f"a rung is an Elo, such as 1200, or +3 for the third above random play, not {text!r}"
        )
    return None, elo


@cache
def _tables() -> dict[tuple[str, int, int], Table]:
    """Reads the tables of the package: name of the game, rows and columns -> table."""
    tables = {}
    for file in sorted(Path(__file__).with_name("tables").glob("*.json")):
        facts = json.loads(file.read_text(encoding="utf-8"))
        name, rows, cols = facts.pop("game"), facts.pop("rows"), facts.pop("cols")
        tables[name, rows, cols] = Table(
            board=f"{GAMES[name].title} {rows}x{cols}",
            commands=tuple(facts.pop("commands")),
            rungs=tuple(Rung(number, **rung) for number, rung in enumerate(facts.pop("rungs"))),
            players=tuple(KnownPlayer(**player) for player in facts.pop("players", ())),
            **facts,
        )
    return tables
