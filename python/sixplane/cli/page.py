"""Serves a page of a command, and opens the browser that shows it."""

from __future__ import annotations

import errno
import os
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from sixplane.cli import CommandError
from sixplane.cli.arguments import port

if TYPE_CHECKING:
    import argparse

    from sixplane.web.server import PageServer
    from sixplane.web.watch_server import WatchServer

#: From here on numbers of errors are those of Windows' sockets, which its C library has no words for.
WINSOCK: Final = 10_000

Server = TypeVar("Server", bound="PageServer | WatchServer")


def add_page_options(parser: argparse.ArgumentParser, usual: int, before: str = "") -> None:
    """Adds `--port`, `--host` and `--no-open`, whose help begins with the text `before`."""
    parser.add_argument(
        "--port", type=port, help=f"{before}the port of the page ({usual}, or any that is free)"
    )
    parser.add_argument(
        "--host", help=f"{before}the address to listen at (127.0.0.1: only programs of this machine may come)"
    )
    parser.add_argument("--no-open", action="store_true", help=f"{before}print the address, open no browser")


def listen(make: Callable[[str, int], Server], arguments: argparse.Namespace, usual: int) -> Server:
    """Returns a server at the host and port of the arguments.

    Args:
        make: makes the server for a host and a port.
        arguments: those of the command; without a port, the server takes the usual one or any that is free.
        usual: the usual port. Browsers keep the settings of a page for its port.

    Raises:
        CommandError: the port that was asked for is taken, or the host is none of this machine.
    """
    host, asked = arguments.host or "127.0.0.1", arguments.port
    try:
        try:
            return make(host, usual if asked is None else asked)
        except OSError as error:
            # Windows keeps ports for others, who need not use them.
            if asked is not None or error.errno not in {errno.EADDRINUSE, errno.EACCES}:
                raise
            return make(host, 0)
    except OSError as error:
        # Names that mean nothing have numbers below 0, and words of their own, as Windows has above 10000.
        number = error.errno or 0
        why = os.strerror(number) if 0 < number < WINSOCK else error.strerror or str(error)
        where = host if asked is None else f"{host}, port {asked}"
        raise CommandError(f"cannot listen at {where}: {why}") from error


def serve_page(server: PageServer | WatchServer, does: str, *, opens: bool) -> None:
    """Serves until Ctrl-C, prints what it does at which address, such as `plays`, and opens a browser."""

    def ready() -> None:
        print(f"sixplane {does} at {server.address}\nCtrl-C ends it.", flush=True)
        if opens and _has_screen():
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()

    server.run(ready)


def _has_screen() -> bool:
    """Returns whether a browser would have a window; one without would take the terminal."""
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
