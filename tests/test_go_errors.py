"""Every documented error of a game object, with its message; nothing a caller passes does harm."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sixplane
from go_refusals import (
    ANY_GO,
    COLOR,
    COLOR_TYPE,
    KO,
    KO_SHAPE,
    KOMI,
    MAX_MOVES,
    NO_NAME,
    OFF_BOARD,
    SIZE,
    raises,
    reason_of,
)
from sixplane import Go, IllegalActionError


@pytest.mark.parametrize("size", [1, 26, 0, -1, (1, 5), (5, 26), [1, 1], (0, 0), 2**40, 2**80, -(2**80)])
def test_sizes_that_no_board_has(size: Any) -> None:
    with raises(ValueError, SIZE):
        Go(size)
    with raises(ValueError, SIZE):
        Go.from_stones([], [], size=size)


@pytest.mark.parametrize(
    ("size", "name"),
    [
        (9.0, "float"),
        ("9", "str"),
        (True, "bool"),
        ((9, 9.0), "float"),
        ([9, "9"], "str"),
        ((False, 9), "bool"),
        ({9, 7}, "set"),
        (np.array([9, 9]), "ndarray"),
        (np.float32(9), "float32"),
    ],
)
def test_sizes_of_another_type(size: Any, name: str) -> None:
    with raises(TypeError, f"size must be an integer, not {name}"):
        Go(size)


def test_sizes_of_another_length() -> None:
    for size in [(), (9,), (9, 9, 9)]:
        with raises(ValueError, f"size must be an integer or (rows, columns), not {len(size)} numbers"):
            ANY_GO(size)


@pytest.mark.parametrize("size", [2, 25, (2, 25), [25, 2], np.int8(9), np.array(9), (np.uint16(3), 4)])
def test_sizes_that_boards_have(size: Any) -> None:
    assert Go(size).planes.shape[0] == 6


@pytest.mark.parametrize(
    "komi", [0.25, 7.4, 1000.5, -1000.5, float("nan"), float("inf"), -float("inf"), 10**400, 1e308, 5e-324]
)
def test_komi_that_no_game_has(komi: Any) -> None:
    with raises(ValueError, KOMI):
        Go(5, komi=komi)
    with raises(ValueError, KOMI):
        Go.from_text("..\n..", komi=komi)


@pytest.mark.parametrize(("komi", "name"), [("7.5", "str"), (True, "bool"), (1j, "complex"), ([7], "list")])
def test_komi_of_another_type(komi: Any, name: str) -> None:
    with raises(TypeError, f"komi must be a number, not {name}"):
        Go(5, komi=komi)


@pytest.mark.parametrize("komi", [0, -0.5, 1000, -1000, 7, np.float32(6.5), np.int64(3)])
def test_komi_that_games_have(komi: Any) -> None:
    assert Go(5, komi=komi).komi == komi
    assert Go(5, komi=komi).score() == -komi


def test_other_options() -> None:
    for name in ("superko", "Simple", "", "none"):
        with raises(ValueError, f"{KO}, not {name!r}"):
            ANY_GO(5, ko=name)
    for value in (3, ["simple"], b"simple"):
        with raises(TypeError, f"{KO}, not {value!r}"):
            ANY_GO(5, ko=value)
    for suicide, name in ((1, "int"), ("yes", "str"), (0.0, "float")):
        with raises(TypeError, f"suicide must be True or False, not {name}"):
            ANY_GO(5, suicide=suicide)
    with raises(TypeError, "unexpected keyword argument 'speed'"):
        ANY_GO(5, speed=1)
    with raises(TypeError, "positional argument"):
        ANY_GO(5, 7.5)
    for option in ("handicap", "size", "speed"):
        with raises(TypeError, f'unexpected option "{option}": allowed are komi, ko, suicide, max_moves'):
            ANY_GO.from_text("..\n..", **{option: 2})


@pytest.mark.parametrize(
    ("size", "handicap", "message"),
    [
        (9, 1, "handicap 1 on a 9x9 board: allowed are 0 and 2 to 9"),
        (9, 10, "handicap must be from 0 to 9, not 10"),
        (9, -1, "handicap must be from 0 to 9, not -1"),
        (9, 10**30, "handicap must be from 0 to 9, not 1000"),
        (7, 5, "handicap 5 on a 7x7 board: allowed are 0 and 2 to 4"),
        (18, 5, "handicap 5 on a 18x18 board: allowed are 0 and 2 to 4"),
        (6, 2, "handicap 2 on a 6x6 board: only square boards of side 7 or more take handicap stones"),
        ((19, 18), 2, "handicap 2 on a 19x18 board: only square boards"),
    ],
)
def test_handicap_that_no_board_takes(size: Any, handicap: int, message: str) -> None:
    with raises(ValueError, message):
        Go(size, handicap=handicap)


def test_numbers_of_another_type() -> None:
    for value, name in ((2.0, "float"), (True, "bool"), ("2", "str"), (np.float64(2), "float64")):
        for option in ("handicap", "max_moves"):
            with raises(TypeError, f"{option} must be an integer, not {name}"):
                ANY_GO(9, **{option: value})
        with raises(TypeError, f"k must be an integer, not {name}"):
            ANY_GO(9).history_planes(value)


def test_limits_that_no_game_has() -> None:
    for limit in (0, -1, 2**32, 10**30):
        with raises(ValueError, f"{MAX_MOVES}{limit}"):
            Go(5, max_moves=limit)
    for k in (0, -1, 10**9, 10**30):
        with raises(ValueError, f"k must be from 1 to 10000, not {k}"):
            Go(5).history_planes(k)


@pytest.mark.parametrize("action", [-1, 26, 2**15, 2**16, 2**16 + 25, 2**31, 2**32, 2**63 - 1, -(2**63)])
def test_actions_off_the_board(action: int) -> None:
    game = Go(5)
    with raises(IllegalActionError, f"action {action} {OFF_BOARD}") as error:
        game.play(action)
    assert error.value.reason == "off_board"
    assert game == Go(5)


def test_actions_beyond_all_machine_integers() -> None:
    game: Any = Go(5)
    # The longest is beyond what Python itself will print.
    for action in (2**63, 2**64, 10**30, -(10**30), 10**5000, np.uint64(2**63)):
        with raises(IllegalActionError, OFF_BOARD) as error:
            game.play(action)
        assert error.value.reason == "off_board"
    with raises(ValueError, "max_moves must be from 1 to 4294967295"):
        Go(5, max_moves=10**5000)
    assert game == Go(5)


class WithIndex:
    """A number of someone's own."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __index__(self) -> int:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value  # type: ignore[no-any-return]


ACTION_TYPES: list[tuple[Any, str]] = [
    (1.0, "float"),
    (float("nan"), "float"),
    (float("inf"), "float"),
    (None, "NoneType"),
    (True, "bool"),
    (False, "bool"),
    ("D4", "str"),
    (b"1", "bytes"),
    ((1, 2), "tuple"),
    ([3], "list"),
    (1j, "complex"),
    (np.float64(3), "float64"),
    (np.array(1.0), "ndarray"),
    (np.array(True), "ndarray"),
    (np.array([1, 2]), "ndarray"),
    (WithIndex("x"), "WithIndex"),
    (object(), "object"),
]


@pytest.mark.parametrize(("action", "name"), ACTION_TYPES, ids=lambda value: repr(value)[:12])
def test_actions_of_another_type(action: Any, name: str) -> None:
    game = Go(5)
    message = f"action must be an integer, not {name}"
    for use in (game.play, game.action_to_name, game.is_eye, lambda action: game.replay([action])):
        with raises(TypeError, message):
            use(action)
    assert game == Go(5)


def test_a_numpy_bool_is_no_action() -> None:
    with raises(TypeError, "action must be an integer, not bool"):
        ANY_GO(5).play(np.bool_(True))


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4"])
def test_actions_of_any_integer_type_are_played(dtype: str) -> None:
    game = Go(5)
    game.play(np.array(3, dtype))
    game.play(np.array([4], dtype)[0])
    game.play(WithIndex(5))
    assert game.actions.tolist() == [3, 4, 5]


def test_an_error_of_the_callers_own_comes_through() -> None:
    with raises(ZeroDivisionError, "mine"):
        Go(5).play(WithIndex(ZeroDivisionError("mine")))


def test_a_number_that_plays_itself_does_no_harm() -> None:
    game = Go(5)

    class Meddler:
        def __index__(self) -> int:
            game.play(7)
            return 8

    with pytest.raises(RuntimeError, match="borrowed"):
        game.play(Meddler())
    assert game == Go(5)
    game.play(8)


def test_reasons_of_illegal_plays() -> None:
    game = Go.from_text(KO_SHAPE, ko="simple")
    assert reason_of(game, 6) == ("occupied", "black may not play 6 (B4): the point is occupied")
    game.play(12)
    ko = ("ko", "white may not play 11 (B3): forbidden by the rule of ko")
    assert reason_of(game, 11) == ko
    for rule in ("positional", "situational"):
        game = ANY_GO.from_text(KO_SHAPE, ko=rule)
        game.play(12)
        superko = ("superko", "white may not play 11 (B3): forbidden by the rule of superko")
        assert reason_of(game, 11) == superko
    for suicide in (False, True):
        game = Go.from_text(". X .\nX . .\n. . .", "white", suicide=suicide)
        assert reason_of(game, 0) == (
            "suicide",
            "white may not play 0 (A3): forbidden by the rule of suicide",
        )
    game.play(9)
    game.play(9)
    assert reason_of(game, 9) == ("game_over", "white may not play 9 (pass): the game is over")
    assert reason_of(game, 0) == ("game_over", "white may not play 0 (A3): the game is over")
    assert reason_of(game, 99) == ("game_over", "the game is over")
    assert reason_of(game, -1) == ("game_over", "the game is over")


def test_an_illegal_action_error_survives_pickling() -> None:
    with pytest.raises(IllegalActionError) as error:
        Go(5).play(99)
    twin = pickle.loads(pickle.dumps(error.value))
    assert (type(twin), str(twin), twin.reason) == (IllegalActionError, str(error.value), "off_board")


def test_nothing_to_undo() -> None:
    handicap = Go(9, handicap=2)
    limited = Go(5, max_moves=1)
    for game in (Go(5), handicap, limited, Go.from_text("X.\n..")):
        before = game.copy()
        with raises(ValueError, "nothing to undo: the game is at its start"):
            game.undo()
        assert game == before


def test_colors() -> None:
    game: Any = Go(5)
    uses: list[Callable[[Any], object]] = [
        game.resign,
        game.set_turn,
        lambda color: game.is_eye(0, color),
        lambda color: ANY_GO.from_text("..\n..", color),
        lambda color: ANY_GO.from_stones([], [], color),
    ]
    for use, color in itertools.product(uses, ("red", "Black", "", 2, -1, 10**30)):
        with raises(ValueError, COLOR):
            use(color)
    for use, (color, name) in itertools.product(uses, ((1.0, "float"), (True, "bool"), ((0,), "tuple"))):
        with raises(TypeError, f"{COLOR_TYPE}{name}"):
            use(color)
    with raises(TypeError, f"{COLOR_TYPE}NoneType"):
        game.set_turn(None)
    assert game == Go(5)


def test_a_game_that_is_over() -> None:
    resigned, passed, cut = Go(5), Go(5), Go(5, max_moves=1)
    resigned.resign()
    passed.play(25)
    passed.play(25)
    cut.play(0)
    for game in (resigned, passed, cut):
        assert game.is_over
        before = game.copy()
        for call, message in [
            (game.resign, "nobody can resign: the game is over"),
            (lambda game=game: game.set_turn(0), "the turn cannot be set: the game is over"),
        ]:
            with raises(IllegalActionError, message) as error:
                call()
            assert error.value.reason == "game_over"
        assert reason_of(game, 25)[0] == "game_over"
        assert game == before


def test_names_of_no_action() -> None:
    game = Go(5)
    names = [
        "Z9",
        "I5",
        "F1",
        "",
        "5",
        "D",
        "D0",
        "D6",
        "D04",
        "D+4",
        "D4x",
        "D 4",
        "4D",
        "\u00e9",
        "D\u0664",
        "passs",
    ]
    for name in [*names, "D" + "9" * 60]:
        with raises(ValueError, f'"{name}" {NO_NAME}'):
            game.name_to_action(name)
    assert game.name_to_action(" d4\n") == 8
    assert game.name_to_action("PASS") == 25
    with pytest.raises(TypeError):
        ANY_GO(5).name_to_action(3)
    for action in (-1, 26, 10**30):
        with raises(IllegalActionError, OFF_BOARD):
            game.action_to_name(action)


def test_eye_rules() -> None:
    for rule, error in ("x", ValueError), ("", ValueError), (1, TypeError):
        with raises(error, f'rule must be one of "diagonal", "chain", "playout", not {rule!r}'):
            ANY_GO(5).is_eye(0, rule=rule)
    with raises(IllegalActionError, OFF_BOARD):
        Go(5).is_eye(26)


def test_replays_that_fail() -> None:
    game = Go(5)
    game.play(3)
    before = game.copy()
    for actions, reason, message in [
        ([0, 0], "occupied", "action 0 at index 1: the point is occupied"),
        ([25, 25, 0], "game_over", "action 0 at index 2: the game is over"),
        ([1, 99], "off_board", f"action 99 {OFF_BOARD}"),
    ]:
        with raises(IllegalActionError, message) as error:
            game.replay(actions)
        assert error.value.reason == reason
    for third, kind in (99, IllegalActionError), (1.5, TypeError):
        with pytest.raises(kind) as caught:
            ANY_GO(5).replay([1, 2, third])
        assert caught.value.__notes__ == ["at index 2"]
    for wrong in (3, None):
        with pytest.raises(TypeError, match="not iterable"):
            ANY_GO(5).replay(wrong)
    assert game == before


def test_attributes_are_read_only_and_the_class_is_final() -> None:
    game: Any = Go(5)
    for name in ("turn", "planes", "hash", "komi", "nonsense"):
        with pytest.raises(AttributeError):
            setattr(game, name, 1)
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Mine", (Go,), {})
    with pytest.raises(TypeError, match="not supported"):
        _ = game < Go(5)


def test_sixplane_names_its_exceptions() -> None:
    assert issubclass(sixplane.IllegalActionError, ValueError)
    assert sixplane.IllegalActionError.__module__ == "sixplane.errors"
