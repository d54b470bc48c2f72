"""Records that a page opens: SGF of at most a megabyte, which is checked before anything is shown."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from sixplane._core import Game, parse_sgf
from sixplane.errors import SGFError
from sixplane.web.record_marks import about, line_of
from sixplane.web.record_tree import add_variations
from sixplane.web.refusal import LONGEST_NAME, RefusedError
from sixplane.web.tree import Tree

#: The most bytes of a record, and its most moves.
MOST_BYTES: Final = 1_000_000
MOST_MOVES: Final = 5_000


class Record(NamedTuple):
    """The first game of a record."""

    game: Game
    """The game at the end of the main line."""
    names: tuple[str, str]
    """The names of Black and White, which may be empty."""
    left_out: str
    """A note about what is left out of the record; it may be empty."""
    tree: Tree
    """The main line with its variations and comments."""


def open_record(data: bytes) -> Record:
    """Reads the first game of a record.

    Raises:
        RefusedError: the data is no SGF record of a game of this package, or too long.
    """
    if len(data) > MOST_BYTES:
        raise RefusedError("bad_record", f"a record may have at most {MOST_BYTES:,} bytes")
    try:
        root = parse_sgf(data).games[0]
        game, warnings = root.follow()
    except SGFError as error:
        is_sgf = re.search(rb"\(\s*[;A-Z]", data.replace(b"\0", b"")) is not None
        raise RefusedError("bad_record", str(error) if is_sgf else "the file is no SGF record") from error
    if game.move_number > MOST_MOVES:
        raise RefusedError("bad_record", f"a record may have at most {MOST_MOVES:,} moves")
    tree = Tree.of(game)
    reasons = ["; ".join(map(str, warnings)), add_variations(tree, root)]
    names = (line_of(root, "PB")[:LONGEST_NAME], line_of(root, "PW")[:LONGEST_NAME])
    tree.about = about(root) | {"black": names[0], "white": names[1]}
    return Record(game, names, next(filter(None, reasons), ""), tree)
