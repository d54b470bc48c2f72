"""The backend of PyTorch, on a GPU if there is one."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional

from sixplane.nets.processor import has_fast_bfloat16

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sixplane.nets.architecture import Architecture, Parameters
    from sixplane.nets.backends import Outputs, PrecisionName

__all__ = ["TorchBackend"]


class TorchBackend:
    """Evaluates by PyTorch.

    PyTorch's number of threads is one for the whole process, and stays as it is.

    Args:
        architecture: of the network.
        parameters: of the network.
        precision: `"auto"` is bfloat16 on a GPU, and where the processor has matrix units for it.
    """

    is_static = False

    def __init__(self, architecture: Architecture, parameters: Parameters, precision: PrecisionName) -> None:
        self._blocks = architecture.blocks
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        is_fast = self._device.type == "cuda" or has_fast_bfloat16()
        self._is_half = is_fast if precision == "auto" else precision == "bfloat16"
        self._parameters = {}
        for name, value in parameters.items():
            tensor = torch.tensor(value, device=self._device)
            if tensor.ndim == 4:  # noqa: PLR2004 - of a convolution
                tensor = tensor.to(memory_format=torch.channels_last)
            self._parameters[name] = tensor

    def __call__(self, inputs: NDArray[np.float32]) -> Outputs:
        """Evaluates input planes `(L, C, rows, cols)`."""
        precision: AbstractContextManager[Any] = (
            torch.autocast(self._device.type, torch.bfloat16) if self._is_half else nullcontext()
        )
        with torch.inference_mode(), precision:
            given = torch.from_numpy(inputs).to(self._device, memory_format=torch.channels_last)
            outputs = self._evaluate(given)
        logits, values, ownership, scores = (output.float().cpu().numpy() for output in outputs)
        return logits, values, ownership, scores

    def _evaluate(self, inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        trunk = self._convolution(inputs, "stem").relu_()
        for i in range(self._blocks):
            inner = self._convolution(trunk, f"blocks.{i}.conv1").relu_()
            if f"blocks.{i}.pool.weight" in self._parameters:
                inner = inner + self._linear(_pooled(inner), f"blocks.{i}.pool")[:, :, None, None]
            trunk = (trunk + self._convolution(inner, f"blocks.{i}.conv2")).relu_()
        board = _pooled(trunk)
        bias = self._linear(board, "policy.pool")[:, :, None, None]
        policy = (self._convolution(trunk, "policy.conv") + bias).relu_()
        per_point = self._convolution(policy, "policy.out").flatten(1)
        hidden = self._linear(board, "value.hidden").relu_()
        return (
            torch.cat((per_point, self._linear(board, "policy.passing")), 1),
            self._linear(hidden, "value.out").squeeze(1).float().tanh(),
            self._convolution(trunk, "ownership").squeeze(1).float().tanh(),
            self._linear(hidden, "score.out").squeeze(1),
        )

    def _convolution(self, value: torch.Tensor, name: str) -> torch.Tensor:
        weight = self._parameters[name + ".weight"]
        bias = self._parameters[name + ".bias"]
        return functional.conv2d(value, weight, bias, padding=weight.shape[-1] // 2)

    def _linear(self, value: torch.Tensor, name: str) -> torch.Tensor:
        return functional.linear(
            value, self._parameters[name + ".weight"], self._parameters.get(name + ".bias")
        )


def _pooled(value: torch.Tensor) -> torch.Tensor:
    """`(L, 2 * C)`: the mean and the maximum of each channel."""
    return torch.cat((value.mean((2, 3)), value.amax((2, 3))), 1)
