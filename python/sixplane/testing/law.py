"""Laws, and the error of one that is broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sixplane.testing.protocol import SixPlaneGame
from sixplane.testing.trial import Step, Trial


class LawBroken(AssertionError):  # noqa: N818 - a law broken, not an error of this package
    """A game broke a law.

    Attributes:
        law: its name.
        start: a copy of the game that was given.
        steps: what was done to it before the law broke.
        actions: the actions among the steps.

    Example:
        >>> from sixplane.testing import check_game
        >>> try:
        ...     check_game(object())
        ... except LawBroken as broken:
        ...     print(broken.law, broken.actions)
        it_has_the_members_of_a_game []
    """

    def __init__(self, law: str, problem: str, start: SixPlaneGame, steps: Sequence[Step] = ()) -> None:
        taken = ", ".join(map(str, steps)) or "none"
        super().__init__(f"{law}: {problem}\n  game: {start!r}\n  steps before: {taken}")
        self.law = law
        self.start = start
        self.steps = tuple(steps)
        self.actions = [step.value for step in steps if step.verb == "play"]


@dataclass(frozen=True)
class Law:
    """A law that holds at every position of every game.

    Attributes:
        prove: proves it on a trial, whose game it leaves as it was.
        premises: what must be met at least once for the proof to mean anything.
        needs: members that not every class offers.
        at_end: whether it looks at whole games, once each, instead of every position.
    """

    prove: Callable[[Trial], None]
    premises: tuple[str, ...]
    needs: tuple[str, ...] = ()
    at_end: bool = False

    @property
    def name(self) -> str:
        """The sentence it proves, as a name."""
        return self.prove.__name__


def law(
    *premises: str, needs: tuple[str, ...] = (), at_end: bool = False
) -> Callable[[Callable[[Trial], None]], Law]:
    """Makes a law of the function that proves it."""
    return lambda prove: Law(prove, premises, needs, at_end)
