"""Agents that fail or count no number lose, and nothing leaves the referee; who is refused before that."""

from __future__ import annotations

import math
import pickle
import time
from contextvars import ContextVar
from typing import Any

import numpy as np
import pytest

import sixplane
from fake_program import Fake
from sixplane.agents import (
    AgentSpec,
    BestAgent,
    CapturingAgent,
    GTPAgent,
    MCTSAgent,
    PartlyRandomAgent,
    RandomAgent,
    ScoreTableAgent,
)
from sixplane.match import Rater, Tournament, arena, play, player, rate, regret
from waiting import MINUTE


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class Passes:
    """Passes, and counts as it is told."""

    def __init__(self, count: Any = None, error: BaseException | None = None) -> None:
        self.count, self.error = count, error

    def select_action(self, game: sixplane.Game) -> int:
        return game.num_actions - 1

    def final_score(self, _game: sixplane.Game) -> Any:
        if self.error is not None:
            raise self.error
        return self.count


class CountsSlowly(Passes):
    def final_score(self, game: sixplane.Game) -> float:
        time.sleep(0.5)
        return game.score()


class Fails(Passes):
    def select_action(self, _game: sixplane.Game) -> int:
        assert self.error is not None
        raise self.error


@pytest.mark.parametrize(
    ("agent", "isolate", "said"),
    [
        (Passes(error=Unspeakable()), False, "an error that cannot be shown"),
        (Passes(error=ValueError("lost count")), False, "white, asked to count: lost count"),
        (Passes("B+3"), False, "could not convert string to float: 'B+3'"),
        (Passes("B+3"), True, "could not convert string to float: 'B+3'"),
        (Passes(np.array([1.0, 2.0])), False, "only "),
        (Passes(()), False, "float() argument must be"),
    ],
)
def test_who_counts_no_number_loses(agent: Passes, isolate: bool, said: str) -> None:
    result = play(Passes(), agent, sixplane.Go(5), check_score=True, isolate=isolate)
    assert (result.winner, result.ending) == ("black", "error")
    assert said in result.detail


def test_a_program_that_hangs_when_it_counts_loses_though_there_is_no_limit(fake: Fake) -> None:
    class CountsSoon(GTPAgent):
        def final_score(self, game: sixplane.Game) -> float | None:
            self.limit_time(0.1)
            return super().final_score(game)

    known, hangs = "play genmove final_score", "answer('pass'); time.sleep(1000)"
    agent = CountsSoon(fake.command(known=known, misbehave=hangs))
    result = play(agent, Passes(), sixplane.Go(5), None, check_score=True)
    assert (result.winner, result.ending) == ("white", "error")
    assert "has not answered 'play white pass' within" in result.detail
    agent.close()


class Punctual(Passes):
    """Passes if it was told that it has nine seconds, once; else plays what is illegal."""

    told: tuple[float, ...] = ()

    def limit_time(self, seconds: float) -> None:
        self.told += (seconds,)

    def select_action(self, game: sixplane.Game) -> int:
        return super().select_action(game) if self.told == (9.0,) else -1


@pytest.mark.parametrize("isolate", [False, True])
def test_an_agent_is_told_before_a_game_what_time_its_moves_have(isolate: bool) -> None:
    result = play(Punctual(), Punctual(), sixplane.Go(5), 9, isolate=isolate)
    assert result.ending == "rules", result.detail


def test_a_limit_of_time_ends_with_its_game() -> None:
    game, best = sixplane.Go(5, max_moves=3), BestAgent()
    best.agent_for(game)  # whose limits are another's before
    searches: tuple[Any, ...] = (MCTSAgent(simulations=3000), CapturingAgent(MCTSAgent()), best)
    for agent in searches:
        limits = agent.limits
        play(agent, Passes(), game, 0.01)
        assert agent.limits == limits


def test_a_program_has_its_own_time_again_after_a_game_with_a_limit(fake: Fake) -> None:
    agent = GTPAgent(fake.command(misbehave="time.sleep(0.5); answer('pass')"), timeout=MINUTE)
    for seconds, ending in ((0.1, "time"), (None, "rules")):
        assert play(agent, Passes(), sixplane.Go(5), seconds).ending == ending
    copied = pickle.loads(pickle.dumps(agent))
    copied.limit_time(0.1)
    assert play(pickle.loads(pickle.dumps(copied)), Passes(), sixplane.Go(5), None).ending == "time"
    copied.limit_time(math.inf)
    assert play(copied, Passes(), sixplane.Go(5), None).ending == "rules"
    for one in (agent, copied):
        one.close()
    with pytest.raises(ValueError, match="not infinity"):
        GTPAgent("x", timeout=math.inf)


def test_an_agent_that_knows_no_infinity_plays_with_a_limit() -> None:
    class Whole(Passes):
        def limit_time(self, seconds: float) -> None:
            self.milliseconds = int(1000 * seconds)

    agent = Whole()
    assert play(agent, Passes(), sixplane.Go(5), 5).ending == "rules"
    assert agent.milliseconds == 5000


def test_the_time_of_a_move_is_that_of_all_its_tries() -> None:
    class Tries(Passes):
        tries = 0

        def select_action(self, game: sixplane.Game) -> int:
            self.tries += 1
            return super().select_action(game) if self.tries % 3 == 0 else -1

    result = play(Tries(), Tries(), sixplane.Go(5))
    assert result.move_seconds == pytest.approx(result.seconds)


def test_an_agent_with_a_limit_of_time_sees_the_variables_of_its_caller() -> None:
    wanted = ContextVar("wanted", default=-1)

    class Follows(Passes):
        def select_action(self, _game: sixplane.Game) -> int:
            return wanted.get()

    wanted.set(25)
    assert play(Follows(), Follows(), sixplane.Go(5), 60).ending == "rules"


def test_an_error_that_cannot_be_shown_loses() -> None:
    result = play(Fails(error=Unspeakable()), Passes(), sixplane.Go(5))
    assert (result.winner, result.detail) == ("white", "black: Unspeakable: an error that cannot be shown")


@pytest.mark.parametrize("error", [RuntimeError(), SystemExit(3), Unspeakable()])
def test_an_error_after_the_end_changes_nothing(error: BaseException) -> None:
    class Ends(Passes):
        def on_end(self, _result: object) -> None:
            raise error

    assert play(Ends(), Ends(), sixplane.Go(5, komi=0.5)).winner == "white"


@pytest.mark.parametrize(
    "begun",
    [
        lambda seed: arena(RandomAgent(), RandomAgent(), sixplane.Go(5), 2, seed=seed),
        lambda seed: regret("random", sixplane.Reversi(6), positions=2, seed=seed),
        lambda seed: Rater("random", sixplane.Reversi(), 8, seed),
        lambda seed: Tournament(
            [AgentSpec.parse(title) for title in ("a@random", "b@random")], sixplane.Go(5), seed=seed
        ),
        lambda seed: ScoreTableAgent(seed=seed),
        lambda seed: PartlyRandomAgent(RandomAgent(), 0.5, seed=seed),
        lambda seed: RandomAgent().reseed(seed),
        lambda seed: PartlyRandomAgent(RandomAgent(), 0.5).reseed(seed),
        lambda seed: ScoreTableAgent().reseed(seed),
    ],
)
def test_a_seed_below_zero_is_refused_since_pythons_generator_forgets_its_sign(begun: Any) -> None:
    with pytest.raises(ValueError, match="seed must be at least 0, not -1"):
        begun(-1)


@pytest.mark.parametrize(
    "begun",
    [
        lambda: rate("human", sixplane.Reversi(), games=8),
        lambda: sixplane.evaluate("random", "me@human", sixplane.Reversi(), games=2),
        lambda: regret("human", sixplane.Reversi(6), positions=2),
    ],
)
def test_a_person_is_not_rated(begun: Any) -> None:
    with pytest.raises(ValueError, match="a person plays in 'sixplane play' and 'sixplane match', not here"):
        begun()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seconds_per_move": 0}, "seconds_per_move must be positive"),
        ({"seconds_per_move": float("nan")}, "seconds_per_move must be positive"),
        ({"illegal_tries": 0}, "illegal_tries must be at least 1"),
        ({"illegal_tries": 1.5}, "illegal_tries must be an integer"),
        ({"isolate": "false"}, "isolate must be True or False, not str"),
        ({"check_score": 1}, "check_score must be True or False, not int"),
        ({"black": "random"}, "black must be an agent with select_action, not 'random'"),
        ({"white": RandomAgent}, "white must be an agent with select_action, not the class RandomAgent"),
        ({"game": "reversi"}, "game must be a game, not str"),
        ({"game": sixplane.Go}, "game must be a game, not the class Go"),
    ],
)
def test_wrong_limits_and_players_are_errors(options: dict[str, Any], message: str) -> None:
    usual: dict[str, Any] = {"black": Passes(), "white": Passes(), "game": sixplane.Go(5)}
    with pytest.raises((TypeError, ValueError), match=message):
        play(**(usual | options))


@pytest.mark.parametrize("isolate", [False, True])
def test_without_a_limit_an_agent_counts_for_as_long_as_it_takes(
    isolate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "COUNT_SECONDS", 0.01)
    agents, game = (CountsSlowly(), CountsSlowly()), sixplane.Go(5)
    assert play(*agents, game, None, isolate=isolate, check_score=True).ending == "rules"
    assert play(*agents, game, 60, isolate=isolate, check_score=True).ending == "error"
