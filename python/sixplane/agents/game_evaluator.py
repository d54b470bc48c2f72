"""An evaluator that knows which game it evaluates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sixplane._core import Game
    from sixplane.search import Evaluator

__all__ = ["GameEvaluator"]


class GameEvaluator:
    """Calls an evaluator in the form that it has for one game.

    Planes say neither which game they are of nor the komi. An evaluator to which that matters has a method
    `for_game(game)`, which returns the evaluator for games of this class, size and komi, or raises
    `TypeError`. Without that method the evaluator is the same for all games.

    Args:
        evaluator: as `sixplane.search.Evaluator`.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.given = evaluator
        """The evaluator as it was given."""
        self._bound = evaluator
        self._facts: tuple[Any, ...] | None = None

    def bind(self, game: Game) -> bool:
        """Takes the form for a game; whether that is another one than before.

        Raises:
            TypeError: the evaluator is not for this game.
        """
        for_game = getattr(self.given, "for_game", None)
        facts = type(game), game.rows, game.cols, getattr(game, "komi", None)
        if for_game is None or facts == self._facts:
            return False
        before, self._bound = self._bound, for_game(game)
        self._facts = facts
        return self._bound is not before

    def __call__(self, planes: NDArray[Any]) -> tuple[ArrayLike, ArrayLike]:
        """Logits and values, by the evaluator for the game."""
        return self._bound(planes)
