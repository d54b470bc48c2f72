"""The options that say what is played, which are the same for every command."""

from __future__ import annotations

import argparse
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sixplane.cli import failing
from sixplane.cli.arguments import board_size, natural, positive, quoted
from sixplane.errors import GameRulesError
from sixplane.games import GAMES, check_rules, info_named
from sixplane.games.info import MOVES_PER_POINT, long_game
from sixplane.games.own import written_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sixplane._core import Game
    from sixplane.cli.parser import Parser
    from sixplane.games import RuleOption

#: What the place of a rule begins with that only a game of your own has: no setting is called so.
OWN_RULE: Final = "rule "

#: What the help of `--max-moves` ends with where games are played by `ending_game_of`.
LONG_GAMES_END: Final = f" (where positions may come again: {MOVES_PER_POINT} a point)"


def add_game_options(
    parser: Parser,
    max_moves: str = "",
    games: Sequence[str] = tuple(sorted(GAMES)),
    which: str = ", or FILE.py:CLASS",
) -> None:
    """Adds the name of the game, its size and its rules.

    Args:
        parser: the parser that gets the options.
        max_moves: what the help of `--max-moves` ends with.
        games: the games that may be named.
        which: what the help of `--game` ends with; usually that a game of your own may be named, too.
    """
    parser.add_argument(
        "--game",
        type=_game_name,
        choices=_Names(games),
        default="go",
        help=f"what to play (go){which}",
    )
    # These have no default here: the game's own holds.
    own = argparse.SUPPRESS
    parser.add_argument("--size", type=board_size, default=own, help="side, or ROWSxCOLUMNS")
    counts: dict[str, argparse.Action] = {}
    for rule, owners in _owners(games).items():
        titles = ", ".join(GAMES[name].title for name in owners)
        text = f"{titles}: {rule.help}"
        if rule.kind is bool:
            parser.add_argument(_flag(rule.name), default=own, help=text, action="store_true")
        elif rule.kind is int:
            flag = _flag(rule.name)
            counts[flag] = parser.add_argument(flag, default=own, help=text, type=natural)
        else:
            parser.add_argument(_flag(rule.name), default=own, help=text, type=rule.kind)
    parser.add_argument(
        "--max-moves", type=positive, default=own, help=f"cut a game off after so many actions{max_moves}"
    )
    parser.add_more = partial(_add_own_rules, parser, counts)


def add_own_game_option(parser: Parser, text: str) -> None:
    """Adds the name of a game of your own, and the rules that it has.

    Args:
        parser: the parser that gets the options; without a name `game` is None.
        text: what the help of the option ends with.
    """
    parser.add_argument(
        "--game", type=_own_game_name, metavar="FILE.py:CLASS", help=f"a game of your own, {text}"
    )
    parser.add_more = partial(_add_own_rules, parser, {})


def _add_own_rules(parser: Parser, counts: Mapping[str, argparse.Action], words: Sequence[str]) -> None:
    """Adds the rules of a game of your own, if one is named: only its class knows them.

    Args:
        parser: the parser that gets the options.
        counts: the options of sixplane's games that take integers of at least 0.
        words: the arguments, which may name a game.
    """
    name = parser.given("--game", words) or ""
    if ":" not in name:
        return
    try:
        info = info_named(name, imports=True)
    except ValueError as error:
        parser.error(f"argument --game: {error}")
    for rule in info.rules:
        flag, text = _flag(rule.name), f"{info.title}: {rule.name}"
        # Games of sixplane may have a rule of this name and type, whose option then serves both.
        ours = [one for one in _owners(GAMES) if one.name == rule.name]
        is_ours = any(one.kind is rule.kind for one in ours)
        if parser.has(flag) and not is_ours:  # the command has another option with this name
            if ours and parser.given(flag, words) is not None:
                kinds = f"type {rule.kind.__name__}, and not {ours[0].kind.__name__} as those of sixplane"
                parser.error(f"argument {flag}: the option of {info.title} is of the {kinds}")
            continue
        place = rule.name if is_ours else f"{OWN_RULE}{rule.name}"
        metavar = rule.name.upper()
        options: dict[str, Any] = {"dest": place, "default": argparse.SUPPRESS, "help": text}
        if not parser.has(flag):
            kind = {"action": "store_true"} if rule.kind is bool else {"type": rule.kind, "metavar": metavar}
            parser.add_argument(flag, **options, **kind)
        elif flag in counts:
            # Those of sixplane are counts; what this one may be, its class says.
            counts[flag].type = int
        if rule.kind is bool and not parser.has(_no(flag)):
            parser.add_argument(_no(flag), **options, action="store_false")


class _Names(tuple[str, ...]):
    """Names of games; games of your own, which have a colon in their names, are not listed."""

    __slots__ = ()

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (":" in str(name) and name in GAMES)


def _game_name(text: str) -> str:
    """Returns the name of a game. That of a file is imported, and then known to networks and records."""
    if ":" not in text:
        if text.endswith(".py"):
            raise argparse.ArgumentTypeError(f"{text} may have many classes: name one, {text}:CLASS")
        return text
    try:
        return info_named(text, imports=True).game_class.name
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _own_game_name(text: str) -> str:
    name = _game_name(text)
    if ":" not in name:
        raise argparse.ArgumentTypeError(f"{text!r} is no game of your own, which FILE.py:CLASS names")
    return name


def rules_of(arguments: argparse.Namespace) -> dict[str, object]:
    """Returns the size and the rules that were given."""
    names = ("size", *(rule.name for rule in _owners(GAMES)), "max_moves")
    given = vars(arguments)
    own = {name.removeprefix(OWN_RULE): given[name] for name in given if name.startswith(OWN_RULE)}
    return {name: given[name] for name in names if name in given} | own


def game_of(arguments: argparse.Namespace, rules: dict[str, object] | None = None) -> Game:
    """Makes the game to play, by the rules given or those of the arguments."""
    rules = rules_of(arguments) if rules is None else rules
    with failing(TypeError, ValueError):
        check_rules(arguments.game, rules, _flag)
        return GAMES[arguments.game].game_class(**rules)


def ending_game_of(arguments: argparse.Namespace) -> Game:
    """Makes the game to play between agents, which also ends where positions may come again and again."""
    rules = rules_of(arguments)
    game = game_of(arguments, rules)
    if GAMES[arguments.game].may_repeat(game) and "max_moves" not in rules:
        game = game_of(arguments, rules | {"max_moves": long_game(game)})
    return game


def options_of(game: Game) -> list[str]:
    """Returns the options that say which game and board this is, and its rules that are not usual."""
    usual: Game | None = None
    with suppress(TypeError, ValueError, GameRulesError):  # a class of your own may have no usual game
        usual = type(game)()
    options = [f"--game {quoted(written_name(game.name))}"]
    if usual is None or (game.rows, game.cols) != (usual.rows, usual.cols):
        side = f"{game.rows}" if game.rows == game.cols else f"{game.rows}x{game.cols}"
        options.append(f"--size {side}")
    for rule in GAMES[game.name].rules:
        value = getattr(game, rule.name)
        if usual is None or value != getattr(usual, rule.name):
            flag = _flag(rule.name)
            if isinstance(value, bool):
                options.append(flag if value else _no(flag))
            else:
                options.append(f"{flag} {quoted(str(value))}")
    return options


def _owners(games: Iterable[str]) -> dict[RuleOption, list[str]]:
    """Returns each rule of these games with the names of those that have it."""
    owners: dict[RuleOption, list[str]] = {}
    for name in games:
        for rule in GAMES[name].rules:
            owners.setdefault(rule, []).append(name)
    return owners


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _no(flag: str) -> str:
    return f"--no-{flag.removeprefix('--')}"
