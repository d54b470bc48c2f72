"""The backend of OpenVINO: the graph with the parameters as constants, compiled for each size of board."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

import numpy as np
import openvino as ov
from numpy.typing import NDArray
from openvino import opset13 as op

from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Outputs, PrecisionName, has_fast_bfloat16

#: Any number of positions in a shape.
ANY: Final = -1

#: The number of shapes that keep their compiled graph.
KEPT: Final = 32

#: Calls after which a shape gets a graph of its own, which saves a fifth of the time of each call.
FREQUENT: Final = 100


class OpenVINOBackend:
    """Evaluates by OpenVINO on the processor.

    Compiling takes a twentieth of a second or so. One graph serves all numbers of positions on boards of one
    size; a number that comes often gets a faster graph of its own.
    The precision `"auto"` is bfloat16 where the processor has matrix units for it.
    """

    is_static = True

    def __init__(
        self, architecture: Architecture, parameters: Parameters, threads: int, precision: PrecisionName
    ) -> None:
        self._architecture, self._parameters = architecture, parameters
        is_half = has_fast_bfloat16() if precision == "auto" else precision == "bfloat16"
        self._options = {
            "INFERENCE_NUM_THREADS": threads,
            # Every process would pin its threads to the first processors, and so all of them to the same.
            "ENABLE_CPU_PINNING": False,
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": ov.Type.bf16 if is_half else ov.Type.f32,
        }
        self._requests: dict[tuple[int, ...], ov.InferRequest] = {}
        self._calls: Counter[tuple[int, ...]] = Counter()

    def __call__(self, inputs: NDArray[np.float32]) -> Outputs:
        """Evaluates input planes `(L, C, rows, cols)`."""
        self._calls[inputs.shape] += 1
        # OpenVINO 2026.4 errs with a single channel where the number of positions is open.
        is_fixed = self._calls[inputs.shape] > FREQUENT or self._architecture.channels == 1
        request = self._request(inputs.shape if is_fixed else (ANY, *inputs.shape[1:]))
        request.set_input_tensor(0, ov.Tensor(inputs, shared_memory=True))
        request.infer(share_outputs=True)
        outputs = Outputs(*(request.get_output_tensor(i).data.copy() for i in range(4)))
        if len(outputs.logits) != len(inputs):
            # OpenVINO raises no error where there is no memory for its results.
            raise MemoryError(f"OpenVINO has no memory for {len(inputs)} positions")
        return outputs

    def _request(self, shape: tuple[int, ...]) -> ov.InferRequest:
        request = self._requests.get(shape)
        if request is None:
            if len(self._requests) == KEPT:
                self._requests.pop(next(iter(self._requests)))
            model = _model(self._architecture, self._parameters, shape)
            request = _core().compile_model(model, "CPU", self._options).create_infer_request()
            self._requests[shape] = request
        return request


@cache
def _core() -> ov.Core:
    return ov.Core()


def _model(architecture: Architecture, parameters: Parameters, shape: tuple[int, ...]) -> ov.Model:
    """Makes the graph for inputs of this shape, `(L, C, rows, cols)`; L may be `ANY`."""

    def constant(name: str) -> ov.Node:
        return op.constant(parameters[name])

    def convolution(value: ov.Node, name: str) -> ov.Node:
        margin = [parameters[name + ".weight"].shape[-1] // 2] * 2
        value = op.convolution(value, constant(name + ".weight"), [1, 1], margin, margin, [1, 1])
        bias = parameters[name + ".bias"].reshape(1, -1, 1, 1)
        return op.add(value, op.constant(bias))

    def linear(value: ov.Node, name: str) -> ov.Node:
        value = op.matmul(value, constant(name + ".weight"), False, True)
        return op.add(value, constant(name + ".bias")) if name + ".bias" in parameters else value

    def everywhere(value: ov.Node) -> ov.Node:
        """Makes numbers of each point of `(L, C)`."""
        return op.unsqueeze(value, op.constant([2, 3]))

    def pooled(value: ov.Node) -> ov.Node:
        axes = op.constant([2, 3])
        return op.concat([op.reduce_mean(value, axes, False), op.reduce_max(value, axes, False)], 1)

    inputs = op.parameter(ov.PartialShape(list(shape)), np.float32)
    channel = op.constant([1])
    trunk = op.relu(convolution(inputs, "stem"))
    for i in range(architecture.blocks):
        inner = op.relu(convolution(trunk, f"blocks.{i}.conv1"))
        if f"blocks.{i}.pool.weight" in parameters:
            inner = op.add(inner, everywhere(linear(pooled(inner), f"blocks.{i}.pool")))
        trunk = op.relu(op.add(trunk, convolution(inner, f"blocks.{i}.conv2")))
    board = pooled(trunk)
    policy = op.add(convolution(trunk, "policy.conv"), everywhere(linear(board, "policy.pool")))
    per_point = op.reshape(convolution(op.relu(policy), "policy.out"), op.constant([0, -1]), True)
    hidden = op.relu(linear(board, "value.hidden"))
    results = [
        op.concat([per_point, linear(board, "policy.passing")], 1),
        op.squeeze(op.tanh(linear(hidden, "value.out")), channel),
        op.squeeze(op.tanh(convolution(trunk, "ownership")), channel),
        op.squeeze(linear(hidden, "score.out"), channel),
    ]
    return ov.Model([op.result(result) for result in results], [inputs], "sixplane")
