"""Who learns what: the examples for each library learn a game, and then play others.

It prints a line for each as it ends; `make learn-table` calls it. Examples that learn with one thread run
side by side, one for each processor.

    python benches/learn_table.py --python .venv-libraries/bin/python --rllib .venv-rllib/bin/python
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


class Row(NamedTuple):
    """An example, and what it learns."""

    library: str
    algorithm: str
    example: str
    game: str
    size: int
    minutes: float
    threads: int = 1
    seed: int = 1


SB3 = "MaskablePPO; random play, then its own past"
OWN = "PPO; both players, and its own past"
ROWS = [
    Row("Stable-Baselines3", SB3, "maskable_ppo.py", "reversi", 6, 5, threads=2),
    Row("Stable-Baselines3", SB3, "maskable_ppo.py", "go", 7, 15),
    Row("Stable-Baselines3", SB3, "maskable_ppo.py", "gomoku", 9, 15),
    Row("PyTorch alone", OWN, "ppo_selfplay.py", "reversi", 6, 10),
    Row("PyTorch alone", OWN, "ppo_selfplay.py", "go", 7, 20),
    Row("TorchRL", "PPO; random play", "torchrl_ppo.py", "reversi", 6, 5),
    Row("tianshou", "DQN; random play", "tianshou_dqn.py", "reversi", 6, 5),
    Row("RLlib", "PPO; random play", "rllib_ppo.py", "reversi", 6, 5),
]


def learned(row: Row, python: str) -> str:
    """A line of the table."""
    command = [python, str(EXAMPLES / row.example), "--game", row.game, "--size", str(row.size)]
    command += ["--minutes", str(row.minutes), "--seed", str(row.seed), "--threads", str(row.threads)]
    with tempfile.TemporaryDirectory() as folder:
        settings = os.environ | {"OMP_NUM_THREADS": str(row.threads)}
        done = subprocess.run(  # noqa: S603 - our own examples
            command, capture_output=True, text=True, check=False, cwd=folder, env=settings
        )
    steps = re.search(r"(\d+) (?:steps|positions) in ([\d.]+) minutes", done.stdout)
    scores = dict(re.findall(r"^against (\S+): ([\d.]+% \(95 %: [\d.]+% to [\d.]+%\))", done.stdout, re.M))
    if done.returncode != 0 or steps is None or not scores:
        return f"| {row.library} | {row.example} failed: {done.stderr.strip().splitlines()[-1:]} |"
    cells = [
        row.library,
        row.algorithm,
        f"{row.game} {row.size}x{row.size}",
        steps[2],
        str(row.threads),
        f"{int(steps[1]):,}",
    ]
    cells.append(scores.pop("random"))
    cells += [f"{name}: {score}" for name, score in scores.items()]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="the Python of all libraries but RLlib")
    parser.add_argument("--rllib", help="the Python of RLlib; without it RLlib is left out")
    parser.add_argument("--only", default="", help="rows that have this in them, such as reversi")
    parser.add_argument("--scale", type=float, default=1.0, help="of the minutes")
    parser.add_argument("--processors", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(
        "| library | algorithm; opponents | game | minutes | threads | steps | against random play | others |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)

    def line(row: Row) -> None:
        python = arguments.rllib if row.library == "RLlib" else arguments.python
        if python is not None and arguments.only in " ".join(map(str, row)):
            row = row._replace(minutes=row.minutes * arguments.scale, seed=arguments.seed)
            print(learned(row, str(Path(python).absolute())), flush=True)

    for threads in sorted({row.threads for row in ROWS}, reverse=True):
        with ThreadPoolExecutor(max(1, arguments.processors // threads)) as pool:
            list(pool.map(line, [row for row in ROWS if row.threads == threads]))


if __name__ == "__main__":
    main()
