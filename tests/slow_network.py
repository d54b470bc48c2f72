"""A network by plain loops, and the input planes by plain rules: what the quick code must equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sixplane
from sixplane.nets import Architecture, Parameters

Array = NDArray[Any]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def convolution(boards: Array, weight: Array, bias: Array) -> Array:
    """Of `(L, C, rows, cols)`, with zeros beyond the board."""
    count, _, rows, cols = boards.shape
    half = weight.shape[-1] // 2
    result = np.zeros((count, len(weight), rows, cols)) + bias[:, None, None]
    for row in range(rows):
        for col in range(cols):
            for down in range(-half, half + 1):
                for right in range(-half, half + 1):
                    if 0 <= row + down < rows and 0 <= col + right < cols:
                        seen = boards[:, :, row + down, col + right]
                        result[:, :, row, col] += seen @ weight[:, :, down + half, right + half].T
    return result


def pooled(boards: Array) -> Array:
    return np.concatenate((boards.mean((2, 3)), boards.max((2, 3))), 1)


def outputs(
    architecture: Architecture,
    parameters: Parameters,
    inputs: Array,
    ranges: Mapping[str, Array] | None = None,
    seen: dict[str, Array] | None = None,
) -> tuple[Array, Array, Array, Array]:
    """Logits, values, ownership and scores.

    Convolutions that `ranges` names round each channel of their inputs to that range and their weights to 8
    bits, and `seen` gets the inputs of all convolutions.
    """
    seen = {} if seen is None else seen

    def convolve(boards: Array, name: str) -> Array:
        seen[name] = boards
        weight = parameters[name + ".weight"]
        if ranges and name in ranges:
            boards, weight = in_int8(boards, weight, ranges[name], has_sign=bool((boards < 0).any()))
        return convolution(boards, weight, parameters[name + ".bias"])

    def linear(values: Array, name: str) -> Array:
        result: Array = values @ parameters[name + ".weight"].T
        return result + parameters[name + ".bias"] if name + ".bias" in parameters else result

    trunk = np.maximum(convolve(inputs.astype(np.float64), "stem"), 0)
    for i in range(architecture.blocks):
        inner = np.maximum(convolve(trunk, f"blocks.{i}.conv1"), 0)
        if i in (architecture.pool_blocks or ()):
            inner = inner + linear(pooled(inner), f"blocks.{i}.pool")[:, :, None, None]
        trunk = np.maximum(trunk + convolve(inner, f"blocks.{i}.conv2"), 0)
    board = pooled(trunk)
    policy = convolve(trunk, "policy.conv") + linear(board, "policy.pool")[:, :, None, None]
    per_point = convolve(np.maximum(policy, 0), "policy.out").reshape(len(inputs), -1)
    hidden = np.maximum(linear(board, "value.hidden"), 0)
    return (
        np.concatenate((per_point, linear(board, "policy.passing")), 1),
        np.tanh(linear(hidden, "value.out"))[:, 0],
        np.tanh(convolve(trunk, "ownership"))[:, 0],
        linear(hidden, "score.out")[:, 0],
    )


def in_int8(boards: Array, weight: Array, largest: Array, *, has_sign: bool) -> tuple[Array, Array]:
    """The inputs and weights of a convolution that 8 bits hold."""
    steps = 127 if has_sign else 255
    share = boards / largest[:, None, None]
    boards = np.round(np.clip(share, -1 if has_sign else 0, 1) * steps) / steps
    weight = weight * largest[:, None, None]
    unit = np.abs(weight).max((1, 2, 3), keepdims=True) / 127
    return boards, np.round(weight / unit) * unit


def lively_parameters(architecture: Architecture, seed: int) -> dict[str, NDArray[np.float32]]:
    """Random parameters of which none is so small that a fault in its layer is not seen."""
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(0, 0.2 if name.endswith("bias") else (1 / np.prod(shape[1:])) ** 0.5, shape).astype(
            np.float32
        )
        for name, shape in architecture.shapes.items()
    }


def positions(game: sixplane.Game, count: int, seed: int) -> NDArray[np.uint8]:
    """Planes of random games, each after another number of actions, `(count, 6, rows, cols)`."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(count):
        played = game.copy()
        for _ in range(i * game.rows * game.cols // max(count, 1)):
            if played.is_over:
                break
            played.play(int(rng.choice(played.legal_actions)))
        found.append(played.planes)
    return np.array(found)


def plain_lines(own: Array, opponent: Array, wanted: int) -> Array:
    """Empty points of fives in a row with so many own stones and none of the opponent, `(rows, cols)`."""
    rows, cols = own.shape
    found = np.zeros((rows, cols))
    for row in range(rows):
        for col in range(cols):
            for down, right in DIRECTIONS:
                line = [(row + k * down, col + k * right) for k in range(5)]
                if all(0 <= r < rows and 0 <= c < cols for r, c in line):
                    mine = sum(int(own[point]) for point in line)
                    if mine == wanted and not any(opponent[point] for point in line):
                        for point in line:
                            found[point] = max(found[point], not own[point])
    return found
