"""The end of a game of Go: the players mark dead stones, agree on them, and the rest of the board counts.

The rules of the package count all stones as alive. What the players agree on goes before that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from sixplane._core import Game, Go
from sixplane.games import has_liberties
from sixplane.protocols.gtp.analysis import ownership_of
from sixplane.web.refusal import RefusedError

__all__ = ["Counting"]

#: Random games by which stones are held to be dead.
GAMES: Final = 128

#: A stone is dead if the other player owns its point at the end of three games in five.
DEAD: Final = 0.2


@dataclass
class Counting:
    """What two players hold of a board after both have passed.

    Attributes:
        game: it is over.
        persons: which of Black and White are persons. An agent agrees when exactly those stones are marked
            that random games hold to be dead.
        dead: the points of the stones that are marked.
    """

    game: Go
    persons: tuple[bool, bool]
    dead: frozenset[int] = frozenset()
    _agreed: set[int] = field(default_factory=set)
    _estimate: frozenset[int] | None = None

    @classmethod
    def of(cls, game: Game, persons: tuple[bool, bool]) -> Counting | None:
        """The counting of a game that two passes have ended; None for others, and if no person plays.

        It begins with the stones that random games hold to be dead.
        """
        if has_liberties(game) and game.reason == "passes" and any(persons):
            counting = cls(game.copy(), persons)
            counting.dead = counting.estimate
            return counting
        return None

    def mark(self, point: int | None) -> None:
        """Marks a chain, or takes its mark away; what was agreed on is open again.

        Args:
            point: of a stone; None marks what random games hold to be dead.

        Raises:
            RefusedError: there is no stone, or none that random games hold to be dead.
        """
        if point is None:
            if not self.estimate:
                raise RefusedError("none_dead", "random games find no dead stones")
            self.dead = self.estimate
        else:
            chains = self.game.chains().ravel()
            if point >= len(chains) or not chains[point]:
                raise RefusedError("no_stone", "there is no stone")
            self.dead ^= frozenset(np.flatnonzero(chains == chains[point]).tolist())
        self._agreed.clear()

    def agree(self, color: int) -> None:
        """A person agrees with the marks.

        Raises:
            RefusedError: the color is no person's.
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
        """The points of the stones that random games hold to be dead."""
        if self._estimate is None:
            owners = ownership_of(self.rest(frozenset()), 0, GAMES).ravel()
            chains = self.game.chains().ravel()
            stones = self.game.planes[:2].reshape(2, -1)
            lost = (stones[0] == 1) & (owners < -DEAD) | (stones[1] == 1) & (owners > DEAD)
            self._estimate = frozenset(np.flatnonzero(np.isin(chains, chains[lost])).tolist())
        return self._estimate

    def rest(self, dead: frozenset[int] | None = None) -> Go:
        """The board without these stones (None: those that are marked), in play."""
        game = self.game
        dead = self.dead if dead is None else dead
        black, white = (
            [point for point in np.flatnonzero(game.planes[color]).tolist() if point not in dead]
            for color in (0, 1)
        )
        return Go.from_stones(
            black,
            white,
            "white" if game.turn else "black",
            (game.rows, game.cols),
            komi=game.komi,
            ko=game.ko,
            suicide=game.suicide,
        )
