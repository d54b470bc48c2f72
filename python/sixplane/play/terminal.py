"""A table in the terminal: moves are typed, the board is drawn as text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from sixplane.agents import HumanAgent
from sixplane.games import COLORS, info_of
from sixplane.play.keyboard import used_text
from sixplane.play.record_file import RecordError, SaveError, read_record
from sixplane.play.sign import ThinkingSign
from sixplane.play.table import Load, Quit, Table, TakeBack, end_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane import match
    from sixplane._core import Game
    from sixplane.agents.agent import Agent, Choice
    from sixplane.play.keyboard import Asker
    from sixplane.play.players import Players
    from sixplane.play.screen import Screen

__all__ = ["WORDS", "Terminal"]

#: What can be typed besides points.
WORDS: Final = ("pass", "undo", "hint", "resign", "board", "save", "load", "help", "quit")

#: Seconds of a move from which on they are told.
NOTABLE: Final = 0.1


class _Person:
    """A person who types. The clock starts when the person is asked for a move."""

    #: The keyboard watches the clock, in the thread that may read lines.
    keeps_time = True

    def __init__(self, human: HumanAgent, keyboard: Asker, done: Callable[[], object]) -> None:
        self._human, self._keyboard, self._done = human, keyboard, done

    def select_action(self, game: Game) -> Choice:
        self._keyboard.start_clock()
        choice = self._human.select_action(game)
        self._done()
        return choice


class _Adviser:
    """The agent that gives hints, with a sign while it thinks."""

    def __init__(self, agent: Agent, sign: ThinkingSign) -> None:
        self._agent, self._sign = agent, sign

    def select_action(self, game: Game) -> Choice:
        with self._sign.shown("looking for a hint"):
            return self._agent.select_action(game)


class Terminal:
    """Shows a game, and reads what a person types.

    Args:
        players: the players.
        game: the game to start from.
        keyboard: asks a person for lines.
        screen: what the person sees.
    """

    def __init__(self, players: Players, game: Game, keyboard: Asker, screen: Screen) -> None:
        self._players, self._keyboard, self._screen = players, keyboard, screen
        self._sign = ThinkingSign(screen.write, is_live=screen.is_live)
        self._human = HumanAgent(
            self._typed,
            screen.tell,
            _Adviser(players.hint, self._sign),
            {"undo": self._undo, "board": self._again, "quit": self._quit},
            also=["save FILE", "load FILE"],
            manual=self._manual,
            shows_board=False,
        )
        person = _Person(self._human, keyboard, self._forget_news)
        self._table = Table(players, person, game, on_move=self._moved, on_back=self._went_back)
        #: What has been played since a person was asked last.
        self._news: list[str] = []

    def run(self) -> int:
        """Plays until the end, or until a person quits.

        Returns:
            The exit status: 0, or 130 after Ctrl-C.
        """
        status = 0
        self._draw(self._table.game)
        if not self._players.is_watched:
            self._screen.tell(self._human.help_text(self._table.game))
        try:
            self._await(self._table.game)
            self._table.run()
        except Quit:
            self._table.leave()
        except KeyboardInterrupt:
            self._sign.stop()
            self._screen.tell("")
            self._table.leave()
            status = 130
        finally:
            self._sign.stop()
        self._screen.tell(end_text(self._table.game, self._table.result), "strong")
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
                self._screen.tell("")
                raise Quit from None
            word, _, path = text.strip().partition(" ")
            if word.lower() == "q":
                return "quit"
            try:
                if word.lower() == "save":
                    self._screen.tell(self.save(path.strip()))
                elif word.lower() == "load":
                    self._load(path.strip())
                else:
                    return text
            except (SaveError, RecordError) as error:
                self._screen.tell(str(error), "warn")

    def _load(self, path: str) -> None:
        """Goes on with the game of a record.

        Raises:
            RecordError: there is none of the game that is played here, or its game is over.
        """
        game, left_out = read_record(path)
        now = self._table.game
        if (type(game), game.rows, game.cols) != (type(now), now.rows, now.cols):
            raise RecordError(f"{path} is a game of {_title(game)}: begin with sixplane play --load {path}")
        if game.is_over:
            raise RecordError(f"{path} is a game that is over")
        self._news = [f"loaded {path}", *([left_out] if left_out else [])]
        raise Load(game)

    def _undo(self, _game: Game) -> str:
        if not self._table.can_take_back:
            return "nothing to take back"
        self._forget_news()
        raise TakeBack

    def _quit(self, _game: Game) -> str:
        raise Quit

    def _again(self, game: Game) -> str:
        self._screen.clear()
        self._draw(game)
        return self._times()

    def _manual(self, game: Game) -> str:
        info = info_of(game)
        rows = [("D4", "play there")]
        if info.has_pass:
            rows.append(("pass", "pass, where that is legal"))
        rows += [
            ("undo", "take back your last move and the reply"),
            ("hint", "show a good move"),
            ("resign", "give the game up"),
            ("board", "draw the board again"),
            ("save FILE", "write the game so far as SGF"),
            ("load FILE", "go on with the game of an SGF file"),
            ("quit, q", "stop; the board is then counted as it stands"),
            ("help, ?", "show this list"),
        ]
        if info.marks_legal:
            rows.append(("+", "marks the points where you may play"))
        self._screen.table(rows)
        return self._keyboard.manual

    def _moved(self, move: match.Move) -> None:
        self._sign.stop()
        name = move.game.action_to_name(move.action)
        color = COLORS[move.color]
        said = f"{color} passes" if name == "pass" else f"{color} {name}"
        said += f" ({used_text(move.seconds)})" if move.seconds >= NOTABLE else ""
        if not self._screen.is_live or self._players.is_watched:
            self._forget_news()
        self._news.append(said)
        self._show(move.game)
        if self._players.is_watched and not move.game.is_over:
            time.sleep(self._players.delay)
        self._await(move.game)

    def _went_back(self, game: Game) -> None:
        self._show(game)
        self._await(game)

    def _forget_news(self) -> None:
        self._news = []

    def _show(self, game: Game) -> None:
        """The position after an action, or after one was taken back."""
        self._screen.clear()
        if self._news:
            self._screen.tell(("" if self._screen.is_live else "\n") + ", ".join(self._news), "strong")
        self._draw(game)
        self._screen.tell(self._times())

    def _times(self) -> str:
        return "time: black {}, white {}".format(*map(used_text, self._table.seconds))

    def _draw(self, game: Game) -> None:
        info = info_of(game)
        is_asked = not game.is_over and self._players.persons[game.turn]
        marks = game.legal_actions.tolist() if info.marks_legal and is_asked else []
        self._screen.board(game, [action for action in marks if action < game.num_actions - 1])
        caption = info.caption(game)
        if caption:
            self._screen.tell(caption)

    def _await(self, game: Game) -> None:
        """Shows that an agent thinks, if it is asked."""
        if game.is_over or self._players.persons[game.turn]:
            return
        if game.legal_actions.tolist() != [game.num_actions - 1]:
            limit = self._players.seconds_per_move
            self._sign.start(f"{COLORS[game.turn]} is thinking", limit)


def _title(game: Game) -> str:
    return f"{info_of(game).title} {game.rows}x{game.cols}"
