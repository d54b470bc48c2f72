"""GymGo's functions on planes: what they refuse, and how they say it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sixplane
from go_states import board, finished
from sixplane import gogame, planes


@pytest.mark.parametrize("action", [0, 4, 9])
def test_a_finished_game_has_no_next_state_and_no_children(action: int) -> None:
    state = finished()
    assert not gogame.invalid_moves(state).any()
    assert state[3].sum() == 1
    for call in (
        lambda: gogame.next_state(state, action),
        lambda: gogame.batch_next_states(np.array([gogame.init_state(3), state]), np.array([0, action])),
        lambda: gogame.random_action(state),
    ):
        with pytest.raises(gogame.InvalidMoveError, match="over") as caught:
            call()
        assert caught.value.reason == "game_over"
    assert not gogame.children(state).any()
    assert gogame.children(state).shape == (10, 6, 3, 3)
    assert gogame.children(state, padded=False).shape == (0, 6, 3, 3)


@pytest.mark.parametrize("action", [-1, 10, 2**16, 2**63, -(10**30), np.int8(-3), np.uint64(2**64 - 1)])
def test_actions_out_of_range_are_refused(action: Any) -> None:
    with pytest.raises(gogame.InvalidMoveError, match="0 to 9") as caught:
        gogame.next_state(gogame.init_state(3), action)
    assert caught.value.reason == "off_board"
    if abs(int(action)) < 2**63 or isinstance(action, np.integer):
        with pytest.raises(gogame.InvalidMoveError, match="batch index 1: action") as caught:
            gogame.batch_next_states(gogame.batch_init_state(2, 3), np.array([0, action], type(action)))
        assert caught.value.reason == "off_board"


def test_refusals_are_illegal_actions_and_assertion_errors() -> None:
    state = gogame.next_state(gogame.init_state(3), 5)
    with pytest.raises(AssertionError, match="row 1, column 2: occupied") as caught:
        gogame.next_state(state, 5)
    assert isinstance(caught.value, sixplane.IllegalActionError)
    assert isinstance(caught.value, ValueError)
    assert caught.value.reason == "occupied"
    # A stone there is enough, whatever the invalid plane says.
    state[3] = 0
    with pytest.raises(gogame.InvalidMoveError):
        gogame.next_state(state, 5)
    batch = np.array([gogame.init_state(3)] * 2 + [board(".X.", "...", "...")])
    with pytest.raises(gogame.InvalidMoveError, match=r"batch index 2: .*row 0, column 1: occupied"):
        gogame.batch_next_states(batch, np.array([1, 1, 1]))


@pytest.mark.parametrize(
    "action", [1.0, True, None, "1", np.float64(1), np.bool_(True), np.array([1]), (0, 1)]
)
def test_actions_that_are_no_integers_are_type_errors(action: Any) -> None:
    with pytest.raises(TypeError, match="integer"):
        gogame.next_state(gogame.init_state(3), action)


@pytest.mark.parametrize("action", [4, np.int8(4), np.uint64(4), np.array(4)])
def test_actions_may_be_integers_of_any_kind(action: Any) -> None:
    assert gogame.next_state(gogame.init_state(3), action)[0, 1, 1] == 1


@pytest.mark.parametrize("name", ["i1", "u1", "i2", "u4", "i8", "u8", ">i4"])
def test_batch_actions_may_be_of_any_integer_dtype(name: str) -> None:
    batch = gogame.batch_init_state(3, 3)
    for actions in (np.array([4, 9, 0], name), [4, 9, 0]):
        after = gogame.batch_next_states(batch, actions)
        assert (after[0, 0, 1, 1], after[1, 4, 0, 0], after[2, 0, 0, 0]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("actions", "error"),
    [
        (np.array([1.0, 2.0]), TypeError),
        (np.array([True, False]), TypeError),
        (["a", "b"], TypeError),
        (None, ValueError),
        (np.array([1]), ValueError),
        (np.array([1, 2, 3]), ValueError),
        (np.array([[1], [2]]), ValueError),
        ([], ValueError),
    ],
)
def test_batch_actions_of_another_kind_are_refused(actions: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="action"):
        gogame.batch_next_states(gogame.batch_init_state(2, 3), actions)


SINGLE: list[Callable[[Any], Any]] = [
    lambda s: gogame.next_state(s, 0),
    gogame.children,
    gogame.valid_moves,
    gogame.invalid_moves,
    gogame.action_size,
    gogame.turn,
    gogame.prev_player_passed,
    gogame.game_ended,
    gogame.areas,
    gogame.winning,
    gogame.liberties,
    gogame.num_liberties,
    gogame.random_action,
    gogame.str,
]
BATCH: list[Callable[[Any], Any]] = [
    lambda s: gogame.batch_next_states(s, np.zeros(2, np.int64)),
    gogame.batch_valid_moves,
    gogame.batch_invalid_moves,
    gogame.batch_turn,
    gogame.batch_prev_player_passed,
    gogame.batch_game_ended,
    gogame.batch_areas,
    gogame.batch_winning,
]

NO_NUMBERS = ("c16", "O", "S1", "U1", "M8[s]", "m8[s]", "V4")


@pytest.mark.parametrize("function", [*SINGLE, gogame.canonical_form])
def test_what_is_no_state_is_refused(function: Callable[[Any], Any]) -> None:
    for shape in [(6,), (6, 3), (5, 3, 3), (7, 3, 3), (6, 3, 0), (2, 6, 3, 3), (0, 3, 3)]:
        with pytest.raises(ValueError, match="shape must"):
            function(np.zeros(shape))
    for other in (None, 1, gogame.init_state(3).tolist(), sixplane):
        if function is not gogame.action_size or other is not None:
            with pytest.raises(TypeError, match="NumPy array"):
                function(other)
    for sides in [(1, 1), (1, 3), (3, 26), (30, 30)]:
        with pytest.raises(ValueError, match="from 2 to 25"):
            function(np.zeros((6, *sides)))
    for dtype in NO_NUMBERS:
        with pytest.raises(TypeError, match="bool, integers and floats"):
            function(np.zeros((6, 3, 3), dtype))


@pytest.mark.parametrize("function", [*BATCH, gogame.batch_canonical_form])
def test_what_is_no_batch_is_refused(function: Callable[[Any], Any]) -> None:
    for shape in [(6, 3, 3), (2, 5, 3, 3), (2, 6, 3, 0), (2, 2, 6, 3, 3)]:
        with pytest.raises(ValueError, match="shape must"):
            function(np.zeros(shape))
    with pytest.raises(TypeError, match="NumPy array"):
        function([gogame.init_state(3)] * 2)
    with pytest.raises(ValueError, match="from 2 to 25"):
        function(np.zeros((2, 6, 3, 26)))
    for dtype in NO_NUMBERS:
        with pytest.raises(TypeError, match="bool, integers and floats"):
            function(np.zeros((2, 6, 3, 3), dtype))


@pytest.mark.parametrize("function", [planes.label, planes.dilate])
def test_what_is_labelled_and_dilated_has_numbers(function: Callable[[Any], Any]) -> None:
    for dtype in NO_NUMBERS:
        with pytest.raises(TypeError, match="bool, integers and floats"):
            function(np.zeros((3, 3), dtype))


def test_boards_of_other_sizes_are_refused() -> None:
    sizes: list[Any] = [1, 26, -3, (1, 5), (5, 26), (3,), (3, 4, 5), [], 2**80]
    for size in sizes:
        with pytest.raises(ValueError, match=r"rows and columns|\(rows, cols\)"):
            gogame.init_state(size)
    for wrong in (3.0, True, None, "3", (3.0, 3)):
        with pytest.raises(TypeError, match="integer"):
            gogame.init_state(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="negative"):
        gogame.batch_init_state(-1, 3)
    with pytest.raises(TypeError, match="integer"):
        gogame.batch_init_state(1.5, 3)  # type: ignore[arg-type]


def test_a_point_with_two_stones_is_refused() -> None:
    state = gogame.init_state(3)
    state[:2, 1, 2] = 1
    functions = [lambda s: gogame.next_state(s, 0), gogame.children, gogame.areas, gogame.liberties]
    for function in functions:
        with pytest.raises(ValueError, match="row 1, column 2 holds a black and a white stone"):
            function(state)
    batch = np.array([gogame.init_state(3), state])
    for batch_function in (lambda s: gogame.batch_next_states(s, [0, 0]), gogame.batch_areas):
        with pytest.raises(ValueError, match="batch index 1: row 1, column 2"):
            batch_function(batch)


@pytest.mark.parametrize("komi", [[], [7.5], [1, 2, 3], np.zeros((2, 1))])
def test_as_many_komis_as_boards_are_needed(komi: Any) -> None:
    with pytest.raises(ValueError, match=r"komi must be one number, or 2 for 2 boards, not of shape \("):
        gogame.batch_winning(gogame.batch_init_state(2, 3), komi)


@pytest.mark.parametrize(
    ("komi", "error", "words"),
    [
        (float("nan"), ValueError, "komi must be a finite number, not nan"),
        (float("inf"), ValueError, "komi must be a finite number, not inf"),
        ("a", TypeError, "komi must be a number, not str"),
        (None, TypeError, "komi must be a number, not NoneType"),
        (True, TypeError, "komi must be a number, not bool"),
    ],
    ids=str,
)
def test_a_komi_that_is_no_number_is_refused(komi: Any, error: type[Exception], words: str) -> None:
    state = gogame.init_state(3)
    with pytest.raises(error, match=words):
        gogame.winning(state, komi)
    with pytest.raises(error, match=words):
        gogame.batch_winning(np.array([state, state]), komi)


def test_each_board_of_a_batch_may_have_a_komi() -> None:
    states = gogame.batch_init_state(2, 3)
    assert gogame.batch_winning(states, np.array([0.5, -0.5])).tolist() == [-1, 1]
    with pytest.raises(ValueError, match="komi must be a finite number"):
        gogame.batch_winning(states, np.array([0.5, np.nan]))


@pytest.mark.parametrize("cell", [2, -1, 0.5])
def test_any_number_but_0_in_a_cell_counts_as_1(cell: float) -> None:
    state = gogame.next_state(gogame.init_state(3), 4)
    batch = np.stack([state, gogame.next_state(state, 9), finished()])
    for read in (gogame.turn, gogame.game_ended, gogame.invalid_moves, gogame.valid_moves):
        for board_state in batch:
            assert np.array_equal(read(board_state * cell), read(board_state))
    for read_all in (
        gogame.batch_turn,
        gogame.batch_game_ended,
        gogame.batch_invalid_moves,
        gogame.batch_valid_moves,
    ):
        assert np.array_equal(read_all(batch * cell), read_all(batch))
