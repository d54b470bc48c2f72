"""`sixplane.state_utils`: the parts of a play are those of the whole play."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

import gymgo_reference as reference
from sixplane import gogame, govars, state_utils

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


def ko_of(killed: list[NDArray[Any]], surrounded: bool) -> tuple[int, int] | None:
    if surrounded and len(killed) == 1 and len(killed[0]) == 1:
        row, col = killed[0][0]
        return int(row), int(col)
    return None


def play_in_parts(state: NDArray[Any], action: int) -> NDArray[Any]:
    """`gogame.next_state` as GymGo puts it together."""
    state = state.copy()
    player, point = gogame.turn(state), divmod(action, state.shape[2])
    state[govars.PASS_CHNL] = 0
    state[player][point] = 1
    neighbors, surrounded = state_utils.adj_data(state, point, player)
    killed = state_utils.update_pieces(state, neighbors, player)
    ko = ko_of(killed, surrounded)
    state[govars.INVD_CHNL] = state_utils.compute_invalid_moves(state, player, ko)
    state_utils.set_turn(state)
    return state


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (5, 5), (4, 6)], ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.uint8])
def test_a_play_in_parts_is_the_next_state(size: tuple[int, int], dtype: DTypeLike) -> None:
    rng = random.Random(1)
    for _ in range(5):
        state = gogame.init_state(size).astype(dtype)
        for _ in range(80):
            plays = np.flatnonzero(gogame.valid_moves(state)[:-1]).tolist()
            if not plays:
                break
            action = rng.choice(plays)
            expected = reference.next_state(state, action)
            assert np.array_equal(play_in_parts(state, action), expected)
            state = gogame.next_state(state, action)


def test_batches_are_the_single_forms_side_by_side() -> None:
    rng = random.Random(2)
    states = np.stack([gogame.init_state(4) for _ in range(12)])
    for _ in range(25):
        actions = [rng.choice(np.flatnonzero(gogame.valid_moves(state)).tolist()) for state in states]
        played = np.array([index for index, action in enumerate(actions) if action < 16])
        players = gogame.batch_turn(states)
        batch = states.copy()
        points = [divmod(actions[index], 4) for index in played]
        for index, point in zip(played, points, strict=True):
            batch[index, players[index]][point] = 1
        neighbors, surrounded = state_utils.batch_adj_data(batch[played], points, players[played])
        alone = batch.copy()
        killed = state_utils.batch_update_pieces(played, batch, neighbors, players[played])
        for at, index in enumerate(played):
            one, whole = state_utils.adj_data(alone[index], points[at], players[index])
            assert np.array_equal(one, neighbors[at]) and whole == surrounded[at]
            again = state_utils.update_pieces(alone[index], one, players[index])
            assert [group.tolist() for group in again] == [group.tolist() for group in killed[at]]
        assert np.array_equal(alone, batch)
        invalid = state_utils.batch_compute_invalid_moves(batch, players, [None] * 12)
        for index, player in enumerate(players):
            assert np.array_equal(invalid[index], state_utils.compute_invalid_moves(batch[index], player))
        state_utils.batch_set_turn(batch)
        assert np.array_equal(gogame.batch_turn(batch), 1 - players)
        states = gogame.batch_next_states(states, np.array(actions))
        states = np.where(gogame.batch_game_ended(states)[:, None, None, None], gogame.init_state(4), states)


def test_what_is_no_state_or_player_is_refused() -> None:
    with pytest.raises(ValueError, match="shape must be"):
        state_utils.set_turn(np.zeros((5, 3, 3)))
    with pytest.raises(ValueError, match="player must be 0"):
        state_utils.adj_data(gogame.init_state(3), (0, 0), 2)


def test_a_batch_with_one_mistake_keeps_all_its_stones() -> None:
    states = np.stack([gogame.init_state(3)] * 2)
    states[:, govars.WHITE, 0, 0] = states[:, govars.BLACK, 0, 1] = states[:, govars.BLACK, 1, 0] = 1
    before, corner = states.copy(), np.array([(0, 0)])
    wrong: list[tuple[Any, Any, Any, type[Exception], str]] = [
        (
            [0, 1],
            [corner],
            [0, 0],
            ValueError,
            "batch_adj_locs must have 2 entries, one for each index, not 1",
        ),
        ([0, 1], [corner] * 2, [0], ValueError, "batch_player must have 2 entries"),
        ([0, 5], [corner] * 2, [0, 0], IndexError, "index 5 is out of bounds: the batch has 2 states"),
        ([0, -1], [corner] * 2, [0, 0], IndexError, "index -1 is out of bounds"),
        ([False, True], [corner] * 2, [0, 0], TypeError, "an index must be an integer, not bool"),
        (1, [corner], [0], TypeError, "batch_non_pass must be a sequence of indices, not 1"),
        ([0, 1], [corner, corner + 3], [0, 0], ValueError, "row 3, column 3 is off the board"),
        ([0, 1], [corner] * 2, [0, 2], ValueError, "player must be 0"),
    ]
    for indices, points, players, error, words in wrong:
        with pytest.raises(error, match=words):
            state_utils.batch_update_pieces(np.array(indices), states, points, players)
        assert np.array_equal(states, before)
    assert len(state_utils.batch_update_pieces(np.array([1]), states, iter([corner]), iter([0]))[0]) == 1
    assert np.argwhere(states != before).tolist() == [[1, govars.WHITE, 0, 0]]


WRONG_POINTS: list[tuple[Any, type[Exception], str]] = [
    ((3, 0), ValueError, "row 3, column 0 is off the board of 3x4"),
    ((0, 4), ValueError, "row 0, column 4 is off the board"),
    ((-1, 0), ValueError, "row -1, column 0 is off the board"),
    ((0.5, 1), TypeError, "a row must be an integer, not float"),
    ((1, True), TypeError, "a column must be an integer, not bool"),
    (np.array([1.0, 2.0]), TypeError, "a row must be an integer, not float"),
    ((1,), TypeError, r"a point must be \(row, col\)"),
    (1, TypeError, r"a point must be \(row, col\), not 1"),
    (np.array([[0, 1], [1, 0]]), TypeError, "a row must be an integer, not list"),
]


@pytest.mark.parametrize(("point", "error", "words"), WRONG_POINTS, ids=str)
def test_what_is_no_point_is_refused(point: Any, error: type[Exception], words: str) -> None:
    state = gogame.init_state((3, 4))
    with pytest.raises(error, match=words):
        state_utils.adj_data(state, point, govars.BLACK)
    with pytest.raises(error, match=words):
        state_utils.compute_invalid_moves(state, govars.BLACK, point)
    with pytest.raises(error, match=words):
        state_utils.update_pieces(state, [point], govars.BLACK)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "point", [(1, 2), [1, 2], np.array([1, 2]), np.array([1, 2], np.uint8), (1, 2, 9)], ids=str
)
def test_a_point_may_be_a_tuple_a_list_or_an_array(point: Any) -> None:
    state = gogame.init_state((3, 4))
    assert state_utils.adj_data(state, point, govars.BLACK)[0].tolist() == [[0, 2], [2, 2], [1, 1], [1, 3]]
    invalid = state_utils.compute_invalid_moves(state, govars.BLACK, point)
    assert np.argwhere(invalid).tolist() == [[1, 2]]
    assert not state_utils.compute_invalid_moves(state, govars.BLACK, None).any()


@pytest.mark.parametrize("count", [1, 3])
def test_a_batch_needs_a_player_and_a_point_for_each_state(count: int) -> None:
    states = gogame.batch_init_state(2, 3)
    with pytest.raises(ValueError, match="must have one entry for each of 2 states, not"):
        state_utils.batch_adj_data(states, [(0, 0), (1, 1)], [0] * count)
    with pytest.raises(ValueError, match="must have one entry for each of 2 states, not"):
        state_utils.batch_adj_data(states, [(0, 0)] * count, [0, 0])
    with pytest.raises(ValueError, match="must have one entry for each of 2 states, not"):
        state_utils.batch_compute_invalid_moves(states, [0] * count, [None] * 2)
    with pytest.raises(ValueError, match="must have one entry for each of 2 states, not"):
        state_utils.batch_compute_invalid_moves(states, [0] * 2, [None] * count)
