"""The Smart Game Format, FF[4]: collections of games with all their variations and properties.

>>> from sixplane import sgf
>>> collection = sgf.parse(b"(;GM[1]SZ[5]C[start];B[cc](;W[cd])(;W[bc]XY[kept]))")
>>> root = collection.games[0]
>>> [node.properties for node in root.children[0].children]
[[('W', ['cd'])], [('W', ['bc']), ('XY', ['kept'])]]
>>> root.to_game().move_number
2
>>> sgf.parse(collection.to_bytes()) == collection
True
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from sixplane._core import Collection, Node, parse_sgf
from sixplane.errors import SGFError, SGFWarning

if TYPE_CHECKING:
    from os import PathLike

    from sixplane._core import Game

__all__ = ["Collection", "Node", "SGFError", "SGFWarning", "parse", "read_sgf"]


def parse(data: str | bytes | bytearray | memoryview, *, strict: bool = False) -> Collection:
    """Reads all games of an SGF text: bytes in the character set that they name (`CA`), or a str.

    Bytes that begin with a byte order mark are UTF-8 or UTF-16. Without a name, and where they do not fit
    it, they are UTF-8, else what they seem to be. Text around the game trees is ignored. An `SGFWarning`
    says if the text ends too early or its character set is a guess. The time is in proportion to the length
    of the text.

    Args:
        data: the text.
        strict: raise an `SGFError` instead of leaving anything out.

    Raises:
        SGFError: there is no game tree, or a malformed one.
        TypeError: the text is neither a str nor bytes, a bytearray or a memoryview.

    Example:
        >>> collection = parse(b"(;GM[1]SZ[5];B[cc];W[cd])")
        >>> collection.games[0].to_game().actions
        array([12, 17])
    """
    collection = parse_sgf(data)
    for warning in collection.warnings:
        if strict and warning.kind != "doubt":
            raise SGFError(f"{warning.reason} (at byte {warning.offset})", warning.offset)
        warnings.warn(warning, stacklevel=2)
    return collection


def read_sgf(path: str | PathLike[str], *, strict: bool = False, **rules: Any) -> Game:
    """Reads the main line of the first game of a file, which is of the kind that its `GM` names.

    It is played as far as the game can go. An `SGFWarning` names the file and says what is left out, such
    as moves after the end of the game, and what is read by a guess.

    Args:
        path: the path of the file.
        strict: raise an `SGFError` instead of leaving anything out.
        rules: rules of the game, which replace those of the record.

    Raises:
        SGFError: the file is malformed, the record of another game or of a start that the game cannot
            have, or with `strict` has an illegal move or anything else that is left out.
        OSError: the file cannot be read, or is a pipe or a device.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "game.sgf")
        ...     size = file.write_text("(;GM[1]SZ[9]KM[7.5];B[ee];W[ce])")
        ...     game = read_sgf(file)
        >>> game.move_number, game.komi
        (2, 7.5)
    """
    # Not needed by `import sixplane`, whose time it would add a tenth to.
    from pathlib import Path

    from sixplane._files import read_file

    root = parse_sgf(read_file(Path(path))).games[0]
    game, found = root.follow(**rules)
    if strict and any(warning.kind != "doubt" for warning in found):
        return root.to_game(strict=True, **rules)  # raises the error for what is left out
    for warning in found:
        warning.args = (f"{path}: {warning}",)
        warnings.warn(warning, stacklevel=2)
    return game
