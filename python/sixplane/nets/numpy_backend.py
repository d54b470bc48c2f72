"""The backend that is always there: a network by NumPy alone.

Activations lie in memory as points by channels. All boards of a call share one margin of zeros: a column to
the right of each board, which is also the one to the left of its next row, and a row below it, which is also
the one above the next board. So the nine neighbors of a point are at fixed distances, a view holds them for
all points at once, and a convolution is a copy of that view and one product of matrices.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Evaluation

#: Numbers of the copy for a convolution that stay in the cache of one core.
CACHED: Final = 120_000

#: The number of sizes of board and batch that keep their memory.
KEPT: Final = 64


class NumPyBackend:
    """Evaluates by NumPy, in the thread of the caller."""

    is_static = False

    def __init__(self, architecture: Architecture, parameters: Parameters) -> None:
        self._architecture = architecture
        self._weights = {name: _as_matrix(value) for name, value in parameters.items()}
        self._memory: dict[tuple[int, int, int], _Memory] = {}

    def __call__(self, inputs: NDArray[np.float32]) -> Evaluation:
        """Evaluates input planes `(L, C, rows, cols)`."""
        count, planes, rows, cols = inputs.shape
        widest = 9 * max(planes, self._architecture.channels)
        at_once = max(1, CACHED // (widest * (rows + 1) * (cols + 1)))
        shapes = (rows * cols + 1,), (), (rows, cols), ()
        outputs = Evaluation(*(np.empty((count, *shape), np.float32) for shape in shapes))
        for first in range(0, count, at_once):
            part = slice(first, first + at_once)
            self._evaluate(inputs[part], *(output[part] for output in outputs))
        return outputs

    def _evaluate(
        self,
        inputs: NDArray[np.float32],
        logits: NDArray[np.float32],
        values: NDArray[np.float32],
        ownership: NDArray[np.float32],
        scores: NDArray[np.float32],
    ) -> None:
        """Evaluates boards that fit into the cache together, into these arrays."""
        weights, memory = self._weights, self._memory_for(inputs)
        trunk, inner = memory.trunk, memory.inner
        memory.inputs.boards[...] = inputs.transpose(0, 2, 3, 1)
        memory.convolve(memory.inputs, weights["stem.weight"], weights["stem.bias"], trunk.points)
        trunk.rectify()
        for i in range(self._architecture.blocks):
            name = f"blocks.{i}."
            memory.convolve(trunk, weights[name + "conv1.weight"], weights[name + "conv1.bias"], inner.points)
            inner.rectify()
            if name + "pool.weight" in weights:
                bias = inner.pooled() @ weights[name + "pool.weight"] + weights[name + "pool.bias"]
                inner.boards += bias[:, None, None, :]
            memory.convolve(inner, weights[name + "conv2.weight"], weights[name + "conv2.bias"], memory.sum)
            trunk.points += memory.sum
            trunk.rectify()
        pooled = trunk.pooled()
        np.matmul(trunk.points, weights["policy.conv.weight"], out=inner.points)
        bias = pooled @ weights["policy.pool.weight"] + weights["policy.conv.bias"]
        inner.spaced += bias[:, None, None, :]
        np.maximum(inner.points, 0, out=inner.points)
        per_point = memory.scalars(inner, weights["policy.out.weight"])
        logits[:, :-1] = per_point.reshape(len(inputs), -1)
        logits[:, :-1] += weights["policy.out.bias"]
        logits[:, -1:] = pooled @ weights["policy.passing.weight"] + weights["policy.passing.bias"]
        hidden = np.maximum(pooled @ weights["value.hidden.weight"] + weights["value.hidden.bias"], 0)
        values[:] = np.tanh(hidden @ weights["value.out.weight"] + weights["value.out.bias"])[:, 0]
        scores[:] = (hidden @ weights["score.out.weight"] + weights["score.out.bias"])[:, 0]
        np.tanh(memory.scalars(trunk, weights["ownership.weight"]) + weights["ownership.bias"], out=ownership)

    def _memory_for(self, inputs: NDArray[np.float32]) -> _Memory:
        count, _, rows, cols = inputs.shape
        memory = self._memory.get((count, rows, cols))
        if memory is None:
            if len(self._memory) == KEPT:
                self._memory.pop(next(iter(self._memory)))
            memory = _Memory(inputs.shape, self._architecture.channels)
            self._memory[count, rows, cols] = memory
        return memory


class _Layer:
    """The activations of one layer on L boards."""

    def __init__(self, count: int, rows: int, cols: int, channels: int) -> None:
        self._length = count * (rows + 1) * (cols + 1)
        self._area = rows * cols
        edge = cols + 2
        memory = np.zeros((edge + self._length + edge, channels), np.float32)
        #: `(N, C)`: all points, those of the margin included.
        self.points = memory[edge : edge + self._length]
        #: `(L, rows + 1, cols + 1, C)`: the same by board.
        self.spaced = self.points.reshape(count, rows + 1, cols + 1, channels)
        #: `(L, rows, cols, C)`: the same without the margin.
        self.boards = self.spaced[:, :-1, :-1]
        #: `(N, 3, 3 * C)`: the neighbors of each point, row by row.
        self.neighbors = np.lib.stride_tricks.as_strided(
            memory,
            (self._length, 3, 3 * channels),
            (memory.strides[0], (cols + 1) * memory.strides[0], memory.strides[1]),
            writeable=False,
        )

    def rectify(self) -> None:
        """Replaces negative numbers by zeros, and all numbers of the margin."""
        np.maximum(self.points, 0, out=self.points)
        self.spaced[:, -1] = 0
        self.spaced[:, :-1, -1] = 0

    def pooled(self) -> NDArray[np.float32]:
        """Returns the mean and maximum of each channel, `(L, 2 * C)`; no number may be negative."""
        by_board = self.spaced.reshape(len(self.spaced), -1, self.spaced.shape[-1])
        # The zeros of the margin change neither the sum nor the maximum.
        mean = by_board.sum(axis=1)
        mean /= self._area
        return np.concatenate((mean, by_board.max(axis=1)), axis=1)


class _Memory:
    """The memory for L boards of one size, used again by every call."""

    def __init__(self, shape: tuple[int, ...], channels: int) -> None:
        count, planes, rows, cols = shape
        self.inputs = _Layer(count, rows, cols, planes)
        self.trunk = _Layer(count, rows, cols, channels)
        self.inner = _Layer(count, rows, cols, channels)
        length = len(self.trunk.points)
        self.sum = np.empty((length, channels), np.float32)
        self._copies = np.empty(length * 9 * max(planes, channels), np.float32)
        self._scalars = np.empty((length, 1), np.float32)

    def convolve(
        self, layer: _Layer, weight: NDArray[np.float32], bias: NDArray[np.float32], out: NDArray[np.float32]
    ) -> None:
        """Computes a convolution of 3x3; the numbers in the margin of the result are wrong."""
        length, _, width = layer.neighbors.shape
        copies = self._copies[: length * 3 * width]
        np.copyto(copies.reshape(length, 3, width), layer.neighbors)
        np.matmul(copies.reshape(length, 3 * width), weight, out=out)
        out += bias

    def scalars(self, layer: _Layer, weight: NDArray[np.float32]) -> NDArray[np.float32]:
        """Returns a number for each point, `(L, rows, cols)`, by a convolution of 1x1."""
        np.matmul(layer.points, weight, out=self._scalars)
        return self._scalars.reshape(layer.spaced.shape[:3])[:, :-1, :-1]


def _as_matrix(value: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns a parameter as a matrix: convolutions `(9 * in, out)`, linear layers `(in, out)`."""
    if value.ndim == 1:
        return np.ascontiguousarray(value, np.float32)
    if value.ndim == 4:  # noqa: PLR2004 - (out, in, 3, 3)
        value = value.transpose(0, 2, 3, 1)
    return np.ascontiguousarray(value.reshape(len(value), -1).T, np.float32)
