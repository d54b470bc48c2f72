"""The time of a game behind GTP."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import sixplane
from gtp_talk import say
from sixplane.protocols.gtp import GTPEngine
from sixplane.protocols.gtp.clock import GTPClock


def test_times_become_seconds_for_a_move() -> None:
    clock = GTPClock()
    assert clock.seconds(0) is None
    clock.set(0, 5, 1)
    assert clock.seconds(0) == pytest.approx(4.5)
    clock.set(0, 30, 10)
    assert clock.seconds(1) == pytest.approx(2.7)
    clock.set(300, 0, 0)
    assert clock.seconds(1) == pytest.approx(9)
    clock.set_left(1, 30, 0)
    assert clock.seconds(1) == pytest.approx(0.9)
    clock.set_left(1, 10, 5)
    assert clock.seconds(1) == pytest.approx(1.8)
    clock.set(0, 5, 0)
    assert clock.seconds(1) is None

    class Timed:
        limits: list[float] = []  # noqa: RUF012

        def limit_time(self, seconds: float) -> None:
            self.limits.append(seconds)

        def select_action(self, game: sixplane.Game) -> Any:
            return game.legal_actions[0]

    engine = GTPEngine(sixplane.Go(5), Timed())
    say(engine, "genmove b", "time_settings 0 10 1", "genmove w", "time_left b 3 1", "genmove b")
    assert Timed.limits == pytest.approx([9.0, 2.7])


def test_moves_take_their_time_from_what_is_left() -> None:
    clock = GTPClock()
    clock.spend(0, 5)
    assert clock.seconds(0) is None
    # A main time alone lasts for any number of moves.
    clock.set(300, 0, 0)
    spent = 0.0
    for _ in range(400):
        seconds = clock.seconds(0)
        assert seconds is not None
        clock.spend(0, seconds)
        spent += seconds
    assert 290 < spent < 304  # the least time of a move is 0.01 s
    assert clock.seconds(1) == pytest.approx(9)
    clock.begin()
    assert clock.seconds(0) == pytest.approx(9)
    # A period begins anew when its moves are played, and when the main time is over.
    clock.set(6, 10, 2)
    assert clock.seconds(0) == pytest.approx(0.9 * (6 / 30 + 5))
    clock.spend(0, 7)  # one second of the first period, and its first move
    assert clock.seconds(0) == pytest.approx(0.9 * 9)
    clock.spend(0, 9)
    assert clock.seconds(0) == pytest.approx(0.9 * 5)
    clock.spend(0, 2)
    assert clock.seconds(0) == pytest.approx(0.9 * 8)
    # What a controller says counts from then on, until a new game.
    clock.set_left(0, 4, 2)
    clock.spend(0, 1)
    assert clock.seconds(0) == pytest.approx(0.9 * 3)
    clock.begin()
    assert clock.seconds(0) == pytest.approx(0.9 * (6 / 30 + 5))


class Slow:
    """Notes what limits it gets, and takes a while."""

    def __init__(self) -> None:
        self.limits: list[float] = []

    def limit_time(self, seconds: float) -> None:
        self.limits.append(seconds)

    def select_action(self, game: sixplane.Game) -> Any:
        time.sleep(0.02)
        return game.legal_actions[0]


def test_an_agent_that_knows_no_infinity_plays_on_when_the_time_is_set_to_none() -> None:
    class Whole(Slow):
        def limit_time(self, seconds: float) -> None:
            super().limit_time(int(1000 * seconds))

    agent = Whole()
    engine = GTPEngine(sixplane.Go(5), agent)
    said = say(engine, "time_settings 60 0 0", "genmove b", "time_settings 0 1 0", "genmove w")
    assert len(agent.limits) == 1 and engine.game.move_number == 2, said


@pytest.mark.parametrize("new_game", ["clear_board", "boardsize 5"])
def test_an_engine_counts_its_time_itself_and_begins_a_game_with_all_of_it(new_game: str) -> None:
    agent = Slow()
    engine = GTPEngine(sixplane.Go(5), agent)
    say(engine, "time_settings 3 0 0", "genmove b", "genmove b", "genmove b")
    assert agent.limits[0] == pytest.approx(0.09)
    # At least 20 ms each, and at most what a busy machine makes of it.
    assert agent.limits[0] - 0.0005 > agent.limits[1] > agent.limits[2] + 0.0005 > 0.0005
    say(engine, "time_left b 0.6 0", "genmove b", new_game, "genmove b")
    assert agent.limits[3:] == pytest.approx([0.018, 0.09])
    # What is not played takes no time.
    say(engine, new_game, "reg_genmove b", "reg_genmove b")
    assert agent.limits[5:] == pytest.approx([0.09, 0.09])


def test_a_loaded_game_begins_with_all_of_the_time(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(sixplane.Go(5).replay([12]).to_sgf())
    engine = GTPEngine(sixplane.Go(5), agent := Slow())
    say(engine, "time_settings 3 0 0", "time_left w 0.6 0", f"loadsgf {file}", "genmove w")
    assert agent.limits == pytest.approx([0.09])
