"""GymGo's environment; run with the newest and the oldest supported Gymnasium."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sixplane
from sixplane import gogame, govars
from sixplane.gymgo import GoEnv, RewardMethod

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS: list[dict[str, Any]] = [
    {},
    {"size": 3, "reward_method": "heuristic"},
    {"size": (4, 6), "komi": 3.5},
]


def make(**options: Any) -> GoEnv:
    env = gym.make("sixplane/GymGo-v0", disable_env_checker=True, **options).unwrapped
    assert isinstance(env, GoEnv)
    return env


def play(env: GoEnv, *actions: Any) -> tuple[Any, ...]:
    step: tuple[Any, ...] = ()
    for action in actions:
        step = env.step(action)
    return step


def random_steps(env: GoEnv, seed: int) -> Iterator[tuple[int, Any]]:
    """A random game with passes: the actions, and what `step` gave."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(200):
        action = env.valid_moves().size - 1 if rng.random() < 0.1 else int(env.uniform_random_action())
        step = env.step(action)
        yield action, step
        if step[2]:
            return


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_gymnasiums_own_checker_finds_nothing(options: dict[str, Any]) -> None:
    check_env(make(**options))
    check_env(gym.make("sixplane/GymGo-v0", **options).unwrapped)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_answer_agrees_with_gogame(options: dict[str, Any]) -> None:
    env = make(**options)
    komi = options.get("komi", 0)
    ends = 0
    for seed in range(8):
        state = gogame.init_state(options.get("size", 7))
        for action, (observation, _, terminated, truncated, info) in random_steps(env, seed):
            state = gogame.next_state(state, action)
            assert np.array_equal(observation, state) and observation.dtype == np.float64
            assert env.observation_space.contains(observation)
            assert terminated is bool(gogame.game_ended(state)) and truncated is False
            ends += terminated
            assert info.keys() == {"turn", "invalid_moves", "prev_player_passed"}
            assert info["turn"] == env.turn() == gogame.turn(state)
            assert np.array_equal(info["invalid_moves"], gogame.invalid_moves(state))
            assert info["prev_player_passed"] == env.prev_player_passed() == gogame.prev_player_passed(state)
            assert np.array_equal(env.state(), state)
            assert np.array_equal(env.canonical_state(), gogame.canonical_form(state))
            assert np.array_equal(env.valid_moves(), gogame.valid_moves(state))
            assert np.array_equal(env.children(), gogame.children(state))
            assert np.array_equal(env.children(True, False), gogame.children(state, True, False))
            assert env.game_ended() == gogame.game_ended(state)
            assert env.winning() == gogame.winning(state, komi)
            assert env.winner() == (gogame.winning(state, komi) if terminated else 0)
            assert str(env) == gogame.str(state)
    assert ends >= 5


def test_states_handed_out_are_copies() -> None:
    env = make(size=3)
    observation, _ = env.reset()
    for handed_out in (observation, env.state(), env.canonical_state(), env.step(4)[0]):
        handed_out[:] = 7
    assert set(np.unique(env.state())) <= {0, 1}


def test_real_rewards_come_at_the_end_and_are_blacks() -> None:
    for komi, outcome in [(0, 1.0), (9, 0.0), (20, -1.0)]:
        env = make(size=3, komi=komi)
        env.reset()
        rewards = [env.step(action)[1] for action in (4, 9, 9)]
        assert rewards == [0.0, 0.0, outcome]
        assert all(type(reward) is float for reward in rewards)
        assert env.winner() == env.reward() == outcome


def test_heuristic_rewards_are_the_lead_then_all_points_and_0_for_a_tie() -> None:
    for komi, outcome in [(0.5, 9.0), (9, 0.0), (9.5, -9.0)]:
        env = make(size=3, komi=komi, reward_method="heuristic")
        env.reset()
        assert [env.step(action)[1] for action in (4, 9, 9)] == [9 - komi, 9 - komi, outcome]
    env = make(size=(2, 4), reward_method=RewardMethod.HEURISTIC)
    env.reset()
    assert play(env, 0, None, None)[1] == 8.0


def test_actions_are_points_integers_or_none() -> None:
    actions: list[Any] = [
        5,
        np.int64(5),
        np.array(5),
        (1, 2),
        [1, 2],
        np.array([1, 2]),
        (np.int8(1), 2, "more"),
    ]
    for action in actions:
        env = make(size=3)
        env.reset()
        env.step(action)
        assert env.state()[govars.BLACK, 1, 2] == 1
    env = make(size=(2, 3))
    env.reset()
    observation, _, terminated, _, info = play(env, None)
    assert info["prev_player_passed"] and not terminated and observation[govars.PASS_CHNL].all()
    assert play(env, (1, 2))[0][govars.WHITE, 1, 2] == 1
    assert play(env, 6, None)[2] is True


@pytest.mark.parametrize("action", [-1, 10, 10**30, (3, 0), (0, -1), [0, 3], np.array([5, 5])])
def test_actions_off_the_board_raise(action: Any) -> None:
    env = make(size=3)
    env.reset()
    with pytest.raises(AssertionError) as caught:
        env.step(action)
    assert isinstance(caught.value, sixplane.IllegalActionError)
    assert caught.value.reason == "off_board"
    assert not env.state().any()


@pytest.mark.parametrize("action", [1.0, True, "1", (1,), (), [1.0, 2], (True, 1), np.array([1.0, 1.0]), {}])
def test_actions_of_other_kinds_are_type_errors(action: Any) -> None:
    env = make(size=3)
    env.reset()
    with pytest.raises(TypeError):
        env.step(action)
    assert not env.state().any()


def test_illegal_actions_and_a_finished_game_raise_and_change_nothing() -> None:
    env = make(size=3)
    env.reset()
    env.step(4)
    before = env.state()
    with pytest.raises(AssertionError, match="occupied"):
        env.step((1, 1))
    assert np.array_equal(env.state(), before)
    play(env, None, None)
    before = env.state()
    for action in (0, None, (0, 0), (7, 7), 99):
        with pytest.raises(AssertionError, match="over"):
            env.step(action)
    with pytest.raises(AssertionError, match="over"):
        env.uniform_random_action()
    assert np.array_equal(env.state(), before)
    # As in GymGo, "everything" is valid then.
    assert env.valid_moves().all()
    env.reset()
    env.step(0)


def test_random_actions_are_valid_and_follow_the_seed() -> None:
    env = make(size=3)

    def drawn() -> list[np.int64]:
        env.reset(seed=3)
        env.step(4)
        return [env.uniform_random_action() for _ in range(200)]

    actions = drawn()
    assert drawn() == actions
    assert set(actions) == set(range(10)) - {4}
    assert type(actions[0]) is np.int64


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_copies_go_on_alike(options: dict[str, Any]) -> None:
    env = make(**options)
    for turn, _ in enumerate(random_steps(env, 5)):
        if turn == 6:
            break
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert np.array_equal(other.state(), env.state())
        before = env.state()
        step = other.step(None)
        assert np.array_equal(env.state(), before)
        assert np.array_equal(step[0], gogame.next_state(before, env.valid_moves().size - 1))
        assert other.spec == env.spec


def test_rendering_prints_or_returns_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    env = make(size=3)
    env.reset()
    env.step(4)
    assert env.render() is None
    assert env.render("terminal") is None
    text = gogame.str(env.state())
    assert capsys.readouterr().out == 2 * (text + "\n")
    assert env.render("ansi") == text
    with pytest.raises(ValueError, match="terminal"):
        env.render("rgb_array")

    quiet = gym.make("sixplane/GymGo-v0", size=3, render_mode="ansi")
    quiet.reset()
    quiet.step(4)
    assert quiet.render() == text
    assert capsys.readouterr().out == ""
    # What the call says comes first.
    assert quiet.unwrapped.render("terminal") is None  # type: ignore[call-arg] # GymGo's own argument
    assert capsys.readouterr().out == text + "\n"


def test_gogame_and_govars_are_attributes_of_the_class() -> None:
    assert GoEnv.gogame is gogame
    assert GoEnv.govars is govars
    env = make(size=5, komi=2)
    assert (env.size, env.komi, env.reward_method) == (5, 2, RewardMethod.REAL)
    assert env.action_space == gym.spaces.Discrete(26)
    assert env.observation_space == gym.spaces.Box(0, 1, (6, 5, 5), np.float64)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"size": 1}, ValueError),
        ({"size": 26}, ValueError),
        ({"size": 5.0}, TypeError),
        ({"komi": float("nan")}, ValueError),
        ({"komi": "7"}, TypeError),
        ({"reward_method": "other"}, ValueError),
        ({"render_mode": "human"}, ValueError),
    ],
    ids=str,
)
def test_options_of_other_values_are_refused(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        GoEnv(**options)
    with pytest.raises(ValueError, match="options"):
        make().reset(options={"game": 1})


@pytest.mark.parametrize("options", ["x", "", 0, [1]])
def test_reset_options_that_are_no_dict_are_refused_and_nothing_changes(options: Any) -> None:
    env = make(size=3)
    env.reset(seed=1)
    before, state = env.step(4)[0], env.np_random.bit_generator.state
    with pytest.raises(TypeError, match="options must be a dict or None, not"):
        env.reset(seed=2, options=options)
    assert (env.state() == before).all()
    assert env.np_random.bit_generator.state == state


@pytest.mark.parametrize("seed", [b"12", "12", 1.5, True, [1]], ids=repr)
def test_a_seed_that_is_no_integer_is_refused_and_nothing_changes(seed: Any) -> None:
    env = make(size=3)
    env.reset(seed=1)
    before, state = env.step(4)[0], env.np_random.bit_generator.state
    with pytest.raises(TypeError, match=f"^seed must be an integer, not {type(seed).__name__}$"):
        env.reset(seed=seed)
    assert (env.state() == before).all()
    assert (env.np_random_seed, env.np_random.bit_generator.state) == (1, state)


@pytest.mark.parametrize(("komi", "error"), [(True, TypeError), ("a", TypeError), (float("nan"), ValueError)])
def test_a_komi_that_is_no_number_is_refused(komi: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="komi must be"):
        make(size=3, komi=komi)


def test_komi_may_be_any_kind_of_number() -> None:
    env = make(size=3, komi=Decimal("0.5"), reward_method="heuristic")
    env.reset()
    assert env.step(4)[1] == 8.5
