"""The command line `sixplane`, also `python -m sixplane`."""

from __future__ import annotations

import argparse
import os
import sys
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NoReturn

from sixplane._core import __version__
from sixplane._nearest import did_you_mean
from sixplane.cli import CommandError, bench, completion, gomocup, gtp, match, play, selfplay, train, watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import SupportsWrite


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments, and which name is the nearest to a wrong one."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message} (try {self.prog} --help)\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse is silent about a message that cannot be written.
        stream = sys.stderr if file is None else file
        if message and stream is not None:
            stream.write(message)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuses an option that does not exist before it misses the one that was meant."""
        words = sys.argv[1:] if args is None else list(args)
        # What comes after the name of a command is for the parser of that command.
        is_own = (lambda word: word.startswith("-")) if self._subparsers else (lambda word: word != "--")
        for word in takewhile(is_own, words):
            name = word.partition("=")[0]
            # An argument with a space is never an option, and the beginning of one is enough.
            if word.startswith("--") and " " not in word and not self._options(name):
                self.refuse([word])
        return super().parse_known_args(words, namespace)

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Ends the program because of arguments that mean nothing here."""
        name = words[0].partition("=")[0]
        proposal = did_you_mean(name, self._options("--")) if name.startswith("-") else ""
        self.error(f"unrecognized arguments: {' '.join(words)}{proposal}")

    def _options(self, beginning: str) -> list[str]:
        """The options that begin so."""
        return [name for name in self._option_string_actions if name.startswith(beginning)]

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = list(map(str, action.choices))
            proposal = did_you_mean(str(value), names)
            raise argparse.ArgumentError(action, f"{value!r} is none of {', '.join(names)}{proposal}")


def parsers() -> tuple[_Parser, argparse._SubParsersAction[_Parser]]:
    """The parser of all arguments, and those of the commands."""
    parser = _Parser(prog="sixplane", description="Board games whose whole state is six planes.")
    parser.add_argument("--version", action="version", version=f"sixplane {__version__}")
    # `sixplane completion` describes all of it.
    parser.set_defaults(parser=parser)
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for command in (play, match, selfplay, gtp, gomocup, train, watch, bench, completion):
        command.add_parser(commands)
    return parser, commands


def parser() -> argparse.ArgumentParser:
    """The parser of all arguments, for programs that describe it."""
    return parsers()[0]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; without one, prints the help.

    Args:
        argv: the arguments; None takes those of the process.

    Returns:
        The exit status: 0, 1 after a failure, 2 for wrong arguments, 130 after Ctrl-C.
    """
    parser, commands = parsers()
    try:
        try:
            return _run(parser, commands, argv)
        finally:
            # Also what --help has written.
            if sys.stdout is not None:
                sys.stdout.flush()
    except CommandError as error:
        print(f"sixplane: error: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        # Nothing may be written there at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # else the reader of our output has gone
            where = error.filename or "cannot write the output"
            print(f"sixplane: error: {where}: {error.strerror or error}", file=sys.stderr)
        return 1


def _run(parser: _Parser, commands: argparse._SubParsersAction[_Parser], argv: Sequence[str] | None) -> int:
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        commands.choices[arguments.command].refuse(unknown)
    if arguments.command is None:
        parser.print_help()
        return 0
    status: int = arguments.run(arguments)
    return status


if __name__ == "__main__":
    sys.exit(main())
