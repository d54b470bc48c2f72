"""`sixplane completion` prints a script with which a shell completes what is typed after `sixplane`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from sixplane.agents.spec import HUMAN, agent_names
from sixplane.cli import CommandError
from sixplane.cli.parser import Commands
from sixplane.games import GAMES

SHELLS: Final = ("bash", "zsh", "fish", "tcsh", "powershell")

#: The arguments that take an agent, by the names that argparse has for them.
OF_AGENTS: Final = ("opponent", "watch", "hint", "agent", "agents")

EPILOG = """\
to switch it on, in ~/.bashrc
  source <(sixplane completion bash)
or without a start of Python in every shell, once
  sixplane completion bash > ~/.local/share/bash-completion/completions/sixplane

zsh   sixplane completion zsh > a file _sixplane in a folder of $fpath
fish  sixplane completion fish > ~/.config/fish/completions/sixplane.fish
"""


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "completion",
        help="print a script for the Tab key of your shell",
        description=(
            "Prints a script with which a shell completes commands, options, games, agents and files. "
            "Printing it needs shtab (sixplane[cli]); using it needs nothing."
        ),
        epilog=EPILOG,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the script of a shell."""
    try:
        import shtab
    except ImportError as error:
        raise CommandError("completion needs shtab: pip install 'sixplane[cli]'") from error
    if arguments.shell not in shtab.SUPPORTED_SHELLS:
        raise CommandError(f"shtab {shtab.__version__} does not know {arguments.shell}: upgrade it")
    rules = {rule.name: rule.choices for info in GAMES.values() for rule in info.rules}
    parser = arguments.parser()
    for action, command in _actions(parser):
        if action.dest in OF_AGENTS:
            # An agent may have options, so the parser itself takes any text.
            persons = command in {"play", "match"}
            action.choices = [name for name in agent_names() if persons or name != HUMAN]
        elif rules.get(action.dest):
            action.choices = rules[action.dest]
        elif action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar == "FILE":
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, arguments.shell))
    return 0


def _actions(parser: argparse.ArgumentParser, command: str = "") -> Iterator[tuple[argparse.Action, str]]:
    """Yields every argument of a parser and of its commands, with the name of the command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from _actions(inner, name)
        else:
            yield action, command
