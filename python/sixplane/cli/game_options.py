"""The options that say what is played, the same for every command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from sixplane import _core
from sixplane.cli import CommandError
from sixplane.cli.arguments import board_size, natural, positive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sixplane._core import Game

__all__ = ["GAMES", "add_game_options", "game_of", "rules_of"]

GAMES: Final[dict[str, type[_core.Game]]] = {
    "go": _core.Go,
    "gomoku": _core.Gomoku,
    "reversi": _core.Reversi,
}

#: The rules that only one game has.
RULES_OF: Final = {
    "ko": "go",
    "komi": "go",
    "handicap": "go",
    "suicide": "go",
    "exact_five": "gomoku",
}

NAMES: Final = ("size", *RULES_OF, "max_moves")


def add_game_options(
    parser: argparse.ArgumentParser, max_moves: str = "", games: Sequence[str] = tuple(sorted(GAMES))
) -> None:
    """Adds the name of the game, its size and its rules.

    Args:
        parser: gets them.
        max_moves: what the help of `--max-moves` says more.
        games: those that may be named.
    """
    parser.add_argument("--game", choices=games, default="go", help="what to play (go)")
    # These have no default here: the game's own holds.
    own = argparse.SUPPRESS
    parser.add_argument("--size", type=board_size, default=own, help="side, or ROWSxCOLUMNS")
    parser.add_argument("--ko", default=own, help="Go: simple, positional or situational")
    parser.add_argument("--komi", type=float, default=own, help="Go: points given to white")
    parser.add_argument(
        "--handicap", type=natural, default=own, help="Go: black stones that stand at the start"
    )
    parser.add_argument(
        "--suicide", action="store_true", default=own, help="Go: two or more stones may take themselves"
    )
    if "gomoku" in games:
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
    return {name: getattr(arguments, name) for name in NAMES if hasattr(arguments, name)}


def game_of(arguments: argparse.Namespace, rules: dict[str, object] | None = None) -> Game:
    """The game to play, by the rules given or those of the arguments.

    Raises:
        CommandError: the game has no such rules.
    """
    rules = rules_of(arguments) if rules is None else rules
    for name in rules:
        owner = RULES_OF.get(name, arguments.game)
        if owner != arguments.game:
            option = f"--{name.replace('_', '-')}"
            raise CommandError(f"{option} is a rule of {owner}; {arguments.game} has none such", status=2)
    try:
        return GAMES[arguments.game](**rules)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise CommandError(str(error), status=2) from error
