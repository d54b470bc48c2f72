"""A features extractor for boards, for the policies of Stable-Baselines3."""

from __future__ import annotations

import gymnasium
import torch
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from sixplane._arguments import integer


def shape_of(name: str, observation_space: gymnasium.Space[object]) -> tuple[int, int, int]:
    """Returns planes, rows and columns of the observations of what has this name."""
    match observation_space.shape:
        case (planes, rows, cols):
            return planes, rows, cols
    raise TypeError(f"{name} is for planes (C, rows, cols), not {observation_space}")


class BoardCNN(BaseFeaturesExtractor):  # type: ignore[misc] # the library has no types here
    """A features extractor: 3x3 convolutions that keep the size of the board, then one dense layer.

    Args:
        observation_space: planes `(C, rows, cols)`.
        features_dim: how many features there are.
        channels: how many channels each convolution has.
        layers: how many convolutions, or 0; each sees one point further.

    Raises:
        TypeError, ValueError: the observations are no planes, or a number is no integer or too small.

    Example:
        >>> from sixplane.sb3 import VecEnv
        >>> env = VecEnv("go", num_envs=2, size=7)
        >>> features = BoardCNN(env.observation_space, features_dim=128, channels=16, layers=2)
        >>> features(torch.from_numpy(env.reset())).shape
        torch.Size([2, 128])
    """

    def __init__(
        self,
        observation_space: gymnasium.Space[object],
        features_dim: int = 256,
        channels: int = 64,
        layers: int = 3,
    ) -> None:
        features_dim = integer("features_dim", features_dim, 1)
        channels, layers = integer("channels", channels, 1), integer("layers", layers, 0)
        planes, rows, cols = shape_of("BoardCNN", observation_space)
        super().__init__(observation_space, features_dim)
        convolutions: list[nn.Module] = []
        for i in range(layers):
            convolutions += [nn.Conv2d(planes if i == 0 else channels, channels, 3, padding=1), nn.ReLU()]
        last = planes if layers == 0 else channels
        self._layers = nn.Sequential(
            *convolutions, nn.Flatten(), nn.Linear(last * rows * cols, features_dim), nn.ReLU()
        )

    def forward(self, observations: Tensor) -> Tensor:
        """Computes the features `(n, features_dim)` of planes `(n, C, rows, cols)`."""
        features: Tensor = self._layers(observations.to(torch.float32))
        return features
