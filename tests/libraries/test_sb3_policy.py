"""The policy for boards, for MaskablePPO."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.policies import ActorCriticPolicy

import sixplane
from sixplane.sb3 import BoardCNN, BoardPolicy, LadderCallback, PolicyPool, SelfPlayCallback, VecEnv

SMALL = {"channels": 6, "layers": 3}


def model_of(env: VecEnv, **options: Any) -> MaskablePPO:
    return MaskablePPO(BoardPolicy, env, n_steps=8, policy_kwargs=SMALL | options, seed=1)


def logits_of(policy: ActorCriticPolicy, planes: Any) -> Any:
    with torch.no_grad():
        return policy.get_distribution(torch.from_numpy(planes)).distribution.logits.numpy()


def test_what_is_learned_at_one_point_is_known_at_all_others() -> None:
    policy = model_of(VecEnv("gomoku", num_envs=2, size=15), ortho_init=False).policy
    planes = np.zeros((2, 6, 15, 15), np.float32)
    planes[0, 0, 4:6, 5] = planes[1, 0, 7:9, 9] = 1
    here, there = logits_of(policy, planes)[:, :-1].reshape(2, 15, 15)
    # Three layers see three points far, and so does the edge. Logits are normed, so differences count.
    around, as_far = here[3:8, 3:8], there[6:11, 7:12]
    assert np.allclose(around - around[0, 0], as_far - as_far[0, 0], atol=1e-5)
    assert around.std() > 1e-3
    # A stone matters to the points that see it alone, and to the actions that are no points.
    planes[1] = planes[0]
    planes[1, 1, 5, 5] = 1
    first, second = logits_of(policy, planes)
    changed = ~np.isclose(first - first[0], second - second[0], atol=1e-6)
    assert changed[-1] and not changed[:-1].reshape(15, 15)[9:].any()
    assert changed[:-1].reshape(15, 15)[2:9, 2:9].sum() > 40


@pytest.mark.parametrize("game", ["go", "reversi", "hex"])
def test_it_learns_saves_and_plays_against_its_past(game: str, tmp_path: Path) -> None:
    env = VecEnv(game, num_envs=4, size=4)
    model = model_of(env)
    before = [value.clone() for value in model.policy.parameters()]
    model.learn(64, callback=SelfPlayCallback(every=32))
    assert all(not torch.equal(old, new) for old, new in zip(before, model.policy.parameters(), strict=True))
    model.save(tmp_path / "model")
    model.policy.save(tmp_path / "policy")
    again = MaskablePPO.load(tmp_path / "model", env)
    alone = BoardPolicy.load(tmp_path / "policy")
    planes = env.reset()
    masks = np.array(env.env_method("action_masks"))
    expected, _ = model.predict(planes, action_masks=masks, deterministic=True)
    for other in (again, alone):
        assert np.array_equal(other.predict(planes, action_masks=masks, deterministic=True)[0], expected)
    assert again.policy._get_constructor_parameters().items() >= SMALL.items()


class Wider(BoardPolicy):
    """A policy with an option of its own."""

    def __init__(self, planes: Any, actions: Any, rate: Any, width: int = 1, **options: Any) -> None:
        super().__init__(planes, actions, rate, 4 * width, 2, **options)


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        (BoardPolicy, {"share_features_extractor": False, **SMALL}),
        (Wider, {"width": 2}),
        (
            "MlpPolicy",
            {
                "features_extractor_class": BoardCNN,
                "features_extractor_kwargs": {"channels": 4},
                "share_features_extractor": False,
            },
        ),
    ],
)
def test_a_frozen_copy_answers_as_the_policy_whatever_its_options(policy: Any, options: Any) -> None:
    env = VecEnv("go", num_envs=4, size=4)
    model = MaskablePPO(policy, env, n_steps=16, batch_size=32, learning_rate=0.01, policy_kwargs=options)
    model.learn(128)
    frozen = SelfPlayCallback()
    frozen.init_callback(model)
    assert frozen.pool is not None
    observations = torch.as_tensor(env.reset())
    masks = np.array(env.env_method("action_masks"))
    expected, found = (
        (one.get_distribution(observations, masks).distribution.probs, one.predict_values(observations))
        for one in (model.policy, frozen.pool._policies[0])
    )
    for one, other in zip(expected, found, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_a_policy_that_shares_no_features_is_saved_whole(tmp_path: Path) -> None:
    model = model_of(VecEnv("go", num_envs=4, size=4), share_features_extractor=False)
    model.policy.save(tmp_path / "policy")
    again = BoardPolicy.load(tmp_path / "policy")
    assert not again.share_features_extractor
    assert again.state_dict().keys() == model.policy.state_dict().keys()


def test_what_is_no_board_is_refused() -> None:
    box, planes = gymnasium.spaces.Box(0, 1, (7,)), gymnasium.spaces.Box(0, 1, (6, 4, 4))
    with pytest.raises(TypeError, match=r"BoardPolicy is for planes \(C, rows, cols\), not Box"):
        BoardPolicy(box, gymnasium.spaces.Discrete(7), lambda _: 1e-3)
    with pytest.raises(TypeError, match="BoardPolicy is for an action for each of 16 points, not 7"):
        BoardPolicy(planes, gymnasium.spaces.Discrete(7), lambda _: 1e-3)
    no_pass = BoardPolicy(planes, gymnasium.spaces.Discrete(16), lambda _: 1e-3)
    assert logits_of(no_pass, np.zeros((1, 6, 4, 4), np.float32)).shape == (1, 16)


@pytest.mark.parametrize("layers", [0, -1])
def test_a_policy_of_no_layers_is_refused(layers: int) -> None:
    env = VecEnv("go", num_envs=2, size=4)
    with pytest.raises(ValueError, match=f"layers must be at least 1, not {layers}"):
        model_of(env, layers=layers)


@pytest.mark.parametrize(
    ("make", "options", "error", "message"),
    [
        (BoardPolicy, {"channels": 0}, ValueError, "channels must be at least 1, not 0"),
        (BoardPolicy, {"layers": 2.0}, TypeError, "layers must be an integer, not float"),
        (BoardCNN, {"layers": -1}, ValueError, "layers must be at least 0, not -1"),
        (BoardCNN, {"channels": -4}, ValueError, "channels must be at least 1, not -4"),
        (BoardCNN, {"features_dim": 0}, ValueError, "features_dim must be at least 1, not 0"),
    ],
)
def test_a_number_that_makes_no_layers_is_refused(
    make: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    planes = gymnasium.spaces.Box(0, 1, (6, 4, 4))
    given = [gymnasium.spaces.Discrete(17), lambda _: 1e-3] if make is BoardPolicy else []
    with pytest.raises(error, match=message):
        make(planes, *given, **options)


def test_features_need_no_convolution() -> None:
    features = BoardCNN(gymnasium.spaces.Box(0, 1, (6, 4, 4)), features_dim=5, layers=0)
    assert features(torch.zeros(2, 6, 4, 4)).shape == (2, 5)


class Nth:
    """A policy that plays the legal action of its number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def predict(self, _planes: Any, action_masks: Any) -> tuple[Any, None]:
        return np.array([np.flatnonzero(mask)[self.number] for mask in action_masks]), None


def test_a_game_goes_on_with_its_policy_when_another_one_goes() -> None:
    policies: list[Any] = [Nth(number) for number in range(4)]
    pool = PolicyPool(most=3, seed=1)
    for policy in policies[:3]:
        pool.add(policy)
    batch, index = sixplane.GameBatch(sixplane.Gomoku(size=7), 40), np.arange(40)
    first = pool.select_actions(batch, index)
    assert set(first.tolist()) == {0, 1, 2}
    pool.add(policies[3])
    # The second goes, and the third plays its games.
    batch.play(np.full(40, 47))
    batch.play(np.full(40, 48))
    assert pool.select_actions(batch, index).tolist() == np.where(first == 1, 2, first).tolist()


def test_steps_of_another_model_do_not_count() -> None:
    callback = SelfPlayCallback(every=24)
    for _ in range(3):
        model_of(VecEnv("reversi", num_envs=2, size=4)).learn(16, callback=callback)
        assert callback.pool is not None and len(callback.pool) == 1


def test_the_policy_that_is_rated_plays_its_best_actions() -> None:
    env = VecEnv("reversi", num_envs=2)
    planes, callback = env.reset(), LadderCallback()
    callback.model = model_of(env)
    best = logits_of(callback.model.policy, planes)
    best[~env.action_masks()] = -np.inf
    for _ in range(20):
        assert callback._choose(planes, env.action_masks()).tolist() == best.argmax(axis=1).tolist()


def test_a_new_policy_prefers_no_action_and_its_optimizer_takes_the_options_that_are_given() -> None:
    env = VecEnv("gomoku", num_envs=4, size=5)
    policy = model_of(env, optimizer_kwargs={"weight_decay": 0.25}).policy
    assert [group["weight_decay"] for group in policy.optimizer.param_groups] == [0.25]
    logits = logits_of(policy, env.reset())
    assert np.ptp(logits) < 0.1


class Sees:
    """A policy that keeps the planes that it is shown."""

    def predict(self, planes: Any, action_masks: Any) -> tuple[Any, None]:
        self.planes = planes
        return action_masks.argmax(axis=1), None


@pytest.mark.parametrize(("view", "own"), [("player", 0), ("black", 1)])
def test_a_pool_shows_its_policies_the_planes_that_they_have_learned_from(view: Any, own: int) -> None:
    # White is to play: one stone of White's and two of Black's are on the board.
    game, policy = sixplane.Gomoku(size=5).replay([0, 5, 1]), Sees()
    pool: Any = PolicyPool(view=view)
    pool.add(policy)
    assert pool.select_action(game) == 2
    assert [policy.planes[0, color].sum() for color in (own, 1 - own)] == [1, 2]


def test_seats_are_random_by_a_seed_that_counts_once_and_the_learners_stones_come_first() -> None:
    env = VecEnv("gomoku", num_envs=32, size=5)
    env.seed(1)
    planes = env.reset()
    assert not planes[:, 0].any()
    seats = [info["seat"] for info in env.reset_infos]
    # White's games begin with a stone of Black's.
    assert set(seats) == {0, 1} and planes[:, 1].sum((1, 2)).tolist() == seats
    env.reset()
    assert [info["seat"] for info in env.reset_infos] != seats
    env.seed(1)
    env.reset()
    assert [info["seat"] for info in env.reset_infos] == seats


def test_some_of_the_games_have_their_attributes_and_no_opponent_of_their_own() -> None:
    env = VecEnv("gomoku", num_envs=3, size=5)
    opponent = env.opponent
    assert env.get_attr("num_envs", indices=[0, 2]) == [3, 3]
    with pytest.raises(AttributeError, match="only the opponent of all games can be set, not that of some"):
        env.set_attr("opponent", "random", indices=[0, 2])
    assert env.opponent is opponent
    env.set_attr("opponent", "random")
    assert env.opponent is not opponent


def test_games_are_shown_as_pictures() -> None:
    env = VecEnv("gomoku", num_envs=2, size=5, render_mode="rgb_array")
    env.reset()
    one, other = (np.asarray(picture) for picture in env.get_images())
    assert one.ndim == 3 and one.shape == other.shape
