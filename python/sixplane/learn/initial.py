"""The parameters that a network begins to learn with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sixplane.learn.config import Config, ConfigError
from sixplane.nets import Network, NetworkFileError


def initial_parameters(config: Config) -> dict[str, NDArray[np.float32]]:
    """Returns the parameters of the network that the settings name, or random ones.

    A run that has a checkpoint is resumed from that: its initial network is not read.

    Raises:
        ConfigError: there is no such network, or it is of another game or shape.

    Example:
        >>> name = "policy.out.weight"
        >>> parameters = initial_parameters(Config(game="go", size=13, initial_network="go9"))
        >>> np.array_equal(parameters[name], Network.load("go9").parameters[name])
        True
        >>> try:
        ...     initial_parameters(Config(game="reversi", initial_network="go9"))
        ... except ConfigError as error:
        ...     print(error)
        initial_network go9 is for go, not for reversi
    """
    architecture = config.architecture
    if not config.initial_network or any(Path(config.out).glob("checkpoint*.npz")):
        return architecture.random_parameters(np.random.default_rng([config.seed, 0]))
    try:
        network = Network.load(config.initial_network, backend="numpy")
    except NetworkFileError as error:
        raise ConfigError(f"initial_network: {error}") from error
    found = network.architecture
    if found != architecture:
        named = f"initial_network {config.initial_network}"
        if found.game != architecture.game:
            raise ConfigError(f"{named} is for {found.game}, not for {architecture.game}")
        for name in ("blocks", "channels", "inputs"):
            has, needs = getattr(found, name), getattr(architecture, name)
            if has != needs:
                raise ConfigError(f"{named} has {name} {has}; those of the run must be the same, not {needs}")
        raise ConfigError(f"{named} has other layers than the networks of a run")
    return dict(network.parameters)
