"""What may compute a network, and which of it is installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sixplane.nets.architecture import Architecture, Parameters

__all__ = ["Backend", "BackendName", "Outputs", "PrecisionName", "installed_backends", "make_backend"]

BackendName: TypeAlias = Literal["auto", "numpy", "onnxruntime", "openvino", "torch"]
PrecisionName: TypeAlias = Literal["float32", "bfloat16", "auto"]

Outputs: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]
"""Logits `(L, A)`, values `(L,)`, ownership `(L, rows, cols)`; scores `(L,)` in units of the score layer."""

#: The packages that each backend needs.
PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "numpy": ("numpy",),
    "onnxruntime": ("onnxruntime", "onnx"),
    "openvino": ("openvino",),
    "torch": ("torch",),
}

#: What "auto" takes, the quickest first.
BY_SPEED: Final[tuple[BackendName, ...]] = ("openvino", "onnxruntime", "numpy")


class Backend(Protocol):
    """Computes one network; it is made from an architecture, parameters, threads and a precision."""

    is_static: bool
    """Whether each number of rows costs a preparation, so that calls are padded to few of them."""

    def __call__(self, inputs: NDArray[np.float32], /) -> Outputs:
        """Evaluates input planes `(L, C, rows, cols)`, L at least 1; the arrays it returns are new."""


def installed_backends() -> tuple[BackendName, ...]:
    """The backends whose packages are installed here, the quickest first, then torch.

    Example:
        >>> "numpy" in installed_backends()
        True
    """
    every: tuple[BackendName, ...] = (*BY_SPEED, "torch")
    return tuple(name for name in every if not _missing(name))


def make_backend(
    name: BackendName,
    architecture: Architecture,
    parameters: Parameters,
    threads: int,
    precision: PrecisionName,
) -> Backend:
    """A backend by name.

    Raises:
        ValueError: there is none of this name, or it does not compute in this precision.
        ModuleNotFoundError: its package is not installed.
    """
    if name == "auto":
        name = next(one for one in installed_backends() if one in BY_SPEED)
    if name == "numpy":
        from sixplane.nets.numpy_backend import NumPyBackend

        _only_float32(name, precision)
        return NumPyBackend(architecture, parameters)
    if name not in get_args(BackendName):
        raise ValueError(f"no backend is called {name!r}; there are {', '.join(get_args(BackendName))}")
    if missing := _missing(name):
        needed = " ".join(missing)
        raise ModuleNotFoundError(
            f"the backend {name!r} is not installed: pip install {needed}", name=missing[0]
        )
    if name == "onnxruntime":
        from sixplane.nets.onnxruntime_backend import ONNXRuntimeBackend

        _only_float32(name, precision)
        return ONNXRuntimeBackend(architecture, parameters, threads)
    if name == "openvino":
        from sixplane.nets.openvino_backend import OpenVINOBackend

        return OpenVINOBackend(architecture, parameters, threads, precision)
    from sixplane.nets.torch_backend import TorchBackend

    return TorchBackend(architecture, parameters, precision)


def _missing(name: str) -> list[str]:
    """The packages of a backend that are not installed."""
    return [package for package in PACKAGES[name] if find_spec(package) is None]


def _only_float32(name: str, precision: PrecisionName) -> None:
    if precision == "bfloat16":
        raise ValueError(f"the backend {name!r} computes in float32 only, not in bfloat16")
