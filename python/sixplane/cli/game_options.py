"""The options that say what is played, the same for every command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from sixplane import _core
from sixplane.cli import CommandError
from sixplane.cli.arguments import board_size, positive

if TYPE_CHECKING:
    from sixplane._core import Game

__all__ = ["GAMES", "add_game_options", "game_of", "rules_of"]

GAMES: Final[dict[str, type[_core.Game]]] = {
    "go": _core.Go,
    "gomoku": _core.Gomoku,
    "reversi": _core.Reversi,
}


def add_game_options(parser: argparse.ArgumentParser, max_moves: str = "") -> None:
    """Adds the name of the game, its size and its rules."""
    parser.add_argument("--game", choices=sorted(GAMES), default="go", help="what to play (go)")
    # These have no default here: the game's own holds.
    own = argparse.SUPPRESS
    parser.add_argument("--size", type=board_size, default=own, help="side, or ROWSxCOLUMNS")
    parser.add_argument("--ko", default=own, help="Go: simple, positional or situational")
    parser.add_argument("--komi", type=float, default=own, help="Go: points given to white")
    parser.add_argument(
        "--exact-five", action="store_true", default=own, help="Gomoku: longer runs do not win"
    )
    parser.add_argument(
        "--max-moves",
        type=positive,
        default=own,
        help=f"cut a game off after so many actions{max_moves}",
    )


def rules_of(arguments: argparse.Namespace) -> dict[str, object]:
    """The options that were given."""
    names = ("size", "ko", "komi", "exact_five", "max_moves")
    return {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}


def game_of(arguments: argparse.Namespace, rules: dict[str, object] | None = None) -> Game:
    """The game to play, by the rules given or those of the arguments.

    Raises:
        CommandError: the game has no such rules.
    """
    try:
        return GAMES[arguments.game](**(rules_of(arguments) if rules is None else rules))  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise CommandError(str(error), status=2) from error
