"""The backend of PyTorch, on a GPU if there is one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Evaluation, PrecisionName, has_fast_bfloat16


class TorchBackend:
    """Evaluates by PyTorch, on a GPU if there is one.

    PyTorch's number of threads is one for the whole process, and stays as it is. The precision `"auto"` is
    bfloat16 on a GPU, and where the processor multiplies in it.
    """

    is_static = False

    def __init__(self, _architecture: Architecture, parameters: Parameters, precision: PrecisionName) -> None:
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        is_fast = self._device.type == "cuda" or has_fast_bfloat16()
        self._is_half = is_fast if precision == "auto" else precision == "bfloat16"
        self._parameters = {name: parameter(value, self._device) for name, value in parameters.items()}

    def __call__(self, inputs: NDArray[np.float32]) -> Evaluation:
        """Evaluates input planes `(L, C, rows, cols)`."""
        precision: AbstractContextManager[object] = nullcontext()
        if self._is_half:
            precision = torch.autocast(self._device.type, torch.bfloat16)
        elif self._device.type == "cuda":
            # A GPU would multiply in TF32 otherwise, which has the ten bits of half precision.
            precision = torch.backends.cudnn.flags(enabled=True, allow_tf32=False)
        with torch.inference_mode(), precision:
            given = torch.from_numpy(inputs).to(self._device, memory_format=torch.channels_last)
            logits, values, ownership, scores = heads(self._parameters, given)
        outputs = logits, values.float().tanh(), ownership.float().tanh(), scores
        return Evaluation(*(output.float().cpu().numpy() for output in outputs))


def parameter(value: NDArray[np.float32], device: torch.device) -> torch.Tensor:
    """Makes the tensor of a parameter; those of convolutions lie in memory as activations do."""
    tensor = torch.tensor(value, device=device)
    is_convolution = tensor.ndim == 4  # noqa: PLR2004 - out, in, rows and columns
    return tensor.to(memory_format=torch.channels_last) if is_convolution else tensor


def heads(parameters: Mapping[str, torch.Tensor], inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Returns the outputs of the layers before `tanh`, which learning needs.

    Returns:
        Logits `(L, A)`, values `(L,)`, ownership `(L, rows, cols)`, scores `(L,)` in units of their layer.
    """

    def convolution(value: torch.Tensor, name: str) -> torch.Tensor:
        weight = parameters[name + ".weight"]
        return functional.conv2d(value, weight, parameters[name + ".bias"], padding=weight.shape[-1] // 2)

    def linear(value: torch.Tensor, name: str) -> torch.Tensor:
        return functional.linear(value, parameters[name + ".weight"], parameters.get(name + ".bias"))

    trunk = convolution(inputs, "stem").relu_()
    i = 0
    while (block := f"blocks.{i}") + ".conv1.weight" in parameters:
        inner = convolution(trunk, block + ".conv1").relu_()
        if block + ".pool.weight" in parameters:
            inner = inner + linear(_pooled(inner), block + ".pool")[:, :, None, None]
        trunk = (trunk + convolution(inner, block + ".conv2")).relu_()
        i += 1
    board = _pooled(trunk)
    policy = (convolution(trunk, "policy.conv") + linear(board, "policy.pool")[:, :, None, None]).relu_()
    per_point = convolution(policy, "policy.out").flatten(1)
    hidden = linear(board, "value.hidden").relu_()
    return (
        torch.cat((per_point, linear(board, "policy.passing")), 1),
        linear(hidden, "value.out").squeeze(1),
        convolution(trunk, "ownership").squeeze(1),
        linear(hidden, "score.out").squeeze(1),
    )


def _pooled(value: torch.Tensor) -> torch.Tensor:
    """Returns the mean and the maximum of each channel, `(L, 2 * C)`."""
    size = value.shape[2:]
    # The gradients of `mean` and `amax` are slow: the latter looks for the maximum in all points again.
    points = value.permute(0, 2, 3, 1).flatten(1, 2)
    share = points.new_full((1, 1, size.numel()), 1 / size.numel())
    mean = torch.bmm(share.expand(len(points), -1, -1), points)
    return torch.cat((mean.squeeze(1), functional.max_pool2d(value, size).flatten(1)), 1)
