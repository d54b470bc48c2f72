"""The backends by their names, and which of them are installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, get_args

from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Backend, BackendName, PrecisionName

#: The packages that each backend needs.
PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "numpy": ("numpy",),
    "onnxruntime": ("onnxruntime", "onnx"),
    "openvino": ("openvino",),
    "torch": ("torch",),
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
) -> Backend:
    """Makes a backend by its name.

    Raises:
        ValueError: there is no such backend, or it does not compute in this precision.
        ModuleNotFoundError: its package is not installed.
    """
    name = backend
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
    return [package for package in PACKAGES[name] if find_spec(package) is None]


def _only_float32(name: str, precision: PrecisionName) -> None:
    if precision == "bfloat16":
        raise ValueError(f"the backend {name!r} computes in float32 only, not in bfloat16")
