"""What was played in a game, and the game of a record."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Final

from sixplane._core import Game, Node, OwnGame
from sixplane.errors import SGFWarning

#: The number of somebody's own games in records (`GM`).
OWN: Final = "1000"

#: The colors of the properties that are moves.
_MOVES: Final = {"B": 0, "W": 1}


def follow(root: Node, now: Game | None, **rules: object) -> tuple[Game, list[SGFWarning]]:
    """Returns the game of a record, and the warnings.

    A record of a game of your own holds its options, and not its rules: they are those of `now`, the game in
    play, if that is one of your own. Other `rules` override those of the record.

    Raises:
        SGFError: as `Node.to_game`.
    """
    usual = now if root.text("GM") == OWN and isinstance(now, OwnGame) else None
    return root.follow(usual=usual, **rules)


def backwards(game: Game) -> Iterator[tuple[Game, int]]:
    """Yields each action and the game before it, the last first; the next step changes that game."""
    earlier = game.copy()
    while (action := earlier.last_action) is not None:
        number = earlier.move_number
        # A resignation and a change of the turn are steps of their own.
        while earlier.move_number == number:
            earlier.undo()
        yield earlier, action


def plays_of(game: Game) -> list[tuple[int, int]]:
    """Lists color and action of each play; in a record a color may have played twice in a row."""
    return [(earlier.turn, action) for earlier, action in backwards(game)][::-1]


def plays_between(
    before: Game, game: Game, is_same: Callable[[Game, Game], bool] = operator.eq
) -> list[tuple[int, int]] | None:
    """Lists color and action of each play that leads from one game to another; None if none do."""
    history, plays = before.copy(), list[tuple[int, int]]()
    for action in game.actions[before.move_number :].tolist():
        if history.is_over or action not in history.legal_actions:
            return None
        plays.append((history.turn, action))
        history.play(action)
    return plays if is_same(history, game) else None


def actions_of_moves(root: Node, game: Game) -> list[int]:
    """Counts the actions of a game up to each move of its record: before the first, after that, and so on.

    A game of Reversi has more actions than its record has moves: records leave forced passes out.
    """
    names = (name for node in root.main_line() for name, _ in node.properties)
    # Small letters of a name do not count: `Black` is `B`.
    letters = ("".join(filter(str.isupper, name)) for name in names)
    colors = [_MOVES[name] for name in letters if name in _MOVES]
    plays, counts = enumerate(plays_of(game), 1), [0]
    for color in colors:
        for count, (turn, _) in plays:
            # The other color's action before it is such a pass.
            if turn == color:
                counts.append(count)
                break
    return counts
