"""The interface of what computes a network."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

BackendName: TypeAlias = Literal["auto", "numpy", "onnxruntime", "openvino", "torch"]
PrecisionName: TypeAlias = Literal["float32", "bfloat16", "auto"]


class BackendOptions(TypedDict, total=False):
    """The options of `Network` that say what computes it."""

    backend: BackendName
    threads: int
    precision: PrecisionName


Outputs: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]
"""Logits `(L, A)`, values `(L,)`, ownership `(L, rows, cols)`; scores `(L,)` in units of the score layer."""


class Backend(Protocol):
    """Computes one network."""

    is_static: bool
    """Whether each number of rows costs a preparation, so that calls are padded to few of them."""

    def __call__(self, inputs: NDArray[np.float32], /) -> Outputs:
        """Evaluates input planes `(L, C, rows, cols)`, L at least 1; the arrays it returns are new."""
