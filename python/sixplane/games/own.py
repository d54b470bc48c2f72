"""Games of your own: a class with the rules alone becomes a class of games."""

from __future__ import annotations

import importlib.util
import inspect
import json
import math
import os
import sys
from contextlib import suppress
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from sixplane._core import OwnGame, _OwnRules
from sixplane.errors import GameRulesError
from sixplane.games.arbiter import ClassArbiter, said
from sixplane.games.info import GameInfo, RuleOption
from sixplane.games.style import Style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType


#: The games of this process by their names, such as `my_game:TicTacToe`.
OWN_GAMES: Final[dict[str, GameInfo[OwnGame]]] = {}

#: How many symmetries of the board the rules keep, by the word that a class says it with.
SYMMETRIES: Final = {"all": 8, "flip": 2, "none": 1}

#: Rows and columns that a board can have.
SIDES: Final = range(2, 26)

#: What constructors, environments and their adapters call their own options, beside what every game has.
RESERVED: Final = frozenset((
    "autoreset_mode", "black", "color", "coordinates", "cutoff", "device", "dtype", "flatten", "game",
    "history", "illegal", "info", "judge", "list_legal", "max_episode_steps", "max_illegal", "max_moves",
    "num_envs", "opening_moves", "opponent", "planes", "render_mode", "reward", "seat", "seed", "size",
    "start", "strict", "symmetry", "text", "threads", "turn", "turns", "usual", "view", "white",
))  # fmt: skip

#: Reasons for which environments raise even where other illegal actions lose.
NO_ACTION: Final = ("game_over", "off_board")

#: The types of options, which a command line, a table of settings and a pickle can hold.
KINDS: Final = (bool, int, float, str)


def game_class(rules: type) -> type[OwnGame]:
    """Makes a class of games from a class that has the rules alone; it is a decorator.

    The games have all that the games of sixplane have: planes, play, undo, hash, copies, records, pictures;
    and whatever takes a game takes them. The rules look at a `Position` and at nothing else, so that equal
    positions have equal answers, which are remembered. They have these members:

    | member | what it says |
    |---|---|
    | `legal(position)` | needed: where the player to play may play, `(rows, cols)` of bool |
    | `ending(position)` | needed: None, or `(word, score)` of how the game ended, in Black's view |
    | `play(position, action)` | the stones then, `(own, opponent)`; else a stone is put on the point |
    | `may_pass(position)` | whether the player to play may pass; else never |
    | `setup(rows, cols)` | stones at the start, two boards `(black, white)`; else none |
    | `__init__(**options)` | options of the rules, with defaults: bool, int, float or str |
    | `default_size` | the size of the board where nobody asks for another; else 8 |
    | `title` | the name in words; else that of the class |
    | `endings` | the words of `ending`; else `("full", "line")` |
    | `forbidden` | why an empty point may not be played, in a word; else `"forbidden"` |
    | `symmetries` | which ones the rules keep: `"all"`, `"flip"` left to right, or `"none"` |
    | `may_repeat` | whether a position may come again, so that games may never end; else False |
    | `counts_points` | whether the score counts points or stones; else False |
    | `style` | how the board looks, a `sixplane.render.Style`; row 1 is at the bottom whatever it says |
    | `vectorized` | True: methods get and return the boards of B positions |

    What is no method belongs to the class: the games do not look at what `__init__` sets under such a name.

    A score before the end is `(None, score)`. `setup` raises `ValueError` for a board that cannot be. With
    `vectorized`, `legal` returns `(B, rows, cols)`, `play` gets the actions `(B,)`, `may_pass` returns
    `(B,)` of bool, and `ending` returns `(numbers, scores)`, both `(B,)`: 0 while the game goes on, and i for
    `endings[i - 1]`.

    A type checker that does not follow decorators of classes takes the class to be what it was.

    Raises:
        TypeError: a member is missing, or one of them is no such thing.

    Example:
        >>> import numpy as np
        >>> import sixplane
        >>> @game_class
        ... class Row:
        ...     "Players put stones on a row; no two may touch. Whoever cannot play loses."
        ...     default_size, endings, forbidden = (2, 7), ("stuck",), "touching"
        ...     def legal(self, position):
        ...         near = np.pad(~position.empty, ((0, 0), (1, 1)))
        ...         return position.empty & ~near[:, :-2] & ~near[:, 2:]
        ...     def ending(self, position):
        ...         return None if self.legal(position).any() else ("stuck", 1.0 if position.turn else -1.0)
        >>> game = Row()
        >>> game.play(3)
        >>> try:
        ...     game.play(4)
        ... except sixplane.IllegalActionError as error:
        ...     print(error.reason)
        touching
        >>> batch = sixplane.GameBatch(Row(size=(2, 5)), 3, seed=1)
        >>> batch.play_random(99)
        >>> batch.dones.tolist()
        [True, True, True]
    """
    if not isinstance(rules, type):
        raise TypeError(f"game_class makes a class of games of a class, not of {rules!r}")
    _check_members(rules)
    _check_facts(rules)
    usual: dict[str, Any] = {"squares": True, "board": "#e8dcc0", "edge": "#b59a6a", "label": "#3d2a10"}
    return made_class(
        _ClassMaker(rules),
        rules.__qualname__,
        rules.__module__,
        doc=rules.__doc__,
        options=_options_of(rules),
        size=getattr(rules, "default_size", 8),
        title=getattr(rules, "title", rules.__name__),
        style=getattr(rules, "style", Style(**usual)),
        has_pass=hasattr(rules, "may_pass"),
        counts_points=getattr(rules, "counts_points", False),
        may_repeat=getattr(rules, "may_repeat", False),
        endings=getattr(rules, "endings", ()),
    )


def made_class(
    maker: Maker,
    qualname: str,
    module: str,
    *,
    doc: str | None,
    options: tuple[RuleOption, ...],
    size: Any,
    title: str,
    style: Style,
    has_pass: bool,
    counts_points: bool,
    may_repeat: bool,
    endings: Sequence[str],
) -> type[OwnGame]:
    """Makes a class of games of what is known of its rules, and notes it among `OWN_GAMES`."""
    if taken := sorted({"resignation", "cutoff"}.intersection(endings)):
        raise TypeError(f"{qualname}.endings has {taken[0]!r}: it ends games without these rules")
    for option in options:
        if option.name in RESERVED or hasattr(OwnGame, option.name):
            raise TypeError(f"the option {option.name} of {qualname} needs another name: that one is taken")
        if option.kind is float and not math.isfinite(usual := maker.usual[option.name]):
            raise TypeError(f"the option {option.name} of {qualname} needs a finite default, not {usual}")
    file = getattr(sys.modules.get(module), "__file__", None)
    place = f"{_module_name(module, file)}:{qualname}"
    made: Any = type(
        qualname.rpartition(".")[2],
        (OwnGame,),
        {
            "__doc__": doc,
            "__module__": module,
            "__qualname__": qualname,
            "name": place,
            "default_size": size,
            "rule_names": tuple(option.name for option in options),
            "_make_rules": maker,
            **{option.name: _option(option.name) for option in options},
        },
    )
    made.__init_subclass__ = classmethod(_refuse_subclass)
    maker.games = made
    OWN_GAMES[place] = made.info = GameInfo(
        title=title,
        game_class=made,
        style=style,
        player="seconds=1",
        rules=options,
        # The aims of the colors may differ.
        inputs=("own", "opponent", "turn", "invalid", "passed", "ones"),
        rules_in_words=lambda _game: inspect.cleandoc(doc or ""),
        has_pass=has_pass,
        counts_points=counts_points,
        may_repeat=lambda game: may_repeat and game.max_moves is None,
        marks_legal=True,
    )
    return cast("type[OwnGame]", made)


def own_game(name: str) -> GameInfo[OwnGame]:
    """Finds a game of your own: one of this process, or the class in `FILE.py:CLASS` or `module:CLASS`.

    Raises:
        ValueError: there is no such file, module or class, or it cannot be imported.
    """
    if name in OWN_GAMES:
        return OWN_GAMES[name]
    place, _, class_name = name.rpartition(":")
    try:
        module = _module_of(place)
    except Exception as error:
        raise ValueError(f"the game {name}: {place} cannot be imported: {said(error)}") from error
    found: Any = module
    for part in class_name.split("."):
        found = getattr(found, part, None)
    if not (isinstance(found, type) and issubclass(found, OwnGame) and hasattr(found, "info")):
        known = [
            key for key, value in vars(module).items() if isinstance(value, type) and hasattr(value, "info")
        ]
        raise ValueError(
            f"the game {name}: {place} has no class {class_name} made by sixplane.game_class; it has "
            f"{', '.join(known) or 'none'}"
        )
    return found.info


def written_name(name: str) -> str:
    """Writes the name of a game as a command takes it; that of a game of your own names its file, too."""
    if name not in OWN_GAMES:
        return name
    game = OWN_GAMES[name].game_class
    file = getattr(sys.modules.get(game.__module__), "__file__", None)
    # A compiled module is found by its name alone.
    is_source = isinstance(game._make_rules, _ClassMaker)
    if file is None or not is_source:
        return name
    with suppress(ValueError):  # on Windows it may be on another drive
        file = os.path.relpath(file)
    return f"{file}:{game.__qualname__}"


def _module_of(place: str) -> ModuleType:
    """Returns the module in a file, or with this name, which may be a file of the working folder."""
    path = Path(place)
    if path.suffix != ".py":
        if importlib.util.find_spec(place) is None and Path(f"{place}.py").is_file():
            return _module_of(f"{place}.py")
        return importlib.import_module(place)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {place}")
    path = path.resolve()
    # As when Python runs the file: workers and pickles find its module by name, as well as those beside it.
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    module = importlib.import_module(path.stem)
    if module.__file__ is None or Path(module.__file__).resolve() != path:
        raise ImportError(f"the module {path.stem} is {module.__file__}: name the file in another way")
    return module


def _check_members(rules: type) -> None:
    for member in ("legal", "ending"):
        if not callable(getattr(rules, member, None)):
            raise TypeError(f"the rules of {rules.__name__} lack the method {member}(position)")
    for member in ("play", "may_pass", "setup"):
        if not callable(getattr(rules, member, len)):
            raise TypeError(f"{rules.__name__}.{member} must be a method")
    endings = getattr(rules, "endings", ("full", "line"))
    if not isinstance(endings, tuple | list) or not all(isinstance(word, str) and word for word in endings):
        raise TypeError(f"{rules.__name__}.endings must be a tuple of words, not {endings!r}")
    word = getattr(rules, "forbidden", "forbidden")
    if not isinstance(word, str) or not word or word in NO_ACTION:
        raise TypeError(f"{rules.__name__}.forbidden must be a word of its own, not {word!r}")
    if not isinstance(kept := getattr(rules, "symmetries", "all"), str) or kept not in SYMMETRIES:
        raise TypeError(f"{rules.__name__}.symmetries must be one of {', '.join(SYMMETRIES)}, not {kept!r}")


def _check_facts(rules: type) -> None:
    for member in ("vectorized", "may_repeat", "counts_points"):
        if not isinstance(value := getattr(rules, member, False), bool):
            raise TypeError(f"{rules.__name__}.{member} must be True or False, not {value!r}")
    if not isinstance(title := getattr(rules, "title", "Game"), str) or not title.strip():
        raise TypeError(f"{rules.__name__}.title must be a name in words, not {title!r}")
    if not isinstance(style := getattr(rules, "style", Style()), Style):
        raise TypeError(f"{rules.__name__}.style must be a sixplane.render.Style, not {style!r}")
    sides = size if isinstance(size := getattr(rules, "default_size", 8), tuple | list) else (size, size)
    if len(sides) != 2 or not all(type(side) is int and side in SIDES for side in sides):  # noqa: PLR2004
        allowed = f"a side or (rows, columns), each from {SIDES[0]} to {SIDES[-1]}"
        raise TypeError(f"{rules.__name__}.default_size must be {allowed}, not {size!r}")


def _module_name(module: str, file: str | None) -> str:
    """Returns the name under which other processes find a module; that of a script is its file's."""
    return Path(file).stem if module in ("__main__", "__mp_main__") and file else module


def _options_of(rules: type) -> tuple[RuleOption, ...]:
    if rules.__init__ is object.__init__:  # type: ignore[misc]
        return ()
    options = []
    for parameter in list(inspect.signature(rules.__init__).parameters.values())[1:]:  # type: ignore[misc]
        kind = type(parameter.default)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise TypeError(f"the options of {rules.__name__} must have names, unlike {parameter}")
        if kind not in KINDS:
            raise TypeError(
                f"the option {parameter.name} of {rules.__name__} needs a default that is a bool, int, float "
                f"or str"
            )
        options.append(RuleOption(parameter.name, kind, ""))
    return tuple(options)


def _refuse_subclass(games: type[OwnGame], /, **_: object) -> None:
    # Copies and batches would have games of the class itself.
    raise TypeError(
        f"{games.__name__} has a class of games as its base: extend the class of the rules instead"
    )


def _option(name: str) -> property:
    return property(lambda game: game._arbiter.options[name])


class Maker:
    """Makes the rules of one class of games, one object for equal options."""

    games: type[OwnGame]

    def __init__(self, usual: dict[str, Any]) -> None:
        self.usual = {
            name: _without_sign_of_zero(value) if isinstance(value, float) else value
            for name, value in usual.items()
        }
        self._made: dict[str, _OwnRules] = {}

    def make(self, options: dict[str, Any], written: str) -> _OwnRules:
        """Makes the rules with these options, which `written` writes."""
        raise NotImplementedError

    def __call__(self, given: Mapping[str, object]) -> _OwnRules:
        """Makes rules with the options that are given."""
        options = self.converted(given)
        written = json.dumps(options, sort_keys=True)
        if written not in self._made:
            self._made[written] = self.make(options, written)
        return self._made[written]

    def converted(self, given: Mapping[str, object]) -> dict[str, Any]:
        """Returns all options with those that are given, which are converted to their types.

        Raises:
            TypeError, ValueError: there is no such option, or it is of another type.
        """
        options = dict(self.usual)
        for key, value in given.items():
            if key not in self.usual:
                allowed = ", ".join((*self.usual, "max_moves"))
                raise TypeError(f"unexpected option {key!r}: allowed are {allowed}")
            options[key] = _converted(key, value, type(self.usual[key]))
        return options

    def recorded(self, text: str, given: Mapping[str, object] | None) -> _OwnRules:
        """Makes rules with the options of a record, which are JSON, but for those that are given.

        Raises:
            ValueError, TypeError: the text holds no options of these rules.
        """
        try:
            options = json.loads(text)
        except (ValueError, RecursionError):
            options = None
        if not isinstance(options, dict):
            raise ValueError(f"options in JSON are needed, not {text[:40]}")
        return self({**options, **(given or {})})


def _converted(key: str, value: object, kind: type) -> bool | float | str:
    """Returns the value of an option as its type; as for other games, NumPy's numbers and bools will do."""
    is_bool = isinstance(value, bool | np.bool_)
    if (kind is bool and is_bool) or (kind is str and isinstance(value, str)):
        return bool(value) if kind is bool else str.__str__(cast("str", value))
    if kind is int and isinstance(value, Integral) and not is_bool:
        return int(value)
    if kind is float and isinstance(value, Real) and not is_bool:
        try:
            number = float(value)
        except OverflowError:
            raise ValueError(f"{key} is too large") from None
        # Runs and networks keep options as JSON, which has no other numbers.
        if not math.isfinite(number):
            raise ValueError(f"{key} must be finite, not {number}")
        return _without_sign_of_zero(number)
    raise TypeError(f"{key} must be {kind.__name__}, not {type(value).__name__}")


def _without_sign_of_zero(number: float) -> float:
    # Equal options are written alike: -0.0 becomes 0.0.
    return number + 0.0


class _ClassMaker(Maker):
    """Makes the rules of one class of games whose rules are a Python class."""

    def __init__(self, rules: type) -> None:
        parameters = inspect.signature(rules).parameters if _options_of(rules) else {}
        super().__init__({name: parameter.default for name, parameter in parameters.items()})
        self._rules = rules

    def make(self, options: dict[str, Any], written: str) -> _OwnRules:
        try:
            rules = cast("Any", self._rules)(**options)
        except (TypeError, ValueError):  # an option that the rules refuse
            raise
        except Exception as error:
            raise GameRulesError(f"__init__ raised {said(error)}", self._rules.__name__) from error
        arbiter = ClassArbiter(rules, options, self._rules.__name__)
        return _OwnRules(
            arbiter,
            self.games,
            self._rules.__name__,
            written,
            arbiter.forbidden,
            list(arbiter.endings),
            SYMMETRIES[getattr(self._rules, "symmetries", "all")],
            bool(getattr(self._rules, "may_repeat", False)),
        )
