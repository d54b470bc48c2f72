"""What is said of rules in Python that are wrong or fail, and what stays as it was."""

from __future__ import annotations

import gc
import pickle
import re
import sys
import weakref
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

import own_games as games
import sixplane
from sixplane import GameBatch, GameRulesError
from sixplane.envs.single import BoardGameEnv
from sixplane.games import info_named
from sixplane.testing import LawBroken, check_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane.games.arbiter import Boards, Position

#: Their classes are not what a type checker takes them for.
own_games: Any = games


def broken(**members: Any) -> Any:
    """A game on 3x3 whose rules are those of tic-tac-toe but for these members."""
    usual: dict[str, Any] = {
        "default_size": 3,
        "legal": own_games.TicTacToe().rules.legal.__func__,
        "ending": own_games.TicTacToe().rules.ending.__func__,
    }
    return sixplane.game_class(type("Broken", (), usual | members))


class Closed:
    """An object of which no array can be made, as a tensor that needs a gradient."""

    def __array__(self, *_: object, **__: object) -> NDArray[Any]:
        raise RuntimeError("call open() first")

    def __repr__(self) -> str:
        return "Closed"


def raises_at_stone(position: Position) -> Boards:
    if not position.empty[0, 0]:
        raise ZeroDivisionError("too bad")
    return position.empty


def changes_what_it_is_shown(position: Position) -> Boards:
    if not position.empty[0, 0]:
        position.own[0, 0] = True
    return position.empty


#: What is wrong with rules when a stone is on the first point, and what is said.
FAULTS: dict[str, Any] = {
    "legal raises": ({"legal": lambda _, p: raises_at_stone(p)}, "legal raised ZeroDivisionError: too bad"),
    "legal of another shape": (
        {"legal": lambda _, p: p.empty if p.empty[0, 0] else p.empty[:2]},
        r"legal must return an array \(3, 3\) of bool, not bool \(2, 3\)",
    ),
    "legal of no shape": (
        {"legal": lambda _, p: p.empty if p.empty[0, 0] else [[1], [1, 1]]},
        r"legal must return an array \(3, 3\) of bool, not \[\[1\], \[1, 1\]\]",
    ),
    "legal changes what is empty": (
        {"legal": lambda _, p: p.empty if p.empty[0, 0] else p.empty.fill(0)},
        "the arrays of a position are read-only: copy them",
    ),
    "legal of which no array can be made": (
        {"legal": lambda _, p: p.empty if p.empty[0, 0] else Closed()},
        r"legal must return an array \(3, 3\) of bool, not Closed \(RuntimeError: call open\(\) first\)",
    ),
    "legal of another type": (
        {"legal": lambda _, p: p.empty if p.empty[0, 0] else p.empty * 0.5},
        r"legal must return an array \(3, 3\) of bool, not float64 \(3, 3\)",
    ),
    "legal allows occupied points": (
        {"legal": lambda _, p: p.empty if p.empty[0, 0] else ~p.own},
        "legal allows a play on the occupied point 0",
    ),
    "legal changes what it is shown": (
        {"legal": lambda _, p: changes_what_it_is_shown(p)},
        "the arrays of a position are read-only: copy them",
    ),
    "no legal action": (
        {"legal": lambda _, p: p.empty & p.empty[0, 0]},
        "the game goes on, but no action is legal",
    ),
    "play raises": ({"play": lambda *_: [].pop()}, "play raised IndexError"),
    "play returns one board": ({"play": lambda _, p, _a: p.own}, "play must return a pair"),
    "play puts two on a point": (
        {"play": lambda _, p, a: (p.place(a)[0], p.place(a)[0])},
        "play puts two stones on one point",
    ),
    "play of which no array can be made": (
        {"play": lambda _, p, _a: (Closed(), p.opponent)},
        r"play must return an array \(3, 3\) of bool, not Closed \(RuntimeError: call open\(\) first\)",
    ),
    "play returns another shape": (
        {"play": lambda _, p, a: (p.place(a)[0].ravel(), p.opponent)},
        r"play must return an array \(3, 3\) of bool",
    ),
    "ending without a score": (
        {"ending": lambda _, p: None if p.empty[0, 0] else "line"},
        "ending must return None or",
    ),
    "ending with another word": (
        {"ending": lambda _, p: None if p.empty[0, 0] else ("mate", 1.0)},
        "ending returns the word 'mate'",
    ),
    "ending with no number": (
        {"ending": lambda _, p: None if p.empty[0, 0] else ("line", float("nan"))},
        "ending must return a score",
    ),
    "ending with a score that is no number": (
        {"ending": lambda _, p: None if p.empty[0, 0] else ("line", Closed())},
        r"ending must return a score for each position, not Closed \(RuntimeError: call open\(\) first\)",
    ),
    "may_pass of which no array can be made": (
        {"may_pass": lambda _, p: bool(p.empty[0, 0]) or Closed()},
        r"may_pass must return a bool for each position, not Closed \(RuntimeError: call open\(\) first\)",
    ),
    "may_pass is no bool": (
        {"may_pass": lambda _, p: bool(p.empty[0, 0]) or 3},
        "may_pass must return a bool",
    ),
}


class Mute(Exception):
    """An error that cannot describe itself."""

    def __str__(self) -> str:
        raise RuntimeError("not even that")


def test_an_error_that_cannot_describe_itself_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def mute(_rules: object, position: Position) -> Boards:
        if not position.empty[0, 0]:
            raise Mute
        return position.empty

    with pytest.raises(GameRulesError, match="legal raised Mute, in the position"):
        broken(legal=mute)().play(0)
    monkeypatch.setattr(Mute, "__str__", lambda _error: "x" * 9999)
    with pytest.raises(GameRulesError, match=r"legal raised Mute: x{500}\.\.\., in the position"):
        broken(legal=mute)().play(0)


@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_in_the_rules_leaves_everything_as_it_was(fault: str) -> None:
    members, message = FAULTS[fault]
    game = broken(**members)()
    before = game.copy()
    with pytest.raises(GameRulesError, match=message) as caught:
        game.play(0)
    assert caught.value.game == "Broken"
    if fault.startswith("play"):
        assert caught.value.action == 0
        assert "action 0" in str(caught.value)
    assert caught.value.position is not None
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args
    assert game == before
    assert (game.planes == before.planes).all()
    assert not game.is_over
    batch = GameBatch(game, 3, seed=1)
    untouched = batch.copy()
    if not fault.startswith("play"):
        batch.play([1, 2, 3])
        untouched = batch.copy()
    for call in (batch.play, batch.step):
        with pytest.raises(GameRulesError, match=message) as caught:
            call([4, 0, 5])
        assert batch == untouched
        if not fault.startswith("play"):
            # Of three positions it names the one with a stone on the first point.
            assert str(caught.value.position).splitlines()[1].startswith(("X", "O"))
    with pytest.raises(GameRulesError, match=message):
        batch.play_random(9)
    assert batch == untouched
    assert (batch.planes == untouched.planes).all()


def test_a_class_without_the_rules_is_no_game() -> None:
    with pytest.raises(TypeError, match=r"lack the method ending\(position\)"):
        sixplane.game_class(type("Half", (), {"legal": lambda _, p: p.empty}))
    with pytest.raises(TypeError, match="needs a default"):
        broken(__init__=lambda _self, _length: None)
    with pytest.raises(TypeError, match="symmetries must be one of"):
        broken(symmetries="some")
    with pytest.raises(TypeError, match="symmetries must be one of"):
        broken(symmetries=["all"])
    with pytest.raises(TypeError, match="endings must be a tuple"):
        broken(endings="line")
    with pytest.raises(TypeError, match="endings has 'cutoff': it ends games without these rules"):
        broken(endings=("full", "line", "cutoff"))
    for member, value, says in (
        ("endings", (word for word in ("full", "line")), "must be a tuple"),
        ("title", " ", "must be a name in words"),
        ("title", 3, "must be a name in words"),
        ("style", "dark", "must be a sixplane.render.Style"),
        ("default_size", (3,), r"each from 2 to 25, not \(3,\)"),
        ("default_size", 1, "each from 2 to 25, not 1"),
        ("default_size", "3", "each from 2 to 25, not '3'"),
        ("vectorized", "no", "must be True or False"),
    ):
        with pytest.raises(TypeError, match=f"Broken.{member} {says}|{says}"):
            broken(**{member: value})
    with pytest.raises(TypeError, match="not of 3"):
        sixplane.game_class(cast("Any", 3))
    with pytest.raises(TypeError, match="has no rules"):
        sixplane.OwnGame()
    with pytest.raises(TypeError, match="unexpected option 'komi'"):
        own_games.Gomoku(komi=3)
    with pytest.raises(TypeError, match="length must be int"):
        own_games.Gomoku(length=3.5)
    with pytest.raises(ValueError, match="even"):
        own_games.Reversi(5)
    with pytest.raises(GameRulesError, match="setup"):
        broken(setup=lambda _self, _rows, _cols: [].pop())()
    with pytest.raises(GameRulesError, match=r"setup must return .*, not Closed \(RuntimeError: call open"):
        broken(setup=lambda _self, _rows, _cols: (Closed(), Closed()))()


@pytest.mark.parametrize("name", ["turn", "play", "size", "max_moves", "rows", "name", "info", "rule_names"])
def test_an_option_is_not_called_as_what_every_game_has(name: str) -> None:
    namespace: dict[str, Any] = {}
    exec(f"def __init__(self, {name}=1): pass", namespace)  # noqa: S102 - a name that is given
    with pytest.raises(TypeError, match=f"the option {name} of Broken needs another name"):
        broken(__init__=namespace["__init__"])


def test_a_batch_begins_anew_with_games_of_its_class_alone() -> None:
    batch = GameBatch(own_games.TicTacToe(), 2)
    before = batch.copy()
    other = broken()(3)
    with pytest.raises(TypeError, match="a game of TicTacToe is needed, not Broken"):
        batch.reset(game=other)
    assert batch == before
    start = own_games.TicTacToe()
    start.play(4)
    batch.reset(game=start, where=[False, True])
    assert batch.move_numbers.tolist() == [0, 1]


def test_random_plays_are_taken_back_without_asking_rules_that_fail() -> None:
    answers = [1000]

    def ending(_: object, position: Position) -> tuple[str, float] | None:
        answers[0] -= 1
        if answers[0] < 0:
            raise ZeroDivisionError("too bad")
        return None if position.empty.any() else ("full", 0.0)

    batch = GameBatch(broken(ending=ending)(4), 5, seed=1)
    batch.play_random(4)
    before, masks = batch.copy(), batch.action_masks
    answers[0] = 30
    with pytest.raises(GameRulesError, match="too bad"):
        batch.play_random(9)
    assert answers[0] == -1
    assert batch == before and (batch.action_masks == masks).all()
    answers[0] = 1000
    for one in (batch, before):
        one.play_random(3)
    assert batch == before and batch.move_numbers.tolist() == [7] * 5


def test_an_ending_without_a_word_is_told_in_short() -> None:
    class Nameless:
        def __repr__(self) -> str:
            raise RuntimeError("no name")

    for word in (Nameless(), "x" * 3000):
        with pytest.raises(GameRulesError, match="ending returns the word") as refused:
            broken(ending=lambda _, _p, word=word: (word, 0.0))()
        assert len(str(refused.value)) < 600


def test_the_position_of_vectorized_rules_is_named_where_it_is_known() -> None:
    def ending(_: object, position: Position) -> tuple[Any, Any]:
        return np.where(position.own.any(axis=(1, 2)), 7, 0), np.zeros(len(position.own))

    game = broken(ending=ending, vectorized=True)(3)
    batch = GameBatch(game, 3)
    batch.play([0, 0, 0], where=[True, False, False])
    with pytest.raises(GameRulesError, match="ending returns the number 7") as refused:
        batch.play([1, 1, 1])
    assert "another of" not in str(refused.value)


@pytest.mark.parametrize("number", [-1, 3])
def test_the_number_of_an_ending_is_0_or_that_of_a_word(number: int) -> None:
    def ending(_: object, position: Position) -> tuple[Any, Any]:
        return np.where(position.empty.all(axis=(1, 2)), 0, number), np.zeros(len(position.own))

    game = broken(ending=ending, vectorized=True)()
    with pytest.raises(GameRulesError, match=f"ending returns the number {number}: endings has 2 words"):
        game.play(0)
    assert game.move_number == 0


@pytest.mark.parametrize("name", ["own", "opponent", "empty", "turn", "passes"])
def test_rules_cannot_change_the_many_positions_that_they_are_shown(name: str) -> None:
    def legal(_: object, position: Position) -> Boards:
        if not position.empty.all():
            getattr(position, name).fill(0)
        return position.empty

    def ending(_: object, position: Position) -> tuple[Any, Any]:
        return np.zeros(len(position.own), int), np.zeros(len(position.own))

    game = broken(legal=legal, ending=ending, vectorized=True)()
    with pytest.raises(GameRulesError, match="the arrays of a position are read-only: copy them"):
        game.play(0)


def test_a_start_with_two_stones_on_a_point_is_refused() -> None:
    corner = np.arange(9).reshape(3, 3) == 0
    with pytest.raises(GameRulesError, match="setup puts two stones on one point"):
        broken(setup=lambda *_: (corner, corner))()


def test_a_class_of_games_has_no_subclass() -> None:
    # Copies and batches would have games of the class itself.
    with pytest.raises(TypeError, match="Sub has a class of games as its base"):
        type("Sub", (own_games.Nim,), {})


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt, SystemExit])
def test_an_error_of_the_start_is_what_it_was(error: type[BaseException]) -> None:
    kind: type[BaseException] = GameRulesError if error is KeyError else error

    def setup(_rules: object, rows: int, _cols: int) -> Any:
        raise error if rows > 3 else ValueError("no board of three rows")

    game = broken(setup=setup)
    for side, raised, said in (4, kind, None), (3, ValueError, "^no board of three rows$"):
        with pytest.raises(raised, match=said):
            game(side)
        with pytest.raises(raised, match=said):
            game.from_planes(np.zeros((6, side, side), np.uint8))
        with pytest.raises(raised, match=said):
            game.from_stones([1], [], size=side)


def test_planes_whose_rules_fail_say_so() -> None:
    game = broken(legal=lambda _, position: raises_at_stone(position))
    planes = np.zeros((6, 3, 3), np.uint8)
    planes[0, 0, 0] = planes[3, 0, 0] = 1
    planes[2] = 1
    with pytest.raises(GameRulesError, match="legal raised ZeroDivisionError: too bad"):
        game.from_planes(planes)


@pytest.mark.parametrize("score", [float("inf"), float("nan"), 1e300])
def test_a_score_that_no_float32_holds_is_refused(score: float) -> None:
    with pytest.raises(GameRulesError, match="ending must return a score that is finite, also as float32"):
        broken(ending=lambda _, _p: ("full", score))()


def test_a_game_that_never_ends_is_an_error_unless_positions_may_repeat() -> None:
    def swap(_: object, position: Position, _action: int) -> tuple[Boards, Boards]:
        return position.opponent.copy(), position.own.copy()

    members: Any = {"play": swap, "legal": lambda _, p: p.empty, "ending": lambda _, _p: None}
    game = broken(**members)(2)
    batch = GameBatch(game, 2, seed=1)
    batch.play([0, 1])
    before = batch.copy()
    with pytest.raises(GameRulesError, match="goes on after 400 actions"):
        batch.play_random(500)
    assert batch == before
    with pytest.raises(GameRulesError, match="goes on after 400 actions"):
        sixplane._core.selfplay(game, 0, 2, 1)
    limited = broken(**members)(2, max_moves=500)
    batch = GameBatch(limited, 2)
    batch.play_random(600)
    assert batch.move_numbers.tolist() == [500, 500]
    repeating = broken(**members, may_repeat=True)(2)
    with pytest.raises(ValueError, match="max_moves is needed"):
        sixplane._core.selfplay(repeating, 0, 2, 1)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_check_of_games_finds_what_is_wrong_with_rules(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    members, message = FAULTS[fault]
    game = broken(**members)()
    monkeypatch.setattr(sys.modules[__name__], "Broken", type(game), raising=False)  # pickles find it there
    with pytest.raises(LawBroken, match="the_mask_agrees_with_play: it raised GameRulesError") as found:
        check_game(game)
    assert re.search(message, str(found.value.__cause__))


def test_rules_that_cannot_be_made_are_the_error_of_rules() -> None:
    def made(self: Any, mode: str = "a") -> None:
        self.number = {"a": 1}[mode]

    game = broken(__init__=made)
    assert game(mode="a").legal_actions.size == 9
    with pytest.raises(GameRulesError, match=r"the rules of Broken: __init__ raised KeyError: 'b'") as error:
        game(mode="b")
    assert isinstance(error.value.__cause__, KeyError)


@pytest.mark.parametrize("game", [own_games.Nim, own_games.Nim(), sixplane.Go, None])
def test_a_class_where_the_name_of_a_game_is_needed_is_told(game: Any) -> None:
    for ask in (info_named, lambda game: info_named(game, imports=True), BoardGameEnv):
        with pytest.raises(TypeError, match=r"game must be the name of a game, such as 'go' or .*, not "):
            ask(game)


def test_rules_that_fail_in_a_replay_or_in_self_play_leave_the_game_as_it_was() -> None:
    game = broken(legal=lambda _, position: raises_at_stone(position))()
    for _ in range(2):
        with pytest.raises(GameRulesError, match="legal raised ZeroDivisionError: too bad"):
            game.replay([1, 0, 2])
        game.play(1)
        game.undo()
    # What self-play fails at is not said to another thread that plays on in the same game.
    with pytest.raises(GameRulesError, match="too bad"):
        sixplane._core.selfplay(game, 0, 20, seed=1)
    game.play(1)
    assert game.actions.tolist() == [1]
    assert type(game)(game) == game


def test_a_class_of_games_that_another_has_replaced_is_forgotten() -> None:
    replaced = broken()
    replaced().play(0)
    GameBatch(replaced(), 3, seed=1).play_random(3)
    of_replaced = weakref.ref(replaced)
    del replaced
    broken()
    gc.collect()
    assert of_replaced() is None
