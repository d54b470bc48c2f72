"""What rules in Python see, and how they are asked about many positions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sixplane.errors import GameRulesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    #: One board `(rows, cols)`, or those of many positions `(B, rows, cols)`.
    Boards = NDArray[np.bool_]
    #: One number, or one for each position `(B,)`.
    Numbers = int | NDArray[np.int64]
    #: Stones, legal actions, endings and scores, as `ClassArbiter.next` returns them.
    Answers = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64], NDArray[np.float64]]


#: The most characters of another error in a message: games within the rules of games quote each other.
LONGEST: Final = 500


class Position:
    """What rules see: the stones, who is to play, and whether passes went before.

    For rules that say `vectorized = True`, all of it is of B positions, whose boards have one size.

    Attributes:
        own: the stones of the player to play, `(rows, cols)` or `(B, rows, cols)` of bool, read-only.
        opponent: those of the other player.
        turn: 0 if Black is to play, 1 if White is; or `(B,)`.
        passes: how many of the last two actions were passes with none after them, 0 to 2; or `(B,)`. Planes
            hold whether the last one was, so that two may end a game, and mean nothing else.

    Example:
        >>> own, opponent = np.eye(3, dtype=bool), np.zeros((3, 3), bool)
        >>> position = Position(own, opponent, turn=1, passes=0)
        >>> int(position.empty.sum()), position.white is own, position.rows
        (6, True, 3)
        >>> after, _ = position.place(1)
        >>> after[0].tolist()
        [True, True, False]
    """

    def __init__(self, own: Boards, opponent: Boards, turn: Numbers, passes: Numbers) -> None:
        self.own, self.opponent, self.turn, self.passes = own, opponent, turn, passes

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.own.shape[-2])

    @property
    def cols(self) -> int:
        """The number of columns."""
        return int(self.own.shape[-1])

    @cached_property
    def empty(self) -> Boards:
        """The points without a stone, read-only."""
        empty = ~(self.own | self.opponent)
        empty.flags.writeable = False
        return empty

    @property
    def black(self) -> Boards:
        """Black's stones."""
        return self._of(0)

    @property
    def white(self) -> Boards:
        """White's stones."""
        return self._of(1)

    def _of(self, color: int) -> Boards:
        if isinstance(self.turn, int):
            return self.own if self.turn == color else self.opponent
        return np.where((self.turn == color)[:, None, None], self.own, self.opponent)

    def place(self, action: Numbers) -> tuple[Boards, Boards]:
        """Returns new arrays of own and opponent stones, with an own stone at the point of the action."""
        own = self.own.copy()
        if own.ndim == 2:  # noqa: PLR2004 - one board
            own.flat[action] = True
        else:
            own.reshape(len(own), -1)[np.arange(len(own)), action] = True
        return own, self.opponent.copy()


class Arbiter:
    """Rules with their options, and the errors of rules; the core calls it."""

    next: Callable[..., Answers]
    """Plays an action in each position, as `ClassArbiter.next` does."""

    def __init__(self, rules: Any, options: dict[str, Any], name: str, forbidden: str) -> None:
        self.rules, self.options, self._name = rules, options, name
        self.forbidden = forbidden
        """Why an empty point may not be played, in a word."""

    def error(self, what: str, position: str | None, action: int | None) -> GameRulesError:
        """Makes the error of rules that failed in this position, with this action."""
        return GameRulesError(what, self._name, position, action)

    def endless(self, moves: int) -> GameRulesError:
        """Makes the error of a game that should have ended."""
        limits = "max_moves must limit it, or may_repeat = True say that positions come again"
        return self.error(f"the game goes on after {moves} actions: {limits}", None, None)


class ClassArbiter(Arbiter):
    """Asks the rules of a Python class about many positions, and checks their answers."""

    def __init__(self, rules: Any, options: dict[str, Any], name: str) -> None:
        # The class has been checked; what an object calls like one of its facts may be something else.
        facts = type(rules)
        super().__init__(rules, options, name, getattr(facts, "forbidden", "forbidden"))
        self.endings: tuple[str, ...] = tuple(getattr(facts, "endings", ("full", "line")))
        self._vectorized = bool(getattr(facts, "vectorized", False))
        self._numbers = {None: 0} | {word: number for number, word in enumerate(self.endings, 1)}

    def setup(self, rows: int, cols: int) -> tuple[list[int], list[int]]:
        """Returns the points with a black and a white stone at the start."""
        if not hasattr(self.rules, "setup"):
            return [], []
        try:
            stones = self.rules.setup(rows, cols)
        except ValueError:
            raise
        except Exception as error:
            raise self._error(f"setup({rows}, {cols}) raised {said(error)}") from error
        boards = np.stack(
            [self._cells("setup", board, (rows, cols)) for board in self._pair("setup", stones)]
        )
        if boards.all(axis=0).any():
            raise self._error("setup puts two stones on one point")
        black, white = (np.flatnonzero(board).tolist() for board in boards)
        return black, white

    def next(
        self,
        stones: NDArray[np.uint8],
        turns: NDArray[np.int64],
        passes: NDArray[np.int64],
        actions: NDArray[np.int64],
    ) -> Answers:
        """Plays an action in each position, or none for -1, and says what the rules say of what comes of it.

        Args:
            stones: `(B, 2, rows, cols)`: those of Black and of White.
            turns: who is to play, `(B,)`.
            passes: the passes before, `(B,)`.
            actions: `(B,)`.

        Returns:
            The stones then and the legal actions `(B, A)`, both in one row; how each game has ended, as the
            number of its word, and its score.
        """
        count, _, rows, cols = stones.shape
        points = rows * cols
        boards = stones.view(np.bool_)
        if (placed := np.flatnonzero((actions >= 0) & (actions < points))).size:
            boards = self._play(boards, turns, passes, actions, placed)
        acted, passed = actions >= 0, actions == points
        turns = turns ^ acted
        passes = np.where(passed, np.minimum(passes + 1, 2), np.where(acted, 0, passes))
        boards.flags.writeable = False
        after = _Positions(boards, turns, passes)
        legal = np.empty((count, points + 1), np.uint8)
        mask = self._boards("legal", after, self._ask("legal", after))
        if (mask & boards.any(axis=1)).any():
            wrong = int(np.flatnonzero((mask & boards.any(axis=1)).reshape(count, -1).any(axis=1))[0])
            point = int(np.flatnonzero(mask[wrong] & boards[wrong].any(axis=0))[0])
            raise self._error(f"legal allows a play on the occupied point {point}", after, wrong)
        legal[:, :points] = mask.reshape(count, -1)
        legal[:, points] = self._may_pass(after)
        endings, scores = self._endings(after)
        stuck = np.flatnonzero((endings == 0) & ~legal.any(axis=1))
        if stuck.size:
            message = "the game goes on, but no action is legal: ending must end it"
            raise self._error(message, after, int(stuck[0]))
        return np.ascontiguousarray(boards).view(np.uint8).ravel(), legal.ravel(), endings, scores

    def _play(
        self,
        boards: Boards,
        turns: NDArray[np.int64],
        passes: NDArray[np.int64],
        actions: NDArray[np.int64],
        placed: NDArray[np.int64],
    ) -> Boards:
        """Returns the boards after the plays in some of the positions."""
        boards.flags.writeable = False
        before = _Positions(boards[placed], turns[placed], passes[placed])
        chosen = actions[placed]
        if hasattr(self.rules, "play"):
            made = self._ask("play", before, chosen)
            pairs = [made] if self._vectorized else made
            shape = (
                before.boards.shape[:1] + before.boards.shape[2:]
                if self._vectorized
                else before.boards.shape[2:]
            )
            numbers = [None] if self._vectorized else range(len(pairs))
            found = [
                [
                    self._cells("play", board, shape, before, i, chosen)
                    for board in self._pair("play", pair, before, i, chosen)
                ]
                for i, pair in zip(numbers, pairs, strict=True)
            ]
            own, opponent = found[0] if self._vectorized else np.swapaxes(np.array(found), 0, 1)
        else:
            own, opponent = before.position.place(chosen)
        if (two := (own & opponent)).any():
            wrong = int(np.flatnonzero(two.reshape(len(two), -1).any(axis=1))[0])
            raise self._error("play puts two stones on one point", before, wrong, chosen)
        after, white = boards.copy(), before.turns == 1
        after[placed, 0] = np.where(white[:, None, None], opponent, own)
        after[placed, 1] = np.where(white[:, None, None], own, opponent)
        return after

    def _may_pass(self, after: _Positions) -> Any:
        if not hasattr(self.rules, "may_pass"):
            return 0
        return self._column("may_pass", "a bool", "b", self._ask("may_pass", after), after)

    def _endings(self, after: _Positions) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Returns the numbers of the words and the scores."""
        found = self._ask("ending", after)
        if not self._vectorized:
            pairs = [(None, 0.0) if one is None else one for one in found]
            for i, pair in enumerate(pairs):
                if not (isinstance(pair, tuple) and len(pair) == 2):  # noqa: PLR2004 - a word and a score
                    raise self._error(
                        f"ending must return None or (word, score), not {_shown(pair)}", after, i
                    )
                if not isinstance(pair[0], str | None) or pair[0] not in self._numbers:
                    raise self._error(
                        f"ending returns the word {_shown(pair[0])}: endings has {self.endings}", after, i
                    )
            found = [self._numbers[word] for word, _ in pairs], [score for _, score in pairs]
        first, second = self._pair("ending", found, after)
        numbers = self._column("ending", "a number", "bui", first, after)
        scores = self._column("ending", "a score", "buif", second, after)
        # Batches hold scores as float32.
        if (wrong := np.flatnonzero(~(np.abs(scores) <= np.finfo(np.float32).max))).size:
            message = "ending must return a score that is finite, also as float32"
            raise self._error(message, after, int(wrong[0]))
        if (wrong := np.flatnonzero((numbers < 0) | (numbers > len(self.endings)))).size:
            number = numbers[wrong[0]]
            message = f"ending returns the number {number}: endings has {len(self.endings)} words"
            raise self._error(message, after, int(wrong[0]))
        return numbers.astype(np.int64), scores.astype(np.float64)

    def _column(self, method: str, what: str, kinds: str, found: Any, after: _Positions) -> NDArray[Any]:
        """Returns a number for each position, of one of these kinds of NumPy."""
        column = _array(found)
        if column.shape == (len(after.boards),) and column.dtype.kind in kinds:
            return column
        number, wrong = None, found
        if not self._vectorized:
            each = ((i, _array(one)) for i, one in enumerate(found))
            number = next((i for i, one in each if one.shape or one.dtype.kind not in kinds), 0)
            wrong = found[number]
        shown = _unread(wrong) if column.dtype == object else _shown(_array(wrong))
        raise self._error(f"{method} must return {what} for each position, not {shown}", after, number)

    def _boards(self, method: str, after: _Positions, found: Any) -> Boards:
        """Returns one board of bool for each position."""
        shape = after.boards.shape[2:]
        if self._vectorized:
            return self._cells(method, found, (len(after.boards), *shape), after)
        return np.stack([self._cells(method, one, shape, after, i) for i, one in enumerate(found)])

    def _cells(self, method: str, found: Any, shape: tuple[int, ...], *where: Any) -> Boards:
        """Returns an array of this shape, as bool."""
        array = _array(found)
        if array.shape != shape or array.dtype.kind not in "bui":
            needed = f"an array {shape} of bool"
            shown = _unread(found) if array.dtype == object else _shown(array)
            raise self._error(f"{method} must return {needed}, not {shown}", *where)
        return array if array.dtype == np.bool_ else array != 0

    def _pair(self, method: str, found: Any, *where: Any) -> Any:
        if not (isinstance(found, tuple | list) and len(found) == 2):  # noqa: PLR2004 - a pair
            raise self._error(f"{method} must return a pair, not {_shown(found)}", *where)
        return found

    def _ask(self, name: str, at: _Positions, actions: NDArray[np.int64] | None = None) -> Any:
        """Asks a method about all positions: vectorised rules at once, others one position after another."""
        method, found = getattr(self.rules, name), []
        i = None
        try:
            if self._vectorized:
                return method(at.position) if actions is None else method(at.position, actions)
            for i in range(len(at.boards)):
                one = at.single(i)
                found.append(method(one) if actions is None else method(one, int(actions[i])))
        except Exception as error:
            what = f"{name} raised {said(error)}"
            if "read-only" in what:
                what += " (the arrays of a position are read-only: copy them)"
            raise self._error(what, at, i, actions) from error
        return found

    def _error(
        self,
        what: str,
        at: _Positions | None = None,
        i: int | None = None,
        actions: NDArray[np.int64] | None = None,
    ) -> GameRulesError:
        """Returns an error that names the game, the position and the action; `i` is None if it may be any."""
        action = None if actions is None else int(actions[i or 0])
        position = None if at is None else at.text(i or 0)
        if at is not None and len(at.boards) > 1 and i is None:
            position = f"{position}\n(or another of {len(at.boards)} positions)"
        return self.error(what, position, action)


class _Positions:
    """Many positions of one size."""

    def __init__(self, boards: Boards, turns: NDArray[np.int64], passes: NDArray[np.int64]) -> None:
        self.boards, self.turns, self.passes = boards, turns, passes
        boards.flags.writeable = False

    @cached_property
    def position(self) -> Position:
        """All of them as one."""
        every = np.arange(len(self.boards))
        own, opponent = self.boards[every, self.turns], self.boards[every, 1 - self.turns]
        for array in (own, opponent, self.turns, self.passes):
            array.flags.writeable = False
        return Position(own, opponent, self.turns, self.passes)

    def single(self, i: int) -> Position:
        turn = int(self.turns[i])
        return Position(self.boards[i, turn], self.boards[i, 1 - turn], turn, int(self.passes[i]))

    def text(self, i: int) -> str:
        """Draws one of the positions, and says who is to play."""
        black, white = self.boards[i]
        signs = np.where(black, "X", np.where(white, "O", "."))
        board = "\n".join(" ".join(row) for row in signs)
        return f"{'white' if self.turns[i] else 'black'} to play:\n{board}"


def _array(found: object) -> NDArray[Any]:
    """Makes an array of what a method has returned; one of objects where it is no array."""
    try:
        return np.asarray(found)
    except Exception:  # objects of other libraries raise what they like
        return np.empty(0, object)


def _unread(found: object) -> str:
    """Writes what a method has returned instead of numbers, and why no array can be made of it."""
    try:
        np.asarray(found)
    except Exception as error:
        return f"{_shown(found)} ({said(error)})"
    return _shown(found)


def said(error: Exception) -> str:
    """Describes an error in one line, also one that cannot describe itself."""
    try:
        text = str(error)
    except Exception:
        text = ""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _shown(found: object) -> str:
    """Writes what a method has returned, for messages."""
    if isinstance(found, np.ndarray):
        return f"{found.dtype} {found.shape}"
    try:
        text = repr(found)
    except Exception:
        text = type(found).__name__
    return text if len(text) < 60 else f"{type(found).__name__}"  # noqa: PLR2004 - a short line
