"""PPO of RLlib learns a game against random play, with runners that step their games in Rust.

pip install 'sixplane[rllib]'
python examples/rllib_ppo.py --game reversi --size 6 --minutes 5
"""

import argparse
import time

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

import sixplane
from sixplane.games import GAMES
from sixplane.rllib import BoardRLModule


def main() -> None:
    """Learns for so many minutes, and then plays others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="reversi")
    parser.add_argument("--size", type=int, help="6, but 3 for tic-tac-toe and 6x7 for Connect Four")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--runners", type=int, default=1)
    parser.add_argument("--envs", type=int, default=128, help="games of a runner")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="against each opponent, at the end")
    arguments = parser.parse_args()
    # The boards of games that have one alone, or another than square ones.
    size = arguments.size or {"tictactoe": 3, "connect4": (6, 7)}.get(arguments.game, 6)
    # Made first: what a runner of Ray refuses is hidden by errors of RLlib.
    game = GAMES[arguments.game].game_class(size=size)
    torch.set_num_threads(arguments.threads)

    processors = 1 + arguments.runners
    ray.init("local", num_cpus=processors, include_dashboard=False, log_to_driver=False)
    env = {"game": arguments.game, "size": size, "opponent": "random", "illegal": "raise"}
    algorithm = (
        PPOConfig()
        .environment("sixplane", env_config=env)
        .env_runners(
            num_env_runners=arguments.runners,
            num_envs_per_env_runner=arguments.envs,
            gym_env_vectorize_mode="vector_entry_point",
            # After the usual minute, RLlib drops what a runner plays on a machine with other work.
            sample_timeout_s=600,
        )
        .training(
            gamma=1.0,
            lr=1e-3,
            entropy_coeff=0.01,
            grad_clip=0.5,
            train_batch_size_per_learner=4096,
            minibatch_size=512,
            num_epochs=4,
        )
        .rl_module(rl_module_spec=RLModuleSpec(module_class=BoardRLModule, model_config={"channels": 32}))
        .debugging(seed=arguments.seed, log_level="ERROR")
        .build_algo()
    )
    begun, result = time.monotonic(), {}
    while time.monotonic() - begun < 60 * arguments.minutes:
        result = algorithm.train()
    steps = int(result["num_env_steps_sampled_lifetime"])
    print(f"{steps} steps in {(time.monotonic() - begun) / 60:.1f} minutes")
    module = algorithm.get_module()

    def policy(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        seen = {"observations": torch.from_numpy(planes), "action_mask": torch.from_numpy(masks).float()}
        with torch.no_grad():
            return module.forward_inference({"obs": seen})["action_dist_inputs"].argmax(1).numpy()

    for opponent in ("random", "score-table" if arguments.game == "gomoku" else "mcts:simulations=100"):
        score = sixplane.evaluate(policy, opponent, game, games=arguments.games, opening_moves=2, seed=1)
        print(f"against {opponent}: {score}", flush=True)
    algorithm.stop()


if __name__ == "__main__":
    main()
