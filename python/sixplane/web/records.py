"""Records that a page opens: SGF of at most a megabyte, checked before anything is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sixplane._core import parse_sgf
from sixplane.errors import SGFError
from sixplane.web.messages import LONGEST_NAME
from sixplane.web.session import RefusedError

if TYPE_CHECKING:
    from sixplane._core import Game, Node

__all__ = ["MOST_BYTES", "open_record"]

#: Bytes of a record, and its moves.
MOST_BYTES: Final = 1_000_000
MOST_MOVES: Final = 5_000


def open_record(data: bytes) -> tuple[Game, tuple[str, str], str]:
    """The main line of the first game of a record.

    Returns:
        The game; the names of Black and White, which may be empty; and what the record has that the game
        leaves out, in words, which may be empty too.

    Raises:
        RefusedError: it is no record of a game that is known here, or too long.
    """
    if len(data) > MOST_BYTES:
        raise RefusedError("bad_record", f"a record may have {MOST_BYTES} bytes at most")
    try:
        root = parse_sgf(data).games[0]
        game, left_out = root.follow()
    except SGFError as error:
        raise RefusedError("bad_record", str(error)) from error
    if game.move_number > MOST_MOVES:
        raise RefusedError("bad_record", f"the record has more than {MOST_MOVES} moves")
    return game, (_name(root, "PB"), _name(root, "PW")), "" if left_out is None else str(left_out)


def _name(root: Node, of: str) -> str:
    name = root.text(of) or ""
    return " ".join("".join(char if char.isprintable() else " " for char in name).split())[:LONGEST_NAME]
