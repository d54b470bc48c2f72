"""Connect Four as Python sees it: columns, symmetries and the picture."""

from __future__ import annotations

import random

import numpy as np
import pytest

import sixplane
from effort import share
from sixplane import IllegalActionError
from sixplane.learn.config import Config
from sixplane.learn.window import ReplayWindow
from sixplane.match.openings import random_openings
from sixplane.planes import symmetries
from sixplane.render import STYLES, rgb_array
from sixplane.render.layout import Layout
from sixplane.testing import check_game


@pytest.mark.parametrize("size", [4, (4, 5), (12, 12), (5, 12)])
def test_boards_that_other_games_do_not_have_keep_all_laws(size: int | tuple[int, int]) -> None:
    assert check_game(sixplane.ConnectFour(size), games=share(12)).not_offered == ()


def test_a_letter_names_the_lowest_empty_point_of_its_column() -> None:
    game = sixplane.ConnectFour()
    assert (game.rows, game.cols, game.default_size) == (6, 7, (6, 7))
    for row in range(1, 7):
        assert game.name_to_action("d") == game.name_to_action(f"D{row}")
        game.play(game.name_to_action(" D "))
    for name in ("H", "", "DD"):
        with pytest.raises(ValueError, match="action"):
            game.name_to_action(name)
    assert game.legal_actions.tolist() == [35, 36, 37, 39, 40, 41]
    with pytest.raises(ValueError, match="action"):
        sixplane.Gomoku().name_to_action("D")


def flipped(game: sixplane.Game) -> sixplane.Game:
    rows, cols = np.divmod(game.actions, game.cols)
    return game.replay((rows * game.cols + game.cols - 1 - cols).tolist())


def test_the_first_symmetries_lead_to_positions_of_the_game_and_the_others_to_none() -> None:
    game = sixplane.ConnectFour(5)
    while game.move_number < 8:
        game.play(random.Random(game.move_number).choice(game.legal_actions.tolist()))
    seen, _ = symmetries(game.planes)
    assert np.array_equal(seen[1], flipped(game).planes)
    kept = []
    for index, planes in enumerate(seen):
        try:
            sixplane.ConnectFour.from_planes(planes)
        except ValueError:
            continue
        kept.append(index)
    assert kept == [*range(game.num_symmetries)] == [0, 1]
    assert [game.num_symmetries for game in (sixplane.Go(5), sixplane.Gomoku((5, 6)))] == [8, 4]


def test_training_and_openings_use_these_symmetries_alone() -> None:
    assert len(ReplayWindow(Config(game="connect4", size=5))._symmetries) == 2
    assert len(random_openings(sixplane.ConnectFour(5), 3, 1, seed=1)) == 3  # A, B and C: D and E are flipped


def test_an_evaluator_sees_positions_of_the_game_through_a_symmetry() -> None:
    game, seen = sixplane.ConnectFour(5).replay([20, 15]), set()

    def evaluate(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for one in planes:
            assert sixplane.ConnectFour.from_planes(one).move_number == 0
            seen.add(tuple(one[:2, -1].sum(axis=0).tolist()))
        return np.zeros((len(planes), 26), np.float32), np.zeros(len(planes), np.float32)

    for seed in range(8):
        search = sixplane.search.MCTS(evaluate, selection="puct", simulations=2, symmetry=True, seed=seed)
        search.search(game)
    assert {(1, 0, 0, 0, 0), (0, 0, 0, 0, 1)} <= seen


def test_a_column_that_takes_no_disc_is_refused_as_its_point_is() -> None:
    game = sixplane.ConnectFour(4).replay([12, 8, 4, 0])
    with pytest.raises(IllegalActionError, match="occupied"):
        game.play(game.name_to_action("A"))
    game.resign()
    for column in "AB":
        with pytest.raises(IllegalActionError, match="the game is over"):
            game.play(game.name_to_action(column))
    with pytest.raises(ValueError, match="names no action"):
        game.name_to_action("E")


def test_the_picture_has_holes_and_discs() -> None:
    game = sixplane.ConnectFour().replay([38, 31])
    picture = rgb_array(game.to_svg(width=600)).astype(int)
    layout = Layout(6, 7, STYLES["connect4"])

    def color(point: int, right: float = 0, down: float = 0) -> tuple[int, ...]:
        x, y = layout.center(point)
        place = [int((c + off) * 600 / layout.width) for c, off in ((y, down), (x, right))]
        return tuple(picture[place[0], place[1]].tolist())

    hole, plate = color(0), color(0, 18, 18)
    assert hole == tuple(bytes.fromhex(STYLES["connect4"].ink[1:]))
    assert plate == tuple(bytes.fromhex(STYLES["connect4"].board[1:]))
    assert max(color(38, 14)) < 70 and min(color(31, 14)) > 215
