"""The whole program: the parser of every command, and what is printed when one fails."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from sixplane._core import __version__
from sixplane.cli import CommandError
from sixplane.cli.parser import Commands, Parser
from sixplane.errors import GameRulesError

#: The commands, in the order of the help; each has a module of its name in this package.
COMMANDS: Final = (
    "play", "match", "rate", "selfplay", "gtp", "gomocup", "train", "watch", "bench", "completion",
)  # fmt: skip


def parsers(words: Sequence[str] = ()) -> tuple[Parser, Commands]:
    """Makes the parser of all arguments, and the parsers of the commands.

    Args:
        words: the arguments, if they are known. Where they begin with the name of a command, no other
            command is imported, which would take as long as NumPy.
    """
    top = Parser(prog="sixplane", description="Board games whose whole state is six planes.")
    top.add_argument("--version", action="version", version=f"sixplane {__version__}")
    # `sixplane completion` describes all of it.
    top.set_defaults(parser=parser)
    commands = top.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name in [name for name in COMMANDS if name in words[:1]] or COMMANDS:
        import_module(f"sixplane.cli.{name}").add_parser(commands)
    return top, commands


def parser() -> argparse.ArgumentParser:
    """Makes the parser of all arguments, for programs that describe it."""
    return parsers()[0]


def run_program(argv: Sequence[str] | None = None) -> int:
    """Runs one command; without one, prints the help.

    Args:
        argv: the arguments; None takes those of the process.

    Returns:
        The exit status: 0, 1 after a failure, 2 for wrong arguments, 130 where Ctrl-C cut a command short.

    Raises:
        KeyboardInterrupt: Ctrl-C, where the command has nothing to finish.
    """
    _open_streams()
    words = sys.argv[1:] if argv is None else argv
    parser, commands = parsers(words)
    try:
        try:
            return _run(parser, commands, words)
        finally:
            # Also what --help has written.
            sys.stdout.flush()
    except _told() as error:
        print(f"sixplane: error: {error}", file=sys.stderr)
        return error.status if isinstance(error, CommandError) else 1
    except GameRulesError as error:
        print(f"sixplane: error: {error}{_place(error.__cause__)}", file=sys.stderr)
        return 1
    except OSError as error:
        # Nothing may be written there at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # else the reader of our output has gone
            where = error.filename or "cannot write the output"
            print(f"sixplane: error: {where}: {error.strerror or error}", file=sys.stderr)
        return 1


def _told() -> tuple[type[Exception], ...]:
    """Returns the errors that are told in one line; a command that raises none imports none."""
    from sixplane.jobs import JobError
    from sixplane.match import FolderError
    from sixplane.play.record_file import RecordError

    return CommandError, FolderError, JobError, RecordError


def _open_streams() -> None:
    """Gives a closed output a place where nobody reads it, and writes what its encoding lacks as escapes."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - until the end
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _place(error: BaseException | None) -> str:
    """Says where rules have raised an exception: the last line in their file, not in one that they call."""
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    # The first one calls the rules.
    in_file = [frame for frame in frames if frame.filename == frames[:2][-1].filename]
    return f"\n({in_file[-1].filename}, line {in_file[-1].lineno})" if in_file else ""


def _run(parser: Parser, commands: Commands, words: Sequence[str]) -> int:
    arguments, unknown = parser.parse_known_args(words)
    if unknown:
        commands.choices.get(arguments.command, parser).refuse(unknown)
    if arguments.command is None:
        parser.print_help()
        return 0
    status: int = arguments.run(arguments)
    return status
