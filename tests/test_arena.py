"""The arena: many games at once are the same games one by one, openings are paired, and results add up."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from sixplane.agents import RESIGN, GTPAgent, MCTSAgent, NetworkAgent, RandomAgent, ScoreTableAgent
from sixplane.match import ArenaResult, arena, play
from sixplane.search import MCTS
from small_evaluators import linear

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAMES: list[Any] = [
    sixplane.Go(5),
    sixplane.Go((2, 4), komi=0.5),
    sixplane.Go(4, komi=0, max_moves=12),
    sixplane.Reversi(6),
    sixplane.Gomoku(6),
]


class First:
    """Plays the first legal action; counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def select_action(self, game: sixplane.Game) -> int:
        self.asked += 1
        return int(game.legal_actions[0])


class Answers(First):
    """Gives the same answer again and again."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = answer

    def select_action(self, game: sixplane.Game) -> Any:  # noqa: ARG002
        return self.answer


class BatchAnswers(Answers):
    def select_actions(self, batch: sixplane.GameBatch, index: NDArray[np.int64]) -> Any:  # noqa: ARG002
        return np.full(len(index), self.answer)


def opened(record: sixplane.Game, moves: int) -> sixplane.Game:
    return record.replay(record.actions[:moves])


def facts(result: ArenaResult) -> list[Any]:
    actions = [record.actions.tolist() for record in result.records]
    return [result.outcomes.tolist(), result.moves.tolist(), result.endings, actions]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_many_games_at_once_are_those_that_the_referee_plays_one_by_one(game: sixplane.Game) -> None:
    a, b = linear((game.rows, game.cols), 1), linear((game.rows, game.cols), 2)
    result = arena(a, b, game, 12, opening_moves=4, seed=7)
    agents = NetworkAgent(a), NetworkAgent(b)
    for i, record in enumerate(result.records):
        black, white = agents if result.colors[i] == 0 else agents[::-1]
        start = opened(record, 4)
        limit = 3 * game.rows * game.cols
        if game.max_moves is None and isinstance(game, sixplane.Go):
            start = type(game)(size=(game.rows, game.cols), komi=game.komi, max_moves=limit)
            start = start.replay(record.actions[:4])
        single = play(black, white, start, None)
        assert single.ending == result.endings[i]
        assert result.moves[i] == single.record.move_number
        # The agents know a game's own limit: by its last action they may choose not to lose.
        known = slice(limit - 1 if start.max_moves != game.max_moves else None)
        assert single.record.actions[known].tolist() == record.actions[known].tolist()
        if single.record.actions.tolist() == record.actions.tolist():
            assert single.winner == {1: "black", 0: "draw", -1: "white"}[int(result.outcomes[i])]


@pytest.mark.parametrize("game", [sixplane.Go(5), sixplane.Reversi(6), sixplane.Gomoku(6)], ids=repr)
def test_with_simulations_each_move_is_that_of_a_search_of_its_own(game: sixplane.Game) -> None:
    a, b = linear((game.rows, game.cols), 1), linear((game.rows, game.cols), 2)
    result = arena(a, b, game, 6, simulations=12, seed=3)
    players = [MCTS(each, selection="puct", simulations=12) for each in (a, b)]
    for i, record in enumerate(result.records):
        single = opened(record, 4)
        for action in record.actions[4:].tolist():
            if single.legal_actions.tolist() != [game.num_actions - 1]:
                player = players[int(single.turn != result.colors[i])]
                assert player.search(single).best_action == action
            single.play(action)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_each_opening_is_legal_random_and_played_with_both_colors(game: sixplane.Game) -> None:
    result = arena(RandomAgent(), RandomAgent(), game, 11, opening_moves=3, seed=5)
    assert result.colors.tolist() == [0, 1] * 5 + [0]
    openings = [tuple(record.actions[:3].tolist()) for record in result.records]
    assert sorted(Counter(openings).values()) == [1, 2, 2, 2, 2, 2]
    assert openings[0:10:2] == openings[1:11:2]
    assert all(not opened(record, 3).is_over for record in result.records)


def test_openings_fill_no_own_eye() -> None:
    game = sixplane.Go.from_text(
        """
        . X . . .
        X X . . .
        . . . . .
        . . . O O
        . . . O .
        """
    )
    result = arena(First(), First(), game, 200, opening_moves=3, seed=1)
    for record in result.records:
        before = game.copy()
        for action in record.actions[:3].tolist():
            assert not before.is_eye(action)
            before.play(action)


def test_the_same_seed_gives_the_same_games_and_another_seed_others() -> None:
    game = sixplane.Reversi(6)
    players = RandomAgent(), MCTSAgent(simulations=5)
    first, again, other = (facts(arena(*players, game, 10, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    evaluators = linear((6, 6), 1), linear((6, 6), 2)
    first, again = (facts(arena(*evaluators, game, 10, simulations=8, seed=4)) for _ in range(2))
    assert first == again


def test_both_players_are_asked_for_nearly_all_games_in_one_call() -> None:
    a, b = linear((6, 6), 1), linear((6, 6), 2)
    result = arena(a, b, sixplane.Reversi(6), 40, seed=0)
    assert len(a.calls) <= result.moves.max() // 2 + 1
    assert max(b.calls) > 35


def test_random_players_are_even_and_the_score_table_beats_them() -> None:
    even = arena(RandomAgent(), RandomAgent(), sixplane.Reversi(6), 400, seed=2)
    low, high = even.interval
    assert low < 0.5 < high
    assert high - low < 0.11
    table = arena(RandomAgent(), ScoreTableAgent(), sixplane.Gomoku(9), 40, seed=2)
    assert (table.wins, table.draws, table.losses, table.score) == (0, 0, 40, 0.0)
    assert table.by_color == ((0, 0, 20), (0, 0, 20))
    assert table.black_wins == 20


def test_a_perfect_agent_never_loses_a_won_game() -> None:
    # Both have an open four: Black, who is to play, wins with the next stone, or White does.
    game = sixplane.Gomoku.from_text(
        """
        . . . . . .
        . X X X X .
        . O O O O .
        . . . . . .
        . . . . . .
        . . . . . .
        """
    )
    result = arena(MCTSAgent(simulations=200), ScoreTableAgent(), game, 2, opening_moves=0, seed=1)
    assert result.by_color[0][0] == 1 and (result.wins, result.losses) == (1, 1)
    perfect = arena(MCTSAgent(simulations=400), RandomAgent(), sixplane.Go(3, komi=0.5), 10, seed=1)
    assert perfect.by_color[0][0] == 5


@pytest.mark.parametrize("kind", [Answers, BatchAnswers])
def test_resignations_and_illegal_actions_lose(kind: Any) -> None:
    game = sixplane.Go(5)
    answer = RESIGN if kind is Answers else -1
    for given, reason in ((answer, "resignation"), (99, "illegal"), (-7, "illegal")):
        result = arena(kind(given), First(), game, 4, seed=1)
        assert result.endings == [reason] * 4
        assert result.results.tolist() == [-1] * 4
        assert all(record.ending == "resignation" for record in result.records)
        assert result.moves.tolist() == [4, 5, 4, 5]


@pytest.mark.parametrize("answer", [2**63, 2**64 - 1])
def test_a_number_beyond_64_bits_with_a_sign_is_no_resignation(answer: int) -> None:
    assert arena(BatchAnswers(np.uint64(answer)), First(), sixplane.Go(5), 2).endings == ["illegal"] * 2


@pytest.mark.parametrize("answer", [None, 1.0, True, "D4"])
def test_what_is_no_action_loses(answer: object) -> None:
    result = arena(First(), Answers(answer), sixplane.Go(5), 2, seed=1)
    assert result.endings == ["illegal"] * 2
    assert (result.wins, result.score) == (2, 1.0)


def test_games_without_end_are_cut_off_and_the_score_decides() -> None:
    points = arena(First(), First(), sixplane.Go(3, komi=-0.5), 6, seed=1)
    assert (points.moves <= 27).all()
    for record, outcome, reason in zip(points.records, points.outcomes, points.endings, strict=True):
        assert outcome == np.sign(record.score())
        assert record.is_over == (reason == "rules")
    short = arena(First(), First(), sixplane.Go(5, komi=0, max_moves=9), 6, seed=1)
    assert short.moves.tolist() == [9] * 6
    assert short.endings == ["moves"] * 6
    assert all(record.is_truncated for record in short.records)


def test_a_player_that_can_only_pass_is_not_asked() -> None:
    game = sixplane.Reversi(6)
    a, b = First(), First()
    result = arena(a, b, game, 40, opening_moves=6, seed=0)
    passes = sum(record.actions.tolist().count(36) for record in result.records)
    assert passes
    assert a.asked + b.asked == sum(result.moves - 6) - passes


def test_a_result_reads_as_one_line_and_knows_wilsons_interval() -> None:
    outcomes = np.array([1, 1, 1, 1, 1, -1, -1, 0, -1, 1], np.int8)
    colors = np.array([0, 0, 0, 0, 0, 1, 1, 0, 0, 1], np.int8)
    result = ArenaResult(outcomes, colors, np.full(10, 30), ["rules"] * 10, [])
    assert (result.wins, result.draws, result.losses) == (7, 1, 2)
    assert result.score == 0.75
    assert (result.black_wins, result.by_color) == (6, ((5, 1, 1), (2, 0, 1)))
    low, high = ArenaResult(outcomes[:4], colors[:4], np.full(4, 9), ["rules"] * 4, []).interval
    assert (round(low, 4), high) == (0.5101, 1.0)  # four of four, by Wilson's formula
    assert str(result) == ("75.0% (95 %: 44.2% to 91.9%) of 10 games: 7 won, 1 drawn, 2 lost; black won 6")


def test_games_may_begin_with_white_and_in_the_middle() -> None:
    for game in (sixplane.Go(7, handicap=2), sixplane.Go(5).replay([12])):
        start = game.move_number
        result = arena(linear((game.rows, game.cols), 1), RandomAgent(), game, 6, opening_moves=1, seed=0)
        for record in result.records:
            assert record.replay(record.actions[:start]) == game
            assert record.planes.shape == game.planes.shape
        assert result.wins + result.draws + result.losses == 6


def test_an_exception_of_a_player_reaches_the_caller() -> None:
    def broken(planes: NDArray[Any]) -> Any:
        return np.full((len(planes), 26), np.nan), np.zeros(len(planes))

    with pytest.raises(ValueError, match="the logit of action 0 is NaN"):
        arena(broken, First(), sixplane.Go(5), 2, seed=1)
    with pytest.raises(
        ValueError, match=r"select_actions of BatchAnswers must return 1 integers, not float64"
    ):
        arena(BatchAnswers(1.0), First(), sixplane.Go(5), 2, seed=1)
    with pytest.raises(TypeError, match="GTP is for Go and Reversi, not Gomoku"):
        arena(GTPAgent("gnugo --mode gtp"), First(), sixplane.Gomoku(5), 2, seed=1)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"games": 0}, ValueError, "games must be at least 1, not 0"),
        ({"games": 1.5}, TypeError, "games must be an integer, not float"),
        ({"opening_moves": -1}, ValueError, "opening_moves must be at least 0"),
        ({"simulations": 0}, ValueError, "simulations must be at least 1"),
        ({"simulations": 5}, ValueError, "both players are agents"),
        ({"seed": "x"}, TypeError, "seed must be an integer"),
        ({"a": RandomAgent}, TypeError, "a must be an evaluator or an agent, not the class RandomAgent"),
        ({"b": "random"}, TypeError, "b must be an evaluator or an agent, not str"),
        ({"game": sixplane.Go}, TypeError, "game must be a game, not the class"),
        ({"game": sixplane.Go(5).planes}, TypeError, "game must be a game, not ndarray"),
        ({"game": sixplane.Go(2, max_moves=3), "games": 800}, ValueError, "no 400 different openings"),
    ],
)
def test_wrong_arguments_are_refused(change: dict[str, Any], error: type[Exception], says: str) -> None:
    arguments: dict[str, Any] = {
        "a": RandomAgent(),
        "b": RandomAgent(),
        "game": sixplane.Go(5),
        "games": 2,
    } | change
    with pytest.raises(error, match=says):
        arena(**arguments)


def test_a_game_that_is_over_is_refused() -> None:
    game = sixplane.Go(5)
    game.resign()
    with pytest.raises(ValueError, match="the game to play is over"):
        arena(RandomAgent(), RandomAgent(), game, 2)
