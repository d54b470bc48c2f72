"""Evaluators for tests of `sixplane.search`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Planes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


def uniform(planes: Planes) -> tuple[Floats, Floats]:
    actions = planes.shape[2] * planes.shape[3] + 1
    return np.zeros((len(planes), actions), np.float32), np.zeros(len(planes), np.float32)


def noisy(planes: Planes) -> tuple[Floats, Floats]:
    """Numbers that look random and depend on the planes alone."""
    actions = planes.shape[2] * planes.shape[3] + 1
    weights = np.random.default_rng(1).normal(size=(planes[0].size, actions + 1))
    said = planes.reshape(len(planes), -1) @ weights
    return said[:, :-1].astype(np.float32), np.tanh(said[:, -1]).astype(np.float32)
