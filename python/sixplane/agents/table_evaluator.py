"""The score table of Gomoku as an evaluator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sixplane._core import score_table_evaluate

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ScoreTableEvaluator"]


@dataclass(frozen=True)
class ScoreTableEvaluator:
    """Priors and values of Gomoku positions without any training, for `MCTSAgent` and `sixplane.search`.

    The patterns are those of `ScoreTableAgent`: logits are large for points that win or must be
    taken. Values are certain where five or what cannot be stopped is at hand, else a guess.

    Args:
        exact_five: whether only runs of exactly five win.

    Example:
        >>> import sixplane
        >>> game = sixplane.Gomoku(size=9)
        >>> for action in (36, 0, 37, 2, 38, 4, 39, 6):
        ...     game.play(action)
        >>> logits, values = ScoreTableEvaluator()(game.planes[None])
        >>> logits.shape, int(logits.argmax()), values.tolist()
        ((1, 82), 40, [1.0])
    """

    exact_five: bool = False

    def __call__(self, planes: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits `(L, A)` and values `(L,)` of planes `(L, 6, rows, cols)`, for the players to play.

        Raises:
            ValueError: planes of another shape.
        """
        if planes.ndim != 4:  # noqa: PLR2004
            raise ValueError(f"the planes must be (L, 6, rows, cols), not {planes.shape}")
        return score_table_evaluate(np.asarray(planes, np.uint8), self.exact_five)
