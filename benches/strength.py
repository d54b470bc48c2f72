"""Rates others' programs and the networks of the package on the ladders: the tables of docs/strength.md.

    make strength                                  all boards; goes on where it stopped
    python benches/strength.py go9 --games 40      one board, fewer games

Each player is rated as `sixplane rate` does it. Players that think for seconds should have a processor for
themselves. What a player has scored against each rung is kept beside the results of the ladders, so that a
player plays the games only that it lacks. Where a table is made anew, the games against rungs that it still
has count. A player that does not depend on the machine, or is a program of others, becomes a known player
of the table.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ladder import BOARDS, RESULTS, TABLES, write_facts

import sixplane
from sixplane import ladder
from sixplane._files import write_file
from sixplane.agents import AgentSpec
from sixplane.agents.called import called
from sixplane.match import AgentRating, Rater
from sixplane.match.rating_file import Series, rating_file
from sixplane.nets.shipped import shipped_networks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: What the players have scored: a line for each, with its points and games against each rung.
KEPT: Final = RESULTS / "players.jsonl"

GNU_GO: Final = "gtp:gnugo --mode gtp --level {} --chinese-rules --capture-all-dead --positional-superko"
RHINO: Final = "gtp:gtp-rhino --level {}"
FIGRID: Final = "gomocup:seconds=0.5,pbrain-figrid"


class Player(NamedTuple):
    """A player that is no rung: its name in the table, its spec, and how many games rate it."""

    title: str
    spec: str
    games: int


def _searches(network: str) -> list[Player]:
    limits = {"simulations=100": 200, "simulations=400": 120, "simulations=1600": 60, "seconds=1": 24}
    return [Player(f"`{network}:{limit}`", f"{network}:{limit}", games) for limit, games in limits.items()]


def _levels(title: str, spec: str, games: dict[int, int]) -> list[Player]:
    return [Player(f"{title}, level {level}", spec.format(level), games[level]) for level in games]


#: The stronger a player is, the longer a game of it takes, and the fewer rate it.
PLAYERS: Final = {
    "go9": [*_searches("go9"), *_levels("GNU Go 3.8", GNU_GO, {1: 200, 5: 200, 10: 120})],
    "reversi8": [
        *_searches("reversi8"),
        *_levels("gtp-rhino 0.16.1", RHINO, {1: 200, 2: 200, 3: 200, 4: 54}),
    ],
    "gomoku15": [*_searches("gomoku15"), Player("figrid-board 1.2.0, half a second a move", FIGRID, 40)],
}


class Row(NamedTuple):
    """A line of the table of a board."""

    elo: float
    rung: str
    name: str
    low: float
    high: float
    games: int

    def __str__(self) -> str:
        interval = f" ({self.low:.0f} to {self.high:.0f})" if self.high > self.low else ""
        rung = f" {self.rung}" if self.rung else ""
        return f"|{rung} | {self.name} | {self.elo:.0f}{interval} | {self.games:,} |"


def rungs(game: sixplane.Game) -> Iterator[Row]:
    """The rungs, as their table has them."""
    for rung in ladder.rungs(game):
        yield Row(rung.elo, f"+{rung.number}", f"`{rung.spec}`", rung.low, rung.high, rung.games)


def kept() -> list[dict[str, Any]]:
    """Reads what is kept of all players."""
    return [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


def known_by(board: str, player: Player) -> dict[str, str | None]:
    """Says what a line of results is about; a player that another network has become is another one."""
    network = shipped_networks().get(player.spec.partition(":")[0])
    checksum = None if network is None else hashlib.sha256(network.read_bytes()).hexdigest()
    return {"board": board, "player": player.title, "spec": player.spec, "network": checksum}


def restored(board: str, player: Player, folder: Path) -> int:
    """Writes what is kept of a player as the folder of a rating, and returns its seed.

    That is the number of the games, so that a rating which goes on plays no game again.
    """
    game, _ = BOARDS[board]
    numbers = {rung.spec: rung.number for rung in ladder.rungs(game)}
    scores = [line["scores"] for line in kept() if known_by(board, player).items() <= line.items()]
    found = [
        Series(numbers[rung], *result) for each in scores for rung, result in each.items() if rung in numbers
    ]
    seed = sum(series.games for series in found)
    with closing(rating_file(folder, player.spec, ladder.table_of(game), game, seed)) as file:
        for series in found:
            file.add_entry(series._asdict())
    return seed


def keep(board: str, player: Player, found: AgentRating) -> None:
    """Keeps what a player has scored, in place of what was known of it."""
    scores = {score.rung.spec: [score.points, score.games] for score in found.scores}
    line = {**known_by(board, player), "date": dt.date.today().isoformat(), "scores": scores}
    others = [one for one in kept() if (one["board"], one["player"]) != (board, player.title)]
    ordered = sorted([*others, line], key=lambda one: (one["board"], one["player"]))
    write_file(KEPT, "".join(f"{json.dumps(one)}\n" for one in ordered).encode())


def rated(board: str, player: Player, games: int) -> Row:
    """Rates a player by the games that are kept and those that it lacks, and prints how far it is."""
    game, _ = BOARDS[board]
    with tempfile.TemporaryDirectory() as folder:
        seed = restored(board, player, Path(folder))
        with Rater(player.spec, game, games, seed, folder) as rater:
            while rater.step():
                print(f"{player.title}: {rater.rating}", flush=True)
                keep(board, player, rater.rating)
            found = rater.rating
    # As the table of the package has them, so that both are rounded to the same whole numbers.
    elo, low, high = (round(number, 1) for number in (found.elo, found.low, found.high))
    return Row(elo, "", player.title, low, high, found.games)


def known_as(player: Player) -> str | None:
    """Returns the name of a known player of a table; None: a search of ours that depends on the machine."""
    if not player.title.startswith("`"):
        return player.title
    spec = AgentSpec.parse(player.spec)
    return None if "seconds" in spec.options else called(spec)


def write_players(board: str, rows: Iterable[Row], tables: Path = TABLES) -> None:
    """Writes players that were rated into the table of a board, in which the others of `PLAYERS` stay."""
    names = {player.title: name for player in PLAYERS[board] if (name := known_as(player)) is not None}
    file, today = tables / f"{board}.json", dt.date.today().isoformat()
    facts = json.loads(file.read_text())
    players = {each["name"]: each for each in facts.get("players", []) if each["name"] in names.values()}
    for row in rows:
        if (name := names.get(row.name)) is not None:
            numbers = {number: round(getattr(row, number), 1) for number in ("elo", "low", "high")}
            players[name] = {"name": name, **numbers, "games": row.games, "date": today}
    ordered = sorted(players.values(), key=lambda each: (each["elo"], each["name"]))
    write_facts(file, facts | {"players": ordered})


def main() -> None:
    """Rates the players of the boards that are named, writes them into the tables, and prints these."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("boards", nargs="*", default=list(PLAYERS), help=f"of {', '.join(PLAYERS)} (all)")
    parser.add_argument("--games", type=int, help="of each player, instead of the usual number")
    parser.add_argument("--players", default="", help="those alone whose titles begin so")
    options = parser.parse_args()
    for board in options.boards:
        game, _ = BOARDS[board]
        wanted = [player for player in PLAYERS[board] if player.title.startswith(options.players)]
        players = [rated(board, player, options.games or player.games) for player in wanted]
        write_players(board, players)
        print(f"\n| rung | {ladder.table_of(game).board} | Elo | games |\n|---|---|---|---|")
        print(*sorted([*rungs(game), *players]), sep="\n", flush=True)


if __name__ == "__main__":
    main()
