"""The parser of the command line, which proposes the nearest name for a wrong one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from sixplane._other_names import did_you_mean

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Breaks a description that is one paragraph to the width of the terminal, and leaves tables alone."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text.strip():
            return super()._fill_text(text, width, indent)
        return argparse.HelpFormatter(self._prog)._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with arguments, and proposes the nearest name for a wrong one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _HelpFormatter, **options})
        #: Adds the options that depend on what is given, before anything is read.
        self.add_more: Callable[[Sequence[str]], None] = lambda _words: None

    def error(self, message: str) -> NoReturn:
        """Ends the program because of wrong arguments, with one line about them."""
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
        self.add_more(words)
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

    def given(self, option: str, words: Sequence[str]) -> str | None:
        """Returns the last value that is given to an option; None if there is none."""
        value = None
        words = [*takewhile(lambda word: word != "--", words), ""]
        for word, after in pairwise(words):
            name, joined, text = word.partition("=")
            if name == option or (name.startswith("--") and self._options(name) == [option]):
                value = text if joined else after
        return value

    def has(self, option: str) -> bool:
        """Returns whether there is such an option."""
        return option in self._option_string_actions

    def _options(self, beginning: str) -> list[str]:
        return [name for name in self._option_string_actions if name.startswith(beginning)]

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            names = list(map(str, action.choices))
            proposal = did_you_mean(str(value), names)
            raise argparse.ArgumentError(action, f"{value!r} is none of {', '.join(names)}{proposal}")


#: Where a command adds its parser.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
