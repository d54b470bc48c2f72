"""The backend of OpenVINO: the graph with the parameters as constants, compiled for each number of rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import openvino as ov
from openvino import opset13 as op

from sixplane.nets.processor import has_fast_bfloat16

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane.nets.architecture import Architecture, Parameters
    from sixplane.nets.backends import Outputs, PrecisionName

__all__ = ["OpenVINOBackend"]

#: So many shapes keep their compiled graph.
KEPT: Final = 32


class OpenVINOBackend:
    """Evaluates by OpenVINO on the processor.

    A graph is compiled when a shape is first met, which takes a tenth of a second or so.

    Args:
        architecture: of the network.
        parameters: of the network.
        threads: for one call.
        precision: `"auto"` is bfloat16 where the processor has matrix units for it.
    """

    is_static = True

    def __init__(
        self, architecture: Architecture, parameters: Parameters, threads: int, precision: PrecisionName
    ) -> None:
        self._architecture, self._parameters = architecture, parameters
        is_half = has_fast_bfloat16() if precision == "auto" else precision == "bfloat16"
        self._options = {
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": ov.Type.bf16 if is_half else ov.Type.f32,
        }
        self._requests: dict[tuple[int, ...], Any] = {}

    def __call__(self, inputs: NDArray[np.float32]) -> Outputs:
        """Evaluates input planes `(L, C, rows, cols)`."""
        request = self._requests.get(inputs.shape)
        if request is None:
            if len(self._requests) == KEPT:
                self._requests.pop(next(iter(self._requests)))
            model = _model(self._architecture, self._parameters, inputs.shape)
            request = _core().compile_model(model, "CPU", self._options).create_infer_request()
            self._requests[inputs.shape] = request
        request.get_input_tensor(0).data[...] = inputs
        request.infer(share_outputs=True)
        logits, values, ownership, scores = (request.get_output_tensor(i).data.copy() for i in range(4))
        return logits, values, ownership, scores


@cache
def _core() -> Any:
    return ov.Core()


def _model(architecture: Architecture, parameters: Parameters, shape: tuple[int, ...]) -> Any:
    """The graph for inputs of this shape, `(L, C, rows, cols)`."""
    count, _, rows, cols = shape

    def constant(name: str) -> Any:
        return op.constant(parameters[name])

    def convolution(value: Any, name: str) -> Any:
        """A convolution, with the bias of the layer if it has one."""
        margin = [parameters[name + ".weight"].shape[-1] // 2] * 2
        value = op.convolution(value, constant(name + ".weight"), [1, 1], margin, margin, [1, 1])
        bias = parameters[name + ".bias"].reshape(1, -1, 1, 1)
        return op.add(value, op.constant(bias))

    def linear(value: Any, name: str) -> Any:
        value = op.matmul(value, constant(name + ".weight"), False, True)
        return op.add(value, constant(name + ".bias")) if name + ".bias" in parameters else value

    def everywhere(value: Any) -> Any:
        """`(L, C)` as numbers of each point."""
        return op.reshape(value, op.constant([count, -1, 1, 1]), False)

    def pooled(value: Any) -> Any:
        axes = op.constant([2, 3])
        return op.concat([op.reduce_mean(value, axes, False), op.reduce_max(value, axes, False)], 1)

    inputs = op.parameter(list(shape), np.float32)
    trunk = op.relu(convolution(inputs, "stem"))
    for i in range(architecture.blocks):
        inner = op.relu(convolution(trunk, f"blocks.{i}.conv1"))
        if f"blocks.{i}.pool.weight" in parameters:
            inner = op.add(inner, everywhere(linear(pooled(inner), f"blocks.{i}.pool")))
        trunk = op.relu(op.add(trunk, convolution(inner, f"blocks.{i}.conv2")))
    board = pooled(trunk)
    policy = op.add(convolution(trunk, "policy.conv"), everywhere(linear(board, "policy.pool")))
    per_point = op.reshape(convolution(op.relu(policy), "policy.out"), op.constant([count, -1]), False)
    hidden = op.relu(linear(board, "value.hidden"))
    ownership = op.reshape(convolution(trunk, "ownership"), op.constant([count, rows, cols]), False)
    results = [
        op.concat([per_point, linear(board, "policy.passing")], 1),
        op.reshape(op.tanh(linear(hidden, "value.out")), op.constant([-1]), False),
        op.tanh(ownership),
        op.reshape(linear(hidden, "score.out"), op.constant([-1]), False),
    ]
    return ov.Model([op.result(result) for result in results], [inputs], "sixplane")
