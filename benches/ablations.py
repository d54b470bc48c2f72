"""What each switch of the trainer is worth: runs with one setting changed, against runs with the defaults.

Every variant trains for the same time, with one worker, and then plays the default runs at the same number of
simulations a move. Default runs with other seeds play each other: how far they are from 50 % is the noise of
a run. Runs and results stay in the folder; the same command goes on where it was stopped.

    python benches/ablations.py --game go --size 7 --komi 9.5 --minutes 7 --out runs/ablations
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import sixplane
from sixplane.games import GAMES
from sixplane.learn import Config
from sixplane.match import arena
from sixplane.match.statistics import wilson_interval
from sixplane.nets import Network

VARIANTS = {
    "defaults": {},
    "defaults, second seed": {"seed": 1},
    "defaults, third seed": {"seed": 2},
    "PUCT instead of Gumbel": {"selection": "puct"},
    "16 simulations throughout": {"last_simulations": 16},
    "32 simulations throughout": {"simulations": 32},
    "no proofs": {"exact": False},
    "no ownership target": {"ownership_weight": 0.0},
    "a weight of the ownership of 0.15": {"ownership_weight": 0.15},
    "no score target": {"score_weight": 0.0},
    "neither ownership nor score": {"ownership_weight": 0.0, "score_weight": 0.0},
    "the outcome alone as the value target": {"root_value_share": 0.0},
    "16 simulations throughout, and the outcome alone": {"last_simulations": 16, "root_value_share": 0.0},
    "no random openings": {"opening_plies": 0},
    "a window of 20,000 positions": {"least_window": 20_000, "most_window": 20_000},
    "a window of half the positions": {"window_share": 0.5},
    "a window of all positions": {"window_share": 1.0, "most_window": 2_000_000},
    "weight decay of 0.03": {"weight_decay": 0.03},
    "no planes of fives and fours (Gomoku)": {"inputs": ["own", "opponent", "ones"]},
    "no planes of liberties (Go)": {"inputs": ["own", "opponent", "invalid", "passed", "ones", "komi"]},
    "each position learned from 1.5 times": {"samples_per_position": 1.5},
    "each position learned from 6 times": {"samples_per_position": 6.0},
}

#: The runs that all others play, those of them that are asked for.
BASELINES = ("defaults", "defaults, second seed", "defaults, third seed")


def folder(out: Path, name: str) -> Path:
    """Where a variant is kept."""
    return out / "".join(letter if letter.isalnum() else "-" for letter in name)


def rules_of(arguments: argparse.Namespace) -> dict[str, object]:
    """The rules of the game that are given."""
    return {} if arguments.komi is None else {"komi": arguments.komi}


def train(name: str, arguments: argparse.Namespace) -> None:
    """Trains a variant, or goes on."""
    run = folder(arguments.out, name)
    run.parent.mkdir(parents=True, exist_ok=True)
    settings = {"game": arguments.game, "size": arguments.size, "minutes": arguments.minutes, "workers": 1}
    file = run.with_suffix(".toml")
    table = settings | {"seed": arguments.seed} | VARIANTS[name]
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in table.items()]
    if rules := rules_of(arguments):
        lines += ["[rules]\n", *(f"{key} = {json.dumps(value)}\n" for key, value in rules.items())]
    file.write_text("".join(lines))
    command = [sys.executable, "-m", "sixplane", "train", "--config", str(file), "--out", str(run)]
    with run.with_suffix(".log").open("a") as log:
        subprocess.run(command, check=True, stdout=log)  # noqa: S603 - our own command


def judge(name: str, arguments: argparse.Namespace) -> dict[str, object]:
    """Lets a variant play the default runs, but not itself, in pairs of games with both colors."""
    config = Config(game=arguments.game, size=arguments.size, rules=rules_of(arguments))
    game = config.prototype()
    opponents = [other for other in BASELINES if other in arguments.variants and other != name]
    player, *networks = (
        Network.load(folder(arguments.out, run) / "last.npz", precision="auto").for_game(game)
        for run in (name, *opponents)
    )
    pairs, rest = divmod(arguments.games // 2, len(networks))
    shares = [2 * (pairs + (index < rest)) for index in range(len(networks))]
    results = [
        arena(player, network, game, games, arguments.simulations, opening_moves=4, seed=seed)
        for seed, (network, games) in enumerate(zip(networks, shares, strict=True), start=1)
    ]
    games, points = sum(shares), sum(result.points for result in results)
    low, high = wilson_interval(points, games)
    scores = {other: result.score for other, result in zip(opponents, results, strict=True)}
    row = {"variant": name, "score": points / games, "low": low, "high": high}
    return row | {"games": games, "scores": scores}


def main() -> None:
    """Trains what is not trained yet, and plays what is not played yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default="go")
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--komi", type=float, help="of Go")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at-once", type=int, default=1, help="runs side by side, each on two processors")
    parser.add_argument("--variants", nargs="*", help="some of those in VARIANTS; all that are for the game")
    parser.add_argument("--out", type=Path, default=Path("runs/ablations"))
    arguments = parser.parse_args()
    if arguments.variants is None:
        others = [f"({GAMES[game].title})" for game in GAMES if game != arguments.game]
        arguments.variants = [name for name in VARIANTS if not name.endswith(tuple(others))]
    print(f"sixplane {sixplane.__version__}, {arguments.minutes} min each")
    results = arguments.out / "results.jsonl"
    with ThreadPoolExecutor(arguments.at_once) as pool:
        list(pool.map(lambda name: train(name, arguments), arguments.variants))
        lines = results.read_text().splitlines() if results.exists() else []
        known = [json.loads(line)["variant"] for line in lines]
        if not any(name in arguments.variants for name in BASELINES[1:]):
            known.append(BASELINES[0])
        left = [name for name in arguments.variants if name not in known]
        for result in pool.map(lambda name: judge(name, arguments), left):
            low, high = result["low"], result["high"]
            print(f"| {result['variant']} | {result['score']:.1%} ({low:.1%} to {high:.1%}) |", flush=True)
            with results.open("a") as stream:
                stream.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
