"""Load a network, play a game with it, and look at what it thinks.

    python examples/play_your_net.py runs/r6/last.npz
    python examples/play_your_net.py runs/r6/last.npz --simulations 400 --out game.html

It plays one game against itself, prints what it expects at each move, and writes a page with a board for each
position: the heat is the network's policy, and the small squares show whom each point will belong to.
To play against it: sixplane play --opponent network:file=runs/r6/last.npz,simulations=400
"""

import argparse
from pathlib import Path

import numpy as np

from sixplane.games import GAMES
from sixplane.learn import examine
from sixplane.nets import Network, NetworkFileError
from sixplane.search import MCTS


def main() -> None:
    """Plays, prints, writes."""
    parser = argparse.ArgumentParser(description="Load a network, play, look at what it thinks.")
    parser.add_argument("network", help="a file such as runs/r6/last.npz, or a network of the package: go9")
    parser.add_argument("--simulations", type=int, default=64, help="of each move (64)")
    parser.add_argument("--temperature", type=float, default=0.5, help="0 plays the best actions only (0.5)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("game.html"), help="the page (game.html)")
    options = parser.parse_args()

    if not options.out.parent.is_dir():
        parser.error(f"there is no folder {options.out.parent}")
    if not options.temperature >= 0:
        parser.error(f"--temperature must be at least 0, not {options.temperature:g}")
    try:
        network = Network.load(options.network)
    except (NetworkFileError, OSError) as error:
        parser.error(str(error))
    size = network.sizes[0]
    name = network.architecture.game
    rules = {"komi": network.komi} if name == "go" else {}
    game = GAMES[name].game_class(size=size, max_moves=2 * size[0] * size[1], **rules)
    search = MCTS(
        network.for_game(game), selection="puct", simulations=options.simulations, leaves=8, seed=options.seed
    )
    rng = np.random.default_rng(options.seed)
    while not game.is_over:
        result = search.search(game)
        action = result.sample(options.temperature, rng)
        color = ("black", "white")[game.turn]
        print(f"{game.move_number + 1:3} {color} {game.action_to_name(action):5} expects {result.value:+.2f}")
        game.play(action)
    print(game)
    print(f"{game.outcome} wins" if game.outcome != "draw" else "a draw")

    # What the network alone says of every position, in Black's view.
    sample = examine(game, network)
    past, boards = game.replay([]), []
    for move, action in enumerate(game.actions.tolist()):
        heat = sample.policies[move][:-1].reshape(game.rows, game.cols)
        owners = None if sample.ownership is None else sample.ownership[move]
        caption = f"{move + 1}. {past.action_to_name(action)}, value {sample.values[move]:+.2f} for Black"
        picture = past.to_svg(heat=heat, ownership=owners, width=280)
        boards.append(f"<figure>{picture}<figcaption>{caption}</figcaption></figure>")
        past.play(action)
    style = "body{font:14px sans-serif;display:flex;flex-wrap:wrap;gap:1em}figure{margin:0}"
    page = f"<!doctype html><meta charset=utf-8><title>{options.network}</title><style>{style}</style>"
    options.out.write_text(page + "\n".join(boards), encoding="utf-8")
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
