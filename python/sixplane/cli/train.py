"""`sixplane train`: a network learns a game from nothing."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sixplane.cli import CommandError
from sixplane.cli.arguments import add_gpu_share_option, add_ray_option, positive, seconds, seed
from sixplane.cli.game_options import add_game_options, rules_of
from sixplane.cli.interrupt import interrupt_flag

if TYPE_CHECKING:
    from sixplane.learn.trainer import Run

__all__ = ["add_parser", "run"]

#: What a library raises that finds no memory when it is loaded.
UNLOADED = (ImportError, OSError)

#: Seconds between two lines of progress where the output is no terminal.
LINE_SECONDS = 10.0


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "train",
        help="train a network from nothing by self-play",
        description=(
            "Trains a network by games against itself, from nothing. Everything goes to the folder; the "
            "same command goes on where it was stopped, by Ctrl-C or otherwise. The network is "
            "DIR/last.npz; 'sixplane play --opponent network:file=DIR/last.npz,simulations=400' plays "
            "against it."
        ),
    )
    add_game_options(parser)
    # A file of settings may say these, so the parser has no values of its own.
    own = argparse.SUPPRESS
    parser.set_defaults(game=None)
    parser.add_argument("--minutes", type=seconds, default=own, help="how long to train, in all (60)")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the run")
    parser.add_argument(
        "--workers",
        type=positive,
        default=own,
        help="how many play at the same time (all processors; with --gpu-share all shares of all GPUs)",
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
        help="begin with this one, a file or a name such as go9, instead of from nothing",
    )
    parser.add_argument("--seed", type=seed, default=own, help="of all randomness (0)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file with settings")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Trains, and shows how it goes.

    Returns:
        0, or 130 if Ctrl-C cut the run short.

    Raises:
        CommandError: wrong settings, a folder that cannot be used, or PyTorch is missing.
    """
    from sixplane.learn.config import Config, ConfigError
    from sixplane.learn.folder import RunFolderError
    from sixplane.learn.workers import WorkersError

    given = {
        name: getattr(arguments, name)
        for name in ("minutes", "workers", "ray", "gpu_share", "device", "initial_network", "seed")
        if hasattr(arguments, name)
    }
    rules = rules_of(arguments)
    if "size" in rules:
        given["size"] = rules.pop("size")
    if rules:
        given["rules"] = rules
    given["out"] = str(arguments.out)
    if arguments.game is not None:
        given["game"] = arguments.game
    try:
        file = arguments.config
        config = Config.make(given) if file is None else Config.read(file, **given)
    except ConfigError as error:
        raise CommandError(str(error), status=2) from error
    try:
        from sixplane.learn.trainer import train

        with interrupt_flag() as interrupted:
            train(config, on_progress=_Line(), is_stopped=interrupted)
            is_cut_short = interrupted()
    except ModuleNotFoundError as error:
        raise CommandError(
            f"training needs more packages: pip install 'sixplane[train]' ({error})"
        ) from error
    except ConfigError as error:
        raise CommandError(str(error), status=2) from error
    except (RunFolderError, WorkersError, FloatingPointError, RuntimeError, MemoryError, *UNLOADED) as error:
        raise CommandError(str(error) or "no memory is left") from error
    finally:
        if sys.stderr.isatty():
            print(file=sys.stderr)
    if is_cut_short:
        print(f"sixplane: stopped; the same command goes on from {arguments.out}", file=sys.stderr)
        return 130
    return 0


class _Line:
    """One line that says how it goes: rewritten in a terminal, else written now and then."""

    def __init__(self) -> None:
        self._written = -LINE_SECONDS
        self._width = 0

    def __call__(self, run: Run) -> None:
        now = time.monotonic()
        if now - self._written < (0.5 if sys.stderr.isatty() else LINE_SECONDS):
            return
        self._written = now
        line = run.line()
        if sys.stderr.isatty():
            print("\r" + line.ljust(self._width), end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)
