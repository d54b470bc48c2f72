"""The classes and functions of this package that the compiled core calls.

The core gets them once. It imports nothing of the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sixplane import _core
from sixplane._other_names import OF_BATCHES, OF_GAMES, getattr_with_hint
from sixplane.batch import BatchStep
from sixplane.errors import IllegalActionError, SGFError, SGFWarning
from sixplane.exact import Solution
from sixplane.gogame import InvalidMoveError
from sixplane.search import BatchSearchResult, Gumbel, Puct, SearchResult, Ucb

if TYPE_CHECKING:
    from sixplane._core import Game, GameBatch


# The modules that draw are loaded with the first picture.
def game_svg(game: Game, **options: Any) -> str:
    from sixplane.games import info_of
    from sixplane.render import game as pictures

    return pictures.game_svg(game, info_of(game).style, **options)


def batch_svg(batch: GameBatch, **options: Any) -> str:
    from sixplane.render import game as pictures

    return pictures.batch_svg(batch, **options)


def batch_html(batch: GameBatch) -> str:
    from sixplane.render import html

    return html.batch_html(batch)


def set_callbacks() -> None:
    _core._set_callbacks(
        BatchSearchResult=BatchSearchResult,
        BatchStep=BatchStep,
        Gumbel=Gumbel,
        IllegalActionError=IllegalActionError,
        InvalidMoveError=InvalidMoveError,
        Puct=Puct,
        SGFError=SGFError,
        SGFWarning=SGFWarning,
        SearchResult=SearchResult,
        Solution=Solution,
        Ucb=Ucb,
        batch_html=batch_html,
        batch_svg=batch_svg,
        game_svg=game_svg,
        parse_sgf=_core.parse_sgf,
    )
    # A function of Python, and not one of the core, leaves calls of methods as quick as they are.
    for game_class, others in ((_core.Game, OF_GAMES), (_core.GameBatch, OF_BATCHES)):
        setattr(game_class, "__getattr__", getattr_with_hint(others))  # noqa: B010 - their types are those of the stubs
