"""The score table player: the tactical cases, a naive player beside it, and games."""

from __future__ import annotations

import random

import pytest

import sixplane
from gomoku_tactics import Case, proved_answers, read_cases
from naive_score_table import NaiveScoreTable
from sixplane.agents import RESIGN, Agent, RandomAgent, ScoreTableAgent

CASES = read_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_tactical_cases_are_answered_rightly(case: Case) -> None:
    for exact in case.exact:
        game = sixplane.Gomoku.from_text(case.drawing, case.turn, exact_five=exact)
        for seed in range(5):
            action = ScoreTableAgent(seed=seed).select_action(game)
            assert game.action_to_name(action) in case.answers


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_answers_of_the_cases_are_proved_by_search(case: Case) -> None:
    # The longest proofs need not be made for both rules.
    for exact in case.exact[: 1 if case.stones > 2 else 2]:
        assert proved_answers(case, exact) == sorted(case.answers)


def moves_of_the_opening(game: sixplane.Gomoku) -> bool:
    last = game.last_action
    return last is not None and int(game.planes[game.turn].sum()) < 2


@pytest.mark.parametrize(("size", "exact"), [((15, 15), False), ((9, 12), True), (5, True), ((25, 6), False)])
def test_best_points_are_those_of_the_naive_player(size: int | tuple[int, int], exact: bool) -> None:
    rng = random.Random(f"{size}")
    compared = 0
    for seed in range(12):
        game = sixplane.Gomoku(size, exact_five=exact)
        table = ScoreTableAgent(seed=seed)
        while not game.is_over and game.move_number < 60:
            if game.move_number and not moves_of_the_opening(game):
                cells = [
                    ["X" if black else "O" if white else "." for black, white in zip(*rows, strict=True)]
                    for rows in zip(*game.planes[:2].tolist(), strict=True)
                ]
                best = NaiveScoreTable(cells, exact).best("XO"[game.turn])
                assert sixplane._core.score_table_actions(game).tolist() == best, f"\n{game}"
                compared += 1
            # Every other move is random, so that threats are left alone as well.
            rarely = rng.random() < 0.4
            game.play(rng.choice(game.legal_actions.tolist()) if rarely else table.select_action(game))
    assert compared > 60


def test_first_replies_are_neighbors_of_the_last_stone_and_the_center_comes_first() -> None:
    game = sixplane.Gomoku((6, 9))
    assert ScoreTableAgent(seed=0).select_action(game) == 3 * 9 + 4
    game.play(0)
    replies = {ScoreTableAgent(seed=seed).select_action(game) for seed in range(60)}
    assert replies == {1, 9, 10}
    for action in (1, 9, 10):
        game.play(action)
    # White's second reply, to the stone in the corner's diagonal, among what is left around it.
    game.undo()
    assert {ScoreTableAgent(seed=seed).select_action(game) for seed in range(60)} == {10, 18, 19}


def test_equal_seeds_play_equal_games() -> None:
    def game_of(seed: int) -> sixplane.Gomoku:
        game, agent = sixplane.Gomoku(9), ScoreTableAgent(seed=seed)
        while not game.is_over:
            game.play(agent.select_action(game))
        return game

    assert game_of(3) == game_of(3)
    assert any(game_of(seed) != game_of(3) for seed in range(4, 8))


@pytest.mark.parametrize("exact", [False, True])
def test_the_random_player_never_wins(exact: bool) -> None:
    for seed in range(40):
        game = sixplane.Gomoku(exact_five=exact)
        agents: list[Agent] = [ScoreTableAgent(seed=seed), RandomAgent(seed=seed)]
        table = seed % 2
        while not game.is_over:
            choice = agents[(game.turn + table) % 2].select_action(game)
            assert choice is not RESIGN
            game.play(choice)
        assert game.outcome == ("black", "white")[table]


def test_what_it_cannot_play_is_an_error() -> None:
    with pytest.raises(TypeError, match="plays Gomoku, not Go"):
        ScoreTableAgent().select_action(sixplane.Go(5))
    over = sixplane.Gomoku()
    over.resign()
    with pytest.raises(ValueError, match="the game is over"):
        ScoreTableAgent().select_action(over)
    with pytest.raises(TypeError, match="seed must be an integer"):
        ScoreTableAgent(seed="x")  # type: ignore[arg-type]
