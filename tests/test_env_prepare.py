"""Opponents come and go: an environment that gets one has it prepare or refuses it, and closes its own."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded

import sixplane
from sixplane import ladder
from sixplane.agents import (
    RESIGN,
    BestAgent,
    MCTSAgent,
    NetworkAgent,
    RandomAgent,
    ScoreTableAgent,
    ScoreTableEvaluator,
)
from sixplane.envs import ClimbingOpponent, VsOpponent


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


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[RandomAgent]:
    """The random players that were closed."""
    found: list[RandomAgent] = []
    # Not `found.append` itself: a builtin is no method.
    monkeypatch.setattr(RandomAgent, "close", lambda self: found.append(self), raising=False)  # noqa: PLW0108
    return found


@pytest.mark.parametrize("make", MAKERS)
def test_an_opponent_made_from_its_spec_is_closed_with_the_environment(
    make: Any, closed: list[RandomAgent]
) -> None:
    own, given = make("sixplane/Go-v0", size=5, opponent="random"), RandomAgent()
    agent = own.get_wrapper_attr("opponent") if make is gym.make else own.opponent
    own.close()
    assert any(one is agent for one in closed)
    make("sixplane/Go-v0", size=5, opponent=given).close()
    assert all(one is not given for one in closed)


@pytest.mark.parametrize("make", MAKERS)
def test_an_opponent_stays_open_where_the_next_one_is_refused(make: Any, closed: list[RandomAgent]) -> None:
    env = make("sixplane/Go-v0", size=5, opponent="random")
    holder = env.env.env if make is gym.make else env
    agent = holder.opponent
    with pytest.raises(ValueError, match="no agent is called 'nobody'"):
        holder.opponent = "nobody"
    assert holder.opponent is agent and all(one is not agent for one in closed)


@pytest.mark.parametrize("make", MAKERS)
def test_an_answer_below_0_is_off_the_board_and_no_resignation(make: Any) -> None:
    class Below:
        def select_action(self, _game: sixplane.Game) -> int:
            return -1

    env = make("sixplane/Go-v0", size=5, opponent=Below())
    env.reset(seed=1)
    with pytest.raises(sixplane.IllegalActionError, match="-1"):
        env.step(0 if make is gym.make else np.array([0, 0]))


def test_an_opponent_that_fails_in_a_reset_leaves_the_seat_that_was_drawn() -> None:
    class Failing(RandomAgent):
        fails = False

        def select_action(self, game: sixplane.Game) -> Any:
            if self.fails:
                raise RuntimeError("no answer")
            return super().select_action(game)

    opponent = Failing(seed=1)
    env = VsOpponent(gym.make("sixplane/Go-v0", size=5), opponent, "random")
    seeds = {env.reset(seed=seed)[1]["seat"]: seed for seed in range(8)}
    env.reset(seed=seeds[0])
    opponent.fails = True
    with pytest.raises(RuntimeError, match="no answer"):
        env.reset(seed=seeds[1])
    assert env.seat == 0


def test_the_seats_of_many_games_are_handed_out_as_a_copy() -> None:
    envs: Any = gym.make_vec("sixplane/Go-v0", 2, size=5, opponent="random", seat="white")
    envs.reset(seed=1)
    envs.seats[:] = 0
    assert envs.seats.tolist() == [1, 1]


def test_a_spec_is_told_of_an_opponent_that_cannot_be_copied() -> None:
    class Fixed(RandomAgent):
        def __deepcopy__(self, _memo: object) -> None:
            raise TypeError("it runs a program")

    opponent = Fixed(seed=1)
    spec = VsOpponent(gym.make("sixplane/Go-v0", size=5), opponent).spec
    assert spec is not None and spec.additional_wrappers[0].kwargs is not None
    assert spec.additional_wrappers[0].kwargs["opponent"] is opponent


class Noting(RandomAgent):
    """Keeps the seeds that it is given."""

    def __init__(self) -> None:
        super().__init__(seed=1)
        self.seeds: list[int] = []

    def reseed(self, seed: int) -> None:
        self.seeds.append(seed)
        super().reseed(seed)


@pytest.mark.parametrize("make", MAKERS)
def test_only_a_reset_with_a_seed_reseeds_an_opponent(make: Any) -> None:
    opponent = Noting()
    env = make("sixplane/Go-v0", size=5, opponent=opponent, seat="white")
    counts = []
    for seed in (None, 3, None, 3):
        env.reset(seed=seed)
        counts.append(len(opponent.seeds))
    assert counts == [0, 1, 1, 2]
    assert len(set(opponent.seeds)) == 1


def test_the_seed_of_a_game_that_is_not_reset_changes_nothing() -> None:
    envs: Any = gym.make_vec("sixplane/Go-v0", 2, size=5, opponent=Noting(), seat="white")
    envs.reset(seed=[1, 2])
    before = envs.np_random[0].bit_generator.state
    envs.reset(seed=[5, 6], options={"reset_mask": np.array([False, True])})
    assert envs.np_random[0].bit_generator.state == before
    assert envs.np_random_seed == (1, 6)


def test_a_masked_reset_keeps_what_other_games_have_still_to_report() -> None:
    class Resigning:
        def select_action(self, _game: sixplane.Game) -> Any:
            return RESIGN

    envs: Any = gym.make_vec("sixplane/Go-v0", 2, size=5, opponent=Resigning(), seat="white")
    envs.reset(seed=1)
    envs.reset(options={"reset_mask": np.array([True, False])})
    _, rewards, terminated, _, _ = envs.step(np.array([0, 0]))
    assert (rewards.tolist(), terminated.tolist()) == ([1, 1], [True, True])


@pytest.mark.parametrize("spec", ["random", "ladder:auto"])
def test_opponents_without_a_seed_play_each_in_its_own_way(spec: str) -> None:
    envs = [gym.make("sixplane/Gomoku-v0", opponent=spec, seat="white") for _ in range(6)]
    # That all six begin at one of 225 points, by chance, has one case in 5 * 10**11.
    assert len({int(env.reset()[0][0].argmax()) for env in envs}) > 1


class FailsAtFirst:
    """Fails once."""

    has_failed = False

    def select_action(self, game: sixplane.Game) -> int:
        if not self.has_failed:
            self.has_failed = True
            raise RuntimeError("no answer")
        return int(game.legal_actions[0])


@pytest.mark.parametrize("make", MAKERS)
def test_a_reset_that_succeeds_comes_before_the_first_step(make: Any) -> None:
    # Gymnasium's checker expects no second try.
    unchecked = {"disable_env_checker": True} if make is gym.make else {}
    env = make("sixplane/Go-v0", size=5, opponent=FailsAtFirst(), seat="white", **unchecked)
    action: Any = 12 if make is gym.make else np.array([12, 12])
    with pytest.raises(RuntimeError, match="no answer"):
        env.reset(seed=1)
    with pytest.raises(ResetNeeded):
        env.step(action)
    env.reset(seed=1)
    assert np.all(env.step(action)[4]["seat"] == 1)


def test_the_seat_of_white_is_known_before_the_first_reset() -> None:
    one: Any = gym.make("sixplane/Go-v0", opponent="random", seat="white")
    many: Any = gym.make_vec("sixplane/Go-v0", 2, opponent="random", seat="white")
    assert (one.get_wrapper_attr("seat"), many.seats.tolist()) == (1, [1, 1])
