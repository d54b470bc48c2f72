"""Adds up a series of finished games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sixplane._core import PROFILE, Game


class Tally:
    """Counts games and their results, and keeps the last game."""

    def __init__(self) -> None:
        self.games = 0
        self.moves = 0
        self.seconds = 0.0
        self.scores = 0.0
        self.outcomes: Counter[str | None] = Counter()
        self.last: Game | None = None

    def add(self, games: Iterable[Game], seconds: float) -> None:
        """Adds games that took `seconds` to play."""
        for game in games:
            self.games += 1
            self.moves += game.move_number
            self.scores += game.score()
            self.outcomes[game.outcome] += 1
            self.last = game
        self.seconds += seconds

    def table(self) -> str:
        """Writes a line for each figure; scores are black's minus white's."""
        games = max(self.games, 1)
        rows = [
            ("games", f"{self.games:,}"),
            ("moves", f"{self.moves:,}"),
            ("moves/s", f"{self.moves / max(self.seconds, 1e-9):,.0f}"),
            ("black wins", f"{self.outcomes['black']:,}"),
            ("white wins", f"{self.outcomes['white']:,}"),
            ("draws", f"{self.outcomes['draw']:,}"),
            ("mean length", f"{self.moves / games:,.2f}"),
            ("mean score", f"{self.scores / games:+,.2f}"),
            ("profile", PROFILE),
        ]
        return "\n".join(f"{name:<12} {figure:>16}" for name, figure in rows)
