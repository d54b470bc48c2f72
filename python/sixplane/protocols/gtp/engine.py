"""The GTP engine reads lines, and has the commands that play, set up, load and count.

It answers what real clients send: Sabaki (plays the same color twice, undoes, wants free handicap and
rectangles), Lizzie (`lz-analyze`, `kata-analyze`), GoGui and game servers.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sixplane._core import Game, __version__, parse_sgf
from sixplane._files import read_file
from sixplane.agents.agent import RESIGN, Agent, Choice, Resignation, set_limit
from sixplane.errors import SGFError
from sixplane.games import COLORS, check_gtp, has_liberties
from sixplane.games.plays import actions_of_moves
from sixplane.protocols.gtp import rules
from sixplane.protocols.gtp.analysis import SearchingAgent, analysis_commands
from sixplane.protocols.gtp.arguments import (
    Command,
    Failure,
    alone,
    color_of,
    exactly,
    failing,
    integer,
    number,
    only,
)
from sixplane.protocols.gtp.clock import GTPClock
from sixplane.protocols.gtp.session import GTPSession
from sixplane.protocols.lines import TOO_LONG, LineSource


class GTPEngine:
    r"""Answers commands of the Go Text Protocol.

    Args:
        game: what is played; a Go or Reversi game, whose size and rules hold until others are set.
        agent: answers `genmove`. If it shows what it considers, as `MCTSAgent` does, it also answers
            the commands of analysis, `genmove_analyze` among them.
        analyst: answers the commands of analysis if the agent cannot; None: there are none then.
        name: the answer to `name`.

    Raises:
        TypeError: the game has no GTP.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import RandomAgent
        >>> engine = GTPEngine(sixplane.Go(size=5), RandomAgent(seed=1))
        >>> print(engine.answer("7 play black C3"), end="")
        =7
        <BLANKLINE>
        >>> print(engine.answer("final_score"), end="")
        = B+17.5
        <BLANKLINE>
        >>> engine.game.actions
        array([12])
        >>> import os
        >>> from sixplane.protocols.lines import PipeLines
        >>> reads, writes = os.pipe()
        >>> size = os.write(writes, b"boardsize 7\nquit\n")
        >>> os.close(writes)
        >>> answers = []
        >>> engine.run(PipeLines(reads), answers.append)
        >>> answers
        ['=\n\n', '=\n\n']
    """

    def __init__(
        self, game: Game, agent: Agent, analyst: SearchingAgent | None = None, name: str = "sixplane"
    ) -> None:
        check_gtp(game)
        self._session = GTPSession(game)
        self._agent, self._name = agent, name
        self._clock = GTPClock()
        self._is_limited = False
        self._is_go = has_liberties(game)
        self._commands = self._own_commands()
        #: These write their answers themselves, part by part.
        self._analysis = analysis_commands(self._session, agent, analyst, self._timed)
        self.has_quit = False

    @property
    def game(self) -> Game:
        """A copy of the game that is played."""
        return self._session.game

    def run(self, lines: LineSource, write: Callable[[str], None]) -> None:
        """Answers lines until `quit` or the last one.

        Args:
            lines: the source of the lines.
            write: takes the answers, whole or in parts, and must send them at once.
        """
        while not self.has_quit:
            line = lines.get()
            if line is None:
                return
            self._respond(line, write, lines.has_line)

    def answer(self, line: str) -> str:
        """Returns the whole answer to one line; empty for a comment. `analyze` reports once and ends."""
        parts: list[str] = []
        self._respond(line, parts.append, lambda: True)
        return "".join(parts)

    def _respond(self, line: str, write: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
        if line == TOO_LONG:
            write("? line too long\n\n")
            return
        text = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0]).replace("\t", " ")
        words = text.split()
        mark = words.pop(0) if words and words[0].isascii() and words[0].isdigit() else ""
        if not words:
            if mark:
                write(f"?{mark} unknown command\n\n")
            return
        name, *arguments = words
        try:
            if name in self._analysis:
                self._analysis[name](
                    arguments, lambda part: write(part.replace("=", f"={mark}", 1)), interrupted
                )
                return
            command = self._commands.get(name)
            if command is None:
                raise Failure("unknown command")
            reply = f"={mark} {command(arguments) or ''}".rstrip()
        except Failure as failure:
            reply = f"?{mark} {failure}".rstrip()
        # An empty line would end the answer.
        write(re.sub(r"\n\s*\n", "\n", reply) + "\n\n")

    def _own_commands(self) -> dict[str, Command]:
        commands: dict[str, Command] = {
            "protocol_version": alone(lambda: "2"),
            "name": alone(lambda: self._name),
            "version": alone(lambda: __version__),
            "known_command": lambda words: str(only(words) in self._names()).lower(),
            "list_commands": alone(lambda: "\n".join(sorted(self._names()))),
            "quit": alone(self._quit),
            "boardsize": self._boardsize,
            "rectangular_boardsize": self._rectangular_boardsize,
            "clear_board": alone(self._clear_board),
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": lambda words: self._name_of(self._choice(color_of(only(words)), is_played=False)),
            "undo": alone(self._session.undo),
            "showboard": alone(self._showboard),
            "final_score": alone(self._final_score),
            "final_status_list": self._final_status_list,
            "loadsgf": self._loadsgf,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
        }
        if self._is_go:
            commands |= {
                "fixed_handicap": lambda words: self._place_some(rules.fixed_points, words),
                "place_free_handicap": lambda words: self._place_some(rules.free_points, words),
                "set_free_handicap": self._set_free_handicap,
                "kata-get-rules": alone(lambda: rules.rules_json(self._session.rules)),
                "kata-set-rules": lambda words: self._set_rules(rules.read_rules, " ".join(words)),
                "kata-set-rule": lambda words: self._set_rules(rules.read_rule, *exactly(2, words)),
            }
        return commands

    def _names(self) -> set[str]:
        return {*self._commands, *self._analysis}

    # --- The game ------------------------------------------------------------------------------

    def _quit(self) -> None:
        self.has_quit = True

    def _clear_board(self) -> None:
        self._session.clear()
        self._clock.begin()

    def _resize(self, rows: int, cols: int) -> None:
        self._session.resize(rows, cols)
        self._clock.begin()

    def _boardsize(self, words: list[str]) -> None:
        if not words:
            raise Failure("boardsize not an integer")
        # Some clients send both sides.
        sides = [integer(word) for word in exactly(min(len(words), 2), words)]
        self._resize(sides[-1], sides[0])

    def _rectangular_boardsize(self, words: list[str]) -> None:
        width, height = (integer(word) for word in exactly(2, words))
        self._resize(height, width)

    def _komi(self, words: list[str]) -> None:
        komi = number(only(words))
        if self._is_go:
            self._session.set_rules({"komi": komi})

    def _play(self, words: list[str]) -> None:
        color, vertex = exactly(2, words)
        action = RESIGN if vertex.lower() == "resign" else self._action(vertex)
        with failing("illegal move"):
            repeats = self._session.play(color_of(color), action)
        if repeats:
            print(f"play: {vertex} repeats an earlier position", file=sys.stderr)

    def _action(self, vertex: str) -> int:
        with failing(f"invalid vertex {vertex[:20]}"):
            return self._session.game.name_to_action(vertex)

    def _genmove(self, words: list[str]) -> str:
        color = color_of(only(words))
        choice = self._choice(color)
        if not isinstance(choice, Resignation):
            self._session.play(color, choice)
        return self._name_of(choice)

    def _choice(self, color: int, *, is_played: bool = True) -> Choice:
        game = self._session.game_for(color)
        if game.is_over:
            raise Failure("the game is over")
        try:
            with self._timed(color, is_played=is_played):
                choice = self._agent.select_action(game.copy())
            if not isinstance(choice, Resignation):
                game.play(choice)
        except Exception as error:  # whatever the agent does, the controller gets an answer
            raise Failure(f"no move: {type(error).__name__}: {error}") from error
        return choice if isinstance(choice, Resignation) else int(choice)

    @contextmanager
    def _timed(self, color: int, *, is_played: bool = True) -> Iterator[None]:
        """Limits the time of a move of a color; if it is played, takes what it took from the color's time."""
        seconds = self._clock.seconds(color)
        if seconds is not None or self._is_limited:
            set_limit(self._agent, seconds)
            self._is_limited = seconds is not None
        begun = time.monotonic()
        try:
            yield
        finally:
            if is_played:
                self._clock.spend(color, time.monotonic() - begun)

    def _name_of(self, choice: Choice) -> str:
        return "resign" if isinstance(choice, Resignation) else self._session.game.action_to_name(choice)

    def _showboard(self) -> str:
        game = self._session.game
        taken = " captures: black {}, white {}".format(*game.captures) if has_liberties(game) else ""
        return f"\n{game}\n{COLORS[game.turn]} to play, move {game.move_number + 1}{taken}"

    def _final_score(self) -> str:
        game = self._session.game
        if game.ending == "resignation":
            return "B+Resign" if game.outcome == "black" else "W+Resign"
        score = game.score()
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def _final_status_list(self, words: list[str]) -> str:
        status = only(words).lower()
        if status not in {"alive", "dead", "seki"}:
            raise Failure("invalid status")
        game = self._session.game
        if status != "alive":
            return ""  # all stones are alive: what is dead has to be captured
        if has_liberties(game):
            chains = game.chains()
            groups = [(chains == label).ravel().nonzero()[0] for label in range(1, int(chains.max()) + 1)]
        else:
            groups = [game.planes[:2].any(axis=0).ravel().nonzero()[0]]
        return "\n".join(" ".join(game.action_to_name(int(point)) for point in group) for group in groups)

    def _loadsgf(self, words: list[str]) -> None:
        if not words:
            raise Failure("missing filename")
        number = None
        if len(words) > 1 and words[-1].isdigit():
            number, words = integer(words[-1]), words[:-1]
        try:
            root = parse_sgf(read_file(Path(" ".join(words)))).games[0]
            usual = self._session.usual
            game, warnings = root.follow(usual=usual, max_moves=usual.max_moves)
            whole = root.follow(usual=usual)[0] if game.is_truncated else game
            # With a number the position before this move of the record.
            wanted = whole.move_number
            if number is not None:
                wanted = actions_of_moves(root, whole)[: max(number, 1)][-1]
            if wanted > game.move_number:
                raise ValueError(f"it has more moves than the limit of {usual.max_moves}")
            # GTP knows positions, and no game that was given up.
            while game.move_number > wanted or game.ending == "resignation":
                game.undo()
            self._session.load(game)
            self._clock.begin()
        except (OSError, SGFError, ValueError) as error:
            raise Failure(f"cannot load file: {error}") from error
        for warning in warnings:
            # Controllers expect an empty answer.
            print(f"loadsgf: {warning}", file=sys.stderr)

    # --- Handicap and rules --------------------------------------------------------------------

    def _place_some(self, choose: Callable[[int, int, int], list[int] | None], words: list[str]) -> str:
        points = choose(*self._session.size, integer(only(words)))
        if points is None:
            raise Failure("invalid number of stones")
        return self._place(points)

    def _set_free_handicap(self, words: list[str]) -> None:
        points = [self._action(word) for word in words]
        if len(points) < rules.FEWEST_STONES or self._session.game.num_actions - 1 in points:
            raise Failure("bad vertex list")
        if len(set(points)) < len(points):
            raise Failure("repeated vertex")
        self._place(points)

    def _place(self, points: list[int]) -> str:
        if not self._session.is_untouched:
            raise Failure("board not empty")
        with failing("bad vertex list"):
            self._session.place(points)
        return " ".join(self._session.game.action_to_name(point) for point in points)

    def _set_rules(self, read: Callable[..., rules.Rules], *words: str) -> None:
        try:
            self._session.set_rules(read(*words))
        except ValueError as error:
            raise Failure(str(error)) from error

    # --- Time ----------------------------------------------------------------------------------

    def _time_settings(self, words: list[str]) -> None:
        main, byo_yomi, stones = exactly(3, words)
        with failing("syntax error"):
            self._clock.set(float(main), float(byo_yomi), int(stones))

    def _time_left(self, words: list[str]) -> None:
        color, seconds, stones = exactly(3, words)
        with failing("syntax error"):
            self._clock.set_left(color_of(color), float(seconds), int(stones))
