"""MaskablePPO of Stable-Baselines3 learns a game against random play and its own past.

pip install 'sixplane[sb3]'
python examples/maskable_ppo.py --game reversi --size 6 --minutes 5
"""

import argparse
import time

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

import sixplane
from sixplane.games import GAMES
from sixplane.sb3 import BoardCNN, SelfPlayCallback, VecEnv

FOREVER = 1_000_000_000


class Until(BaseCallback):
    """Ends learning at a time of `time.monotonic`."""

    def __init__(self, end: float) -> None:
        super().__init__()
        self.end = end

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def main() -> None:
    """Learns for so many minutes, and then plays others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="reversi")
    parser.add_argument("--size", type=int, help="6, but 3 for tic-tac-toe and 6x7 for Connect Four")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--envs", type=int, default=128)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="against each opponent, at the end")
    parser.add_argument("--out", default="maskable_ppo.zip")
    arguments = parser.parse_args()
    size = arguments.size or {"tictactoe": 3, "connect4": (6, 7)}.get(arguments.game, 6)
    torch.set_num_threads(arguments.threads)
    begun, seconds = time.monotonic(), 60 * arguments.minutes
    env = VecEnv(arguments.game, arguments.envs, size=size, opponent="random")
    network = {"features_extractor_class": BoardCNN, "features_extractor_kwargs": {"channels": 32}}
    model = MaskablePPO(
        "MlpPolicy",
        VecMonitor(env),
        policy_kwargs=network | {"net_arch": []},
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        learning_rate=lambda _: max(1e-5, 1e-3 * (1 - (time.monotonic() - begun) / seconds)),
        ent_coef=0.03,
        seed=arguments.seed,
    )
    # Two thirds of the time it plays random play, and then copies of itself, the first of which stay.
    model.learn(FOREVER, callback=Until(begun + seconds * 2 / 3))
    self_play = SelfPlayCallback(every=max(1, model.num_timesteps // 10))
    model.learn(FOREVER, callback=[self_play, Until(begun + seconds)], reset_num_timesteps=False)
    model.save(arguments.out)
    print(f"{model.num_timesteps} steps in {(time.monotonic() - begun) / 60:.1f} minutes")

    def policy(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return model.predict(planes, action_masks=masks, deterministic=True)[0]

    game = GAMES[arguments.game].game_class(size=size)
    for opponent in ("random", "score-table" if arguments.game == "gomoku" else "mcts:simulations=100"):
        result = sixplane.evaluate(policy, opponent, game, games=arguments.games, opening_moves=2, seed=1)
        print(f"against {opponent}: {result}", flush=True)


if __name__ == "__main__":
    main()
