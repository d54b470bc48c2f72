"""The time that self-play takes of each row, where calls are longer than a row."""

from __future__ import annotations

import math

import pytest

from sixplane.runs.calls import Call
from sixplane.runs.play_time import PlayTime, Share


def call(number: int, seconds: float, now: float, network: float = 0.5) -> Call:
    return Call(number, 0, 0, 4, 90, 900, seconds, network * seconds, now / 60, "host")


def shares_of(time: PlayTime, rows: list[tuple[float, list[Call], int]], workers: int) -> list[Share]:
    """The shares of rows that end at these times, with the calls that end in them and those begun."""
    found: list[Share] = []
    for end, calls, tasks in rows:
        for one in calls:
            time.end(one)
            time.begin(tasks, workers, 60 * one.minutes)
        time.begin(tasks, workers, end)
        changed = time.row(end, workers)
        found[len(found) + 1 - len(changed) :] = changed
    return found


def test_a_long_call_is_spread_over_its_rows() -> None:
    time = PlayTime(0, 0)
    time.begin(1, 1, 0)
    rows: list[tuple[float, list[Call], int]] = [(60.0 * i, [], 1) for i in (1, 2, 3)]
    before = shares_of(time, rows, 1)
    # As long as it plays, it counts as busy; what the network takes of that is not known yet.
    assert [one.play for one in before] == [0.5, 0.5, 0.5] and all(math.isnan(one.network) for one in before)
    time.end(call(1, 190, 190, network=0.8))
    after = time.row(240, 1)
    assert [one.play for one in after] == pytest.approx([0.5, 0.5, 0.5, 10 / 120])
    assert [one.network for one in after] == pytest.approx([0.8] * 4)


def test_play_is_never_more_than_all_workers_have() -> None:
    time = PlayTime(0, 0)
    time.begin(4, 2, 0)
    # Two workers without a pause, whose calls take 75 seconds each.
    rows: list[tuple[float, list[Call], int]] = []
    for i in range(1, 13):
        ended = [75.0 * j for j in range(1, 13) if 60 * (i - 1) < 75 * j <= 60 * i]
        calls = [call(round(2 * now / 75) - k, 75, now) for now in ended for k in (1, 0)]
        rows.append((60.0 * i, calls, 4 + round(2 * (60 * i // 75))))
    found = shares_of(time, rows, 2)
    assert [one.play for one in found] == pytest.approx([2 / 3] * 12)
    assert [one.network for one in found] == pytest.approx([0.5] * 12)


def test_two_calls_at_once_are_no_more_than_the_one_worker_that_is_left() -> None:
    time = PlayTime(0, 0)
    time.begin(2, 2, 0)
    time.end(call(1, 60, 60))
    time.end(call(2, 60, 60))
    (row,) = time.row(60, 1)
    assert row.play == 0.5


def test_calls_that_wait_for_a_worker_do_not_count() -> None:
    time = PlayTime(100, 7)
    time.begin(9, 1, 110)
    (row,) = time.row(160, 1)
    assert row.play == pytest.approx(50 / 120)
    # The second ran before the driver took the games of the first.
    time.end(call(8, 20, 200))
    time.end(call(9, 70, 200))
    first, second = time.row(220, 1)
    assert first.play == pytest.approx((20 + 30) / 120)
    assert second.play == pytest.approx(40 / 120)


def test_a_row_without_self_play_has_none() -> None:
    time = PlayTime(0, 0)
    time.begin(1, 1, 0)
    time.end(call(1, 60, 60))
    time.row(60, 1)
    (row,) = time.row(120, 1)
    assert row.play == 0 and math.isnan(row.network)
