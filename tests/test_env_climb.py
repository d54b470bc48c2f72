"""The opponent `ladder:auto` goes up and down with the learner's results.

Run with the newest and the oldest supported Gymnasium.
"""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
import pytest

import sixplane
from sixplane import ladder
from sixplane.__main__ import main
from sixplane.agents import AgentSpec, ScoreTableAgent
from sixplane.envs import Climb, ClimbingOpponent
from vector_results import MODES, assert_same, make, spoken_of

if TYPE_CHECKING:
    from collections.abc import Callable

TOP = len(ladder.rungs(sixplane.Gomoku())) - 1


class Replay:
    """The rule as it is told, over results against rungs, one after another."""

    def __init__(self, top: int) -> None:
        self.top, self.number, self.counted = top, 0, list[float]()

    def add(self, rung: int, points: float) -> tuple[int, int]:
        """Returns the rung after a result, and how many results count there."""
        if rung == self.number:
            self.counted.append(points)
            self.counted = self.counted[-100:]
            share = sum(self.counted) / 100
            full = len(self.counted) == 100
            step = int(full and share >= 0.6 and rung < self.top) - int(full and share <= 0.3 and rung > 0)
            if step:
                self.number, self.counted = rung + step, []
        return self.number, len(self.counted)


def test_a_climb_follows_the_rule() -> None:
    rng, seen = np.random.default_rng(1), set()
    climb, replay = Climb(), Replay(2)
    for strength in (0.9, 0.55, 0.1, 0.7, 0.45, 0.0):
        for _ in range(250):
            points = float(rng.choice([0, 0.5, 1], p=[0.9 - strength * 0.9, 0.1, strength * 0.9]))
            expected = replay.add(climb.number, points)
            climb = climb.after(points, top=2)
            assert (climb.number, len(climb.points)) == expected
            seen.add(climb.number)
    assert seen == {0, 1, 2}


@pytest.mark.parametrize(
    ("points", "number"), [(60.0, 4), (59.5, 3), (30.5, 3), (30.0, 2)], ids=lambda value: f"{value:g}"
)
def test_sixty_percent_are_enough_to_go_up_and_thirty_to_go_down(points: float, number: int) -> None:
    climb = Climb(3)
    # The losses in the middle: no other hundred has this sum.
    for one in [1.0] * int(points) + [points % 1] + [0.0] * (99 - int(points)):
        assert climb.number == 3
        climb = climb.after(one, TOP)
    assert climb.number == number
    assert Climb(TOP, (1.0,) * 99).after(1.0, TOP) == Climb(TOP, (1.0,) * 100)
    assert Climb(0, (0.0,) * 99).after(0.0, TOP) == Climb(0, (0.0,) * 100)


class Learner:
    """Wins games of Gomoku against weak rungs, and loses a share of them by an illegal action at once."""

    def __init__(self, seed: int) -> None:
        self.rng, self.agent = np.random.default_rng(seed), ScoreTableAgent(seed=seed)
        self.gives_up = 0.0

    def action(self, game: sixplane.Game) -> int:
        if game.is_over:
            return 0
        if game.move_number > 1 and self.rng.random() < self.gives_up:
            return int(game.actions[0])
        return int(self.agent.select_action(game))


#: The learner's share of lost games, changed after so many steps, takes it up, and down again.
PHASES = [0.0, 0.9, 0.0]


def points_of(reward: float) -> float:
    return (reward + 1) / 2


def test_the_rung_of_an_environment_follows_the_rule() -> None:
    env: Any = gym.make("sixplane/Gomoku-v0", opponent="ladder:auto", seat="random")
    opponent, learner = env.get_wrapper_attr("opponent"), Learner(1)
    replay, rungs = Replay(TOP), []
    _, info = env.reset(seed=1)
    for learner.gives_up in PHASES:
        for _ in range(130):
            number = opponent.climb.number
            rung = ladder.rungs(sixplane.Gomoku())[number]
            over = False
            while not over:
                assert (info["rung"], info["rung_elo"], info["rung_spec"]) == (number, rung.elo, rung.spec)
                assert opponent.climb.number == number
                _, reward, over, _, info = env.step(learner.action(env.unwrapped.game))
            assert info["rung"] == number  # it is that of the game that has ended
            rungs.append(number)
            assert opponent.climb.number == replay.add(number, points_of(reward))[0]
            _, info = env.reset()
    assert [number for number, _ in itertools.groupby(rungs)][:3] == [0, 1, 0]


def stepped(envs: Any, mode: str, learner: Learner, one: Any) -> Any:
    """The next step of a vector, and before it the reset that its mode asks for."""
    if mode == "disabled" and len(one) == 5 and (over := one[2] | one[3]).any():
        one = spoken_of(envs.reset(options={"reset_mask": over}))
    return envs.step([learner.action(game) for game in envs.unwrapped.batch])


@pytest.mark.parametrize("mode", MODES)
def test_the_environments_of_a_vector_share_the_count_and_end_their_games(mode: str) -> None:
    envs: Any = make("Gomoku", 12, mode, opponent="ladder:auto", seat="random")
    learner, replay, late = Learner(2), Replay(TOP), 0
    steps = set[int]()
    one: Any = envs.reset(seed=1)
    for learner.gives_up in PHASES:
        for _ in range(80):
            before = one[-1]["rung"].copy()
            begins = np.zeros(12, np.bool_) if len(one) == 2 else (one[2] | one[3])
            present = envs.opponent.climb.number
            one = stepped(envs, mode, learner, one)
            over, rungs = one[2] | one[3], one[-1]["rung"]
            played = one[-1]["final_info"]["rung"] if "final_info" in one[-1] else rungs
            # The rung of a game never changes, and that of a new game is the one of then.
            new = np.zeros(12, np.bool_) if mode == "same_step" else begins
            assert (played[over] == np.where(new, present, before)[over]).all()
            assert (rungs[~over] == np.where(new, present, before)[~over]).all()
            late += int((played[over] != present).sum())
            for i in np.flatnonzero(over):
                replay.add(int(played[i]), points_of(one[1][i]))
            number, counted = envs.opponent.climb.number, len(envs.opponent.climb.points)
            assert (number, counted) == (replay.number, len(replay.counted))
            steps.add(number - present)
            if mode == "same_step":
                assert (rungs[over] == number).all()
            specs = [ladder.rungs(sixplane.Gomoku())[rung].spec for rung in rungs]
            assert one[-1]["rung_spec"].tolist() == specs
    assert steps == {-1, 0, 1}
    assert late > 0


@pytest.mark.parametrize("mode", MODES)
def test_equal_seeds_give_equal_episodes_and_copies_go_on_alike(mode: str) -> None:
    two: list[Any] = [make("Gomoku", 8, mode, opponent="ladder:auto", seat="random") for _ in range(2)]
    learners = [Learner(3), Learner(3)]
    ones: list[Any] = [envs.reset(seed=5) for envs in two]
    for t in range(110):
        assert_same(ones[0], ones[1], f"step {t}")
        if t == 80:
            two[1] = pickle.loads(pickle.dumps(two[0]))
            two[0] = copy.deepcopy(two[0])
            learners[1] = copy.deepcopy(learners[0])
        ones = [
            stepped(envs, mode, learner, one) for envs, learner, one in zip(two, learners, ones, strict=True)
        ]
    assert two[0].opponent.climb == two[1].opponent.climb
    assert two[0].opponent.climb.number >= 1
    # A seed decides the moves, and leaves where the learner stands.
    climb = two[0].opponent.climb
    first, second = (spoken_of(envs.reset(seed=5)) for envs in two)
    assert_same(first, second, "reset")
    assert first[1]["rung"].tolist() == [climb.number] * 8


def test_a_checkpoint_in_json_is_taken_up_by_the_next_game() -> None:
    env: Any = gym.make("sixplane/Reversi-v0", opponent="ladder:auto")
    opponent: ClimbingOpponent = env.get_wrapper_attr("opponent")
    _, info = env.reset(seed=1)
    saved = json.dumps(Climb(4, (1.0, 0.5, 0.0)))
    opponent.climb = Climb(*json.loads(saved))
    assert opponent.climb == Climb(4, (1.0, 0.5, 0.0))
    assert opponent.rung == ladder.rungs(sixplane.Reversi())[4]
    *_, info = env.step(int(info["action_mask"].argmax()))
    assert info["rung"] == 0  # a game is played to its end
    assert env.reset()[1]["rung"] == 4
    for wrong in (Climb(99), Climb(-1), Climb(0, (0.3,)), Climb(0, (1.0,) * 101)):
        with pytest.raises(ValueError, match=r"rung|points"):
            opponent.climb = wrong
    for no_climb in (None, 3, (1,), (0, (), 5)):
        with pytest.raises(TypeError, match="climb must be the number of a rung and points, not"):
            opponent.climb = no_climb  # type: ignore[assignment]
    assert opponent.climb.number == 4
    action = opponent.select_action(sixplane.Reversi())
    assert action in sixplane.Reversi().legal_actions


@pytest.mark.parametrize("mode", MODES)
def test_a_game_that_the_opponent_ends_before_the_first_move_counts_once(mode: str) -> None:
    last = sixplane.Reversi.from_text("\n".join([". O X X X X X X", *["X X X X X X X X"] * 7]), turn="black")
    env: Any = gym.make("sixplane/Reversi-v0", opponent="ladder:auto", seat="white", disable_env_checker=True)
    env.reset(seed=1, options={"game": last})
    assert env.get_wrapper_attr("opponent").climb.points == ()
    assert env.step(0)[1] == -1
    assert env.get_wrapper_attr("opponent").climb.points == (0.0,)
    envs: Any = make("Reversi", 3, mode, opponent="ladder:auto", seat="white")
    envs.reset(seed=1, options={"game": last})
    assert envs.opponent.climb.points == ()
    assert envs.step([0, 0, 0])[1].tolist() == [-1] * 3
    assert envs.opponent.climb.points == (0.0,) * 3


def test_a_game_counts_for_the_opponent_with_which_it_began() -> None:
    env: Any = gym.make("sixplane/Reversi-v0", opponent="random")
    envs: Any = make("Reversi", 3, "next_step", opponent="random")
    last = sixplane.Reversi.from_text("\n".join([". O X X X X X X", *["X X X X X X X X"] * 7]), turn="black")
    for holder, action in ((env.env.env, 0), (envs, [0, 0, 0])):
        holder.reset(seed=1, options={"game": last})
        holder.opponent = "ladder:auto"
        holder.step(action)
        assert holder.opponent.climb.points == ()
        holder.reset(seed=1, options={"game": last})
        holder.step(action)
        assert set(holder.opponent.climb.points) == {1.0}


def test_an_opponent_that_is_set_in_the_middle_of_games_plays_its_own_rung() -> None:
    env: Any = gym.make("sixplane/Reversi-v0", opponent="ladder:auto")
    envs: Any = make("Reversi", 3, "next_step", opponent="ladder:auto")
    for holder, action in ((env.env.env, 19), (envs, [19, 19, 19])):
        holder.opponent.climb = Climb(2)
        holder.reset(seed=1)
        other = ClimbingOpponent(sixplane.Reversi())
        other.climb = Climb(1)
        holder.opponent = other
        assert np.all(holder.step(action)[4]["rung"] == 1)


def test_a_rung_that_fails_leaves_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    envs: Any = make("Gomoku", 4, "same_step", opponent="ladder:auto", seat="white")
    envs.reset(seed=1)
    lost = [int(game.actions[0]) for game in envs.unwrapped.batch]

    def fail(*_: object) -> None:
        raise RuntimeError("no answer")

    with monkeypatch.context() as patch:
        patch.setattr(ClimbingOpponent, "agent_of", fail)
        with pytest.raises(RuntimeError, match="no answer"):
            envs.step(lost)
    assert envs.opponent.climb.points == ()
    envs.step(lost)
    assert envs.opponent.climb.points == (0.0,) * 4


@pytest.mark.parametrize("seed", [-1, 2**63, "x", True])
def test_a_refused_seed_leaves_the_opponent_as_it_was(seed: Any) -> None:
    game = sixplane.Gomoku()
    with pytest.raises((TypeError, ValueError), match="seed must be"):
        ClimbingOpponent(game, seed)
    opponent, other = ClimbingOpponent(game, 1), ClimbingOpponent(game, 1)
    with pytest.raises((TypeError, ValueError), match="seed must be"):
        opponent.reseed(seed)
    assert opponent.select_action(game) == other.select_action(game)


def test_it_is_for_learners_on_boards_that_have_a_ladder(capsys: pytest.CaptureFixture[str]) -> None:
    why = "ladder:auto follows the results of a learner: it is an opponent for environments only"
    for command in (
        ["match", "ladder:auto", "random", "--game", "gomoku"],
        ["play", "--game", "gomoku", "--opponent", "ladder:auto"],
        ["gtp", "--agent", "ladder:auto"],
        ["rate", "ladder:auto", "--game", "gomoku"],
    ):
        assert main(command) == 2
        assert capsys.readouterr().err.splitlines() == [f"sixplane: error: {why}"], command
    with pytest.raises(ladder.LadderError, match="environments only"):
        AgentSpec.parse("ladder:auto")
    for many in (gym.make, gym.make_vec):
        with pytest.raises(ladder.LadderError, match="there is no ladder for Gomoku 9x9; there are"):
            many("sixplane/Gomoku-v0", size=9, opponent="ladder:auto")


class Rung:
    """Plays its own number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def select_action(self, _game: sixplane.Game) -> int:
        return self.number

    def select_actions(self, _batch: sixplane.GameBatch, index: Any) -> Any:
        return np.full(len(index), self.number)


def test_a_game_is_played_to_its_end_by_the_rung_with_which_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClimbingOpponent, "agent_of", lambda _self, number: Rung(number))
    opponent = ClimbingOpponent(sixplane.Gomoku())
    each = opponent.of_each(np.array([4, 0, 2, 4, 1]))
    batch = sixplane.GameBatch(sixplane.Gomoku(), 5)
    assert each.select_actions(batch, np.array([0, 1, 3])).tolist() == [4, 0, 4]
    assert opponent.select_actions(batch, np.array([0, 1])).tolist() == [0, 0]
    env: Any = gym.make("sixplane/Gomoku-v0", opponent="ladder:auto", disable_env_checker=True)
    envs: Any = make("Gomoku", 2, "disabled", opponent="ladder:auto")
    for rung in (0, 5):
        env.reset(seed=1)
        envs.reset(seed=1)
        env.get_wrapper_attr("opponent").climb = envs.opponent.climb = Climb(5)
        env.step(200)
        envs.step([200, 200])
        assert env.unwrapped.game.last_action == envs.unwrapped.batch[1].last_action == rung


def test_a_seed_begins_the_choices_of_every_rung_anew() -> None:
    game, opponent = sixplane.Gomoku(), ClimbingOpponent(sixplane.Gomoku(), seed=1)

    def chosen() -> list[Any]:
        opponent.reseed(5)
        return [opponent.agent_of(number).select_action(game) for number in (0, 1) for _ in range(8)]

    assert chosen() == chosen()


def test_a_rung_that_fails_in_a_reset_leaves_that_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    env: Any = gym.make("sixplane/Gomoku-v0", opponent="ladder:auto", seat="white", disable_env_checker=True)
    env.reset(seed=1)
    env.get_wrapper_attr("opponent").climb = Climb(4)

    def fail(*_: object) -> None:
        raise RuntimeError("no answer")

    with monkeypatch.context() as patch:
        patch.setattr(ClimbingOpponent, "agent_of", fail)
        with pytest.raises(RuntimeError, match="no answer"):
            env.reset()
    assert env.step(int(env.unwrapped.game.legal_actions[0]))[4]["rung"] == 0
    assert env.reset()[1]["rung"] == 4


def test_an_episode_counts_a_win_a_draw_or_a_loss() -> None:
    opponent = ClimbingOpponent(sixplane.Gomoku())
    with pytest.raises(ValueError, match=r"^points must be 1, 0\.5 or 0, not 7\.0$"):
        opponent.note(0, 7.0)
    assert opponent.climb == Climb(0)


@pytest.mark.parametrize("number", [-1, TOP + 1])
def test_a_number_that_no_rung_has_is_refused(number: int) -> None:
    opponent = ClimbingOpponent(sixplane.Gomoku())
    asks: list[Callable[[], object]] = [
        lambda: opponent.info(number),
        lambda: opponent.info(np.array([0, number])),
        lambda: opponent.agent_of(number),
        lambda: setattr(opponent, "climb", Climb(number)),
    ]
    for ask in asks:
        with pytest.raises(ValueError, match=f"^the ladder has rungs from 0 to {TOP}, and none {number}$"):
            ask()
    assert (opponent.climb, opponent.info(TOP)["rung"]) == (Climb(), TOP)
