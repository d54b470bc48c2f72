"""A game of Go behind a Python class with the same members, for tests to change one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import sixplane

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class WrappedGo:
    """All that `sixplane.Go` is, member by member."""

    def __init__(self, go: sixplane.Go | None = None) -> None:
        self.go = sixplane.Go(size=3, komi=0.5) if go is None else go

    def __getattr__(self, name: str) -> Any:
        # A game that is being unpickled has no Go yet.
        if name == "go" or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.go, name)

    # Named, so that a subclass can override them and still ask `super()`.

    @property
    def planes(self) -> Any:
        return self.go.planes

    @property
    def turn(self) -> Any:
        return self.go.turn

    @property
    def hash(self) -> int:
        return self.go.hash

    def play(self, action: Any) -> None:
        self.go.play(action)

    def undo(self) -> None:
        self.go.undo()

    def resign(self, color: Any = None) -> None:
        self.go.resign(color)

    def set_turn(self, color: Any) -> None:
        self.go.set_turn(color)

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__ = self.__dict__ | {"go": self.go.copy()}
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.go == other.go

    def __hash__(self) -> int:
        return hash(self.go)

    def __str__(self) -> str:
        return str(self.go)

    def replay(self, actions: Any) -> Self:
        return type(self)(self.go.replay(actions))

    def to_sgf(self) -> str:
        return self.go.to_sgf()

    @classmethod
    def from_sgf(cls, text: str, **rules: Any) -> Self:
        return cls(sixplane.Go.from_sgf(text, **rules))

    @classmethod
    def from_planes(cls, planes: NDArray[np.uint8], **rules: Any) -> Self:
        return cls(sixplane.Go.from_planes(planes, **rules))

    @classmethod
    def from_stones(cls, black: Any, white: Any, turn: Any = None, size: Any = None, **rules: Any) -> Self:
        return cls(sixplane.Go.from_stones(black, white, turn, size, **rules))

    @classmethod
    def from_text(cls, text: str, turn: Any = None, **rules: Any) -> Self:
        return cls(sixplane.Go.from_text(text, turn, **rules))
