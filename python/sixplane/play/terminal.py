"""A table in the terminal: moves are typed, the board is drawn as text."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from sixplane.agents import HumanAgent
from sixplane.games import info_of
from sixplane.play.keyboard import Keyboard, clock_text
from sixplane.play.record_file import SaveError
from sixplane.play.table import Quit, Table, TakeBack, end_text
from sixplane.render.text import board_text

if TYPE_CHECKING:
    from sixplane import match
    from sixplane._core import Game
    from sixplane.agents.agent import Choice
    from sixplane.play.seating import Seating
    from sixplane.protocols.lines import PipeLines

__all__ = ["Terminal"]

CLEAR = "\x1b[2J\x1b[H"


class _Person:
    """A person who types. The clock starts when the person is asked for a move."""

    def __init__(self, human: HumanAgent, keyboard: Keyboard) -> None:
        self._human, self._keyboard = human, keyboard

    def select_action(self, game: Game) -> Choice:
        self._keyboard.start_clock()
        return self._human.select_action(game)


class Terminal:
    """Shows a game, and reads what a person types.

    Args:
        seating: the players.
        game: the game to start from.
        lines: the lines that a person types.
        ascii_only: whether to draw the board without lines and discs.
        is_live: whether the clock may be redrawn, which needs a terminal.
    """

    def __init__(
        self,
        seating: Seating,
        game: Game,
        *,
        lines: PipeLines,
        ascii_only: bool = False,
        is_live: bool = False,
    ) -> None:
        self._seating, self._ascii = seating, ascii_only
        self._keyboard = Keyboard(lines, seating.seconds_per_move, is_live=is_live)
        commands = {"undo": self._undo, "quit": self._quit}
        self._human = HumanAgent(self._typed, _tell, seating.hint, commands, also=["save FILE"])
        person = _Person(self._human, self._keyboard)
        self._table = Table(seating, person, game, on_move=self._show, on_back=self._draw)

    def run(self) -> int:
        """Plays until the end, or until a person quits.

        Returns:
            The exit status: 0, or 130 after Ctrl-C.
        """
        status = 0
        self._draw(self._table.game)
        if not self._seating.is_watched:
            _tell(self._human.help_text(self._table.game))
        try:
            self._table.run()
        except Quit:
            self._table.leave()
        except KeyboardInterrupt:
            _tell("")
            self._table.leave()
            status = 130
        _tell(end_text(self._table.game, self._table.result))
        return status

    def save(self, path: str) -> str:
        """Writes the record, and returns a message about it.

        Raises:
            SaveError: it cannot be written.
        """
        return self._table.save(path)

    def _typed(self, prompt: str) -> str:
        while True:
            try:
                text = self._keyboard.ask(prompt)
            except EOFError:
                _tell("")
                raise Quit from None
            word, _, path = text.strip().partition(" ")
            if word.lower() == "q":
                return "quit"
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
        _tell("time: black {}, white {}".format(*map(clock_text, self._table.seconds)))
        if self._seating.is_watched and not move.game.is_over:
            time.sleep(self._seating.delay)

    def _draw(self, game: Game) -> None:
        info = info_of(game)
        _tell(board_text(game.planes, info.style, last=game.last_action, ascii_only=self._ascii))
        caption = info.caption(game)
        if caption:
            _tell(caption)


def _tell(text: str) -> None:
    print(text, flush=True)
