"""The games in TorchRL: its own checks, the rules, and its collector; `examples/torchrl_ppo.py` learns."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper, PettingZooWrapper, check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import sixplane
from sixplane import pettingzoo
from sixplane.agents import RESIGN
from sixplane.envs import VectorMaskInObservation
from sixplane.torchrl import BoardGameEnv


class First:
    """Plays the first legal action."""

    def select_action(self, game: sixplane.Game) -> Any:
        return game.legal_actions[0]


@pytest.mark.parametrize("name", ["go", "reversi", "gomoku"])
@pytest.mark.parametrize("dtype", ["float32", "uint8", "bool"])
def test_its_check_finds_no_fault_and_random_play_is_legal(name: str, dtype: str) -> None:
    env = BoardGameEnv(name, 8, size=6, dtype=dtype, max_moves=50, illegal="raise")
    env.set_seed(1)
    check_env_specs(env)
    played = env.rollout(60, break_when_any_done=False)
    assert int(played["next", "done"].sum()) >= 8
    assert played["next", "done"].equal(played["next", "terminated"] | played["next", "truncated"])
    some = env.rollout(60, break_when_any_done=True)
    assert some["next", "done"][:, -1].any()
    everything = env.rollout(60, break_when_any_done=False, break_when_all_done=True)
    assert everything["next", "done"][:, -1].all()


def test_it_equals_the_environments_of_gymnasium() -> None:
    options: dict[str, Any] = {"size": 6, "seat": "random", "dtype": "float32", "view": "player"}
    env = BoardGameEnv("reversi", 4, opponent=First(), **options)
    same = gymnasium.make_vec(
        "sixplane/Reversi-v0", 4, opponent=First(), autoreset_mode="same_step", **options
    )
    env.set_seed(3)
    data = env.reset()
    planes, info = same.reset(seed=3)
    rng = np.random.default_rng(0)
    over = 0
    for _ in range(80):
        np.testing.assert_array_equal(data["observation"].numpy(), planes)
        np.testing.assert_array_equal(data["action_mask"].numpy(), info["action_mask"])
        actions = sixplane.sample_legal(info["action_mask"], rng)
        planes, rewards, terminated, truncated, info = same.step(actions)
        data["action"] = torch.from_numpy(actions)
        stepped, data = env.step_and_maybe_reset(data)
        after = stepped["next"]
        np.testing.assert_array_equal(after["reward"].numpy()[:, 0], rewards)
        np.testing.assert_array_equal(after["terminated"].numpy()[:, 0], terminated)
        np.testing.assert_array_equal(after["truncated"].numpy()[:, 0], truncated)
        for i in np.flatnonzero(terminated):
            np.testing.assert_array_equal(after["observation"][i].numpy(), info["final_obs"][i])
        over += int(terminated.sum())
    assert over > 6


def test_a_reset_of_no_game_changes_nothing_and_keeps_the_next_seed() -> None:
    env, plain = (BoardGameEnv("connect4", 4, seat="random") for _ in range(2))
    for one in (plain, env):
        one.set_seed(1)
        before = one.rand_step(one.reset())["next"]
        one.set_seed(2)
    # TorchRL takes what is not reset from the data that it is given.
    now = env.reset(before.clone().set("_reset", before["done"]))
    for name in ("observation", "action_mask"):
        assert torch.equal(now[name], before[name])
    assert torch.equal(env.reset()["observation"], plain.reset()["observation"])


def test_random_actions_follow_from_the_seed() -> None:
    env = BoardGameEnv("connect4", 8, opponent=First(), seat="black")
    played = []
    for seed in (3, 3, 4):
        env.set_seed(seed)
        played.append(env.rollout(4, break_when_any_done=False)["action"])
    assert played[0].equal(played[1]) and not played[0].equal(played[2])


def test_unless_told_otherwise_seats_are_random_and_the_learners_stones_come_first() -> None:
    env = BoardGameEnv("gomoku", 32, size=5)
    env.set_seed(1)
    planes = env.reset()["observation"]
    assert not planes[:, 0].any()
    assert set(planes[:, 1].sum((1, 2)).tolist()) == {0.0, 1.0}


def test_closing_closes_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    env = BoardGameEnv("go", 2, size=5)
    closed: list[str] = []
    monkeypatch.setattr(env.games, "close", lambda: closed.append("closed"))
    env.close()
    assert closed == ["closed"]


def test_what_was_handed_out_never_changes() -> None:
    env = BoardGameEnv("go", 4, size=5)
    data = env.rollout(20, break_when_any_done=False)
    first = env.reset()
    kept = first.clone()
    env.rollout(20, break_when_any_done=False)
    assert (first == kept).all()
    # One rollout is not one board again and again.
    assert not data["observation"][:, 0].equal(data["observation"][:, 10])


def test_a_collector_plays_legal_actions_in_many_games() -> None:
    env = BoardGameEnv("reversi", 256, size=6, opponent="random", illegal="raise")
    actor = ProbabilisticActor(
        TensorDictModule(nn.Sequential(nn.Flatten(-3), nn.Linear(216, 37)), ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    collector = Collector(
        env, actor, frames_per_batch=256 * 20, total_frames=256 * 60, reset_at_each_iter=False
    )
    ended = 0
    for data in collector:
        assert data.shape == (256, 20)
        assert data["action_mask"].gather(2, data["action"].unsqueeze(2)).all()
        ended += int(data["next", "done"].sum())
    collector.shutdown()
    assert ended > 600


def with_masks(mode: str) -> GymWrapper:
    """Many games of Gymnasium in TorchRL's own wrapper."""
    options: dict[str, Any] = {"size": 4, "opponent": "random", "view": "player", "dtype": "float32"}
    many = gymnasium.make_vec("sixplane/Reversi-v0", 4, autoreset_mode=mode, **options)
    return GymWrapper(VectorMaskInObservation(many, mask_dtype="bool"), categorical_action_encoding=True)


def test_its_wrapper_of_gymnasium_finds_the_masks() -> None:
    env = with_masks("disabled")
    check_env_specs(env)
    rng = np.random.default_rng(0)

    def policy(tensordict: Any) -> Any:
        actions = sixplane.sample_legal(tensordict["action_mask"].numpy(), rng)
        return tensordict.set("action", torch.from_numpy(actions))

    data = env.rollout(60, policy, break_when_any_done=False)
    assert data["action_mask"].gather(-1, data["action"].unsqueeze(-1)).all()
    over = data["next", "done"].squeeze(-1)
    assert int(over.sum()) >= 20
    assert not data["next", "action_mask"][over].any()
    assert data["next", "observation"][over][:, 5].all()
    assert set(data["next", "reward"][over].flatten().tolist()) <= {-1.0, 0.0, 1.0}
    with pytest.raises(RuntimeError, match="must be one of SAME_STEP or DISABLED"):
        with_masks("next_step")


def test_a_collector_without_a_policy_takes_illegal_actions() -> None:
    (data,) = Collector(BoardGameEnv("reversi", 8, size=6), None, frames_per_batch=200, total_frames=200)
    legal = data["action_mask"].gather(-1, data["action"].unsqueeze(-1))
    assert not legal.all()
    assert data["next", "terminated"][~legal.squeeze(-1)].all()
    assert (data["next", "reward"][~legal.squeeze(-1)] == -1).all()


def test_a_random_action_of_a_game_that_is_over_is_0() -> None:
    env = BoardGameEnv("gomoku", 3, size=5, seat="black")
    data = env.reset()
    data["action"] = torch.tensor([0, 25, 0])  # a pass, which is illegal, loses
    data = env.step(data)["next"]
    assert data["done"].flatten().tolist() == [False, True, False]
    for _ in range(20):
        actions = env.rand_action(data)["action"]
        assert actions[1] == 0 and env.action_spec.is_in(actions)
        assert data["action_mask"][[0, 2], actions[[0, 2]]].all()
    env.step(data)


def test_a_game_that_is_over_pays_once() -> None:
    env = BoardGameEnv("tictactoe", 16, seat="black")
    env.set_seed(1)
    data = env.reset()
    paid = torch.zeros(16, 1)
    for _ in range(12):
        data = env.step(env.rand_action(data))["next"]
        paid += data["reward"].abs()
        assert (paid[~data["done"]] == 0).all()
    assert data["done"].all() and paid.any() and (paid <= 1).all()


class Resigns:
    """Resigns in its first turn."""

    def select_action(self, _game: sixplane.Game) -> Any:
        return RESIGN


def test_a_game_resigned_before_the_first_move_allows_a_pass_until_it_is_done() -> None:
    env = BoardGameEnv("gomoku", 4, size=5, opponent=Resigns(), seat="white")
    for policy in (None, env.rand_action):
        data = env.rollout(3, policy, break_when_any_done=False)
        assert data["action_mask"].sum(-1).eq(1).all() and data["action_mask"][..., 25].all()
        assert data["action"].eq(25).all() and data["next", "reward"].eq(1).all()
        assert data["next", "done"].all() and not data["next", "action_mask"].any()


@pytest.mark.parametrize(("name", "options"), [("tictactoe", {}), ("reversi", {"size": 4})])
def test_its_wrapper_of_pettingzoo_plays_whole_games(name: str, options: dict[str, Any]) -> None:
    env = PettingZooWrapper(pettingzoo.env(name, **options), use_mask=True, done_on_any=False)
    data = env.rollout(60, break_when_any_done=False)
    assert int(data["next", "done"].sum()) >= 2
    black, white = (data["next", agent, "reward"] for agent in pettingzoo.AGENTS)
    assert black.any() and black.equal(-white)


def test_wrong_use_is_told() -> None:
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        BoardGameEnv("chess")
    with pytest.raises(TypeError, match="autoreset_mode cannot be chosen"):
        BoardGameEnv("go", 2, autoreset_mode="next_step")
    with pytest.raises(TypeError, match="an opponent is needed"):
        BoardGameEnv("go", 2, opponent=None)  # type: ignore[arg-type] # what is refused
    env = BoardGameEnv("go", 2, size=5, illegal="raise")
    data = env.reset()
    data["action"] = torch.tensor([0, 99])
    with pytest.raises(sixplane.IllegalActionError):
        env.step(data)
    data = env.rand_action(env.reset())
    data["_step"] = torch.tensor([True, False])
    with pytest.raises(NotImplementedError, match="only games that are over"):
        env.step(data)
