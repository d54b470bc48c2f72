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

from sixplane._core import Collection, Node
from sixplane._core import parse_sgf as parse
from sixplane.errors import SGFError, SGFWarning

if TYPE_CHECKING:
    from os import PathLike

    from sixplane._core import Game

__all__ = ["Collection", "Node", "SGFError", "SGFWarning", "parse", "read_sgf"]


def read_sgf(path: str | PathLike[str], *, strict: bool = False, **rules: Any) -> Game:
    """The main line of the first game of a file: Go, Reversi or Gomoku, as its `GM` says.

    It is played as far as the game can go. If the record goes on, with an illegal move or after the
    end of the game, an `SGFWarning` names the file and says what is left out.

    Args:
        path: of the file.
        strict: raise an `SGFError` instead of leaving anything out.
        rules: of the game, which go before what the record says.

    Raises:
        SGFError: the file is malformed, the record of another game or of a start that the game cannot
            have, or with `strict` has an illegal move.
        OSError: the file cannot be read.

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

    root = parse(Path(path).read_bytes()).games[0]
    if strict:
        return root.to_game(strict=True, **rules)
    game, left_out = root.follow(**rules)
    if left_out is not None:
        left_out.args = (f"{path}: {left_out}",)
        warnings.warn(left_out, stacklevel=2)
    return game
