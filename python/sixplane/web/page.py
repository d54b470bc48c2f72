"""A page that shows a game: the position that it looks at, and how it draws it."""

from __future__ import annotations

from sixplane.web.analysis import Question
from sixplane.web.requested import Display
from sixplane.web.session import PageSession, Snapshot
from sixplane.web.view import state


class Page:
    """Looks at one position of a session, on one of the lines of its tree."""

    def __init__(self, session: PageSession, display: Display) -> None:
        self.session, self.display = session, display
        self._serial = -1
        self.place: int | None = None
        """The number of the position that the page looks at; None: the game as it goes on."""
        self._leaf: int | None = None
        self._live: int | None = None

    def state(self) -> dict[str, object]:
        """Returns the state that the page shows, as JSON has it; agents are asked for what is missing."""
        snapshot = self.session.snapshot(self.place, self._leaf)
        if snapshot.serial != self._serial:
            # Numbers of positions mean nothing in another game.
            if self.place is not None:
                self.place = self._leaf = None
                snapshot = self.session.snapshot()
            self._serial = snapshot.serial
        elif self.place is not None and self.place == self._live != snapshot.live:
            # The game went on from the position that the page has reached by another way.
            self.place = self._leaf = None
            snapshot = self.session.snapshot()
        self._live = snapshot.live
        self.session.request(self, self._question(snapshot))
        return state(snapshot, self.display)

    def _question(self, snapshot: Snapshot) -> Question | None:
        """Returns the question to an agent whose answer the page shows; None if there is none."""
        display, shown = self.display, snapshot.shown
        if display.overlay in {"off", "table"} or display.of not in snapshot.sources or shown.is_over:
            return None
        place = snapshot.places[snapshot.at]
        # A player who thinks keeps the processors, and gives its insight when it plays.
        if place == snapshot.live and snapshot.is_thinking:
            return None
        found, owners = snapshot.line[snapshot.at].insights.get(display.of), display.overlay == "ownership"
        is_answered = found is not None and (found.ownership is not None or not owners)
        if is_answered and not snapshot.is_asking:
            return None
        return Question(place, display.of, owners)

    def look(self, at: int | None) -> None:
        """Looks at the position after so many actions of the line; None: at the game as it goes on."""
        snapshot = self.session.snapshot(self.place, self._leaf)
        if at is None:
            self.place = self._leaf = None
        else:
            self.place = snapshot.places[min(at, len(snapshot.places) - 1)]
            if self.place == snapshot.live and snapshot.branch is None:
                self.place = None

    def browse(self, by: int) -> None:
        """Looks at the position so many actions further on the line, or before it.

        A page may ask again before it has shown the one before.
        """
        at = self.session.snapshot(self.place, self._leaf).at
        self.look(max(at + by, 0))

    def look_at_choice(self) -> bool:
        """Looks at the position of the last choice before the one that is shown; False if there is none."""
        snapshot = self.session.snapshot(self.place, self._leaf)
        before = snapshot.players.before_choice(snapshot.shown)
        if before is not None:
            self.look(before.move_number)
        return before is not None

    def go(self, place: int) -> None:
        """Looks at a position by its number, with the line that leads there and on."""
        self.session.game_at(place)
        self.place, self._leaf = place, None
        if self.session.snapshot(place).branch is not None:
            self._leaf = place
