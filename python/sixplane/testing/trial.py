"""The place where a law is proved: a game in play, the steps that led there, and all that is seen of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sixplane.errors import IllegalActionError
from sixplane.testing.protocol import AnyGame

#: All that can be seen of a game, by the names of its members.
Snapshot = dict[str, object]


class Violation(Exception):  # noqa: N818 - never leaves check_game
    """An error that says what a law found wrong."""


def stones(game: AnyGame) -> bytes:
    """Returns the two planes of stones as bytes, for comparisons."""
    return bytes(np.ascontiguousarray(game.planes[:2]).tobytes())


def snapshot(game: AnyGame) -> Snapshot:
    """Returns all that can be seen of a game now."""
    seen: Snapshot = {}
    for name in ("planes", "action_mask", "legal_actions", "actions"):
        array = getattr(game, name)
        seen[name] = (array.dtype, array.shape, array.tobytes())
    history = game.history_planes(3)
    seen["history_planes"] = (history.dtype, history.shape, history.tobytes())
    for name in ("turn", "is_over", "is_truncated", "outcome", "move_number", "last_action", "hash"):
        seen[name] = getattr(game, name)
    seen["score"] = game.score()
    # The text of a class that draws none is its address.
    if not type(game).__str__.__qualname__.startswith("object."):
        seen["str()"] = str(game)
    return seen


class Step(NamedTuple):
    """One step of a random game."""

    verb: Literal["play", "set_turn"]
    value: int

    def take(self, game: AnyGame) -> None:
        """Takes the step in a game."""
        (game.play if self.verb == "play" else game.set_turn)(self.value)

    def __str__(self) -> str:
        return f"{self.verb} {self.value}"


@dataclass
class Trial:
    """A game in play among the random games of one check.

    Attributes:
        start: the game that was given.
        game: the game now. A law may play on copies of it.
        rng: the random numbers of a law.
        rules: options that make a game with these rules from a position or a record.
        reasons: the reasons for which an action may be refused.
        keys: the hash of every position of all games so far, and the position of every hash.
        met: how often the premises of the laws were met.
        steps: what was done to the start.
        snapshots: all that could be seen before each step, and can be now.
        boards: the stones after each number of actions.
    """

    start: AnyGame
    game: AnyGame
    rng: random.Random
    rules: dict[str, object]
    reasons: frozenset[str]
    keys: dict[object, object]
    met: Counter[str]
    steps: list[Step] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    boards: list[NDArray[np.uint8]] = field(default_factory=list)

    def __post_init__(self) -> None:
        before = self.start.copy()
        while before.move_number > 0:
            self.boards.insert(0, before.planes[:2].copy())
            number = before.move_number
            while before.move_number == number:
                before.undo()
        self.boards.insert(0, before.planes[:2].copy())
        self.snapshots.append(snapshot(self.game))

    def take(self, step: Step) -> None:
        """Takes a legal step in the game of this trial."""
        step.take(self.game)
        self.steps.append(step)
        self.snapshots.append(snapshot(self.game))
        if step.verb == "play":
            self.boards.append(self.game.planes[:2].copy())

    @property
    def points(self) -> int:
        """The number of points, which is also the action of the pass."""
        return int(self.game.rows * self.game.cols)

    @property
    def is_plain(self) -> bool:
        """Whether actions alone led here from the starting position."""
        return bool(
            all(step.verb == "play" for step in self.steps)
            and self.start.replay(self.start.actions) == self.start
        )

    def some_actions(self, most: int = 40) -> list[int]:
        """Returns all actions on a small board or at the start, else a sample that has the pass."""
        if not self.steps or self.points < most:
            return list(range(self.points + 1))
        return [*self.rng.sample(range(self.points), most), self.points]

    def some_legal_action(self) -> int | None:
        """Returns an action that may be played, if there is one."""
        legal = self.game.legal_actions
        return int(self.rng.choice(legal)) if len(legal) else None

    def note(self, premise: str, times: int = 1) -> None:
        """Notes that a premise of the law was met."""
        self.met[premise] += times

    def demand(self, holds: object, problem: str) -> None:
        """Says that the law is broken, unless it holds."""
        if not holds:
            raise Violation(problem)

    def demand_same(self, found: Snapshot, expected: Snapshot, when: str) -> None:
        """Says that the law is broken unless two snapshots are equal."""
        differ = sorted(name for name in expected if found[name] != expected[name])
        self.demand(not differ, f"{when}, {', '.join(differ)} differ")

    def demand_undone(self, game: AnyGame, done: str) -> None:
        """Says that the law is broken unless a copy is again as the game of this trial."""
        self.demand_same(snapshot(game), self.snapshots[-1], f"after {done} and undo()")
        self.demand(game == self.game, f"after {done} and undo(), the game is not equal to itself")

    def refusal(self, game: AnyGame, action: object) -> IllegalActionError | None:
        """Plays an action, and returns the error if it was illegal."""
        try:
            game.play(action)
        except IllegalActionError as error:
            return error
        return None

    @contextmanager
    def raises(self, errors: type[Exception] | tuple[type[Exception], ...], what: str) -> Iterator[None]:
        """Says that the law is broken unless one of these errors is raised."""
        listed = errors if isinstance(errors, tuple) else (errors,)
        names = " or ".join(error.__name__ for error in listed)
        try:
            yield
        except errors:
            return
        except Exception as error:
            raise Violation(f"{what} raised {error!r}, not {names}") from error
        raise Violation(f"{what} raised nothing, not {names}")
