"""The input planes of networks against plain rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sixplane
from naive_go import COLORS, NaiveGo, Stones
from sixplane import Gomoku, Reversi
from sixplane.games import GAMES as INFO
from sixplane.nets import INPUTS, input_planes
from sixplane.planes import canonical_form, symmetries
from slow_network import plain_lines, positions

GAMES: dict[str, sixplane.Game] = {
    "go": sixplane.Go(size=(5, 6), komi=6.5),
    "gomoku": Gomoku(size=(7, 8)),
    "reversi": Reversi(size=6),
}


def inputs_of(planes: NDArray[Any], name: str, komi: float = 0.0) -> NDArray[np.float32]:
    return input_planes(planes, [name], komi)[:, 0]


@pytest.mark.parametrize("name", GAMES)
def test_stones_and_marks_are_those_of_the_player_to_play(name: str) -> None:
    for planes in positions(GAMES[name], 30, seed=1):
        turn = int(planes[2, 0, 0])
        found = input_planes(planes[None], ["own", "opponent", "invalid", "passed", "ones"])[0]
        expected = [planes[turn], planes[1 - turn], planes[3], planes[4], np.ones_like(planes[0])]
        assert found.dtype == np.float32
        assert np.array_equal(found, expected)


def test_komi_is_positive_for_the_player_who_gets_it() -> None:
    black, white = sixplane.Go(size=9), sixplane.Go(size=9).replay([0])
    planes = np.array([black.planes, white.planes])
    assert inputs_of(planes, "komi", 7.5)[:, 0, 0].tolist() == [-0.75, 0.75]
    each = input_planes(planes, ["komi"], np.array([5.0, 9.0]))
    assert np.allclose(each[:, 0, 1, 2], [-0.5, 0.9])


def test_komi_that_is_as_much_for_each_point_gives_the_same_plane_on_every_board() -> None:
    for size in (3, (5, 7), 13, 19):
        game = sixplane.Go(size=size)
        komi = 7.5 * game.rows * game.cols / 81
        found = inputs_of(game.planes[None], "komi", komi)
        assert np.allclose(found, -0.75, atol=1e-6) and found.shape == (1, game.rows, game.cols)


def test_liberties_are_those_that_a_flood_fill_counts() -> None:
    for planes in positions(GAMES["go"], 30, seed=2):
        counts = np.zeros(planes.shape[1:], int)
        stones: Stones = {}
        for plane, color in zip(planes, COLORS, strict=False):
            for row, col in np.argwhere(plane).tolist():
                stones[row, col] = color
        game = NaiveGo(*planes.shape[1:], stones=stones)
        for chain in game.chains():
            for point in chain:
                counts[point] = len(game.liberties(game.stones, chain))
        for liberties in (1, 2, 3):
            found = inputs_of(planes[None], f"liberties_{liberties}")
            assert np.array_equal(found[0], counts == liberties)


@pytest.mark.parametrize("size", [(5, 5), (4, 9), (9, 4), (8, 7), (3, 3)])
def test_fives_and_fours_are_those_that_a_loop_finds(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    planes = np.zeros((40, 6, *size), np.uint8)
    # Many stones of one color in some boards, so that there are lines.
    for board in planes:
        share = rng.random()
        stones = rng.choice(3, size, p=[0.4, 0.6 * share, 0.6 * (1 - share)])
        board[0], board[1], board[2] = stones == 1, stones == 2, rng.integers(2)
    seen = 0.0
    for board in planes:
        turn = int(board[2, 0, 0])
        for name, first in (("own", turn), ("opponent", 1 - turn)):
            for kind, stones_there in (("five", 4), ("four", 3)):
                expected = plain_lines(board[first], board[1 - first], stones_there)
                found = inputs_of(board[None], f"{name}_{kind}")[0]
                assert np.array_equal(found, expected)
                seen += found.sum()
    assert (seen > 0) == (max(size) >= 5)


@pytest.mark.parametrize("name", GAMES)
def test_inputs_turn_with_the_board(name: str) -> None:
    for planes in positions(GAMES[name], 6, seed=4):
        inputs = input_planes(planes[None], INFO[name].inputs, 6.5)[0]
        (turned, _), (expected, _) = symmetries(planes), symmetries(inputs)
        assert np.array_equal(input_planes(turned, INFO[name].inputs, 6.5), expected)


@pytest.mark.parametrize("name", GAMES)
def test_exchanged_colors_with_negative_komi_give_the_same_inputs(name: str) -> None:
    planes = positions(GAMES[name], 20, seed=5)
    planes = planes[planes[:, 2, 0, 0] == 1]
    exchanged = np.array([canonical_form(board) for board in planes])
    names = INFO[name].inputs
    assert np.array_equal(input_planes(planes, names, 6.5), input_planes(exchanged, names, -6.5))


def test_inputs_come_in_the_order_of_the_names() -> None:
    planes = positions(GAMES["go"], 5, seed=6)
    names = [name for name in INPUTS if name not in INFO["gomoku"].inputs[3:]]
    forth, back = input_planes(planes, names, 5), input_planes(planes, names[::-1], 5)
    assert np.array_equal(forth, back[:, ::-1])
    assert input_planes(planes[:0], names).shape == (0, len(names), 5, 6)
    with pytest.raises(ValueError, match="no input plane is called 'eyes'"):
        input_planes(planes, ["eyes"])


@pytest.mark.parametrize("komi", [np.zeros(2), np.zeros((3, 1)), [1.0]], ids=str)
def test_a_komi_of_another_shape_is_refused(komi: object) -> None:
    planes = positions(GAMES["go"], 3, seed=6)
    with pytest.raises(ValueError, match=r"komi must be one number or \(3,\), not an array of shape"):
        input_planes(planes, ["own", "komi"], komi)  # type: ignore[arg-type]


def test_what_is_no_batch_of_planes_is_refused() -> None:
    planes = positions(GAMES["go"], 3, seed=6)
    with pytest.raises(TypeError, match="planes must be a NumPy array, not list"):
        input_planes(planes.tolist(), ["own"])
    for wrong in (planes[0], planes[:, :5], planes[None]):
        with pytest.raises(ValueError, match=r"the shape must be \(B, 6, rows, cols\)"):
            input_planes(wrong, ["own"])
