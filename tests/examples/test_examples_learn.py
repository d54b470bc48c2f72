"""The examples for other libraries learn: from nothing to more than random play in a quarter of a minute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from example_output import example_output, score_against

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("command", "looks", "least", "saved"),
    [
        ("maskable_ppo.py", 300, 65, "maskable_ppo.zip"),
        ("ppo_selfplay.py", 9, 60, "ppo_reversi6.pt"),
        ("torchrl_ppo.py", 7, 65, "torchrl_ppo.pt"),
        # With half its games at a time it learns as much from half the steps.
        ("tianshou_dqn.py --envs 16", 5, 55, "tianshou_dqn.pt"),
    ],
)
def test_it_learns_to_beat_random_play(
    tmp_path: Path, command: str, looks: int, least: float, saved: str
) -> None:
    told = example_output(tmp_path, *command.split(), "--threads", "1", "--games", "200", looks=looks)
    assert score_against("random", told) > least
    assert score_against("mcts:simulations=100", told) < 100
    assert (tmp_path / saved).stat().st_size > 10_000
