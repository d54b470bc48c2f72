"""Networks that play: trained ones from files, computed by NumPy or by a quicker package.

| name | what it is |
|---|---|
| `Network` | an evaluator for `sixplane.search.MCTS` and `NetworkAgent`; loads, saves, evaluates |
| `Evaluation` | all outputs of a network for positions |
| `Architecture` | inputs, layers and the names of the parameters |
| `input_planes` | the planes that a network sees of a position |
| `NetworkFileError` | the error of a file that is no network, or a damaged one |
"""

from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Evaluation
from sixplane.nets.backends import installed_backends
from sixplane.nets.file import NetworkFileError
from sixplane.nets.inputs import INPUTS, input_planes
from sixplane.nets.network import Network

__all__ = [
    "INPUTS",
    "Architecture",
    "Evaluation",
    "Network",
    "NetworkFileError",
    "Parameters",
    "input_planes",
    "installed_backends",
]
