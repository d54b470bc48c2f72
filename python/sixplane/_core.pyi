"""The compiled part of sixplane."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import GenericAlias
from typing import (
    ClassVar,
    Final,
    Generic,
    Literal,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    Unpack,
    final,
    overload,
)

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, TypeVar, disjoint_base

from sixplane.batch import BatchStep
from sixplane.errors import SGFWarning
from sixplane.exact import Solution
from sixplane.games.arbiter import Arbiter
from sixplane.games.info import GameInfo
from sixplane.search import BatchSearchResult, Evaluator, SearchResult, Selection

__all__ = [
    "GO_RULES",
    "MCTS",
    "PROFILE",
    "Collection",
    "ConnectFour",
    "Game",
    "GameBatch",
    "Go",
    "Gomoku",
    "Hex",
    "Node",
    "OwnGame",
    "Reversi",
    "TicTacToe",
    "__version__",
    "areas",
    "batch_areas",
    "batch_canonical_form",
    "batch_next_states",
    "canonical_form",
    "chain_liberties",
    "children",
    "coordinates",
    "default_threads",
    "dilate_planes",
    "exact_values",
    "label_planes",
    "liberties",
    "next_state",
    "own_eyes",
    "parse_sgf",
    "record_name",
    "recorded_action",
    "sample_action",
    "sample_legal",
    "score_table_actions",
    "score_table_evaluate",
    "score_table_points",
    "selfplay",
]

__version__: str

PROFILE: Final[Literal["dev", "release"]]
"""The profile of Cargo with which the module was compiled; only `release` is worth measuring."""

GO_RULES: Final[dict[str, tuple[_KoName, bool]]]
"""Names of rules of Go that count by area, in lower case: the ko rule, and whether suicide is allowed."""

def _set_callbacks(**objects: object) -> None:
    """Takes the classes and functions of the package that the core makes and calls."""

_SGFText: TypeAlias = str | bytes | bytearray | memoryview
_ColorLike: TypeAlias = Literal[0, 1, "black", "white"]
_SizeLike: TypeAlias = SupportsIndex | tuple[int, int] | list[int]
_KoName: TypeAlias = Literal["simple", "positional", "situational"]
_EyeRule: TypeAlias = Literal["diagonal", "chain", "playout"]
_Made = TypeVar("_Made")
_Reduced: TypeAlias = tuple[Callable[..., _Made], tuple[object, ...], tuple[object, ...]]

class _Limit(TypedDict, total=False):
    max_moves: int | None

class _GoRules(_Limit, total=False):
    komi: float
    ko: _KoName
    suicide: bool

class _GoRecordRules(_GoRules, total=False):
    handicap: int

class _GomokuRules(_Limit, total=False):
    exact_five: bool

class _HexRules(_Limit, total=False):
    swap: bool

@disjoint_base
class Game:
    r"""A game in play: the base class of `Go`, `Reversi`, `Gomoku` and the others.

    An action is `row * cols + col`, row 0 at the top; `rows * cols` is the pass. The class itself
    makes no games: it is there for `isinstance` and for annotations.

    What a game keeps, or has in its record, is a property, such as `planes`, `outcome` and `Go.captures`.
    What it works out from the board is a method, such as `score()`, `Go.areas()` and
    `Gomoku.winning_line()`.

    Example:
        >>> import sixplane
        >>> game = sixplane.Go(size=5, komi=0.5, max_moves=100)
        >>> game.play(12)
        >>> game.play(game.name_to_action("B2"))
        >>> game.turn, game.move_number, game.last_action, game.action_to_name(16)
        (0, 2, 16, 'B2')
        >>> game.planes.shape, game.action_mask.shape, game.history_planes(8).shape
        ((6, 5, 5), (26,), (17, 5, 5))
        >>> len(game.legal_actions), game.num_actions == game.rows * game.cols + 1, game.max_moves
        (24, True, 100)
        >>> game.undo()
        >>> game.actions, game.score(), game.is_over
        (array([12]), 24.5, False)
        >>> # A copy goes its own way.
        >>> copy = game.copy()
        >>> copy.resign("white")
        >>> copy.is_over, copy.outcome, copy.ending, copy.is_truncated
        (True, 'black', 'resignation', False)
        >>> copy == game, game.replay(copy.actions) == game
        (False, True)
        >>> # Positions are set up, and games are read.
        >>> drawn = sixplane.Go.from_text("...\n.X.\n...", turn="white")
        >>> drawn == sixplane.Go.from_stones([4], [], turn="white", size=3)
        True
        >>> drawn == sixplane.Go.from_planes(drawn.planes)
        True
        >>> before = drawn.hash
        >>> drawn.set_turn("black")
        >>> drawn.hash == before
        False
        >>> sixplane.Go.from_sgf(game.to_sgf(black_name="Ann"), max_moves=100) == game
        True
    """

    # Of the base class itself: empty.
    name: ClassVar[str]
    """The name of the game in lower case, such as `"go"`."""
    rule_names: ClassVar[tuple[str, ...]]
    """The options of its rules that every set-up position takes, `max_moves` apart."""
    default_size: ClassVar[int | tuple[int, int]]
    """Rows and columns of the board unless others are given: one integer for a square, or (rows, cols)."""
    skips_i: ClassVar[bool]
    """Whether the names of points leave out the column I."""
    row_one_at_top: ClassVar[bool]
    """Whether row 1 of the names of points is the top row."""

    def __new__(cls, size: object = ..., **rules: object) -> Self: ...
    @classmethod
    def from_text(cls, text: str, turn: _ColorLike | None = None, **rules: object) -> Self:
        """Makes a game from rows of `X`, `O` and `.`; its history is that board alone."""

    @classmethod
    def from_stones(
        cls,
        black: Iterable[SupportsIndex],
        white: Iterable[SupportsIndex],
        turn: _ColorLike | None = None,
        size: _SizeLike | None = None,
        **rules: object,
    ) -> Self:
        """Makes a game with stones at these points; its history is that board alone."""

    @classmethod
    def from_planes(cls, planes: npt.NDArray[np.generic], **rules: object) -> Self:
        """Makes a game from six planes `(6, rows, cols)`; its history is that board alone.

        In Go an empty invalid point that no rule explains is forbidden for the next play only; under
        simple ko there can be one. The invalid plane of planes that say done may be computed as
        for any other position, or filled.

        Raises:
            ValueError: no play leads to such planes.
        """

    @classmethod
    def from_sgf(cls, text: _SGFText, *, strict: bool = False, **rules: object) -> Self:
        """Reads the main line of the first game of an SGF text; `rules` override those of the text.

        It is played as far as the game can go. An `SGFWarning` says what is left out, such as moves
        after the end of the game, and what is read by a guess.

        Args:
            text: str, or bytes in the character set that they name.
            strict: raise an `SGFError` instead of leaving anything out.
            rules: the rules of the game.

        Raises:
            SGFError: the text is malformed, is the record of another game or of a start that the game
                cannot have, or with `strict` has anything that is left out; its `offset` is that of the
                fault.
        """

    def play(self, action: SupportsIndex) -> None:
        """Plays an action for the player to play.

        Raises:
            IllegalActionError: the rules forbid it; nothing has changed.
            TypeError: it is no integer.
        """

    def undo(self) -> None:
        """Withdraws a resignation or a `set_turn`, else takes back the last action.

        Raises:
            ValueError: the game is at its start.
        """

    def resign(self, color: _ColorLike | None = None) -> None:
        """Ends the game by the resignation of `color` (None: the player to play).

        Raises:
            IllegalActionError: the game is over.
        """

    @property
    def planes(self) -> npt.NDArray[np.uint8]:
        """The planes black, white, turn, invalid, pass and done: `(6, rows, cols)` of 0 and 1."""

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """The action mask, `(rows * cols + 1,)`: 1 where an action is legal; all 0 when the game is over."""

    @property
    def legal_actions(self) -> npt.NDArray[np.int64]:
        """The legal actions in ascending order; empty when the game is over."""

    def history_planes(self, k: SupportsIndex) -> npt.NDArray[np.uint8]:
        """Returns the last `k` boards and the turn plane, `(2k + 1, rows, cols)`.

        Each board has two planes, the stones of the player to play now and those of the opponent. The first
        board is the present one, the next that of one action ago, up to `k - 1` actions ago; before the start
        there are zeros.
        """

    def planes_for(
        self, view: Literal["player"] | _ColorLike, *, history: SupportsIndex = 0
    ) -> npt.NDArray[np.uint8]:
        """Returns the planes as a side sees them: its own stones in plane 0, the other's in plane 1.

        The other planes are as in `planes`. `"black"` is the view of `planes` itself.

        Args:
            view: a color, or `"player"` for the player to play.
            history: 0 for the six planes; `k` for the boards of `history_planes(k)`, seen from that side.

        Raises:
            TypeError, ValueError: an argument has no such value.

        Example:
            >>> import sixplane
            >>> game = sixplane.Go(size=2).replay([0])
            >>> game.planes_for("player")[:2].sum(axis=(1, 2)).tolist()  # White is to play
            [0, 1]
            >>> game.planes_for("black", history=1).sum(axis=(1, 2)).tolist()
            [1, 0, 4]
        """

    @property
    def turn(self) -> int:
        """The player to play: 0 black, 1 white."""

    def set_turn(self, color: _ColorLike) -> None:
        """Sets the player to play: one step of `undo`, but no action.

        Clears the pass, and what holds for the next play only, such as simple ko.

        Raises:
            IllegalActionError: the game is over.
        """

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""

    @property
    def is_truncated(self) -> bool:
        """Whether the game was cut off, by `max_moves` or before the position it started from.

        Without `max_moves` it is cut off after 2^32 - 1 actions, or when 2^30 stones were put, taken
        or turned.
        """

    @property
    def outcome(self) -> Literal["black", "white", "draw"] | None:
        """The winner in words, or `"draw"`; None while the game goes on.

        Arrays have it in numbers: +1 black, 0 draw, -1 white, as in `GameBatch.outcomes`.
        """

    @property
    def ending(self) -> str | None:
        """How the game ended, in one word; None while it goes on.

        `"passes"`: two passes in a row (Go); `"line"`: a winning line (Gomoku, Connect Four,
        tic-tac-toe); `"full"`: no empty point is left (these and Reversi); `"chain"`: a chain from side to
        side (Hex); `"no_moves"`: neither player can play (Reversi);
        `"resignation"`, also of the player who lost by an illegal action in a batch; `"cutoff"`:
        where `is_truncated` is true. A game of your own has words of its own.
        """

    def score(self) -> float:
        """Counts the score of the board from Black's view, whatever the outcome.

        Go: area of Black minus area of White minus komi. Reversi: black discs minus white discs.
        Gomoku, Connect Four, tic-tac-toe, Hex: +1 if Black has the winning line or chain, -1 if White has,
        else 0.
        """

    @property
    def move_number(self) -> int:
        """The number of actions played, passes included."""

    @property
    def last_action(self) -> int | None:
        """The last action; None at the start."""

    @property
    def actions(self) -> npt.NDArray[np.int64]:
        """All actions played."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def cols(self) -> int:
        """The number of columns."""

    @property
    def num_actions(self) -> int:
        """The number of actions, `rows * cols + 1`: one for each point, and the pass."""

    @property
    def num_symmetries(self) -> int:
        """The number of symmetries of the board that the rules keep, as many as `symmetries` has.

        Example:
            >>> import sixplane
            >>> sixplane.Go(9).num_symmetries, sixplane.ConnectFour().num_symmetries
            (8, 2)
        """

    @property
    def symmetries(self) -> tuple[int, ...]:
        """The symmetries of the board that the rules keep, as rows of `sixplane.planes.symmetry_table`.

        All 8 of a square board, or 4 of any other; in Connect Four, where discs fall, the flip left-right; in
        Hex, whose colors have sides, the half turn.

        Example:
            >>> import sixplane
            >>> [game.symmetries for game in (sixplane.Go((9, 7)), sixplane.ConnectFour(), sixplane.Hex())]
            [(0, 1, 2, 3), (0, 1), (0, 3)]
        """

    @property
    def max_moves(self) -> int | None:
        """The number of actions after which the game is cut off."""

    @property
    def hash(self) -> int:
        """The 64-bit Zobrist key of board and player to play, the same in every process."""

    def copy(self) -> Self:
        """Returns a copy with the whole history."""

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _Reduced[Self]: ...
    def __setstate__(self, state: object) -> None: ...
    def replay(self, actions: Iterable[SupportsIndex]) -> Self:
        """Plays these actions in a new game from this one's starting position.

        Raises:
            IllegalActionError: one of them is illegal there.
        """

    def action_to_name(self, action: SupportsIndex) -> str:
        """Returns the name of an action in the coordinates of the game, such as `"D4"` or `"pass"`."""

    def name_to_action(self, text: str) -> int:
        """Returns the action with this name, in capital or small letters; `"pass"` is the pass.

        Reversi takes the names of its records, too: `"fe"` for `"F5"`, and `"PA"`, `"--"` and `"@@@@"`
        for the pass.

        Raises:
            ValueError: no action of this board has it.
        """

    def solve(
        self, *, score: bool = False, nodes: SupportsIndex | None = None, seconds: float | None = None
    ) -> Solution:
        """Finds out for certain who wins with best play of both sides, by the game's own solver.

        Reversi is solved on boards of up to 8 rows and columns; with 20 empty points that takes a second or
        so, and each more about triples it. Of Gomoku the solver finds forced wins by fours and threes, and
        the value of any position with at most 25 empty points. Connect Four is solved on boards of up to 64
        points, counting one more row, and Hex of up to 64; far from the end that takes very long. Go has no
        solver. The game stays as it is; Ctrl-C ends the call.

        Args:
            score: whether to find the exact score as well, which takes several times as long.
            nodes: the most positions to look at; None: as many as it takes.
            seconds: the longest time; None: as long as it takes.

        Raises:
            ValueError: the game is over or has no solver, the board is too large for it, or `max_moves` may
                end the game first.

        Example:
            >>> import sixplane
            >>> game = sixplane.Reversi.from_text('''
            ...     . O O O
            ...     X X O .
            ...     O X X O
            ...     O O O .''', turn="black")
            >>> game.solve(score=True)
            <Solution: white wins by 2, black plays D2>
            >>> sixplane.Reversi(size=10).solve()
            Traceback (most recent call last):
            ValueError: a Reversi board of 10x10 is too large to solve: at most 8 rows and columns
        """

    def to_sgf(
        self,
        *,
        black_name: str | None = None,
        white_name: str | None = None,
        result: str | None = None,
        date: str | None = None,
        event: str | None = None,
        comments: dict[int, str] | None = None,
    ) -> str:
        """Writes the game as SGF, `FF[4]`.

        Args:
            black_name: name of the black player.
            white_name: name of the white player.
            result: the result instead of the game's own.
            date: when it was played, such as `"2016-03-09"`.
            event: where or in which tournament.
            comments: texts by the number of actions played before them; 0 is the start.

        Raises:
            ValueError: a comment stands after more actions than were played.
        """

    def to_svg(
        self,
        *,
        width: int = 480,
        coordinates: bool = True,
        footer: bool | str = False,
        invalid: bool = False,
        liberties: bool | npt.ArrayLike = False,
        heat: npt.ArrayLike | None = None,
        heat_text: bool | int = False,
        last: bool = True,
        numbers: bool | int = False,
        ownership: bool | npt.ArrayLike | None = None,
        line: Sequence[int] | None = None,
        animate: bool = False,
        seconds: float = 0.5,
        hold: float = 3.0,
        title: str | None = None,
    ) -> str:
        """Draws the board as an SVG picture; it needs no library.

        Args:
            width: the width of the picture in pixels; its height follows.
            coordinates: whether letters and numbers stand around the board.
            footer: whether words below the board say who is to play or has won, or other words.
            invalid: whether crosses mark the empty points of plane 3.
            liberties: whether stones carry the liberties of their chain, or numbers `(rows, cols)`.
            heat: policy, visits or a mask, `(rows, cols)` or `(rows * cols + 1,)`, as colors.
            heat_text: whether the heat is written as well, or on how many points, the hottest ones.
            last: whether a dot marks the last action.
            numbers: True for the number of every move, or of how many of the last.
            ownership: True for Go's own, or `(rows, cols)` from -1 to +1.
            line: points to draw a line through; None is the line that won.
            animate: whether the whole game is shown, position after position.
            seconds: how long an animation shows each position.
            hold: how long it shows the last one.
            title: what the picture shows, for screen readers; None: the game and its size.

        Raises:
            ValueError: an array of another shape, or a value outside what is allowed.
            TypeError: an option that does not exist.

        Example:
            >>> import sixplane
            >>> sixplane.Go(size=5).to_svg(width=200).startswith('<svg xmlns=')
            True
        """

    def _repr_svg_(self) -> str: ...

@final
class Go(Game):
    r"""A game of Go in play: area scoring, ko exact in the invalid plane.

    Args:
        size: rows and columns from 2 to 25: one integer for a square, or (rows, cols).
        komi: points given to White: a multiple of 0.5 between -1000 and 1000.
        ko: `"simple"` (no immediate recapture), `"positional"` (no play recreates an earlier
            board) or `"situational"` (no earlier board with the same player to play).
        suicide: whether suicide of two or more stones is allowed. Of one it never is.
        handicap: black stones on the starting board, as the Go Text Protocol's
            `fixed_handicap` places them; White then plays first.
        max_moves: the game is cut off after this many actions, passes included.

    Raises:
        ValueError: a value outside what is allowed.
        TypeError: a value of another type.

    Example:
        >>> import sixplane
        >>> game = sixplane.Go(size=3)
        >>> game.play(4)
        >>> print(game)
           A B C
         3 . . . 3
         2 .(X). 2
         1 . . . 1
           A B C
        >>> # It knows the chains, liberties, areas and eyes of a position.
        >>> game = sixplane.Go.from_text(".X.\nX.X\nO..", komi=0.5)
        >>> (game.komi, game.ko, game.suicide, game.handicap)
        (0.5, 'positional', False, 0)
        >>> game.play(7)
        >>> game.captures, game.areas(), int(game.ownership().sum())
        ((1, 0), (9, 0), 9)
        >>> game.chains().tolist()
        [[0, 1, 0], [2, 0, 3], [0, 4, 0]]
        >>> game.liberties().tolist()
        [[0, 3, 0], [3, 0, 3], [0, 3, 0]]
        >>> game.is_eye(4, "black"), game.is_eye(4, "black", rule="chain")
        (False, True)
    """

    def __new__(
        cls,
        size: _SizeLike = 9,
        *,
        komi: float = 7.5,
        ko: _KoName = "positional",
        suicide: bool = False,
        handicap: SupportsIndex = 0,
        max_moves: SupportsIndex | None = None,
    ) -> Self: ...
    @classmethod
    def from_text(cls, text: str, turn: _ColorLike | None = None, **rules: Unpack[_GoRules]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_stones(  # type: ignore[override]
        cls,
        black: Iterable[SupportsIndex],
        white: Iterable[SupportsIndex],
        turn: _ColorLike | None = None,
        size: _SizeLike | None = None,
        **rules: Unpack[_GoRules],
    ) -> Self: ...
    @classmethod
    def from_planes(cls, planes: npt.NDArray[np.generic], **rules: Unpack[_GoRules]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_sgf(cls, text: _SGFText, *, strict: bool = False, **rules: Unpack[_GoRecordRules]) -> Self: ...  # type: ignore[override]
    @property
    def komi(self) -> float:
        """The points given to White."""

    @property
    def ko(self) -> _KoName:
        """The ko rule, which says what repetition is forbidden."""

    @property
    def suicide(self) -> bool:
        """Whether suicide of two or more stones is allowed."""

    @property
    def handicap(self) -> int:
        """The number of handicap stones of the starting board."""

    def play_repetition(self, action: SupportsIndex) -> None:
        """Plays an action as `play` does, or one that only superko forbids.

        A player who keeps to simple ko may have played it. The history then has the position twice. Copies
        and pickles keep the action; `replay` refuses it, and who reads a record stops before it.

        Raises:
            IllegalActionError: another rule forbids it; nothing has changed.
            TypeError: it is no integer.

        Example:
            >>> import sixplane
            >>> game = sixplane.Go(size=3).replay([3, 4, 7, 5, 8, 6])  # sends two
            >>> 7 in game.legal_actions
            False
            >>> game.play_repetition(7)  # returns one
            >>> game.move_number
            7
        """

    @property
    def captures(self) -> tuple[int, int]:
        """The numbers of stones taken by Black and by White."""

    def areas(self) -> tuple[int, int]:
        """Counts the points of Black's and of White's area: stones, and empty points that reach only them."""

    def ownership(self) -> npt.NDArray[np.int8]:
        """Says whose area each point is in, `(rows, cols)`: +1 Black's, -1 White's, 0 nobody's."""

    def pass_alive(self) -> npt.NDArray[np.int8]:
        """Says whose each point is whatever the other plays, `(rows, cols)`: +1 Black's, -1 White's, 0 open.

        These are the chains that cannot be captured although their color always passes (D. B. Benson, Life in
        the Game of Go, 1976), and the regions between them in which the other cannot have two eyes. There may
        still be stones to take in such a region.

        Example:
            >>> import sixplane
            >>> game = sixplane.Go.from_text('''
            ...     . X . X O .
            ...     X X X X O .''')
            >>> game.pass_alive()
            array([[1, 1, 1, 1, 0, 0],
                   [1, 1, 1, 1, 0, 0]], dtype=int8)
        """

    def score_bounds(self) -> tuple[float, float]:
        """Bounds the score: the least and the most it can still be, if each color keeps what is pass-alive.

        A game is settled if both have one sign: then it is certain who wins, unless a color fills its own
        eyes, as uniformly random play does. To keep such points, a color takes the stones that the other
        has there before both pass. Once the game is over nothing is taken:
        both bounds are the score, also after a resignation, which decides the winner without it.

        Example:
            >>> import sixplane
            >>> game = sixplane.Go.from_text('''
            ...     . X . X O .
            ...     X X X X O .''', komi=3.5)
            >>> game.score_bounds()  # Black has 8 of 12 points
            (0.5, 8.5)
        """

    def chains(self) -> npt.NDArray[np.int32]:
        """Numbers the chains from 1 in the order of their first points, `(rows, cols)`; 0 is empty."""

    def liberties(self) -> npt.NDArray[np.int32]:
        """Counts the liberties of the chain at each point, `(rows, cols)`; 0 where empty."""

    def is_eye(
        self, action: SupportsIndex, color: _ColorLike | None = None, rule: _EyeRule | None = None
    ) -> bool:
        """Says whether an empty point is an eye of `color` (None: the player to play).

        All neighbors along lines are stones of the color, and by the rule `"diagonal"` (None) at
        least three of four diagonal neighbors too, or at edge and corner all of them;
        `"chain"`: each chain around has another liberty; `"playout"`: fewer than two of
        {diagonal neighbors of the other color, one for being at the edge}.
        """

@final
class Reversi(Game):
    """A game of Reversi in play: a player passes if no play is legal, and only then.

    Points are named by columns A.. and rows with row 1 at the top; Black starts with discs on the
    rising diagonal of the center, E4 and D5 on 8x8.

    Args:
        size: rows and columns, even and from 4 to 24: one integer for a square, or (rows, cols).
        max_moves: the game is cut off after this many actions, passes included.

    Raises:
        ValueError: a value outside what is allowed.
        TypeError: a value of another type.

    Example:
        >>> import sixplane
        >>> game = sixplane.Reversi(size=4)
        >>> game.play(game.name_to_action("B1"))
        >>> print(game)
           A B C D
         1 .(X). . 1
         2 . X X . 2
         3 . X O . 3
         4 . . . . 4
           A B C D
    """

    def __new__(cls, size: _SizeLike = 8, *, max_moves: SupportsIndex | None = None) -> Self: ...
    @classmethod
    def from_text(cls, text: str, turn: _ColorLike | None = None, **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_stones(  # type: ignore[override]
        cls,
        black: Iterable[SupportsIndex],
        white: Iterable[SupportsIndex],
        turn: _ColorLike | None = None,
        size: _SizeLike | None = None,
        **rules: Unpack[_Limit],
    ) -> Self: ...
    @classmethod
    def from_planes(cls, planes: npt.NDArray[np.generic], **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_sgf(cls, text: _SGFText, *, strict: bool = False, **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]

@final
class ConnectFour(Game):
    r"""A game of Connect Four in play: discs fall, four in a line win, and nobody passes.

    An action is a point, the lowest empty one of its column. Points are named by columns A.. and rows with
    row 1 at the bottom; the letter of a column alone names its action, too.

    Args:
        size: rows and columns from 4 to 12: one integer for a square, or (rows, cols).
        max_moves: the game is cut off after this many actions.

    Raises:
        ValueError: a value outside what is allowed.
        TypeError: a value of another type.

    Example:
        >>> import sixplane
        >>> game = sixplane.ConnectFour()
        >>> game.legal_actions.tolist()
        [35, 36, 37, 38, 39, 40, 41]
        >>> for column in "DEDEDED":
        ...     game.play(game.name_to_action(column))
        >>> game.outcome, game.winning_line()
        ('black', [17, 24, 31, 38])
    """

    def __new__(cls, size: _SizeLike = (6, 7), *, max_moves: SupportsIndex | None = None) -> Self: ...
    @classmethod
    def from_text(cls, text: str, turn: _ColorLike | None = None, **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_stones(  # type: ignore[override]
        cls,
        black: Iterable[SupportsIndex],
        white: Iterable[SupportsIndex],
        turn: _ColorLike | None = None,
        size: _SizeLike | None = None,
        **rules: Unpack[_Limit],
    ) -> Self: ...
    @classmethod
    def from_planes(cls, planes: npt.NDArray[np.generic], **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_sgf(cls, text: _SGFText, *, strict: bool = False, **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]
    def winning_line(self) -> list[int] | None:
        """Finds the points of the line that won, ascending: four, or more; None without one.

        Of several, one along a row goes first, then a column, a falling and a rising diagonal.
        """

@final
class TicTacToe(Game):
    r"""A game of tic-tac-toe in play: three in a line win, and nobody passes.

    Points are named by columns A to C and rows with row 1 at the bottom.

    Args:
        size: rows and columns, which are 3.
        max_moves: the game is cut off after this many actions.

    Raises:
        ValueError: a value outside what is allowed.
        TypeError: a value of another type.

    Example:
        >>> import sixplane
        >>> game = sixplane.TicTacToe()
        >>> game.solve().value
        0
        >>> for point in (4, 1, 0, 8, 3, 6, 5):
        ...     game.play(point)
        >>> game.outcome, game.winning_line()
        ('black', [3, 4, 5])
    """

    def __new__(cls, size: _SizeLike = 3, *, max_moves: SupportsIndex | None = None) -> Self: ...
    @classmethod
    def from_text(cls, text: str, turn: _ColorLike | None = None, **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_stones(  # type: ignore[override]
        cls,
        black: Iterable[SupportsIndex],
        white: Iterable[SupportsIndex],
        turn: _ColorLike | None = None,
        size: _SizeLike | None = None,
        **rules: Unpack[_Limit],
    ) -> Self: ...
    @classmethod
    def from_planes(cls, planes: npt.NDArray[np.generic], **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_sgf(cls, text: _SGFText, *, strict: bool = False, **rules: Unpack[_Limit]) -> Self: ...  # type: ignore[override]
    def winning_line(self) -> list[int] | None:
        """Finds the points of the line that won, ascending; None without one.

        Of several, one along a row goes first, then a column, a falling and a rising diagonal.
        """

@final
class Hex(Game):
    r"""A game of Hex in play: a chain from side to side wins, and nobody draws.

    Black joins top and bottom, White left and right. Each row lies half a point to the right of the row
    above, so that a point has up to six neighbors. Points are named by columns A.. and rows with row 1 at
    the top.

    Args:
        size: rows and columns from 2 to 19: one integer for a square, or (rows, cols).
        swap: whether White may answer the first stone by the action `rows * cols`, on square boards: the
            stone becomes White's, on the point mirrored at the diagonal through A1.
        max_moves: the game is cut off after this many actions.

    Raises:
        ValueError: a value outside what is allowed.
        TypeError: a value of another type.

    Example:
        >>> import sixplane
        >>> game = sixplane.Hex(4, swap=True)
        >>> game.play(game.name_to_action("C1"))
        >>> game.play(game.name_to_action("swap"))
        >>> print(game)
           A B C D
         1 . . . . 1
          2 . . . . 2
           3 O . . . 3
            4 . . . . 4
               A B C D
        >>> for name in "C2 B3 A4 C3 B4 D3".split():
        ...     game.play(game.name_to_action(name))
        >>> game.swap, game.outcome, game.ending
        (True, 'white', 'chain')
        >>> [game.action_to_name(action) for action in game.winning_line()]
        ['A3', 'B3', 'C3', 'D3']
    """

    def __new__(
        cls, size: _SizeLike = 11, *, swap: bool = False, max_moves: SupportsIndex | None = None
    ) -> Self: ...
    @classmethod
    def from_text(cls, text: str, turn: _ColorLike | None = None, **rules: Unpack[_HexRules]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_stones(  # type: ignore[override]
        cls,
        black: Iterable[SupportsIndex],
        white: Iterable[SupportsIndex],
        turn: _ColorLike | None = None,
        size: _SizeLike | None = None,
        **rules: Unpack[_HexRules],
    ) -> Self: ...
    @classmethod
    def from_planes(cls, planes: npt.NDArray[np.generic], **rules: Unpack[_HexRules]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_sgf(cls, text: _SGFText, *, strict: bool = False, **rules: Unpack[_HexRules]) -> Self: ...  # type: ignore[override]
    @property
    def swap(self) -> bool:
        """Whether White may take over Black's first stone."""

    def winning_line(self) -> list[int] | None:
        """Finds a shortest chain that joins the winner's sides, from Black's top or White's left on.

        None while there is no winner.
        """

@final
class Gomoku(Game):
    r"""A game of Gomoku in play: five in a row win, and nobody passes.

    Points are named by columns A.. with I, and rows with row 1 at the bottom.

    Args:
        size: rows and columns from 5 to 25: one integer for a square, or (rows, cols).
        exact_five: whether only runs of exactly five win, and not those of six and more.
        max_moves: the game is cut off after this many actions.

    Raises:
        ValueError: a value outside what is allowed.
        TypeError: a value of another type.

    Example:
        >>> import sixplane
        >>> game = sixplane.Gomoku(size=5)
        >>> for action in (0, 1, 6, 2, 12, 3, 18, 4, 24):
        ...     game.play(action)
        >>> game.outcome, game.winning_line()
        ('black', [0, 6, 12, 18, 24])
        >>> # With `exact_five`, six in a row are no five.
        >>> game = sixplane.Gomoku.from_text("XXX.XX\n" + "......\n" * 5, exact_five=True)
        >>> game.play(3)
        >>> game.exact_five, game.is_over
        (True, False)
    """

    def __new__(
        cls, size: _SizeLike = 15, *, exact_five: bool = False, max_moves: SupportsIndex | None = None
    ) -> Self: ...
    @classmethod
    def from_text(cls, text: str, turn: _ColorLike | None = None, **rules: Unpack[_GomokuRules]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_stones(  # type: ignore[override]
        cls,
        black: Iterable[SupportsIndex],
        white: Iterable[SupportsIndex],
        turn: _ColorLike | None = None,
        size: _SizeLike | None = None,
        **rules: Unpack[_GomokuRules],
    ) -> Self: ...
    @classmethod
    def from_planes(cls, planes: npt.NDArray[np.generic], **rules: Unpack[_GomokuRules]) -> Self: ...  # type: ignore[override]
    @classmethod
    def from_sgf(cls, text: _SGFText, *, strict: bool = False, **rules: Unpack[_GomokuRules]) -> Self: ...  # type: ignore[override]
    @property
    def exact_five(self) -> bool:
        """Whether only runs of exactly five win."""

    def winning_line(self) -> list[int] | None:
        """Finds the points of the run that won, ascending: five, or more if they win; None without one.

        Of several, one along a row goes first, then a column, a falling and a rising diagonal.
        """

_AnyGame = TypeVar("_AnyGame", bound=Game)
_Game_co = TypeVar("_Game_co", bound=Game, default=Game, covariant=True)

class OwnGame(Game):
    """A game in play whose rules are a Python class, or a crate of their own.

    `game_class` makes a class of such games, and so does the macro `python_game!` of the crate sixplane.

    Args:
        size: rows and columns, from 2 to 25; by default that of the class.
        rules: the options of the rules, and `max_moves`.

    Raises:
        ValueError: a value outside what is allowed.
        TypeError: there are no such options, or a value of another type.
        GameRulesError: the rules cannot tell of the starting position what they are asked.

    Example:
        >>> import sixplane
        >>> @sixplane.game_class
        ... class Last:
        ...     "Who fills the last point wins."
        ...     default_size = 2
        ...     def legal(self, position):
        ...         return position.empty
        ...     def ending(self, position):
        ...         return None if position.empty.any() else ("full", 1.0 if position.turn else -1.0)
        >>> issubclass(Last, sixplane.OwnGame), Last().play(3)
        (True, None)
    """

    info: ClassVar[GameInfo[OwnGame]]
    _make_rules: ClassVar[Callable[[Mapping[str, object]], _OwnRules]]

    def __new__(cls, size: _SizeLike | None = None, **rules: object) -> Self: ...
    @property
    def rules(self) -> object:
        """The object of the class that holds the rules; of a crate, what is known of them.

        Example:
            >>> import sixplane
            >>> @sixplane.game_class
            ... class Free:
            ...     def legal(self, position):
            ...         return position.empty
            ...     def ending(self, position):
            ...         return None if position.empty.any() else ("full", 0.0)
            >>> type(Free(3).rules).__name__
            'Free'
        """
    @property
    def _arbiter(self) -> Arbiter: ...

@final
class _OwnRules:
    def __new__(
        cls,
        arbiter: Arbiter,
        games: type[OwnGame],
        name: str,
        options: str,
        reason: str,
        endings: list[str],
        symmetries: int,
        may_repeat: bool,
        of_a_crate: _CrateRules | None = None,
        values: list[object] = ...,
    ) -> Self: ...
    def next(
        self,
        stones: npt.NDArray[np.uint8],
        turns: npt.NDArray[np.int64],
        passes: npt.NDArray[np.int64],
        actions: npt.NDArray[np.int64],
    ) -> tuple[
        npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.float64]
    ]: ...

@final
class _CrateRules:
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def forbidden(self) -> str: ...
    @property
    def endings(self) -> list[str]: ...
    @property
    def options(self) -> list[tuple[str, bool | int | float | str]]: ...
    @property
    def default_size(self) -> tuple[int, int]: ...
    @property
    def num_symmetries(self) -> int: ...
    @property
    def look(self) -> Literal["squares", "lines", "drops"]: ...
    @property
    def has_pass(self) -> bool: ...
    @property
    def may_repeat(self) -> bool: ...
    @property
    def counts_points(self) -> bool: ...

def _read_crate(capsule: object) -> list[_CrateRules]: ...
def default_threads() -> int:
    """Counts the threads that are used unless a number is given.

    As many as there are processors, or fewer if the environment variable `SIXPLANE_THREADS` says so.

    Raises:
        ValueError: the variable is no positive integer.
    """

def selfplay(
    prototype: _AnyGame,
    first: SupportsIndex,
    games: SupportsIndex,
    seed: SupportsIndex,
    threads: SupportsIndex | None = None,
) -> list[_AnyGame]:
    """Plays random games from a game's position to the end, on all cores; in Go no own eye is filled.

    Args:
        prototype: the position and rules all games start from.
        first: the number of the first game in its series.
        games: how many to play.
        seed: the seed of the series; game `i` depends on `seed` and `i` only.
        threads: how many threads; None for as many as there are processors, or as the environment
            variable `SIXPLANE_THREADS` allows.
    """

@final
class Collection:
    """The whole game trees of an SGF text: variations, properties known and unknown.

    Equal if they have the same nodes with the same properties in the same order, whatever character
    set (`CA`) they name: what is written is UTF-8 and says so.

    Example:
        >>> from sixplane import sgf
        >>> collection = sgf.parse("(;GM[1]SZ[5];B[cc])(;GM[1]SZ[9])")
        >>> collection.encoding, tuple(root.text("SZ") for root in collection.games)
        ('UTF-8', ('5', '9'))
        >>> sgf.parse(collection.to_text()) == sgf.parse(collection.to_bytes()) == collection
        True
        >>> collection.warnings
        []
    """

    @property
    def encoding(self) -> str:
        """The character set that the text was read in, such as `"UTF-8"`."""

    @property
    def games(self) -> list[Node]:
        """The root nodes, one for each game."""

    @property
    def warnings(self) -> list[SGFWarning]:
        """Warnings of what is left out of the text, or read by a guess."""

    def to_text(self) -> str:
        """Writes the trees as text that reads as an equal collection.

        A root that names a character set (`CA`), or holds more than ASCII, names UTF-8.
        """

    def to_bytes(self) -> bytes:
        """Writes the trees as bytes, in UTF-8."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[object, ...]: ...
    __hash__: None  # type: ignore[assignment]

@final
class Node:
    """A node of a game tree: its properties, and the nodes that may follow it.

    Equal if the trees below are, too.

    Example:
        >>> from sixplane import sgf
        >>> root = sgf.parse("(;GM[1]SZ[5]C[start];B[cc](;W[cd])(;W[bc]C[other]))").games[0]
        >>> root.text("C"), ", ".join(name for name, values in root.properties)
        ('start', 'GM, SZ, C')
        >>> root.to_game().move_number, len(list(root.main_line()))
        (2, 3)
        >>> for white in root.children[0].children:
        ...     print(*white.get("W"), len(white.to_text()), white.text("C"))
        cd 9 None
        bc 17 other
        >>> game, warnings = root.follow(komi=6.5)
        >>> game.komi, warnings
        (6.5, [])
    """

    @property
    def properties(self) -> list[tuple[str, list[str]]]:
        """The names and values in the order of the text, as they are written (with their escapes)."""

    @property
    def children(self) -> list[Node]:
        """The nodes that may follow this one; the first is the main line."""

    def get(self, name: str) -> list[str] | None:
        """Returns the values of the first property of this name, as they are written; None without one."""

    def text(self, name: str) -> str | None:
        """Reads the text that the first value of a property stands for; None without one.

        Names, dates, results and the like have one line: there line breaks are spaces. Comments, and
        properties that `FF[4]` does not know, have any number of lines.
        """

    def main_line(self) -> Iterator[Node]:
        """Goes through the main line from this node on: the node, its first child, and so on."""

    def to_game(self, *, strict: bool = False, **rules: object) -> Game:
        """Plays the line from the root through this node: of the game that `GM` says.

        After this node it is the main line. It is played as far as the game can go. An `SGFWarning` says
        what is left out, and what is read by a guess.

        Args:
            strict: raise an `SGFError` instead of leaving anything out.
            rules: rules of the game, which override those of the record.

        Raises:
            SGFError: a record of another game, a start that the game cannot have, or with `strict` an
                illegal move or anything else that is left out; the offset is that in the whole text.
        """

    def follow(self, *, usual: Game | None = None, **rules: object) -> tuple[Game, list[SGFWarning]]:
        """Returns the game that `to_game` makes, and the warnings.

        Args:
            usual: a game whose rules hold where neither the record nor `rules` say one; the record must
                be one of the same game, which it need not say.
            rules: rules of the game, which override those of the record.

        Raises:
            SGFError: as `to_game`.
        """

    def to_text(self) -> str:
        """Writes the tree of the node as text."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]

def parse_sgf(data: _SGFText) -> Collection:
    """Reads SGF as `sixplane.sgf.parse` does, which documents it; the warnings are those of the result."""

def record_name(game: Game, action: int) -> str:
    """Spells an action as records of the game do, such as `"dd"` in Go and `"d4"` in Reversi.

    Raises:
        ValueError: there is no such action on this board.
    """

def recorded_action(game: Game, text: str) -> int | None:
    """Reads the action that a value of `B` or `W` names in records of the game; None if there is none."""

def sample_action(mask: npt.NDArray[np.int8 | np.uint8 | np.bool_], uniform: float) -> int:
    """Chooses an action of a mask `(A,)` by a number from 0 to 1; -1 where none is legal."""

def sample_legal(masks: npt.NDArray[np.uint8], uniforms: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Chooses an action of each mask `(n, A)` by a number from 0 to 1; -1 where none is legal."""

def score_table_actions(game: Gomoku) -> npt.NDArray[np.int64]:
    """Lists the best points by the score table, ascending; none when the game is over."""

def score_table_evaluate(
    planes: npt.NDArray[np.uint8], exact_five: bool
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Evaluates planes `(L, 6, rows, cols)` of Gomoku by the score table: logits `(L, A)`, values `(L,)`."""

def exact_values(
    batch: GameBatch, *, score: bool = False, nodes: SupportsIndex | None = None, leaf: bool = False
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Finds the exact values and scores of many games for their players to play, `(B,)` each.

    NaN where nothing was found out, as of games that are over, and scores that were not asked for.

    Args:
        batch: the games.
        score: as of `Game.solve`.
        nodes: of each game.
        leaf: whether to do no more than at a leaf of a search: microseconds.
    """

def own_eyes(batch: GameBatch, index: npt.ArrayLike, rule: str) -> npt.NDArray[np.bool_]:
    """Finds the eyes of the players to play in games of a batch of Go, `(k, rows * cols)`.

    Args:
        batch: the games.
        index: `(k,)`: the numbers of those that are looked at.
        rule: as of `Go.is_eye`.

    Raises:
        ValueError: the games have no eyes, or there is no such game or rule.
        TypeError: an argument is of another type.
    """

def score_table_points(game: Gomoku) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Returns the patterns `(2, 4, rows, cols)` and scores `(2, rows, cols)` that the score table sees.

    First those of the player to play, then of the other; zeros where a stone is.
    `sixplane.agents.ScoreTableAgent` says what they mean.
    """

def label_planes(planes: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """Labels the connected groups of each plane `(N, rows, cols)`, `uint8` of 0 and 1.

    0 where the plane is 0, else 1, 2, … in the order of the groups' first points.
    """

def dilate_planes(planes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Grows each plane `(N, rows, cols)`, `uint8` of 0 and 1, by the cross of four neighbors."""

def chain_liberties(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """Counts the liberties of the chain at each point of boards `(N, rows, cols)`; 0 where empty.

    The boards are `uint8`: 0 empty, 1 and 2 stones of the two colors.
    """

def coordinates(
    rows: SupportsIndex, cols: SupportsIndex, skips_i: bool, row_one_at_top: bool
) -> tuple[list[str], list[str]]:
    """Names the columns from the left and the rows from the top.

    Raises:
        ValueError: rows or columns are not from 2 to 25.
    """

# Functions on planes, without defaults; `sixplane.gogame` says what they do.

_Cell = TypeVar("_Cell", bound=np.generic)

def next_state(state: npt.NDArray[_Cell], action1d: SupportsIndex, canonical: bool) -> npt.NDArray[_Cell]:
    """Returns the state after an action, as `sixplane.gogame.next_state`."""

def batch_next_states(
    batch_states: npt.NDArray[_Cell], batch_action1d: npt.ArrayLike, canonical: bool
) -> npt.NDArray[_Cell]:
    """Returns the states after an action each, as `sixplane.gogame.batch_next_states`."""

def children(
    state: npt.NDArray[_Cell], canonical: bool, padded: bool
) -> npt.NDArray[_Cell] | npt.NDArray[np.float64]:
    """Returns the states after every action, as `sixplane.gogame.children`."""

def canonical_form(state: npt.NDArray[_Cell]) -> npt.NDArray[_Cell]:
    """Returns the state with black to play, as `sixplane.gogame.canonical_form`."""

def batch_canonical_form(batch_state: npt.NDArray[_Cell]) -> npt.NDArray[_Cell]:
    """Returns the states with black to play, as `sixplane.gogame.batch_canonical_form`."""

def areas(state: npt.NDArray[np.generic]) -> tuple[int, int]:
    """Counts the points of Black's and of White's area, as `sixplane.gogame.areas`."""

def batch_areas(batch_state: npt.NDArray[np.generic]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Counts the points of Black's and of White's area of each state, as `sixplane.gogame.batch_areas`."""

def liberties(state: npt.NDArray[np.generic]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Finds the liberties of Black's and of White's chains, as `sixplane.gogame.liberties`."""

class _SharesMemory(Protocol):
    """A tensor of another library."""

    def __dlpack__(self, *, stream: None = ...) -> object: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

_Memory: TypeAlias = npt.NDArray[np.generic] | Buffer | _SharesMemory

@final
class GameBatch(Generic[_Game_co]):
    """Many games of one kind, size and rules, stepped together.

    By law a batch equals its games played one by one. The random choices of game `i` follow from
    `(seed, i)` alone, never from the number of threads. The interpreter lock is released while games
    are played; a second call on the same batch meanwhile raises `RuntimeError`. The memory of an
    array is used again only when nothing refers to the array any more.

    Its properties have a row for each game, such as `turns` and `move_numbers`, and `scores` for `score()`;
    sizes are one for all. What plays, takes arguments or makes something new is a method.

    Args:
        prototype: the game to copy, its position and history included; a reset returns to it.
        n: how many games, from 1 to 1,048,576.
        seed: the seed of the random choices; None takes one from the system.
        threads: how many threads; None for as many as there are processors, or as the environment
            variable `SIXPLANE_THREADS` allows.

    Example:
        >>> import sixplane
        >>> batch = sixplane.GameBatch(sixplane.Go(size=9), 64, seed=0)
        >>> step = batch.step(batch.sample())
        >>> step.planes.shape, step.action_masks.shape
        ((64, 6, 9, 9), (64, 82))
        >>> # Games can be played on alone, and the properties say how they stand.
        >>> batch = sixplane.GameBatch(sixplane.Reversi(size=4), 3, seed=1, threads=1)
        >>> batch.play_random([0, 4, 100])
        >>> batch.move_numbers.tolist(), batch.turns.tolist(), batch.dones.tolist()
        ([0, 4, 12], [0, 0, 0], [False, False, True])
        >>> batch.outcomes.tolist(), batch.scores.tolist(), batch.ownership([2]).shape
        ([-2, -2, 1], [0.0, 0.0, 2.0], (1, 4, 4))
        >>> batch.resign(1, "white")
        >>> batch.reset([True, False, True])
        >>> batch.outcomes.tolist()
        [-2, 1, -2]
        >>> batch.rows, batch.cols, batch.num_actions, batch.threads
        (4, 4, 17, 1)
        >>> # A batch is made of games with any history, and writes planes into the caller's memory.
        >>> batch.copy() == batch
        True
        >>> batch.to_svg(limit=2).startswith("<svg")
        True
        >>> batch = sixplane.GameBatch.from_games([sixplane.Go(size=5), sixplane.Go(size=5).replay([12])])
        >>> out = bytearray(2 * 17 * 5 * 5)
        >>> batch.history_planes_into(out, 8)
        >>> sum(out)
        26
        >>> step = batch.step([7, 11], max_steps=2)  # the second one would end these episodes
        >>> batch.steps.tolist(), step.truncated.tolist()
        ([1, 1], [False, False])
    """

    def __new__(
        cls,
        prototype: _Game_co,
        n: SupportsIndex,
        seed: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> Self: ...
    @classmethod
    def from_games(
        cls,
        games: Iterable[_AnyGame],
        seed: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
    ) -> GameBatch[_AnyGame]:
        """Makes a batch of these games, of the same size, rules and `max_moves`.

        A reset returns to the first one as given.
        """

    def step(
        self,
        actions: npt.ArrayLike,
        autoreset: Literal["same_step", "next_step", "disabled"] = "same_step",
        illegal: Literal["raise", "lose"] = "raise",
        *,
        view: Literal["black", "player"] = "black",
        cutoff: Literal["adjudicate", "truncate"] = "adjudicate",
        history: SupportsIndex = 0,
        max_steps: SupportsIndex | None = None,
        where: npt.ArrayLike | None = None,
    ) -> BatchStep:
        """Plays one action in each game.

        Args:
            actions: `(B,)` integers. A game that was over before, or out of steps, takes -1 if resets
                are disabled; else it ignores its action and is reset, with reward 0 and outcome -2
                (that of the prototype where the prototype is over).
            autoreset: when a game whose episode ends starts again: in this step, in the next one, or
                never by itself.
            illegal: whether an illegal action raises, and nothing is played anywhere, or its
                player loses the game. An action off the board raises always.
            view: `"black"`: planes in absolute colors and Black's rewards; `"player"`: the stones of
                the player to play in plane 0, the opponent's in plane 1, the others as they are, and
                rewards of the player who has just played.
            cutoff: what a game means that reaches `max_moves`: `"adjudicate"`: it has ended, with
                its outcome as reward and `terminated`; `"truncate"`: reward 0 and `truncated`.
            history: 0 for the six planes; `k` for those of `history_planes(k)`, which begin with the
                player to play whatever the view.
            max_steps: None, or after how many steps an episode is `truncated`, whatever its game says;
                unlike `max_moves` it is no rule of the game. `steps` counts them.
            where: `(B,)` bool: the games to play in. The others ignore their entry of `actions` and
                stay as they are, finished ones too; their rows say how they stand.

        Raises:
            IllegalActionError: lists the games and the reasons; `reason` is that of the first.
            TypeError: actions are not integers.
            ValueError: another number of actions than of games.

        Example:
            >>> import sixplane
            >>> batch = sixplane.GameBatch(sixplane.Go(size=5, komi=0), 2)
            >>> batch.play([12, 0])
            >>> batch.play([25, 25])
            >>> step = batch.step([25, 0], view="player", where=[True, False])
            >>> step.rewards.tolist(), step.actors.tolist(), step.move_numbers.tolist()
            ([1.0, 0.0], [0, -1], [3, 2])
        """

    def play(self, actions: npt.ArrayLike, where: npt.ArrayLike | None = None) -> None:
        """Plays one action in each game without resets; a game that is over takes -1.

        Args:
            actions: `(B,)` integers.
            where: `(B,)` bool: the games to play in; the others stay as they are.

        Raises:
            IllegalActionError, TypeError, ValueError: as `step`.
        """

    def sample(self) -> npt.NDArray[np.int64]:
        """Chooses a uniformly random legal action for each game, `(B,)`; -1 where it is over.

        A game that `step` takes to be over for its `max_steps` is not over, so it gets an action.
        """

    def play_random(self, n: SupportsIndex | npt.ArrayLike, where: npt.ArrayLike | None = None) -> None:
        """Plays uniformly random legal actions; a game that is over stays.

        Args:
            n: how many in each game, or `(B,)` integers, one number for each.
            where: `(B,)` bool: the games to play in; the others stay as they are.

        Raises:
            TypeError, ValueError: no integers of at least 0, or another number of them.
        """

    def ownership(self, index: npt.ArrayLike | None = None) -> npt.NDArray[np.int8]:
        """Says whose each point is, `(k, rows, cols)`: +1 Black's, -1 White's, 0 nobody's.

        In Go by area: stones, and empty points that reach only one color; in the other games by
        the stone on the point.

        Args:
            index: `(k,)` integers, the games; None for all.

        Raises:
            IndexError: there is no such game.
        """

    def reset(
        self, where: npt.ArrayLike | None = None, seed: SupportsIndex | None = None, game: Game | None = None
    ) -> None:
        """Resets the games whose entry of `where`, `(B,)` bool, is set; with None, all.

        With a seed, their random choices begin anew from it. With a game of the same size, they
        become copies of it, its history and rules included, until the next reset.
        """

    def resign(self, i: SupportsIndex, color: _ColorLike | None = None) -> None:
        """Ends game `i` by the resignation of `color` (None: the player to play)."""

    def planes_into(
        self,
        out: _Memory,
        index: npt.ArrayLike | None = None,
        *,
        view: Literal["player"] | _ColorLike | npt.ArrayLike = "black",
    ) -> None:
        """Writes planes into the caller's memory, as uint8, bool or float32.

        Args:
            out: `(B, 6, rows, cols)`, or with `index`, `(len(index), 6, rows, cols)`: a NumPy array,
                anything with a buffer (`bytearray`, `array.array`, shared memory; one of a single
                dimension needs the same number of cells), or a tensor of another library that shares
                its memory by DLPack. C-contiguous and writable.
            index: `(k,)` integers, the games to write.
            view: whose stones come first, as of `Game.planes_for`; or one color, 0 or 1, for each game
                that is written.

        Raises:
            TypeError, ValueError: `out` is no such memory, or has another shape or dtype; there is no
                such view.

        Example:
            >>> import sixplane
            >>> batch = sixplane.GameBatch(sixplane.Go(size=9), 64, seed=1)
            >>> batch.play_random(20)
            >>> out = bytearray(64 * 6 * 9 * 9)
            >>> batch.planes_into(out)
            >>> out == batch.planes.tobytes()
            True
        """

    def history_planes_into(
        self,
        out: _Memory,
        k: SupportsIndex,
        index: npt.ArrayLike | None = None,
        *,
        view: Literal["player"] | _ColorLike | npt.ArrayLike = "player",
    ) -> None:
        """Writes what `history_planes(k)` of each game gives, as `planes_into` writes planes.

        Args:
            out: as of `planes_into`, `(B, 2k + 1, rows, cols)`; with `index`,
                `(len(index), 2k + 1, rows, cols)`.
            k: how many boards of each game, from 1.
            index: `(n,)` integers, the games to write.
            view: as of `planes_into`.
        """

    @property
    def planes(self) -> npt.NDArray[np.uint8]:
        """The six planes of the games now held, `(B, 6, rows, cols)`."""

    @property
    def action_masks(self) -> npt.NDArray[np.int8]:
        """The action masks, `(B, A)`: 1 where an action is legal."""

    @property
    def turns(self) -> npt.NDArray[np.int8]:
        """The players to play, `(B,)`: 0 black, 1 white."""

    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """Whether each game is over, `(B,)`: its `is_over`, which fills its done plane."""

    @property
    def outcomes(self) -> npt.NDArray[np.int8]:
        """The outcomes in numbers, `(B,)`: +1 black, 0 draw, -1 white, -2 running.

        `Game.outcome` has it in words: `"black"`, `"draw"`, `"white"`; None.
        """

    @property
    def scores(self) -> npt.NDArray[np.float32]:
        """The scores of the boards from Black's view, `(B,)`, as `Game.score()` counts them."""

    @property
    def move_numbers(self) -> npt.NDArray[np.int64]:
        """The numbers of actions played, `(B,)`."""

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        """The numbers of actions of the episodes so far, `(B,)`; only steps with `max_steps` count them."""

    @property
    def rows(self) -> int:
        """The number of rows of every board."""

    @property
    def cols(self) -> int:
        """The number of columns of every board."""

    @property
    def num_actions(self) -> int:
        """The number of actions, `rows * cols + 1`: one for each point, and the pass."""

    @property
    def threads(self) -> int | None:
        """The number of threads that was asked for; None: as many as there are processors."""

    def to_svg(
        self,
        *,
        width: int = 960,
        coordinates: bool = False,
        footer: bool | str = False,
        invalid: bool = False,
        liberties: bool | npt.ArrayLike = False,
        heat: npt.ArrayLike | None = None,
        heat_text: bool | int = False,
        limit: int = 16,
        columns: int | None = None,
        title: str | None = None,
    ) -> str:
        """Draws the first games side by side as an SVG picture.

        Args:
            width: the width of the whole picture in pixels.
            coordinates: whether letters and numbers stand around the boards.
            footer: whether words below each board say who is to play, or other words.
            invalid: whether crosses mark the empty points of plane 3.
            liberties: whether stones carry the liberties of their chain.
            heat: `(rows, cols)` or `(rows * cols + 1,)`, as colors on every board.
            heat_text: whether the heat is written as well, or on how many points, the hottest ones.
            limit: how many games are drawn at most.
            columns: how many boards a row of the picture has; None makes it about square.
            title: what the picture shows, for screen readers; None: how many boards of which size.
        """

    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __class_getitem__(cls, game: object) -> GenericAlias: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> _Game_co: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[_Game_co]: ...
    def __setitem__(self, index: SupportsIndex, game: Game, /) -> None: ...
    def copy(self) -> Self:
        """Returns a copy, with the history of each game, whose random choices will be the same."""

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> _Reduced[Self]: ...
    def __setstate__(self, state: object) -> None: ...
    __hash__: None  # type: ignore[assignment]

@final
class MCTS:
    """Monte-Carlo tree search of any game, with playouts or with an evaluator.

    Args:
        evaluator: None for playouts: random games from each leaf to their ends. Or a function of planes
            `(L, 6, rows, cols)` that returns logits `(L, A)` and values `(L,)`, from -1 to 1 for the player
            to play (but see `reward`). Illegal actions are masked here; what the rules say of finished games
            is exact. Of a network, and of any evaluator with that method, give what `for_game(game)` returns:
            it knows the komi and the rules, and refuses other games. The agents call it, and this does not.
        selection: `"ucb"` (UCB1), `"puct"` (AlphaZero's: priors) or `"gumbel"` (Gumbel AlphaZero's, as mctx
            has it), each with its defaults, or a value with settings: `sixplane.search.Ucb`, `Puct` or
            `Gumbel`. Whichever it is, an action of the root that ends the game in favor of the player to play
            is the one to play, unless a search for points (`reward`) expects more of another.
        simulations: the most of them in one search. None: 1000, or without limit if `seconds` is given.
        seconds: the most time for one search, or for one call of `search_batch`.
        max_nodes: the most nodes of one tree. A node takes 32 bytes, so the default is 512 MiB at most (with
            RAVE 40 bytes and 640 MiB). A full tree no longer grows; what it has goes on being visited. The
            root and its actions always have nodes. `advance` needs memory for a second tree meanwhile.
        leaves: leaves of one game for each call of the evaluator (virtual loss keeps them apart).
        threads: threads on the one tree of `search` with playouts, or on the games of `search_batch`.
        seed: the seed of all randomness; None takes one from the system. With one thread it repeats exactly,
            and in `search_batch` with any number.
        symmetry: whether the evaluator sees each position through a random symmetry of the board, which
            follows from the seed and the position.
        cache: how many evaluations are kept for positions that come again. It changes no result of an
            evaluator that says the same of the same planes.
        reward: `"outcome"`: +1, 0, -1; or `"margin"`: 10 more than the lead, below zero for the loser. An
            evaluator then says the margin that it expects, as `sixplane.nets.Network.margins` does.
        history: 0 for the six planes; `k`: the evaluator gets `history_planes(k)`.
        view: whose side the evaluator sees the six planes from. `"black"`: black's stones, white's, and so
            on. `"player"`: the stones of the player to play first, then the other's; the other four planes
            are the same. `history_planes` are the player's in any case.
        dtype: the type of the planes that the evaluator gets: `"uint8"` or `"float32"`.
        pad_to: the evaluator gets a multiple of this many rows: planes of zeros follow the leaves, and what
            it says of them is not looked at. So a compiled network sees few shapes.
        exact: whether the search proves wins, draws and losses: by the ends of games that it meets, by the
            game's solver (`Game.solve`) at the root and at the leaves, and by what follows for the positions
            above. What is proven is searched no more, and a search ends when its best action is certain, or
            after an eighth of its limits if the position is lost. It goes with `reward="outcome"`.

    An object pickles and copies with its options, its evaluator and the number of searches begun, so that a
    copy goes on with the same random numbers. Trees and cached evaluations are not copied. One call at a time
    may use an object.

    Raises:
        ValueError: a value outside what is allowed, or two that do not go together.
        TypeError: a value of another type.
        MemoryError: there is no memory for the cache.

    Example:
        >>> import sixplane
        >>> from sixplane.search import MCTS
        >>> result = MCTS(simulations=400, seed=1).search(sixplane.Go(size=3, komi=0.5))
        >>> int(result.visits.sum()), len(result.policy)
        (400, 10)
        >>> # What is below the action that is played stays for the next search.
        >>> search, game = MCTS(simulations=200, seed=1), sixplane.Gomoku(size=5)
        >>> best = search.search(game).best_action
        >>> search.variation(best)[0] == best
        True
        >>> search.advance(best)
        >>> game.play(best)
        >>> bool(search.search(game).visits.sum() > 200)
        True
    """

    def __new__(
        cls,
        evaluator: Evaluator | None = None,
        *,
        selection: Selection = "ucb",
        simulations: SupportsIndex | None = None,
        seconds: float | None = None,
        max_nodes: SupportsIndex = 16777216,
        leaves: SupportsIndex = 1,
        threads: SupportsIndex = 1,
        seed: SupportsIndex | None = None,
        symmetry: bool = False,
        cache: SupportsIndex = 0,
        reward: Literal["outcome", "margin"] = "outcome",
        history: SupportsIndex = 0,
        view: Literal["black", "player"] = "black",
        dtype: Literal["uint8", "float32"] = "uint8",
        pad_to: SupportsIndex = 1,
        exact: bool = False,
    ) -> Self: ...
    def search(
        self,
        game: Game,
        *,
        simulations: SupportsIndex | None = None,
        seconds: float | None = None,
        allowed: npt.ArrayLike | None = None,
        resume: bool = False,
        stream: SupportsIndex = 0,
    ) -> SearchResult:
        """Searches a position.

        The tree starts anew, unless `advance` has led to this game.

        Args:
            game: the position.
            simulations: the most of this search; where a limit is given, those of the object do not hold.
            seconds: the most time of this search.
            allowed: `(A,)` bool: the actions to choose among; None: all legal ones. The others have no
                visits, and a prior and a policy of 0. After the first action every legal one may follow.
            resume: whether the last search goes on, if it was of this game with the same actions allowed; its
                visits count, too. One of a position that is proven lost, which ends early, goes on as well.
            stream: the number of the random stream: game i of `search_batch` has stream i.

        Raises:
            ValueError: the game is over, no allowed action is legal, `allowed` has another shape, or the
                evaluator's numbers are of no use.
            TypeError: it is no game, or `allowed` is not of bool.
            MemoryError: the tree finds no memory. It is given up, and the object may be used again.
            RuntimeError: a search of this object is running.
        """

    def search_batch(
        self,
        batch: GameBatch,
        *,
        simulations: SupportsIndex | npt.ArrayLike | None = None,
        where: npt.ArrayLike | None = None,
        allowed: npt.ArrayLike | None = None,
        stream: SupportsIndex = 0,
    ) -> BatchSearchResult:
        """Searches the games of a batch, with one call of the evaluator for the leaves of all.

        Games that are over are left out. Game i uses the stream `(seed, stream + i)`, whatever the others do:
        its results are those of `search(game, stream=stream + i)`. The batch may be played on meanwhile.

        Args:
            batch: the games.
            simulations: the most of this search, for all games or for each, `(B,)` integers from 0; then the
                limits of the object do not hold. 0 leaves a game out.
            where: `(B,)` bool: the games to search; None: all. Of a game left out there are no visits, its
                values are NaN and its best action is -1; its tree stays as it is.
            allowed: `(B, A)` bool: the actions to choose among in each game; None: all legal ones.
            stream: the number of the first game's random stream.

        Raises:
            ValueError: the evaluator's numbers are of no use, an array has another shape, or a game to search
                has no action that is allowed and legal.
            TypeError: it is no batch, or an array of another type.
            MemoryError: the trees find no memory. They are given up, and the object may be used again.
            RuntimeError: a search of this object is running, or a call of the batch.

        Example:
            >>> import sixplane
            >>> from sixplane.search import MCTS
            >>> batch = sixplane.GameBatch(sixplane.Go(size=5), 3)
            >>> result = MCTS(seed=1).search_batch(batch, simulations=[50, 0, 20])
            >>> result.visits.sum(axis=1).tolist()
            [50, 0, 20]
        """

    def variation(self, action: SupportsIndex) -> list[int]:
        """Lists an action at the root of the last search and the most visited ones after it.

        Args:
            action: an action of the position that was searched.

        Returns:
            The actions, `action` first; none if it was never visited.

        Raises:
            ValueError: no game was searched, or many at once.
            RuntimeError: a search of this object is running.
        """

    def variation_visits(self, action: SupportsIndex) -> list[int]:
        """Lists the visits of each action of `variation(action)`.

        Raises:
            ValueError: no game was searched, or many at once.
            RuntimeError: a search of this object is running.

        Example:
            >>> import sixplane
            >>> search = sixplane.search.MCTS(simulations=200, seed=1)
            >>> result = search.search(sixplane.Gomoku(size=5))
            >>> search.variation_visits(result.best_action)[0] == int(result.visits[result.best_action])
            True
        """

    def advance(self, action: SupportsIndex | npt.ArrayLike) -> None:
        """Plays an action at the root of the last search and keeps what is below it for the next.

        After `search_batch`, one action for each game; -1 where it is over, or where the search left it out
        and it stays as it is. Gumbel selection plans its visits from none and keeps nothing.

        Raises:
            IllegalActionError: it is illegal; nothing has changed.
            ValueError: nothing was searched.
            RuntimeError: a search of this object is running.
        """

    def __reduce__(self) -> _Reduced[Self]: ...
    def __setstate__(self, state: object) -> None: ...
