"""GymGo's functions on planes: against a plain reference, and their shapes and dtypes."""

from __future__ import annotations

import doctest
import inspect
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

import gymgo_reference as reference
import sixplane
from go_states import board, finished
from sixplane import gogame, govars

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import DTypeLike

Array: TypeAlias = NDArray[Any]

SIZES = [(2, 2), (2, 5), (3, 3), (4, 3), (5, 5), (7, 9), (9, 9)]
DTYPES = ["bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "f2", "g", ">f8", ">i4"]

SIGNATURES = """
init_state(size)
batch_init_state(batch_size, board_size)
next_state(state, action1d, canonical=False)
batch_next_states(batch_states, batch_action1d, canonical=False)
valid_moves(state)
invalid_moves(state)
batch_valid_moves(batch_state)
batch_invalid_moves(batch_state)
children(state, canonical=False, padded=True)
action_size(state=None, board_size=None)
turn(state)
batch_turn(batch_state)
prev_player_passed(state)
batch_prev_player_passed(batch_state)
game_ended(state)
batch_game_ended(batch_state)
areas(state)
batch_areas(batch_state)
winning(state, komi=0)
batch_winning(state, komi=0)
liberties(state)
num_liberties(state)
canonical_form(state)
batch_canonical_form(batch_state)
all_symmetries(image)
random_symmetry(image)
random_action(state)
random_weighted_action(weights)
str(state)
"""


def random_game(
    size: int | tuple[int, int], seed: int, dtype: Any = np.float64
) -> Iterator[tuple[Array, int]]:
    """The states of a random game and the actions that follow, one in fifteen a pass."""
    rng = np.random.default_rng(seed)
    state = gogame.init_state(size).astype(dtype)
    points = state[0].size
    for _ in range(4 * points):
        valid = np.flatnonzero(state[govars.INVD_CHNL] == 0)
        play = len(valid) and rng.integers(15)
        action = int(rng.choice(valid)) if play else points
        yield state, action
        state = gogame.next_state(state, action)
        if gogame.game_ended(state):
            break
    yield state, points


def test_every_function_of_gymgo_has_its_name_and_parameters() -> None:
    found = []
    for line in SIGNATURES.split("\n")[1:-1]:
        name = line.partition("(")[0]
        parameters = inspect.signature(getattr(gogame, name)).parameters.values()
        given = ", ".join(str(p.replace(annotation=inspect.Parameter.empty)) for p in parameters)
        found.append(f"{name}({given})")
    assert found == SIGNATURES.split()[:0] + SIGNATURES.split("\n")[1:-1]
    assert len(found) == 29
    assert set(gogame.__all__) == {line.partition("(")[0] for line in found} | {"InvalidMoveError"}


def test_the_constants_are_gymgos() -> None:
    assert (govars.ANYONE, govars.NOONE, govars.BLACK, govars.WHITE) == (None, -1, 0, 1)
    channels = (govars.TURN_CHNL, govars.INVD_CHNL, govars.PASS_CHNL, govars.DONE_CHNL, govars.NUM_CHNLS)
    assert channels == (2, 3, 4, 5, 6)


@pytest.mark.parametrize("module", [gogame, govars])
def test_the_examples_in_the_documentation_hold(module: Any) -> None:
    results = doctest.testmod(module)
    assert results.failed == 0
    assert results.attempted > 0 or module is govars


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_next_state_equals_the_reference(size: tuple[int, int]) -> None:
    for seed in range(4):
        for state, action in random_game(size, seed):
            if gogame.game_ended(state):
                continue
            before = state.copy()
            expected = reference.next_state(state, action)
            for canonical in list[Any]((False, True, 0, 1)):
                after = gogame.next_state(state, action, canonical)
                assert np.array_equal(after, reference.canonical_form(expected) if canonical else expected)
                assert after.dtype == np.float64 and after.flags.c_contiguous and after.flags.writeable
            assert np.array_equal(state, before)


@pytest.mark.parametrize("true", [2, 3, 16, 255])
def test_a_boolean_view_of_other_numbers_is_what_numpy_takes_it_for(true: int) -> None:
    for state, action in random_game((4, 5), 5):
        planes = state.astype(np.bool_)
        seen = (planes * np.uint8(true)).view(np.bool_)
        assert np.array_equal(seen, planes)
        assert gogame.areas(seen) == gogame.areas(planes)
        assert np.array_equal(gogame.invalid_moves(seen), gogame.invalid_moves(planes))
        if not gogame.game_ended(planes):
            after = gogame.next_state(seen, action)
            assert after.dtype == np.bool_ and after.view(np.uint8).max() == 1
            assert np.array_equal(after, gogame.next_state(planes, action))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_areas_winning_and_liberties_equal_the_reference(size: tuple[int, int]) -> None:
    for state, _ in random_game(size, 7):
        black, white = reference.areas(state)
        assert gogame.areas(state) == (black, white)
        assert gogame.winning(state) == np.sign(black - white)
        assert gogame.winning(state, black - white) == 0
        assert gogame.winning(state, black - white + 0.5) == -1
        empty = (state[0] == 0) & (state[1] == 0)
        maps = gogame.liberties(state)
        for color in (0, 1):
            expected = reference.dilate(state[color] != 0) & empty
            assert maps[color].dtype == np.bool_
            assert np.array_equal(maps[color], expected)
            assert gogame.num_liberties(state)[color] == expected.sum()


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes_come_out_as_they_went_in(name: str) -> None:
    dtype = np.dtype(name)
    for state, action in random_game((4, 5), 11, np.uint8):
        given = state.astype(dtype)
        assert gogame.children(given).dtype == np.float64
        assert gogame.children(given, padded=False).dtype == dtype
        assert gogame.canonical_form(given).dtype == dtype
        assert np.array_equal(gogame.canonical_form(given), reference.canonical_form(given))
        assert np.array_equal(gogame.children(given), gogame.children(state))
        areas = gogame.areas(given)
        assert {area.dtype for area in areas} == {
            dtype.newbyteorder("=") if dtype.kind == "f" else np.dtype(np.int64)
        }
        assert areas == reference.areas(state)
        if gogame.game_ended(state):
            continue
        after = gogame.next_state(given, action)
        assert after.dtype == dtype
        assert np.array_equal(after, reference.next_state(given, action))
        batch = gogame.batch_next_states(given[np.newaxis], np.array([action]))
        assert batch.dtype == dtype
        assert np.array_equal(batch[0], after)


def layouts(array: Array) -> Iterator[Array]:
    yield np.asfortranarray(array)
    yield np.repeat(array, 3, axis=-1)[..., ::3]
    yield np.flip(np.ascontiguousarray(np.flip(array)))
    fields = np.zeros(array.shape, [("pad", "u1"), ("cell", array.dtype)])
    fields["cell"] = array
    yield fields["cell"]
    raw = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    raw[:] = array
    yield raw
    frozen = array.copy()
    frozen.flags.writeable = False
    yield frozen


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_arrays_of_any_memory_layout_are_read_alike(dtype: DTypeLike) -> None:
    states, actions = map(list, zip(*random_game(4, 5, dtype), strict=True))
    states, actions = states[:-1], actions[:-1]
    batch, moves = np.array(states), np.array(actions)
    expected = gogame.batch_next_states(batch, moves)
    for given in layouts(batch):
        assert np.array_equal(gogame.batch_next_states(given, moves), expected)
        assert np.array_equal(gogame.batch_areas(given), gogame.batch_areas(batch))
        assert np.array_equal(gogame.batch_canonical_form(given), gogame.batch_canonical_form(batch))
    for given in layouts(states[-1]):
        assert np.array_equal(gogame.next_state(given, actions[-1]), expected[-1])
        assert np.array_equal(gogame.children(given), gogame.children(states[-1]))
        assert gogame.areas(given) == gogame.areas(states[-1])
    for given in layouts(moves.astype(np.int32)):
        assert np.array_equal(gogame.batch_next_states(batch, given), expected)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_a_game_is_made_from_planes_of_any_memory_layout(dtype: DTypeLike) -> None:
    game = sixplane.Go(size=(4, 5), ko="simple")
    for action in (7, 12, 3):
        game.play(action)
    for given in layouts(game.planes.astype(dtype)):
        assert np.array_equal(sixplane.Go.from_planes(given, ko="simple").planes, game.planes)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.uint8])
def test_a_batch_equals_its_boards_one_by_one_passes_included(
    size: tuple[int, int], dtype: DTypeLike
) -> None:
    pairs = [pair for seed in range(5) for pair in list(random_game(size, seed, dtype))[:-1]]
    rng = np.random.default_rng(3)
    for _ in range(6):
        chosen = [pairs[i] for i in rng.integers(len(pairs), size=8)]
        states = np.array([state for state, _ in chosen])
        actions = np.array([size[0] * size[1] if rng.random() < 0.3 else action for _, action in chosen])
        for canonical in (False, True):
            after = gogame.batch_next_states(states, actions, canonical)
            single = [gogame.next_state(s, a, canonical) for s, a in zip(states, actions, strict=True)]
            assert after.dtype == dtype
            assert np.array_equal(after, single)
        nexts = gogame.batch_next_states(states, actions)
        pairs_of_forms: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
            (gogame.batch_canonical_form, gogame.canonical_form),
            (gogame.batch_turn, gogame.turn),
            (gogame.batch_prev_player_passed, gogame.prev_player_passed),
            (gogame.batch_game_ended, gogame.game_ended),
            (gogame.batch_winning, gogame.winning),
        ]
        for batch_form, form in pairs_of_forms:
            assert np.array_equal(batch_form(nexts), [form(state) for state in nexts])
        assert np.array_equal(np.transpose(gogame.batch_areas(nexts)), [gogame.areas(s) for s in nexts])


def test_batches_have_their_dtypes_and_may_be_empty() -> None:
    batch = gogame.batch_init_state(3, 4)
    assert batch.shape == (3, 6, 4, 4) and batch.dtype == np.float64
    for answer, dtype in [
        (gogame.batch_turn(batch), np.int64),
        (gogame.batch_prev_player_passed(batch), np.bool_),
        (gogame.batch_game_ended(batch), np.float64),
        (gogame.batch_winning(batch), np.float64),
        (gogame.batch_areas(batch)[0], np.float64),
    ]:
        assert answer.dtype == dtype and answer.shape == (3,)
    assert gogame.batch_valid_moves(batch).shape == (3, 17)
    none = gogame.batch_init_state(0, (3, 4))
    assert gogame.batch_next_states(none, np.array([], np.int64)).shape == (0, 6, 3, 4)
    empty: list[Any] = [[], np.array([])]
    for actions in empty:
        assert gogame.batch_next_states(none, actions).shape == (0, 6, 3, 4)
    assert gogame.batch_canonical_form(none).shape == (0, 6, 3, 4)
    assert gogame.batch_areas(none)[0].shape == (0,)


@pytest.mark.parametrize("size", [(2, 2), (4, 3), (5, 5)], ids=str)
def test_children_are_the_next_states_of_the_valid_moves(size: tuple[int, int]) -> None:
    for state, _ in random_game(size, 2):
        if gogame.game_ended(state):
            continue
        valid = gogame.valid_moves(state)
        for canonical in (False, True):
            padded = gogame.children(state, canonical)
            packed = gogame.children(state, canonical, padded=False)
            expected = [gogame.next_state(state, a, canonical) for a in np.flatnonzero(valid)]
            assert np.array_equal(packed, expected)
            assert np.array_equal(padded[valid == 1], expected)
            assert not padded[valid == 0].any()
            assert padded.shape == (gogame.action_size(state), *state.shape)


def test_valid_moves_are_floats_with_the_pass_at_the_end() -> None:
    for state, _ in random_game(3, 1, np.uint8):
        ended = gogame.game_ended(state)
        expected = np.append(np.zeros(9) if ended else state[3].ravel(), 0.0)
        assert np.array_equal(gogame.invalid_moves(state), expected)
        assert np.array_equal(gogame.valid_moves(state), 1 - expected)
        assert gogame.invalid_moves(state).dtype == gogame.valid_moves(state).dtype == np.float64
        # The batch form makes no exception for finished games.
        batch = state[np.newaxis]
        assert np.array_equal(gogame.batch_invalid_moves(batch)[0], np.append(state[3].ravel(), 0.0))
        assert np.array_equal(gogame.batch_valid_moves(batch), 1 - gogame.batch_invalid_moves(batch))


def test_simple_values_have_gymgos_types() -> None:
    state = gogame.next_state(gogame.init_state(3), 9)
    assert type(gogame.turn(state)) is int and gogame.turn(state) == 1
    assert type(gogame.prev_player_passed(state)) is np.bool_ and gogame.prev_player_passed(state)
    assert type(gogame.game_ended(state)) is int and gogame.game_ended(state) == 0
    assert isinstance(gogame.winning(state), float)
    assert isinstance(gogame.areas(state)[0], np.float64)
    assert gogame.areas(state) == (0, 0)
    assert gogame.action_size(state) == gogame.action_size(board_size=3) == 10
    assert gogame.action_size(board_size=(3, 5)) == 16
    with pytest.raises(RuntimeError):
        gogame.action_size()


def test_areas_of_unsigned_states_can_be_subtracted() -> None:
    state = board(".O.", "...", "...").astype(np.uint8)
    black, white = gogame.areas(state)
    assert black - white == -9
    (blacks,), (whites,) = gogame.batch_areas(state[np.newaxis])
    assert blacks - whites == -9


KO = board(".XO.", "XO.O", ".XO.", "....")


def test_one_stone_taken_among_enemies_may_not_be_retaken_at_once() -> None:
    state = gogame.next_state(KO, 6)
    assert state[1, 1, 1] == 0 and state[3, 1, 1] == 1
    with pytest.raises(gogame.InvalidMoveError) as caught:
        gogame.next_state(state, 5)
    assert caught.value.reason == "ko"
    # Any other move lifts it, a pass too.
    for action in (12, 16):
        later = gogame.next_state(gogame.next_state(state, action), 16)
        assert later[3, 1, 1] == 0


def test_no_ko_beside_an_own_stone_or_after_two_captures() -> None:
    # The stone that captures has a neighbor of its own color; both may be taken at once.
    state = gogame.next_state(board("....", ".XOO", "XO.X", ".XOO", "...."), 10)
    assert state[1, 2, 1] == 0 and state[3, 2, 1] == 0
    assert not gogame.next_state(state, 9)[0, 2, 2:].any()
    # Two stones are taken, and one that is put back takes in turn: snapback.
    state = gogame.next_state(board(".OOX", "OXXX", "....", "...."), 0)
    assert not state[1, 0].any() and state[3, 0, 1] == 0
    assert gogame.next_state(state, 1)[0, 0, 0] == 0


def test_suicide_is_invalid_unless_it_captures() -> None:
    state = gogame.next_state(board(".X..", "X...", "....", "....", turn=0), 15)
    assert state[3, 0, 0] == 1
    with pytest.raises(gogame.InvalidMoveError) as caught:
        gogame.next_state(state, 0)
    assert caught.value.reason == "suicide"
    state = gogame.next_state(board(".XO.", "XO..", "O...", "....", turn=0), 15)
    assert state[3, 0, 0] == 0
    after = gogame.next_state(state, 0)
    assert not after[0, :2, :2].any()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16])
def test_cells_that_are_not_zero_count_as_one(dtype: DTypeLike) -> None:
    for state, action in random_game(5, 8):
        if not gogame.game_ended(state):
            given = (state * [[[-3]]]).astype(dtype)
            assert np.array_equal(gogame.next_state(given, action), gogame.next_state(state, action))


def test_all_symmetries_are_views_by_index_bits() -> None:
    image = np.arange(2 * 3 * 3).reshape(2, 3, 3)
    views = gogame.all_symmetries(image)
    assert len(views) == 8 and views[0] is image
    for index, view in enumerate(views):
        expected = image
        if index & 1:
            expected = expected[:, :, ::-1]
        if index & 2:
            expected = expected[:, ::-1]
        if index & 4:
            expected = np.rot90(expected, axes=(1, 2))
        assert np.array_equal(view, expected)
        assert np.shares_memory(view, image)
    assert len({view.tobytes() for view in views}) == 8
    assert [view.shape for view in gogame.all_symmetries(np.zeros((6, 2, 3)))] == [(6, 2, 3)] * 4
    with pytest.raises(ValueError, match="shape must"):
        gogame.all_symmetries(np.zeros((3, 3)))
    with pytest.raises(TypeError, match="NumPy array"):
        gogame.all_symmetries([[[1]]])  # type: ignore[arg-type]


def test_random_functions_draw_from_numpys_global_generator() -> None:
    state = next(s for s, _ in list(random_game(5, 4))[20:])
    image = np.arange(9).reshape(1, 3, 3)

    def draw() -> list[Any]:
        np.random.seed(5)  # noqa: NPY002 - the generator they draw from
        actions = [gogame.random_action(state) for _ in range(300)]
        assert all(type(action) is int for action in actions)
        return [actions, [gogame.random_symmetry(image).tobytes() for _ in range(100)]]

    actions, images = draw()
    assert draw() == [actions, images]
    assert set(actions) == set(np.flatnonzero(gogame.valid_moves(state)))
    assert len(set(images)) == 8


def test_weighted_actions_follow_their_weights() -> None:
    np.random.seed(1)  # noqa: NPY002 - the generator they draw from
    drawn = [gogame.random_weighted_action(np.array([1, 0, 3])) for _ in range(400)]
    assert set(drawn) == {0, 2}
    assert 250 < drawn.count(2) < 350
    for weights in ([0, 0], [1, -1], [], [[1, 2]], [np.nan, 1], [np.inf, 1]):
        with pytest.raises(ValueError, match="weights"):
            gogame.random_weighted_action(weights)


SMALL = """\
	0 1 2{}
0	●═○═╗
1	╟─○─╢
2	╚═╧═╝
	Turn: BLACK, Game State (ONGOING|PASSED|END): PASSED
	Black Area: 2, White Area: 1
""".format(" ")

LARGE = """\
	0 1 2 3 4 5 6 7 8 9 10
0	○═╤═╤═╤═╤═╤═╤═╤═╤═╤═╗
1	╟─┼─┼─┼─┼─┼─┼─┼─┼─┼─╢
2	╟─┼─┼─┼─┼─┼─┼─┼─┼─┼─╢
3	╟─┼─┼─┼─┼─┼─┼─┼─┼─┼─╢
4	╟─┼─┼─┼─┼─┼─┼─┼─┼─┼─╢
5	╟─┼─┼─┼─┼─○─┼─┼─┼─┼─╢
6	╟─┼─┼─┼─┼─┼─┼─┼─┼─┼─╢
7	╟─┼─┼─┼─┼─┼─┼─┼─┼─┼─╢
8	╟─┼─┼─┼─┼─┼─┼─┼─┼─┼─╢
9	╟─┼─┼─┼─┼─┼─┼─┼─┼─┼─╢
10	╚═╧═╧═╧═╧═╧═╧═╧═╧═╧═●
"""


def test_text_is_drawn_as_gymgo_draws_it() -> None:
    state = gogame.init_state(3)
    for action in (4, 0, 1, 9):
        state = gogame.next_state(state, action)
    assert gogame.str(state) == SMALL

    state = gogame.init_state(11)
    for action in (0, 120, 60):
        state = gogame.next_state(state, action)
    text = gogame.str(state)
    assert text.startswith(LARGE)
    assert "Turn: WHITE, Game State (ONGOING|PASSED|END): ONGOING" in text
    assert "(ONGOING|PASSED|END): END" in gogame.str(finished())
