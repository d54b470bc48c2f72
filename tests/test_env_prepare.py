"""Opponents come and go: an environment that gets one has it prepare or refuses it, and closes its own."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import pytest
from gymnasium.error import ClosedEnvironmentError

import sixplane
from sixplane import ladder
from sixplane.agents import (
    BestAgent,
    MCTSAgent,
    NetworkAgent,
    RandomAgent,
    ScoreTableAgent,
    ScoreTableEvaluator,
)
from sixplane.envs import ClimbingOpponent


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


@pytest.mark.parametrize("make", MAKERS)
def test_an_opponent_that_climbs_another_ladder_is_an_error_at_once(make: Any) -> None:
    opponent = ClimbingOpponent(sixplane.Go(size=9))
    with pytest.raises(ValueError, match="the opponent climbs the ladder of Go 9x9, not that of Go 13x13"):
        make("sixplane/Go-v0", size=13, opponent=opponent)
    with pytest.raises(ladder.LadderError, match="there is no ladder for Go 5x5"):
        make("sixplane/Go-v0", size=5, opponent=opponent)
    env = make("sixplane/Go-v0", size=9, komi=5.5, opponent=opponent)
    assert env.reset(seed=1)[1]["rung"] == 0 if make is gym.make else env.opponent is opponent


@pytest.mark.parametrize("make", MAKERS)
def test_an_opponent_made_from_its_spec_plays_no_more_once_it_is_closed(make: Any) -> None:
    env = make("sixplane/Go-v0", size=5, opponent="random", seat="white")
    env.reset(seed=1)
    for _ in range(2):
        env.close()
        for call in (env.reset, lambda: env.step(env.action_space.sample())):
            with pytest.raises(ClosedEnvironmentError, match="the environment was closed"):
                call()


def test_an_opponent_that_was_given_plays_on_after_the_environment_was_closed() -> None:
    env = gym.make("sixplane/Go-v0", size=5, opponent=RandomAgent(seed=1), seat="white")
    env.close()
    assert env.reset(seed=1)[1]["move_number"] == 1
    own = gym.make("sixplane/Go-v0", size=5, opponent="random", seat="white")
    own.close()
    own.set_wrapper_attr("opponent", RandomAgent(seed=1))
    assert own.reset(seed=1)[1]["move_number"] == 1
