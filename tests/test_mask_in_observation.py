"""The mask in the observation: the same games, in the words of other libraries."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import sixplane
from sixplane.envs import MaskInObservation, VectorMaskInObservation

KEYS = [("observation", "action_mask"), ("observations", "action_mask"), ("obs", "mask")]


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("mask_dtype", ["int8", "bool", "float32"])
@pytest.mark.parametrize("flatten", [False, True])
def test_an_observation_has_planes_and_mask(keys: tuple[str, str], mask_dtype: str, flatten: bool) -> None:
    plain = gymnasium.make("sixplane/Reversi-v0", size=4)
    env = MaskInObservation(gymnasium.make("sixplane/Reversi-v0", size=4), keys, mask_dtype, flatten=flatten)
    planes, info = plain.reset(seed=3)
    observation, _ = env.reset(seed=3)
    rng = np.random.default_rng(1)
    over = False
    while not over:
        assert list(observation) == list(keys)
        assert env.observation_space.contains(observation)
        np.testing.assert_array_equal(observation[keys[0]], planes.reshape(-1) if flatten else planes)
        np.testing.assert_array_equal(observation[keys[1]], info["action_mask"])
        assert observation[keys[1]].dtype == mask_dtype
        action = sixplane.sample_legal(info["action_mask"], rng)
        planes, reward, terminated, truncated, info = plain.step(action)
        observation, *rest, own = env.step(action)
        assert rest == [reward, terminated, truncated]
        assert not np.shares_memory(own["action_mask"], observation[keys[1]])
        over = terminated or truncated
    assert not observation[keys[1]].any()


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_a_vector_of_games_equals_its_games(mode: str) -> None:
    options: dict[str, Any] = {"size": 4, "max_moves": 9}
    many = VectorMaskInObservation(
        gymnasium.make_vec("sixplane/Reversi-v0", 5, autoreset_mode=mode, **options), mask_dtype="bool"
    )
    plain = gymnasium.make_vec("sixplane/Reversi-v0", 5, autoreset_mode=mode, **options)
    assert many.autoreset_mode is AutoresetMode(plain.metadata["autoreset_mode"])
    observation, info = many.reset(seed=1)
    plain.reset(seed=1)
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(30):
        assert many.observation_space.contains(observation)
        actions = sixplane.sample_legal(info["action_mask"], rng)
        planes, _, terminated, truncated, expected = plain.step(actions)
        observation, _, _, _, info = many.step(actions)
        np.testing.assert_array_equal(observation["observation"], planes)
        np.testing.assert_array_equal(observation["action_mask"], expected["action_mask"])
        for i in np.flatnonzero(expected.get("_final_obs", ())):
            last = info["final_obs"][i]
            assert many.single_observation_space.contains(last)
            np.testing.assert_array_equal(last["observation"], expected["final_obs"][i])
            assert not last["action_mask"].any()
        over = terminated | truncated
        ended += int(over.sum())
        if mode == "disabled" and over.any():
            observation, info = many.reset(options={"reset_mask": over})
            plain.reset(options={"reset_mask": over})
    assert ended > 5


def test_gymnasium_finds_no_fault_and_can_make_it_again() -> None:
    env = MaskInObservation(gymnasium.make("sixplane/Go-v0", size=3), flatten=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version")
        check_env(env, skip_render_check=True)
    assert env.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space


def test_wrong_arguments_are_refused() -> None:
    env, many = gymnasium.make("sixplane/Go-v0", size=3), gymnasium.make_vec("sixplane/Go-v0", 2, size=3)
    same = ("planes", "planes")
    for keys in (same, "ab", None, 5, (["a"], "b"), (1, 2), ("a",), ("a", "b", "c"), {"a": 1, "b": 2}):
        wrong: Any = keys
        with pytest.raises(ValueError, match="keys must be two names, of the planes and of the mask, not "):
            MaskInObservation(env, wrong)
        with pytest.raises(ValueError, match="keys must be two names, of the planes and of the mask, not "):
            VectorMaskInObservation(many, wrong)
    with pytest.raises(ValueError, match="mask_dtype must be 'int8' or 'bool' or 'float32', not 'int64'"):
        MaskInObservation(env, mask_dtype="int64")
    with pytest.raises(TypeError, match="is for planes and integer actions"):
        MaskInObservation(MaskInObservation(env))
    for env_id, name in (("CartPole-v1", "CartPoleEnv"), ("sixplane/GymGo-v0", "GoEnv")):
        with pytest.raises(TypeError, match=f"for environments that have action_masks, not {name}"):
            MaskInObservation(gymnasium.make(env_id))
    with pytest.raises(TypeError, match="VectorMaskInObservation is for many"):
        MaskInObservation(many)  # type: ignore[arg-type] # what is refused


@pytest.mark.parametrize(
    ("env_id", "how", "name"),
    [
        ("CartPole-v1", "vector_entry_point", "CartPoleVectorEnv"),
        ("CartPole-v1", "sync", "SyncVectorEnv"),
        ("sixplane/GymGo-v0", "sync", "SyncVectorEnv"),
        ("sixplane/GymGo-v0", "async", "AsyncVectorEnv"),
    ],
)
def test_a_vector_whose_environments_have_no_masks_is_refused_and_stays_open(
    env_id: str, how: str, name: str
) -> None:
    many = gymnasium.make_vec(env_id, 2, vectorization_mode=how)
    with pytest.raises(
        TypeError, match=f"VectorMaskInObservation is for .* that have action_masks, not {name}"
    ):
        VectorMaskInObservation(many)
    many.reset(seed=1)
    many.close()


def test_one_game_is_no_vector() -> None:
    one: Any = gymnasium.make("sixplane/Go-v0", size=3)
    with pytest.raises(
        TypeError, match="VectorMaskInObservation is for many games; MaskInObservation is for one"
    ):
        VectorMaskInObservation(one)


@pytest.mark.parametrize("how", ["vector_entry_point", "sync", "async"])
@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_vector_of_games_is_accepted_however_it_is_made(how: str, opponent: str | None) -> None:
    many: Any = gymnasium.make_vec(
        "sixplane/Go-v0", 2, vectorization_mode=how, size=3, opponent=opponent, dtype="float32"
    )
    masked = VectorMaskInObservation(gymnasium.wrappers.vector.RecordEpisodeStatistics(many))
    observation, _ = masked.reset(seed=1)
    assert observation["action_mask"].tolist() == [[1] * 10] * 2
    masked.close()


def test_the_mask_in_an_observation_and_that_of_info_are_two_arrays() -> None:
    env = MaskInObservation(gymnasium.make("sixplane/Go-v0", size=3))
    observation, info = env.reset(seed=1)
    assert not np.shares_memory(observation["action_mask"], info["action_mask"])
    many: Any = VectorMaskInObservation(
        gymnasium.make_vec("sixplane/Go-v0", 2, size=3, autoreset_mode="same_step", max_moves=1)
    )
    observation, info = many.reset(seed=1)
    assert not np.shares_memory(observation["action_mask"], info["action_mask"])
    observation, *_, info = many.step(np.array([0, 1]))
    assert not np.shares_memory(observation["action_mask"], info["action_mask"])
    for last in info["final_obs"]:
        assert not np.shares_memory(last["action_mask"], info["final_info"]["action_mask"])


def test_a_spec_keeps_names_and_types() -> None:
    env = MaskInObservation(gymnasium.make("sixplane/Go-v0", size=3), ("obs", "mask"), "bool")
    assert env.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space


def test_the_planes_of_each_of_many_games_become_one_row() -> None:
    many: Any = VectorMaskInObservation(
        gymnasium.make_vec("sixplane/Go-v0", 2, size=3, autoreset_mode="same_step", max_moves=1), flatten=True
    )
    observation, _ = many.reset(seed=1)
    assert observation["observation"].shape == (2, 54) and many.observation_space.contains(observation)
    *_, info = many.step(np.array([0, 4]))
    assert [int(last["observation"][:9].argmax()) for last in info["final_obs"]] == [0, 4]


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
def test_a_reset_of_some_games_shows_the_masks_of_all(mode: str) -> None:
    kwargs = {"autoreset_mode": AutoresetMode.DISABLED}
    options: dict[str, Any] = {"vector_kwargs": kwargs} if mode == "sync" else kwargs
    many: Any = gymnasium.make_vec("sixplane/Go-v0", 3, vectorization_mode=mode, size=3, **options)
    masked: Any = VectorMaskInObservation(many)
    masked.reset(seed=1)
    masked.step(np.array([0, 1, 2]))
    observation, _ = masked.reset(options={"reset_mask": np.array([True, False, False])})
    assert observation["action_mask"].sum(axis=1).tolist() == [10, 9, 9]
    assert observation["observation"][:, 0].sum(axis=(1, 2)).tolist() == [0, 1, 1]


def test_the_planes_have_the_bounds_that_a_wrapper_within_has_given_them() -> None:
    scaled = gymnasium.wrappers.RescaleObservation(
        gymnasium.make("sixplane/Go-v0", size=5, dtype="float32"), np.float32(-1), np.float32(1)
    )
    for flatten in (False, True):
        env = MaskInObservation(scaled, flatten=flatten)
        observation, _ = env.reset(seed=1)
        assert observation["observation"].min() == -1
        assert env.observation_space.contains(observation)
