"""The server of the page: its files, records, and a WebSocket for each tab."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from typing import Final
from urllib.parse import quote

try:
    from starlette.requests import ClientDisconnect
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocketDisconnect
finally:
    # It says how to get what is missing.
    from sixplane.web.site import Site

from collections.abc import Callable

from starlette.requests import Request
from starlette.websockets import WebSocket

from sixplane._core import Game, __version__
from sixplane.play.players import Players
from sixplane.web.background_agent import join_threads
from sixplane.web.calls import Calls
from sixplane.web.messages import BeginMessage, GameMessage, read_message
from sixplane.web.opponents import LEVELS, Opponents, catalogue
from sixplane.web.records import MOST_BYTES, open_record
from sixplane.web.refusal import RefusedError
from sixplane.web.session import PageSession
from sixplane.web.tab import Tab
from sixplane.web.view import stone_pictures

#: The most pages at one time.
MOST_TABS: Final = 32

#: The most seconds that the upload of a record may take.
RECORD_SECONDS: Final = 20.0

#: The seconds to wait at the end for agents that think.
JOIN_SECONDS: Final = 1.0

#: The reason of the WebSocket standard for closing a connection.
TRY_AGAIN_LATER: Final = 1013


class PageServer(Site):
    """Serves one game after another to the tabs of browsers.

    Raises:
        OSError: the port is taken, or the host is not this machine.
    """

    def __init__(
        self, players: Players, game: Game, opponents: Opponents, *, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        self.session = PageSession(
            players,
            game,
            lambda: self._to_tabs(Tab.wake),
            lambda part: self._to_tabs(lambda tab: tab.send_progress(part)),
        )
        super().__init__(host, port)
        self._opponents = opponents
        self._tabs: set[Tab] = set()
        #: The event loop, once there has been a tab.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beginning, self._calls = asyncio.Lock(), Calls()
        self._hello = {
            "type": "hello",
            "version": __version__,
            "games": catalogue(game),
            "levels": list(LEVELS),
            "given": list(opponents.given),
            "stones": stone_pictures(),
        }

    def run(self, ready: Callable[[], object] = lambda: None) -> None:
        """Serves until Ctrl-C, which is raised as `KeyboardInterrupt`; says when it is ready."""
        routes = [
            Route("/record", self._get_record),
            Route("/record", self._post_record, methods=["POST"]),
            WebSocketRoute("/live", self._live),
        ]

        try:
            self.serve(routes, ready, self._calls.end)
        finally:
            self.session.close()
            join_threads(JOIN_SECONDS)

    def _to_tabs(self, call: Callable[[Tab], object]) -> None:
        """Calls a function with every tab, in the event loop; any thread may ask for that."""
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(lambda: [call(tab) for tab in self._tabs])

    async def _live(self, page: WebSocket) -> None:
        if len(self._tabs) >= MOST_TABS:
            await page.close(TRY_AGAIN_LATER)
            return
        self._loop = asyncio.get_running_loop()
        tab = Tab(page, self.session, self._do)
        self._tabs.add(tab)
        try:
            with contextlib.suppress(WebSocketDisconnect):
                await page.accept()
                self.session.start()
                await tab.run(self._hello)
        finally:
            self._tabs.discard(tab)

    async def _do(self, tab: Tab, text: str | bytes) -> None:
        """Does what a message asks for, or raises a `RefusedError`."""
        message = read_message(text)
        if isinstance(message, BeginMessage):
            async with self._beginning:
                await self._calls.wait(message.do, self.session, self._opponents)
            tab.send({"type": "begun"})
        elif isinstance(message, GameMessage):
            message.do(self.session)
        else:
            message.do(tab)
            tab.wake()

    async def _get_record(self, _request: Request) -> Response:
        snapshot = self.session.snapshot()
        game = snapshot.game
        file = f"{game.name}-{game.rows}x{game.cols}-{time.strftime('%Y-%m-%d-%H%M')}.sgf"
        headers = {"content-disposition": _attached(file), "cache-control": "no-store"}
        return Response(self.session.record(), media_type="application/x-go-sgf", headers=headers)

    async def _post_record(self, request: Request) -> Response:
        data = bytearray()
        try:
            async with asyncio.timeout(RECORD_SECONDS):
                async for piece in request.stream():
                    data += piece
                    if len(data) > MOST_BYTES:
                        return _refused(413, f"a record may have at most {MOST_BYTES:,} bytes")
        except TimeoutError:
            return _refused(408, "the record did not arrive in time")
        except ClientDisconnect:
            return _refused(400, "the record did not arrive")  # which nobody reads
        try:
            record = await self._calls.wait(open_record, bytes(data), self.session.snapshot().game)
            players = await self._calls.wait(self._opponents.persons, record.game, record.names)
        except RefusedError as error:
            return _refused(422, str(error))
        self.session.new(players, record.game, record.tree)
        return PlainTextResponse(record.left_out)


def _attached(file: str) -> str:
    """Names a file to save; a header has ASCII alone, and RFC 6266 says how it names others."""
    plain = re.sub(r"[^\w.-]", "_", file, flags=re.ASCII)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file, safe='')}"


def _refused(status: int, words: str) -> Response:
    return PlainTextResponse(words, status, headers={"connection": "close"})
