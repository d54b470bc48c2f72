"""Plays the rungs of the ladders against each other, and writes their tables into the package.

    make ladder                                             all boards; goes on where it stopped
    python benches/ladder.py go9 --games 40 --minutes 10    one board, fewer games
    python benches/ladder.py go9 --rate random go9:random=0.3 go9 --games 40

Neighbors play each other, and every second rung the one two above it, a quarter as many games, from random
openings with both colors. Every chunk of games is a line of a file of results, so that Ctrl-C loses the chunk
in play at most; `--processes` plays so many chunks side by side. At the end the chunks of a pair become one
line: the files are kept beside this program, and later games add to them. One fit over all lines rates all
rungs: a result of an agent that is no rung any more counts, too. `--rate` does the same for other agents and
writes no table, to choose rungs. `--times` plays only one game of each rung against itself, and prints the
time of its moves where NumPy alone computes the networks (`OPENBLAS_NUM_THREADS=1` for one thread).
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import hashlib
import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Hashable
from itertools import pairwise
from pathlib import Path
from typing import Any

import sixplane
from sixplane import ladder
from sixplane._files import write_file
from sixplane._lines import LineFile
from sixplane.agents import AgentSpec
from sixplane.jobs import Processes
from sixplane.match import Rating, arena, ratings
from sixplane.nets.shipped import shipped_networks

#: The tables of the package, in the checkout.
TABLES = Path(__file__).parents[1] / "python/sixplane/ladder/tables"

#: The results of all games, in the checkout.
RESULTS = Path(__file__).with_name("ladder")

#: The game of each ladder, and how many random actions begin a game: so many that openings seldom repeat.
BOARDS = {
    "go9": (sixplane.Go(9), 4),
    "go13": (sixplane.Go(13), 4),
    "reversi8": (sixplane.Reversi(), 8),
    "gomoku15": (sixplane.Gomoku(), 4),
}

#: The rungs, chosen to be about 100 Elo apart. Those of tests/data/kept_rungs.json stay in the tables for
#: ever, which tests/test_ladder.py makes sure of: others come on top.
RUNGS = {
    "go9": [
        "random",
        "mcts:simulations=20,random=0.58",
        "mcts:simulations=20,random=0.12",
        "mcts:simulations=29",
        "mcts:simulations=46",
        "mcts:simulations=73",
        "mcts:simulations=110",
        "mcts:simulations=155",
        "go9:random=0.615",
        "go9:random=0.552",
        "go9:random=0.489",
        "go9:random=0.427",
        "go9:random=0.361",
        "go9:random=0.292",
        "go9:random=0.229",
        "go9:random=0.178",
        "go9:random=0.124",
        "go9:random=0.08",
        "go9:random=0.038",
        "go9",
        "go9:simulations=20",
        "go9:simulations=75",
        "go9:simulations=134",
        "go9:simulations=220",
    ],
    "go13": [
        "random",
        "go9:random=0.971",
        "go9:random=0.941",
        "go9:random=0.909",
        "go9:random=0.873",
        "go9:random=0.833",
        "go9:random=0.794",
        "go9:random=0.755",
        "go9:random=0.716",
        "go9:random=0.676",
        "go9:random=0.633",
        "go9:random=0.585",
        "go9:random=0.531",
        "go9:random=0.475",
        "go9:random=0.422",
        "go9:random=0.374",
        "go9:random=0.328",
        "go9:random=0.285",
        "go9:random=0.243",
        "go9:random=0.2",
        "go9:random=0.156",
        "go9:random=0.114",
        "go9:random=0.074",
        "go9:random=0.036",
        "go9",
        "go13:simulations=20",
    ],
    "reversi8": [
        "random",
        "mcts:simulations=20,random=0.76",
        "mcts:simulations=20,random=0.5",
        "mcts:simulations=20,random=0.26",
        "mcts:simulations=20",
        "mcts:simulations=32",
        "mcts:simulations=57",
        "mcts:simulations=100",
        "mcts:simulations=170",
        "mcts:simulations=330",
        "reversi8:temperature=1",
        "reversi8:temperature=0.64",
        "reversi8",
        "reversi8:simulations=30",
        "reversi8:simulations=53",
        "reversi8:simulations=74",
        "reversi8:simulations=103",
        "reversi8:simulations=135",
        "reversi8:simulations=175",
        "reversi8:simulations=226",
        "reversi8:simulations=296",
        "reversi8:simulations=410",
        "reversi8:simulations=570",
        "reversi8:simulations=640,exact=true",
    ],
    "gomoku15": [
        "random",
        "score-table:random=0.988",
        "score-table:random=0.97",
        "score-table:random=0.944",
        "score-table:random=0.918",
        "score-table:random=0.885",
        "score-table:random=0.85",
        "score-table:random=0.805",
        "score-table:random=0.745",
        "score-table:random=0.68",
        "score-table:random=0.615",
        "score-table:random=0.545",
        "score-table:random=0.48",
        "score-table:random=0.41",
        "score-table:random=0.34",
        "score-table:random=0.275",
        "score-table:random=0.206",
        "score-table:random=0.145",
        "score-table:random=0.092",
        "score-table:random=0.05",
        "score-table:random=0.025",
        "score-table",
        "gomoku15:simulations=18",
        "gomoku15:simulations=250",
    ],
}


def play(board: str, first: str, second: str, games: int, seed: int) -> dict[str, object]:
    """Plays a chunk of games, and returns the line of its result."""
    game, opening_moves = BOARDS[board]
    begun = time.process_time()
    players = [AgentSpec.parse(text).make(0) for text in (first, second)]
    result = arena(*players, game, games, opening_moves=opening_moves, seed=seed)
    return {
        "first": first,
        "second": second,
        "points": result.points,
        "draws": result.draws,
        "games": games,
        "seed": seed,
        "moves": int(result.moves.sum()),
        "seconds": round(time.process_time() - begun, 2),
    }


class Results:
    """The results of a board, which are kept in a file."""

    def __init__(self, path: Path, board: str) -> None:
        self.game, self.opening_moves = BOARDS[board]
        self._path, self._head = path, {"ladder": board, "opening moves": self.opening_moves}
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._file = LineFile(path, json.dumps(self._head).encode(), lock=True)
        except BlockingIOError:
            raise SystemExit(f"{path}: games of this board are being played by another program") from None
        first, *self.lines = map(json.loads, self._file.lines)
        if first != self._head:
            raise SystemExit(f"{path} holds other results: {first}")

    def next_seed(self, seeds_in_play: set[int]) -> int:
        """Returns a seed that no chunk of the file has, and none that is in play."""
        return max((0, *seeds_in_play, *(line["seed"] for line in self.lines))) + 1

    def played(self) -> tuple[Counter[frozenset[str]], Counter[frozenset[str]]]:
        """Counts the games of each pair, and the seconds of a processor that they took."""
        games: Counter[frozenset[str]] = Counter()
        seconds: Counter[frozenset[str]] = Counter()
        for line in self.lines:
            pair = frozenset((line["first"], line["second"]))
            games[pair] += line["games"]
            seconds[pair] += line["seconds"]
        return games, seconds

    def add(self, line: dict[str, object]) -> None:
        """Keeps the result of a chunk, and prints it."""
        self._file.add(json.dumps(line).encode())
        self.lines.append(line)
        print(json.dumps(line), flush=True)

    def close(self) -> None:
        """Writes the file anew with one line a pair, whose seed is the last of its chunks, and closes it."""
        pairs: dict[frozenset[str], dict[str, Any]] = {}
        for line in self.lines:
            both = pairs.setdefault(
                frozenset((line["first"], line["second"])), dict.fromkeys(line, 0) | {"first": line["first"]}
            )
            is_same = both["first"] == line["first"]
            both["second"] = line["second" if is_same else "first"]
            both["points"] += line["points"] if is_same else line["games"] - line["points"]
            for name in ("draws", "games", "moves", "seconds"):
                both[name] = round(both[name] + line[name], 2)
            both["seed"] = max(both["seed"], line["seed"])
        text = "\n".join(json.dumps(line) for line in (self._head, *pairs.values()))
        write_file(self._path, f"{text}\n".encode())
        self._file.close()

    def ratings(self, anchor: str = "random") -> dict[str, Rating]:
        """Rates all agents that a chain of games connects with the anchor."""
        known, size = {anchor}, 0
        while len(known) > size:
            size = len(known)
            for line in self.lines:
                if known & {line["first"], line["second"]}:
                    known |= {line["first"], line["second"]}
        of_known = [line for line in self.lines if line["first"] in known]
        if not of_known:
            return {}
        return ratings(
            [(line["first"], line["second"], line["points"], line["games"]) for line in of_known], anchor
        )


def next_pair(
    order: list[str], results: Results, games: int, in_play: Counter[frozenset[str]]
) -> tuple[str, str] | None:
    """Chooses the pair whose gap a second of play makes known best; None if all have played their games.

    The games in play count as played.

    The variance of a gap falls as one over its games, so a second lowers it by one over the square of the
    games and over the seconds of a game.
    """
    shares = dict.fromkeys(pairwise(order), 1.0)
    shares |= dict.fromkeys(zip(order[::2], order[2::2], strict=False), 0.25)
    played, seconds = results.played()
    played += in_play

    def cost(pair: tuple[str, str]) -> float:
        key = frozenset(pair)
        return played[key] * seconds[key] / shares[pair] ** 2

    lacking = [pair for pair, share in shares.items() if played[frozenset(pair)] < games * share]
    return min(lacking, key=cost, default=None)


def write_table(board: str, results: Results, games: int, tables: Path) -> None:
    """Writes the table of a board, when all its rungs have games; the known players of its file stay."""
    elo, order = results.ratings(), RUNGS[board]
    if lacking := [spec for spec in order if spec not in elo]:
        print(f"no table is written: there are no games yet of {', '.join(lacking)}")
        return
    rungs = []
    for below, spec in zip([order[0], *order], order, strict=False):
        gap = results.ratings(below)[spec]
        numbers = {**elo[spec]._asdict(), "gap": gap.elo, "gap_low": gap.low, "gap_high": gap.high}
        rungs.append({"spec": spec} | {name: round(number, 1) for name, number in numbers.items()})
    networks = {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in shipped_networks().items()
        if any(re.match(rf"{name}\b", spec) for spec in order)
    }
    game = results.game
    facts = {
        "game": game.name,
        "rows": game.rows,
        "cols": game.cols,
        "rules": {rule: getattr(game, rule) for rule in game.rule_names},
        "opening_moves": results.opening_moves,
        "date": dt.date.today().isoformat(),
        "version": sixplane.__version__,
        "commands": [f"python benches/ladder.py {board} --games {games}"],
        "networks": networks,
    }
    file = tables / f"{board}.json"
    players = json.loads(file.read_text()).get("players", []) if file.exists() else []
    write_facts(file, facts | {"rungs": rungs, "players": players})


def write_facts(file: Path, facts: dict[str, Any]) -> None:
    """Writes the file of a table: a line for each rung and each known player, at the end of the file."""
    lists = {name: facts.get(name) for name in ("rungs", "players")}
    others = {name: facts[name] for name in facts if name not in lists}
    text = json.dumps(others, indent=1).removesuffix("\n}")
    for name, found in lists.items():
        if found:
            lines = ",\n".join(f"  {json.dumps(each)}" for each in found)
            text += f',\n "{name}": [\n{lines}\n ]'
    write_file(file, f"{text}\n}}\n".encode())


def play_all(arguments: argparse.Namespace, results: Results) -> None:
    """Plays chunks side by side until every pair has its games, or the time is over."""
    begun = time.monotonic()
    in_play: dict[Hashable, tuple[frozenset[str], int]] = {}
    with Processes(arguments.processes) as jobs:
        while True:
            while len(in_play) < arguments.processes:
                order = arguments.rate or RUNGS[arguments.board]
                if arguments.rate and results.lines:
                    elo = results.ratings()
                    if all(name in elo for name in order):
                        order = sorted(order, key=lambda name: elo[name].elo)
                games: Counter[frozenset[str]] = Counter()
                for pair_in_play, _ in in_play.values():
                    games[pair_in_play] += arguments.chunk
                pair = next_pair(order, results, arguments.games, games)
                is_late = arguments.minutes is not None and time.monotonic() > begun + 60 * arguments.minutes
                if pair is None or is_late:
                    break
                seed = results.next_seed({seed for _, seed in in_play.values()})
                key = jobs.begin(play, arguments.board, *pair, arguments.chunk, seed)
                in_play[key] = (frozenset(pair), seed)
            if not in_play:
                return
            for key, line in jobs.finished(seconds=60):
                del in_play[key]
                results.add(line)


def print_times(board: str) -> None:
    """Prints what the moves of each rung take, in milliseconds of a processor: the mean and the most."""
    game, opening_moves = BOARDS[board]
    for rung in ladder.rungs(game):
        spec = AgentSpec.parse(rung.spec)
        if spec.kind == "network":
            spec = dataclasses.replace(spec, options={**spec.options, "backend": "numpy"})
        agent, times = spec.make(0), list[float]()
        batch = sixplane.GameBatch(game, 1, seed=rung.number)
        batch.play_random(opening_moves)
        played = batch[0]
        agent.select_action(played)  # loads what is loaded once
        while not played.is_over:
            begun = time.process_time()
            action = agent.select_action(played)
            times.append(1000 * (time.process_time() - begun))
            played.play(action)
        mean, most = statistics.mean(times), max(times)
        print(f"+{rung.number:<3} {mean:7.1f} {most:7.1f} ms  {rung.spec}", flush=True)


def main() -> None:
    """Plays what is missing, prints all ratings, and writes the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument("--games", type=int, default=600, help="games of each two neighbors (600)")
    parser.add_argument("--chunk", type=int, default=20, help="games at once (20)")
    parser.add_argument("--processes", type=int, default=1, help="chunks side by side (1)")
    parser.add_argument("--minutes", type=float, help="stop after so many")
    parser.add_argument("--rate", nargs="+", metavar="SPEC", help="agents to rate instead of the rungs")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    parser.add_argument("--tables", type=Path, default=TABLES, help="folder of the tables")
    parser.add_argument("--times", action="store_true", help="print how long the rungs think")
    arguments = parser.parse_args()
    if arguments.times:
        print_times(arguments.board)
        return
    results = Results(arguments.out / f"{arguments.board}.jsonl", arguments.board)
    try:
        play_all(arguments, results)
    except KeyboardInterrupt:
        print("stopped; the same command goes on")
    if not (elo := results.ratings()):
        print("no ratings: no chain of games leads to random play, which has Elo 0")
    for name, rating in sorted(elo.items(), key=lambda item: item[1].elo):
        print(f"{rating.elo:6.0f} {rating.low:6.0f} {rating.high:6.0f} {rating.games:6} {name}")
    if not arguments.rate:
        write_table(arguments.board, results, arguments.games, arguments.tables)
    results.close()


if __name__ == "__main__":
    main()
