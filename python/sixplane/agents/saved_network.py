"""Networks from files, and those that come with the package, as evaluators for agents."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sixplane._core import Game
from sixplane.games import info_of
from sixplane.nets import Network
from sixplane.nets.backend import BackendName
from sixplane.nets.shipped import shipped_networks

#: So many networks stay in memory, for the next game.
KEPT: Final = 8


def network_evaluator(
    *, file: str | None = None, name: str | None = None, backend: BackendName = "auto", threads: int = 1
) -> Network | ShippedNetworks:
    """Loads the network in a file, the shipped one of this name, or else the shipped one for each game.

    Raises:
        ValueError: there is none, it is damaged, or there is no such backend.
    """
    if file is not None and name is not None:
        raise ValueError("a network has a file or a name, not both")
    if file is None and name is None:
        if not (shipped := shipped_networks()):
            raise ValueError(f"network needs file=PATH: {_listed(shipped)}")
        return ShippedNetworks(backend, threads)
    if file is not None:
        return _network(Path(file), backend, threads)
    shipped = shipped_networks()
    if name not in shipped:
        raise ValueError(f"there is no network {name!r}: {_listed(shipped)}")
    return _network(shipped[name], backend, threads)


def shipped_name(game: Game) -> str | None:
    """Names the shipped network of this game, trained on the most similar size; None if there is none.

    Of two it is the one whose name comes last: a network that ships never changes, since rungs of ladders
    play by it, and a stronger one ships beside it under a name that sorts after its own.
    """
    points = game.rows * game.cols
    distances = {}
    for name, path in shipped_networks().items():
        network = _network(path, "numpy", 1)
        if network.architecture.game == game.name:
            sizes = (abs(rows * cols - points) for rows, cols in network.sizes)
            distances[name] = min(sizes, default=points)
    return min(sorted(distances, reverse=True), key=distances.__getitem__, default=None)


class ShippedNetworks:
    """An evaluator by the network that comes with the package for each game."""

    def __init__(self, backend: BackendName, threads: int) -> None:
        self._backend, self._threads = backend, threads

    def for_game(self, game: Game) -> Network:
        """Returns the network that was trained on boards of the most similar size.

        Raises:
            TypeError: none plays this game.
        """
        shipped, name = shipped_networks(), shipped_name(game)
        if name is None:
            raise TypeError(f"no network of sixplane plays {info_of(game).unique_title}: {_listed(shipped)}")
        return _network(shipped[name], self._backend, self._threads).for_game(game)

    def __call__(self, _planes: NDArray[np.generic]) -> tuple[ArrayLike, ArrayLike]:
        """Raises a `TypeError`: only the network for a game evaluates."""
        raise TypeError("planes do not say which game they are of: use for_game")


def _listed(shipped: dict[str, Path]) -> str:
    return f"sixplane comes with {', '.join(shipped) if shipped else 'no networks'}"


def _network(path: Path, backend: BackendName, threads: int) -> Network:
    """Loads the network in a file; while the file does not change, it is always the same object."""
    changed = 0
    with suppress(OSError):  # what is wrong is said when the file is read
        changed = path.stat().st_mtime_ns
    try:
        return _loaded(path, backend, threads, changed)
    except ModuleNotFoundError as error:
        raise ValueError(str(error)) from error


@lru_cache(maxsize=KEPT)
def _loaded(path: Path, backend: BackendName, threads: int, _changed: int) -> Network:
    return Network.load(path, backend=backend, threads=threads)
