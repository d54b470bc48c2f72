"""AlphaZero in one file: a network learns Reversi from nothing, in five minutes on two processors.

The network plays games against itself. In each position a search improves on what the network thinks of
the actions; the network then learns what the search said, and who won. The search is Gumbel AlphaZero's
(I. Danihelka and others, Policy improvement by planning with Gumbel, ICLR 2022), which learns from as few as
16 simulations a move.

    pip install 'sixplane[train]'
    python examples/alphazero.py
    python examples/alphazero.py --game go --size 9 --minutes 30

`sixplane train` is the grown-up version: several processes, checkpoints, a report.
"""

import argparse
import time
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import sixplane
from sixplane.agents import MCTSAgent, NetworkAgent, RandomAgent
from sixplane.games import GAMES
from sixplane.ladder import LadderError
from sixplane.match import arena, rate
from sixplane.planes import symmetry_table
from sixplane.search import MCTS, Evaluator, Gumbel

#: Planes `(N, 6, rows, cols)`, action masks `(N, A)`, policies of the search `(N, A)`, outcomes `(N,)`: all
#: in the view of the player to play.
Samples: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass
class Options:
    """What may be changed on the command line."""

    game: str = "reversi"
    size: int = 0  # 0: 8, but 3 for tic-tac-toe and 6x7 for Connect Four
    minutes: float = 5.0
    games: int = 128  # played side by side
    simulations: int = 16  # of each move
    opening: int = 6  # 0 to so many random actions begin each game
    blocks: int = 4
    channels: int = 32
    batch: int = 256  # samples of one step of training
    repeats: int = 3  # how often a position is learned from
    window: int = 50_000  # positions that are kept
    learning_rate: float = 2e-3
    seed: int = 0


class Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        with torch.no_grad():
            self.second.weight *= 0.1  # a fresh block changes little

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Planes to planes `(L, channels, rows, cols)`."""
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class Network(nn.Module):
    """Six planes in the player's view -> logits of all actions, and the expected outcome."""

    def __init__(self, blocks: int, channels: int) -> None:
        super().__init__()
        # A plane of ones shows where the board ends.
        self.stem = nn.Conv2d(7, channels, 3, padding=1)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.points = nn.Conv2d(channels, 1, 1)
        self.passing = nn.Linear(2 * channels, 1)
        self.value = nn.Sequential(nn.Linear(2 * channels, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Planes `(L, 6, rows, cols)` to logits `(L, A)` and values `(L,)`."""
        x = torch.cat([planes, torch.ones_like(planes[:, :1])], dim=1)
        x = self.blocks(functional.relu(self.stem(x)))
        # The mean and the maximum over the board: so the network fits any size.
        pooled = torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)
        logits = torch.cat([self.points(x).flatten(1), self.passing(pooled)], dim=1)
        return logits, torch.tanh(self.value(pooled)).squeeze(1)


def evaluator_of(network: Network) -> Evaluator:
    """The network as the search calls it: float32 planes in the player's view, as NumPy arrays."""

    def evaluate(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with torch.inference_mode():
            logits, values = network(torch.from_numpy(planes))
        return logits.numpy(), values.numpy()

    return evaluate


def self_play(
    game: sixplane.Game, network: Network, options: Options, rng: np.random.Generator, deadline: float
) -> Samples | None:
    """Plays games to their ends; None if the time is over before."""
    seed = int(rng.integers(2**31))
    search = MCTS(
        evaluator_of(network),
        selection="gumbel",
        simulations=options.simulations,
        symmetry=True,
        cache=2**14,  # positions of a search that come again in the next one
        view="player",
        dtype="float32",
        seed=seed,
    )
    batch = sixplane.GameBatch(game, options.games, seed=seed)
    batch.play_random(rng.integers(0, options.opening, options.games, endpoint=True))
    positions = []
    while not batch.dones.all():
        if time.monotonic() > deadline:
            return None
        running = ~batch.dones
        index = np.flatnonzero(running)
        result = search.search_batch(batch, where=running)
        planes = batch.planes[index]
        white = batch.turns[index] == 1
        planes[white, :2] = planes[white, 1::-1]  # own stones first
        positions.append((index, white, planes, batch.action_masks[index], result.policy[index]))
        batch.play(result.best_action, where=running)
    index, white, planes, masks, policies = map(np.concatenate, zip(*positions, strict=True))
    outcomes = np.where(white, -1, 1) * batch.outcomes[index]
    return planes, masks.astype(bool), policies, outcomes.astype(np.float32)


def learn(network: Network, optimizer: torch.optim.Optimizer, samples: Samples) -> tuple[float, float]:
    """One step: the search's policy and the outcome are the targets.

    Returns:
        The loss of the policy and that of the value.
    """
    planes, masks, policies, outcomes = map(torch.from_numpy, samples)
    logits, values = network(planes.float())
    logs = functional.log_softmax(logits.masked_fill(~masks, -1e9), dim=1)
    policy_loss = -(policies * logs).sum(dim=1).mean()
    value_loss = functional.mse_loss(values, outcomes)
    optimizer.zero_grad()
    (policy_loss + value_loss).backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return policy_loss.item(), value_loss.item()


def turned(samples: Samples, tables: np.ndarray, rng: np.random.Generator) -> Samples:
    """Each sample in a random one of the symmetries."""
    planes, masks, policies, outcomes = samples
    chosen = tables[rng.integers(len(tables), size=len(planes))]
    points = chosen[:, None, :-1]
    flat = np.take_along_axis(planes.reshape(*planes.shape[:2], -1), points, axis=2)
    return (
        flat.reshape(planes.shape),
        np.take_along_axis(masks, chosen, axis=1),
        np.take_along_axis(policies, chosen, axis=1),
        outcomes,
    )


def main() -> None:
    """Plays and learns in turn until the time is over, and says how strong the network is."""
    parser = argparse.ArgumentParser(description="AlphaZero in one file.")
    for name, default in vars(Options()).items():
        choices = GAMES if name == "game" else None
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=type(default), default=default, choices=choices
        )
    options = Options(**vars(parser.parse_args()))
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)

    new_game = GAMES[options.game].game_class
    size = options.size or {"tictactoe": 3, "connect4": (6, 7)}.get(options.game, 8)
    board = new_game(size=size)
    game = new_game(size=size, max_moves=2 * board.rows * board.cols)
    tables = symmetry_table(game.rows, game.cols)[[*game.symmetries]]  # those that keep the rules
    network = Network(options.blocks, options.channels)
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.learning_rate, weight_decay=1e-4)
    window: list[np.ndarray] = []
    begun, games, due = time.monotonic(), 0, 0
    losses: tuple[float, float] | None = None
    deadline = begun + 60 * options.minutes
    while (new := self_play(game, network, options, rng, deadline)) is not None:
        games += options.games
        part = min((time.monotonic() - begun) / (60 * options.minutes), 1.0)
        kept = window or [array[:0] for array in new]
        window = [np.concatenate(pair)[-options.window :] for pair in zip(kept, new, strict=True)]
        for group in optimizer.param_groups:
            group["lr"] = options.learning_rate * (1 - 0.9 * part)
        due += options.repeats * len(new[0])
        while due >= options.batch and time.monotonic() <= deadline:
            due -= options.batch
            index = rng.integers(len(window[0]), size=options.batch)
            losses = learn(network, optimizer, turned(tuple(array[index] for array in window), tables, rng))
        minutes = (time.monotonic() - begun) / 60
        learned = f": policy {losses[0]:.2f}, value {losses[1]:.2f}" if losses else ""
        print(f"{minutes:4.1f} min, {games} games{learned}")
    if not games:
        parser.error(f"no round of {options.games} games ends in {options.minutes:g} minutes")

    agent = NetworkAgent(evaluator_of(network), view="player", dtype="float32")
    print("without search, against random:", arena(agent, RandomAgent(), game, games=200, seed=options.seed))
    # On the scale of `sixplane train`, with as many simulations as its judge takes.
    searching = MCTSAgent(
        evaluator_of(network), simulations=32, selection=Gumbel(noise=0), view="player", dtype="float32"
    )
    try:
        print("with 32 simulations,", rate(searching, game, games=100, seed=options.seed))
    except LadderError as error:
        print(error)
    torch.save(network.state_dict(), f"alphazero-{options.game}{game.rows}.pt")


if __name__ == "__main__":
    main()
