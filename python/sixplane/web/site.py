"""Where a page is served: a socket, a random token, and the server of uvicorn."""

from __future__ import annotations

import contextlib
import mimetypes
import secrets
import signal
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sixplane._library import optional

with optional(
    *("the page needs Starlette, uvicorn, websockets and msgspec", "web"),
    *("starlette", "uvicorn", "websockets", "msgspec"),
):
    import msgspec as _msgspec  # noqa: F401 - the messages of pages need it
    import uvicorn
    import websockets as _websockets  # noqa: F401 - uvicorn imports it late
    from starlette.applications import Starlette
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles

from collections.abc import AsyncIterator, Callable, Sequence
from types import FrameType

from starlette.routing import BaseRoute

from sixplane.web.guard import Guard, host_text

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol

STATIC: Final = Path(__file__).parent / "static"

#: The most bytes of a message from a page; records come by HTTP.
MOST_MESSAGE: Final = 16_384

#: The seconds that an HTTP connection may be silent.
PATIENCE: Final = 10.0

#: The most HTTP connections; for one more the oldest idle one is closed.
MOST_CONNECTIONS: Final = 128

#: The most bytes that wait for a page that does not read them.
MOST_UNREAD: Final = 1 << 20


class Site:
    """Serves one page with its files, behind the guard.

    Args:
        host: name or address of this machine to listen at.
        port: port to listen at; 0: any that is free.

    Raises:
        OSError: the port is taken, or the host is not this machine.
    """

    def __init__(self, host: str, port: int) -> None:
        # The registry of Windows may have another type for them, with which no browser takes a script.
        for end, kind in (("css", "text/css"), ("js", "text/javascript"), ("svg", "image/svg+xml")):
            mimetypes.add_type(kind, f".{end}")
        self._token = secrets.token_urlsafe(18)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.create_server((host, port), family=family, backlog=128)
        self._host, self._port = host, self._socket.getsockname()[1]

    @property
    def address(self) -> str:
        """The address to open in a browser; it contains the token."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)  # noqa: S104 - no bind
        return f"http://{host_text(host)}:{self._port}/{self._token}/"

    def serve(
        self,
        routes: Sequence[BaseRoute],
        ready: Callable[[], object],
        ending: Callable[[], object] = lambda: None,
    ) -> None:
        """Serves until Ctrl-C, which is raised as `KeyboardInterrupt`.

        Args:
            routes: routes of the page, which go before its files.
            ready: called in the event loop when the server accepts connections.
            ending: called in the event loop when it ends, before it waits for what is going on.
        """

        @contextlib.asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            ready()
            yield

        all_routes = [*routes, Mount("/", StaticFiles(directory=STATIC, html=True))]
        inner = Starlette(routes=[Mount(f"/{self._token}", routes=all_routes)], lifespan=lifespan)
        config = uvicorn.Config(
            Guard(inner, self._token, self._host, self._port),
            http="h11",
            ws="websockets-sansio",
            ws_max_size=MOST_MESSAGE,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
        )
        try:
            _Server(config, ending).run(sockets=[self._socket])
        finally:
            self._socket.close()


class _Server(uvicorn.Server):  # type: ignore[misc] # uvicorn is optional
    """A server that closes connections whose other end sends nothing or reads nothing.

    Ctrl-C does not end it where that signal is ignored, as in the background of a script.
    """

    def __init__(self, config: uvicorn.Config, ending: Callable[[], object]) -> None:
        super().__init__(config)
        self._ending = ending
        self._is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        config.load()
        self._protocol, config.http_protocol_class = config.http_protocol_class, self._accept
        self._since: dict[H11Protocol, float] = {}

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not (self._is_ignored and sig == signal.SIGINT):
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(sockets)

    def _accept(self, **options: Any) -> H11Protocol:
        """Makes an HTTP connection, and closes the oldest that waits for no answer if there are many."""
        known = self.server_state.connections
        # A connection that is being made has no transport yet; a WebSocket is not among the known ones.
        self._since = {
            one: since
            for one, since in self._since.items()
            if one.transport is None or (one in known and not one.transport.is_closing())
        }
        if len(self._since) >= MOST_CONNECTIONS:
            for one in self._since:
                if one.transport and (one.cycle is None or one.cycle.response_complete):
                    one.shutdown()
                    break
        made = self._protocol(**options)
        self._since[made] = time.monotonic()
        return made

    async def on_tick(self, counter: int) -> bool:
        """Closes connections that are silent or read nothing, ten times a second."""
        for one in self.server_state.connections:
            if isinstance(one, self.config.ws_protocol_class):
                if one.transport.get_write_buffer_size() > MOST_UNREAD:
                    one.transport.abort()
            elif one.cycle is None and time.monotonic() - self._since.get(one, 0.0) > PATIENCE:
                one.shutdown()
        should_exit: bool = await super().on_tick(counter)
        return should_exit
