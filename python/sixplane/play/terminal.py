"""A table in the terminal: moves are typed, the board is drawn as text."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from sixplane._core import Go, Reversi
from sixplane.agents import HumanAgent
from sixplane.play.record_file import SaveError
from sixplane.play.table import Quit, Table, TakeBack, end_text
from sixplane.render.text import board_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane import match
    from sixplane._core import Game
    from sixplane.play.seating import Seating

__all__ = ["Terminal"]

CLEAR = "\x1b[2J\x1b[H"


class Terminal:
    """Shows a game and takes what is typed.

    Args:
        seating: who plays.
        game: where it begins.
        ask: shows a prompt and returns what is typed.
        ascii_only: whether the board is drawn without lines and discs.
    """

    def __init__(
        self,
        seating: Seating,
        game: Game,
        *,
        ask: Callable[[str], str] = input,
        ascii_only: bool = False,
    ) -> None:
        self._seating, self._ask, self._ascii = seating, ask, ascii_only
        commands = {"undo": self._undo, "quit": self._quit}
        person = HumanAgent(ask=self._typed, tell=_tell, hint=seating.hint, commands=commands)
        self._table = Table(seating, person, game, on_move=self._show, on_back=self._draw)

    def run(self) -> int:
        """Plays until the end, or until somebody quits.

        Returns:
            The exit status: 0, or 130 after Ctrl-C.
        """
        status = 0
        self._draw(self._table.game)
        if not self._seating.is_watched:
            _tell("type a point such as D4, pass, undo, hint, resign, save FILE or quit")
        try:
            self._table.run()
        except Quit:
            pass
        except KeyboardInterrupt:
            _tell("")
            status = 130
        _tell(end_text(self._table.game, self._table.result))
        return status

    def save(self, path: str) -> str:
        """Writes the record; says that it did.

        Raises:
            SaveError: it could not.
        """
        return self._table.save(path)

    def _typed(self, prompt: str) -> str:
        while True:
            try:
                text = self._ask(prompt)
            except EOFError:
                _tell("")
                raise Quit from None
            word, _, path = text.strip().partition(" ")
            if word.lower() != "save":
                return text
            try:
                _tell(self.save(path.strip()))
            except SaveError as error:
                _tell(str(error))

    def _undo(self, _game: Game) -> str:
        if not self._table.can_take_back:
            return "nothing to take back"
        raise TakeBack

    def _quit(self, _game: Game) -> str:
        raise Quit

    def _show(self, move: match.Move) -> None:
        name = move.game.action_to_name(move.action)
        color = "white" if move.color else "black"
        said = f"{color} passes" if name == "pass" else f"{color} {name}"
        if sys.stdout.isatty() and self._seating.is_watched:
            sys.stdout.write(CLEAR)
        _tell(f"\n{said}" + (f" ({move.seconds:.1f} s)" if move.seconds >= 0.05 else ""))  # noqa: PLR2004
        self._draw(move.game)
        if self._seating.is_watched and not move.game.is_over:
            time.sleep(self._seating.delay)

    def _draw(self, game: Game) -> None:
        style = type(game).__name__.lower()
        _tell(board_text(game.planes, style, last=game.last_action, ascii_only=self._ascii))
        if isinstance(game, Go):
            _tell("captured: by black {}, by white {}".format(*game.captures))
        if isinstance(game, Reversi):
            _tell(f"discs: black {game.planes[0].sum()}, white {game.planes[1].sum()}")


def _tell(text: str) -> None:
    print(text, flush=True)
