"""The end of a game of Go: the players mark dead stones, agree on them, and the rest of the board counts.

The rules of the package count all stones as alive; an agreement of the players goes before that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sixplane._core import Game, Go
from sixplane.games import COLORS, has_liberties
from sixplane.protocols.gtp.analysis import ownership_of
from sixplane.protocols.gtp.rules import rules_of
from sixplane.web.refusal import RefusedError

#: The number of random games that find dead stones.
GAMES: Final = 128

#: A stone is dead if the other player owns its point at the end of three games in five.
DEAD: Final = 0.2


@dataclass
class Counting:
    """The marks of two players on a board after both have passed.

    Attributes:
        game: game that is over.
        persons: whether Black and White are persons. An agent agrees when exactly the stones are marked that
            random games find dead.
        dead: points of the marked stones.
    """

    game: Go
    persons: tuple[bool, bool]
    dead: frozenset[int] = frozenset()
    _agreed: set[int] = field(default_factory=set)
    _estimate: frozenset[int] | None = None

    @classmethod
    def of(cls, game: Game, persons: tuple[bool, bool]) -> Counting | None:
        """Starts with the stones that random games find dead; None if two passes did not end the game.

        It is None, too, if no person plays.
        """
        if has_liberties(game) and game.ending == "passes" and any(persons):
            counting = cls(game.copy(), persons)
            counting.dead = counting.estimate
            return counting
        return None

    def mark(self, point: int | None) -> None:
        """Marks a chain, or removes its mark. The players must agree again.

        Args:
            point: point of a stone; None marks the stones that random games find dead.

        Raises:
            RefusedError: there is no stone on the point, or random games find no dead stones.
        """
        if point is None:
            if not self.estimate:
                raise RefusedError("none_dead", "random games find no dead stones")
            self.dead = self.estimate
        else:
            chains = self.game.chains().ravel()
            if point >= len(chains) or not chains[point]:
                raise RefusedError("no_stone", f"there is no stone on point {point}")
            self.dead ^= frozenset(np.flatnonzero(chains == chains[point]).tolist())
        self._agreed.clear()

    def agree(self, color: int) -> None:
        """Notes that a person agrees with the marks.

        Raises:
            RefusedError: no person plays this color.
        """
        if not self.persons[color]:
            raise RefusedError("not_your_turn")
        self._agreed.add(color)

    @property
    def agreed(self) -> tuple[bool, bool]:
        """Whether Black and White agree with the marks."""
        black, white = (
            color in self._agreed if is_person else self.dead == self.estimate
            for color, is_person in enumerate(self.persons)
        )
        return black, white

    @property
    def estimate(self) -> frozenset[int]:
        """The points of the stones that random games find dead."""
        if self._estimate is None:
            owners = ownership_of(self.rest(frozenset()), 0, GAMES).ravel()
            chains = self.game.chains().ravel()
            stones = self.game.planes[:2].reshape(2, -1)
            lost = (stones[0] == 1) & (owners < -DEAD) | (stones[1] == 1) & (owners > DEAD)
            self._estimate = frozenset(np.flatnonzero(np.isin(chains, chains[lost])).tolist())
        return self._estimate

    def rest(self, dead: frozenset[int] | None = None) -> Go:
        """Returns a game in play on the board without these stones; None: without the marked ones."""
        game = self.game
        dead = self.dead if dead is None else dead
        black, white = (
            [point for point in np.flatnonzero(game.planes[color]).tolist() if point not in dead]
            for color in (0, 1)
        )
        size = game.rows, game.cols
        return Go.from_stones(black, white, COLORS[game.turn], size, **rules_of(game))
