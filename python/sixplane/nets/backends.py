"""The backends by their names, and which of them are installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Backend, BackendName, PrecisionName

#: The packages that each backend needs.
PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "numpy": ("numpy",),
    "onnxruntime": ("onnxruntime", "onnx"),
    "openvino": ("openvino",),
    "torch": ("torch",),
}

#: The precisions of each backend besides `"auto"`.
PRECISIONS: Final[dict[str, tuple[PrecisionName, ...]]] = {
    "numpy": ("float32",),
    "onnxruntime": ("float32",),
    "openvino": ("float32", "bfloat16", "int8"),
    "torch": ("float32", "bfloat16"),
}

#: The backends that `"auto"` chooses from, the fastest first.
BY_SPEED: Final[tuple[BackendName, ...]] = ("openvino", "onnxruntime", "numpy")


def installed_backends() -> tuple[BackendName, ...]:
    """Returns the backends whose packages are installed, the fastest first, then torch.

    Example:
        >>> "numpy" in installed_backends()
        True
    """
    every: tuple[BackendName, ...] = (*BY_SPEED, "torch")
    return tuple(name for name in every if not _missing(name))


def make_backend(
    architecture: Architecture,
    parameters: Parameters,
    *,
    backend: BackendName,
    threads: int,
    precision: PrecisionName,
    calibration: NDArray[np.float32] | None = None,
) -> Backend:
    """Makes a backend by its name.

    `calibration` are inputs by which it knows how large the numbers inside the network become.

    Raises:
        ValueError: there is no such backend, or it does not compute in this precision.
        ModuleNotFoundError: its package is not installed.
    """
    name = backend
    if name == "auto":
        name = next(one for one in installed_backends() if one in BY_SPEED)
    if name not in PACKAGES:
        raise ValueError(f"no backend is called {name!r}; there are {', '.join(get_args(BackendName))}")
    if missing := _missing(name):
        needed = " ".join(missing)
        raise ModuleNotFoundError(
            f"the backend {name!r} is not installed: pip install {needed}", name=missing[0]
        )
    if precision not in ("auto", *PRECISIONS[name]):
        possible = " or ".join(PRECISIONS[name])
        raise ValueError(f"the backend {name!r} computes in {possible}, not in {precision}")
    if name == "numpy":
        from sixplane.nets.numpy_backend import NumPyBackend

        return NumPyBackend(architecture, parameters)
    if name == "onnxruntime":
        from sixplane.nets.onnxruntime_backend import ONNXRuntimeBackend

        return ONNXRuntimeBackend(architecture, parameters, threads)
    if name == "openvino":
        from sixplane.nets.openvino_backend import OpenVINOBackend

        return OpenVINOBackend(architecture, parameters, threads, precision, calibration)
    from sixplane.nets.torch_backend import TorchBackend

    return TorchBackend(architecture, parameters, precision)


def _missing(name: str) -> list[str]:
    return [package for package in PACKAGES[name] if find_spec(package) is None]
