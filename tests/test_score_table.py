"""The score table player: the tactical cases, a naive player beside it, and games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import own_games as games
import sixplane
from gomoku_tactics import Case, read_cases
from naive_score_table import NaiveScoreTable
from sixplane.agents import (
    Agent,
    MCTSAgent,
    Pattern,
    RandomAgent,
    Resignation,
    ScoreTableAgent,
    ScoreTableEvaluator,
)

CASES = read_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_tactical_cases_are_answered_rightly(case: Case) -> None:
    for exact in case.exact:
        game = sixplane.Gomoku.from_text(case.drawing, case.turn, exact_five=exact)
        for seed in range(5):
            action = ScoreTableAgent(seed=seed).select_action(game)
            assert game.action_to_name(action) in case.answers


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_evaluator_points_at_the_right_answers(case: Case) -> None:
    for exact in case.exact:
        game = sixplane.Gomoku.from_text(case.drawing, case.turn, exact_five=exact)
        logits, values = ScoreTableEvaluator(exact_five=exact)(game.planes[None])
        assert (logits.shape, values.shape) == ((1, game.num_actions), (1,))
        assert game.action_to_name(int(logits[0].argmax())) in case.answers
        assert (values[0] == 1) == (case.goal == "wins" and case.stones <= 2)
        assert abs(values[0]) <= 1


def test_the_evaluator_sees_the_same_for_both_colors_and_in_any_batch() -> None:
    batch = sixplane.GameBatch(sixplane.Gomoku(9), 40, seed=1)
    batch.play_random(20)
    planes = batch.planes
    logits, values = ScoreTableEvaluator()(planes)
    swapped = planes[:, [1, 0, 2, 3, 4, 5]].copy()
    swapped[:, 2] = 1 - planes[:, 2]
    for other, index in ((swapped, slice(None)), (planes[5:7].astype(np.float32), slice(5, 7))):
        again = ScoreTableEvaluator()(other)
        assert (again[0] == logits[index]).all()
        assert (again[1] == values[index]).all()
    assert len(set(values.tolist())) > 20
    occupied = planes[:, :2].sum(axis=1).reshape(40, 81) > 0
    assert (logits[:, :81][occupied] == 0).all() and (logits[:, 81] == 0).all()
    assert (logits[:, :81][~occupied] > 0).mean() > 0.9


def test_the_evaluator_knows_when_five_cannot_be_stopped_any_more() -> None:
    drawing = """
        . . . . . . . . .
        . . . . . . . . .
        . . X X X X . . .
        . . . O . . . . .
        . . . . O . . . .
        . . . . . O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . ."""
    _, values = ScoreTableEvaluator()(sixplane.Gomoku.from_text(drawing, "white").planes[None])
    assert values.tolist() == [-1]
    _, values = ScoreTableEvaluator()(sixplane.Gomoku.from_text(drawing, "black").planes[None])
    assert values.tolist() == [1]


def test_planes_of_another_shape_are_refused() -> None:
    evaluator = ScoreTableEvaluator()
    for shape in ((6, 9, 9), (1, 5, 9, 9), (1, 6, 1, 9), (1, 6, 26, 9)):
        with pytest.raises(ValueError, match=r"\(L, 6, rows, cols\)|from 2 to 25"):
            evaluator(np.zeros(shape, np.uint8))
    logits, values = evaluator(np.zeros((0, 6, 9, 9), np.uint8))
    assert (logits.shape, values.shape) == ((0, 82), (0,))


def naive_table(game: sixplane.Gomoku) -> NaiveScoreTable:
    cells = [
        ["X" if black else "O" if white else "." for black, white in zip(*rows, strict=True)]
        for rows in zip(*game.planes[:2].tolist(), strict=True)
    ]
    return NaiveScoreTable(cells, game.exact_five)


@pytest.mark.parametrize(("size", "exact"), [((15, 15), False), ((9, 12), True), (5, True), ((25, 6), False)])
def test_best_points_are_those_of_the_naive_player(size: int | tuple[int, int], exact: bool) -> None:
    rng = random.Random(f"{size}")
    compared = 0
    for seed in range(12):
        game = sixplane.Gomoku(size, exact_five=exact)
        table = ScoreTableAgent(seed=seed)
        while not game.is_over and game.move_number < 60:
            if game.last_action is not None:
                last = divmod(game.last_action, game.cols)
                best = naive_table(game).best("XO"[game.turn], last)
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


FOUR = """
    . . . . . . . . .
    . O . . . . . . .
    . . . X X X . X .
    . . . . . . . . .
    . . . . . . . . ."""
THREE = FOUR.replace("O", ".").replace("X X X . X", "X X . . .")


@pytest.mark.parametrize(
    ("drawing", "action", "answers"), [(FOUR, "A1", {"G3"}), (THREE, "F3", {"C3", "G3"})]
)
def test_wins_and_blocks_go_before_the_first_replies(drawing: str, action: str, answers: set[str]) -> None:
    game = sixplane.Gomoku.from_text(drawing)
    game.play(game.name_to_action(action))
    chosen = {game.action_to_name(ScoreTableAgent(seed=seed).select_action(game)) for seed in range(20)}
    assert chosen == answers


@pytest.mark.parametrize(("size", "exact"), [((9, 9), False), ((5, 12), True), ((25, 6), False)])
def test_patterns_and_scores_of_every_point_are_those_of_the_naive_table(
    size: tuple[int, int], exact: bool
) -> None:
    rng = random.Random(7)
    game = sixplane.Gomoku(size, exact_five=exact)
    while not game.is_over and game.move_number < 50:
        patterns, scores = ScoreTableAgent.patterns(game), ScoreTableAgent.scores(game)
        assert patterns.shape == (2, 4, *size)
        assert scores.shape == (2, *size)
        assert [str(patterns.dtype), str(scores.dtype)] == ["uint8", "int64"]
        naive = naive_table(game)
        for (row, col), is_taken in np.ndenumerate(game.planes[:2].any(axis=0)):
            for index in (0, 1):
                lines, score = patterns[index, :, row, col].tolist(), int(scores[index, row, col])
                if is_taken:
                    assert (lines, score) == ([Pattern.DEAD] * 4, 0)
                else:
                    color = "XO"[game.turn ^ index]
                    names = [Pattern(line).name.lower().replace("_", " ") for line in lines]
                    assert names == naive.patterns(row, col, color)
                    assert score == naive.worth(row, col, color)[2]
        game.play(rng.choice(game.legal_actions.tolist()))


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
            assert not isinstance(choice, Resignation)
            game.play(choice)
        assert game.outcome == ("black", "white")[table]


def test_an_agent_that_searches_by_the_table_sees_in_the_game_how_long_a_run_wins() -> None:
    agent, best = MCTSAgent(ScoreTableEvaluator(), simulations=1), []
    for exact in (False, True, False):
        game = sixplane.Gomoku.from_text(
            "XXX.XX..\n........\n" + "O.O.O.O.\n........\n" * 3, exact_five=exact
        )
        logits, _ = ScoreTableEvaluator(exact)(game.planes[np.newaxis])
        expected = np.exp(logits[0].astype(np.float64)) * game.action_mask
        assert np.allclose(agent.priors(game), expected / expected.sum())
        best.append(int(agent.priors(game).argmax()))
    assert best[0] == best[2] == 3 != best[1]


def test_what_it_cannot_play_is_an_error() -> None:
    with pytest.raises(TypeError, match="plays Gomoku, not Go"):
        ScoreTableAgent().select_action(sixplane.Go(5))
    for sight in (ScoreTableAgent.scores, ScoreTableAgent.patterns):
        with pytest.raises(TypeError, match="plays Gomoku, not Reversi"):
            sight(sixplane.Reversi())
    with pytest.raises(TypeError, match="the score table plays Gomoku, not Go"):
        MCTSAgent(ScoreTableEvaluator()).select_action(sixplane.Go(5))
    own: Any = games.Gomoku
    with pytest.raises(TypeError, match="the score table plays Gomoku, not own_games:Gomoku"):
        ScoreTableAgent().select_action(own())
    over = sixplane.Gomoku()
    over.resign()
    with pytest.raises(ValueError, match="the game is over"):
        ScoreTableAgent().select_action(over)
    with pytest.raises(TypeError, match="seed must be an integer"):
        ScoreTableAgent(seed="x")  # type: ignore[arg-type]


def test_it_chooses_in_many_games_as_in_each_alone() -> None:
    batch = sixplane.GameBatch(sixplane.Gomoku(9), 12, seed=2)
    batch.play_random(6)
    index = np.array([7, 0, 3, 11])
    agent, other = ScoreTableAgent(seed=5), ScoreTableAgent(seed=5)
    for _ in range(3):
        expected = [other.select_action(batch[i]) for i in index.tolist()]
        assert agent.select_actions(batch, index).tolist() == expected
