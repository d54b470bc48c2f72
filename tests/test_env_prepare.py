"""Opponents that prepare for a game, or do not play it: the environment finds out when it gets them."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest

import sixplane
from sixplane.agents import BestAgent, MCTSAgent, NetworkAgent, ScoreTableAgent, ScoreTableEvaluator


class Prepared:
    """Plays Reversi if it has been told to."""

    def __init__(self) -> None:
        self.games: list[sixplane.Game] = []

    def prepare(self, game: sixplane.Game) -> None:
        if not isinstance(game, sixplane.Reversi):
            raise LookupError(f"{game.name} is not for me")
        self.games.append(game)
        game.play(game.legal_actions[0])  # a copy

    def select_action(self, game: sixplane.Game) -> int:
        assert self.games
        return int(game.legal_actions[0])


MAKERS = [gym.make, lambda env_id, **options: gym.make_vec(env_id, 2, **options)]


@pytest.mark.parametrize("make", MAKERS)
def test_an_opponent_prepares_when_the_environment_gets_it(make: Any) -> None:
    env = make("sixplane/Reversi-v0", size=4, opponent=Prepared(), seat="white")
    for _ in range(2):
        _, info = env.reset()
        assert (info["move_number"] == 1).all() if make is not gym.make else info["move_number"] == 1
    # gymnasium.make may put wrappers around it.
    ours: Any = env if make is not gym.make else env.unwrapped
    while not hasattr(ours, "opponent"):
        ours = env = env.env
    (game,) = ours.opponent.games
    assert (game.rows, game.move_number) == (4, 1)
    other = ours.opponent = Prepared()
    assert len(other.games) == 1


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("opponent", "error", "message"),
    [
        (Prepared(), LookupError, "go is not for me"),
        (ScoreTableAgent(), TypeError, "the score table plays Gomoku, not Go"),
        (NetworkAgent(ScoreTableEvaluator()), TypeError, "plays Gomoku, not Go"),
        (MCTSAgent(ScoreTableEvaluator(), simulations=2), TypeError, "plays Gomoku, not Go"),
    ],
    ids=["own", "table", "policy", "search"],
)
def test_an_opponent_of_another_game_is_an_error_at_once(
    make: Any, opponent: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make("sixplane/Go-v0", size=5, opponent=opponent)


def test_an_opponent_that_played_another_game_before_is_none_of_that_game() -> None:
    agent = BestAgent(seed=1)
    agent.prepare(sixplane.Go(size=9))
    env = gym.make("sixplane/Reversi-v0", opponent=agent, seat="white")
    assert env.reset(seed=1)[1]["move_number"] == 1
