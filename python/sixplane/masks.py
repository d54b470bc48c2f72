"""Random legal actions from action masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sixplane import _core


def sample_legal(masks: npt.ArrayLike, rng: np.random.Generator | int | None = None) -> Any:  # by the shape
    """Samples legal actions at random, each of a mask with the same chance.

    Args:
        masks: one action mask `(A,)` or many `(n, A)`, of bool or any integer type; anything but 0
            says that the action is legal.
        rng: a generator, a seed for one, or None for a seed of the system. One number is sampled for each
            mask.

    Returns:
        int64 `(n,)`, or an int for one mask. -1 where nothing is legal, as in a game that is over:
        vector environments ignore it there in the mode `next_step`, and a `GameBatch` asks for it.

    Raises:
        TypeError: masks are neither bool nor integers.
        ValueError: masks have another number of dimensions.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(1)
        >>> sample_legal(np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]]), rng)
        array([ 1,  2, -1])
        >>> sample_legal(np.array([0, 0, 1], dtype=np.int8), rng)
        2
    """
    array = np.asarray(masks)
    if array.dtype.kind not in "biu":
        raise TypeError(f"masks must be of bool or integers, not {array.dtype}")
    if array.ndim not in {1, 2}:
        raise ValueError(f"masks must be (A,) or (n, A), not {array.shape}")
    generator = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)
    if array.itemsize != 1:
        array = array != 0
    if array.ndim == 1:
        return _core.sample_action(array, generator.random())
    rows = np.ascontiguousarray(array).view(np.uint8)
    return _core.sample_legal(rows, generator.random(len(rows)))
