"""The games in RLlib: lengths of games, masks, and two players who learn."""

from __future__ import annotations

import runpy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import ray
import torch
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import sixplane
from example_output import EXAMPLES, example_output, score_against
from sixplane import pettingzoo
from sixplane.games import GAMES
from sixplane.rllib import BoardRLModule, TwoPlayerEnv, make_env, register

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BOARD = {"channels": 16, "layers": 2, "hidden": 64}


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Ray on this machine, without its dashboard."""
    ray.init("local", num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def one_player(mode: str, runners: int, **options: Any) -> PPOConfig:
    """A small PPO that may play nothing illegal."""
    register()  # Tests before this one may have shut Ray down.
    module = RLModuleSpec(module_class=BoardRLModule, model_config=BOARD)
    return (
        PPOConfig()
        .environment("sixplane", env_config={"illegal": "raise", **options})
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=4, gym_env_vectorize_mode=mode)
        .training(train_batch_size_per_learner=512, minibatch_size=128, num_epochs=2)
        .rl_module(rl_module_spec=module)
    )


def two_players(**options: Any) -> MultiAgentEnvRunner:
    """What plays games of both players, with one model for both."""
    module = RLModuleSpec(module_class=BoardRLModule, model_config=BOARD)
    config = (
        PPOConfig()
        .environment(TwoPlayerEnv, env_config=options)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"one"}, policy_mapping_fn=lambda *_, **__: "one")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"one": module}))
    )
    return MultiAgentEnvRunner(config=config)


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
@pytest.mark.parametrize("seat", ["black", "white"])
def test_games_have_their_true_lengths(mode: str, seat: str) -> None:
    # Nobody has five in a row after eight plays, so each player plays four.
    config = one_player(mode, 0, game="gomoku", size=9, max_moves=8, seat=seat)
    episodes = SingleAgentEnvRunner(config=config).sample(num_episodes=9)
    assert [len(episode) for episode in episodes if episode.is_done] == [4] * 9
    for episode in episodes:
        assert episode.is_terminated
        assert not episode.get_observations(-1)["action_mask"].any()
        for i, action in enumerate(episode.get_actions()):
            assert episode.get_observations(i)["action_mask"][action] == 1


@pytest.mark.parametrize("cutoff", ["adjudicate", "truncate"])
@pytest.mark.parametrize("max_moves", [1, 2, 5])
def test_a_game_that_is_cut_off_is_truncated_and_not_terminated(cutoff: str, max_moves: int) -> None:
    runner = two_players(game="gomoku", size=5, max_moves=max_moves, cutoff=cutoff)
    expected = (cutoff == "adjudicate", cutoff == "truncate")
    for game in runner.sample(num_episodes=2):
        # With one move in all, White takes no part.
        assert list(game.agent_episodes) == ["black_0", "white_0"][:max_moves]
        for episode in (game, *game.agent_episodes.values()):
            assert (episode.is_terminated, episode.is_truncated) == expected
        for episode in game.agent_episodes.values():
            # What it would be bootstrapped from: all stones that were played.
            assert episode.get_observations(-1)["observations"][:2].sum() == max_moves


@pytest.mark.parametrize("dtype", ["uint8", "bool", "float32"])
def test_the_model_takes_observations_of_each_dtype(dtype: str) -> None:
    options: Any = {"game": "reversi", "size": 4, "dtype": dtype}
    (episode,) = SingleAgentEnvRunner(config=one_player("sync", 0, **options)).sample(num_episodes=1)
    observed = episode.get_observations(slice(0, 2))
    assert observed["observations"].dtype == dtype
    (both,) = two_players(**options).sample(num_episodes=1)
    assert both.is_terminated
    env = make_env(options)
    module = BoardRLModule(
        observation_space=env.observation_space, action_space=env.action_space, model_config=BOARD
    )
    batch = {"obs": {key: torch.from_numpy(array) for key, array in observed.items()}}
    values = module.compute_values(batch)
    assert values.shape == (2,)
    batch["obs"]["observations"] = batch["obs"]["observations"].float()
    assert torch.equal(module.compute_values(batch), values)


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
def test_its_own_module_for_masks_plays_legal_actions(mode: str) -> None:
    config = one_player(mode, 0, game="reversi", size=6, flatten=True).rl_module(
        rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule)
    )
    episodes = SingleAgentEnvRunner(config=config).sample(num_episodes=6)
    assert sum(episode.is_done for episode in episodes) == 6
    for episode in episodes:
        assert episode.get_observations(0)["observations"].shape == (216,)
        for i, action in enumerate(episode.get_actions()):
            assert episode.get_observations(i)["action_mask"][action] == 1


def test_two_runners_train_without_an_illegal_action(cluster: None) -> None:  # noqa: ARG001
    algorithm = one_player("vector_entry_point", 2, game="reversi", size=6).build_algo()
    result = algorithm.train()
    algorithm.stop()
    assert result["env_runners"]["num_episodes"] > 10
    # The learner plays about half of the 32 actions of a game.
    assert 14 < result["env_runners"]["episode_len_mean"] < 19


def test_the_example_learns_to_beat_random_play(tmp_path: Path) -> None:
    told = example_output(tmp_path, "rllib_ppo.py", "--threads", "1", "--games", "200", looks=12)
    assert score_against("random", told) > 65


@pytest.mark.parametrize("game", GAMES)
def test_the_example_makes_its_game_before_it_starts_ray(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Started(Exception):
        pass

    def start(*_: object, **__: object) -> None:
        raise Started

    monkeypatch.setattr(ray, "init", start)
    learn = runpy.run_path(str(EXAMPLES / "rllib_ppo.py"))["main"]
    command = ["rllib_ppo.py", "--game", game, "--threads", str(torch.get_num_threads())]
    monkeypatch.setattr("sys.argv", command)
    with pytest.raises(Started):
        learn()
    monkeypatch.setattr("sys.argv", [*command, "--size", "1"])
    with pytest.raises(ValueError, match=r"size 1|board of 1x1"):
        learn()


def test_two_players_learn_with_a_policy_each(cluster: None) -> None:  # noqa: ARG001
    module = RLModuleSpec(module_class=BoardRLModule, model_config=BOARD)
    algorithm = (
        PPOConfig()
        .environment(
            TwoPlayerEnv,
            env_config={"game": "gomoku", "size": 6, "illegal": "raise"},
            disable_env_checking=True,
        )
        .env_runners(num_env_runners=2, num_envs_per_env_runner=1)
        .training(train_batch_size_per_learner=256, minibatch_size=64, num_epochs=1)
        .multi_agent(policies={"black_0", "white_0"}, policy_mapping_fn=lambda agent, _episode, **_: agent)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"black_0": module, "white_0": module}))
    ).build_algo()
    result = algorithm.train()
    algorithm.stop()
    assert set(result["learners"]) >= {"black_0", "white_0"}
    assert result["env_runners"]["num_episodes"] > 1
    returns = result["env_runners"]["agent_episode_returns_mean"]
    assert returns["black_0"] == -returns["white_0"]


@pytest.mark.parametrize("name", ["go", "reversi", "gomoku"])
def test_its_own_check_passes_whatever_action_it_draws(name: str) -> None:
    env = TwoPlayerEnv({"game": name, "size": 6})
    for action in range(env.game.num_actions):
        # It draws from the space, without the mask: in Reversi one action in nine is legal at first.
        env.action_spaces = dict.fromkeys(env.agents, Discrete(1, start=action))
        check_multiagent_environments(env)


@pytest.mark.parametrize("name", ["go", "reversi", "gomoku"])
def test_two_players_see_the_game(name: str) -> None:
    rng = np.random.default_rng(2)
    env = TwoPlayerEnv({"game": name, "size": 6, "max_moves": 60})
    observed, _ = env.reset(seed=1)
    same = env.game.copy()
    while True:
        (agent,) = observed
        assert agent == ("black_0", "white_0")[same.turn]
        assert env.observation_spaces[agent].contains(observed[agent])
        turned = [1, 0, 2, 3, 4, 5] if same.turn == 1 else slice(None)
        np.testing.assert_array_equal(observed[agent]["observations"], same.planes[turned])
        np.testing.assert_array_equal(observed[agent]["action_mask"], same.action_mask)
        action = int(sixplane.sample_legal(same.action_mask, rng))
        same.play(action)
        observed, rewards, terminated, truncated, infos = env.step({agent: action})
        if same.is_over:
            break
        assert not terminated["__all__"]
        assert not any(rewards.values())
    value = {"black": 1.0, "draw": 0.0, "white": -1.0}[same.outcome or ""]
    assert rewards == {"black_0": value, "white_0": -value}
    assert terminated == {"black_0": True, "white_0": True, "__all__": True}
    assert not any(truncated.values())
    assert set(observed) == {"black_0", "white_0"}
    assert infos["white_0"]["score"] == same.score()


def test_its_wrapper_of_pettingzoo_plays_whole_games() -> None:
    rng = np.random.default_rng(0)
    env = PettingZooEnv(pettingzoo.env("reversi", size=6))
    for _ in range(2):
        observed, _ = env.reset()
        steps, over = 0, False
        while not over:
            ((agent, observation),) = observed.items()
            action = int(sixplane.sample_legal(observation["action_mask"], rng))
            observed, rewards, terminated, truncated, _ = env.step({agent: action})
            over = terminated["__all__"] or truncated["__all__"]
            steps += 1
        assert steps >= 9
        assert sorted(rewards.values()) in ([-1, 1], [0, 0])


def test_a_limit_of_steps_and_threads_are_options_of_one_game_as_of_many() -> None:
    config = {"game": "go", "size": 5, "max_episode_steps": 3, "threads": 1}
    one: Any
    many: Any
    one, many = make_env(config), make_env(config | {"num_envs": 2})
    one.reset(seed=1)
    many.reset(seed=1)
    assert [one.step(25 - number)[3] for number in (1, 2, 3)] == [False, False, True]
    assert [many.step([25 - number] * 2)[3].tolist() for number in (1, 2, 3)] == [
        [False] * 2,
        [False] * 2,
        [True] * 2,
    ]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, "next_step", "NextStep"])
def test_the_mode_that_it_needs_may_be_named(mode: str | AutoresetMode) -> None:
    env: Any = make_env({"game": "go", "size": 5, "num_envs": 2, "autoreset_mode": mode})
    assert env.autoreset_mode == AutoresetMode.NEXT_STEP
    make_env({"game": "go", "size": 5, "autoreset_mode": mode})


@pytest.mark.parametrize("many", [{}, {"num_envs": 2}])
def test_a_wrong_limit_of_steps_is_the_same_error_for_one_game_as_for_many(many: dict[str, int]) -> None:
    for wrong in (0, -1):
        with pytest.raises(ValueError, match=f"max_episode_steps must be at least 1, not {wrong}"):
            make_env({"game": "go", "max_episode_steps": wrong} | many)
    for kind in (True, 2.5, "3"):
        with pytest.raises(TypeError, match="max_episode_steps must be an integer"):
            make_env({"game": "go", "max_episode_steps": kind} | many)


@pytest.mark.parametrize("many", [{}, {"num_envs": 32}])
def test_unless_told_otherwise_seats_are_random_and_the_learners_stones_come_first(
    many: dict[str, int],
) -> None:
    env: Any = make_env({"game": "gomoku", "size": 5} | many)
    begun = [env.reset(seed=seed)[0]["observations"].reshape(-1, 6, 5, 5) for seed in range(16)]
    planes = np.concatenate(begun)
    assert not planes[:, 0].any()
    assert set(planes[:, 1].sum((1, 2)).tolist()) == {0, 1}


def test_the_model_has_the_size_that_its_config_says() -> None:
    env = make_env({"game": "reversi", "size": 4})
    module = BoardRLModule(
        observation_space=env.observation_space, action_space=env.action_space, model_config=BOARD
    )
    shapes = [tuple(weights.shape) for weights in module.parameters() if weights.ndim > 1]
    assert shapes == [(16, 6, 3, 3), (16, 16, 3, 3), (64, 256), (17, 64), (1, 64)]


def test_two_players_start_from_a_position_and_leave_it_as_it_is() -> None:
    env, start = TwoPlayerEnv({"game": "gomoku", "size": 5}), sixplane.Gomoku(size=5).replay([3])
    observed, _ = env.reset(options={"game": start})
    assert list(observed) == ["white_0"] and observed["white_0"]["observations"][1, 0, 3] == 1
    env.step({"white_0": 4})
    assert start.move_number == 1
    assert list(env.reset()[0]) == ["black_0"]


def test_two_players_are_not_shown() -> None:
    with pytest.raises(TypeError, match=r"an option of environments that are shown\); .* max_moves, komi"):
        TwoPlayerEnv({"game": "go", "render_mode": "ansi"})


def test_wrong_use_is_told() -> None:
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        make_env({"game": "chess"})
    with pytest.raises(ValueError, match="loses a step of each game"):
        make_env({"game": "go", "num_envs": 2, "autoreset_mode": "same_step"})
    with pytest.raises(ValueError, match="loses a step of each game"):
        make_env({"game": "go", "autoreset_mode": AutoresetMode.DISABLED})
    with pytest.raises(TypeError, match="both players at once are TwoPlayerEnv"):
        make_env({"game": "go", "opponent": None})
    with pytest.raises(TypeError, match="unexpected keyword argument 'ladder'"):
        TwoPlayerEnv({"game": "go", "ladder": 1})
    flat = make_env({"game": "go", "size": 5, "flatten": True})
    with pytest.raises(TypeError, match=r"BoardRLModule is for planes \(C, rows, cols\).*without flatten"):
        BoardRLModule(observation_space=flat.observation_space, action_space=flat.action_space)
    env = TwoPlayerEnv({"game": "go", "size": 5})
    env.reset()
    with pytest.raises(ValueError, match="black_0 is to play, and not white_0"):
        env.step({"white_0": 1})
    with pytest.raises(ValueError, match="black_0 is to play, and not 0"):
        env.step({0: 1})  # type: ignore[dict-item]
    _, rewards, terminated, _, _ = env.step({"black_0": 3})
    assert not terminated["__all__"]
    _, rewards, terminated, _, _ = env.step({"white_0": 3})
    assert terminated["__all__"]
    assert rewards == {"black_0": 1.0, "white_0": -1.0}
