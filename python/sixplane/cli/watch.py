"""`sixplane watch` shows a folder of training, a match or self-play on a page, while it is written."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sixplane._files import failing_as
from sixplane.cli import CommandError, failing
from sixplane.cli.arguments import folder as folder_of
from sixplane.cli.game_options import add_own_game_option, game_of
from sixplane.cli.page import add_page_options, listen, serve_page
from sixplane.cli.parser import Commands

if TYPE_CHECKING:
    from sixplane._core import Game
    from sixplane.runs.reader import FolderReader

PORT: Final = 7661


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "watch",
        help="watch training, a match or self-play in a browser",
        description=(
            "Shows the folder of 'sixplane train', 'sixplane match --out' or 'sixplane selfplay --out' on a "
            "page, also while it is being written: games as they are played, curves as they grow. Nothing "
            "is written to the folder. Ctrl-C ends it."
        ),
    )
    parser.add_argument(
        "folder", type=folder_of, metavar="DIR", help="the folder that the other command writes"
    )
    add_own_game_option(parser, "whose games the folder has: its file is imported")
    add_page_options(parser, PORT)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serves the page until Ctrl-C."""
    with failing(ModuleNotFoundError, status=1):
        from sixplane.web.watch_server import WatchServer
    usual = None if arguments.game is None else game_of(arguments)
    reader = reader_of(arguments.folder, usual)
    server = listen(lambda host, port: WatchServer(reader, host=host, port=port), arguments, PORT)
    serve_page(server, f"watches {arguments.folder}", opens=not arguments.no_open)
    return 0


def reader_of(folder: Path, usual: Game | None = None) -> FolderReader:
    """Makes the reader of a folder, which has read it once.

    Args:
        folder: the folder.
        usual: a game of your own, of which the records are.

    Raises:
        CommandError: it cannot be read, or holds nothing that can be watched.
    """
    from sixplane.match.folder import RESULTS
    from sixplane.runs.match import MatchReader
    from sixplane.runs.selfplay import NAME, SelfplayReader
    from sixplane.runs.training import TrainingReader

    with failing_as(CommandError, f"cannot read {folder}"), failing(RuntimeError, status=1):
        path = folder.resolve()
        names = {entry.name for entry in path.iterdir()}
        reader: FolderReader
        if "run.json" in names:
            reader = TrainingReader(path, usual)
        elif RESULTS in names:
            reader = MatchReader(path, usual)
        elif any(NAME.fullmatch(name) for name in names):
            reader = SelfplayReader(path, usual)
        elif not names:
            raise CommandError(f"{folder} is empty: there is nothing to watch yet")
        else:
            raise CommandError(
                f"{folder} is no folder of train, match or selfplay: it has {min(names)}, and neither "
                f"run.json, {RESULTS} nor game-1.sgf"
            )
        reader.update_live()
        reader.update()
        return reader
