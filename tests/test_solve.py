"""`game.solve()`: exact values, their limits, and what refuses to be solved."""

from __future__ import annotations

import _thread
import pickle
import threading
from typing import Any

import pytest

import sixplane
from interruptible import interrupts_raise
from sixplane._core import exact_values
from sixplane.exact import Solution

OPEN_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X X X . . .
    . . . . . . . . .
    . . O . . O . . .
    . . . . O . . . .
    . . . . . . . . .
    . . . . . . . . ."""

END = """
    . O O O
    X X O .
    O X X O
    O O O ."""


def minimax(game: sixplane.Game) -> float:
    """The score with best play for the player to play, by trying everything."""
    if game.is_over:
        return game.score() * (-1 if game.turn else 1)
    scores = []
    for action in game.legal_actions:
        after = game.copy()
        after.play(action)
        scores.append(-minimax(after))
    return max(scores)


def test_the_score_of_an_end_of_reversi_is_that_of_minimax() -> None:
    game = sixplane.Reversi.from_text(END, turn="black")
    before = pickle.dumps(game)
    solution = game.solve(score=True)
    assert isinstance(solution, Solution)
    assert solution.score == minimax(game)
    assert pickle.dumps(game) == before
    assert solution.game == game
    assert solution.game is not game
    end = game.replay([*game.actions, *solution.principal_variation])
    assert end.is_over
    assert end.score() == solution.score
    assert solution.nodes > 0
    assert solution.seconds >= 0
    assert game.solve()[:2] == (solution.value, None)


def test_an_open_three_wins_at_gomoku_and_who_faces_it_must_answer() -> None:
    game = sixplane.Gomoku.from_text(OPEN_THREE, turn="black")
    solution = game.solve()
    assert (solution.value, solution.score) == (1, None)
    assert game.solve(score=True).score == 1.0
    end = game.copy()
    for action in solution.principal_variation:
        end.play(action)
    assert (end.outcome, end.ending) == ("black", "line")
    facing = sixplane.Gomoku.from_text(OPEN_THREE, turn="white")
    limited = facing.solve(nodes=2000)
    assert limited.value is None or limited.best_action in (28, 29, 33, 34)


def test_both_rules_of_gomoku_are_kept() -> None:
    # Black's stone between makes six.
    six = """
        X X X . X X . .
        O O O . O . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . ."""
    assert sixplane.Gomoku.from_text(six, turn="black").solve().best_action == 3
    exact = sixplane.Gomoku.from_text(six, turn="black", exact_five=True).solve(nodes=10_000)
    assert exact.best_action != 3 or exact.value is None


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (sixplane.Go(size=5), "go has no solver"),
        (sixplane.Reversi(size=(4, 10)), "a Reversi board of 4x10 is too large to solve: at most 8 rows"),
        (sixplane.Reversi(max_moves=60), "max_moves=60 may cut the game off before its end"),
        (sixplane.Hex(size=11), "a Hex board of 11x11 is too large to solve: at most 64 points"),
        (sixplane.Gomoku(size=5, max_moves=24), "max_moves=24 may cut the game off before its end"),
    ],
)
def test_what_cannot_be_solved_says_why(game: sixplane.Game, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        game.solve()


def test_a_finished_game_has_nothing_to_solve() -> None:
    game = sixplane.Gomoku()
    game.resign()
    with pytest.raises(ValueError, match="there is nothing to solve: the game is over"):
        game.solve()


@pytest.mark.parametrize(
    ("limits", "error", "message"),
    [
        ({"nodes": 0}, ValueError, "nodes must be from 1"),
        ({"nodes": -3}, ValueError, "nodes must be from 1"),
        ({"nodes": 1.5}, TypeError, "nodes must be an integer, not float"),
        ({"seconds": 0}, ValueError, "seconds must be more than 0"),
        ({"seconds": float("nan")}, ValueError, "seconds must be more than 0"),
        ({"seconds": float("inf")}, ValueError, "and at most 3153600000.0, not inf"),
        ({"seconds": "long"}, TypeError, "seconds must be a number, not str"),
        ({"score": "yes"}, TypeError, "score must be True or False, not str"),
    ],
)
def test_a_wrong_limit_is_refused(limits: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sixplane.Reversi().solve(**limits)


def test_limits_end_a_solve_without_a_value() -> None:
    game = sixplane.Reversi()
    solution = game.solve(nodes=1000)
    assert solution[:5] == (None, None, None, [], 1000)
    assert repr(solution) == "<Solution: not found in 1,000 nodes>"
    # The whole game would take longer than anybody waits.
    assert game.solve(seconds=0.05).value is None


def test_what_is_known_when_a_limit_ends_is_kept() -> None:
    # White will swap, or not: that is known at once. The rest takes longer than anybody waits.
    game = sixplane.Hex(7, swap=True)
    solution = game.solve(nodes=1000, score=True)
    assert (solution.value, solution.score, solution.nodes) == (-1, -1.0, 1000)
    assert solution.principal_variation == [solution.best_action]
    assert repr(solution) == "<Solution: white wins, black plays D4>"


@pytest.mark.parametrize(
    "game",
    [
        sixplane.ConnectFour.from_text("....\n....\n....\nXXX.", turn="black"),
        sixplane.Gomoku.from_text("XXXX.\nOOO..\n.....\n.....\n.....", turn="black"),
        sixplane.Reversi.from_text("OOOX\nOOOX\nOOOX\n.OOX", turn="black"),
        sixplane.Hex.from_text("XO\n..", turn="black"),
    ],
)
def test_a_few_positions_are_looked_at_however_short_the_time(game: sixplane.Game) -> None:
    solution = game.solve(seconds=1e-9)
    assert (solution.value, solution.nodes > 0) == (1, True)


def test_ctrl_c_ends_a_solve_and_others_run_meanwhile() -> None:
    timer = threading.Timer(0.1, _thread.interrupt_main)
    with interrupts_raise():
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            sixplane.Reversi().solve()


def test_ctrl_c_ends_the_exact_values_of_many_games() -> None:
    batch = sixplane.GameBatch(sixplane.Gomoku(), 4000, seed=1)
    batch.play_random(12)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    # Every game that is left asks for signals anew.
    with interrupts_raise():
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            exact_values(batch, nodes=10_000)


def test_a_solution_says_who_wins() -> None:
    game = sixplane.Reversi.from_text(END, turn="black")
    assert repr(game.solve()).startswith("<Solution: white wins, black plays ")
    game.play(game.solve(score=True).principal_variation[0])
    shown = game.solve(score=True)._repr_html_()
    assert "white wins by 2 with" in shown
    assert "<img src=" in shown
    draw = sixplane.Gomoku.from_text("XOXOX\nOXOXO\nOXOXO\nOXOXO\nXOXO.", turn="black").solve()
    assert repr(draw) == "<Solution: draw, black plays E1>"
    lost = sixplane.Gomoku.from_text(".OOOO.\nXX.X.X\n......\n......\n......", turn="black").solve()
    assert repr(lost) == "<Solution: white wins, black plays A5>"


def test_a_solution_says_swap_where_the_pass_of_hex_is_one() -> None:
    game = sixplane.Hex(size=3, swap=True)
    game.play(game.name_to_action("C1"))
    solution = game.solve()
    assert repr(solution) == "<Solution: white wins with swap>"
    assert "white wins with swap" in solution._repr_html_() and "pass" not in solution._repr_html_()
