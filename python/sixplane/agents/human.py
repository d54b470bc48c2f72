"""A person who types the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sixplane.agents.agent import RESIGN, STOP, Resignation
from sixplane.errors import IllegalActionError
from sixplane.games import info_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sixplane._core import Game
    from sixplane.agents.agent import Agent, Choice


#: Characters of an entry that may mean something.
LONGEST: Final = 40


class HumanAgent:
    """Asks for a move until a legal one is typed: `D4`, `pass`, `resign`, `q`, and `help` for the rest.

    `q` and the end of the input stop the game, and the board decides. The board is shown before the first
    question of a game; `show` of `sixplane.match` shows it after every move.

    Args:
        ask: shows a prompt and returns what is typed.
        show: shows a text.
        hint: the agent that gives hints; None: there are none.
        commands: more words, in small letters, each with a function of the game that returns the text
            to show. Its exceptions leave `select_action`, so that a program can offer `undo` and `quit`.
        also: what else a person may type, for the help.
        manual: what `help` does instead of showing `help_text`: a function as those of the commands.
        shows_board: whether to show the board before the first question of a game, and how the game ended.

    Example:
        >>> import sixplane
        >>> typed = iter(["pass", "D3"])
        >>> human = HumanAgent(ask=lambda prompt: next(typed), shows_board=False)
        >>> human.select_action(sixplane.Reversi())
        PASS is not legal: a pass is not allowed here
        19
        >>> human.help_text(sixplane.Reversi())
        'type a point such as F5, resign, quit, or help'
        >>> from sixplane.agents import RandomAgent
        >>> from sixplane.match import play
        >>> result = play(RandomAgent(seed=1), RandomAgent(seed=2), sixplane.Reversi(size=4))
        >>> HumanAgent(show=lambda text: print(text.partition(";")[0])).on_end(result)
        black wins by 1
    """

    #: The referee waits for what is typed, and then says that it came too late: a thread that waits for a
    #: line goes on after the game, and takes the line of the next one.
    keeps_time = True

    def __init__(
        self,
        ask: Callable[[str], str] = input,
        show: Callable[[str], object] = print,
        hint: Agent | None = None,
        commands: Mapping[str, Callable[[Game], str]] | None = None,
        also: Sequence[str] = (),
        *,
        manual: Callable[[Game], str] | None = None,
        shows_board: bool = True,
    ) -> None:
        self._ask = ask
        self._show = show
        self._hint = hint
        self._commands = dict(commands or {})
        self._also = tuple(also)
        self._manual = manual or self.help_text
        self._shows_board = shows_board
        self._seen: int | None = None
        """The number of the move of the last question; None before the first of a game."""
        if hint is not None:
            self._commands.setdefault("hint", self._hint_text)

    def select_action(self, game: Game) -> Choice:
        """Asks until the person types a legal action, or what ends the game."""
        if self._shows_board and (self._seen is None or game.move_number <= self._seen):
            self._show(str(game).rstrip("\n"))
            self._show(self.help_text(game))
        self._seen = game.move_number
        prompt = f"{'white' if game.turn else 'black'}: "
        while True:
            try:
                text = self._ask(prompt).strip()
            except EOFError:
                self._show("")  # the prompt has no line of its own otherwise
                return STOP
            word = text.lower()
            if word in self._commands:
                self._show(self._commands[word](game))
            elif word == "resign":
                return RESIGN
            elif word in {"q", "quit"}:
                return STOP
            elif word in {"help", "?"}:
                self._show(self._manual(game))
            elif not word:
                self._show(self.help_text(game))
            else:
                action = self._legal_action(game, text)
                if action is not None:
                    return action

    def _legal_action(self, game: Game, text: str) -> int | None:
        try:
            if len(text) > LONGEST:
                self._show(f"{text[:LONGEST]!r}... names no action")
                return None
            action = game.name_to_action(text)
            game.copy().play(action)
        except IllegalActionError as error:
            self._show(f"{text.upper()} is not legal: {str(error).rpartition(': ')[2]}")
        except ValueError as error:
            self._show(str(error))
        else:
            return action
        return None

    def help_text(self, game: Game) -> str:
        """Says what can be typed now: a pass only where it is legal."""
        actions = game.legal_actions.tolist()
        named = game.action_to_name(actions[len(actions) // 2])
        point = f"a column such as {named[0]}" if info_of(game).style.drops else f"a point such as {named}"
        words = [named] if named == "pass" else [point]
        if named != "pass" and game.num_actions - 1 in actions:
            words.append(info_of(game).passing)
        commands = dict.fromkeys([*self._commands, "quit"])
        return "type " + ", ".join([*words, "resign", *commands, *self._also, "or help"])

    def on_end(self, result: Any) -> None:
        """Shows how a game ended, as a `sixplane.match.Result` has it."""
        self._seen = None
        if self._shows_board:
            self._show("{}; seconds: black {:.2f}, white {:.2f}".format(result, *result.seconds))

    def _hint_text(self, game: Game) -> str:
        choice = self._hint.select_action(game.copy()) if self._hint is not None else RESIGN
        return "hint: " + (
            "resign" if isinstance(choice, Resignation) else info_of(game).name_of(game, choice)
        )
