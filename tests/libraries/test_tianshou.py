"""The games in tianshou: its wrapper of PettingZoo, and a DQN that learns with masks."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from torch import nn

import sixplane
import sixplane.pettingzoo as games
from sixplane.agents import RandomAgent
from sixplane.envs import MaskInObservation


def test_its_wrapper_of_pettingzoo_plays_whole_games() -> None:
    env = PettingZooEnv(games.env("reversi", size=6))
    rng = np.random.default_rng(0)
    for _ in range(3):
        observation, _ = env.reset()
        steps, over = 0, False
        while not over:
            assert observation["agent_id"] in games.AGENTS
            legal = np.flatnonzero(observation["mask"])
            observation, rewards, terminated, truncated, _ = env.step(int(rng.choice(legal)))
            over = terminated or truncated
            steps += 1
        assert steps >= 9
        assert sorted(rewards) in ([-1, 1], [0, 0])


class Q(nn.Module):  # type: ignore[misc] # the library has no types here
    """The value of each action; the mask is tianshou's own to look at."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        layers = [nn.Conv2d(6, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Flatten(), nn.Linear(32 * 16, actions), nn.Tanh())

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:  # noqa: ARG002
        planes = torch.as_tensor(obs.obs if hasattr(obs, "obs") else obs)
        return self.layers(planes), state


def test_a_dqn_learns_with_masks() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    keys = ("obs", "mask")
    options: dict[str, Any] = {"size": 4, "seat": "random", "dtype": "float32", "view": "player"}

    def make(seed: int) -> Any:
        opponent = RandomAgent(seed=seed)
        env = gymnasium.make("sixplane/Reversi-v0", opponent=opponent, illegal="raise", **options)
        return MaskInObservation(env, keys, "bool")

    envs = DummyVectorEnv([lambda seed=seed: make(seed) for seed in range(16)])
    network = Q(17)
    policy = DiscreteQLearningPolicy(
        model=network, action_space=gymnasium.spaces.Discrete(17), eps_training=0.2
    )
    algorithm: Any = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=8,
        target_update_freq=200,
    )

    def play(planes: Any, masks: Any) -> Any:
        with torch.no_grad():
            values = network.layers(torch.from_numpy(planes))
        return values.masked_fill(~torch.from_numpy(masks), -9).argmax(1).numpy()

    game = sixplane.Reversi(size=4)
    before = sixplane.evaluate(play, "random", game, games=400, opening_moves=1, seed=1)
    collector = Collector(algorithm, envs, VectorReplayBuffer(20_000, 16), exploration_noise=True)
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=16_000,
            collection_step_num_env_steps=160,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=128,
            show_progress=False,
            verbose=False,
        )
    )
    assert result.train_step >= 16_000
    after = sixplane.evaluate(play, "random", game, games=400, opening_moves=1, seed=1)
    assert after.score > before.score + 0.05
