"""The games in Stable-Baselines3: its own checks, the rules, and an agent that learns."""

from __future__ import annotations

import csv
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import DummyVecEnv, VecFrameStack, VecMonitor, VecNormalize

import sixplane
from sixplane.envs import Climb
from sixplane.ladder import LadderError
from sixplane.sb3 import BoardCNN, LadderCallback, PolicyPool, SelfPlayCallback, VecEnv, ladder

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

BOARD = {"features_extractor_class": BoardCNN, "net_arch": [], "features_extractor_kwargs": {"channels": 32}}


@pytest.mark.parametrize("name", ["Go", "Reversi", "Gomoku"])
@pytest.mark.filterwarnings("ignore:.*image.*")
def test_its_check_finds_no_fault(name: str) -> None:
    check_env(gymnasium.make(f"sixplane/{name}-v0", size=6, opponent="random", dtype="float32").unwrapped)


@pytest.mark.parametrize("name", ["go", "reversi", "gomoku"])
def test_it_equals_environments_side_by_side(name: str) -> None:
    options: dict[str, Any] = {
        "size": 6,
        "max_moves": 60,
        "seat": "random",
        "dtype": "float32",
        "view": "player",
    }
    env_id = f"sixplane/{name.title()}-v0"
    fast = VecEnv(name, 4, opponent=First(), **options)
    slow = DummyVecEnv([lambda: gymnasium.make(env_id, opponent=First(), **options) for _ in range(4)])
    for env in (slow, fast):
        env.seed(3)
    np.testing.assert_array_equal(slow.reset(), fast.reset())
    rng, games = np.random.default_rng(1), 0
    for _ in range(150):
        masks = get_action_masks(fast)
        np.testing.assert_array_equal(masks, get_action_masks(slow))
        actions = sixplane.sample_legal(masks.astype(np.int8), rng)
        expected, got = slow.step(actions), fast.step(actions)
        for one, other in zip(expected[:3], got[:3], strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype
        for one, other, done in zip(expected[3], got[3], got[2], strict=True):
            assert bool(other) == done
            for key in other if done else ():
                np.testing.assert_array_equal(one[key], other[key])
            games += done
    assert games > 8


class First:
    """Plays the first legal action."""

    def select_action(self, game: sixplane.Game) -> Any:
        return game.legal_actions[0]


def test_masks_are_found_and_kept() -> None:
    env = VecMonitor(VecEnv("reversi", 8, size=4))
    assert is_masking_supported(env)
    observations = env.reset()
    assert observations.shape == (8, 6, 4, 4)
    masks = get_action_masks(env)
    assert masks.shape == (8, 17)
    assert masks.dtype == np.bool_
    assert env.get_attr("render_mode") == [None] * 8
    some = env.env_method("action_masks", indices=[1, 2])
    np.testing.assert_array_equal(some, masks[1:3])
    env.close()


def test_an_agent_learns_to_beat_random_play() -> None:
    torch.set_num_threads(1)
    env = VecMonitor(VecEnv("reversi", 64, size=6, opponent="random"))
    options: dict[str, Any] = {"n_steps": 16, "batch_size": 256, "n_epochs": 6, "learning_rate": 1e-3}
    model = MaskablePPO("MlpPolicy", env, policy_kwargs=BOARD, gamma=1.0, seed=1, **options)

    def policy(planes: Any, masks: NDArray[np.bool_]) -> Any:
        return model.predict(planes, action_masks=masks, deterministic=True)[0]

    game = sixplane.Reversi(size=6)
    before = sixplane.evaluate(policy, "random", game, games=400, opening_moves=2, seed=1)
    model.learn(10_240)
    after = sixplane.evaluate(policy, "random", game, games=400, opening_moves=2, seed=1)
    assert after.interval[0] > before.interval[1]
    assert after.score > 0.7


def test_self_play_freezes_policies() -> None:
    env = VecEnv("gomoku", 8, size=5)
    model = MaskablePPO("MlpPolicy", VecMonitor(env), policy_kwargs=BOARD, n_steps=32, batch_size=64, seed=1)
    callback = SelfPlayCallback(every=256, most=3)
    model.learn(1536, callback=callback)
    pool = callback.pool
    assert env.opponent is pool
    assert pool is not None
    assert len(pool) == 3
    weights = [policy.state_dict()["action_net.weight"] for policy in pool._policies]
    assert not torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[1], weights[2])
    kept = [one.clone() for one in weights]
    model.learn(256, reset_num_timesteps=False)
    assert all(torch.equal(one, other) for one, other in zip(weights, kept, strict=True))
    assert pool.select_action(sixplane.Gomoku(size=5)) in range(25)
    saved = pool.select_actions(sixplane.GameBatch(sixplane.Gomoku(size=5), 20), np.arange(20))
    assert saved.shape == (20,)


def small(count: int = 8, **options: Any) -> MaskablePPO:
    """A model of a small game, which takes 16 steps in each of its games at once."""
    env = VecMonitor(VecEnv("reversi", count, size=4, **options))
    return MaskablePPO(
        "MlpPolicy", env, policy_kwargs={"net_arch": []}, n_steps=16, batch_size=64, n_epochs=1
    )


def spied(monkeypatch: pytest.MonkeyPatch, callback: SelfPlayCallback) -> list[int]:
    """The steps of a callback's model at each copy, from now on."""
    steps: list[int] = []
    frozen = callback._frozen

    def noted() -> Any:
        steps.append(callback.model.num_timesteps)
        return frozen()

    monkeypatch.setattr(callback, "_frozen", noted)
    return steps


def test_a_run_in_parts_keeps_its_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    model, callback = small(), SelfPlayCallback(every=192)
    steps = spied(monkeypatch, callback)
    model.learn(128, callback=callback)
    pool: Any = callback.pool
    (first,) = pool._policies
    for _ in range(2):
        # The opponent is set also in an environment that is new.
        model.set_env(VecMonitor(VecEnv("reversi", 8, size=4)))
        model.learn(128, callback=callback, reset_num_timesteps=False)
        env: Any = model.get_env()
        assert callback.pool is pool and env.get_attr("opponent")[0] is pool
    assert model.num_timesteps == 384
    assert steps == [0, 192, 384]
    assert len(pool) == 3 and pool._policies[0] is first
    # Another model has opponents of its own.
    small().learn(128, callback=callback)
    other: Any = callback.pool
    assert other is not pool and len(other) == 1


def test_copies_that_have_learned_from_other_planes_are_no_opponents() -> None:
    model, callback = small(), SelfPlayCallback(every=1000)
    model.learn(128, callback=callback)
    first: Any = callback.pool
    model.set_env(VecEnv("reversi", 8, size=4, view="player" if first._view == "black" else "black"))
    model.learn(128, callback=callback)
    pool: Any = callback.pool
    assert pool is not first and pool._view != first._view and len(pool) == 1


def test_a_callback_counts_the_steps_of_its_own_whatever_the_model_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = small()
    model.learn(256)
    callback = SelfPlayCallback(every=192)
    steps = spied(monkeypatch, callback)
    model.learn(256, callback=callback, reset_num_timesteps=False)
    assert steps == [256, 448]
    # From here on the model counts from 0 again; 64 steps were taken since the last copy.
    for _ in range(2):
        model.learn(256, callback=callback)
    assert steps == [256, 448, 128, 64, 256]


class CountedRater:
    """A rating that takes no time."""

    def __init__(self, *_: object, **_options: object) -> None:
        self.rating = SimpleNamespace(elo=1.0, low=0.0, high=2.0, games=0)

    def __enter__(self) -> CountedRater:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def step(self) -> bool:
        return False


def test_ratings_count_their_own_steps_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "Rater", CountedRater)
    env = VecEnv("reversi", 8)
    model = MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": []}, n_steps=16, batch_size=128)
    model.learn(256)
    callback = LadderCallback(every=192)
    # Each call of `learn` ends with a rating, unless it has just had one.
    model.learn(256, callback=callback, reset_num_timesteps=False)
    model.learn(128, callback=callback, reset_num_timesteps=False)
    assert [steps for steps, _ in callback.ratings] == [448, 512, 640]
    model.learn(256, callback=callback)
    every = LadderCallback(every=128)
    model.learn(256, callback=every)
    assert [steps for steps, _ in callback.ratings[3:]] == [192, 256]
    assert [steps for steps, _ in every.ratings] == [128, 256]


class One:
    """A policy that plays the first legal action, or the last, and counts its games."""

    def __init__(self, *, last: bool) -> None:
        self.last, self.seen = last, 0

    def predict(self, planes: Any, action_masks: NDArray[np.bool_]) -> tuple[NDArray[np.int64], None]:
        self.seen += len(planes)
        masks = action_masks[:, ::-1] if self.last else action_masks
        found = masks.argmax(axis=1)
        return (action_masks.shape[1] - 1 - found if self.last else found), None


def test_a_game_from_a_position_chooses_its_policy_anew() -> None:
    start = sixplane.Gomoku(size=7)
    for action in range(10, 14):
        start.play(action)
    policies: Any = [One(last=False), One(last=True)]
    pool = PolicyPool(seed=1)
    for policy in policies:
        pool.add(policy)
    batch, index = sixplane.GameBatch(start, 40), np.arange(40)
    chosen = []
    for _ in range(6):
        batch.reset(game=start)
        first = pool.select_actions(batch, index) == 0
        assert (pool._chosen == ~first).all()
        batch.play(np.full(40, 20))
        batch.play(np.full(40, 21))
        # A policy stays in its game.
        assert ((pool.select_actions(batch, index) == 0) == first).all()
        chosen.append(first)
    # Some games of each place had one policy, and some the other.
    assert (np.any(chosen, axis=0) & ~np.all(chosen, axis=0)).mean() > 0.8
    # Only the games that were asked are taken as new.
    before = pool._chosen.copy()
    batch.reset(game=start, where=index < 20)
    pool.select_actions(batch, index[:20])
    assert (pool._chosen[20:] == before[20:]).all() and (pool._chosen[:20] != before[:20]).any()


def test_all_games_take_the_same_options_and_a_mask_starts_some() -> None:
    env = VecEnv("reversi", 3, size=4, seat="black")
    start = sixplane.Reversi(size=4)
    for _ in range(2):
        start.play(start.legal_actions[0])
    some = np.array([True, False, True])
    for same in (
        {"game": start},
        [{"game": start}] * 3,
        [{"game": start.copy()} for _ in range(3)],
        [{"game": start, "reset_mask": some.copy()} for _ in range(3)],
    ):
        env.reset()
        env.set_options(same)
        env.reset()
        masked = isinstance(same, list) and "reset_mask" in same[0]
        assert env.games.env.batch.move_numbers.tolist() == ([2, 0, 2] if masked else [2, 2, 2])
        env.reset()
        assert env.games.env.batch.move_numbers.tolist() == [0, 0, 0]
    env.set_options({"game": start})
    other = sixplane.Reversi(size=4)
    wrong: list[tuple[Any, type[Exception], str]] = [
        ([{"game": start}, {}, {}], ValueError, "one dict for all games; env.games.reset"),
        ([{}, {}, {"game": start}], ValueError, "all games take the same options"),
        ([{"game": start}, {"game": start}, {"game": other}], ValueError, "the same options"),
        ([{"reset_mask": some}, {"reset_mask": ~some}, {"reset_mask": some}], ValueError, "the same options"),
        ([{"reset_mask": some}, {"reset_mask": 1}, {"reset_mask": some}], ValueError, "the same options"),
        ([{}, {}], ValueError, "2 dicts of options for 3 games"),
        ([], ValueError, "0 dicts of options for 3 games"),
        ([{}, {}, 3], TypeError, "options must be a dict or None, not 3"),
        (3, TypeError, "options must be a dict or None, not 3"),
    ]
    for options, error, message in wrong:
        with pytest.raises(error, match=message):
            env.set_options(options)
    env.reset()
    assert env.games.env.batch.move_numbers.tolist() == [2, 2, 2]
    # What the message says works.
    _, info = env.games.reset(options={"game": other, "reset_mask": some})
    assert info["move_number"].tolist() == [0, 2, 0]
    env.step(env.action_masks().argmax(axis=1))


def test_an_opponent_that_climbs_is_told_in_infos_and_kept_by_checkpoints() -> None:
    env = VecEnv("gomoku", 16, opponent="ladder:auto", seat="black")
    monitored = VecMonitor(env, info_keywords=("rung", "rung_elo", "rung_spec"))
    model = MaskablePPO("MlpPolicy", monitored, policy_kwargs=BOARD, n_steps=16, batch_size=256, n_epochs=1)
    model.learn(16 * 64)
    episode = model.ep_info_buffer[-1]
    assert (episode["rung"], episode["rung_elo"], episode["rung_spec"]) == (0, 0.0, "random")

    def rows_until(env: VecEnv, number: int) -> set[int]:
        """Wins, unless random play is soon in the way of the first row; the rungs until one so high."""
        env.reset()
        seen = set[int]()
        for _ in range(100):
            *_, dones, infos = env.step(env.action_masks().argmax(axis=1))
            seen |= {info["rung"] for info, done in zip(infos, dones, strict=True) if done}
            if number in seen:
                break
        return seen

    assert rows_until(env, 1) == {0, 1}
    saved = json.dumps(env.get_attr("opponent")[0].climb)  # type: ignore[attr-defined] # it climbs
    again: Any = VecEnv("gomoku", 16, opponent="ladder:auto", seat="black")
    again.opponent.climb = Climb(*json.loads(saved))
    assert rows_until(again, 1) == {1}


def test_an_episode_cut_short_by_its_steps_has_no_outcome() -> None:
    env = VecMonitor(VecEnv("tictactoe", 16, max_episode_steps=3), info_keywords=("outcome", "score"))
    env.seed(1)
    env.reset()
    ended = set()
    for _ in range(12):
        *_, dones, infos = env.step(sixplane.sample_legal(np.array(env.env_method("action_masks")), 1))
        ends = [info for info, done in zip(infos, dones, strict=True) if done]
        assert all((end["outcome"] is None) == end["TimeLimit.truncated"] for end in ends)
        ended |= {end["episode"]["outcome"] for end in ends}
    assert ended == {None, -1, 1}


@pytest.mark.parametrize("options", [{}, {"view": "black", "dtype": "uint8"}, {"history": 2}])
def test_a_policy_is_rated_on_the_ladder_while_it_learns(tmp_path: Path, options: dict[str, Any]) -> None:
    env = VecMonitor(VecEnv("reversi", 8, **options))
    model = MaskablePPO("MlpPolicy", env, policy_kwargs=BOARD, n_steps=16, batch_size=64, seed=1)
    model.set_logger(configure(str(tmp_path), ["csv"]))
    callback = LadderCallback(every=256, games=16)
    model.learn(384, callback=callback)
    model.logger.close()
    assert [steps for steps, _ in callback.ratings] == [256, 384]
    last = callback.ratings[-1][1]
    assert (last.games, last.board) == (16, "Reversi 8x8")
    # Who has hardly learned is near random play.
    assert last.low < 300
    *_, row = csv.DictReader((tmp_path / "progress.csv").read_text().splitlines())
    assert float(row["ladder/elo"]) == pytest.approx(last.elo, rel=1e-3)


def test_wrong_use_is_told() -> None:
    many = gymnasium.make_vec("sixplane/Go-v0", 2, size=5)
    with pytest.raises(TypeError, match="give the name of the game"):
        VecEnv(many)  # type: ignore[arg-type] # what is refused
    with pytest.raises(ValueError, match="not a Gymnasium environment"):
        MaskablePPO("MlpPolicy", many)
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        VecEnv("chess")
    with pytest.raises(TypeError, match="cannot be chosen"):
        VecEnv("go", 2, autoreset_mode="next_step")
    with pytest.raises(TypeError, match="an opponent is needed"):
        VecEnv("go", 2, opponent=None)  # type: ignore[arg-type] # what is refused
    options: dict[str, Any] = {"size": 5, "dtype": "float32", "opponent": "random"}
    model = PPO("MlpPolicy", gymnasium.make("sixplane/Go-v0", **options), n_steps=4, batch_size=4)
    with pytest.raises(TypeError, match=r"SelfPlayCallback is for sixplane\.sb3\.VecEnv"):
        model.learn(4, callback=SelfPlayCallback())
    with pytest.raises(TypeError, match=r"LadderCallback is for sixplane\.sb3\.VecEnv"):
        model.learn(4, callback=LadderCallback())
    with pytest.raises(LadderError, match="there is no ladder for Go 5x5"):
        MaskablePPO("MlpPolicy", VecEnv("go", 2, size=5)).learn(4, callback=LadderCallback())
    with pytest.raises(AssertionError, match=r"use 'MlpPolicy' with sixplane\.sb3\.BoardCNN"):
        MaskablePPO("CnnPolicy", VecEnv("go", 2, size=5))
    with pytest.raises(RuntimeError, match="no policy yet"):
        PolicyPool().select_action(sixplane.Go(size=5))
    with pytest.raises(TypeError, match="BoardCNN is for planes"):
        BoardCNN(gymnasium.spaces.Box(0, 1, (7,)))
    env = VecEnv("go", 2, size=5)
    with pytest.raises(AttributeError, match="only the opponent of all games"):
        env.set_attr("komi", 3)  # type: ignore[arg-type] # what is refused
    with pytest.raises(AttributeError, match="the methods action_masks and render"):
        env.env_method("undo")
    with pytest.raises(TypeError, match="render takes no arguments"):
        env.env_method("render", mode="ansi")
    with pytest.raises(TypeError, match="an agent with select_action"):
        env.set_attr("opponent", 5)  # type: ignore[arg-type] # what is refused


@pytest.mark.parametrize("make", [SelfPlayCallback, LadderCallback])
def test_a_policy_that_would_see_other_planes_is_refused_when_learning_begins(make: Any) -> None:
    normal = VecNormalize(VecEnv("reversi", 2), norm_reward=False)
    stacked = VecFrameStack(VecEnv("reversi", 2), 3, channels_order="first")
    for env, name in ((normal, "VecNormalize"), (stacked, "VecFrameStack")):
        model = MaskablePPO("MlpPolicy", VecMonitor(env), n_steps=16, batch_size=32)
        with pytest.raises(TypeError, match=f"shows the policy planes as they are, and {name} changes them"):
            model.learn(32, callback=make())
    with pytest.raises(TypeError, match="is for MaskablePPO, whose policies take masks, not PPO"):
        PPO("MlpPolicy", VecEnv("reversi", 2), n_steps=16, batch_size=32).learn(32, callback=make())
    rewards = VecNormalize(VecEnv("reversi", 2, size=4), norm_obs=False)
    MaskablePPO("MlpPolicy", rewards, n_steps=16, batch_size=32).learn(32, callback=SelfPlayCallback())


def test_self_play_is_the_same_again_from_the_seed_of_the_model() -> None:
    def learned() -> list[torch.Tensor]:
        env = VecEnv("reversi", 8, size=4)
        kwargs: dict[str, Any] = {"net_arch": []}
        model = MaskablePPO("MlpPolicy", env, policy_kwargs=kwargs, n_steps=16, batch_size=64, seed=1)
        model.learn(512, callback=SelfPlayCallback(every=128))
        return list(model.policy.parameters())

    assert all(torch.equal(one, other) for one, other in zip(learned(), learned(), strict=True))


def test_games_are_shown_as_text() -> None:
    env = VecEnv("go", 2, size=5, render_mode="ansi")
    env.reset()
    shown = env.env_method("render")
    assert len(shown) == 2 and all("A B C D E" in str(text) for text in shown)
    assert env.env_method("render", indices=1) == shown[1:]


def test_a_game_that_ends_by_its_rules_in_the_last_step_is_not_truncated() -> None:
    env = VecEnv("gomoku", 1, size=5, opponent=First(), seat="black", max_episode_steps=5)
    env.reset()
    for action in (10, 11, 12, 13):
        assert "TimeLimit.truncated" not in env.step(np.array([action]))[3][0]
    _, rewards, dones, infos = env.step(np.array([14]))
    assert (rewards[0], dones[0], infos[0]["TimeLimit.truncated"]) == (1, True, False)
    for action in (1, 10, 11, 12, 20):
        _, _, dones, infos = env.step(np.array([action]))
    assert dones[0] and infos[0]["TimeLimit.truncated"]
