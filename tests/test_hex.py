"""Hex as Python sees it: the swap, symmetries, the picture and the inputs of networks."""

from __future__ import annotations

import numpy as np
import pytest

import sixplane
from effort import share
from sixplane import sgf
from sixplane.agents import MCTSAgent
from sixplane.games import GAMES
from sixplane.learn.config import Config
from sixplane.learn.window import ReplayWindow
from sixplane.nets import input_planes
from sixplane.planes import symmetries, symmetry_table
from sixplane.render import STYLES, board_svg, rgb_array
from sixplane.render.game import game_title
from sixplane.render.layout import Layout
from sixplane.testing import check_game


@pytest.mark.parametrize(("size", "swap"), [(2, True), ((3, 6), False), (5, True), (11, False), (19, True)])
def test_boards_with_and_without_the_swap_rule_keep_all_laws(size: int | tuple[int, int], swap: bool) -> None:
    assert check_game(sixplane.Hex(size, swap=swap), rules={"swap": swap}, games=share(9)).not_offered == ()


def test_the_mask_allows_the_swap_once() -> None:
    game = sixplane.Hex(5, swap=True)
    masks = []
    for action in (7, 25, 12, 13):
        masks.append(int(game.action_mask[25]))
        game.play(action)
    assert masks == [0, 1, 0, 0] and game.planes[1, 2, 1] == 1
    assert (
        game.name_to_action("swap") == game.name_to_action("swap-pieces") == game.name_to_action("pass") == 25
    )
    with pytest.raises(sixplane.IllegalActionError, match="pass") as caught:
        game.play(25)
    assert caught.value.reason == "pass_not_allowed"
    # The same in a batch, whose planes say so as well.
    batch = sixplane.GameBatch(sixplane.Hex(5, swap=True), 2)
    batch.play([7, 8])
    batch.play([25, 0])
    assert batch[0] == sixplane.Hex(5, swap=True).replay([7, 25])
    assert batch.action_masks[:, 25].tolist() == [0, 0]
    assert np.array_equal(sixplane.Hex.from_planes(batch.planes[0], swap=True).planes, batch.planes[0])


def test_a_search_swaps_a_strong_stone_and_not_a_weak_one() -> None:
    agent = MCTSAgent(simulations=3000, seed=1)
    after = {point: sixplane.Hex(3, swap=True).replay([point]) for point in (4, 0)}
    assert agent.select_action(after[4]) == 9 and agent.select_action(after[0]) != 9


def test_training_uses_the_half_turn_alone() -> None:
    game = sixplane.Hex(4).replay([1, 6, 3])
    assert game.symmetries == (0, 3) and game.num_symmetries == 2
    table = symmetry_table(4, 4)[[*game.symmetries]]
    assert np.array_equal(ReplayWindow(Config(game="hex", size=4))._symmetries, table)
    turned = sixplane.Hex(4).replay([14, 9, 12])
    assert np.array_equal(symmetries(game.planes)[0][3], turned.planes)


def test_a_network_is_told_which_sides_its_color_joins() -> None:
    black, white = sixplane.Hex(3), sixplane.Hex(3).replay([0])
    names = GAMES["hex"].inputs
    seen = input_planes(np.stack([black.planes, white.planes]), names)
    assert seen[:, names.index("turn")].mean(axis=(1, 2)).tolist() == [0, 1]


def test_the_picture_has_hexagons_and_sides() -> None:
    game = sixplane.Hex(5).replay([12, 11])
    layout, width = Layout(5, 5, STYLES["hex"]), 800
    picture = rgb_array(game.to_svg(width=width)).astype(int)

    def color(x: float, y: float) -> tuple[int, ...]:
        return tuple(picture[int(y * width / layout.width), int(x * width / layout.width)].tolist())

    x, y = layout.center(0)
    assert color(x, y) == tuple(bytes.fromhex(STYLES["hex"].board[1:]))
    assert max(color(x, y - 26)) < 60 and min(color(x - 22, y)) > 250
    x, y = layout.center(24)
    assert max(color(x, y + 26)) < 60 and min(color(x + 22, y)) > 250
    # Below the last row on the left there is no board.
    assert color(layout.x(0), layout.y(4)) == tuple(bytes.fromhex(STYLES["hex"].edge[1:]))
    right, down = np.subtract(layout.center(5), layout.center(0))
    assert right == pytest.approx(20) and down == pytest.approx(np.hypot(right, down) * 3**0.5 / 2)


@pytest.mark.parametrize("third", [3, 7])
def test_the_number_of_the_swap_stands_on_the_stone_that_it_took(third: int) -> None:
    game = sixplane.Hex(5, swap=True).replay([7, 25, third])
    numbers = {11: 2, third: 3}
    assert game.to_svg(numbers=True) == board_svg(
        game.planes, "hex", last=third, numbers=numbers, title=game_title(game)
    )


def test_a_record_of_a_board_that_has_no_swap_rule_is_read_whatever_others_have() -> None:
    root = sgf.parse("(;GM[11]SZ[5:4];B[a1];W[b2])").games[0]
    game, warnings = root.follow(usual=sixplane.Hex(5, swap=True))
    assert (game.move_number, warnings) == (2, [])
    with pytest.warns(sixplane.SGFWarning, match="move 2"):
        assert sixplane.Hex.from_sgf("(;GM[11]SZ[5:4];B[a1];W[swap-pieces])").move_number == 1
    assert sixplane.Hex.from_sgf("(;GM[11]SZ[5:4];B[a1](;W[b2])(;W[swap]))").move_number == 2
    with pytest.raises(sixplane.SGFError, match="the swap rule needs a square one"):
        sixplane.Hex.from_sgf("(;GM[11]SZ[5:4]RU[Swap];B[a1])")
