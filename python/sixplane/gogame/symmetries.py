"""The symmetries of a board, on images of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import T, check_array
from sixplane.planes import seen_through


def all_symmetries(image: NDArray[T]) -> list[NDArray[T]]:
    """Returns an image as seen through each symmetry of the board.

    Args:
        image: `(n, rows, cols)`, a state or any planes.

    Returns:
        Eight views, or four if rows and columns differ. The bits of the index: 1 flips left-right, 2 flips
        up-down, 4 then turns a quarter counter-clockwise. The first is `image` itself.

    Example:
        >>> from sixplane import gogame
        >>> [int(view[0, 1, 0]) for view in gogame.all_symmetries(gogame.next_state(gogame.init_state(2), 0))]
        [0, 0, 1, 0, 1, 0, 0, 0]
    """
    check_array("an image", image)
    match image.shape:
        case (_, rows, cols):
            return [seen_through(image, index) for index in range(8 if rows == cols else 4)]
    raise ValueError(f"the shape must be (n, rows, cols), not {image.shape}")


def random_symmetry(image: NDArray[T]) -> NDArray[T]:
    """Returns one of `all_symmetries`, chosen by NumPy's global generator.

    Example:
        >>> from sixplane import gogame
        >>> state = gogame.next_state(gogame.init_state((3, 4)), 0)
        >>> image = gogame.random_symmetry(state)
        >>> image.shape, int(image[0].sum())
        ((6, 3, 4), 1)
    """
    views = all_symmetries(image)
    return views[np.random.randint(len(views))]  # noqa: NPY002 - GymGo's generator
