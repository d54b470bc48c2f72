"""A table in a window: clicks place stones, and buttons do the rest."""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, Final

from sixplane.agents.agent import RESIGN, Resignation
from sixplane.errors import IllegalActionError
from sixplane.play.picture import BUTTONS, TablePicture
from sixplane.play.table import NewGame, Quit, Table, TakeBack, end_text
from sixplane.render.window import Window

if TYPE_CHECKING:
    from sixplane import match
    from sixplane._core import Game
    from sixplane.agents.agent import Choice
    from sixplane.play.seating import Seating

__all__ = ["PlayWindow"]

#: Pixels; and how often the window looks for clicks, in a second.
WIDTH: Final = 640
FRAMES: Final = 30


class _Person:
    """An agent that waits for clicks in the window."""

    def __init__(self, owner: PlayWindow) -> None:
        self._owner = owner

    def select_action(self, game: Game) -> Choice:
        return self._owner.asked(game)


class PlayWindow:
    """A window with a board, five buttons, and the referee at work behind it.

    Args:
        seating: the players.
        game: the game to start from.

    Raises:
        ModuleNotFoundError: the libraries of `sixplane[window]` are missing.
        RuntimeError: there is no screen.
    """

    def __init__(self, seating: Seating, game: Game) -> None:
        self._seating = seating
        self._table = Table(seating, _Person(self), game, on_move=self._moved, on_back=self._went_back)
        self._window = Window("sixplane")
        self._window.find_screen()
        self._picture = TablePicture(game, WIDTH)
        #: Clicks that wait to be handled: points, and names of buttons.
        self._clicks: queue.Queue[int | str] = queue.Queue()
        # What the window shows: the referee's thread writes it, the window's thread reads it.
        self._lock = threading.Lock()
        self._shown: tuple[Game, str, frozenset[str], int | None] = (game.copy(), "", frozenset(), None)
        self._failure: BaseException | None = None

    def run(self) -> int:
        """Shows the window until it is closed.

        Returns:
            The exit status.
        """
        referee = threading.Thread(target=self._referee, daemon=True)
        self._say(self._table.game)
        self._window.show(self._svg())
        referee.start()
        try:
            while self._window.is_open and referee.is_alive():
                for event in self._window.events():
                    if self._window.is_closing(event):
                        self._window.close()
                        break
                    place = self._window.click(event)
                    if place is not None:
                        self._clicked(*place)
                if self._window.is_open:
                    self._window.show(self._svg())
                    time.sleep(1 / FRAMES)
        except KeyboardInterrupt:
            return 130
        finally:
            self._window.close()
            self._clicks.put("quit")
        if self._failure is not None:
            raise self._failure
        return 0

    def save(self, path: str) -> str:
        """Writes the record, and returns a message about it.

        Raises:
            SaveError: it cannot be written.
        """
        return self._table.save(path)

    def asked(self, game: Game) -> Choice:
        """The choice of the person to play; runs in the referee's thread."""
        self._say(game)
        limit = self._seating.seconds_per_move
        deadline = None if limit is None else time.monotonic() + limit
        while True:
            try:
                left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
                choice = self._answer(game, self._clicks.get(timeout=left))
            except queue.Empty:
                raise TimeoutError(f"no move within {limit:.3g} s") from None
            if choice is not None:
                return choice

    def _answer(self, game: Game, clicked: int | str) -> Choice | None:
        """Handles a click; the choice if it is a move, else None."""
        match clicked:
            case "quit":
                raise Quit
            case "new game":
                raise NewGame
            case "undo":
                if self._table.can_take_back:
                    raise TakeBack
                self._say(game, "nothing to take back")
            case "hint":
                self._tell_hint(game)
            case "resign":
                return RESIGN
            case "pass":
                return self._legal(game, game.num_actions - 1)
            case int():
                return self._legal(game, clicked)
        return None

    def _legal(self, game: Game, action: int) -> int | None:
        try:
            game.copy().play(action)
        except IllegalActionError as error:
            name = game.action_to_name(action)
            self._say(game, f"{name} is not legal: {error.reason.replace('_', ' ')}")
            return None
        return action

    def _tell_hint(self, game: Game) -> None:
        choice = self._seating.hint.select_action(game.copy())
        if isinstance(choice, Resignation) or choice == game.num_actions - 1:
            self._say(game, f"hint: {'resign' if isinstance(choice, Resignation) else 'pass'}")
        else:
            self._say(game, f"hint: {game.action_to_name(choice)}", int(choice))

    def _referee(self) -> None:
        """Plays game after game: what the referee's thread runs."""
        try:
            while True:
                try:
                    self._table.run()
                    self._wait_at_the_end()
                except NewGame:
                    self._table.restart()
                    self._say(self._table.game)
        except Quit:
            pass
        except BaseException as error:  # raised in the window's thread, where it can be seen
            self._failure = error

    def _wait_at_the_end(self) -> None:
        self._say(self._table.game, end_text(self._table.game, self._table.result))
        while True:
            match self._clicks.get():
                case "quit":
                    raise Quit
                case "new game":
                    raise NewGame
                case "undo" if self._table.can_take_back:
                    self._table.take_back()
                    return

    def _moved(self, move: match.Move) -> None:
        self._say(move.game)
        if self._seating.is_watched and not move.game.is_over:
            time.sleep(self._seating.delay)
            # While agents play, only closing the window and a new game have an effect.
            while not self._clicks.empty():
                if self._clicks.get() == "new game":
                    raise NewGame

    def _went_back(self, game: Game) -> None:
        self._say(game)

    def _clicked(self, x: float, y: float) -> None:
        clicked: int | str | None = self._picture.button_at(x, y)
        if clicked is None:
            clicked = self._picture.point_at(x, y)
        # Clicks on the board while an agent thinks are no moves.
        needed = "resign" if isinstance(clicked, int) else clicked
        if clicked is not None and needed in self.shown[2]:
            self._clicks.put(clicked)

    def _say(self, game: Game, words: str = "", hint: int | None = None) -> None:
        """Shows a position and words; without words, the color to play."""
        color = "white" if game.turn else "black"
        is_person = not game.is_over and self._seating.persons[game.turn]
        if not words:
            words = f"{color} to play" if is_person else f"{color} is thinking"
            if self._is_pass(game):
                words = f"pass, {words}"
        with self._lock:
            self._shown = (game.copy(), words, self._enabled(game, is_person=is_person), hint)

    def _is_pass(self, game: Game) -> bool:
        return bool(game.planes[4].any()) and not game.is_over

    def _enabled(self, game: Game, *, is_person: bool) -> frozenset[str]:
        if game.is_over:
            return frozenset({"new game"} if self._seating.is_watched else {"undo", "new game"})
        if not is_person:
            return frozenset({"new game"} if self._seating.is_watched else ())
        enabled = set(BUTTONS)
        if game.num_actions - 1 not in game.legal_actions:
            enabled.discard("pass")
        return frozenset(enabled)

    def _svg(self) -> str:
        with self._lock:
            game, words, enabled, hint = self._shown
        return self._picture.svg(game, words, enabled, hint)

    @property
    def shown(self) -> tuple[Game, str, frozenset[str], int | None]:
        """What the window shows: position, words, active buttons, and the point of a hint."""
        with self._lock:
            return self._shown
