"""Positions to learn from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

__all__ = ["Samples"]


@dataclass(frozen=True)
class Samples:
    """N positions of finished games, with A actions each. Values are from the view of the player to play."""

    planes: NDArray[np.uint8]
    """`(N, 6, rows, cols)`."""
    masks: NDArray[np.bool_]
    """`(N, A)`: True where an action is legal."""
    policy: NDArray[np.float16]
    """`(N, A)`: what the search says."""
    root_value: NDArray[np.float16]
    """`(N,)`: what the search says, from -1 to 1."""
    outcome: NDArray[np.int8]
    """`(N,)`: +1 for a win of the player to play, 0 for a draw, -1."""
    score: NDArray[np.float32]
    """`(N,)`: the lead of the player to play at the end."""
    ownership: NDArray[np.int8]
    """`(N, rows, cols)`: +1 where the player to play has the point at the end, -1 where the other has it."""
    weight: NDArray[np.float32]
    """`(N,)`: how much the position counts."""

    def __len__(self) -> int:
        return len(self.planes)

    def take(self, index: NDArray[np.int64]) -> Self:
        """The samples with these numbers."""
        return type(self)(**{name: array[index] for name, array in self.arrays().items()})

    @property
    def nbytes(self) -> int:
        """Size of all arrays."""
        return sum(array.nbytes for array in self.arrays().values())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by name."""
        return dict(self.__dict__)

    def transformed(self, tables: NDArray[np.int64]) -> Self:
        """Each sample in a symmetry of its own.

        Args:
            tables: `(N, A)`: for each sample the action that each action comes from
                (rows of `sixplane.planes.symmetry_table`).
        """
        n, _, rows, cols = self.planes.shape
        points = tables[:, : rows * cols]
        planes = np.take_along_axis(self.planes.reshape(n, 6, -1), points[:, None, :], axis=2)
        ownership = np.take_along_axis(self.ownership.reshape(n, -1), points, axis=1)
        return replace(
            self,
            planes=planes.reshape(self.planes.shape),
            ownership=ownership.reshape(self.ownership.shape),
            masks=np.take_along_axis(self.masks, tables, axis=1),
            policy=np.take_along_axis(self.policy, tables, axis=1),
        )
