"""MaskablePPO of Stable-Baselines3 learns up the ladder: its opponent gets stronger as it does.

pip install 'sixplane[sb3]'
python examples/climb.py --steps 120000 --out climb
python examples/climb.py --steps 120000 --out random --opponent random
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from sixplane.agents import PolicyAgent
from sixplane.envs import Climb
from sixplane.match import rate
from sixplane.sb3 import BoardPolicy, VecEnv


class Checkpoints(BaseCallback):
    """Saves the policy and where it stands on the ladder, and rates it, every so many steps but the last."""

    def __init__(self, env: VecEnv, every: int, last: int, games: int, out: Path) -> None:
        super().__init__()
        self.env, self.every, self.last, self.games, self.out = env, every, last, games, out

    def _on_training_start(self) -> None:
        self.next = self.num_timesteps + self.every

    def _on_step(self) -> bool:
        if self.next <= self.num_timesteps < self.last:
            self.next += self.every
            self.keep(self.games)
        return True

    def keep(self, games: int) -> None:
        """Saves and rates, by so many games."""
        climb = getattr(self.env.opponent, "climb", Climb())
        self.model.save(beside(self.out, ".zip"))
        beside(self.out, ".json").write_text(json.dumps(climb))
        rating = rate(PolicyAgent(self.policy), self.env.games.env.settings.start, games, seed=1)
        print(f"{self.num_timesteps} steps, rung +{climb.number}: {rating}", flush=True)
        row = {"steps": self.num_timesteps, "rung": climb.number, "elo": rating.elo}
        with beside(self.out, ".jsonl").open("a") as file:
            print(json.dumps(row | {"low": rating.low, "high": rating.high}), file=file)

    def policy(self, planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The best actions."""
        return self.model.predict(planes, action_masks=masks, deterministic=True)[0]


def beside(out: Path, ending: str) -> Path:
    """The file of this ending; `with_suffix` would take `.001` of `lr.001` for an ending."""
    return out.with_name(out.name + ending)


def is_rated(out: Path, steps: int) -> bool:
    """Whether the last row is that of so many steps."""
    rows = beside(out, ".jsonl")
    return rows.exists() and json.loads(rows.read_text().splitlines()[-1])["steps"] == steps


def main() -> None:
    """Learns for so many steps, or goes on with what is saved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    # Boards that have a ladder; Go 13x13 has one, too.
    sizes = {"go": 9, "reversi": 8, "gomoku": 15}
    parser.add_argument("--game", choices=sizes, default="gomoku")
    parser.add_argument("--opponent", default="ladder:auto")
    parser.add_argument("--steps", type=int, default=120_000)
    parser.add_argument("--ratings", type=int, default=6, help="with the last")
    parser.add_argument("--games", type=int, default=200, help="of the last rating")
    parser.add_argument("--envs", type=int, default=128)
    parser.add_argument("--channels", type=int, default=16)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("climb"))
    arguments = parser.parse_args()
    if min(arguments.games, arguments.ratings) < 1:
        parser.error("--games and --ratings must be at least 1")
    torch.set_num_threads(arguments.threads)

    size, opponent = sizes[arguments.game], arguments.opponent
    env = VecEnv(arguments.game, arguments.envs, size=size, opponent=opponent)
    model = MaskablePPO(
        BoardPolicy,
        VecMonitor(env),
        policy_kwargs={"channels": arguments.channels, "layers": arguments.layers},
        n_steps=32,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        learning_rate=lambda left: max(1e-5, 1e-3 * left),
        ent_coef=0.01,
        seed=arguments.seed,
    )
    if (saved := beside(arguments.out, ".zip")).exists():
        try:
            model = MaskablePPO.load(saved, model.env)
        except ValueError as error:
            parser.error(f"{saved} cannot go on with these options: {error}")
        if opponent == "ladder:auto":
            env.opponent.climb = Climb(*json.loads(beside(arguments.out, ".json").read_text()))
    every = max(1, arguments.steps // arguments.ratings)
    checkpoints = Checkpoints(env, every, arguments.steps, max(1, arguments.games // 4), arguments.out)
    left = arguments.steps - model.num_timesteps
    if left <= 0 and is_rated(arguments.out, model.num_timesteps):
        print(f"{saved} has learned for {model.num_timesteps} steps already: give more by --steps")
        return
    model.learn(left, callback=checkpoints, reset_num_timesteps=False)
    checkpoints.keep(arguments.games)


if __name__ == "__main__":
    main()
