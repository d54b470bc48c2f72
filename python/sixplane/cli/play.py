"""`sixplane play`: people and agents at one board, in the terminal or in a window."""

from __future__ import annotations

import argparse
import math
import random
import secrets
import sys
from typing import TYPE_CHECKING, Any

from sixplane.agents.spec import SPEC_HELP, AgentSpec
from sixplane.cli import CommandError
from sixplane.cli.arguments import seed
from sixplane.cli.game_options import add_game_options, game_of
from sixplane.play.terminal import Terminal
from sixplane.search import MCTS

if TYPE_CHECKING:
    from sixplane._core import Game
    from sixplane.agents.agent import Agent

__all__ = ["add_parser", "run"]

HUMAN = "human"

EPILOG = f"""\
{SPEC_HELP}
A person is written as 'human'.

in the terminal, type
  D4        to play there         undo    to take your last move back
  pass      to pass               hint    to be told a move
  resign    to give the game up   save FILE, quit

examples
  sixplane play --game gomoku --window
  sixplane play --game go --size 9 --color white --opponent 'gtp:gnugo --mode gtp'
  sixplane play --game reversi --opponent human
  sixplane play --watch random --opponent random --delay 0.3
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "play",
        help="play against an agent or a person, or watch two agents",
        description="A person against an agent or another person, or agent against agent.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_game_options(parser)
    parser.add_argument("--opponent", help="an agent, or 'human' (score-table in Gomoku, else random)")
    parser.add_argument(
        "--color", choices=("black", "white", "random"), default="black", help="yours (black, who begins)"
    )
    parser.add_argument("--watch", metavar="AGENT", help="let this agent play in your place")
    parser.add_argument("--hint", metavar="AGENT", help="who gives hints (a search of one second)")
    parser.add_argument("--seconds-per-move", type=_seconds, help="who takes longer loses (no limit)")
    parser.add_argument(
        "--delay", type=_delay, default=0.3, help="seconds between the moves of two agents (0.3)"
    )
    parser.add_argument("--save", metavar="FILE", help="write the game as SGF at the end")
    parser.add_argument("--seed", type=seed, help="of the agents (drawn)")
    parser.add_argument("--ascii", action="store_true", help="draw the board with X, O and . alone")
    parser.add_argument("--window", action="store_true", help="play with the mouse (sixplane[window])")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays one game, in a window as many as the person likes.

    Returns:
        0, or 130 after Ctrl-C.

    Raises:
        CommandError: wrong rules or agents, or no window.
    """
    game = game_of(arguments)
    rng = random.Random(secrets.randbits(63) if arguments.seed is None else arguments.seed)
    try:
        first = _player(arguments.watch or HUMAN, rng)
        kind = "score-table" if arguments.game == "gomoku" else "random"
        second = _player(arguments.opponent or kind, rng)
        hint = _player(arguments.hint, rng)[0] if arguments.hint else _Hints(rng.getrandbits(63))
    except (TypeError, ValueError) as error:
        raise CommandError(str(error), status=2) from error
    color = rng.choice(("black", "white")) if arguments.color == "random" else arguments.color
    black, white = (first, second) if color == "black" else (second, first)
    players, names = (black[0], white[0]), (black[1], white[1])
    if hint is None:
        raise CommandError("a person gives no hints: --hint takes an agent", status=2)
    try:
        if arguments.window:
            from sixplane.play.window import PlayWindow

            try:
                shown = PlayWindow(
                    players, game, names=names, hint=hint, delay=arguments.delay,
                    seconds_per_move=arguments.seconds_per_move,
                )  # fmt: skip
            except (ModuleNotFoundError, RuntimeError) as error:
                raise CommandError(str(error)) from error
            status = shown.run()
            save = shown.save
        else:
            terminal = Terminal(
                players, game, names=names, hint=hint, delay=arguments.delay,
                seconds_per_move=arguments.seconds_per_move,
                ascii_only=arguments.ascii or not _can_write_lines(),
            )  # fmt: skip
            status = terminal.run()
            save = terminal.save
        if arguments.save:
            print(save(arguments.save))
    finally:
        for agent in (*players, hint):
            close = getattr(agent, "close", None)
            if close is not None:
                close()
    return status


class _Hints:
    """Searches for a second."""

    def __init__(self, seed: int) -> None:
        self._search = MCTS(seconds=1.0, seed=seed)

    def select_action(self, game: Game) -> int:
        return self._search.search(game).best_action


def _player(text: str, rng: random.Random) -> tuple[Agent | None, str]:
    """An agent and its name; None for a person."""
    if text == HUMAN:
        return None, HUMAN
    spec = AgentSpec.parse(text)
    return spec.make(rng.getrandbits(63)), spec.title


def _can_write_lines() -> bool:
    try:
        "┌●○╋".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _seconds(text: str) -> float:
    seconds = _delay(text)
    if not seconds:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number of seconds")
    return seconds


def _delay(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not (seconds >= 0 and math.isfinite(seconds)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return seconds
