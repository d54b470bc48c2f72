"""Compares networks in 8 bits with the same in float32: policies, the speed of self-play, and games.

    OMP_NUM_THREADS=1 python benches/int8.py go9 reversi8 gomoku15

Each network plays itself, every action by its chance in the policy. Positions of such games are the
calibration, and positions of others are those whose policies and values are compared. Self-play is that of a
worker of `sixplane train`, in turns. In the games both search equally many simulations.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
from numpy.typing import NDArray

import sixplane
from sixplane.agents import MCTSAgent
from sixplane.learn import Config, SelfPlay, self_play
from sixplane.match import arena
from sixplane.nets import Network

#: The games of the networks that come with the package.
GAMES: dict[str, sixplane.Game] = {
    "go9": sixplane.Go(9),
    "reversi8": sixplane.Reversi(),
    "gomoku15": sixplane.Gomoku(),
}

#: Positions to calibrate by and to compare; games of a call of self-play; simulations of a move; turns.
COUNT = 256
AT_ONCE = 64
SIMULATIONS = 32
TURNS = 3


def positions(
    network: Network, game: sixplane.Game, seed: int
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Returns planes and masks of positions in games of the network against itself."""
    rng = np.random.default_rng(seed)
    batch = sixplane.GameBatch(game, AT_ONCE, seed=seed)
    planes, masks = [], []
    while not batch.dones.all():
        running = np.flatnonzero(~batch.dones.astype(np.bool_))
        planes.append(batch.planes[running])
        masks.append(batch.action_masks[running].astype(np.bool_))
        logits = np.where(masks[-1], network(planes[-1])[0], -np.inf)
        actions = np.zeros(AT_ONCE, np.int64)
        actions[running] = (logits + rng.gumbel(size=logits.shape)).argmax(1)
        batch.play(actions, where=~batch.dones.astype(np.bool_))
    chosen = rng.permutation(sum(map(len, planes)))[:COUNT]
    return np.concatenate(planes)[chosen], np.concatenate(masks)[chosen]


def log_policy(logits: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns the logarithms of the chances of legal actions; others have a chance of 0."""
    logits = np.where(masks, logits.astype(np.float64), -np.inf)
    logits -= logits.max(1, keepdims=True)
    return np.where(masks, logits - np.log(np.exp(logits).sum(1, keepdims=True)), -np.inf)


def main() -> None:
    """Prints for each network how far 8 bits are from float32, what they bring, and how games end."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="+", choices=GAMES, metavar="NAME")
    parser.add_argument("--games", type=int, default=400)
    arguments = parser.parse_args()
    for name in arguments.names:
        game = GAMES[name]
        plain = Network.load(name, backend="openvino").for_game(game)
        calibration, _ = positions(plain, game, seed=1)
        quick = Network(
            plain.architecture,
            plain.parameters,
            komi=plain.komi,
            backend="openvino",
            precision="int8",
            calibration=calibration,
        )
        planes, masks = positions(plain, game, seed=2)
        (logits, values), (rounded, rounded_values) = plain(planes), quick(planes)
        one, other = log_policy(logits, masks), log_policy(rounded, masks)
        divergence = (np.exp(one[masks]) * (one[masks] - other[masks])).sum() / len(planes)
        error = float(np.sqrt(np.mean((values - rounded_values) ** 2)))
        print(f"{name}: policies {divergence:.4f} nats apart, values {error:.3f} (root mean square)")

        speeds: dict[str, list[float]] = {"float32": [], "int8": []}
        for turn in range(TURNS):
            for version, precision in enumerate(speeds):
                settings = SelfPlay(
                    prototype=game,
                    architecture=plain.architecture,
                    games=AT_ONCE,
                    simulations=SIMULATIONS,
                    opening_plies=6,
                    search=Config(game=game.name, size=game.rows).search,
                    backend={"backend": "openvino", "precision": precision},
                    calibration=calibration,
                )
                begun = time.perf_counter()
                played = self_play(2 * turn + version, plain.parameters, turn, settings)
                speeds[precision].append(played.lengths.sum() / (time.perf_counter() - begun))
        print(
            name,
            {precision: f"{statistics.median(speed):.0f} moves/s" for precision, speed in speeds.items()},
        )

        players = [
            MCTSAgent(network, selection="gumbel", simulations=SIMULATIONS, seed=1)
            for network in (quick, plain)
        ]
        print(f"{name}: {arena(*players, game, arguments.games, opening_moves=4, seed=1)}", flush=True)


if __name__ == "__main__":
    main()
