"""The games in tianshou, by both of its ways to them. Its DQN learns in `examples/tianshou_dqn.py`."""

# ruff: noqa: E402
from __future__ import annotations

import numba  # type: ignore[import-not-found] # it comes with tianshou

# What tianshou has numba compile takes seconds to compile, and next to no time as Python.
numba.config.DISABLE_JIT = True

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.data import Collector
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.discrete import DiscreteActor
from torch import nn

import sixplane.pettingzoo as games
from sixplane.envs import MaskInObservation, VectorMaskInObservation

OPTIONS: dict[str, Any] = {"size": 6, "opponent": "random", "view": "player", "dtype": "float32"}
KEYS = ("obs", "mask")


class Layer(nn.Module):  # type: ignore[misc] # the library has no types here
    """One layer over the planes, in the form of tianshou's networks."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.outputs = outputs
        self.layer = nn.Linear(216, outputs)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        del info
        return self.layer(torch.as_tensor(getattr(obs, "obs", obs))), state

    def get_output_dim(self) -> int:
        return self.outputs


def one_game(illegal: str) -> Any:
    """A game with its mask where tianshou looks for it."""
    env = gymnasium.make("sixplane/Reversi-v0", illegal=illegal, **OPTIONS)
    return MaskInObservation(env, KEYS, "bool", flatten=True)


def test_q_learning_collects_legal_actions() -> None:
    policy = DiscreteQLearningPolicy(
        model=Layer(37), action_space=gymnasium.spaces.Discrete(37), eps_training=0.5
    )
    envs = DummyVectorEnv([lambda: one_game("raise") for _ in range(4)])
    collector = Collector(policy, envs, exploration_noise=True)
    collected = collector.collect(n_episode=12, reset_before_collect=True)
    assert collected.lens.min() >= 5
    assert set(collected.returns) <= {-1.0, 0.0, 1.0}


def test_a_discrete_actor_ignores_the_mask() -> None:
    policy = DiscreteActorPolicy(
        actor=DiscreteActor(preprocess_net=Layer(64), action_shape=37),
        dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
        action_space=gymnasium.spaces.Discrete(37),
    )
    envs = DummyVectorEnv([lambda: one_game("lose") for _ in range(4)])
    collected = Collector(policy, envs).collect(n_episode=40, reset_before_collect=True)
    assert collected.lens.mean() < 3


def test_its_collectors_refuse_vectors_of_gymnasium() -> None:
    policy = DiscreteQLearningPolicy(model=Layer(37), action_space=gymnasium.spaces.Discrete(37))
    many = gymnasium.make_vec("sixplane/Reversi-v0", 4, **OPTIONS)
    with pytest.raises(TypeError, match=r"has no len\(\)"):
        Collector(policy, VectorMaskInObservation(many, KEYS, "bool", flatten=True))


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
