"""The points of a board as a language model sees them: turned or not, and by which letters and numbers."""

from __future__ import annotations

import random
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from sixplane._core import Game
from sixplane.games import info_of
from sixplane.games.style import Style
from sixplane.planes import symmetry_table
from sixplane.render import board_text

COORDINATES: Final = ("game", "letters", "shuffled")

#: The word for a pass.
PASSING: Final = "pass"


@dataclass(frozen=True)
class _Labels(Style):
    """A style whose columns and rows have names of their own."""

    letters: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    def coordinates(self, _rows: int, _cols: int) -> tuple[list[str], list[str]]:
        return [*self.letters], [*self.numbers]


class Points:
    """The names of the actions of a game, and its board as text.

    Args:
        game: any game with the board.
        coordinates: `"game"` for the game's own letters and numbers; `"letters"` for letters from the top
            left, as in SGF; `"shuffled"` for letters and numbers in a random order.
        symmetry: whether the board is seen through a random symmetry.
        seed: the seed of what is random.
    """

    def __init__(self, game: Game, coordinates: str, symmetry: bool, seed: str) -> None:
        info, (rows, cols) = info_of(game), (game.rows, game.cols)
        table = symmetry_table(rows, cols)[[*game.symmetries]]
        index = random.Random(f"{seed}/symmetry").randrange(len(table)) if symmetry else 0
        #: Place on the board that is seen -> point of the game; the pass is not in it.
        self._seen = table[index, :-1]
        letters, numbers = info.style.coordinates(rows, cols)
        if coordinates == "letters":
            letters, numbers = [*ascii_lowercase[:cols]], [*ascii_lowercase[:rows]]
        elif coordinates == "shuffled":
            rng = random.Random(f"{seed}/coordinates")
            letters = rng.sample(ascii_uppercase, cols)
            numbers = rng.sample([str(row + 1) for row in range(rows)], rows)
        self._style = _Labels(slants=info.style.slants, letters=tuple(letters), numbers=tuple(numbers))
        #: Each action by its name, in the order of the board that is seen; the pass is last.
        self._actions = {
            letters[place % cols] + numbers[place // cols]: point
            for place, point in enumerate(self._seen.tolist())
        }
        self.words = (
            "A point is named by its column, then its row. Columns from left to right: "
            f"{' '.join(letters)}. Rows from top to bottom: {' '.join(numbers)}."
        )
        """How points are named."""
        self.example = next(iter(self._actions))
        """The name of some point."""
        if info.has_pass:
            self._actions[PASSING] = rows * cols
        self._names = {action: name for name, action in self._actions.items()}
        self._read = {name.lower(): action for name, action in self._actions.items()}

    def name(self, action: int) -> str:
        """Names an action."""
        return self._names[action]

    def names(self, actions: list[int]) -> list[str]:
        """Names actions, in the order of the board that is seen."""
        given = {*actions}
        return [name for name, action in self._actions.items() if action in given]

    def action(self, text: str) -> int | None:
        """Finds the action of this name, in either case; None if there is none."""
        return self._read.get(text.strip().lower())

    def board(self, game: Game) -> str:
        """Writes the board with `X` for Black and `O` for White, and the last move in brackets."""
        planes = game.planes
        seen = planes.reshape(len(planes), -1)[:, self._seen].reshape(planes.shape)
        found = (self._seen == game.last_action).nonzero()[0].tolist()
        return board_text(seen, self._style, last=found[0] if found else None, ascii_only=True)
