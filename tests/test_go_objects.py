"""Go game objects: what they hold, copy, compare, take back and say of themselves."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from sixplane import Go, IllegalActionError

KO = ". X O .\nX O . O\n. X O .\n. . . ."


def test_a_new_game_has_the_documented_defaults() -> None:
    game = Go()
    assert (game.rows, game.cols, game.num_actions) == (9, 9, 82)
    assert (game.komi, game.ko, game.suicide, game.handicap) == (7.5, "positional", False, 0)
    assert (game.max_moves, game.turn, game.move_number, game.last_action) == (None, 0, 0, None)
    assert (game.is_over, game.is_truncated, game.outcome) == (False, False, None)
    assert (game.captures, game.areas(), game.score()) == ((0, 0), (0, 0), -7.5)
    assert not game.planes.any()
    assert game == Go(size=9, komi=7.5, ko="positional", suicide=False, handicap=0, max_moves=None)


def test_arrays_are_fresh_writable_and_contiguous() -> None:
    game = Go(size=(3, 5))
    game.play(7)
    getters: list[tuple[Any, str, tuple[int, ...]]] = [
        (lambda: game.planes, "uint8", (6, 3, 5)),
        (lambda: game.action_mask, "int8", (16,)),
        (lambda: game.legal_actions, "int64", (15,)),
        (lambda: game.actions, "int64", (1,)),
        (lambda: game.history_planes(8), "uint8", (17, 3, 5)),
        (game.ownership, "int8", (3, 5)),
        (game.chains, "int32", (3, 5)),
        (game.liberties, "int32", (3, 5)),
    ]
    before = game.copy()
    for get, dtype, shape in getters:
        array = get()
        assert (array.dtype, array.shape) == (dtype, shape)
        assert array.flags.c_contiguous
        assert array.flags.writeable
        again = get()
        assert not np.shares_memory(array, again)
        array[...] = 1
        assert np.array_equal(get(), again)
    assert game == before
    assert game.planes[0].sum() == 1


def test_an_array_outlives_its_game() -> None:
    game = Go(5)
    game.play(12)
    planes = game.planes
    game.undo()
    del game
    assert planes[0].ravel().tolist().index(1) == 12


def test_plain_numbers_are_plain() -> None:
    game = Go(5)
    game.play(np.int64(3))
    for value in (game.turn, game.last_action, game.move_number, game.hash, game.rows, *game.captures):
        assert type(value) is int
    assert type(game.score()) is float
    assert type(game.is_over) is bool


def test_rows_count_from_the_top_and_columns_from_the_left() -> None:
    game = Go(size=(2, 3))
    game.play(1)
    game.play(5)
    assert game.planes[0].tolist() == [[0, 1, 0], [0, 0, 0]]
    assert game.planes[1].tolist() == [[0, 0, 0], [0, 0, 1]]
    names = [game.action_to_name(action) for action in range(7)]
    assert " ".join(names) == "A2 B2 C2 A1 B1 C1 pass"


def test_every_action_flips_the_turn_and_two_passes_end_the_game() -> None:
    game = Go(3, komi=0.5)
    for turn, action in enumerate([4, 9, 9]):
        assert game.turn == turn % 2
        game.play(action)
    assert game.planes[[2, 4, 5]].mean(axis=(1, 2)).tolist() == [1, 1, 1]
    assert game.planes[3].all()
    assert (game.turn, game.is_over, game.is_truncated, game.outcome) == (1, True, False, "black")
    assert not game.action_mask.any()
    assert game.legal_actions.size == 0
    game.undo()
    assert (game.turn, game.is_over, game.outcome) == (0, False, None)
    assert game.planes[[4, 5], 0, 0].tolist() == [1, 0]


@pytest.mark.parametrize(("komi", "outcome"), [(8.5, "black"), (9, "draw"), (9.5, "white"), (-9, "black")])
def test_the_outcome_follows_the_score(komi: float, outcome: str) -> None:
    game = Go(3, komi=komi)
    for action in (4, 9, 9):
        game.play(action)
    assert (game.score(), game.outcome) == (9 - komi, outcome)


@pytest.mark.parametrize(
    ("color", "winner"), [(None, "white"), (0, "white"), ("black", "white"), (1, "black"), ("white", "black")]
)
def test_resignation_ends_the_game_and_is_no_action(color: Any, winner: str) -> None:
    game = Go(5)
    game.play(3)
    game.play(4)
    before, running = game.planes, game.copy()
    game.resign(color)
    assert (game.is_over, game.is_truncated, game.outcome) == (True, False, winner)
    assert (game.actions.tolist(), game.move_number, game.turn) == ([3, 4], 2, 0)
    assert np.array_equal(game.planes[[0, 1, 2, 4]], before[[0, 1, 2, 4]])
    assert game.planes[[3, 5]].all()
    assert game.score() == running.score()
    assert not game.action_mask.any()
    assert game != running
    game.undo()
    assert game == running
    assert np.array_equal(game.planes, before)


def test_games_resigned_by_different_colors_differ() -> None:
    black, white = Go(5), Go(5)
    black.resign("black")
    white.resign("white")
    assert black != white
    assert black.copy() == black


def test_the_move_limit_cuts_the_game_off() -> None:
    game = Go(3, komi=0.5, max_moves=3)
    for action in (4, 9, 0):
        assert not game.is_over
        game.play(action)
    assert (game.is_over, game.is_truncated, game.outcome) == (True, True, "black")
    assert game.turn == 1
    assert game.planes[[3, 5]].all()
    assert not game.planes[4].any()
    game.undo()
    assert (game.is_over, game.is_truncated, game.outcome) == (False, False, None)


def test_rules_that_end_the_game_on_the_last_action_are_no_truncation() -> None:
    game = Go(3, max_moves=2)
    game.play(9)
    game.play(9)
    assert (game.is_over, game.is_truncated) == (True, False)


def test_set_turn_is_one_undo_step_and_no_action() -> None:
    game = Go.from_text(KO, ko="simple")
    game.play(6)
    steps = [game.copy()]
    assert game.action_mask[5] == 0
    for color in (1, "white", 0, "black"):
        game.set_turn(color)
        assert (game.actions.tolist(), game.move_number, game.last_action) == ([6], 1, 6)
        assert game.turn == (color in (1, "white"))
        steps.append(game.copy())
    assert steps[1].action_mask[5] == 1
    while len(steps) > 1:
        assert game == steps.pop()
        game.undo()
    assert game == steps[0]
    assert game.action_mask[5] == 0


def test_set_turn_clears_the_pass() -> None:
    game = Go(3)
    game.play(9)
    game.set_turn("black")
    assert not game.planes[4].any()
    game.play(9)
    assert not game.is_over
    game.undo()
    game.undo()
    assert game.planes[4].all()
    game.play(9)
    assert game.is_over


def test_the_superko_history_goes_along_with_every_copy() -> None:
    game = Go.from_text(KO)
    game.play(6)
    twins: list[Go] = [game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    for twin in twins:
        twin.set_turn("white")
        with pytest.raises(IllegalActionError, match="superko"):
            twin.play(5)
        twin.undo()
        twin.undo()
        assert twin == Go.from_text(KO)
    # From the planes alone only the next play is forbidden.
    bare = Go.from_planes(game.planes)
    assert bare.action_mask[5] == 0
    bare.set_turn("white")
    assert bare.action_mask[5] == 1


def test_a_copy_is_independent() -> None:
    game = Go(5)
    game.play(3)
    twin = game.copy()
    twin.play(4)
    assert game.actions.tolist() == [3]
    game.undo()
    assert twin.actions.tolist() == [3, 4]
    deep = copy.deepcopy({"a": twin, "b": [twin]})
    assert deep["a"] == twin
    assert deep["a"] is not twin


def different_games() -> list[Go]:
    """Games no two of which are equal."""
    games: list[Any] = [
        Go(5),
        Go((5, 6)),
        Go(5, komi=0.5),
        Go(5, ko="simple"),
        Go(5, ko="situational"),
        Go(5, suicide=True),
        Go(5, max_moves=10),
        Go(5, max_moves=11),
        Go(9, handicap=2),
        Go.from_stones([20, 60], [], "white", 9),
        Go.from_stones([3], [], "white", 5),
        Go.from_stones([3], [], "black", 5),
        Go.from_stones([], [3], "black", 5),
    ]
    courses = [(3,), (25,), (3, 4), (4, 3), (3, 4, 5), (5, 4, 3)]
    games += [Go(5).replay(actions) for actions in courses]
    for color in ("black", "white"):
        games.append(Go(5))
        games[-1].resign(color)
    games.append(Go(5))
    games[-1].set_turn("white")
    return games


def test_equality_is_of_rules_start_actions_and_resignation() -> None:
    games, twins = different_games(), different_games()
    for i, game in enumerate(games):
        for j, twin in enumerate(twins):
            assert (game == twin) == (i == j), (game, twin)
            assert (game != twin) == (i != j)
        assert hash(game) == hash(twins[i])
    assert len({hash(game) for game in games}) == len(games)
    assert len(set(games)) == len(games)
    assert Go(5) != "a game"
    assert (Go(5) == 5) is False


def test_the_hash_of_an_object_agrees_with_equality_at_the_time_of_the_call() -> None:
    game = Go(5)
    start = hash(game)
    game.play(3)
    assert hash(game) != start
    game.undo()
    assert hash(game) == start


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_keeps_the_whole_game(protocol: int) -> None:
    games = different_games()
    for game in [*games, Go.from_planes(games[14].planes)]:
        twin = pickle.loads(pickle.dumps(game, protocol))
        assert twin == game
        assert np.array_equal(twin.planes, game.planes)
        assert (twin.outcome, twin.max_moves, twin.handicap) == (game.outcome, game.max_moves, game.handicap)


def test_planes_that_forbid_a_point_are_kept_by_copies_and_undo() -> None:
    game = Go.from_text(KO, ko="simple")
    game.play(6)
    start = Go.from_planes(game.planes, ko="simple")
    for twin in (start, start.copy(), pickle.loads(pickle.dumps(start)), start.replay([])):
        assert np.array_equal(twin.planes, game.planes)
        twin.play(12)
        twin.play(13)
        assert twin.action_mask[5] == 1
        twin.undo()
        twin.undo()
        assert twin.action_mask[5] == 0


def test_planes_of_a_game_that_is_over() -> None:
    passed = Go(3)
    passed.play(9)
    passed.play(9)
    game = Go.from_planes(passed.planes)
    assert (game.is_over, game.is_truncated, game.outcome) == (True, False, "white")
    resigned = Go(3, komi=-2)
    resigned.resign()
    filled, computed = resigned.planes, resigned.planes
    computed[3] = 0
    for planes in (filled, computed):
        game = Go.from_planes(planes, komi=-2)
        assert (game.is_over, game.is_truncated, game.outcome) == (True, True, "black")
        assert np.array_equal(game.planes, filled)
        with pytest.raises(ValueError, match="nothing to undo"):
            game.undo()


def test_replay_starts_from_the_starting_position() -> None:
    game = Go.from_stones([0], [8], "white", 3, komi=0.5, max_moves=6)
    game.play(4)
    game.play(9)
    again = game.replay(action for action in (4, np.int8(9)))
    assert again == game
    other = game.replay([2])
    assert (other.move_number, other.turn, other.max_moves, other.komi) == (1, 0, 6, 0.5)
    assert game.move_number == 2
    game.resign()
    assert game.replay(game.actions) != game
    game.undo()
    assert game.replay(game.actions) == game


@pytest.mark.parametrize(
    ("size", "handicap", "names"),
    [
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 4, "D4 Q16 D16 Q4"),
        (19, 3, "D4 Q16 D16"),
        (19, 2, "D4 Q16"),
        (13, 9, "D4 K10 D10 K4 D7 K7 G4 G10 G7"),
        (9, 5, "C3 G7 C7 G3 E5"),
        (8, 4, "C3 F6 C6 F3"),
        (7, 4, "C3 E5 C5 E3"),
        (25, 2, "D4 W22"),
    ],
)
def test_handicap_stones_stand_where_gtp_puts_them(size: int, handicap: int, names: str) -> None:
    game = Go(size, handicap=handicap)
    stones = np.flatnonzero(game.planes[0])
    assert {game.action_to_name(stone) for stone in stones} == set(names.split())
    assert (game.turn, game.move_number, game.komi, game.handicap) == (1, 0, 7.5, handicap)
    assert not game.planes[1].any()


def test_the_board_is_drawn_with_coordinates() -> None:
    game = Go(size=(3, 10))
    game.play(8)
    game.play(29)
    expected = (
        "   A B C D E F G H J K\n"
        " 3 . . . . . . . . X . 3\n"
        " 2 . . . . . . . . . . 2\n"
        " 1 . . . . . . . . .(O)1\n"
        "   A B C D E F G H J K"
    )
    assert str(game).rstrip("\n") == expected
    assert repr(game) == "<sixplane.Go 3x10, move 2, black to play>"
    game.resign()
    assert repr(game) == "<sixplane.Go 3x10, move 2, over: white>"


def test_the_zobrist_hash_is_the_same_in_every_process() -> None:
    code = "from sixplane import Go; g = Go(9); g.play(40); print(g.hash, hash(g))"
    outputs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    game = Go(9)
    assert game.hash == 0
    game.play(40)
    assert outputs == {f"{game.hash} {hash(game)}\n"}


def test_history_planes_are_those_of_alphago_zero() -> None:
    game = Go(3)
    for action in (4, 0, 9):
        game.play(action)
    planes = game.history_planes(8)
    # White is to play: its stones first.
    assert [int(plane.sum()) for plane in planes] == [1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]
    assert planes[0, 0, 0] == planes[1, 1, 1] == 1
