"""The graph of a network for OpenVINO, in float32 or with its heaviest convolutions in 8 bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np
import openvino as ov
from numpy.typing import NDArray
from openvino import opset13 as op

from sixplane.nets.architecture import Architecture, Parameters

#: The largest absolute value of each channel, `(C,)`, of the inputs of convolutions, by their names.
Ranges: TypeAlias = Mapping[str, NDArray[np.float32]]

#: Numbers of 8 bits: from 0 on, and on both sides of 0.
UNSIGNED: Final = 256
SIGNED: Final = 255

#: A channel that was hardly used counts as a thousandth of the largest one, and a network of zeros as this.
LEAST_SHARE: Final = 1e-3
LEAST: Final = 1e-6


def model(
    architecture: Architecture, parameters: Parameters, shape: tuple[int, ...], ranges: Ranges
) -> ov.Model:
    """Makes the graph for inputs of this shape, `(L, C, rows, cols)`; L may be -1, any number.

    Convolutions that `ranges` names compute in 8 bits.
    """
    return _Graph(architecture, parameters, shape, ranges).model()


def largest_inputs(
    architecture: Architecture, parameters: Parameters, shape: tuple[int, ...]
) -> tuple[list[str], ov.Model]:
    """Makes a graph of the largest absolute values `(C,)` of the inputs of each convolution in the blocks.

    Returns:
        The names of the convolutions, and the graph with an output for each.
    """
    graph = _Graph(architecture, parameters, shape, {})
    axes = op.constant([0, 2, 3])
    inputs = {name: value for name, value in graph.convolved.items() if name.startswith("blocks.")}
    largest = [op.reduce_max(op.abs(value), axes, False) for value in inputs.values()]
    return list(inputs), ov.Model([op.result(value) for value in largest], [graph.inputs], "largest")


class _Graph:
    def __init__(
        self, architecture: Architecture, parameters: Parameters, shape: tuple[int, ...], ranges: Ranges
    ) -> None:
        self._parameters, self._ranges = parameters, ranges
        #: The inputs of the convolutions.
        self.convolved: dict[str, ov.Node] = {}
        self.inputs = op.parameter(ov.PartialShape(list(shape)), np.float32)
        trunk = op.relu(self._convolution(self.inputs, "stem"))
        for i in range(architecture.blocks):
            inner = op.relu(self._convolution(trunk, f"blocks.{i}.conv1"))
            has_pool = f"blocks.{i}.pool.weight" in parameters
            if has_pool:
                inner = op.add(inner, _everywhere(self._linear(_pooled(inner), f"blocks.{i}.pool")))
            inner = self._convolution(inner, f"blocks.{i}.conv2", has_sign=has_pool)
            trunk = op.relu(op.add(trunk, inner))
        self._trunk = trunk

    def model(self) -> ov.Model:
        trunk, channel = self._trunk, op.constant([1])
        board = _pooled(trunk)
        policy = op.add(
            self._convolution(trunk, "policy.conv"), _everywhere(self._linear(board, "policy.pool"))
        )
        per_point = self._convolution(op.relu(policy), "policy.out")
        hidden = op.relu(self._linear(board, "value.hidden"))
        results = [
            op.concat(
                [op.reshape(per_point, op.constant([0, -1]), True), self._linear(board, "policy.passing")], 1
            ),
            op.squeeze(op.tanh(self._linear(hidden, "value.out")), channel),
            op.squeeze(op.tanh(self._convolution(trunk, "ownership")), channel),
            op.squeeze(self._linear(hidden, "score.out"), channel),
        ]
        return ov.Model([op.result(result) for result in results], [self.inputs], "sixplane")

    def _constant(self, name: str) -> ov.Node:
        return op.constant(self._parameters[name])

    def _convolution(self, value: ov.Node, name: str, *, has_sign: bool = False) -> ov.Node:
        self.convolved[name] = value
        weight = self._parameters[name + ".weight"]
        margin = [weight.shape[-1] // 2] * 2
        if name in self._ranges:
            value, kernel = _in_int8(value, weight, self._ranges[name], has_sign=has_sign)
        else:
            kernel = op.constant(weight)
        value = op.convolution(value, kernel, [1, 1], margin, margin, [1, 1])
        return op.add(value, op.constant(self._parameters[name + ".bias"].reshape(1, -1, 1, 1)))

    def _linear(self, value: ov.Node, name: str) -> ov.Node:
        value = op.matmul(value, self._constant(name + ".weight"), False, True)
        return op.add(value, self._constant(name + ".bias")) if name + ".bias" in self._parameters else value


def _everywhere(value: ov.Node) -> ov.Node:
    """Makes numbers of each point of `(L, C)`."""
    return op.unsqueeze(value, op.constant([2, 3]))


def _pooled(value: ov.Node) -> ov.Node:
    axes = op.constant([2, 3])
    return op.concat([op.reduce_mean(value, axes, False), op.reduce_max(value, axes, False)], 1)


def _in_int8(
    value: ov.Node, weight: NDArray[np.float32], largest: NDArray[np.float32], *, has_sign: bool
) -> tuple[ov.Node, ov.Node]:
    """Rounds the input of a convolution and its weights to 8 bits.

    Each channel of the input has a range of its own, which becomes the same for all: it is divided out of the
    input, as part of the rounding, and multiplied into the weights, where each output has a range of its own.
    """
    most = max(float(largest.max()), LEAST)
    largest = np.maximum(largest, LEAST_SHARE * most)
    ends = [op.constant(end) for end in (-largest.reshape(1, -1, 1, 1), largest.reshape(1, -1, 1, 1))]
    scaled = [op.constant(np.full((1, 1, 1, 1), end, np.float32)) for end in (-most, most)]
    if not has_sign:
        ends[0] = scaled[0] = op.constant(np.zeros((1, 1, 1, 1), np.float32))
    value = op.fake_quantize(value, *ends, *scaled, SIGNED if has_sign else UNSIGNED)
    weight = (weight * (largest / most)[:, None, None]).astype(np.float32)
    ends_of_weights = np.maximum(np.abs(weight).max((1, 2, 3), keepdims=True), LEAST).astype(np.float32)
    ends = [op.constant(-ends_of_weights), op.constant(ends_of_weights)]
    return value, op.fake_quantize(op.constant(weight), *ends, *ends, SIGNED)
