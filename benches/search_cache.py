"""How much a cache spares the network in self-play: its positions for each move, and moves a second.

The cache changes no move, so both runs play the same games.

    python benches/search_cache.py
"""

import time
from statistics import median

import numpy as np
from numpy.typing import NDArray

import sixplane
from sixplane.nets import Network
from sixplane.search import MCTS

GAMES = 64
RUNS = 3

#: The network that comes with the package, its game, and the simulations of a move.
CASES = [
    ("go9", sixplane.Go(size=9), 16),
    ("go9", sixplane.Go(size=9), 32),
    ("reversi8", sixplane.Reversi(size=8), 16),
    ("reversi8", sixplane.Reversi(size=8), 32),
]


def play(network: Network, game: sixplane.Game, simulations: int, cache: int) -> tuple[int, int, float]:
    """Plays games of a network against itself; moves, positions that it was asked for, and seconds."""
    asked = 0

    def counting(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        nonlocal asked
        asked += len(planes)
        return network(planes)

    batch = sixplane.GameBatch(game, GAMES, seed=1, threads=1)
    batch.play_random(np.arange(GAMES) % 7)
    search = MCTS(counting, selection="gumbel", simulations=simulations, symmetry=True, seed=1, cache=cache)
    moves, begun = 0, time.perf_counter()
    while not batch.dones.all():
        running = ~batch.dones
        batch.play(search.search_batch(batch, where=running).best_action, where=running)
        moves += int(running.sum())
    return moves, asked, time.perf_counter() - begun


def main() -> None:
    """Prints a row for each case: without the cache, and with it."""
    print("| | positions for each move | | moves a second | |\n|---|---|---|---|---|")
    for name, start, simulations in CASES:
        game = type(start)(size=start.rows, max_moves=2 * start.rows * start.cols)
        network = Network.load(name, threads=1).for_game(game)
        runs = [[play(network, game, simulations, cache) for cache in (0, 16_384)] for _ in range(RUNS)]
        (moves, all_asked, _), (same_moves, asked, _) = runs[0]
        if moves != same_moves:
            raise SystemExit(f"the cache has changed the games of {name}")
        without, with_cache = (median(moves / run[i][2] for run in runs) for i in (0, 1))
        print(
            f"| {game.name} {game.rows}x{game.cols}, {simulations} simulations "
            f"| {all_asked / moves:.1f} | {asked / moves:.1f} | {without:.0f} | {with_cache:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
