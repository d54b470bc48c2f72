"""The server of the page that shows a folder while it is being written."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Final, TypedDict

try:
    from starlette.responses import FileResponse, Response
    from starlette.routing import Route
finally:
    # It says how to get what is missing.
    from sixplane.web.site import STATIC, Site

from collections.abc import Callable

from sixplane._core import Game
from sixplane.games import COLORS, info_of
from sixplane.runs.calls import RunFolderError
from sixplane.web.requested import Display
from sixplane.web.view import position

if TYPE_CHECKING:
    from starlette.requests import Request

    from sixplane.runs.reader import Entry, FolderReader, Summary

#: The seconds between two readings of the folder.
INTERVAL: Final = 1.0

#: The seconds to wait at the end for a reading of the folder.
JOIN_SECONDS: Final = 1.0

#: The number of games that are kept in memory, for pages that go through them.
KEPT: Final = 16

#: The first letters that SGF has for other ends than those by the board, such as `B+R` or `B+Resign`.
ENDINGS: Final = {"R": "by resignation", "T": "on time", "F": "by forfeit"}

FRESH: Final = {"cache-control": "no-store"}
DISPLAY: Final = Display()


class Known(TypedDict):
    """What the page shows of a folder beside the games that go on."""

    folder: str
    summary: Summary
    games: list[tuple[int, str, str, str, int]]
    """The entries of finished games without their files, with their results in words."""


class WatchServer(Site):
    """Serves the page that shows a folder, which its reader has read once; a page can change nothing.

    Raises:
        OSError: the port is taken, or the host is not this machine.
    """

    def __init__(self, reader: FolderReader, *, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__(host, port)
        self._reader = reader
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._games: dict[int, Game] = {}
        self._counts_points: bool | None = None
        self._beginnings = 0
        self._changed = reader.written()
        self._version, self._trouble = 0, ""
        self._content = self._renew()

    def run(self, ready: Callable[[], object] = lambda: None) -> None:
        """Serves until Ctrl-C, which is raised as `KeyboardInterrupt`; says when it is ready."""
        routes = [
            Route("/", lambda _request: FileResponse(STATIC / "watch.html")),
            Route("/summary", self._summary),
            Route("/position", self._position),
        ]
        updates = threading.Thread(target=self._update, daemon=True)
        updates.start()
        try:
            self.serve(routes, ready)
        finally:
            self._over.set()
            updates.join(JOIN_SECONDS)

    def _update(self) -> None:
        """Reads the folder again and again; the page shows an error until a reading succeeds."""
        while not self._over.wait(INTERVAL):
            with self._lock:
                has_moved, is_new = self._reader.update_live(), False
                try:
                    is_new, self._trouble = self._reader.update(), ""
                    if is_new:
                        self._content = self._renew()
                except FileNotFoundError:
                    self._trouble = f"{self._reader.path} has gone"
                except (OSError, RunFolderError) as error:
                    self._trouble = str(error)
                except Exception as error:  # nothing that a file says may end the watch in silence
                    self._trouble = f"{type(error).__name__}: {error}"
                if has_moved or is_new:
                    self._changed = time.time()

    def _renew(self) -> Known:
        """Reads what the page shows, and counts its version."""
        reader = self._reader
        if reader.beginnings != self._beginnings:
            self._beginnings, self._counts_points = reader.beginnings, None
            self._games.clear()
        if self._counts_points is None and (entries := reader.newest() or reader.going_on()):
            # All are of one game, which the newest record tells.
            game = self._game(entries[-1].number)[1]
            self._counts_points = None if game is None else info_of(game).counts_points
        known: Known = {
            "folder": reader.path.name or str(reader.path),
            "summary": reader.summary(),
            "games": self._listed(reader.newest()),
        }
        self._version += 1
        return known

    def _listed(self, entries: list[Entry]) -> list[tuple[int, str, str, str, int]]:
        """Returns what the list of the page has of some games."""
        counts = self._counts_points is True  # no margin where it is not known
        return [
            (number, black, white, result_words(result, counts_points=counts), moves)
            for number, black, white, result, moves, _ in entries
        ]

    def _summary(self, request: Request) -> Response:
        """Answers with what has changed since the version that the page has."""
        with self._lock:
            now = {
                "version": self._version,
                "quiet": max(round(time.time() - self._changed, 1), 0.0),
                "trouble": self._trouble,
                "live": self._listed(self._reader.going_on()),
                "has_ended": self._reader.has_ended,
            }
            is_known = request.query_params.get("since") == str(self._version)
            return _answer(now if is_known else {**self._content, **now})

    def _position(self, request: Request) -> Response:
        """Answers with the position of a game after so many actions; `gone` if there is no such game."""
        try:
            number = int(request.query_params["game"])
            at = int(request.query_params.get("at", "1000000"))
        except (KeyError, ValueError):
            return _answer({"text": "game and at must be integers"}, 400)
        with self._lock:
            entry, game, goes_on = self._game(number)
            is_live = goes_on and not self._reader.has_ended
        if game is None or entry is None:
            # No error: a game that is stopped leaves the folder while pages go through it.
            return _answer({"number": number, "gone": True})
        count = game.move_number
        shown = game.copy()
        while shown.move_number > max(at, 0):
            shown.undo()
        info = info_of(shown)
        return _answer(
            {
                **position(shown, DISPLAY),
                "number": number,
                "at": shown.move_number,
                "count": count,
                "black": entry.black,
                "white": entry.white,
                "result": result_words(entry.result, counts_points=info.counts_points),
                "is_live": is_live,
                "is_left": goes_on and not is_live,
                "tally": info.tally(shown),
                "is_over": shown.move_number == count and not is_live,
                "move": None if shown.last_action is None else info.name_of(shown, shown.last_action),
            },
        )

    def _game(self, number: int) -> tuple[Entry | None, Game | None, bool]:
        """Returns the entry of a game, the game, and whether it goes on; None if there is no such game."""
        live = self._reader.live.get(number)
        if live is not None and number not in self._reader.entries:
            return live.entry, live.game, not live.game.is_over
        if number not in self._games and (game := self._reader.game(number)) is not None:
            self._games[number] = game
            while len(self._games) > KEPT:
                del self._games[next(iter(self._games))]
        return self._reader.entries.get(number), self._games.get(number), False


def _answer(content: object, status: int = 200) -> Response:
    """Answers with JSON in ASCII, because the name of a folder and what its files say need not be Unicode."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return Response(text, status, headers=FRESH, media_type="application/json")


def result_words(result: str, *, counts_points: bool) -> str:
    """Writes a result of SGF in words, as the page of one game has them.

    Example:
        >>> [result_words(text, counts_points=True) for text in ("B+3.5", "W+R", "0", "")]
        ['Black wins by 3.5', 'White wins by resignation', 'Draw', '']
        >>> result_words("B+1", counts_points=False)
        'Black wins'
    """
    if result in {"0", "Draw"}:
        return "Draw"
    winner, plus, how = result.partition("+")
    color = next((color.title() for color in COLORS if color[0].upper() == winner), None)
    if color is None or not plus:
        return result
    margin = f"by {how}" if counts_points and how else ""
    return f"{color} wins {ENDINGS.get(how[:1], margin)}".rstrip()
