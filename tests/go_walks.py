"""Random games for the laws: drawn and shrunk by hypothesis, played side by side with the naive Go."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st

import sixplane
from effort import share
from naive_go import COLORS, KO_RULES, NaiveGo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def law(examples: int) -> settings:
    """The same examples every time."""
    return settings(max_examples=share(examples), deadline=None, derandomize=True, database=None)


class Seen(Counter[str]):
    """How often the premises of a law were met."""

    def demand(self, *premises: str) -> None:
        """Fails if one of these premises was never met."""
        never = [premise for premise in premises if self[premise] == 0]
        assert not never, f"never met: {never}; met: {dict(self)}"


@dataclass(frozen=True)
class Event:
    """One step of a walk: an action, or a turn handed over."""

    action: int | None = None
    color: int = 0

    def take(self, game: sixplane.Go) -> None:
        """Takes the step in a game of sixplane."""
        if self.action is None:
            game.set_turn("white" if self.color else "black")
        else:
            game.play(self.action)

    def take_naively(self, game: NaiveGo) -> None:
        """Takes the step in a naive game."""
        if self.action is None:
            game.set_turn(COLORS[self.color])
        else:
            game.play(self.action)


@dataclass
class Walk:
    """A game to be played: its rules and what to choose at each step."""

    size: tuple[int, int]
    rules: dict[str, Any]
    choices: list[int]

    def games(self) -> tuple[sixplane.Go, NaiveGo]:
        """Both games at their start."""
        return sixplane.Go(size=self.size, **self.rules), NaiveGo(*self.size, **self.rules)

    def play(self, *, set_turns: bool = True) -> Iterator[tuple[sixplane.Go, NaiveGo, Event | None]]:
        """Both games at the start and after each step, which comes with them."""
        game, naive = self.games()
        yield game, naive, None
        for choice in self.choices:
            if naive.is_over:
                return
            event = self.event(choice, naive, set_turns=set_turns)
            event.take(game)
            event.take_naively(naive)
            yield game, naive, event

    def event(self, choice: int, naive: NaiveGo, *, set_turns: bool) -> Event:
        """Mostly a legal point, now and then a pass or a turn handed over."""
        *points, pass_action = naive.legal_actions
        kind, pick = choice % 32, choice // 32
        if kind == 0 and set_turns:
            return Event(color=pick % 2)
        return Event(points[pick % len(points)] if points and kind > 2 else pass_action)


def walks(kos: Sequence[str] = KO_RULES, largest: int = 5, most: int = 80) -> st.SearchStrategy[Walk]:
    """Walks on boards of 2x2 to `largest` x `largest`, of up to `most` steps."""
    side = st.integers(2, largest)
    rules = st.fixed_dictionaries(
        {
            "ko": st.sampled_from(kos),
            "suicide": st.booleans(),
            "komi": st.integers(-20, 20).map(lambda halves: halves / 2),
        }
    )

    def walk(size: tuple[int, int], rules: dict[str, Any], seed: int, steps: int) -> Walk:
        # Long lists drawn by hypothesis are rare; a walk shrinks by its number of steps.
        rng = random.Random(seed)
        return Walk(size, rules, [rng.randrange(1 << 16) for _ in range(steps)])

    return st.builds(walk, st.tuples(side, side), rules, st.integers(0, 1 << 32), st.integers(0, most))
