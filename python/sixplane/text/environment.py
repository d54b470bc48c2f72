"""A game as text, played by tools."""

from __future__ import annotations

import random
import secrets
import weakref
from contextlib import ExitStack
from inspect import signature
from os import PathLike
from typing import Any, ClassVar, Final, Literal

from sixplane._arguments import flag, integer, one_of
from sixplane._core import Game
from sixplane.agents.agent import Agent, Resignation, checked_agent
from sixplane.agents.best import best_spec
from sixplane.agents.mcts import MCTSAgent
from sixplane.errors import IllegalActionError
from sixplane.games import COLORS, GameInfo, can_only_pass, check_rules, info_named
from sixplane.games.plays import plays_of
from sixplane.match.arena import made
from sixplane.text.judge import judge_of, lost_value, value_for
from sixplane.text.points import COORDINATES, PASSING, Points
from sixplane.text.start import ROW, checked, opened

REWARDS: Final = ("outcome", "move")

#: Who plays, as the board shows it.
PLAYERS: Final = ("black (X)", "white (O)")

#: Why a move is refused, by the reason of the error.
REFUSED: Final = {
    "occupied": "a stone is there already",
    "suicide": "your stones would have no liberty there",
    "ko": "it captures at once the stone that has just captured",
    "superko": "it would repeat an earlier position",
    "no_flip": "it flips no disc",
    "no_support": "no disc lies below it",
    "pass_not_allowed": "you may not pass, since you can play",
}

#: How a game ended, by its `ending`; a word of a game of your own speaks for itself.
ENDED: Final = {
    "passes": "both players passed",
    "full": "the board is full",
    "line": "there is a winning line",
    "chain": "a chain joins two sides",
    "no_moves": "neither player can play",
    "cutoff": "it was cut off",
}

#: The longest part of a move that an answer repeats.
LONGEST: Final = 40


class _NotBegunError(ValueError, AttributeError):
    """No game has begun, so there is no property of one yet: what lists members passes over it."""


class TextGame:
    r"""A game as text, for a language model that plays one color by tools: the base of `GoText` and so on.

    It is an environment as TRL's `GRPOTrainer(environment_factory=...)` wants one: made without arguments,
    begun by `reset`, played by its public methods with docstrings, which are the tools `play` and `board`,
    and scored by `get_reward`. Another game gets a class by two lines: `name = Nim.name` for a class that
    `sixplane.game_class` made, `name = "nim.py:Nim"` for one in a file.

    Only running games are played: a move that is illegal, or no move, is answered in words and changes
    nothing but the count of `illegal_moves`. A player whose only legal action is a pass passes without being
    asked. An opponent that resigns, or plays an illegal action, loses. With the same options and the same
    row, every text is the same, if the opponent has `reseed`, no limit of time, and one thread for its
    search.

    `reward="outcome"` is +1 for a win, 0 for a draw and -1 for a loss. A game that the model leaves before
    its end counts as lost.

    `reward="move"` is the mean over the model's moves of what each loses by a search: `(q - q_best) / 2`,
    from -1 to 0. The `judge` names the best action; `q_best` is the value of a search after that one, and
    `q` that of a search after the move. The best action itself loses nothing. Each illegal move counts as
    -1, and so does one more move if the model leaves the game before its end.

    Args:
        opponent: an agent, or the spec of one, such as `"mcts:simulations=100"`.
        color: the model's: `"black"`, `"white"`, `"random"`, or `"to_play"` for the player to play at the
            start.
        reward: `"outcome"` or `"move"`.
        judge: the spec of a search, such as `"mcts:simulations=400"`, or a search such as an `MCTSAgent`;
            None for the best that comes with the package for the board that is played on, with 32
            simulations by a network or 400 without.
        turns: after so many moves of the model the episode is over, and the score of the board decides who
            has won; None for whole games.
        max_illegal: so many illegal moves lose the game; None for any number.
        list_legal: whether texts list the legal moves.
        coordinates: `"game"` for the game's own names of points, such as `D4`; `"letters"` for those of SGF,
            such as `dc`; `"shuffled"` for letters and numbers in a random order.
        symmetry: whether the model sees the board through a random symmetry.
        start: the text of an SGF record, or the path of one, whose main line is played first, with its
            board and rules; None for the game as it begins.
        move_number: how many moves of the record are played; None for all.
        opening_moves: how many random moves are played then.
        seed: the seed of everything random; None takes one from the system at every reset.
        size: rows and columns of the board.
        rules: the rules of the game, and `max_moves`.

    Raises:
        TypeError, ValueError: an option has no such value, or an agent does not play this game.

    Example:
        >>> from sixplane.text import GoText
        >>> env = GoText(size=5, color="white", max_illegal=2, list_legal=False)
        >>> text = env.reset(seed=3)
        >>> print(env.board())
        Moves so far: 1. black D1.
        <BLANKLINE>
           A B C D E
         5 . . . . . 5
         4 . . . . . 4
         3 . . . . . 3
         2 . . . . . 2
         1 . . .(X). 1
           A B C D E
        <BLANKLINE>
        It is your turn: you are white (O).
        >>> print(env.play("C3").partition("\n")[0])
        You played C3. Black played B1.
        >>> print(env.play("B1").partition("\n")[0])
        The move B1 is illegal: a stone is there already. Nothing was played. Illegal moves so far: 1 of 2.
        >>> print(env.play("the corner"))
        'the corner' is no move. Illegal moves so far: 2 of 2. The game is over: ... You lose.
        >>> env.illegal_moves, env.is_over, env.color, env.game.outcome, env.get_reward()
        (2, True, 'white', 'black', -1.0)
    """

    name: ClassVar[str]
    """The name of the game, such as `"go"`, `"nim.py:Nim"` or `Nim.name`."""

    def __init__(
        self,
        *,
        opponent: Agent | str = "random",
        color: Literal["black", "white", "random", "to_play"] = "black",
        reward: Literal["outcome", "move"] = "outcome",
        judge: MCTSAgent | str | None = None,
        turns: int | None = None,
        max_illegal: int | None = 3,
        list_legal: bool = True,
        coordinates: Literal["game", "letters", "shuffled"] = "game",
        symmetry: bool = False,
        start: str | PathLike[str] | None = None,
        move_number: int | None = None,
        opening_moves: int = 0,
        seed: int | None = 0,
        size: int | tuple[int, int] | None = None,
        **rules: Any,
    ) -> None:
        # The name may be that of a file, which is imported here.
        check_rules(self._info.game_class.name, rules, others=signature(TextGame).parameters)
        self._start: Game = self._info.game_class(**rules if size is None else rules | {"size": size})
        self._reward = one_of("reward", reward, REWARDS)
        self._coordinates = one_of("coordinates", coordinates, COORDINATES)
        self._turns = None if turns is None else integer("turns", turns, 1)
        self._max_illegal = None if max_illegal is None else integer("max_illegal", max_illegal, 1)
        self._list_legal, self._symmetry = flag("list_legal", list_legal), flag("symmetry", symmetry)
        self._defaults = checked(
            dict(zip(ROW, (seed, color, start, move_number, opening_moves), strict=True))
        )
        self._judge = None if judge is None else judge_of(judge, self._start)
        self._best_judges: dict[str, MCTSAgent] = {}
        stack = ExitStack()
        self._opponent = (
            made(opponent, self._start, stack)
            if isinstance(opponent, str)
            else checked_agent("the opponent", opponent)
        )
        weakref.finalize(self, stack.close)
        self._game: Game | None = None

    @property
    def _info(self) -> GameInfo[Any]:
        """What is known of the game; looked up, because it cannot be pickled."""
        return info_named(self.name, imports=True)

    @property
    def game(self) -> Game:
        """A copy of the game, as the rules of sixplane see it: neither turned nor renamed."""
        return self._begun().copy()

    @property
    def color(self) -> str:
        """The model's color."""
        self._begun()
        return COLORS[self._seat]

    @property
    def illegal_moves(self) -> int:
        """How often the model has given an illegal move, or words that are none."""
        self._begun()
        return self._illegal

    @property
    def is_over(self) -> bool:
        """Whether the game is over, or the model has played as many moves as `turns` allows."""
        return self._begun().is_over or (self._turns is not None and len(self._played) >= self._turns)

    def reset(self, **row: object) -> str:
        """Begins a game and tells what a player has to know: rules, names of points, history and board.

        The opponent plays until it is the model's turn.

        Args:
            row: a row of a dataset. Its `seed`, `color`, `start`, `move_number` and `opening_moves` stand for
                the options of these names, unless they are None; the rest is for others.

        Raises:
            TypeError, ValueError: one of them has no such value, the record is one of another game, or the
                game is over there.
            OSError: the record cannot be read.
        """
        given = checked(self._defaults | {name: row[name] for name in ROW if row.get(name) is not None})
        seed = secrets.randbits(62) if given["seed"] is None else given["seed"]
        game = opened(self._start, given, seed)
        if hasattr(self._opponent, "prepare"):
            self._opponent.prepare(game.copy())
        by_chance = random.Random(f"{seed}/color").randrange(2)
        seats = {"black": 0, "white": 1, "random": by_chance, "to_play": game.turn}
        self._points = Points(game, self._coordinates, self._symmetry, str(seed))
        self._seed, self._seat, self._illegal = seed, seats[given["color"]], 0
        self._played: list[tuple[Game, int]] = []
        self._losses: list[float] = []
        self._failure: BaseException | None = None
        self._game = game
        try:
            events = self._answered()
        except BaseException:
            self._game = None
            raise
        return "\n\n".join([*self._introduction(), *events, *self._situation(history=True)])

    def play(self, move: str) -> str:
        """Plays your move, and then the move of your opponent.

        Args:
            move: The point to play on, by its column and row as the board names them, or "pass".

        Returns:
            What was played, the board, and whose turn it is; or why the move is illegal.
        """
        game = self._begun()
        if self.is_over:
            return f"Nothing was played. {self._result()}"
        action = self._points.action(str(move))
        if action is None:
            return self._refused(f"{str(move)[:LONGEST]!r} is no move.")
        before, name = game.copy(), self._points.name(action)
        try:
            game.play(action)
        except IllegalActionError as error:
            reason = REFUSED.get(error.reason, error.reason.replace("_", " "))
            return self._refused(f"The move {name} is illegal: {reason}.")
        except BaseException as error:
            self._failure = error
            raise
        self._played.append((before, action))
        try:
            events = [f"You {'passed' if name == PASSING else f'played {name}'}.", *self._answered()]
        except BaseException as error:
            self._played.pop()
            self._game, self._failure = before, error
            raise
        self._failure = None
        return "\n\n".join([" ".join(events), *self._situation()])

    def board(self) -> str:
        """Shows the history of the game, the board, and whose turn it is.

        Returns:
            The moves so far, the board, and whose turn it is.
        """
        return "\n\n".join(self._situation(history=True))

    def get_reward(self) -> float:
        """Scores the game so far for the model, as the option `reward` says.

        Raises:
            RuntimeError: the opponent or the rules have failed. TRL tells the model what a tool raises, and
                goes on.
        """
        game = self._begun()
        if self._failure is not None:
            raise RuntimeError("the opponent or the rules failed in this game") from self._failure
        if self._reward == "outcome":
            return value_for(game, self._seat) if self.is_over else -1.0
        for before, action in self._played[len(self._losses) :]:
            seed = self._seed_of("judge", before)
            self._losses.append(lost_value(self._judge_for(before), before, action, seed))
        worst = self._illegal + (not self.is_over)
        return 0.0 - (sum(self._losses) + worst) / max(len(self._losses) + worst, 1)

    def _begun(self) -> Game:
        if self._game is None:
            raise _NotBegunError("no game has begun: call reset first")
        return self._game

    def _seed_of(self, purpose: str, game: Game) -> int:
        """Returns a seed for one move, so that a game does not depend on others that share an agent."""
        return random.Random(f"{self._seed}/{purpose}/{game.move_number}").getrandbits(62)

    def _judge_for(self, game: Game) -> MCTSAgent:
        """Returns the judge that was given, or the best one for the board and rules of a game."""
        if self._judge is not None:
            return self._judge
        # A record has a board of its own.
        best = best_spec(game)
        if best not in self._best_judges:
            self._best_judges[best] = judge_of(None, game)
        return self._best_judges[best]

    def _answered(self) -> list[str]:
        """Lets the opponent play until it is the model's turn; says what happened."""
        game, events = self._begun(), list[str]()
        while not self.is_over:
            is_model = game.turn == self._seat
            who = "You" if is_model else COLORS[game.turn].capitalize()
            if can_only_pass(game):
                game.play(game.num_actions - 1)
                events.append(f"{who} had no legal move and passed.")
            elif is_model:
                break
            else:
                events.append(f"{who} {self._opponent_plays(game)}.")
        return events

    def _opponent_plays(self, game: Game) -> str:
        """Plays the opponent's action; says what it did."""
        if hasattr(self._opponent, "reseed"):
            self._opponent.reseed(self._seed_of("opponent", game))
        choice = self._opponent.select_action(game.copy())
        if isinstance(choice, Resignation):
            game.resign()
            return "resigned"
        try:
            game.play(choice)
        except IllegalActionError:
            game.resign()
            return "made an illegal move"
        name = self._points.name(int(choice))
        return "passed" if name == PASSING else f"played {name}"

    def _refused(self, why: str) -> str:
        """Counts an illegal move, which may lose the game; says what is wrong and what is allowed."""
        self._illegal += 1
        most = self._max_illegal
        count = f"Illegal moves so far: {self._illegal}{'' if most is None else f' of {most}'}."
        if most is not None and self._illegal >= most:
            self._begun().resign(COLORS[self._seat])
            return f"{why} {count} {self._result()}"
        return "\n\n".join([f"{why} Nothing was played. {count}", self._allowed()])

    def _allowed(self) -> str:
        if self._list_legal:
            return f"Legal moves: {' '.join(self._points.names(self._begun().legal_actions.tolist()))}"
        passing = f', or "{PASSING}"' if self._info.has_pass else ""
        example = f'such as "{self._points.example}"{passing}'
        return f"{self._points.words} A move is a point where you may play, {example}."

    def _introduction(self) -> list[str]:
        game, most = self._begun(), self._max_illegal
        rules = self._info.rules_in_words(game)
        ends = [] if game.max_moves is None else [f"After {game.max_moves} moves in all the board decides."]
        ends += [] if self._turns is None else [f"You play at most {self._turns} moves."]
        ends += [] if most is None else [f"If you give {most} illegal moves, you lose."]
        board = f"a board of {game.cols} columns and {game.rows} rows"
        players = f"You are {PLAYERS[self._seat]}; your opponent is {PLAYERS[1 - self._seat]}."
        return [
            f"You play {self._info.title} on {board}. {players}",
            *([f"Rules: {rules}"] if rules else []),
            f"{self._points.words} Give one move at a time by the tool `play`. {' '.join(ends)}".rstrip(),
        ]

    def _situation(self, *, history: bool = False) -> list[str]:
        """Returns the parts of a text that say how the game stands."""
        game = self._begun()
        parts = [self._points.board(game)]
        if history:
            plays = enumerate(plays_of(game), 1)
            moves = [
                f"{number}. {COLORS[who]} {self._points.name(action)}" for number, (who, action) in plays
            ]
            parts.insert(0, f"Moves so far: {', '.join(moves) or 'none'}.")
        if self.is_over:
            return [*parts, self._result()]
        turn = f"It is your turn: you are {PLAYERS[self._seat]}."
        return [*parts, f"{turn} {self._allowed()}" if self._list_legal else turn]

    def _result(self) -> str:
        """Says how the game ended, and who has won."""
        game, value = self._begun(), value_for(self._begun(), self._seat)
        if not game.is_over:
            why = "you have played all your moves"
        elif game.ending == "resignation":
            is_model = value < 0
            why = "you gave too many illegal moves" if is_model else "your opponent gave up"
        else:
            ending = game.ending or "cutoff"
            why = ENDED.get(ending, ending)
        lead = game.score()
        leader = "Black" if lead > 0 else "White"
        points = f" {leader} is {abs(lead):g} ahead." if lead and self._info.counts_points else ""
        words = {1.0: "You win.", 0.0: "It is a draw.", -1.0: "You lose."}
        return f"The game is over: {why}.{'' if game.ending == 'resignation' else points} {words[value]}"
