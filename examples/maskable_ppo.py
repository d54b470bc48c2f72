"""MaskablePPO of Stable-Baselines3 learns a game against random play and its own past.

pip install 'sixplane[sb3]'
python examples/maskable_ppo.py --game reversi --size 6 --steps 300000
"""

import argparse

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

import sixplane
from sixplane.sb3 import BoardCNN, SelfPlayCallback, VecEnv

GAMES = {"go": sixplane.Go, "reversi": sixplane.Reversi, "gomoku": sixplane.Gomoku}


def main() -> None:
    """Learns for so many steps, and then plays random play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="reversi")
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--opponent", default="self", help="self, random, or the spec of another agent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="maskable_ppo.zip")
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    plays_itself = arguments.opponent == "self"
    opponent = "random" if plays_itself else arguments.opponent
    env = VecEnv(arguments.game, arguments.envs, size=arguments.size, opponent=opponent)
    model = MaskablePPO(
        "MlpPolicy",
        VecMonitor(env),
        policy_kwargs={"features_extractor_class": BoardCNN, "net_arch": []},
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        learning_rate=1e-3,
        ent_coef=0.01,
        seed=arguments.seed,
    )
    # Half of the time it plays random play, and then copies of itself, the first of which stay.
    half = arguments.steps // 2 if plays_itself else arguments.steps
    model.learn(half)
    if plays_itself:
        callback = SelfPlayCallback(every=max(1, half // 10))
        model.learn(arguments.steps - half, callback=callback, reset_num_timesteps=False)
    model.save(arguments.out)

    def policy(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return model.predict(planes, action_masks=masks, deterministic=True)[0]

    game = GAMES[arguments.game](size=arguments.size)
    print(
        "against random play:", sixplane.evaluate(policy, "random", game, games=1000, opening_moves=2, seed=1)
    )


if __name__ == "__main__":
    main()
