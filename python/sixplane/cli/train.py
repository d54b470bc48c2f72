"""`sixplane train` lets a network learn a game from nothing."""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sixplane.cli import CommandError, failing
from sixplane.cli.arguments import (
    add_gpu_share_option,
    add_ray_option,
    board_sizes,
    folder,
    minutes,
    positive,
    quoted,
    seed,
)
from sixplane.cli.game_options import add_game_options, options_of, rules_of
from sixplane.cli.parser import Commands
from sixplane.cli.players import default_threads
from sixplane.cli.progress import ProgressLine
from sixplane.cli.signals import interrupt_flag

if TYPE_CHECKING:
    from sixplane.learn.config import Config
    from sixplane.learn.progress import Progress
    from sixplane.learn.trainer import Run

#: The exceptions of a library that finds no memory when it is loaded.
UNLOADED = (ImportError, OSError)


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "train",
        help="train a network from nothing by self-play",
        description=(
            "Trains a network by games against itself, from nothing. Everything goes to the folder; the "
            "same command goes on where it was stopped, by Ctrl-C or otherwise, and with more --minutes "
            "where it ended. A board with twice the points of the game's usual one, or more, is learned "
            "after that one, unless settings have stages. The network is DIR/last.npz; at the end the "
            "command says how to play against it."
        ),
    )
    add_game_options(parser)
    # A file of settings may say these, so the parser has no values of its own.
    own = argparse.SUPPRESS
    parser.set_defaults(game=None)
    parser.add_argument(
        "--sizes",
        type=board_sizes,
        default=own,
        metavar="SIZE,SIZE",
        help="mix these boards, such as 7,9,13, in one run; with --size the judge plays on that one",
    )
    parser.add_argument("--minutes", type=minutes, default=own, help="how long to train, in all (60)")
    parser.add_argument("--out", type=folder, required=True, metavar="DIR", help="the folder of the run")
    parser.add_argument(
        "--workers",
        type=positive,
        default=own,
        help="how many workers play at a time (all processors; with --gpu-share all shares of all GPUs)",
    )
    add_ray_option(parser, own)
    add_gpu_share_option(parser, own)
    parser.add_argument(
        "--device", choices=("auto", "cpu", "cuda"), default=own, help="where the network learns (auto)"
    )
    parser.add_argument(
        "--initial-network",
        default=own,
        metavar="NETWORK",
        help="begin with this network, a file or a name such as go9, instead of random numbers",
    )
    parser.add_argument("--seed", type=seed, default=own, help="the seed of all randomness (0)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file with settings")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Trains a network, and shows the progress."""
    from sixplane.learn.config import Config, ConfigError
    from sixplane.learn.folder import minutes_ended
    from sixplane.learn.progress import Progress

    settings = {entry.name for entry in dataclasses.fields(Config)}
    given = {name: value for name, value in vars(arguments).items() if name in settings and value is not None}
    given["out"] = str(arguments.out)
    if rules := {name: value for name, value in rules_of(arguments).items() if name != "size"}:
        given["rules"] = rules
    file = arguments.config
    with failing(ConfigError):
        config = Config.make(given) if file is None else Config.read(file, **given)
    line, last, strength = ProgressLine(), Progress(), ""

    def show(run: Run) -> None:
        nonlocal last, strength
        last, strength = run.progress, run.strength()
        line.show(run.line())

    try:
        from sixplane.learn.trainer import train

        if (trained := minutes_ended(config)) is not None:
            print(
                f"the run in {config.out} has ended after {math.ceil(100 * trained) / 100:g} minutes; "
                f"with --minutes of more than that the same command goes on"
            )
            return 0
        default_threads()  # A malformed limit is reported before PyTorch is loaded.
        with interrupt_flag() as interrupted:
            train(config, on_progress=show, is_stopped=interrupted)
            # Ctrl-C may come when all is done but for the last judgement, which then ends.
            is_cut_short = interrupted() and minutes_ended(config) is None
    except ConfigError as error:
        raise CommandError(str(error), status=2) from error
    except (FloatingPointError, RuntimeError, MemoryError, *UNLOADED) as error:
        raise CommandError(str(error) or "no memory is left") from error
    finally:
        line.close()
    if is_cut_short:
        print(f"sixplane: stopped; the same command goes on from {arguments.out}", file=sys.stderr)
        return 130
    print(made_text(config.by_stage[-1], last, strength))
    return 0


def made_text(config: Config, progress: Progress, strength: str) -> str:
    """Says what a run has made, where it is, and what to do with it."""
    game = config.prototype()
    file = str(Path(config.out) / "last.npz")
    name = f'"{file}"' if "," in file else file
    spec = f"network:file={name},simulations=400"
    options = options_of(game)
    # The records of an own game do not say its class and rules; they say the size.
    own = [option for option in options if not option.startswith("--size ")] if ":" in game.name else []
    # Without it the game has a limit of its own for training.
    if "max_moves" in config.judged.rules:
        options.append(f"--max-moves {game.max_moves}")
    played = f"{' '.join(options)} --opponent {quoted(spec)}"
    boards = ", ".join(f"{rows}x{cols}" for rows, cols in config.boards)
    judged = f"{game.rows}x{game.cols}"
    mixed = f"its boards    {boards}; the strength is that on {judged}\n" if len(config.boards) > 1 else ""
    return (
        f"trained for {config.minutes:g} minutes by {progress.games:,} games of "
        f"{progress.positions:,} positions\n"
        f"{mixed}"
        f"its strength  {strength}\n"
        f"the network   {file}\n"
        f"play with it  sixplane play {played}\n"
        f"watch it      sixplane watch {' '.join([*own, quoted(config.out)])}\n"
        f"go on         the same command with more --minutes"
    )
