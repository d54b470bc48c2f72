"""Shares of GPUs, as Ray counts them, and the GPU of a call on a cluster."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeVar

from sixplane.jobs.jobs import JobError, node_name

T = TypeVar("T")

#: The parts in which Ray counts a GPU.
PARTS: Final = 10_000


def check_gpu_share(share: object) -> float:
    """Returns the part of a GPU in units of 0.0001, rounded down, so that six sixths fit on a GPU.

    Raises:
        ValueError: the share is neither 0 nor a number from 0.0001 to 1.

    Example:
        >>> check_gpu_share(0.25), check_gpu_share(1 / 6)
        (0.25, 0.1666)
    """
    # A bool is an int to Python, and no share.
    if isinstance(share, int | float) and share is not True and (share == 0 or 1 / PARTS <= share <= 1):
        # A number such as 0.57 is a little less than what is written.
        return math.floor(share * PARTS + 1e-6) / PARTS
    raise ValueError(f"a share of a GPU is from {1 / PARTS} to 1, or 0 for none, not {share!r}")


def with_gpu(function: Callable[..., T], *arguments: object) -> T:
    """Calls a function that would be slow in silence if PyTorch did not find its GPU.

    Raises:
        JobError: there is no PyTorch on this node, or it finds no GPU.
    """
    try:
        import torch
    except ModuleNotFoundError as error:
        raise JobError(f"the node {node_name()} has no PyTorch for its GPU ({error})") from error
    if not torch.cuda.is_available():
        raise JobError(
            f"the node {node_name()} has a GPU as Ray says, but its PyTorch {torch.__version__} finds none"
        )
    return function(*arguments)
