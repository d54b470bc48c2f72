"""`sixplane play` lets people and agents play at one board, in the terminal or a browser."""

from __future__ import annotations

import argparse
import dataclasses
import io
import random
import secrets
import sys
from typing import Final

from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.agents.called import called, level_name, rung_of
from sixplane.agents.spec import HUMAN, SPEC_HELP, AgentSpec
from sixplane.cli import CommandError, failing
from sixplane.cli.arguments import delay, natural, seconds, seed
from sixplane.cli.game_options import add_game_options, game_of, options_of, rules_of
from sixplane.cli.page import add_page_options, listen, serve_page
from sixplane.cli.parser import Commands
from sixplane.cli.players import DEFAULT_HELP, check_player, closing, default_spec, spec_of
from sixplane.cli.signals import interrupted_by_signals
from sixplane.ladder import LadderError, rungs
from sixplane.play.keyboard import Keyboard
from sixplane.play.line_editor import LineEditor
from sixplane.play.players import Players
from sixplane.play.record_file import RecordFiles, read_record
from sixplane.play.screen import Screen
from sixplane.play.streak import Streak
from sixplane.play.terminal import WORDS, Terminal
from sixplane.protocols.lines import PipeLines

#: The usual port of the page.
PORT: Final = 7660

EPILOG = f"""\
{SPEC_HELP}

in the terminal, type
  D4        to play there         undo    to take your last move back
  pass      where that is legal   hint    to see a good move
  resign    to give the game up   help    for all else

examples
  sixplane play --web
  sixplane play --game reversi --level 7
  sixplane play --load game.sgf
  sixplane play --size 13 --color white --opponent 'gtp:gnugo --mode gtp'
  sixplane play --game reversi --opponent human
  sixplane play --watch random --opponent random --delay 0.3
"""


def add_parser(commands: Commands) -> None:
    parser = commands.add_parser(
        "play",
        help="play against an agent or a person, or watch two agents",
        description="Lets a person play against an agent or another person, or agent against agent.",
        epilog=EPILOG,
    )
    add_game_options(parser)
    # A record names its game, so the parser has none of its own.
    parser.set_defaults(game=None)
    opponent = parser.add_mutually_exclusive_group()
    opponent.add_argument("--opponent", help=f"who plays against you: an agent, or 'human' ({DEFAULT_HELP})")
    opponent.add_argument(
        "--level",
        type=natural,
        metavar="N",
        help="play against a level of known strength, from 0 for random moves up, about 100 Elo apart; "
        "on boards that have a ladder, such as Go 9x9",
    )
    parser.add_argument(
        "--color", choices=("black", "white", "random"), default="black", help="your color (black)"
    )
    parser.add_argument("--watch", metavar="AGENT", help="let this agent play in your place")
    parser.add_argument("--hint", metavar="AGENT", help=f"the agent that gives hints ({DEFAULT_HELP})")
    parser.add_argument(
        "--seconds-per-move", type=seconds, help="the time for a move; a longer one loses (no limit)"
    )
    parser.add_argument(
        "--delay", type=delay, default=0.3, help="seconds between the moves of two agents (0.3)"
    )
    parser.add_argument("--load", metavar="FILE", help="go on with the game of an SGF file")
    parser.add_argument("--save", metavar="FILE", help="write the game as SGF at the end")
    parser.add_argument("--seed", type=seed, help="the seed of the agents (random)")
    parser.add_argument("--ascii", action="store_true", help="draw the board with X, O and . alone")
    parser.add_argument("--web", action="store_true", help="play in a browser (sixplane[web])")
    add_page_options(parser, PORT, "--web: ")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays one game, in a browser as many as the person likes."""
    _check_web(arguments)
    game = _game(arguments)
    if arguments.save is not None:
        RecordFiles().check(arguments.save)
    players = _players_of(arguments, game)
    with interrupted_by_signals(), closing(*players.seats, players.hint):
        if arguments.web:
            _serve(arguments, players, game)
            return 0
        shown = _terminal(players, game, arguments.ascii)
        try:
            status = shown.run()
            _propose(arguments, players, shown)
        finally:
            if arguments.save is not None:
                print(shown.save(arguments.save))
    return status


def _game(arguments: argparse.Namespace) -> Game:
    """Returns the game to play: a new one, or that of a record."""
    if arguments.load is None:
        arguments.game = arguments.game or "go"
        return game_of(arguments)
    usual = None if arguments.game is None else game_of(arguments)
    max_moves: int | None = getattr(arguments, "max_moves", None)
    game, left_out = read_record(arguments.load, usual, max_moves=max_moves)
    if left_out:
        print(f"sixplane: {arguments.load}: {left_out}", file=sys.stderr)
    _check_rules(arguments, game)
    return game


def _check_rules(arguments: argparse.Namespace, game: Game) -> None:
    """Refuses rules that differ from those of the record."""
    side = game.rows if game.rows == game.cols else None
    for name, value in rules_of(arguments).items():
        same = (side, (game.rows, game.cols)) if name == "size" else (getattr(game, name, None),)
        if value not in same:
            raise CommandError("--load takes the game and its rules from the record", status=2)


def _players_of(arguments: argparse.Namespace, game: Game) -> Players:
    rng = random.Random(secrets.randbits(63) if arguments.seed is None else arguments.seed)
    level = None if arguments.level is None else _level(arguments.level, game)
    opponent = default_spec(game) if level is None else f"ladder:+{level}"
    texts = (arguments.watch or HUMAN, arguments.opponent or opponent)
    adviser = arguments.hint or default_spec(game)
    for text in dict.fromkeys((*texts, adviser)):
        check_player(spec_of(text), game, arguments.seconds_per_move)
    first, second = (_player(text, game, rng) for text in texts)
    hint, _ = _player(adviser, game, rng)
    if hint is None:
        raise CommandError("a person gives no hints: --hint takes an agent", status=2)
    color = rng.choice(("black", "white")) if arguments.color == "random" else arguments.color
    black, white = (first, second) if color == "black" else (second, first)
    return Players(
        (black[0], white[0]),
        (black[1], white[1]),
        hint,
        seconds_per_move=arguments.seconds_per_move,
        delay=arguments.delay,
        level=rung_of(spec_of(texts[1]), game),
    )


def _level(number: int, game: Game) -> int:
    """Returns the number of a level, which the board of a game must have."""
    try:
        top = rungs(game)[-1]
    except LadderError as error:
        raise CommandError(f"--level: {error}", status=2) from error
    if number > top.number:
        board = f"{type(game).__name__} {game.rows}x{game.cols}"
        raise CommandError(
            f"--level: {board} has no level {number}; the highest is {level_name(top)}", status=2
        )
    return number


def _propose(arguments: argparse.Namespace, players: Players, shown: Terminal) -> None:
    """Names the level above after a win, the one below after a loss, and the command that plays it."""
    if shown.winner is None:
        return
    game = shown.game
    level = Streak().after(players, game, shown.winner).next_level
    if level is None:
        return
    limit = [] if game.max_moves is None else [f"--max-moves {game.max_moves}"]
    words = ["sixplane play", *options_of(game), *limit, f"--level {level.number}"]
    # A handicap is for Black, who keeps it; else the colors change.
    is_black = players.persons[0] == bool(getattr(game, "handicap", 0))
    words += [] if is_black else ["--color white"]
    if players.seconds_per_move is not None:
        words.append(f"--seconds-per-move {players.seconds_per_move:g}")
    if arguments.ascii:
        words.append("--ascii")
    print(f"next: {level_name(level)}\n  {' '.join(words)}")


def _check_web(arguments: argparse.Namespace) -> None:
    """Refuses options of the page without `--web`."""
    if arguments.web:
        return
    for name in ("port", "host", "no_open"):
        value = getattr(arguments, name)
        if value is not None and value is not False:
            raise CommandError(f"--{name.replace('_', '-')} is an option of --web", status=2)


def _serve(arguments: argparse.Namespace, players: Players, game: Game) -> None:
    """Serves the page until Ctrl-C, then writes the record of the last game where one was asked for."""
    with failing(ModuleNotFoundError, status=1):
        from sixplane.web.opponents import Opponents
        from sixplane.web.server import PageServer
    named = [spec_of(text) for text in (arguments.opponent, arguments.watch) if text is not None]
    given = {spec.title: spec for spec in named if spec.kind != HUMAN}
    opponents = Opponents(default_spec, _check_for_page, given, arguments.hint, arguments.delay)
    # The page has its own word for a person without a name.
    black, white = ("" if name == HUMAN else name for name in players.names)
    players = dataclasses.replace(players, names=(black, white))
    server = listen(
        lambda host, port: PageServer(players, game, opponents, host=host, port=port), arguments, PORT
    )
    try:
        serve_page(server, "plays", opens=not arguments.no_open)
    finally:
        if arguments.save is not None:
            RecordFiles().write(arguments.save, server.session.record())
            print(f"saved {arguments.save}")


def _check_for_page(spec: AgentSpec, game: Game, seconds: float | None) -> None:
    """Checks as `check_player` does, with an error that a page can show."""
    try:
        check_player(spec, game, seconds)
    except CommandError as error:
        raise ValueError(str(error)) from error


def _terminal(players: Players, game: Game, ascii_only: bool) -> Terminal:
    # Messages repeat what was typed, which the encoding may not have.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    screen = Screen(ascii_only=ascii_only or not _can_write_lines())
    is_live = screen.is_live and sys.stdin is not None and sys.stdin.isatty()
    limit = players.seconds_per_move
    if is_live and LineEditor.is_possible():
        return Terminal(players, game, LineEditor(limit, WORDS, screen.columns), screen)
    return Terminal(players, game, Keyboard(PipeLines(), limit, is_live=is_live), screen)


def _player(text: str, game: Game, rng: random.Random) -> tuple[Agent | None, str]:
    """Returns an agent and its name; None for a person."""
    spec = spec_of(text)
    if spec.kind == HUMAN:
        return None, spec.title
    return spec.make(rng.getrandbits(63)), called(spec, game)


def _can_write_lines() -> bool:
    try:
        "┌●○╋".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
