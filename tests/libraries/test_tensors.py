"""Arrays as tensors of PyTorch: without copies, and what was kept never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
import torch

import sixplane
from sixplane.envs import MaskInObservation
from sixplane.sb3 import VecEnv
from sixplane.search import MCTS

if TYPE_CHECKING:
    from collections.abc import Iterator

GAMES = [sixplane.Go(size=5, komi=0.5), sixplane.Reversi(size=6), sixplane.Gomoku(size=7)]


def arrays_of_batch(batch: sixplane.GameBatch, rng: np.random.Generator) -> Iterator[Any]:
    """Every array that a step and the batch after it hand out."""
    step = batch.step(sixplane.sample_legal(batch.action_masks, rng))
    yield from step
    yield from (batch.planes, batch.action_masks, batch.turns, batch.dones, batch.outcomes, batch.scores)
    yield from (batch.move_numbers, batch.ownership(), batch.sample())


def arrays_of_game(game: sixplane.Game, rng: np.random.Generator) -> Iterator[Any]:
    """Every array that a game hands out after an action."""
    if not game.is_over:
        game.play(int(sixplane.sample_legal(game.action_mask, rng)))
    yield from (game.planes, game.action_mask, game.legal_actions, game.history_planes(3), game.actions)


def arrays_of_environments(envs: Any, rng: np.random.Generator) -> Iterator[Any]:
    """Every array that a step of a vector environment hands out."""
    masks = envs.action_masks().astype(np.int8)
    planes, rewards, terminated, truncated, info = envs.step(sixplane.sample_legal(masks, rng))
    yield from (planes, rewards, terminated, truncated, envs.action_masks())
    yield from (value for value in info.values() if isinstance(value, np.ndarray) and value.dtype != object)


def arrays_of_one_environment(env: Any, rng: np.random.Generator) -> Iterator[Any]:
    """Every array that an environment of one game hands out, the mask within the observation."""
    action = int(sixplane.sample_legal(env.unwrapped.action_masks().astype(np.int8), rng))
    if action == -1:
        observation, info = env.reset()
    else:
        observation, _, _, _, info = env.step(action)
    yield from observation.values()
    yield from (info["action_mask"], env.unwrapped.action_masks())


def arrays_of_sb3(env: VecEnv, rng: np.random.Generator) -> Iterator[Any]:
    """Every array that a step for Stable-Baselines3 hands out."""
    masks = env.action_masks()
    planes, rewards, dones, infos = env.step(sixplane.sample_legal(masks, rng))
    yield from (masks, planes, rewards, dones)
    yield from (info["terminal_observation"] for info in infos if info)


def arrays_of_search(search: MCTS, game: sixplane.Game) -> Iterator[Any]:
    """Every array that a search hands out."""
    result = search.search(game, simulations=20)
    yield from (result.visits, result.q, result.policy, result.prior)


def check(arrays: list[Any], kept: list[tuple[torch.Tensor, bytes]]) -> None:
    """Makes tensors of arrays, and looks at the earlier ones again."""
    for array in arrays:
        for tensor in (torch.from_numpy(array), torch.from_dlpack(array)):
            assert tensor.data_ptr() == array.ctypes.data or not array.size
            assert tensor.numpy().dtype == array.dtype
            kept.append((tensor, tensor.numpy().tobytes()))
    assert all(tensor.numpy().tobytes() == before for tensor, before in kept)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.filterwarnings("error")
def test_tensors_share_memory_and_stay_as_they_are(game: sixplane.Game) -> None:
    rng = np.random.default_rng(1)
    kept: list[tuple[torch.Tensor, bytes]] = []
    batch, single = sixplane.GameBatch(game, 7, seed=1), game.copy()
    env_id = f"sixplane/{type(game).__name__}-v0"
    options: dict[str, Any] = {"size": game.rows, "view": "player", "dtype": "float32"}
    envs = [
        gymnasium.make_vec(env_id, 3, autoreset_mode="same_step", **options),
        gymnasium.make_vec(env_id, 3, autoreset_mode="next_step", opponent="random", **options),
    ]
    one = MaskInObservation(gymnasium.make(env_id, opponent="random", **options))
    one.reset(seed=1)
    many = VecEnv(type(game).__name__.lower(), 3, size=game.rows)
    many.reset()
    search = MCTS(seed=1)
    for env in envs:
        env.reset(seed=1)
    for _ in range(30):
        check(list(arrays_of_batch(batch, rng)), kept)
        check(list(arrays_of_game(single, rng)), kept)
        check(list(arrays_of_one_environment(one, rng)), kept)
        check(list(arrays_of_sb3(many, rng)), kept)
        if not single.is_over:
            check(list(arrays_of_search(search, single)), kept)
        for env in envs:
            check(list(arrays_of_environments(env, rng)), kept)
    assert len(kept) > 1000
