"""A game in the terminal: moves are typed, and the board is drawn as text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from sixplane import match
from sixplane._core import Game
from sixplane.agents import HumanAgent
from sixplane.agents.agent import Agent, Choice
from sixplane.games import COLORS, can_only_pass, info_of
from sixplane.play.keyboard import Asker, used_text
from sixplane.play.players import Players
from sixplane.play.record_file import RecordError, RecordFiles, read_record
from sixplane.play.screen import Screen
from sixplane.play.sign import ThinkingSign

#: The words that can be typed besides points.
WORDS: Final = ("pass", "undo", "hint", "resign", "board", "save", "load", "help", "quit")

#: What is counted beside the board, of Black and of White.
_TALLIES: Final = {
    "captured": "captured: by black {}, by white {}",
    "discs": "discs: black {}, white {}",
}

#: What the last line says of a player whose action is no point.
_VERBS: Final = {"pass": "passes", "swap": "swaps"}

#: The seconds of a move are shown from here on.
LEAST_SHOWN: Final = 0.1


class _Quit(BaseException):
    """Says that a person leaves the game."""


class _OtherGame(BaseException):
    """Says that a person takes a move back, or loads a record: play goes on from its game."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game


class _Person:
    """Asks a person who types, and starts the clock."""

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
    """Asks the agent that gives hints, and shows that it thinks."""

    def __init__(self, agent: Agent, sign: ThinkingSign) -> None:
        self._agent, self._sign = agent, sign

    def select_action(self, game: Game) -> Choice:
        with self._sign.shown("looking for a hint"):
            return self._agent.select_action(game)


class Terminal:
    """Shows a game, and reads what a person types."""

    def __init__(self, players: Players, game: Game, keyboard: Asker, screen: Screen) -> None:
        self._players, self._keyboard, self._screen = players, keyboard, screen
        self._sign = ThinkingSign(screen.write, is_live=screen.is_live)
        self._human = HumanAgent(
            self._typed,
            screen.write_line,
            _Adviser(players.hint, self._sign),
            {"undo": self._undo, "board": self._again, "quit": self._quit},
            also=["save FILE", "load FILE"],
            manual=self._manual,
            shows_board=False,
        )
        self._agents = players.agents(_Person(self._human, keyboard, self._forget_unseen))
        self._files = RecordFiles()
        self._game = game.copy()
        self._result: match.Result | None = None
        #: The time so far of Black and of White, moves that were taken back included.
        self._seconds = self._earlier = (0.0, 0.0)
        self._is_left = False
        #: The moves since a person was asked last, in words.
        self._unseen: list[str] = []

    def run(self) -> int:
        """Plays until the end, or until a person quits.

        Returns:
            The exit status: 0, or 130 after Ctrl-C.
        """
        status = 0
        self._draw(self._game)
        if not self._players.is_watched:
            self._screen.write_line(self._human.help_text(self._game))
        try:
            self._play()
        except _Quit:
            self._is_left = True
        except KeyboardInterrupt:
            self._sign.stop()
            self._screen.write_line("")
            self._is_left = True
            status = 130
        finally:
            self._sign.stop()
        ending = info_of(self._game).stopped(self._game) if self._result is None else str(self._result)
        self._screen.write_line(ending, "strong")
        return status

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self._game

    @property
    def winner(self) -> match.Winner | None:
        """Who has won; None if the game did not end."""
        return None if self._result is None else self._result.winner

    def save(self, path: str) -> str:
        """Writes the record, and returns a message about it.

        Raises:
            RecordError: it cannot be written.
        """
        result = None if self._result is None else self._result.sgf_result
        if result is None and self._is_left:
            # In Reversi the discs then decide.
            result = info_of(self._game).stopped_result(self._game)
        black, white = self._players.names
        self._files.write(path, self._game.to_sgf(black_name=black, white_name=white, result=result))
        return f"saved {path}"

    def _play(self) -> None:
        """Plays to the end, with moves taken back and records loaded as persons ask for it."""
        self._await(self._game)
        limit = self._players.seconds_per_move
        while self._result is None:
            self._earlier = self._seconds
            try:
                self._result = match.play(*self._agents, self._game, limit, on_move=self._moved)
                self._game = self._result.record
            except _OtherGame as other:
                self._game = other.game
                self._show(self._game)
                self._await(self._game)

    def _typed(self, prompt: str) -> str:
        while True:
            try:
                text = self._keyboard.ask(prompt)
            except EOFError:
                self._screen.write_line("")
                raise _Quit from None
            word, _, path = text.strip().partition(" ")
            if word.lower() == "q":
                return "quit"
            try:
                if word.lower() == "save":
                    self._screen.write_line(self.save(path.strip()))
                elif word.lower() == "load":
                    self._load(path.strip())
                else:
                    return text
            except RecordError as error:
                self._screen.write_line(str(error), "warn")

    def _load(self, path: str) -> None:
        """Goes on with the game of a record.

        Raises:
            RecordError: it cannot be played on, or is of another game or size.
        """
        now = self._game
        game, left_out = read_record(path, now=now, max_moves=now.max_moves)
        if (type(game), game.rows, game.cols) != (type(now), now.rows, now.cols):
            title = f"{info_of(game).title} {game.rows}x{game.cols}"
            raise RecordError(f"{path} is a game of {title}: begin with sixplane play --load {path}")
        self._unseen = [f"loaded {path}", *([left_out] if left_out else [])]
        raise _OtherGame(game)

    def _undo(self, _game: Game) -> str:
        before = self._players.before_last_person(self._game)
        if before is None:
            return "nothing to take back"
        self._forget_unseen()
        raise _OtherGame(before)

    def _quit(self, _game: Game) -> str:
        raise _Quit

    def _again(self, game: Game) -> str:
        self._screen.clear()
        self._draw(game)
        return self._times()

    def _manual(self, game: Game) -> str:
        info = info_of(game)
        rows = [("D", "play in that column") if info.style.drops else ("D4", "play there")]
        if info.has_pass:
            rows.append((info.passing, f"{info.passing}, where that is legal"))
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
        self._game = move.game
        black, white = (sum(times) for times in zip(self._earlier, move.total_seconds, strict=True))
        self._seconds = (black, white)
        name = info_of(move.game).name_of(move.game, move.action)
        text = f"{COLORS[move.color]} {_VERBS.get(name, name)}"
        text += f" ({used_text(move.seconds)})" if move.seconds >= LEAST_SHOWN else ""
        if not self._screen.is_live or self._players.is_watched:
            self._forget_unseen()
        self._unseen.append(text)
        self._show(move.game)
        if self._players.is_watched and not move.game.is_over:
            time.sleep(self._players.delay)
        self._await(move.game)

    def _forget_unseen(self) -> None:
        self._unseen = []

    def _show(self, game: Game) -> None:
        """Shows the position after an action, or after one was taken back."""
        self._screen.clear()
        if self._unseen:
            self._screen.write_line(
                ("" if self._screen.is_live else "\n") + ", ".join(self._unseen), "strong"
            )
        self._draw(game)
        self._screen.write_line(self._times())

    def _times(self) -> str:
        return "time: black {}, white {}".format(*map(used_text, self._seconds))

    def _draw(self, game: Game) -> None:
        info = info_of(game)
        is_asked = not game.is_over and self._players.persons[game.turn]
        marks = game.legal_actions.tolist() if info.marks_legal and is_asked else []
        self._screen.board(game, [action for action in marks if action < game.num_actions - 1])
        if tally := info.tally(game):
            what, *counts = tally
            self._screen.write_line(_TALLIES[what].format(*counts))

    def _await(self, game: Game) -> None:
        """Shows that an agent thinks, if one is asked to move."""
        if not (game.is_over or self._players.persons[game.turn] or can_only_pass(game)):
            self._sign.start(f"{COLORS[game.turn]} is thinking", self._players.seconds_per_move)
