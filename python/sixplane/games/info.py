"""What the package has to know of a game besides its rules."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from sixplane._core import Game

if TYPE_CHECKING:
    from sixplane.games.style import Style

#: A game that might go on for ever is cut off after so many actions for each point: players who do not pass
#: can repeat positions under simple ko. Of 3,000 games of random players not one was as long on 9x9 or 7x7,
#: and 0.8 % on 5x5; after two actions for each point 2 %, 10 % and 24 % were still going on.
MOVES_PER_POINT: Final = 3

#: The registered class.
G = TypeVar("G", bound=Game)


@dataclass(frozen=True)
class RuleOption:
    """A rule that a caller may choose: an argument of the class, and an option of the command line."""

    name: str
    """The keyword of the class, such as `exact_five`; the option is `--exact-five`."""
    kind: type[bool | int | float | str]
    """The type of its value. A `bool` is a flag, an `int` of a game of sixplane is 0 or more."""
    help: str
    choices: tuple[str, ...] = ()
    """The values of a `str`."""


def moves_text(number: int) -> str:
    """Writes a number of moves in words.

    Example:
        >>> moves_text(1), moves_text(2)
        ('1 move', '2 moves')
    """
    return f"{number} move{'' if number == 1 else 's'}"


def long_game(game: Game) -> int:
    """Counts the actions after which a game is cut off where nobody gives its length.

    Example:
        >>> import sixplane
        >>> long_game(sixplane.Go(9))
        243
    """
    return game.move_number + MOVES_PER_POINT * game.rows * game.cols


def _stopped(game: Game) -> str:
    return f"stopped after {moves_text(game.move_number)}"


@dataclass(frozen=True)
class GameInfo(Generic[G]):
    """What environments, pictures and the command line have to know of a game."""

    title: str
    """The name in messages, such as `Connect Four`. Gymnasium has it without the space."""
    game_class: type[G]
    """Makes games: `game_class(size=..., max_moves=..., **rules)`."""
    style: Style
    """How its board looks; it names the points as the class does, whatever it says of that."""
    player: str
    """The options of the search that plays it unless the user names an agent, such as
    `seconds=1,threads={threads}`; `{threads}` becomes the number of processors."""
    prefers_network: Callable[[G], bool] = lambda _game: False
    """A function of a game: whether a search with a network is stronger on this board, by matches."""
    rules: tuple[RuleOption, ...] = ()
    """The rules to choose, besides `size` and `max_moves`."""
    rules_in_words: Callable[[G], str] = lambda _game: ""
    """A function of a game: its rules in English, for readers who do not know the game."""
    has_pass: bool = True
    """Whether a player may ever pass."""
    passing: str = "pass"
    """What the pass means in this game, in one word: under the swap rule of Hex it is the swap."""
    inputs: tuple[str, ...] = ("own", "opponent", "invalid", "passed", "ones")
    """The input planes of a new network, as `sixplane.nets.input_planes` names them."""
    counts_points: bool = False
    """Whether the player wins who owns more points or discs at the end."""
    score_share: float = 1 / 8
    """The lead that a network counts as 1, as a share of the points of the board, where points count."""
    has_score_table: bool = False
    """Whether the score table of Gomoku knows this game."""
    has_solver: bool = False
    """Whether `solve` finds out for certain who wins, on boards that are not too large for it."""
    has_liberties: bool = False
    """Whether stones live by liberties: the game then has chains, eyes and owners of points, as `Go` has."""
    speaks_gtp: bool = False
    """Whether the Go Text Protocol knows this game."""
    gtp_name: str = ""
    """What `set_game` of GTP calls this game; empty for the one that needs no name."""
    may_repeat: Callable[[G], bool] = lambda _game: False
    """A function of a game: whether positions may repeat, so that games of random players may never end."""
    tally: Callable[[G], tuple[str, int, int] | None] = lambda _game: None
    """A function of a game: what is counted beside the board, of Black and of White; or None.

    What is counted is `"captured"` or `"discs"`.
    """
    marks_legal: bool = False
    """Whether few actions are legal, so that a board that a person plays on marks those, not the others."""
    stopped: Callable[[G], str] = _stopped
    """A function of a game: what is said about one that was left before its end."""
    stopped_result: Callable[[G], str | None] = lambda _game: None
    """A function of a game: the result of such a game for its record, as SGF writes it; None: it has none."""

    def __post_init__(self) -> None:
        names = {name: getattr(self.game_class, name) for name in ("skips_i", "row_one_at_top")}
        object.__setattr__(self, "style", replace(self.style, passing=self.passing, **names))

    def score_unit(self, rows: int, cols: int) -> float:
        """Returns how many points of the score a network counts as 1 on a board of this size.

        A network sees a board as means over its points, so that a unit in proportion to them has it say the
        same of a lead by the same share of a larger board.

        Example:
            >>> from sixplane.games import GAMES
            >>> GAMES["go"].score_unit(9, 9), GAMES["gomoku"].score_unit(15, 15)
            (10.0, 1.0)
        """
        return self.score_share * rows * cols if self.counts_points else 1.0

    def name_of(self, game: G, action: int) -> str:
        """Returns what people call an action: its name in the game, and `passing` for the pass.

        Example:
            >>> from sixplane import Hex
            >>> from sixplane.games import GAMES
            >>> game = Hex(size=5, swap=True)
            >>> [GAMES["hex"].name_of(game, action) for action in (0, 25)]
            ['A1', 'swap']
        """
        return self.passing if action == game.num_actions - 1 else game.action_to_name(action)

    @property
    def unique_title(self) -> str:
        """The title that no other game has: of a game of your own its name, such as `my_game:Nim`.

        Example:
            >>> from sixplane.games import GAMES
            >>> GAMES["connect4"].unique_title
            'Connect Four'
        """
        name = self.game_class.name
        return name if ":" in name else self.title

    @property
    def env_id(self) -> str:
        """The name of its environment in Gymnasium, such as `sixplane/ConnectFour-v0`.

        It has the letters and digits of the title, without accents; if there are none, the name of the class.
        """
        plain = unicodedata.normalize("NFKD", self.title).replace("-", " ").split()
        words = ["".join(filter(str.isalnum, word)) for word in plain]
        joined = "".join(word[:1].upper() + word[1:] for word in words) or self.game_class.__name__
        return f"sixplane/{unicodedata.normalize('NFC', joined)}-v0"

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The keywords of its rules."""
        return tuple(rule.name for rule in self.rules)
