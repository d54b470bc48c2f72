"""`check_game` finds faults in rules of one's own that show in some positions alone."""

# ruff: noqa: ARG002

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import own_games as games
import sixplane
from effort import share
from sixplane.testing import LawBroken, check_game
from sixplane.testing.rules import RULE_LAWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane.games.arbiter import Boards, Numbers, Position


#: Their classes are not what a type checker takes them for.
own_games: Any = games

#: The class of the rules of tic-tac-toe.
TIC_TAC_TOE: Any = type(own_games.TicTacToe().rules)


def game_of(rules: type, **options: Any) -> Any:
    """A game with these rules, whose class pickles find in this module."""
    name = f"{rules.__name__}Game"
    globals()[name] = made = sixplane.game_class(type(name, (rules,), {}))
    return made(**options)


class Wall:
    """Whoever fills the first column wins, on many boards at once."""

    default_size, endings, vectorized, symmetries = (3, 4), ("line", "full"), True, "none"

    def legal(self, position: Position) -> Boards:
        return position.empty

    def ending(self, position: Position) -> tuple[Any, Any]:
        line = position.opponent[:, :, 0].all(axis=1)
        full = ~position.empty.any(axis=(1, 2))
        return np.where(line, 1, 2 * full), line * self.score(position)

    def score(self, position: Position) -> NDArray[np.float64]:
        return np.where(position.turn, 1.0, -1.0)


class WallOfOthers(Wall):
    def score(self, position: Position) -> Any:
        turns: Any = position.turn
        return 1.0 if turns[0] else -1.0


class WallTaking(Wall):
    """White takes Black's last stone by a play on the last point, if every position has White to play."""

    def play(self, position: Position, action: Numbers) -> tuple[Boards, Boards]:
        own, opponent = position.place(action)
        turns: Any = position.turn
        opponent[:, 0, 0] &= turns[0] == 0
        return own, opponent


class Count:
    """Two passes end; whoever has more stones then wins."""

    default_size, counts_points = 3, True
    endings: tuple[str, ...] = ("passes", "full")

    def legal(self, position: Position) -> Boards:
        return position.empty

    def may_pass(self, position: Position) -> Any:
        return True

    def ending(self, position: Position) -> Any:
        score = float(position.black.sum()) - float(position.white.sum())
        if position.passes == 2:
            return "passes", self.at_passes(position, score)
        return (None if position.empty.any() else "full"), score

    def at_passes(self, position: Position, score: float) -> float:
        return score


class CountWithACorner(Count):
    def at_passes(self, position: Position, score: float) -> float:
        return score + 3.0 * float(position.black[0, 0]) - 3.0 * float(position.white[0, 0])


class CountWithMoods(Count):
    def __init__(self) -> None:
        self.asked = 0

    def at_passes(self, position: Position, score: float) -> float:
        self.asked += 1
        return score + self.asked


class CountWithAShutCorner(Count):
    def legal(self, position: Position) -> Boards:
        found = position.empty.copy()
        found[0, 0] &= position.passes == 0
        return found


class CountOfMany(Count):
    """The same on many boards at once."""

    vectorized = True

    def may_pass(self, position: Position) -> Any:
        return np.ones(len(position.own), bool)

    def ending(self, position: Position) -> Any:
        full = ~position.empty.any(axis=(1, 2))
        score = (position.black.sum(axis=(1, 2)) - position.white.sum(axis=(1, 2))).astype(float)
        two = position.passes == 2
        return np.where(two, 1, np.where(full, 2, 0)), np.where(two, self.scores_at_passes(score), score)

    def scores_at_passes(self, score: NDArray[Any]) -> Any:
        return score


class CountOfOthers(CountOfMany):
    def scores_at_passes(self, score: NDArray[Any]) -> Any:
        return score[0]


class CountInWords(Count):
    """What it calls like facts of rules are its own words."""

    def __init__(self, forbidden: str = "shut") -> None:
        self.forbidden, self.title = forbidden, "words"
        self.endings, self.vectorized = ("resignation", "cutoff"), True

    def legal(self, position: Position) -> Boards:
        found = position.empty.copy()
        found[1, 1] &= not position.empty.all()
        return found


class Walk:
    """A king of each color steps to a side; whoever steps next to the other wins."""

    default_size, endings = 4, ("met",)

    def setup(self, rows: int, cols: int) -> tuple[Boards, Boards]:
        black, white = np.zeros((2, rows, cols), bool)
        black[0, 0] = white[-1, -1] = True
        return black, white

    def near(self, stones: Boards) -> Boards:
        near = np.pad(stones, 1)
        return near[:-2, 1:-1] | near[2:, 1:-1] | near[1:-1, :-2] | near[1:-1, 2:]

    def legal(self, position: Position) -> Boards:
        return self.near(position.own) & position.empty

    def play(self, position: Position, action: int) -> tuple[Boards, Boards]:
        own = np.zeros_like(position.own)
        own.flat[action] = True
        return own, position.opponent

    def ending(self, position: Position) -> tuple[str, float] | None:
        met = (self.near(position.own) & position.opponent).any()
        return ("met", 1.0 if position.turn else -1.0) if met else None


class WalkAgain(Walk):
    may_repeat = True


class Idle(Count):
    """Passes end nothing, so that two of them bring the position back."""

    endings = ("full",)

    def ending(self, position: Position) -> Any:
        return None if position.empty.any() else ("full", 0.0)


ALONE, SYMMETRIES, AGAIN = (law.name for law in RULE_LAWS)


@pytest.mark.parametrize("rules", [Wall, Count, CountOfMany, WalkAgain])
def test_rules_without_a_fault_keep_all_laws(rules: type) -> None:
    report = check_game(game_of(rules), games=share(12))
    assert {ALONE, SYMMETRIES, AGAIN} <= report.laws.keys()
    assert report.not_offered == ()


def test_facts_of_rules_are_those_of_their_class_alone() -> None:
    game = game_of(CountInWords)
    with pytest.raises(sixplane.IllegalActionError) as refused:
        game.play(4)
    assert refused.value.reason == "forbidden"
    game.play(9)
    game.play(9)
    assert game.ending == "passes"
    check_game(game_of(CountInWords), games=share(12))


@pytest.mark.parametrize(
    ("rules", "law", "says"),
    [
        (WallOfOthers, ALONE, "the score says something else of action"),
        (WallTaking, ALONE, "play says something else of action"),
        (CountOfOthers, ALONE, "the score says something else of action 9"),
        (CountWithMoods, ALONE, "the score says something else of action 9"),
        (CountWithACorner, SYMMETRIES, "score does not keep the symmetries"),
        (CountWithAShutCorner, SYMMETRIES, "legal does not keep the symmetries"),
        (Walk, AGAIN, "may_repeat = True must say so, or max_moves limit the game"),
        (Idle, AGAIN, "may_repeat = True must say so, or max_moves limit the game"),
    ],
)
def test_a_fault_that_some_positions_show_is_found(rules: type, law: str, says: str) -> None:
    for seed in range(3):
        with pytest.raises(LawBroken, match=says) as broken:
            check_game(game_of(rules), seed=seed)
        assert broken.value.law == law


def unlike(asked: dict[str, int], name: str) -> int:
    """Counts how often something was asked."""
    asked[name] = asked.get(name, 0) + 1
    return asked[name]


def planted() -> dict[str, Any]:
    """Members of rules with a fault that no single answer shows, and the law that they break."""
    asked: dict[str, int] = {}
    ending = TIC_TAC_TOE().ending

    def forgetful(_: object, position: Position) -> Boards:
        found = position.empty.copy()
        if found.sum() > 1 and unlike(asked, "legal") % 3 == 0:
            found.flat[np.flatnonzero(found)[0]] = False
        return found

    def moody(_: object, position: Position) -> tuple[str | None, float] | None:
        found: tuple[str | None, float] | None = ending(position)
        return (None, float(unlike(asked, "ending"))) if found is None else found

    def early(_: object, position: Position) -> tuple[str, float] | None:
        found: tuple[str, float] | None = ending(position)
        late = found is None and not position.empty[0].any()
        return ("line", 1.0) if late else found

    def erratic(_: object, position: Position, action: int) -> tuple[Boards, Boards]:
        own, opponent = position.place(action)
        return (own, opponent) if unlike(asked, "play") % 4 else (opponent, own)

    def left(_: object, position: Position) -> Boards:
        found = position.empty.copy()
        found[:, 1:] &= ~position.empty[:, :-1]
        return found if found.any() else position.empty

    def slides(_: object, position: Position, action: int) -> tuple[Boards, Boards]:
        own, opponent = position.place(action)
        moved = position.own.copy()
        moved[action // 3] |= own[action // 3]
        if action % 3 and not (own | opponent)[action // 3, action % 3 - 1]:
            moved.flat[action], moved.flat[action - 1] = False, True
        return moved, opponent

    def of_others(_: object, position: Position) -> Boards:
        found: NDArray[np.bool_] = position.empty.copy()
        if len(found) > 1 and found[0].sum() > 1:
            found[0].flat[np.flatnonzero(found[0])[0]] = False
        return found

    def all_endings(_: object, position: Position) -> tuple[Any, Any]:
        full = np.asarray(~position.empty.any(axis=(1, 2)))
        return full.astype(int), np.zeros(len(full))

    return {
        "legal changes its mind": (ALONE, {"legal": forgetful}),
        "the score changes its mind": (ALONE, {"ending": moody}),
        "play changes its mind": (ALONE, {"play": erratic}),
        "legal keeps no symmetry": (SYMMETRIES, {"legal": left}),
        "ending keeps no symmetry": (SYMMETRIES, {"ending": early}),
        "play keeps no symmetry": (SYMMETRIES, {"play": slides}),
        "the other positions matter": (
            ALONE,
            {"legal": of_others, "ending": all_endings, "vectorized": True},
        ),
        "nothing is placed": (AGAIN, {"play": lambda _, p, _a: (p.own, p.opponent)}),
    }


@pytest.mark.parametrize("fault", planted())
def test_a_fault_that_no_single_answer_shows_is_found(fault: str) -> None:
    law, members = planted()[fault]
    with pytest.raises(LawBroken) as broken:
        check_game(game_of(type("Planted", (TIC_TAC_TOE,), members)))
    assert broken.value.law == law


def test_positions_may_come_again_where_a_limit_ends_the_game() -> None:
    assert AGAIN in check_game(game_of(Walk, max_moves=40), games=share(12)).laws


def test_a_position_comes_again_by_plays_alone() -> None:
    # In every other game a turn is set now and then, also to what it was.
    report = check_game(game_of(Wall), games=share(30))
    assert report.laws[AGAIN]["positions"] > 100
    assert report.laws["set_turn_is_one_step_and_no_action"]["the turn set to what it was"] > 0


def test_a_game_that_was_passed_in_is_asked_with_its_passes() -> None:
    game = game_of(Idle)
    game.play(4)
    for start in (game, type(game).from_planes(game.planes)):
        with pytest.raises(LawBroken) as broken:
            check_game(start)
        assert broken.value.law == AGAIN
    counted = game_of(Count)
    counted.play(9)
    check_game(counted, games=share(12))
    check_game(type(counted).from_planes(counted.planes), games=share(12))
