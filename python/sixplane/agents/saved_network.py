"""Agents that play by a network from a file, or by one that comes with the package."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

from sixplane.agents.dead_stones import CapturingAgent
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.network import NetworkAgent
from sixplane.nets import Network
from sixplane.nets.shipped import shipped_networks

if TYPE_CHECKING:
    from typing import Unpack

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from sixplane._core import Game
    from sixplane.agents.agent import Agent
    from sixplane.nets.backend import BackendName
    from sixplane.search import Selection

__all__ = ["network_agent", "network_evaluator", "shipped_name"]

#: Positions of one game that go to a network in one call: many times as quick as one by one.
LEAVES: Final = 8

#: So many networks stay in memory, for the next game.
KEPT: Final = 8


class _OfSearch(TypedDict, total=False):
    selection: Selection
    leaves: int
    max_nodes: int


def network_agent(
    *,
    file: str | None = None,
    name: str | None = None,
    backend: BackendName = "auto",
    threads: int = 1,
    simulations: int | None = None,
    seconds: float | None = None,
    temperature: float = 0.0,
    resign_below: float | None = None,
    seed: int | None = None,
    **options: Unpack[_OfSearch],
) -> Agent:
    """An agent by a network.

    Args:
        file: the network's file.
        name: that of a shipped network. Without both, the shipped one for the game.
        backend: of `sixplane.nets.Network`.
        threads: of `sixplane.nets.Network`.
        simulations: of a search for each move.
        seconds: for each move; without both there is no search.
        temperature: of the agent.
        resign_below: of the agent.
        seed: of all randomness; None takes one from the system.
        options: of the search.

    Raises:
        ValueError, TypeError: no such network or option.
    """
    evaluator = network_evaluator(file=file, name=name, backend=backend, threads=threads)
    if simulations is None and seconds is None:
        if options:
            raise ValueError(f"{min(options)!r} is for a search: give simulations or seconds")
        return NetworkAgent(evaluator, temperature=temperature, resign_below=resign_below, seed=seed)
    options.setdefault("leaves", LEAVES)
    agent = MCTSAgent(
        evaluator,
        simulations=simulations,
        seconds=seconds,
        temperature=temperature,
        resign_below=resign_below,
        seed=seed,
        **options,
    )
    return agent if temperature else CapturingAgent(agent)


def network_evaluator(
    *, file: str | None = None, name: str | None = None, backend: BackendName = "auto", threads: int = 1
) -> Network | ShippedNetworks:
    """The network in a file, the shipped one of this name, or else the shipped one for each game.

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
    """The shipped network of this game, trained on boards of the most similar size; None if there is none."""
    points = game.rows * game.cols
    distances = {}
    for name, path in shipped_networks().items():
        network = _network(path, "numpy", 1)
        if network.architecture.game == game.name:
            sizes = (abs(rows * cols - points) for rows, cols in network.sizes)
            distances[name] = min(sizes, default=points)
    return min(distances, key=distances.__getitem__, default=None)


class ShippedNetworks:
    """An evaluator that is, for each game, the network that comes with the package.

    Args:
        backend, threads: of the networks.
    """

    def __init__(self, backend: BackendName, threads: int) -> None:
        self._backend, self._threads = backend, threads

    def for_game(self, game: Game) -> Network:
        """The network that was trained on boards of the most similar size.

        Raises:
            TypeError: none plays this game.
        """
        shipped, name = shipped_networks(), shipped_name(game)
        if name is None:
            raise TypeError(f"there is none for {type(game).__name__}: {_listed(shipped)}")
        return _network(shipped[name], self._backend, self._threads).for_game(game)

    def __call__(self, _planes: NDArray[np.generic]) -> tuple[ArrayLike, ArrayLike]:
        """Only the network for a game evaluates."""
        raise TypeError("planes do not say which game they are of: use for_game")


def _listed(shipped: dict[str, Path]) -> str:
    return f"sixplane comes with {', '.join(shipped) if shipped else 'no networks'}"


def _network(path: Path, backend: BackendName, threads: int) -> Network:
    """The network in a file; of one file that has not changed it is always the same object."""
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
