"""Games whose rules are a Python class: the same games as those of the core."""

from __future__ import annotations

import copy
import pickle
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import own_games as games
import sixplane
from effort import share
from sixplane import GameBatch, IllegalActionError
from sixplane.render import board_svg
from sixplane.testing import check_game

if TYPE_CHECKING:
    pass

#: Their classes are not what a type checker takes them for.
own_games: Any = games

#: A game in Python, the same game of the core, and a size.
TWINS: list[Any] = [
    (own_games.Gomoku, sixplane.Gomoku, 6),
    (own_games.Gomoku, sixplane.Gomoku, (5, 7)),
    (own_games.VectorGomoku, sixplane.Gomoku, (7, 6)),
    (own_games.ConnectFour, sixplane.ConnectFour, (4, 5)),
    (own_games.Reversi, sixplane.Reversi, 4),
    (own_games.Reversi, sixplane.Reversi, (6, 4)),
]
IDS = [f"{one.__name__}{size}" for one, _, size in TWINS]


def assert_alike(one: sixplane.Game, other: sixplane.Game) -> None:
    assert (one.planes == other.planes).all()
    assert (one.action_mask == other.action_mask).all()
    assert (one.outcome, one.score(), one.hash) == (other.outcome, other.score(), other.hash)
    assert (one.is_over, one.is_truncated, one.turn) == (other.is_over, other.is_truncated, other.turn)
    assert (one.history_planes(3) == other.history_planes(3)).all()


@pytest.mark.parametrize(("own", "ours", "size"), TWINS, ids=IDS)
def test_it_is_the_same_game_action_by_action(own: Any, ours: Any, size: Any) -> None:
    rng = random.Random(1)
    for max_moves in (None, 9):
        one, other = own(size, max_moves=max_moves), ours(size, max_moves=max_moves)
        assert_alike(one, other)
        while not other.is_over:
            illegal = np.flatnonzero(other.action_mask == 0)
            action = int(rng.choice(illegal))
            reasons = []
            for game in (one, other):
                with pytest.raises(IllegalActionError) as refused:
                    game.play(action)
                reasons.append(refused.value.reason)
            assert reasons[0] == reasons[1]
            action = rng.choice(other.legal_actions.tolist())
            one.play(action)
            other.play(action)
            assert_alike(one, other)
            if rng.random() < 0.2:
                one.undo()
                other.undo()
                assert_alike(one, other)
            if max_moves and rng.random() < 0.2 and not other.is_over:
                color = rng.choice(["black", "white"])
                one.set_turn(color)
                other.set_turn(color)
                assert_alike(one, other)
        assert one == one.copy() == pickle.loads(pickle.dumps(one)) == copy.deepcopy(one)
        assert hash(one) == hash(one.copy())
        assert own.from_sgf(one.to_sgf(), max_moves=max_moves) == one
        if max_moves is None:  # no turn was set
            assert_alike(one.replay(one.actions), other.replay(other.actions))
        one.undo()
        one.resign()
        other.undo()
        other.resign()
        assert_alike(one, other)


@pytest.mark.parametrize(("own", "ours", "size"), TWINS, ids=IDS)
def test_a_batch_is_the_same_step_by_step(own: Any, ours: Any, size: Any) -> None:
    one, other = (GameBatch(kind(size), 9, seed=3, threads=2) for kind in (own, ours))
    for autoreset in ("same_step", "next_step"):
        for _ in range(30):
            actions = other.sample()
            assert (one.sample() == actions).all()
            steps = [batch.step(actions, autoreset) for batch in (one, other)]
            for mine, theirs in zip(*steps, strict=True):
                assert np.array_equal(mine, theirs)
    one.play_random(7)
    other.play_random(7)
    assert (one.planes == other.planes).all()
    assert (one.action_masks == other.action_masks).all()
    assert pickle.loads(pickle.dumps(one)) == one == one.copy()


@pytest.mark.parametrize(
    "own", [own_games.TicTacToe, own_games.Nim, own_games.Reversi, own_games.VectorGomoku]
)
def test_it_keeps_the_laws_of_games(own: Any) -> None:
    sizes = {own_games.Reversi: 4, own_games.VectorGomoku: 5}
    check_game(own(sizes.get(own)), games=share(12))


def test_the_class_looks_like_the_others() -> None:
    game = own_games.Nim()
    assert (game.rows, game.cols, game.name) == (2, 7, "own_games:Nim")
    assert repr(game) == "<sixplane.Nim 2x7, move 0, black to play>"
    assert repr(GameBatch(game, 2)) == "<sixplane.GameBatch of 2 games of Nim 2x7>"
    assert own_games.Gomoku.rule_names == ("length",)
    game = own_games.Gomoku(size=4, length=3)
    assert (game.length, game.rules.length) == (3, 3)
    assert own_games.Gomoku(5, length=4) != own_games.Gomoku(5) != game
    assert own_games.Gomoku.from_text("XXX.\n....\n....\n....", length=3).outcome == "black"
    assert own_games.Gomoku.from_planes(game.planes, length=3) == game
    assert pickle.loads(pickle.dumps(game)).length == 3
    for text in ("...\n...\n...", "...\n..."):
        with pytest.raises(ValueError, match="no line of 5 fits"):
            own_games.Gomoku.from_text(text)
    assert own_games.ConnectFour().num_symmetries == 2
    assert own_games.TicTacToe().num_symmetries == 8
    assert "<svg" in game.to_svg()
    assert game.to_svg(coordinates=False) == board_svg(
        game.planes, own_games.Gomoku.info.style, coordinates=False, title="Gomoku 4x4, move 0, black to play"
    )


def test_an_ending_has_the_words_of_the_game_also_for_a_type_checker() -> None:
    game = own_games.Nim(size=(2, 2))
    game.play(0)
    game.play(2)
    assert game.ending == "stuck"  # mypy --strict allows only words that the type has


def test_a_record_without_a_size_has_the_usual_one() -> None:
    for own, (rows, cols) in ((own_games.Nim, (2, 7)), (own_games.TicTacToe, (3, 3))):
        game = own.from_sgf("(;GM[1000])")
        assert (game.rows, game.cols) == (rows, cols)


def test_rules_see_how_many_passes_went_before_up_to_two() -> None:
    seen: list[Any] = []

    class Idle:
        may_repeat = True

        def legal(self, position: Any) -> Any:
            seen.append(position.passes)
            return position.empty

        def may_pass(self, _position: Any) -> bool:
            return True

        def ending(self, _position: Any) -> None:
            return None

    made: Any = sixplane.game_class(Idle)
    game = made(size=3)
    for action in (9, 9, 9, 0, 9):
        game.play(action)
    assert seen == [0, 1, 2, 2, 0, 1]


def test_rules_may_change_the_boards_that_place_returns() -> None:
    class Sweep:
        def legal(self, position: Any) -> Any:
            return position.empty

        def play(self, position: Any, action: int) -> Any:
            own, opponent = position.place(action)
            opponent[:] = False
            return own, opponent

        def ending(self, _position: Any) -> None:
            return None

    made: Any = sixplane.game_class(Sweep)
    game = made(size=3, max_moves=9)
    game.play(0)
    game.play(8)
    assert game.planes[:2].sum(axis=(1, 2)).tolist() == [0, 1]
