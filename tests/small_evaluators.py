"""Evaluators that are quick and always say the same of the same planes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["linear"]


class linear:  # noqa: N801 - used as a function with settings
    """Logits and values by random weights on the six planes; equal weights for equal seeds."""

    def __init__(self, size: tuple[int, int], seed: int) -> None:
        rng = np.random.default_rng(seed)
        cells = 6 * size[0] * size[1]
        self.policy = rng.normal(size=(cells, size[0] * size[1] + 1))
        self.policy[:, -1] -= 1
        self.value = rng.normal(size=cells)
        self.calls: list[int] = []

    def __call__(self, planes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        self.calls.append(len(planes))
        flat = planes.reshape(len(planes), -1).astype(np.float64)
        # Sums in a fixed order: a matrix product may round differently in batches of different sizes.
        logits = np.round(flat @ self.policy, 6)
        return logits, np.tanh(np.round(flat @ self.value / 10, 6))
