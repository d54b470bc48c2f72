"""Rates others' programs and the networks of the package on the ladders: the tables of docs/strength.md.

    make strength                                  all boards; goes on where it stopped
    python benches/strength.py go9 --games 40      one board, fewer games

Each player is rated as `sixplane rate` does it, in a folder of its own. Players that think for seconds should
have a processor for themselves.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ladder import BOARDS

import sixplane
from sixplane import ladder
from sixplane.match import Rater

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def rated(player: Player, game: sixplane.Game, games: int | None, out: Path) -> Row:
    """Rates a player, or goes on with that, and shows on the way how far it is."""
    folder = out / re.sub(r"[^a-z0-9]+", "-", player.title.lower()).strip("-")
    with Rater(player.spec, game, games or player.games, 1, folder) as rater:
        while rater.step():
            print(f"{player.title}: {rater.rating}", flush=True)
        found = rater.rating
    return Row(found.elo, "", player.title, found.low, found.high, found.games)


def main() -> None:
    """Rates the players of the boards that are named, and prints a table for each board."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("boards", nargs="*", default=list(PLAYERS), help=f"of {', '.join(PLAYERS)} (all)")
    parser.add_argument("--games", type=int, help="of each player, instead of the usual number")
    parser.add_argument(
        "--out", type=Path, default=Path("out/strength/ladder"), help="where results are kept"
    )
    options = parser.parse_args()
    for board in options.boards:
        game, _ = BOARDS[board]
        players = [rated(player, game, options.games, options.out / board) for player in PLAYERS[board]]
        print(f"\n| rung | {ladder.table_of(game).board} | Elo | games |\n|---|---|---|---|")
        print(*sorted([*rungs(game), *players]), sep="\n", flush=True)


if __name__ == "__main__":
    main()
