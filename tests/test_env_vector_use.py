"""How the native vector environment is made, used, copied, closed, and misused.

Run with the newest and the oldest supported Gymnasium.
"""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import sixplane
from sixplane.envs.single import BoardGameEnv
from sixplane.envs.vector import BoardGameVectorEnv
from sixplane.games import GAMES
from vector_results import arrays_of, assert_same

if TYPE_CHECKING:
    from numpy.typing import NDArray


MODES = [mode.name.lower() for mode in AutoresetMode]


def legal_actions(masks: NDArray[np.bool_], rng: np.random.Generator) -> Any:
    """A pass in one of three cases, so that games end soon."""
    scores = rng.random(masks.shape) * masks
    scores[:, -1] *= 3
    return scores.argmax(axis=1)


@pytest.mark.parametrize("name", [info.env_id for info in GAMES.values()])
def test_make_vec_takes_the_native_environment_and_resets_in_the_next_step(name: str) -> None:
    ways: list[dict[str, Any]] = [{}, {"vectorization_mode": "vector_entry_point"}]
    for options in ways:
        envs: Any = gym.make_vec(name, 3, **options)
        assert type(envs).__name__ == "BoardGameVectorEnv"
        assert envs.autoreset_mode is envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        assert envs.num_envs == 3
        single = gym.make(name)
        assert envs.single_observation_space == single.observation_space
        assert envs.render_mode is None


@pytest.mark.parametrize("mode", AutoresetMode)
def test_a_mode_is_named_like_gymnasiums(mode: AutoresetMode) -> None:
    single = dict(gym.make("sixplane/Go-v0").metadata)
    for name in (mode, mode.name.lower(), mode.value):
        envs = BoardGameVectorEnv("go", 2, size=3, autoreset_mode=name)
        assert envs.autoreset_mode is envs.metadata["autoreset_mode"] is mode
    # Every environment has metadata of its own. (Gymnasium 1.1's SyncVectorEnv writes into others'.)
    assert gym.make("sixplane/Go-v0").metadata == single


def test_spec_survives_json() -> None:
    envs: Any = gym.make_vec("sixplane/Go-v0", 3, size=(3, 4), autoreset_mode="same_step", komi=0.5)
    again: Any = gym.make_vec(gym.envs.registration.EnvSpec.from_json(envs.spec.to_json()))
    assert (again.num_envs, again.autoreset_mode) == (3, AutoresetMode.SAME_STEP)
    assert again.batch == envs.batch


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"autoreset_mode": "never"}, ValueError, "'next_step' or 'same_step' or 'disabled', not 'never'"),
        ({"autoreset_mode": None}, TypeError, "autoreset_mode must be 'next_step'"),
        ({"num_envs": 0}, ValueError, "num_envs must be at least 1, not 0"),
        ({"num_envs": 2.5}, TypeError, "num_envs must be an integer"),
        ({"num_envs": np.array([2, 3])}, TypeError, "num_envs must be an integer, not ndarray"),
        ({"threads": 0}, ValueError, "threads must be from 1"),
        ({"render_mode": "human"}, ValueError, "render_mode 'human' is for one game"),
        ({"render_mode": "film"}, ValueError, "render_mode must be 'ansi'"),
        (
            {"kommi": 3},
            TypeError,
            r"'kommi' \(did you mean komi\?\); the game takes size, .*komi, ko",
        ),
        ({"frameskip": 4}, TypeError, "unexpected keyword argument 'frameskip'"),
        ({"max_episode_steps": 0}, ValueError, "max_episode_steps must be at least 1, not 0"),
        ({"max_episode_steps": 2**32}, ValueError, "max_episode_steps must be at most 4294967295, not 429"),
        ({"max_episode_steps": 2.0}, TypeError, "max_episode_steps must be an integer"),
        ({"size": 1}, ValueError, "25"),
        ({"dtype": "float64"}, ValueError, "dtype must be"),
        ({"history": 10**9}, ValueError, "history must be from 0 to 10000"),
    ],
    ids=str,
)
def test_bad_options_name_what_is_allowed(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        BoardGameVectorEnv("go", **{"num_envs": 3} | options)


@pytest.mark.parametrize("mode", MODES)
def test_an_illegal_action_raises_if_asked_to_and_nothing_changes(mode: str) -> None:
    envs = BoardGameVectorEnv("go", 4, size=3, illegal="raise", autoreset_mode=mode)
    envs.reset()
    envs.step([0, 1, 2, 3])
    before = envs.batch
    message = r"1 in game 1 \(occupied\), 3 in game 3 \(occupied\)"
    with pytest.raises(sixplane.IllegalActionError, match=message) as e:
        envs.step([1, 1, 1, 3])
    assert e.value.reason == "occupied"
    assert envs.batch == before
    assert envs.step([1, 2, 3, 4])[-1]["move_number"].tolist() == [2] * 4


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("illegal", ["lose", "raise"])
@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([4, 10, 4], sixplane.IllegalActionError, r"10 in game 1 \(off_board\)"),
        ([4, 4, -1], sixplane.IllegalActionError, r"-1 in game 2 \(off_board\)"),
        ([4, 4], ValueError, "2 actions for 3 games"),
        ([[4, 4, 4]], ValueError, r"actions must be 1-d, got shape \(1, 3\)"),
        (4, ValueError, r"actions must be 1-d, got shape \(\)"),
        ([4.0, 4.0, 4.0], TypeError, "must be integers"),
        ([True, True, True], TypeError, "must be integers"),
        (None, ValueError, r"actions must be 1-d, got shape \(\)"),
    ],
    ids=repr,
)
def test_what_is_no_action_raises_and_nothing_changes(
    mode: str, illegal: str, actions: Any, error: type[Exception], message: str
) -> None:
    envs = BoardGameVectorEnv("go", 3, size=3, illegal=illegal, autoreset_mode=mode)
    envs.reset()
    envs.step([0, 1, 2])
    before = envs.batch
    with pytest.raises(error, match=message):
        envs.step(actions)
    assert envs.batch == before
    assert envs.step(np.array([3, 3, 3], dtype=np.uint8))[-1]["move_number"].tolist() == [2] * 3


def test_a_finished_game_must_be_reset_where_resets_are_disabled() -> None:
    envs = BoardGameVectorEnv("go", 3, size=3, autoreset_mode="disabled")
    envs.reset()
    envs.step([9, 9, 0])
    _, _, terminated, _, _ = envs.step([9, 0, 1])
    assert terminated.tolist() == [True, False, False]
    before = envs.batch
    for action in (0, -1):
        with pytest.raises(sixplane.IllegalActionError, match="environment 0") as error:
            envs.step([action, 1, 2])
        assert error.value.reason == "game_over"
        assert error.value.reasons == ["game_over"]
        assert error.value.indices is not None
        assert error.value.indices.tolist() == [0]
    assert envs.batch == before
    envs.reset(options={"reset_mask": terminated})
    assert envs.step([0, 1, 2])[-1]["move_number"].tolist() == [1, 3, 3]


@pytest.mark.parametrize("mode", MODES)
def test_after_a_masked_reset_info_is_true_of_every_game(mode: str) -> None:
    envs = BoardGameVectorEnv("go", 4, size=3, autoreset_mode=mode)
    envs.reset()
    envs.step([0, 1, 2, 3])
    envs.step([4, 4, 4, 9])
    mask = np.array([True, False, False, True])
    _, info = envs.reset(options={"reset_mask": mask})
    batch = envs.batch
    assert np.array_equal(info["action_mask"], batch.action_masks)
    assert info["action_mask"].sum(axis=1).tolist() == [10, 8, 8, 10]
    assert info["turn"].tolist() == batch.turns.tolist()
    assert info["move_number"].tolist() == [0, 2, 2, 0]
    for name in ("_action_mask", "_turn", "_move_number"):
        assert info[name].tolist() == mask.tolist()


@pytest.mark.parametrize("ignored", [-1, 3, 10**9])
def test_the_action_of_a_finished_game_is_ignored_where_it_resets_next(ignored: int) -> None:
    envs = BoardGameVectorEnv("go", 2, size=3)
    envs.reset()
    envs.step([9, 0])
    *_, info = envs.step([9, 1])
    assert not info["action_mask"][0].any()
    _, rewards, terminated, _, info = envs.step([ignored, 2])
    assert info["move_number"].tolist() == [0, 3]
    assert (rewards.tolist(), terminated.tolist()) == ([0, 0], [False, False])


def test_stepping_comes_after_resetting_and_before_closing() -> None:
    envs = BoardGameVectorEnv("go", 2, size=3, render_mode="ansi")
    with pytest.raises(ResetNeeded):
        envs.step([0, 0])
    envs.reset()
    envs.step([0, 0])
    envs.close()
    envs.close()
    assert envs.closed
    for use in (lambda: envs.step([1, 1]), envs.reset, envs.render):
        with pytest.raises(ClosedEnvironmentError):
            use()


def finished() -> sixplane.Go:
    game = sixplane.Go(size=3)
    game.resign()
    return game


@pytest.mark.parametrize("dtype", [">f4", "<f4", np.dtype(np.float32).newbyteorder()], ids=str)
def test_observations_are_in_the_byte_order_of_the_machine(dtype: Any) -> None:
    envs = BoardGameVectorEnv("go", 2, size=3, dtype=dtype)
    for observation in (envs.reset()[0], envs.step([0, 1])[0]):
        assert observation.dtype == np.float32 and observation.dtype.isnative
        assert observation in envs.observation_space


@pytest.mark.parametrize(
    ("seed", "options", "error", "message"),
    [
        (None, {"game": sixplane.Go(size=4)}, ValueError, "3x3, not 4x4"),
        (None, {"game": finished()}, ValueError, "over"),
        (None, {"game": sixplane.Gomoku(size=5)}, TypeError, "must be a Go"),
        (None, {"gmae": 3}, ValueError, "'gmae'; allowed are 'game' and 'reset_mask'"),
        (None, {"reset_mask": [True, False]}, TypeError, "NumPy array of bool, not list"),
        (None, {"reset_mask": np.array([1, 0])}, TypeError, "NumPy array of bool, not int64"),
        (None, {"reset_mask": np.array([True])}, ValueError, r"shape \(2,\), not \(1,\)"),
        (None, {"reset_mask": np.array([False, False])}, ValueError, "True somewhere"),
        (None, {"reset_mask": np.array([True, False]), "game": 3}, TypeError, "must be a Go"),
        (-1, None, ValueError, "seed must be at least 0"),
        ([1, 2, 3], None, ValueError, "3 seeds for 2 environments"),
        ([1, -2], None, ValueError, "seed must be at least 0"),
        (1.5, None, TypeError, "an integer, a list of them or None, not float"),
        (True, None, TypeError, "seed must be an integer"),
        ([1, "2"], None, TypeError, "seed must be an integer"),
        (np.array([1.0, 2.0]), None, TypeError, "seed must be an integer, not float64"),
        (np.array(1.0), None, TypeError, "seed must be an integer, not ndarray"),
        (np.array([[1], [2]]), None, TypeError, "seed must be an integer, not ndarray"),
        (np.array([1, 2, 3]), None, ValueError, "3 seeds for 2 environments"),
        (np.array([1, -2]), None, ValueError, "seed must be at least 0"),
    ],
    ids=str,
)
def test_a_reset_that_fails_leaves_everything(
    seed: Any, options: dict[str, Any] | None, error: type[Exception], message: str
) -> None:
    envs = BoardGameVectorEnv("go", 2, size=3, autoreset_mode="disabled")
    envs.reset(seed=3)
    envs.step([0, 1])
    before, seeds = envs.batch, envs.np_random_seed
    state = [generator.bit_generator.state for generator in envs.np_random]
    with pytest.raises(error, match=message):
        envs.reset(seed=4 if seed is None else seed, options=options)
    assert envs.batch == before
    assert envs.np_random_seed == seeds
    assert [generator.bit_generator.state for generator in envs.np_random] == state


def test_options_stay_as_they_were_given() -> None:
    envs = BoardGameVectorEnv("go", 2, size=3)
    mask = np.array([False, True])
    options = {"reset_mask": mask, "game": sixplane.Go(size=3)}
    kept = dict(options)
    envs.reset()
    _, info = envs.reset(options=options)
    assert options == kept
    assert info["_action_mask"] is not mask
    info["_action_mask"][:] = True
    assert mask.tolist() == [False, True]


@pytest.mark.parametrize("mode", MODES)
def test_record_episode_statistics_counts_returns_and_lengths(mode: str) -> None:
    options: dict[str, Any] = {"size": 3, "reward": "score"}
    ours = RecordEpisodeStatistics(gym.make_vec("sixplane/Go-v0", 6, autoreset_mode=mode, **options))
    theirs = RecordEpisodeStatistics(
        gym.make_vec(
            "sixplane/Go-v0",
            6,
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": AutoresetMode[mode.upper()]},
            **options,
        )
    )
    rng = np.random.default_rng(3)
    _, info = ours.reset()
    theirs.reset()
    counted = 0
    for _ in range(80):
        actions = legal_actions(info["action_mask"], rng)
        _, rewards, terminated, _, info = ours.step(actions)
        if mode != "disabled":
            *_, sync_info = theirs.step(actions)
        if not terminated.any():
            assert "episode" not in info
            continue
        counted += int(terminated.sum())
        episode = info["episode"]
        if mode == "disabled":
            assert np.array_equal(episode["r"][terminated], rewards[terminated])
            assert np.array_equal(episode["l"][terminated], info["move_number"][terminated])
            # Gymnasium's own vector takes the mask out of the options, and all lengths are lost.
            _, info = ours.reset(options={"reset_mask": terminated})
        else:
            assert np.array_equal(episode["r"], sync_info["episode"]["r"])
            assert np.array_equal(episode["l"], sync_info["episode"]["l"])
            assert np.array_equal(info["_episode"], terminated)
    assert counted > 20
    assert len(ours.length_queue) == min(counted, 100)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
@pytest.mark.parametrize("mode", MODES)
def test_copies_keep_the_games_and_go_on_apart(clone: Any, mode: str) -> None:
    envs = BoardGameVectorEnv("reversi", 5, size=4, autoreset_mode=mode, history=2, dtype="float32")
    other = sixplane.Reversi(size=4, max_moves=30)
    rng = np.random.default_rng(1)
    _, info = envs.reset(seed=7, options={"game": other})
    for _ in range(4):
        *_, info = envs.step(legal_actions(info["action_mask"], rng))
    envs.np_random[2].random()
    again = clone(envs)
    assert again.batch == envs.batch
    assert [one.random() for one in again.np_random] == [one.random() for one in envs.np_random]
    assert again.autoreset_mode is envs.autoreset_mode
    for _ in range(4):
        actions = legal_actions(info["action_mask"], rng)
        ours, theirs = envs.step(actions), again.step(actions)
        info = ours[-1]
        assert_same(theirs, ours, "step")
    envs.step(legal_actions(info["action_mask"], rng))
    assert again.batch != envs.batch


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("sight", [{}, {"dtype": "bool"}, {"dtype": "float32"}, {"history": 2}], ids=str)
def test_arrays_handed_out_are_the_callers(mode: str, sight: dict[str, Any]) -> None:
    envs = BoardGameVectorEnv("go", 20, size=2, autoreset_mode=mode, **sight)
    rng = np.random.default_rng(4)
    results: list[Any] = [envs.reset()]
    masks = results[0][1]["action_mask"].copy()
    copies = [copy.deepcopy(results[0])]
    ends = 0
    for _ in range(25):
        result = envs.step(legal_actions(masks, rng))
        results.append(result)
        copies.append(copy.deepcopy(result))
        masks = result[-1]["action_mask"].copy()
        over = result[2] | result[3]
        ends += int(over.sum())
        if mode == "disabled" and over.any():
            results.append(envs.reset(options={"reset_mask": over}))
            copies.append(copy.deepcopy(results[-1]))
            masks = results[-1][1]["action_mask"].copy()
    assert ends > 5
    for result, kept in zip(results, copies, strict=True):
        assert_same(result, kept, "held")
    arrays = [array for result in results for array in arrays_of(result)]
    for array in arrays:
        assert array.flags.writeable
    for one, other in itertools.combinations(arrays, 2):
        assert not np.shares_memory(one, other)


@pytest.mark.parametrize("mode", MODES)
def test_writing_into_what_was_handed_out_changes_no_game(mode: str) -> None:
    options: dict[str, Any] = {"size": 3, "autoreset_mode": mode, "reward": "score"}
    envs, untouched = BoardGameVectorEnv("go", 10, **options), BoardGameVectorEnv("go", 10, **options)
    rng = np.random.default_rng(8)
    _, info = envs.reset()
    untouched.reset()
    for _ in range(40):
        actions = legal_actions(info["action_mask"], rng)
        # Now and then an illegal one, which loses.
        actions[0] = rng.integers(10)
        ours, theirs = envs.step(actions), untouched.step(actions)
        assert_same(ours, theirs, "step")
        info = theirs[-1]
        for array in arrays_of(ours):
            array[...] = 1
        if mode == "disabled" and (over := theirs[2]).any():
            envs.reset(options={"reset_mask": over})
            _, info = untouched.reset(options={"reset_mask": over})


def test_render_gives_every_board_as_text() -> None:
    envs = BoardGameVectorEnv("go", 2, size=3, render_mode="ansi")
    envs.reset()
    envs.step([0, 4])
    assert envs.render() == tuple(str(game) for game in envs.batch[:])
    assert BoardGameVectorEnv("go", 2, size=3).render() == (None, None)


def test_render_gives_what_one_environment_gives_for_each() -> None:
    modes = [mode for mode in BoardGameEnv.metadata["render_modes"] if mode != "human"]
    assert "ansi" in modes
    for mode in modes:
        envs = BoardGameVectorEnv("go", 2, size=3, render_mode=mode)
        envs.reset()
        envs.step([0, 4])
        for frame, game in zip(envs.render(), envs.batch[:], strict=True):
            single = gym.make("sixplane/Go-v0", size=3, render_mode=mode, disable_env_checker=True)
            single.reset(options={"game": game})
            np.testing.assert_array_equal(frame, single.render())
        envs.close()


def test_the_batch_handed_out_is_a_copy() -> None:
    envs = BoardGameVectorEnv("go", 2, size=3)
    envs.reset()
    envs.batch.play([3, 3])
    assert envs.batch.move_numbers.tolist() == [0, 0]
    assert envs.action_masks().dtype == np.bool_
