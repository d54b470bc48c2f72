"""PPO of TorchRL learns a game against random play, with all games in one environment.

pip install 'sixplane[torchrl]'
python examples/torchrl_ppo.py --game reversi --size 6 --minutes 5
"""

import argparse
import time

import numpy as np
import torch
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import sixplane
from sixplane.games import GAMES
from sixplane.torchrl import BoardGameEnv


class Board(nn.Module):
    """Convolutions over planes `(..., 6, rows, cols)`, whatever axes are before them."""

    def __init__(self, points: int, outputs: int, channels: int = 32) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for planes in (6, channels, channels):
            layers += [nn.Conv2d(planes, channels, 3, padding=1), nn.ReLU()]
        dense = [nn.Linear(channels * points, 256), nn.ReLU(), nn.Linear(256, outputs)]
        self.layers = nn.Sequential(*layers, nn.Flatten(), *dense)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Outputs `(..., outputs)`."""
        boards = planes.reshape(-1, *planes.shape[-3:])
        return self.layers(boards).reshape(*planes.shape[:-3], -1)


def main() -> None:
    """Learns for so many minutes, and then plays others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="reversi")
    parser.add_argument("--size", type=int, help="6, but 3 for tic-tac-toe and 6x7 for Connect Four")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=16, help="of each game between two updates")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="against each opponent, at the end")
    parser.add_argument("--out", default="torchrl_ppo.pt")
    arguments = parser.parse_args()
    # The boards of games that have one alone, or another than square ones.
    size = arguments.size or {"tictactoe": 3, "connect4": (6, 7)}.get(arguments.game, 6)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)

    game = GAMES[arguments.game].game_class(size=size)
    env = BoardGameEnv(arguments.game, arguments.envs, size=size, opponent="random")
    env.set_seed(arguments.seed)
    points = game.rows * game.cols
    network = Board(points, game.num_actions)
    actor = ProbabilisticActor(
        TensorDictSequential(TensorDictModule(network, ["observation"], ["logits"])),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(Board(points, 1), in_keys=["observation"])
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    frames = arguments.envs * arguments.steps
    collector = Collector(env, actor, frames_per_batch=frames, total_frames=-1, reset_at_each_iter=False)

    begun, seconds, steps = time.monotonic(), 60 * arguments.minutes, 0
    for data in collector:
        for _ in range(3):
            with torch.no_grad():
                advantage(data)
            flat = data.reshape(-1)
            for part in torch.randperm(len(flat)).split(512):
                losses = loss(flat[part])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        steps += frames
        part_of_time = (time.monotonic() - begun) / seconds
        optimizer.param_groups[0]["lr"] = 1e-3 * max(0.01, 1 - part_of_time)
        if part_of_time >= 1:
            break
    collector.shutdown()
    torch.save(network.state_dict(), arguments.out)
    print(f"{steps} steps in {(time.monotonic() - begun) / 60:.1f} minutes")

    def policy(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            logits = network(torch.from_numpy(planes))
        return logits.masked_fill(~torch.from_numpy(masks), -1e9).argmax(1).numpy()

    for opponent in ("random", "score-table" if arguments.game == "gomoku" else "mcts:simulations=100"):
        result = sixplane.evaluate(policy, opponent, game, games=arguments.games, opening_moves=2, seed=1)
        print(f"against {opponent}: {result}", flush=True)


if __name__ == "__main__":
    main()
