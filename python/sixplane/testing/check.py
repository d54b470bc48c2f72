"""The function `check_game`, which proves every law over seeded random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sixplane._arguments import integer
from sixplane._core import OwnGame
from sixplane.testing import objects, planes, play, positions
from sixplane.testing.law import Law, LawBroken
from sixplane.testing.play import REASONS
from sixplane.testing.protocol import MEMBERS, SixPlaneGame
from sixplane.testing.rules import RULE_LAWS
from sixplane.testing.trial import Step, Trial, Violation

#: All laws, in the order they are proved in: what others build on comes first.
LAWS: Final[tuple[Law, ...]] = tuple(
    found
    for module in (planes, play, objects, positions)
    for found in vars(module).values()
    if isinstance(found, Law)
)

#: About how many positions of one game the laws look at.
POSITIONS: Final = 30

#: How likely the passes of a random game are: so much, as any action, only without another one.
#: The first is often enough for a game that ends by passing to end.
PASSING: Final = (0.3, None, 0.0)


@dataclass(frozen=True)
class Report:
    """The numbers of games and steps of a check, and how often it could prove each law.

    Attributes:
        games: how many games were played.
        steps: how many steps they had together.
        laws: by the name of each law, how often each of its premises was met.
        not_offered: laws about members that the game's class does not have.

    Example:
        >>> import sixplane
        >>> report = check_game(sixplane.Gomoku(size=5), games=12)
        >>> report.games, report.not_offered
        (12, ())
        >>> report.laws["planes_are_zeros_and_ones"]["positions"] > 100
        True
    """

    games: int
    steps: int
    laws: Mapping[str, Mapping[str, int]]
    not_offered: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{len(self.laws)} laws kept in {self.games} games of {self.steps} steps"]
        for law, met in self.laws.items():
            lines.append(f"  {law}: " + ", ".join(f"{premise} {times}" for premise, times in met.items()))
        lines += [f"  {law}: not offered" for law in self.not_offered]
        return "\n".join(lines)


def check_game(
    game: SixPlaneGame,
    *,
    seed: int = 0,
    games: int = 24,
    steps: int | None = None,
    rules: Mapping[str, object] | None = None,
    reasons: Iterable[str] = (),
) -> Report:
    """Proves the laws of all six-plane games on copies of `game`, over random games.

    A law that never met one of its premises counts as broken: let it play more games then, or
    start from a position in which more can happen.

    Args:
        game: a running game, at its start or anywhere. It is left as it is.
        seed: the random games follow from it alone.
        games: how many to play.
        steps: the most steps of one game; None for three times as many as there are actions.
        rules: options with which `from_planes` and `from_sgf` of the class make such a game, such as
            `{"ko": "simple"}`; None: those of the game, as far as its class has `rule_names`.
        reasons: reasons for which the game may refuse an action, beside those of sixplane's own games.

    Returns:
        How often the premises of each law were met.

    Raises:
        LawBroken: a law does not hold.
        ValueError: the game is over already, or there are no games or no steps to play.
        TypeError: the class of a game instead of a game, or what is no integer.

    Example:
        >>> import sixplane
        >>> print(check_game(sixplane.Go(size=(3, 4)), seed=1, games=12))  # doctest: +ELLIPSIS
        31 laws kept in 12 games of ... steps
          planes_are_zeros_and_ones: positions ...
    """
    if isinstance(game, type):
        raise TypeError(f"game must be a game, not the class {game.__name__}")
    games = integer("games", games, 1)
    steps = None if steps is None else integer("steps", steps, 1)
    missing = [name for name in MEMBERS if not hasattr(game, name)]
    if missing:
        raise LawBroken("it_has_the_members_of_a_game", f"no {', '.join(missing)}", game)
    if game.is_over:
        raise ValueError("the game to be checked is over")
    if isinstance(game, OwnGame):
        reasons = (*reasons, game._arbiter.forbidden)
    if rules is None and (names := getattr(game, "rule_names", None)) is not None:
        rules = {name: getattr(game, name) for name in (*names, "max_moves")}
    check = _Check(game, random.Random(seed), dict(rules or {}), frozenset((*REASONS, *reasons)))
    most = 3 * game.num_actions if steps is None else steps
    taken = sum(check.play(number, most) for number in range(games))
    return check.report(games, taken)


class _Check:
    """One check: the laws, and what all its games share."""

    def __init__(
        self, game: SixPlaneGame, rng: random.Random, rules: dict[str, object], reasons: frozenset[str]
    ) -> None:
        self.start = game.copy()
        self.rng = rng
        self.rules = rules
        self.reasons = reasons
        self.keys: dict[object, object] = {}
        self.met: dict[str, Counter[str]] = {}
        self.laws: list[Law] = []
        self.not_offered: list[str] = []
        for law in (*LAWS, *(RULE_LAWS if isinstance(game, OwnGame) else ())):
            if all(hasattr(game, name) for name in law.needs):
                self.laws.append(law)
                self.met[law.name] = Counter(dict.fromkeys(law.premises, 0))
            else:
                self.not_offered.append(law.name)

    def play(self, number: int, most: int) -> int:
        """Plays one random game; every other one hands the turn over now and then."""
        rng = self.rng
        trial = self._trial()
        # Every third game goes to its end, and of those in turn with many passes or with few.
        length = most if number % 3 == 0 else rng.randint(1, min(most, 2 * POSITIONS))
        passing, set_turns = PASSING[number // 3 % 3], number % 2 == 1
        self.prove(trial, at_end=False)
        while len(trial.steps) < length and not trial.game.is_over:
            try:
                trial.take(self._step(trial, passing, set_turns=set_turns))
            except Exception as error:
                raise self._broken(play.the_mask_agrees_with_play, trial, error) from error
            due = len(trial.steps) < POSITIONS // 2 or rng.random() < POSITIONS / length
            if due or trial.game.is_over or len(trial.steps) == length:
                self.prove(trial, at_end=False)
        self.prove(trial, at_end=True)
        return len(trial.steps)

    def prove(self, trial: Trial, *, at_end: bool) -> None:
        """Proves the laws of positions, or those of whole games."""
        for law in self.laws:
            if law.at_end == at_end:
                trial.met = self.met[law.name]
                try:
                    law.prove(trial)
                except Exception as error:
                    raise self._broken(law, trial, error) from error

    def report(self, games: int, steps: int) -> Report:
        """Reports what was seen, if it was enough."""
        for law, met in self.met.items():
            never = [premise for premise, times in met.items() if not times]
            if never:
                raise LawBroken(law, f"never met in {games} games: {', '.join(never)}", self.start)
        return Report(
            games, steps, {law: dict(met) for law, met in self.met.items()}, tuple(self.not_offered)
        )

    def _trial(self) -> Trial:
        try:
            game = self.start.copy()
            return Trial(self.start, game, self.rng, self.rules, self.reasons, self.keys, Counter())
        except Exception as error:
            raise LawBroken("a_game_can_be_looked_at", f"it raised {error!r}", self.start) from error

    def _step(self, trial: Trial, passing: float | None, *, set_turns: bool) -> Step:
        rng = self.rng
        if set_turns and rng.random() < 0.08:  # noqa: PLR2004
            return Step("set_turn", rng.randint(0, 1))
        legal = trial.game.legal_actions.tolist()
        *points, last = legal
        if passing is not None and points and last == trial.points:
            return Step("play", last if rng.random() < passing else rng.choice(points))
        return Step("play", rng.choice(legal))

    def _broken(self, law: Law, trial: Trial, error: Exception) -> LawBroken:
        problem = str(error) if isinstance(error, Violation) else f"it raised {error!r}"
        return LawBroken(law.name, problem, self.start, trial.steps)
