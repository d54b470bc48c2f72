"""`sixplane play --web`: the page, and the browser that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sixplane.cli import CommandError
from sixplane.cli.page import listen, serve_page
from sixplane.cli.players import check_player, default_spec
from sixplane.play.record_file import RecordFiles, SaveError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sixplane._core import Game
    from sixplane.agents.spec import AgentSpec
    from sixplane.play.players import Players

__all__ = ["PORT", "serve"]

PORT: Final = 7660


def serve(
    players: Players,
    game: Game,
    *,
    given: Mapping[str, AgentSpec],
    hint: str | None,
    host: str,
    port: int | None,
    opens: bool,
    save: str | None,
) -> int:
    """Serves the page until Ctrl-C.

    Args:
        players: the players of the first game.
        game: the first game.
        given: title -> spec of the agents that were named.
        hint: the agent that gives hints in later games, as a spec; None: the default one.
        host: where to listen.
        port: where to listen; 0: any that is free; None: the usual one, or any if that is taken.
        opens: whether to open a browser.
        save: file for the record of the last game; None: none.

    Raises:
        CommandError: the libraries of `sixplane[web]` are missing, or the port is taken.
    """
    try:
        from sixplane.web.opponents import Opponents
        from sixplane.web.server import PageServer
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from error
    opponents = Opponents(default_spec, _check, given, hint)
    server = listen(lambda at: PageServer(players, game, opponents, host=host, port=at), host, port, PORT)
    try:
        serve_page(server, "plays", opens=opens)
    finally:
        if save is not None:
            try:
                RecordFiles().write(save, server.session.record())
                print(f"saved {save}")
            except SaveError as error:
                raise CommandError(str(error)) from error
    return 0


def _check(spec: AgentSpec, game: Game, seconds: float | None) -> None:
    """As `check_player`, with an error that a page can show."""
    try:
        check_player(spec, game, seconds)
    except CommandError as error:
        raise ValueError(str(error)) from error
