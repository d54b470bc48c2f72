"""A page in a tab of a browser, at the other end of a WebSocket."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final

from sixplane.web.page import Page
from sixplane.web.refusal import RefusedError
from sixplane.web.requested import Display
from sixplane.web.session import PageSession

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

#: The messages a second that a page may send, and the most at once.
RATE: Final = 30.0
BURST: Final = 90.0

#: The number of messages beyond that, which are ignored, at which the connection is closed.
MOST_LOST: Final = 300

#: The most answers that wait for a slow page. Of the states such a page gets the newest one only.
MOST_WAITING: Final = 32

#: The reason of the WebSocket standard for closing a connection.
POLICY_VIOLATION: Final = 1008


class Tab(Page):
    """A page in a browser, which is sent what has changed, and whose messages `do` does or refuses."""

    def __init__(
        self, socket: WebSocket, session: PageSession, do: Callable[[Tab, str | bytes], Awaitable[None]]
    ) -> None:
        super().__init__(session, Display())
        self._socket, self._do = socket, do
        self._news = asyncio.Event()
        self._waiting: list[Mapping[str, object]] = []
        self._progress: float | None = None
        self._is_stale = True

    async def run(self, hello: Mapping[str, object]) -> None:
        """Serves the page until it closes, after the message `hello`."""
        await self._socket.send_json(hello)
        self.wake()
        writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read())
        try:
            done, _ = await asyncio.wait({writing, reading}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.exception()  # a page that has gone is no error
        finally:
            writing.cancel()
            reading.cancel()
            self.session.leave(self)

    def wake(self) -> None:
        """Lets the page have a new state."""
        self._is_stale = True
        self._news.set()

    def send(self, message: Mapping[str, object]) -> None:
        """Sends a message, before the next state."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(message)
            self._news.set()

    def send_progress(self, part: float) -> None:
        """Sends how much of an agent's thinking is done."""
        self._progress = part
        self._news.set()

    async def _write(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            waiting, self._waiting = self._waiting, []
            for message in waiting:
                await self._socket.send_json(message)
            if self._is_stale:
                self._is_stale = False
                await self._socket.send_json(self.state())
            if self._progress is not None:
                part, self._progress = self._progress, None
                await self._socket.send_json({"type": "progress", "part": round(part, 3)})

    async def _read(self) -> None:
        allowance, before, lost = BURST, time.monotonic(), 0
        while True:
            event = await self._socket.receive()
            if event["type"] != "websocket.receive":
                return
            now = time.monotonic()
            allowance, before = min(allowance + (now - before) * RATE, BURST), now
            if allowance < 1:
                lost += 1
                if lost == 1:
                    self.send({"type": "refused", "reason": "too_fast", "text": "too many messages"})
                if lost > MOST_LOST:
                    await self._socket.close(POLICY_VIOLATION)
                    return
                continue
            allowance -= 1
            try:
                await self._do(self, event.get("text") or event.get("bytes") or "")
            except RefusedError as error:
                self.send({"type": "refused", "reason": error.reason, "text": str(error)})
                # What the page shows may be older than what it is refused for.
                self.wake()
