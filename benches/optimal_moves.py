"""How often players keep the value of a position, in games between players of mixed strength.

`python benches/optimal_moves.py connect4 network:name=connect4 mcts:simulations=1000`

Each position is from another game, of which each move is random with one probability and otherwise that of
a search with playouts. It counts if the solver finds out within some nodes that the player to play does not
lose, and that some action loses value. What an action leaves is then solved with a much larger limit; what
is not found out even so counts as lost, and is told.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import sixplane
from sixplane._core import exact_values
from sixplane.agents import AgentSpec
from sixplane.games import GAMES
from sixplane.match.statistics import wilson_interval
from sixplane.search import MCTS

#: The probabilities of a random move; each game has one of them.
RANDOM = (0.05, 0.2, 0.5, 1.0)

#: Most nodes to solve what an action leaves.
MOST_NODES = 20_000_000

#: Games of a round.
GAMES_AT_ONCE = 64


def reached(games: list[sixplane.Game], actions: np.ndarray, nodes: int) -> np.ndarray:
    """Returns the value after each action for who played it, `(B,)`; NaN: not found."""
    after = sixplane.GameBatch.from_games(games, seed=0)
    sign = 1.0 - 2.0 * after.turns
    after.play(actions)
    return np.where(after.dones, sign * after.outcomes, -exact_values(after, nodes=nodes)[0])


def is_at_stake(game: sixplane.Game, value: float, nodes: int) -> bool:
    """Whether some action certainly loses value."""
    return any(reached([game], np.array([action]), nodes)[0] < value for action in game.legal_actions)


def positions(game: sixplane.Game, args: argparse.Namespace) -> tuple[list[sixplane.Game], np.ndarray]:
    """Returns the positions and their values."""
    rng = np.random.default_rng(args.seed)
    found: list[sixplane.Game] = []
    values: list[float] = []
    tried = 0
    while len(found) < args.positions:
        batch = sixplane.GameBatch(game, GAMES_AT_ONCE, seed=int(rng.integers(2**62)))
        search = MCTS(simulations=args.simulations, seed=int(rng.integers(2**62)))
        shares, ends = (
            rng.choice(RANDOM, GAMES_AT_ONCE),
            rng.integers(*args.plies, GAMES_AT_ONCE, endpoint=True),
        )
        while (running := ~batch.dones.astype(bool) & (batch.move_numbers < ends)).any():
            is_random = running & (rng.random(GAMES_AT_ONCE) < shares)
            batch.play_random(is_random.astype(np.int64))
            if (searched := running & ~is_random).any():
                batch.play(search.search_batch(batch, where=searched).best_action, where=searched)
        games = [one for one in batch[:] if not one.is_over]
        tried += len(games)
        exact, _ = exact_values(sixplane.GameBatch.from_games(games, seed=0), nodes=args.nodes)
        for one, value in zip(games, exact.tolist(), strict=True):
            if value >= 0 and is_at_stake(one, value, args.nodes):
                found.append(one)
                values.append(value)
    print(f"{args.positions} positions of {tried} games that were not over", flush=True)
    return found[: args.positions], np.array(values[: args.positions])


def main() -> None:
    """Asks the players, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("game", choices=[name for name, info in GAMES.items() if info.has_solver])
    parser.add_argument("players", nargs="+", help="specs of agents")
    parser.add_argument("--size", type=int, help="side of the board; the game's own default")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--plies", type=int, nargs=2, default=(8, 30), help="at least and at most")
    parser.add_argument("--simulations", type=int, default=100, help="of the search whose games they are")
    parser.add_argument("--nodes", type=int, default=200_000, help="most nodes to solve a position")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game_class = GAMES[args.game].game_class
    game = game_class() if args.size is None else game_class(size=args.size)
    games, values = positions(game, args)
    won, stones = int((values > 0).sum()), [int(one.planes[:2].sum()) for one in games]
    print(f"{won} won, {len(games) - won} drawn; stones: median {np.median(stones):g}", flush=True)
    for text in args.players:
        begun = time.process_time()
        agent = AgentSpec.parse(text).make(args.seed)
        actions = np.array([int(agent.select_action(one)) for one in games])
        seconds = time.process_time() - begun
        left = reached(games, actions, MOST_NODES)
        lost = values - np.where(np.isnan(left), -1.0, left)
        kept = int((lost == 0).sum())
        low, high = wilson_interval(kept, len(games))
        milliseconds, unknown = 1e3 * seconds / len(games), int(np.isnan(left).sum())
        print(
            f"{text}: optimal {kept / len(games):.1%} ({low:.1%} to {high:.1%}), "
            f"mean loss {lost.mean():.3f}, {milliseconds:.1f} ms a move, {unknown} not found out",
            flush=True,
        )


if __name__ == "__main__":
    main()
