"""`sixplane play --web` serves a page, and opens the browser that shows it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from sixplane._core import Game
from sixplane.agents.spec import AgentSpec
from sixplane.cli import CommandError
from sixplane.cli.page import listen, serve_page
from sixplane.cli.players import HUMAN, check_player, default_spec, spec_of
from sixplane.play.record_file import RecordFiles

if TYPE_CHECKING:
    import argparse

    from sixplane.play.players import Players

__all__ = ["PORT", "serve"]

PORT: Final = 7660


def serve(arguments: argparse.Namespace, players: Players, game: Game) -> None:
    """Serves the page until Ctrl-C, then writes the record of the last game where one was asked for.

    Raises:
        CommandError: the libraries of `sixplane[web]` are missing, or the port is taken.
        SaveError: the record cannot be written.
    """
    try:
        from sixplane.web.opponents import Opponents
        from sixplane.web.server import PageServer
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from error
    named = [spec_of(text) for text in (arguments.opponent, arguments.watch) if text is not None]
    given = {spec.title: spec for spec in named if spec.kind != HUMAN}
    opponents = Opponents(default_spec, _check, given, arguments.hint)
    # The page has its own word for a person without a name.
    black, white = ("" if name == HUMAN else name for name in players.names)
    players = dataclasses.replace(players, names=(black, white))
    server = listen(
        lambda host, port: PageServer(players, game, opponents, host=host, port=port), arguments, PORT
    )
    try:
        serve_page(server, "plays", opens=not arguments.no_open)
    finally:
        if arguments.save is not None:
            RecordFiles().write(arguments.save, server.session.record())
            print(f"saved {arguments.save}")


def _check(spec: AgentSpec, game: Game, seconds: float | None) -> None:
    """Checks as `check_player` does, with an error that a page can show."""
    try:
        check_player(spec, game, seconds)
    except CommandError as error:
        raise ValueError(str(error)) from error
