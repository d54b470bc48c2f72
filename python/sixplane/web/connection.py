"""Connections that say nothing: they are closed, so that any number of them keeps nobody out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

__all__ = ["Connection"]

#: Seconds from the connection to the end of its first request's headers.
PATIENCE: Final = 10.0

#: Connections without a WebSocket; beyond that the oldest idle one goes.
MOST: Final = 128


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

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _close_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.abort()
