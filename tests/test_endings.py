"""`game.ending` says in one word how a game ended."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING

import pytest

import sixplane
from sixplane.games import GAMES

if TYPE_CHECKING:
    from sixplane import Game


def two_passes() -> Game:
    return sixplane.Go(size=3).replay([4, 9, 9])


def full_reversi() -> Game:
    game = sixplane.Reversi.from_text("XXXX\nXXXX\nXXXX\nXXO.")
    game.play(15)
    return game


def stuck_reversi() -> Game:
    game = sixplane.Reversi.from_text("XXXX\nXXXX\nXXXX\n.OX.")
    game.play(12)
    return game


def five() -> Game:
    return sixplane.Gomoku(size=5).replay([0, 5, 1, 6, 2, 7, 3, 8, 4])


def full_gomoku() -> Game:
    game = sixplane.Gomoku.from_text("XXOXX\nOOXOO\nXXOXX\nOOXOO\nXXOX.")
    game.play(24)
    return game


def resigned() -> Game:
    game = sixplane.Gomoku()
    game.resign()
    return game


def cut_off() -> Game:
    return sixplane.Go(size=3, max_moves=2).replay([0, 1])


def begun_when_done() -> Game:
    planes = sixplane.Go(size=3).planes
    planes[[3, 5]] = 1
    return sixplane.Go.from_planes(planes)


ENDINGS = {
    two_passes: "passes",
    full_reversi: "full",
    stuck_reversi: "no_moves",
    five: "line",
    full_gomoku: "full",
    resigned: "resignation",
    cut_off: "cutoff",
    begun_when_done: "cutoff",
}


@pytest.mark.parametrize("ended", ENDINGS)
def test_a_finished_game_says_how_it_ended(ended: object) -> None:
    game = ended()  # type: ignore[operator]
    for twin in (game, game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert twin.is_over
        assert twin.ending == ENDINGS[ended]  # type: ignore[index]


@pytest.mark.parametrize("start", [info.game_class for info in GAMES.values()])
def test_a_game_has_no_ending_before_its_end_and_after_undo(start: type[Game]) -> None:
    game = start()
    seen = [game.ending]
    game.resign("white")
    seen.append(game.ending)
    game.undo()
    assert [*seen, game.ending] == [None, "resignation", None]


def test_the_rule_that_ends_the_game_goes_before_the_move_limit() -> None:
    assert sixplane.Go(size=3, max_moves=2).replay([9, 9]).ending == "passes"
