"""Connections that say nothing, or read nothing: they are closed, so that they keep nobody out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sixplane.web.guard import security_headers

if TYPE_CHECKING:
    import asyncio

__all__ = ["Connection", "LiveConnection"]

#: Seconds from the connection to the end of its first request's headers.
PATIENCE: Final = 10.0

#: Connections without a WebSocket; beyond that the oldest idle one goes.
MOST: Final = 128

#: Bytes that wait for a page that asks on and reads nothing.
MOST_UNREAD: Final = 1 << 20


class Connection(H11Protocol):  # type: ignore[misc] # uvicorn is optional
    """An HTTP connection that must ask for something soon."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Starts the time in which a request must come, and makes place if there are many."""
        super().connection_made(transport)
        self.since = time.monotonic()
        self._alarm = self.loop.call_later(PATIENCE, self._close_if_silent)
        # Those that were just closed are still among the connections, and so are the WebSockets.
        standing = [
            other
            for other in self.connections
            if isinstance(other, Connection) and not other.transport.is_closing()
        ]
        if len(standing) > MOST:
            idle = [other for other in standing if other.is_idle and other is not self]
            oldest = min(idle, key=lambda other: other.since, default=self)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._alarm.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hands the connection over to the WebSocket."""
        self._alarm.cancel()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Answers what is no HTTP, unless an answer has begun."""
        if not self.is_idle:
            self.transport.abort()
            return
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        answer = h11.Response(status_code=400, headers=[*headers, *security_headers()], reason=b"Bad Request")
        for event in (answer, h11.Data(data=msg.encode()), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event))
        self.transport.close()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _close_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.abort()


class LiveConnection(WebSocketsSansIOProtocol):  # type: ignore[misc] # uvicorn is optional
    """A WebSocket whose other end must read the answers to its pings."""

    def handle_ping(self) -> None:
        """Answers a ping, unless too many answers have not been read."""
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()
        if not self.transport.is_closing():
            super().handle_ping()
