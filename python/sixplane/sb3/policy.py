"""A policy for boards, for MaskablePPO: what it learns at one point, it knows at all others."""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn

from sixplane._arguments import integer
from sixplane.sb3.features import shape_of

#: The units of the layer between the features and the value.
HIDDEN = 64


class BoardPolicy(MaskableActorCriticPolicy):  # type: ignore[misc] # the library has no types here
    """A policy of convolutions that keep the board: each point has its logit, by the same weights.

    A policy with dense layers learns for each point anew what a line or a liberty is worth. The value, and
    the logits of actions that are no points, such as the pass, come of the mean and the maximum of each
    channel over the board.

    Args:
        observation_space: planes `(C, rows, cols)`.
        action_space: the points, row by row, and the actions that are none.
        lr_schedule: the learning rate, as Stable-Baselines3 gives it.
        channels: how many channels each convolution has.
        layers: how many 3x3 convolutions there are; each sees one point further.
        options: those of `MaskableActorCriticPolicy` that are not about layers.

    Raises:
        TypeError, ValueError: the observations are no planes, there are fewer actions than points, or
            `channels` or `layers` is no integer or less than 1.

    Example:
        >>> from sb3_contrib import MaskablePPO
        >>> from sixplane.sb3 import VecEnv
        >>> env = VecEnv("gomoku", num_envs=8, size=9)
        >>> model = MaskablePPO(BoardPolicy, env, n_steps=8, policy_kwargs={"channels": 8, "layers": 3})
        >>> model.learn(64).num_timesteps
        64
    """

    def __init__(
        self,
        observation_space: gymnasium.Space[object],
        action_space: gymnasium.spaces.Discrete,
        lr_schedule: Schedule,
        channels: int = 32,
        layers: int = 4,
        **options: Any,
    ) -> None:
        channels, layers = integer("channels", channels, 1), integer("layers", layers, 1)
        self._board = channels, *shape_of("BoardPolicy", observation_space)[1:]
        self._layers = layers
        super().__init__(
            observation_space,
            action_space,
            lr_schedule,
            net_arch=[],
            features_extractor_class=_Points,
            features_extractor_kwargs={"channels": channels, "layers": layers},
            **options,
        )

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        self.action_net = _PointLogits(self._board, int(self.action_space.n))
        self.value_net = _BoardValue(self._board)
        if self.ortho_init:
            self.action_net.apply(partial(self.init_weights, gain=0.01))
            self.value_net.apply(partial(self.init_weights, gain=1.0))
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        given: dict[str, Any] = super()._get_constructor_parameters()
        for name in ("net_arch", "features_extractor_class", "features_extractor_kwargs"):
            del given[name]
        of_ours = {"channels": self._board[0], "layers": self._layers}
        # The library leaves this one out.
        return given | of_ours | {"share_features_extractor": self.share_features_extractor}


class _Points(BaseFeaturesExtractor):  # type: ignore[misc] # the library has no types here
    """Features of each point, flat, since Stable-Baselines3 wants rows: `(n, channels * rows * cols)`."""

    def __init__(self, observation_space: gymnasium.Space[object], channels: int, layers: int) -> None:
        planes, rows, cols = shape_of("BoardPolicy", observation_space)
        super().__init__(observation_space, channels * rows * cols)
        self._first = nn.Conv2d(planes, channels, 3, padding=1)
        self._others = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(layers - 1))

    def forward(self, observations: Tensor) -> Tensor:
        features = torch.relu(self._first(observations.to(torch.float32)))
        for layer in self._others:
            features = features + torch.relu(layer(features))
        return features.flatten(1)


class _PointLogits(nn.Module):  # type: ignore[misc] # the library has no types here
    """Makes the logits of the points of their features, and those of other actions of the whole board."""

    def __init__(self, board: tuple[int, int, int], actions: int) -> None:
        super().__init__()
        channels, rows, cols = board
        others = actions - rows * cols
        if others < 0:
            raise TypeError(f"BoardPolicy is for an action for each of {rows * cols} points, not {actions}")
        self._board = board
        self._point = nn.Conv2d(channels, 1, 1)
        self._other = nn.Linear(2 * channels, others) if others else None

    def forward(self, features: Tensor) -> Tensor:
        points = features.view(-1, *self._board)
        logits: Tensor = self._point(points).flatten(1)
        return logits if self._other is None else torch.cat([logits, self._other(_pooled(points))], 1)


class _BoardValue(nn.Module):  # type: ignore[misc] # the library has no types here
    """Makes the value of a board of the features of its points."""

    def __init__(self, board: tuple[int, int, int]) -> None:
        super().__init__()
        self._board = board
        self._value = nn.Sequential(nn.Linear(2 * board[0], HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))

    def forward(self, features: Tensor) -> Tensor:
        value: Tensor = self._value(_pooled(features.view(-1, *self._board)))
        return value


def _pooled(points: Tensor) -> Tensor:
    """The mean and the maximum of each channel over the board, `(n, 2 * channels)`."""
    return torch.cat([points.mean((2, 3)), points.amax((2, 3))], 1)
