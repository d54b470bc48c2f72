"""The examples for other libraries learn: from nothing to more than random play in a quarter of a minute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from example_output import example_output, score_against

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("example", "minutes", "least", "saved"),
    [
        ("maskable_ppo.py", "0.25", 65, "maskable_ppo.zip"),
        ("ppo_selfplay.py", "0.25", 60, "ppo_reversi6.pt"),
        ("torchrl_ppo.py", "0.25", 65, "torchrl_ppo.pt"),
        ("tianshou_dqn.py", "0.5", 55, "tianshou_dqn.pt"),
    ],
)
def test_it_learns_to_beat_random_play(
    tmp_path: Path, example: str, minutes: str, least: float, saved: str
) -> None:
    options = ["--minutes", minutes, "--threads", "1", "--games", "200"]
    told = example_output(tmp_path, example, *options, by_processor=True)
    assert score_against("random", told) > least
    assert score_against("mcts:simulations=100", told) < 100
    assert (tmp_path / saved).stat().st_size > 10_000
