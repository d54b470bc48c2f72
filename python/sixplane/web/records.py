"""Records that a page opens: SGF of at most a megabyte, which is checked before anything is shown."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from sixplane._core import Game, parse_sgf
from sixplane.errors import GameRulesError, SGFError
from sixplane.games.plays import follow
from sixplane.play.record_file import other_games
from sixplane.web.record_marks import about
from sixplane.web.record_tree import MOVES, add_variations
from sixplane.web.refusal import RefusedError, rules_failed
from sixplane.web.tree import Tree

#: The most bytes of a record, and its most moves.
MOST_BYTES: Final = 1_000_000
MOST_MOVES: Final = 5_000

#: What the warning of a text that is cut off says.
ENDS_WITHIN: Final = "the text ends within"


class Record(NamedTuple):
    """The first game of a record."""

    game: Game
    """The game at the end of the main line."""
    names: tuple[str, str]
    """The names of Black and White as the page shows them, which may be empty."""
    left_out: str
    """A note about what is left out of the record; it may be empty."""
    tree: Tree
    """The main line with its variations and comments."""


def open_record(data: bytes, now: Game | None = None) -> Record:
    """Reads the first game of a record, while a page shows the game `now`.

    Raises:
        RefusedError: the data is no SGF record of a game of this package, or too long.
    """
    if len(data) > MOST_BYTES:
        raise RefusedError("bad_record", f"a record may have at most {MOST_BYTES:,} bytes")
    try:
        games = parse_sgf(data).games
        root = games[0]
        game, warnings = follow(root, now)
    except GameRulesError as error:
        raise RefusedError("bad_rules", rules_failed(error)) from error
    except SGFError as error:
        is_sgf = re.search(rb"\(\s*[;A-Z]", data.replace(b"\0", b"")) is not None
        raise RefusedError("bad_record", str(error) if is_sgf else "the file is no SGF record") from error
    has_stones = any(node.get(name) for node in root.main_line() for name in (*MOVES, "AB", "AW"))
    if not has_stones and any(ENDS_WITHIN in str(warning) for warning in warnings):
        raise RefusedError("bad_record", "the file is not complete: it ends before the first move")
    if game.move_number > MOST_MOVES:
        raise RefusedError("bad_record", f"a record may have at most {MOST_MOVES:,} moves")
    tree = Tree.of(game)
    reasons = ["; ".join(map(str, warnings)), add_variations(tree, root)]
    left_out = [next(filter(None, reasons), ""), other_games(len(games))]
    tree.about = about(root)
    return Record(game, tree.names, "; ".join(filter(None, left_out)), tree)
