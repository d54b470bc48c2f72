"""Positions to learn from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: Arrays by the names of the fields of `Samples`, each of its own type.
Fields: TypeAlias = "dict[str, NDArray[Any]]"


def check_numbers(name: str, array: NDArray[Any], shape: tuple[int, ...], dtype: type[np.generic]) -> None:
    """Raises a `ValueError` unless an array is of this shape and type, and finite."""
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(
            f"{name} must be {np.dtype(dtype)} of shape {shape}, not {array.dtype} of shape {array.shape}"
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} has numbers that are not finite")


@dataclass(frozen=True)
class Samples:
    """N positions of finished games with A actions; values are from the view of the player to play.

    Example:
        >>> n = 3
        >>> samples = Samples(
        ...     planes=np.zeros((n, 6, 9, 9), np.uint8),
        ...     masks=np.ones((n, 82), np.bool_),
        ...     policy=np.full((n, 82), 1 / 82, np.float16),
        ...     root_value=np.zeros(n, np.float16),
        ...     outcome=np.array([1, -1, 1], np.int8),
        ...     score=np.zeros(n, np.float32),
        ...     ownership=np.zeros((n, 9, 9), np.int8),
        ...     komi=np.full(n, 7.5, np.float32),
        ... )
        >>> samples.check(9, 9)  # raises an error if they are of another board
        >>> won = samples.take(np.flatnonzero(samples.outcome == 1))
        >>> len(won), won.board, won.planes.shape
        (2, (9, 9), (2, 6, 9, 9))
        >>> sum(array.nbytes for array in samples.arrays().values()), samples.packed_bytes
        (2472, 984)
        >>> again = Samples.unpacked(samples.packed())
        >>> all((again.arrays()[name] == array).all() for name, array in samples.arrays().items())
        True
        >>> from sixplane.planes import symmetry_table
        >>> turned = samples.transformed(symmetry_table(9, 9)[[1, 2, 3]])  # a symmetry for each
        >>> turned.planes.shape
        (3, 6, 9, 9)
    """

    planes: NDArray[np.uint8]
    """The six planes of each position, `(N, 6, rows, cols)`."""
    masks: NDArray[np.bool_]
    """The action masks, `(N, A)`: True where an action is legal."""
    policy: NDArray[np.float16]
    """The policy of the search, `(N, A)`."""
    root_value: NDArray[np.float16]
    """The value of the search, `(N,)`, from -1 to 1."""
    outcome: NDArray[np.int8]
    """The outcome, `(N,)`: +1 if the player to play has won, 0 for a draw, -1 if it has lost."""
    score: NDArray[np.float32]
    """The lead of the player to play at the end, `(N,)`."""
    ownership: NDArray[np.int8]
    """The owner of each point at the end, `(N, rows, cols)`: +1 the player to play, -1 the other."""
    komi: NDArray[np.float32]
    """The points that the game gives to White, `(N,)`, 0 where it knows no komi."""

    def __post_init__(self) -> None:
        rows, cols = board = self.planes.shape[2:]
        for name, shape, expected in (
            ("ownership", self.ownership.shape[1:], board),
            ("policy", self.policy.shape[1:], (rows * cols + 1,)),
            ("masks", self.masks.shape[1:], (rows * cols + 1,)),
        ):
            if shape != expected:
                raise ValueError(
                    f"all positions of a batch are on boards of one size: planes of {rows}x{cols} do not go "
                    f"with {name} of shape {shape} for each"
                )

    @property
    def board(self) -> tuple[int, int]:
        """Rows and columns of the board, which is the same for all."""
        rows, cols = self.planes.shape[2:]
        return rows, cols

    def __len__(self) -> int:
        return len(self.planes)

    def take(self, index: NDArray[np.int64]) -> Self:
        """Returns the samples with these numbers."""
        return type(self)(**{name: array[index] for name, array in self.arrays().items()})

    def packed(self) -> Fields:
        """Returns the arrays by name, with eight zeros or ones of a position in each byte."""
        packed = self.arrays()
        # Without -1, for which NumPy finds no length where there is no position.
        bits = math.prod(self.planes.shape[1:])
        packed["planes"] = np.packbits(self.planes.reshape(len(self), bits), axis=1)
        packed["masks"] = np.packbits(self.masks, axis=1)
        return packed

    @property
    def packed_bytes(self) -> int:
        """The bytes of the packed arrays, which travel between processes and machines."""
        bits = math.prod(self.planes.shape[1:]), self.masks.shape[1]
        others = sum(array.nbytes for name, array in self.arrays().items() if name not in {"planes", "masks"})
        return others + len(self) * sum(-(-count // 8) for count in bits)

    @classmethod
    def unpacked(cls, packed: Fields) -> Self:
        """Makes samples from packed arrays.

        Raises:
            KeyError, ValueError, TypeError: the arrays are others than those of `packed`.
        """
        (n, rows, cols), actions = packed["ownership"].shape, packed["policy"].shape[1]
        planes = np.unpackbits(packed["planes"], axis=1, count=6 * rows * cols).reshape(n, 6, rows, cols)
        masks = np.unpackbits(packed["masks"], axis=1, count=actions).astype(np.bool_)
        return cls(**(packed | {"planes": planes, "masks": masks}))

    def check(self, rows: int, cols: int) -> None:
        """Makes sure that these are samples of this board.

        Raises:
            ValueError: an array is of another shape or type, or has numbers that are not finite.
        """
        count, actions, board = len(self), rows * cols + 1, (rows, cols)
        for name, shape, dtype in (
            ("planes", (6, *board), np.uint8),
            ("masks", (actions,), np.bool_),
            ("policy", (actions,), np.float16),
            ("root_value", (), np.float16),
            ("outcome", (), np.int8),
            ("score", (), np.float32),
            ("ownership", board, np.int8),
            ("komi", (), np.float32),
        ):
            check_numbers(name, getattr(self, name), (count, *shape), dtype)

    def __reduce__(self) -> tuple[Callable[[Fields], Self], tuple[Fields]]:
        # Packed, they need less than half the time on the way.
        return type(self).unpacked, (self.packed(),)

    def arrays(self) -> Fields:
        """Returns the arrays by name."""
        return dict(self.__dict__)

    def transformed(self, tables: NDArray[np.int64]) -> Self:
        """Returns each sample in a symmetry of its own.

        Args:
            tables: `(N, A)`: for each sample the action that each action comes from
                (rows of `sixplane.planes.symmetry_table`).
        """
        n, _, rows, cols = self.planes.shape
        points = tables[:, : rows * cols]
        planes = np.take_along_axis(self.planes.reshape(n, 6, rows * cols), points[:, None, :], axis=2)
        ownership = np.take_along_axis(self.ownership.reshape(n, rows * cols), points, axis=1)
        return replace(
            self,
            planes=planes.reshape(self.planes.shape),
            ownership=ownership.reshape(self.ownership.shape),
            masks=np.take_along_axis(self.masks, tables, axis=1),
            policy=np.take_along_axis(self.policy, tables, axis=1),
        )
