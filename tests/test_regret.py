"""How far a player is from perfect play, beside minimax that knows nothing but the rules."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from sixplane.agents import RESIGN, PolicyAgent, RandomAgent, ScoreTableAgent
from sixplane.match import RegretResult, regret

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: Reversi 6x6 with 14 empty points.
START = sixplane.Reversi(size=6).replay([8, 9, 4, 3, 16, 19, 24, 13, 1, 2, 27, 5, 25, 34, 7, 12, 26, 31])


def first(_planes: Any, masks: NDArray[np.bool_]) -> Any:
    """The first legal action."""
    return masks.argmax(axis=1)


def given(action: int, planes: Any, _masks: NDArray[np.bool_]) -> Any:
    """The same action everywhere."""
    return np.full(len(planes), action)


@cache
def minimax(board: bytes, turn: int, size: tuple[int, int]) -> float:
    """The score of Reversi with best play, for the player to play."""
    stones = np.frombuffer(board, np.uint8).reshape(2, *size)
    black, white = (np.flatnonzero(color).tolist() for color in stones)
    game = sixplane.Reversi.from_stones(black, white, turn="white" if turn else "black", size=size)
    if game.is_over:
        return game.score() * (1 - 2 * turn)
    return max(-after_of(game, action) for action in game.legal_actions.tolist())


def value_of(game: sixplane.Game) -> float:
    return minimax(game.planes[:2].tobytes(), game.turn, (game.rows, game.cols))


def after_of(game: sixplane.Game, action: int) -> float:
    """What an action leaves to the other player."""
    after = game.copy()
    after.play(action)
    return value_of(after)


def check(result: RegretResult) -> None:
    """All that a result says of Reversi is what minimax says."""
    assert result.score_losses is not None
    found = zip(result.values, result.reached, result.score_losses, strict=True)
    for game, action, said in zip(result.records, result.actions.tolist(), found, strict=True):
        best, got = value_of(game), -after_of(game, action)
        assert said == (np.sign(best), np.sign(got), best - got)
        assert best >= 0
        assert any(-np.sign(after_of(game, other)) < np.sign(best) for other in game.legal_actions.tolist())


@pytest.mark.parametrize(("size", "moves"), [(4, 0), ((4, 6), 9), ((6, 4), 8), (6, 21)])
def test_every_verdict_in_reversi_is_that_of_minimax(size: int | tuple[int, int], moves: int) -> None:
    batch = sixplane.GameBatch(sixplane.Reversi(size=size), 1, seed=moves)
    batch.play_random(moves)
    result = regret(RandomAgent(), batch[0], positions=20, score=True, seed=3)
    check(result)
    assert 0 < result.mistakes < 20


def test_who_plays_as_the_solver_says_throws_nothing_away() -> None:
    class Perfect:
        def select_action(self, game: sixplane.Game) -> int:
            best = game.solve(score=True).best_action
            assert best is not None
            return best

    for game in (
        sixplane.Reversi(),
        sixplane.Gomoku(size=9),
        sixplane.Gomoku(size=9, exact_five=True),
        sixplane.ConnectFour(),
        sixplane.Hex(size=5),
    ):
        result = regret(Perfect(), game, positions=30, seed=1)
        assert (result.mistakes, result.rate, result.regret, result.unproven) == (0, 0.0, 0.0, 0)
        assert result.interval[0] == 0 < result.interval[1]
    assert regret(Perfect(), START, 30, score=True, seed=1).mean_score_loss == 0


def test_positions_are_reached_by_play_and_something_is_at_stake() -> None:
    result = regret("random", sixplane.Reversi(), positions=20, seed=1)
    for game in result.records:
        assert game.replay(game.actions) == game
        assert np.count_nonzero(game.planes[:2]) == 50
    result = regret("random", sixplane.Gomoku(), positions=20, seed=1)
    for game, value in zip(result.records, result.values, strict=True):
        solution = game.solve(nodes=20_000)
        assert solution.value == value == 1
        assert len(solution.principal_variation) > 1
    assert set(result.losses) <= {0, 1, 2}
    assert 0 < result.unproven <= result.mistakes


def test_a_seed_decides_everything() -> None:
    for game in (START, sixplane.Gomoku(size=9)):
        for player in ("random", RandomAgent(), first):
            one, other = (regret(player, game, positions=20, seed=5) for _ in range(2))
            assert one.records == other.records
            assert one.actions.tolist() == other.actions.tolist()
        assert regret("random", game, positions=20, seed=6).records != one.records
        assert regret("random", game, positions=5).positions == 5


def test_agents_are_asked_as_they_can_be() -> None:
    class OneByOne:
        def select_action(self, game: sixplane.Game) -> int:
            return int(game.legal_actions[0])

    results = [regret(player, START, positions=30, seed=2) for player in (OneByOne(), PolicyAgent(first))]
    assert results[0].actions.tolist() == results[1].actions.tolist()
    assert regret(ScoreTableAgent(), sixplane.Gomoku(size=9), 30, seed=1).rate < 0.5


def test_who_resigns_loses_everything() -> None:
    class Timid:
        def select_action(self, _game: sixplane.Game, /) -> Any:
            return RESIGN

    result = regret(Timid(), START, positions=20, score=True, seed=1)
    assert result.mistakes == 20
    assert set(result.reached) == {-1.0}
    assert result.mean_score_loss is not None and result.mean_score_loss > 36
    assert "resigns" in result._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("random", sixplane.Go(size=5)), ValueError, "go has no solver"),
        (("random", sixplane.Reversi(size=10)), ValueError, "too large to solve"),
        (("random", sixplane.Reversi(max_moves=30)), ValueError, "may cut the game off"),
        (("random", sixplane.Reversi(), 0), ValueError, "positions must be at least 1, not 0"),
        (("random", sixplane.Reversi(), 1.5), TypeError, "positions must be an integer"),
        (("random", "reversi"), TypeError, "game must be a game, not str"),
        (("score-table", sixplane.Reversi()), ValueError, "score-table plays Gomoku"),
        (("nobody", sixplane.Reversi()), ValueError, "no agent is called 'nobody'"),
        ((3, sixplane.Reversi()), TypeError, "policy must be a function"),
        ((partial(given, 64), sixplane.Reversi(), 9), ValueError, "in position 0 is illegal: 64"),
        ((partial(given, -2), sixplane.Reversi(), 9), ValueError, "in position 0 is illegal: -2"),
        ((partial(given, 99), sixplane.Reversi(), 9), ValueError, "PolicyAgent in position 0 is illegal: 99"),
        ((lambda *_: None, sixplane.Reversi(), 9), ValueError, "must give 9 integers"),
    ],
)
def test_what_cannot_be_measured_says_why(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        regret(*arguments, seed=1)


def test_more_that_cannot_be_measured() -> None:
    over = sixplane.Gomoku()
    over.resign()
    with pytest.raises(ValueError, match="the game to play is over"):
        regret("random", over)
    with pytest.raises(ValueError, match="Gomoku has no points to lose"):
        regret("random", sixplane.Gomoku(), score=True)
    with pytest.raises(TypeError, match="seed must be an integer"):
        regret("random", sixplane.Reversi(), seed="one")  # type: ignore[arg-type] # what is refused
    end = sixplane.Reversi.from_text("XO..\nXOO.\nXXXX\nXXXX", turn="black")
    with pytest.raises(ValueError, match="games lead to no 1000 positions in which value can"):
        regret("random", end)


def test_a_result_shows_its_figures() -> None:
    result = regret("random", START, positions=100, score=True, seed=1)
    low, high = result.interval
    assert str(result).startswith(
        f"value thrown away in {result.rate:.1%} (95 %: {low:.1%} to {high:.1%}) of 100 positions; "
        f"mean loss {result.regret:.3f} and {result.mean_score_loss:.2f} points; the player took "
    )
    html = result._repr_html_()
    ET.fromstring(f"<div>{html}</div>")  # noqa: S314 - our own text
    assert "Regret in Reversi 6x6" in html
    assert result.losses[result.worst] == result.losses.max()


def test_a_notebook_shows_a_worst_mistake_only_where_something_was_lost() -> None:
    result = regret("random", START, positions=20, score=True, seed=1)
    worst = result.worst
    html = result._repr_html_()
    name = result.records[worst].action_to_name(int(result.actions[worst]))
    assert f">{name}: {result.losses[worst]:g}<" in html and "Hottest" in html
    # The same without the loss of value: the points remain.
    kept = result._replace(reached=result.values)
    assert kept.losses.max() == 0 and kept.score_losses is not None
    name = kept.records[kept.worst].action_to_name(int(kept.actions[kept.worst]))
    html = kept._repr_html_()
    assert f">{name}: {kept.score_losses.max():g} points<" in html and "Hottest" in html
    one = kept._replace(score_losses=np.eye(20)[3])
    assert ": 1 point<" in one._repr_html_()
    for flawless in (kept._replace(score_losses=np.zeros(20)), kept._replace(score_losses=None)):
        html = flawless._repr_html_()
        assert "worst mistake" not in html and "Hottest" not in html
