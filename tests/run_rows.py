"""Rows of runs of training that look like real ones."""

from __future__ import annotations

import math
from typing import Any

from sixplane.learn import Row, Strength

__all__ = ["healthy"]


def healthy(count: int, **changed: Any) -> list[Row]:
    """A run that learns, a row a minute; `changed` holds in all rows, or is a function of the minute."""
    return [_row(minute, changed) for minute in range(1, count + 1)]


def _row(minute: int, changed: dict[str, Any]) -> Row:
    learned = 1 - math.exp(-minute / 10)
    figures: dict[str, Any] = {
        "time": f"2026-11-22T{8 + minute // 60:02}:{minute % 60:02}:00Z",
        "minutes": float(minute),
        "games": 900 * minute,
        "positions": 54_000 * minute,
        "samples": 162_000 * minute,
        "version": 6 * minute,
        "loss": 5.0 - 3 * learned,
        "policy_loss": 4.2 - 2.5 * learned,
        "value_loss": 0.9 - 0.4 * learned,
        "ownership_loss": 0.6 - 0.3 * learned,
        "score_loss": 0.3 - 0.1 * learned,
        "policy_entropy": 2.2 - learned,
        "positions_per_second": 900.0 + minute % 7,
        "play_share": 0.6,
        "train_share": 0.3,
        "judge_share": 0.04,
        "driver_share": 0.02,
        "driver_load": 0.06,
        "staleness": 1.5,
        "most_staleness": 3.0,
        "call_bytes": 6e6,
        "network_share": 0.65,
        "window": min(200_000, 20_000 * minute),
        "black_wins": 0.5,
        "draws": 0.02,
        "game_length": 60.0,
        "certain_share": 0.3,
        "wrongly_decided": 0.04,
        "distinct_openings": 0.9,
    }
    if minute % 5 == 0:
        figures["strengths"] = {
            "random": Strength(0.9, 0.85, 0.95),
            "rollouts, 400": Strength(learned, learned - 0.05, learned + 0.05),
        }
        figures |= {"elo": 800 * learned, "elo_low": 700 * learned, "elo_high": 900 * learned}
    for name, value in changed.items():
        figures[name] = value(minute) if callable(value) else value
    return Row(**figures)
