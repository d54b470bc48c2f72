"""The examples for other libraries learn: from nothing to more than random play in a quarter of a minute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from example_output import example_output, score_against

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("command", "looks", "least"),
    [
        ("maskable_ppo.py", 150, 65),
        ("ppo_selfplay.py", 5, 60),
        ("torchrl_ppo.py", 4, 65),
        # With half its games at a time it learns as much from half the steps.
        ("tianshou_dqn.py --envs 16", 3, 55),
    ],
)
def test_it_learns_to_beat_random_play(tmp_path: Path, command: str, looks: int, least: float) -> None:
    short = ["--threads", "1", "--games", "200"]
    told = example_output(tmp_path, *command.split(), *short, looks=looks)
    assert score_against("random", told) > least
    assert score_against("mcts:simulations=100", told) < 100
    (saved,) = tmp_path.iterdir()
    assert saved.stat().st_size > 10_000
