"""The graph of a network in ONNX, for any number of positions on boards of any size.

Example:
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sixplane.nets import Network
    >>> network = Network.load("reversi8", backend="numpy")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     network.to_onnx(Path(folder, "reversi8.onnx"))
    ...     graph = onnx.load(Path(folder, "reversi8.onnx")).graph
    >>> [output.name for output in graph.output]
    ['logits', 'values', 'ownership', 'scores']
"""

from __future__ import annotations

from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from sixplane.nets.architecture import Architecture, Parameters

#: The versions of operators and of the file, which onnxruntime has read since 2023.
OPSET: Final = 18
IR_VERSION: Final = 9


class _Graph:
    """Collects nodes and constants, as layers are added one after another."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, TensorProto] = {}

    def add(self, operator: str, *inputs: str, output: str = "", **attributes: int | list[int]) -> str:
        """Adds a node and returns the name of its only output."""
        output = output or f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def constant(self, name: str, value: list[int] | None = None) -> str:
        """Adds a parameter, or another constant that is given, and returns its name."""
        array = self.parameters[name] if value is None else np.asarray(value)
        self.constants[name] = numpy_helper.from_array(array, name)
        return name

    def convolution(self, value: str, name: str) -> str:
        margin = self.parameters[name + ".weight"].shape[-1] // 2
        names = self.constant(name + ".weight"), self.constant(name + ".bias")
        return self.add("Conv", value, *names, pads=[margin] * 4)

    def linear(self, value: str, name: str, *, output: str = "") -> str:
        """Adds a linear layer, with a bias if it has one."""
        names = [self.constant(name + ".weight")]
        if name + ".bias" in self.parameters:
            names.append(self.constant(name + ".bias"))
        return self.add("Gemm", value, *names, transB=1, output=output)

    def everywhere(self, value: str) -> str:
        """Adds axes, so that `(L, C)` are numbers of each point."""
        return self.add("Unsqueeze", value, self.constant("board_axes", [2, 3]))

    def pooled(self, value: str) -> str:
        """Adds the mean and the maximum of each channel, `(L, 2 * C)`."""
        axes = self.constant("board_axes", [2, 3])
        parts = [self.add(kind, value, axes, keepdims=0) for kind in ("ReduceMean", "ReduceMax")]
        return self.add("Concat", *parts, axis=1)


def onnx_model(architecture: Architecture, parameters: Parameters) -> onnx.ModelProto:
    """Makes the graph from `inputs`, `(L, C, rows, cols)`, to the four outputs of a backend."""
    graph = _Graph(parameters)
    trunk = graph.add("Relu", graph.convolution("inputs", "stem"))
    for i in range(architecture.blocks):
        inner = graph.add("Relu", graph.convolution(trunk, f"blocks.{i}.conv1"))
        if f"blocks.{i}.pool.weight" in parameters:
            bias = graph.linear(graph.pooled(inner), f"blocks.{i}.pool")
            inner = graph.add("Add", inner, graph.everywhere(bias))
        trunk = graph.add("Relu", graph.add("Add", trunk, graph.convolution(inner, f"blocks.{i}.conv2")))
    board = graph.pooled(trunk)
    bias = graph.everywhere(graph.linear(board, "policy.pool"))
    policy = graph.add("Relu", graph.add("Add", graph.convolution(trunk, "policy.conv"), bias))
    per_point = graph.add("Flatten", graph.convolution(policy, "policy.out"))
    graph.add("Concat", per_point, graph.linear(board, "policy.passing"), axis=1, output="logits")
    hidden = graph.add("Relu", graph.linear(board, "value.hidden"))
    axis = graph.constant("channel_axis", [1])
    graph.add("Squeeze", graph.add("Tanh", graph.linear(hidden, "value.out")), axis, output="values")
    graph.add("Squeeze", graph.linear(hidden, "score.out"), axis, output="scores")
    owners = graph.add("Tanh", graph.convolution(trunk, "ownership"))
    graph.add("Squeeze", owners, axis, output="ownership")
    shapes = {"logits": ["L", "A"], "values": ["L"], "ownership": ["L", "rows", "cols"], "scores": ["L"]}
    inputs = ["L", len(architecture.inputs), "rows", "cols"]
    made = helper.make_graph(
        graph.nodes,
        "sixplane",
        [helper.make_tensor_value_info("inputs", TensorProto.FLOAT, inputs)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()],
        list(graph.constants.values()),
    )
    return helper.make_model(
        made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="sixplane"
    )
