"""Texts that reproduce a position: its rules and moves, short enough for an address."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from typing import Final

from sixplane._core import Game, parse_sgf
from sixplane.errors import GameRulesError
from sixplane.games.plays import follow
from sixplane.web.refusal import RefusedError

#: The most characters of the text, bytes of the record in it, and moves.
LONGEST_LINK: Final = 8_000
MOST_BYTES: Final = 40_000
MOST_MOVES: Final = 2_000

WRONG: Final = "the link is damaged"

#: What is packed: the number of moves after which the game is cut off, if it is, and the record, which cannot
#: hold it.
PACKED: Final = re.compile(rb"([1-9][0-9]{,9})?(\(.*)", re.DOTALL)


def text_of(game: Game) -> str:
    """Returns the text of a position with its rules and moves: letters, digits, `-` and `_`.

    Raises:
        RefusedError: the game is too long for a link.
    """
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    limit = "" if game.max_moves is None else game.max_moves
    packed = packer.compress(f"{limit}{game.to_sgf()}".encode()) + packer.flush()
    text = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    if len(text) > LONGEST_LINK or game.move_number > MOST_MOVES:
        raise RefusedError("bad_link", "the game is too long for a link: save its record")
    return text


def position_of(text: str, now: Game | None = None) -> Game:
    """Returns the game in a text, while a page shows the game `now`; all else in its record is ignored.

    Raises:
        RefusedError: `text_of` did not write the text, or a move is illegal.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]+", text) or len(text) > LONGEST_LINK:
        raise RefusedError("bad_link", WRONG)
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
        found = PACKED.fullmatch(unpacker.decompress(packed, MOST_BYTES))
    except (binascii.Error, zlib.error) as error:
        raise RefusedError("bad_link", WRONG) from error
    if found is None or not unpacker.eof or unpacker.unused_data:
        raise RefusedError("bad_link", WRONG)
    limit, record = found.groups()
    try:
        games = parse_sgf(record).games
        game, warnings = follow(games[0], now)
        if limit is not None:
            game, warnings = games[0].follow(usual=game, max_moves=int(limit))
    except (GameRulesError, ValueError) as error:
        raise RefusedError("bad_link", WRONG) from error
    is_whole = all(warning.kind == "doubt" for warning in warnings)
    if len(games) > 1 or not is_whole or game.move_number > MOST_MOVES:
        raise RefusedError("bad_link", WRONG)
    return game
