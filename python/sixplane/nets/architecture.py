"""The shape of a network: its inputs, its layers, and the names of its parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import Array
from sixplane.games import GAMES, no_game
from sixplane.nets.inputs import check_inputs

Parameters: TypeAlias = Mapping[str, NDArray[np.float32]]
"""The numbers of a network by their names; `Architecture.shapes` lists them."""

#: The part of the usual deviation that the last layer of a block begins with: a fresh block changes little.
BLOCK_SCALE: Final = 0.1

#: The layers whose outputs are those of the network, and the part of the usual deviation they begin with.
OUTPUTS: Final = ("policy.out", "policy.passing", "value.out", "score.out", "ownership")
OUTPUT_SCALE: Final = 0.1

#: The most blocks and channels; a file with more is damaged.
MOST_BLOCKS: Final = 1000
MOST_CHANNELS: Final = 10_000


@dataclass(frozen=True)
class Architecture:
    """The shape of a residual network with C channels, for boards of any size.

    All convolutions keep the size of the board and see zeros beyond it; nothing is normalised. Every block
    has two convolutions of 3x3. In the blocks `pool_blocks` the mean and the maximum of each channel over the
    board are added between the two, at every point.

    Example:
        >>> architecture = Architecture("go", blocks=4, channels=32)
        >>> architecture.inputs[:4]
        ('own', 'opponent', 'invalid', 'passed')
        >>> architecture.shapes["blocks.0.conv1.weight"]
        (32, 32, 3, 3)
        >>> architecture.num_parameters
        88293
    """

    game: str
    """The name of the game, such as `go`."""
    inputs: tuple[str, ...] = ()
    """The input planes, by the names in `sixplane.nets.inputs`; empty: those usual for the game."""
    blocks: int = 4
    """The number of blocks."""
    channels: int = 32
    """The number of channels of each convolution, C."""
    pool_blocks: tuple[int, ...] | None = None
    """The blocks that see the whole board, by their numbers from 0; None: every second one, from 1."""
    value_hidden: int = 64
    """The width of the layer before value and score, V."""

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise ValueError(no_game(str(self.game)))
        for name, most in (
            ("blocks", MOST_BLOCKS),
            ("channels", MOST_CHANNELS),
            ("value_hidden", MOST_CHANNELS),
        ):
            value = getattr(self, name)
            if isinstance(value, np.integer):
                object.__setattr__(self, name, value := int(value))
            if type(value) is not int or not 1 <= value <= most:
                raise ValueError(f"{name} must be an integer from 1 to {most}, not {value!r}")
        inputs = tuple(self.inputs) or GAMES[self.game].inputs
        check_inputs(inputs, self.game)
        object.__setattr__(self, "inputs", inputs)
        pools = tuple(range(1, self.blocks, 2)) if self.pool_blocks is None else tuple(self.pool_blocks)
        if not all(type(block) is int and 0 <= block < self.blocks for block in pools):
            raise ValueError(f"pool_blocks must be blocks from 0 to {self.blocks - 1}, not {pools}")
        object.__setattr__(self, "pool_blocks", tuple(sorted(set(pools))))

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every parameter by its name: weights `(out, in, ...)` and biases `(out,)`."""
        c, v = self.channels, self.value_hidden
        shapes: dict[str, tuple[int, ...]] = {}

        def layer(name: str, *shape: int, bias: bool = True) -> None:
            shapes[f"{name}.weight"] = shape
            if bias:
                shapes[f"{name}.bias"] = shape[:1]

        layer("stem", c, len(self.inputs), 3, 3)
        for i in range(self.blocks):
            layer(f"blocks.{i}.conv1", c, c, 3, 3)
            if i in (self.pool_blocks or ()):
                layer(f"blocks.{i}.pool", c, 2 * c)
            layer(f"blocks.{i}.conv2", c, c, 3, 3)
        layer("policy.conv", c, c, 1, 1)
        layer("policy.pool", c, 2 * c, bias=False)
        layer("policy.out", 1, c, 1, 1)
        layer("policy.passing", 1, 2 * c)
        layer("value.hidden", v, 2 * c)
        layer("value.out", 1, v)
        layer("score.out", 1, v)
        layer("ownership", 1, c, 1, 1)
        return shapes

    @property
    def num_parameters(self) -> int:
        """The number of parameters."""
        return sum(math.prod(shape) for shape in self.shapes.values())

    def random_parameters(
        self, seed: int | np.random.Generator | None = None
    ) -> dict[str, NDArray[np.float32]]:
        """Returns fresh parameters: He's normal distribution for weights, zeros for biases.

        Args:
            seed: a seed or a generator; None: a seed of the system.
        """
        rng = np.random.default_rng(seed)
        parameters = {}
        for name, shape in self.shapes.items():
            layer, _, kind = name.rpartition(".")
            if kind == "bias":
                parameters[name] = np.zeros(shape, np.float32)
                continue
            deviation = math.sqrt(2 / math.prod(shape[1:]))
            if layer.endswith("conv2"):
                deviation *= BLOCK_SCALE
            elif layer in OUTPUTS:
                deviation *= OUTPUT_SCALE
            parameters[name] = rng.normal(0, deviation, shape).astype(np.float32)
        return parameters

    def check_parameters(self, parameters: Mapping[str, Array]) -> dict[str, NDArray[np.float32]]:
        """Returns copies of the parameters as float32 arrays of the right shapes, in the order of `shapes`.

        Raises:
            ValueError: a parameter is missing, unknown, of another shape, or not finite.

        Example:
            >>> architecture = Architecture("go", blocks=1, channels=4)
            >>> parameters = architecture.random_parameters(seed=1)
            >>> list(architecture.check_parameters(parameters))[:2]
            ['stem.weight', 'stem.bias']
            >>> try:
            ...     architecture.check_parameters({})
            ... except ValueError as error:
            ...     print(error)
            the parameter stem.weight is missing
        """
        checked = {}
        for name, shape in self.shapes.items():
            if name not in parameters:
                raise ValueError(f"the parameter {name} is missing")
            value = np.array(parameters[name], np.float32, order="C")
            if value.shape != shape:
                raise ValueError(f"the shape of {name} must be {shape}, not {value.shape}")
            if not np.isfinite(value).all():
                raise ValueError(f"{name} has numbers that are not finite")
            checked[name] = value
        if unknown := sorted(parameters.keys() - checked.keys()):
            raise ValueError(f"the network has no parameter {unknown[0]}")
        return checked
