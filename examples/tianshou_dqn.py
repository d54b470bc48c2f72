"""DQN of tianshou learns a game against random play; it reads the masks by itself.

pip install 'sixplane[gym]' torch 'tianshou>=2'
python examples/tianshou_dqn.py --game reversi --size 6 --minutes 5
"""

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from torch import nn

import sixplane
from sixplane.agents import RandomAgent
from sixplane.envs import MaskInObservation
from sixplane.games import GAMES


class Q(nn.Module):
    """The value of each action, between -1 and 1. The policy around it looks at the mask."""

    def __init__(self, points: int, actions: int, channels: int = 32) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for planes in (6, channels, channels):
            layers += [nn.Conv2d(planes, channels, 3, padding=1), nn.ReLU()]
        dense = [nn.Linear(channels * points, 256), nn.ReLU(), nn.Linear(256, actions), nn.Tanh()]
        self.layers = nn.Sequential(*layers, nn.Flatten(), *dense)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:  # noqa: ARG002
        """Values `(n, A)`; `obs` is the planes, or the whole observation."""
        return self.layers(torch.as_tensor(getattr(obs, "obs", obs))), state


def main() -> None:
    """Learns for so many minutes, and then plays others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="reversi")
    parser.add_argument("--size", type=int, help="6, but 3 for tic-tac-toe and 6x7 for Connect Four")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--envs", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="against each opponent, at the end")
    parser.add_argument("--out", default="tianshou_dqn.pt")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    np.random.seed(arguments.seed)  # noqa: NPY002 - what tianshou draws from
    info = GAMES[arguments.game]
    # The boards of games that have one alone, or another than square ones.
    size = arguments.size or {"tictactoe": 3, "connect4": (6, 7)}.get(arguments.game, 6)
    game = info.game_class(size=size)

    def make(seed: int) -> gymnasium.Env[Any, Any]:
        env = gymnasium.make(
            info.env_id,
            size=size,
            opponent=RandomAgent(seed=seed),
            seat="random",
            view="player",
            dtype="float32",
            illegal="raise",
        )
        return MaskInObservation(env, ("obs", "mask"), "bool")

    envs = DummyVectorEnv([lambda seed=seed: make(seed) for seed in range(arguments.envs)])
    envs.seed(arguments.seed)
    network = Q(game.rows * game.cols, game.num_actions)
    policy = DiscreteQLearningPolicy(
        model=network, action_space=gymnasium.spaces.Discrete(game.num_actions), eps_training=0.1
    )
    algorithm: Any = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=5e-4),
        gamma=1.0,
        n_step_return_horizon=4,
        target_update_freq=250,
    )
    collector = Collector(
        algorithm, envs, VectorReplayBuffer(100_000, arguments.envs), exploration_noise=True
    )

    begun, steps = time.monotonic(), 0
    while time.monotonic() - begun < 60 * arguments.minutes:
        result = algorithm.run_training(
            OffPolicyTrainerParams(
                training_collector=collector,
                max_epochs=1,
                epoch_num_steps=100 * arguments.envs,
                collection_step_num_env_steps=10 * arguments.envs,
                update_step_num_gradient_steps_per_sample=0.1,
                batch_size=256,
                show_progress=False,
                verbose=False,
            )
        )
        steps += result.train_step
    torch.save(network.state_dict(), arguments.out)
    print(f"{steps} steps in {(time.monotonic() - begun) / 60:.1f} minutes")

    def play(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            values = network(torch.from_numpy(planes))[0]
        return values.masked_fill(~torch.from_numpy(masks), -9).argmax(1).numpy()

    for opponent in ("random", "score-table" if arguments.game == "gomoku" else "mcts:simulations=100"):
        result = sixplane.evaluate(play, opponent, game, games=arguments.games, opening_moves=2, seed=1)
        print(f"against {opponent}: {result}", flush=True)


if __name__ == "__main__":
    main()
