"""What proofs in the tree are worth: matches of a network's search with `exact=True` against itself without.

Both sides have as many simulations, or as many seconds, a move. Each opening is played with both colors: in
Reversi six random moves, in Gomoku four random stones that the network's search calls even. Printed are the
score, the share of the moves whose value was certain, the simulations a move, and the processor time of a
move as a part of that without. `python benches/exact_search.py reversi8 --simulations 64 --games 400`

In Gomoku the score table may evaluate instead of the network, for both sides (`--table both`) or for the one
without proofs (`--table opponent`).

`--speed` measures the cost where nothing can be proven: simulations a second as a part of those without, by
turns, of 64 games with an evaluator that costs next to nothing.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Final

import numpy as np
from search_evaluator import uniform

import sixplane
from sixplane.agents import ScoreTableEvaluator
from sixplane.nets import Network
from sixplane.search import MCTS, Gumbel, Puct

if TYPE_CHECKING:
    import numpy.typing as npt

#: Positions of one game in a call, where the table plays.
LEAVES: Final = 8

#: The value at which an opening counts as even.
EVEN: Final = 0.1

GAMES: Final = {
    "reversi8": (sixplane.Reversi(size=8), 6),
    "gomoku15": (sixplane.Gomoku(size=15), 4),
}
SELECTIONS: Final[dict[str, Gumbel | Puct]] = {"gumbel": Gumbel(noise=0), "puct": Puct()}


def openings(name: str, network: Network, count: int, seed: int) -> list[sixplane.Game]:
    """Games after so many random moves; those of Gomoku are even to the network's search."""
    game, moves = GAMES[name]
    rng, judge = np.random.default_rng(seed), MCTS(network, simulations=32, selection=Gumbel(noise=0), seed=1)
    found: list[sixplane.Game] = []
    while len(found) < count:
        batch = sixplane.GameBatch(game, 64, seed=int(rng.integers(1 << 30)))
        batch.play_random(moves)
        is_even = np.ones(64, np.bool_)
        if name == "gomoku15":
            is_even = np.abs(judge.search_batch(batch).value) < EVEN
        found += [batch[i] for i in np.flatnonzero(is_even).tolist()]
    return found[:count]


def match(options: argparse.Namespace) -> None:
    """Plays all games side by side and prints a line."""
    game, _ = GAMES[options.network]
    network = Network.load(options.network).for_game(game)
    starts = openings(options.network, network, options.games // 2, options.seed)
    batch = sixplane.GameBatch.from_games([*starts, *(start.copy() for start in starts)])
    has_black = np.arange(len(batch)) < len(starts)  # the side that proves
    limit = {"seconds": options.seconds} if options.seconds else {"simulations": options.simulations}
    uses_table = {None: (False, False), "opponent": (True, False), "both": (True, True)}[options.table]
    searches = [
        MCTS(
            ScoreTableEvaluator() if table else network,
            selection=Puct(first_play=0) if table else SELECTIONS[options.selection],
            leaves=1 if options.table is None else LEAVES,
            seed=options.seed + exact,
            exact=bool(exact),
            **limit,
        )
        for exact, table in enumerate(uses_table)
    ]
    seconds, moves, simulations, certain = [0.0, 0.0], [0, 0], [0, 0], 0
    while not batch.dones.all():
        proves = (batch.turns == 0) == has_black
        for exact, search in enumerate(searches):
            plays = ~batch.dones & (proves == bool(exact))
            if not plays.any():
                continue
            begin = time.process_time()
            if options.seconds:
                result = _one_by_one(search, batch, plays)
            else:
                found = search.search_batch(batch, where=plays)
                result = found.best_action, found.simulations, found.proven.astype(np.int64)
            seconds[exact] += time.process_time() - begin
            moves[exact] += int(plays.sum())
            simulations[exact] += int(result[1][plays].sum())
            certain += int((result[2][plays] != 2).sum()) if exact else 0  # noqa: PLR2004 - nothing is certain
            batch.play(np.where(plays, result[0], 0), where=plays)
    outcomes = np.where(has_black, batch.outcomes, -batch.outcomes)
    won, drawn, lost = ((outcomes == value).sum() for value in (1, 0, -1))
    score = (won + drawn / 2) / len(batch)
    without, with_proofs = (total / count for total, count in zip(simulations, moves, strict=True))
    share = (seconds[1] / moves[1]) / (seconds[0] / moves[0])
    print(
        f"{options.network}, table {options.table}, {limit}, {options.selection}: {score:.1%} of "
        f"{len(batch)} games ({won} won, {drawn} drawn, {lost} lost); certain {certain / moves[1]:.1%} "
        f"of the moves; simulations {with_proofs:.1f} beside {without:.1f}; processor time {share:.2f}",
        flush=True,
    )


def _one_by_one(
    search: MCTS, batch: sixplane.GameBatch, plays: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Searches one game after another, each with the limit of time: actions, simulations, what is proven."""
    found = np.zeros((3, len(batch)), np.int64)
    for i in np.flatnonzero(plays).tolist():
        result = search.search(batch[i])
        found[:, i] = result.best_action, result.simulations, 2 if result.proven is None else result.proven
    return found[0], found[1], found[2]


def speed(repeats: int) -> None:
    """Prints how many simulations there are beside those without proofs, far from the end."""
    for game, moves in ((sixplane.Go(9), 20), (sixplane.Reversi(8), 12), (sixplane.Gomoku(15), 4)):
        batch = sixplane.GameBatch(game, 64, seed=0)
        batch.play_random(moves)
        searches = [
            MCTS(uniform, selection="puct", simulations=32, seed=0, exact=exact) for exact in (False, True)
        ]
        seconds: list[list[float]] = [[], []]
        for _ in range(repeats):
            for search, spent in zip(searches, seconds, strict=True):
                begin = time.process_time()
                search.search_batch(batch)
                spent.append(time.process_time() - begin)
        ratios = np.array(seconds[0]) / np.array(seconds[1])
        print(
            f"{game.name}: {np.median(ratios):.2f} (best {min(seconds[0]) / min(seconds[1]):.2f})", flush=True
        )


def main() -> None:
    """Plays a match, or measures the cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", nargs="?", default="reversi8", choices=GAMES)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--seconds", type=float, help="of each move, instead of simulations")
    parser.add_argument("--selection", default="gumbel", choices=SELECTIONS)
    parser.add_argument("--table", choices=("both", "opponent"), help="who plays Gomoku by the score table")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", action="store_true", help="measure the cost of the option instead")
    parser.add_argument("--repeats", type=int, default=30)
    options = parser.parse_args()
    if options.speed:
        speed(options.repeats)
    else:
        match(options)


if __name__ == "__main__":
    main()
