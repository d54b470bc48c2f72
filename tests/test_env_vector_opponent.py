"""A vector of games against an opponent equals Gymnasium's own vector over `VsOpponent`.

Run with the newest and the oldest supported Gymnasium.
"""

from __future__ import annotations

import copy
import itertools
import pickle
import threading
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode

import sixplane
from sixplane.agents import RESIGN, RandomAgent
from sixplane.envs import VectorVsOpponent, VsOpponent
from sixplane.envs.vector import BoardGameVectorEnv
from vector_results import MODES, assert_same, crossed, make, make_sync, spoken_of


class Deterministic:
    """Its choice follows from the position alone; now and then it resigns or plays illegally."""

    def __init__(self, illegal: bool = True) -> None:
        self.illegal = illegal

    def select_action(self, game: Any) -> Any:
        assert not game.is_over
        chance = game.hash // 64 % 1000
        if chance < 40:
            return RESIGN
        if self.illegal and chance < 80 and not game.action_mask.all():
            return int(np.flatnonzero(game.action_mask == 0)[-1])
        if chance < 300 and game.action_mask[-1]:
            return game.num_actions - 1
        return int(game.legal_actions[chance % len(game.legal_actions)])


class AtOnce(Deterministic):
    """The same, asked for many games at once."""

    def select_actions(self, batch: Any, index: Any) -> Any:
        answers = [self.select_action(batch[i]) for i in index.tolist()]
        return np.array([-1 if answer is RESIGN else answer for answer in answers], np.int64)


#: Small boards, so that games end often.
GAMES: dict[str, dict[str, Any]] = {
    "Go": {"size": (2, 3), "komi": 0.5, "max_moves": 12},
    "Reversi": {"size": 4, "max_moves": 10},
    "Gomoku": {"size": 5, "max_moves": 12},
    "ConnectFour": {"size": (4, 5)},
    "TicTacToe": {},
    "Hex": {"size": 4, "swap": True},
}
SIGHTS: list[dict[str, Any]] = [
    {"history": 0},
    {"history": 2, "reward": "score", "cutoff": "truncate"},
    {"dtype": "bool", "reward": "score", "illegal": "raise"},
    {"history": 3, "dtype": "float32", "illegal": "raise"},
    {"dtype": "float32", "cutoff": "truncate", "max_episode_steps": 3},
    {"history": 1, "max_episode_steps": 4},
]
GRID = list(itertools.product(GAMES, MODES, ["black", "white", "random"], ["black", "player"]))


def learners_actions(masks: Any, rng: np.random.Generator, illegal: float) -> Any:
    actions = [
        rng.choice(np.flatnonzero(mask))
        if mask.any() and rng.random() >= illegal
        else rng.integers(len(mask))
        for mask in masks
    ]
    return np.array(actions)


@pytest.mark.parametrize(("case", "sight"), crossed(GRID, SIGHTS), ids=str)
def test_every_step_equals_gymnasiums_own_vector_over_vs_opponent(
    case: tuple[str, str, str, str], sight: dict[str, Any]
) -> None:
    game, mode, seat, view = case
    number = GRID.index(case) + SIGHTS.index(sight)
    careless = sight.get("illegal") != "raise"
    options = GAMES[game] | sight | {"seat": seat, "view": view}
    opponent = (Deterministic, AtOnce)[number % 2](careless)
    ours: Any = make(game, 12, mode, opponent=opponent, **options)
    theirs = make_sync(game, 12, mode, opponent=Deterministic(careless), **options)
    assert type(ours).__name__ == "VectorVsOpponent" and ours.metadata == theirs.metadata
    assert ours.autoreset_mode is MODES[mode]
    rng = np.random.default_rng(number)
    one: Any = ours.reset(seed=number)
    assert_same(one, theirs.reset(seed=number), "reset")
    seats, ended = set(), 0
    for t in range(40):
        info = one[-1]
        seats |= set(info["seat"].tolist())
        actions = learners_actions(info["action_mask"], rng, 0.03 if careless else 0)
        one = ours.step(actions)
        assert_same(one, theirs.step(actions), f"step {t}")
        assert one[0] in ours.observation_space
        over = one[2] | one[3]
        ended += int(over.sum())
        masks, running = one[-1]["action_mask"], ~over | (mode == "same_step")
        assert ((one[-1]["turn"] == one[-1]["seat"]) | ~running | ~masks.any(axis=1)).all()
        assert np.array_equal(ours.action_masks(), masks)
        if mode == "disabled" and over.any():
            mask = over | (rng.random(12) < 0.1)
            one = ours.reset(options={"reset_mask": mask})
            assert_same(spoken_of(one), theirs.reset(options={"reset_mask": mask}), f"masked reset {t}")
    assert ended > 30
    assert seats == {"black": {0}, "white": {1}, "random": {0, 1}}[seat]
    assert ours.np_random_seed == theirs.np_random_seed
    assert [one.random() for one in ours.np_random] == [one.random() for one in theirs.np_random]
    ours.close()
    theirs.close()


class Quitting(AtOnce):
    """Resigns at the start of a game."""

    def select_action(self, game: Any) -> Any:
        return super().select_action(game) if game.move_number else RESIGN


@pytest.mark.parametrize("view", ["black", "player"])
@pytest.mark.parametrize("mode", MODES)
def test_games_over_before_the_learners_first_move_equal_gymnasiums_own_vector(mode: str, view: str) -> None:
    options = {"size": (2, 3), "seat": "random", "reward": "score", "view": view, "max_episode_steps": 5}
    ours = make("Go", 8, mode, opponent=Quitting(), **options)
    theirs = make_sync("Go", 8, mode, opponent=Quitting(), **options)
    rng = np.random.default_rng(1)
    one: Any = ours.reset(seed=3)
    assert_same(one, theirs.reset(seed=3), "reset")
    early = 0
    for t in range(30):
        early += int((one[-1].get("_outcome", np.zeros(8, np.bool_)) & (one[-1]["move_number"] == 0)).sum())
        actions = learners_actions(one[-1]["action_mask"], rng, 0)
        one = ours.step(actions)
        assert_same(one, theirs.step(actions), f"step {t}")
        if mode == "disabled" and (over := one[2] | one[3]).any():
            one = ours.reset(options={"reset_mask": over})
            assert_same(spoken_of(one), theirs.reset(options={"reset_mask": over}), f"reset {t}")
    assert early > 20


@pytest.mark.parametrize("mode", MODES)
def test_games_given_near_their_end_equal_gymnasiums_own_vector(mode: str) -> None:
    game = sixplane.Go(size=3, ko="simple", komi=0.5)
    for action in (4, 9):
        game.play(action)
    ours = make("Go", 5, mode, size=3, opponent=Deterministic(), seat="random")
    theirs = make_sync("Go", 5, mode, size=3, opponent=Deterministic(), seat="random")
    for seed, given in enumerate([{"game": game}, None, {"game": game}]):
        rng = np.random.default_rng(seed)
        one = ours.reset(seed=seed, options=given)
        assert_same(one, theirs.reset(seed=seed, options=given), "reset")
        for t in range(10):
            actions = learners_actions(one[-1]["action_mask"], rng, 0)
            one = ours.step(actions)
            assert_same(one, theirs.step(actions), f"step {t}")
            if mode == "disabled" and (over := one[2]).any():
                one = ours.reset(options={"reset_mask": over})
                assert_same(spoken_of(one), theirs.reset(options={"reset_mask": over}), f"reset {t}")


@pytest.mark.parametrize("opponent", ["random", "mcts:simulations=8"])
def test_an_opponent_by_its_spec_survives_json_and_seeds_decide_its_choices(opponent: str) -> None:
    envs = make("Go", 4, "same_step", size=4, opponent=opponent, seat="random", view="player")
    again: Any = gym.make_vec(gym.envs.registration.EnvSpec.from_json(envs.spec.to_json()))
    assert isinstance(again, VectorVsOpponent) and again.spec == envs.spec
    assert (again.num_envs, again.autoreset_mode) == (4, AutoresetMode.SAME_STEP)

    def results(envs: Any, seed: int) -> Any:
        rng = np.random.default_rng(0)
        given = [envs.reset(seed=seed)]
        for _ in range(15):
            given.append(envs.step(learners_actions(given[-1][-1]["action_mask"], rng, 0)))
        return given

    first = results(envs, 1)
    for ours, theirs in zip(results(again, 1), first, strict=True):
        assert_same(ours, theirs, "step")
    others = results(envs, 2)
    assert any(not np.array_equal(one[0], other[0]) for one, other in zip(others, first, strict=True))


class Failing(Deterministic):
    """Fails when it is told to."""

    fails: Any = None

    def select_actions(self, batch: Any, index: Any) -> Any:
        if self.fails == "wrong":
            return np.zeros(len(index) + 1, np.int64)
        masks = batch.action_masks[index]
        answers = np.argmax(masks, axis=1)
        if self.fails == "illegal":
            answers[-1] = masks[-1].argmin()
        if self.fails == "off":
            answers[-1] = batch.num_actions
        if self.fails == "raise":
            raise RuntimeError("no answer")
        return answers


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("wrong", ValueError),
        ("raise", RuntimeError),
        ("illegal", sixplane.IllegalActionError),
        ("off", sixplane.IllegalActionError),
    ],
)
def test_an_opponent_that_fails_leaves_everything(mode: str, how: str, error: type[Exception]) -> None:
    opponent = Failing()
    envs = make("Go", 6, mode, size=3, max_moves=6, opponent=opponent, seat="random", illegal="raise")
    twin = make("Go", 6, mode, size=3, max_moves=6, opponent=Failing(), seat="random", illegal="raise")
    rng = np.random.default_rng(1)
    one = envs.reset(seed=1)
    twin.reset(seed=1)
    failures = 0
    for _ in range(12):
        actions = learners_actions(one[-1]["action_mask"], rng, 0)
        before, seats = envs.unwrapped.batch, envs.seats
        opponent.fails = how
        try:
            copy.deepcopy(envs).step(actions)
        except error:
            failures += 1
            with pytest.raises(error):
                envs.step(actions)
            assert envs.unwrapped.batch == before
            assert (envs.seats == seats).all()
        if how != "illegal":  # on an empty board all is legal
            with pytest.raises(error):
                envs.reset(seed=5)
        assert envs.unwrapped.batch == before
        opponent.fails = None
        one = envs.step(actions)
        assert_same(one, twin.step(actions), "step")
        over = one[2] | one[3]
        if mode == "disabled" and over.any():
            one = envs.reset(options={"reset_mask": over})
            assert_same(one, twin.reset(options={"reset_mask": over}), "reset")
    assert failures > 3
    assert [one.random() for one in envs.np_random] == [one.random() for one in twin.np_random]


@pytest.mark.parametrize("mode", MODES)
def test_the_learners_wrong_actions_raise_and_nothing_changes(mode: str) -> None:
    envs = make("Go", 3, mode, size=3, opponent=Failing(), seat="white", illegal="raise")
    some = {"reset_mask": np.arange(envs.num_envs) == 0}
    with pytest.raises(ResetNeeded, match="the first reset is of all environments"):
        envs.reset(options=some)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0, 0])
    envs.reset(seed=0)
    before = envs.unwrapped.batch
    for actions, error in (
        ([4, 4, 10], sixplane.IllegalActionError),
        ([4, 4, 0], sixplane.IllegalActionError),
        ([4, 4], ValueError),
        ([4.0, 4.0, 4.0], TypeError),
    ):
        with pytest.raises(error):
            envs.step(actions)
        assert envs.unwrapped.batch == before
    assert envs.step([4, 5, 6])[-1]["move_number"].tolist() == [3, 3, 3]
    envs.close()
    with pytest.raises(ClosedEnvironmentError):
        envs.step([7, 7, 7])


def test_an_opponent_that_can_only_pass_is_not_asked() -> None:
    asked = []

    class Counting(AtOnce):
        def select_actions(self, batch: Any, index: Any) -> Any:
            asked.extend(index.tolist())
            return np.argmax(batch.action_masks[index], axis=1)

    stuck = sixplane.Reversi.from_text("X O . .\n. . . .\n. . . .\n. . . .", turn="white")
    envs = make("Reversi", 3, "next_step", size=4, opponent=Counting())
    _, info = envs.reset(options={"game": stuck})
    assert info["move_number"].tolist() == [1] * 3 and not asked
    assert envs.step([2, 2, 2])[1].tolist() == [1] * 3


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_copies_keep_the_games_and_go_on_apart(clone: Any) -> None:
    envs = make("Reversi", 5, "next_step", size=4, opponent="random", seat="random")
    rng = np.random.default_rng(1)
    _, info = envs.reset(seed=7)
    for _ in range(4):
        *_, info = envs.step(learners_actions(info["action_mask"], rng, 0))
    again = clone(envs)
    assert again.unwrapped.batch == envs.unwrapped.batch
    for _ in range(4):
        actions = learners_actions(info["action_mask"], rng, 0)
        one = envs.step(actions)
        assert_same(again.step(actions), one, "step")
        info = one[-1]
    envs.reset()
    assert again.unwrapped.batch != envs.unwrapped.batch


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"opponent": "nobody"}, ValueError, "no agent is called 'nobody'"),
        ({"opponent": "score-table"}, ValueError, "score-table plays Gomoku, not Go"),
        ({"opponent": 3}, TypeError, "an agent with select_action, or the spec of one, not 3"),
        ({"opponent": "me@human"}, ValueError, "the opponent must be an agent, not a person"),
        ({"opponent": "random", "seat": "north"}, ValueError, "seat must be 'black' or 'white'"),
        ({"seat": "black"}, ValueError, "seat='black' needs an opponent"),
        ({"opponent": "random", "frameskip": 4}, TypeError, "unexpected keyword argument 'frameskip'"),
    ],
    ids=str,
)
def test_a_wrong_spec_is_an_error_when_the_environment_is_made(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make("Go", 2, "next_step", **options)


@pytest.mark.parametrize("view", ["black", "player"])
def test_nothing_is_observed_before_the_first_reset(view: str) -> None:
    envs: Any = make("Go", 2, "next_step", size=3, opponent=RandomAgent(seed=1), view=view)
    with pytest.raises(ResetNeeded, match="reset comes before the first observation"):
        envs.observe()
    planes, _ = envs.reset(seed=1)
    np.testing.assert_array_equal(envs.observe(), planes)


def test_only_native_environments_without_an_opponent_take_one() -> None:
    sync = make_sync("Go", 2, "next_step", size=3)
    with pytest.raises(TypeError, match="native vector environments of sixplane, not"):
        VectorVsOpponent(sync, RandomAgent())
    native = BoardGameVectorEnv("go", 2, size=3)
    with pytest.raises(ValueError, match="seat must be"):
        VectorVsOpponent(native, RandomAgent(), "north")
    assert not native.closed
    envs: Any = VectorVsOpponent(native, RandomAgent())
    with pytest.raises(TypeError, match="native vector environments of sixplane, not"):
        VectorVsOpponent(envs, RandomAgent())


def test_a_step_that_leaves_finished_episodes_leaves_them_for_good() -> None:
    envs: Any = make("TicTacToe", 3, "disabled", opponent=Deterministic(illegal=False), seat="black")
    _, info = envs.reset(seed=1)
    paid, ended, last = np.zeros(3), np.zeros(3, np.int64), info["move_number"]
    for _ in range(12):
        actions = np.maximum(sixplane.sample_legal(info["action_mask"], 0), 0)
        _, rewards, terminated, truncated, info = envs.step_unfinished(actions)
        assert (info["move_number"] == last)[ended > 0].all()
        paid, ended, last = paid + abs(rewards), ended + (terminated | truncated), info["move_number"]
    assert ended.tolist() == [1, 1, 1] and (paid <= 1).all() and paid.any()
    with pytest.raises(sixplane.IllegalActionError, match="over and not yet reset"):
        envs.step([0, 0, 0])


def test_a_step_that_leaves_finished_episodes_does_not_play_on_what_was_cut_short() -> None:
    envs: Any = make("Go", 2, "disabled", opponent="random", size=5, max_episode_steps=2)
    _, info = envs.reset(seed=1)
    cut, moves = [], []
    for _ in range(5):
        actions = sixplane.sample_legal(info["action_mask"], 0)
        *_, truncated, info = envs.step_unfinished(actions)
        cut.append(truncated.tolist())
        moves.append(info["move_number"].tolist())
    assert cut == [[False] * 2, [True] * 2, *[[False] * 2] * 3]
    assert moves[1:] == [moves[1]] * 4


def test_a_step_that_leaves_finished_episodes_counts_each_once_for_an_opponent_that_climbs() -> None:
    envs: Any = make("Reversi", 8, "disabled", opponent="ladder:auto", seat="black")
    _, info = envs.reset(seed=1)
    over = np.zeros(8, np.bool_)
    while not over.all():
        actions = np.maximum(sixplane.sample_legal(info["action_mask"], 0), 0)
        _, _, terminated, _, info = envs.step_unfinished(actions)
        over |= terminated
    assert (envs.opponent.climb.number, len(envs.opponent.climb.points)) == (0, 8)


class Meanwhile(RandomAgent):
    """Has another thread do something while it chooses its first move."""

    act: Any = None

    def select_action(self, game: Any) -> Any:
        self.meanwhile()
        return super().select_action(game)

    def select_actions(self, batch: Any, index: Any) -> Any:
        self.meanwhile()
        return super().select_actions(batch, index)

    def meanwhile(self) -> None:
        act, self.act = self.act, None
        if act is not None:
            other = threading.Thread(target=act)
            other.start()
            other.join()


@pytest.mark.parametrize("count", [None, 2], ids=["one", "many"])
@pytest.mark.parametrize("first", ["reset", "step"])
def test_a_call_while_another_one_runs_is_refused_and_changes_nothing(count: int | None, first: str) -> None:
    def made() -> Any:
        if count is None:
            return VsOpponent(gym.make("sixplane/Go-v0", size=5), Meanwhile(seed=1), "white")
        return make("Go", count, "disabled", size=5, opponent=Meanwhile(seed=1), seat="white")

    envs, twin = made(), made()
    action: Any = [25] * count if count else 25
    calls = [envs.reset, lambda: envs.step(action)]
    if count:
        calls.append(lambda: envs.step_unfinished(action))
    refused = []

    def call_all() -> None:
        for call in calls:
            with pytest.raises(RuntimeError, match="another call of this environment is running"):
                call()
            refused.append(call)

    if first == "step":
        assert_same(envs.reset(seed=1), twin.reset(seed=1), "reset")
    envs.opponent.act = call_all
    if first == "reset":
        assert_same(envs.reset(seed=1), twin.reset(seed=1), "reset")
    assert_same(envs.step(action), twin.step(action), "step")
    assert refused == calls
