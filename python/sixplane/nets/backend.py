"""The interface of what computes a network, and the precision that is fast on this processor."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from platform import machine
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

BackendName: TypeAlias = Literal["auto", "numpy", "onnxruntime", "openvino", "torch"]
PrecisionName: TypeAlias = Literal["float32", "bfloat16", "int8", "auto"]


class BackendOptions(TypedDict, total=False):
    """The options of `Network` that say what computes it."""

    backend: BackendName
    threads: int
    precision: PrecisionName


class Evaluation(NamedTuple):
    """The outputs of a network for L positions with A actions, each in the view of the player to play.

    Example:
        >>> import sixplane
        >>> from sixplane.nets import Architecture, Network
        >>> architecture = Architecture("go", blocks=1, channels=4)
        >>> network = Network(architecture, architecture.random_parameters(seed=1), backend="numpy")
        >>> evaluation = network.evaluate(sixplane.Go(size=5).planes[None])
        >>> evaluation.logits.shape, evaluation.ownership.shape, evaluation.scores.shape
        ((1, 26), (1, 5, 5), (1,))
    """

    logits: NDArray[np.float32]
    """The logits of all actions, `(L, A)`; those of illegal ones mean nothing."""
    values: NDArray[np.float32]
    """The expected outcomes, `(L,)`, from -1 to 1."""
    ownership: NDArray[np.float32]
    """Who will own each point, `(L, rows, cols)`: from -1 (the opponent) to 1."""
    scores: NDArray[np.float32]
    """The expected leads at the end, `(L,)`, in points (Go) or discs (Reversi)."""


class Backend(Protocol):
    """Computes one network."""

    is_static: bool
    """Whether each number of rows costs a preparation, so that calls are padded to few of them."""

    def __call__(self, inputs: NDArray[np.float32], /) -> Evaluation:
        """Evaluates input planes `(L, C, rows, cols)`, L at least 1; scores are in units of their layer.

        The arrays that it returns are new.
        """


#: Linux's names of the instructions that multiply in bfloat16, of matrix units and of AVX-512.
_INSTRUCTIONS: Final = {"amx_bf16", "avx512_bf16"}


@cache
def has_fast_bfloat16() -> bool:
    """Returns whether bfloat16 is faster than float32: the processor has AMX or AVX-512 for it.

    Only Linux tells. On other systems the answer is no.
    """
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        return any(_INSTRUCTIONS & set(line.split()) for line in lines if line.startswith("flags"))
    return False


def has_fast_int8() -> bool:
    """Returns whether convolutions in 8 bits are taken to be faster than in float32: on processors of x86.

    They are with AVX2, as measured; instructions for 8 bits (VNNI) can only help.
    """
    return machine() in {"x86_64", "AMD64"}
