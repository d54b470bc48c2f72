"""The interface of what learns in a run of training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import Array
from sixplane.learn.config import Config
from sixplane.learn.samples import Samples
from sixplane.nets.architecture import Architecture
from sixplane.nets.backend import BackendName


class Learner(Protocol):
    """Learns from samples, as `sixplane.learn.torch_learner.TorchLearner` does.

    Example:
        >>> import tempfile
        >>> from sixplane.learn import Config, train
        >>> class Still:  # learns nothing: its network stays as it begins
        ...     backend = "numpy"
        ...     def __init__(self, config, architecture, parameters):
        ...         self._parameters = parameters
        ...     def step(self, samples, learning_rate):
        ...         return {"policy": float(len(samples))}
        ...     def parameters(self):
        ...         return self._parameters
        ...     state = parameters
        ...     def restore(self, arrays):
        ...         self._parameters = arrays
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     config = Config(size=3, minutes=0.02, workers=1, blocks=1, channels=4, out=folder)
        ...     network = train(config, learner=Still)
        >>> network
        Network(go, 1x4, backend='auto')
    """

    @property
    def backend(self) -> BackendName:
        """The backend that computes the network fastest where it learns."""

    def step(self, samples: Samples, learning_rate: float) -> dict[str, float]:
        """Learns from positions on boards of one size once, and returns the parts of the loss by name."""

    def parameters(self) -> dict[str, NDArray[np.float32]]:
        """Returns the parameters of the network that plays."""

    def state(self) -> dict[str, Array]:
        """Returns all arrays that `restore` needs."""

    def restore(self, arrays: dict[str, Array]) -> None:
        """Restores the state that `state` returned."""


#: Makes a learner of the settings of a stage, the shape of its network, and its parameters.
MakeLearner: TypeAlias = Callable[[Config, Architecture, dict[str, NDArray[np.float32]]], Learner]
