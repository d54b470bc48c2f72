"""The games of sixplane, one line each: environments, pictures and the command line list them from here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeGuard, cast

from sixplane._core import Game, OwnGame
from sixplane._other_names import did_you_mean
from sixplane.games import connect_four, go, gomoku, reversi, tic_tac_toe
from sixplane.games.hex import INFO as HEX  # the name of a builtin function
from sixplane.games.info import GameInfo, RuleOption
from sixplane.games.own import OWN_GAMES, own_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sixplane._core import Go

__all__ = [
    "COLORS",
    "GAMES",
    "GameInfo",
    "RuleOption",
    "can_only_pass",
    "check_gtp",
    "check_rules",
    "game_of",
    "game_to_play",
    "has_liberties",
    "info_named",
    "info_of",
    "no_game",
]

#: The length from which names are cut in messages.
LONG: Final = 100

#: The players by their numbers.
COLORS: Final = ("black", "white")


class _Games(dict[str, "GameInfo[Game]"]):
    """The games of sixplane, which are listed, and your own of this process, which are found by their names.

    Nothing is imported here: a name may come from a file that somebody else has made.
    """

    def __missing__(self, name: str) -> GameInfo[Game]:
        return cast("GameInfo[Game]", OWN_GAMES[name])

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in OWN_GAMES


#: Every game by its name, in the order of the names. Functions of an entry get games of its own class only.
GAMES: Final[dict[str, GameInfo[Game]]] = _Games(
    (info.game_class.name, cast("GameInfo[Game]", info))
    for info in (
        connect_four.INFO,
        go.INFO,
        gomoku.INFO,
        HEX,
        reversi.INFO,
        tic_tac_toe.INFO,
    )
)


def no_game(name: str) -> str:
    """Says that there is no game of this name, and which there are."""
    if ":" in name:
        name = name if len(name) < LONG else f"{name[:LONG]}..."
        return (
            f"the game {name} is somebody's own, and unknown here: import its module first, as a command "
            "does with --game my_game.py:MyGame"
        )
    shown = repr(name) if len(name) < LONG else f"{name[:LONG]!r}..."
    return f"there is no game {shown}{did_you_mean(name, GAMES)}; there are {', '.join(GAMES)}"


def info_named(name: str, *, imports: bool = False) -> GameInfo[Game]:
    """Returns the registered facts about the game of this name.

    Args:
        name: the name, or with `imports`, also `FILE.py:CLASS` or `module:CLASS`.
        imports: whether the module of a game of your own may be imported: never if a file names it.

    Raises:
        ValueError: there is none.
        TypeError: the name is no text, but such as the class of a game.
    """
    if not isinstance(name, str):
        raise TypeError(f"game must be the name of a game, such as 'go' or 'module:CLASS', not {name!r}")
    if imports and ":" in name:
        return cast("GameInfo[Game]", own_game(name))
    if name not in GAMES:
        raise ValueError(no_game(name))
    return GAMES[name]


def info_of(game: Game) -> GameInfo[Game]:
    """Returns the registered facts about a game object.

    Raises:
        TypeError: it is none of these games.
    """
    return _info_of_class(type(game))  # type: ignore[arg-type]  # a class hashes, whatever its objects do


@cache
def _info_of_class(game_class: type) -> GameInfo[Game]:
    if issubclass(game_class, OwnGame) and hasattr(game_class, "info"):
        return cast("GameInfo[Game]", game_class.info)
    for info in GAMES.values():
        if issubclass(game_class, info.game_class):
            return info
    raise TypeError(f"{game_class.__name__} is none of the games {', '.join(GAMES)}")


def has_liberties(game: Game) -> TypeGuard[Go]:
    """Says whether stones live by liberties: then a game has the members of `Go` for chains and eyes.

    Example:
        >>> import sixplane
        >>> has_liberties(sixplane.Go()), has_liberties(sixplane.Gomoku())
        (True, False)
    """
    return info_of(game).has_liberties


def can_only_pass(game: Game) -> bool:
    r"""Returns whether a pass is the only legal action, so that the player to play is not asked to move.

    Example:
        >>> import sixplane
        >>> can_only_pass(sixplane.Go()), can_only_pass(sixplane.Reversi.from_text("OX..\n" + "....\n" * 3))
        (False, True)
    """
    actions = game.legal_actions
    return len(actions) == 1 and bool(actions[0] == game.num_actions - 1)


def check_rules(
    name: str, rules: Iterable[str], written: Callable[[str], str] = str, others: Iterable[str] = ()
) -> None:
    """Makes sure that a game has rules of these names, beside `size` and `max_moves`.

    Args:
        name: the name of the game.
        rules: the names of rules.
        written: how messages write a rule, such as the option of a command.
        others: names that are no rules but may have been meant.

    Raises:
        ValueError: it has none such.

    Example:
        >>> check_rules("go", ["size", "komi"])
        >>> try:
        ...     check_rules("reversi", ["komi"])
        ... except ValueError as error:
        ...     print(error)
        komi is a rule of go, not of reversi
    """
    own = (*info_named(name).rule_names, "size", "max_moves")
    for rule in rules:
        if rule in own:
            continue
        if owners := [other for other, info in GAMES.items() if rule in info.rule_names]:
            raise ValueError(f"{written(rule)} is a rule of {', '.join(owners)}, not of {name}")
        near = did_you_mean(rule, (*own, *others))
        raise ValueError(f"{name} has no rule {rule!r}{near}; it has {', '.join(own)}")


def game_of(value: object) -> Game:
    """Returns the game that a value is, which may be over.

    Raises:
        TypeError: it is no game.

    Example:
        >>> import sixplane
        >>> game_of(sixplane.Go(5)).rows
        5
    """
    if not isinstance(value, Game):
        found = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
        raise TypeError(f"game must be a game, not {found}")
    return value


def game_to_play(value: object) -> Game:
    """Returns the game that a value is, which must go on.

    Raises:
        TypeError: it is no game.
        ValueError: the game is over.

    Example:
        >>> import sixplane
        >>> game_to_play(sixplane.Go(5)).rows
        5
    """
    game = game_of(value)
    if game.is_over:
        raise ValueError("the game to play is over")
    return game


def check_gtp(game: Game) -> None:
    """Makes sure that the Go Text Protocol knows this game.

    Raises:
        TypeError: it does not.

    Example:
        >>> import sixplane
        >>> check_gtp(sixplane.Reversi())
        >>> try:
        ...     check_gtp(sixplane.Gomoku())
        ... except TypeError as error:
        ...     print(error)
        GTP is for Go and Reversi, not Gomoku
    """
    if not info_of(game).speaks_gtp:
        titles = " and ".join(info.title for info in GAMES.values() if info.speaks_gtp)
        raise TypeError(f"GTP is for {titles}, not {info_of(game).unique_title}")
