"""`sixplane.Game` is the base class of the three games."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

import numpy as np
import pytest

import sixplane
from sixplane import sgf
from sixplane.games import GAMES

CLASSES = [info.game_class for info in GAMES.values()]


@pytest.mark.parametrize("game_class", CLASSES)
def test_every_game_is_an_instance_and_every_game_class_a_subclass(game_class: type[sixplane.Game]) -> None:
    game = game_class()
    batch = sixplane.GameBatch(game, 1)
    made = [
        game,
        game.copy(),
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),
        game.replay([]),
        batch[0],
    ]
    for one in made:
        assert type(one) is game_class
        assert isinstance(one, sixplane.Game)
    assert issubclass(game_class, sixplane.Game)
    assert game_class.__mro__ == (game_class, sixplane.Game, object)
    assert not issubclass(sixplane.GameBatch, sixplane.Game)


def test_annotations_of_agents_can_name_it() -> None:
    def select_action(game: sixplane.Game) -> int:
        return int(game.legal_actions[0])

    assert typing.get_type_hints(select_action)["game"] is sixplane.Game


def test_the_base_class_makes_no_games() -> None:
    class Own(sixplane.Game):
        pass

    for base in (sixplane.Game, Own):
        with pytest.raises(TypeError, match="cannot create"):
            base()
        with pytest.raises(TypeError, match="this class makes no games"):
            base.from_text(". .\n. .")
        with pytest.raises(TypeError, match="this class makes no games"):
            base.from_stones([], [])
        with pytest.raises(TypeError, match="this class makes no games"):
            base.from_planes(sixplane.Go(size=5).planes)
        with pytest.raises(TypeError, match="this class makes no games"):
            base.from_sgf("(;GM[1])")


@pytest.mark.parametrize("game_class", CLASSES)
def test_a_member_asked_of_the_base_class_is_that_of_the_game(game_class: type[sixplane.Game]) -> None:
    game = game_class()
    action = int(game.legal_actions[0])
    sixplane.Game.play(game, action)
    assert game.last_action == action
    members = [name for name in dir(sixplane.Game) if not name.startswith("_")]
    for name in members:
        member = inspect.getattr_static(sixplane.Game, name)
        if inspect.isgetsetdescriptor(member):
            assert np.array_equal(member.__get__(game), getattr(game, name)), name
    assert [sixplane.Game.copy(game)] == [game]
    assert sixplane.Game.to_sgf(game, black_name="B") == game.to_sgf(black_name="B")
    assert sixplane.Game.to_svg(game, width=90) == game.to_svg(width=90)
    sixplane.Game.resign(game, "white")
    assert game.ending == "resignation"
    sixplane.Game.undo(game)
    sixplane.Game.undo(game)
    assert game.move_number == 0


def test_the_base_class_lists_all_that_every_game_has() -> None:
    shared = set.intersection(*({name for name in dir(one) if name[0] != "_"} for one in CLASSES))
    assert shared == {name for name in dir(sixplane.Game) if name[0] != "_"}


@pytest.mark.parametrize("game_class", CLASSES)
def test_a_class_says_what_its_games_are(game_class: type[sixplane.Game]) -> None:
    game = game_class()
    assert (
        sixplane.GameBatch(game, 1)
        .__repr__()
        .endswith(f"1 games of {game_class.name} {game.rows}x{game.cols}>")
    )
    assert game_class(game_class.default_size) == game
    assert game_class.from_sgf(game.to_sgf()) == game
    side = game.rows if game_class is sixplane.TicTacToe else 8
    board = "\n".join([" ".join("." * side)] * side)
    rules = {name: getattr(game, name) for name in game_class.rule_names}
    assert game_class.from_text(board, **rules).rows == side
    last_of_first_row = game.action_to_name(game.cols - 1)
    assert last_of_first_row.endswith("1") == game_class.row_one_at_top
    letter = ord("A") + game.cols - 1 + game_class.skips_i * (game.cols > 8)
    assert last_of_first_row[0] == chr(letter)


def test_every_game_has_a_number_of_its_own_in_records() -> None:
    records = [info.game_class().to_sgf() for info in GAMES.values()]
    assert len({sgf.parse(record).games[0].text("GM") for record in records}) == len(GAMES) > 0
