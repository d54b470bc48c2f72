"""The clock of the page's game around Undo: before the first move of a person, and the times of moves."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

import sixplane
from sixplane.agents import RandomAgent
from sixplane.play.players import Players
from sixplane.web import clock
from sixplane.web.records import open_record
from sixplane.web.refusal import RefusedError
from sixplane.web.session import PageSession
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Callable


class Hand:
    """A clock that goes when it is told to."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    hand = Hand()
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=hand.monotonic))
    return hand


def begun(game: sixplane.Game) -> PageSession:
    players = Players((None, None), ("", ""), RandomAgent(seed=1), seconds_per_move=600)
    session = PageSession(players, game)
    session.start()
    return session


def test_no_clock_runs_where_undo_goes_back_beyond_the_position_that_the_game_began_with(hand: Hand) -> None:
    record = open_record(b"(;GM[1]SZ[5];B[aa];W[bb];B[cc];W[dd])")
    session = begun(record.game)
    players = session.snapshot().players
    # The positions of a record stay when they are left, and those of another game that goes on do not.
    for tree in (record.tree, None):
        session.new(players, record.game, tree)
        session.live.undo()
        session.live.undo()
        assert session.snapshot().timed is None
        # The first move of a person starts it, also where that was a move of the record.
        session.live.play(12, 2)
        assert session.snapshot().timed == 1
        hand.now += 2
        session.live.undo()
        assert (session.snapshot().timed, session.snapshot().spent) == (None, (0, 2))
    session.close()


def test_a_first_move_does_not_get_the_seconds_of_a_turn_that_was_taken_back(hand: Hand) -> None:
    session = begun(sixplane.Go(size=5))
    session.live.play(3, 0)
    hand.now += 2
    session.live.undo()
    session.live.play(4, 0)
    hand.now += 3
    session.live.play(5, 1)
    snapshot = session.snapshot()
    seconds = [place.seconds for place in snapshot.line[1:]]
    assert (seconds, snapshot.spent) == ([0, 3], (0, 5))
    session.close()


def test_again_begins_where_undo_went_back_to_beyond_the_position_that_the_game_began_with() -> None:
    session = begun(sixplane.Go(size=5).replay([0, 1, 2, 3]))
    session.live.undo()
    session.live.undo()
    # Another game may not take its place without being asked for.
    assert session.snapshot().is_played
    session.live.play(12, 2)
    session.live.resign(3)
    session.again()
    assert [*session.live.game.actions] == [0, 1]
    session.close()


def test_again_begins_at_the_start_where_a_record_was_opened_at_the_end_of_its_game() -> None:
    record = open_record(b"(;GM[1]SZ[5];B[aa];W[];B[])")
    session = begun(sixplane.Go(size=5))
    session.new(session.snapshot().players, record.game, record.tree)
    assert session.snapshot().result is not None
    session.again()
    assert session.snapshot().result is None and session.snapshot().game.move_number == 0
    session.close()


def test_nobody_plays_on_in_a_game_that_another_has_followed() -> None:
    session = begun(sixplane.Go(size=5))
    session.live.play(3, 0)
    before = session.live
    session.new(session.snapshot().players, sixplane.Go(size=5))
    late: dict[str, Callable[[], object]] = {
        "play": lambda: before.play(4, 1),
        "resign": lambda: before.resign(1),
        "undo": before.undo,
    }
    for name, call in late.items():
        with pytest.raises(RefusedError) as caught:
            call()
        assert caught.value.reason == ("nothing_to_undo" if name == "undo" else "too_late")
    assert before.game.actions.tolist() == [3] and before.clock.color is None
    session.close()


def test_what_was_played_before_a_game_was_continued_stays_when_it_is_taken_back() -> None:
    session = begun(sixplane.Go(size=5))
    for at, action in enumerate((1, 2, 3)):
        session.live.play(action, at)
    players, place = session.snapshot().players, session.live.place
    session.resume(players, place)
    session.live.undo()
    assert session.live.game.move_number == 2 and session.game_at(place).move_number == 3
    session.close()


def test_another_game_closes_the_adviser_of_the_one_before() -> None:
    class Program:
        def __init__(self) -> None:
            self.is_closed = threading.Event()

        def select_action(self, game: sixplane.Game) -> int:
            return int(game.legal_actions[0])

        def close(self) -> None:
            self.is_closed.set()

    program = Program()
    session = PageSession(Players((None, None), ("", ""), program), sixplane.Go(size=5))
    session.new(Players((None, None), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    assert program.is_closed.wait(MINUTE)


class InSteps:
    """Answers each question when it may."""

    def __init__(self) -> None:
        self.may = [threading.Event(), threading.Event()]
        self.asked = [threading.Event(), threading.Event()]
        self.count = 0

    def select_action(self, game: sixplane.Game) -> int:
        number = self.count
        self.count += 1
        self.asked[number].set()
        assert self.may[number].wait(MINUTE)
        return int(game.legal_actions[0])


def test_an_agent_has_its_whole_time_after_it_thought_about_a_move_that_was_taken_back() -> None:
    agent = InSteps()
    players = Players((None, agent), ("", ""), RandomAgent(seed=1), seconds_per_move=10 * MINUTE)
    session = PageSession(players, sixplane.Go(size=5))
    session.start()
    session.live.play(12, 0)
    assert agent.asked[0].wait(MINUTE) and session.snapshot().timed == 1
    session.live.undo()
    session.live.play(12, 0)
    # It still thinks about the move that was taken back, which is not its fault.
    assert session.snapshot().timed is None and session.snapshot().is_thinking
    agent.may[0].set()
    assert agent.asked[1].wait(MINUTE) and session.snapshot().timed == 1
    agent.may[1].set()
    until(lambda: session.snapshot().game.move_number == 2)
    assert session.snapshot().timed == 0
    session.close()


def test_an_agent_that_is_busy_for_ever_loses_on_time_all_the_same() -> None:
    agent = InSteps()
    players = Players((None, agent), ("", ""), RandomAgent(seed=1), seconds_per_move=0.05)
    session = PageSession(players, sixplane.Go(size=5))
    session.start()
    for game in range(2):
        if game:
            session.again()
        session.live.play(12, 0)
        until(lambda: session.snapshot().result)
        result = session.snapshot().result
        assert result is not None and (result.winner, result.ending) == ("black", "time")
    assert agent.count == 1
    agent.may[0].set()
    session.close()


def test_the_turn_of_an_agent_is_told_once_with_its_thinking() -> None:
    agent = InSteps()
    players = Players((None, agent), ("", ""), RandomAgent(seed=1), seconds_per_move=10 * MINUTE)
    told: list[bool] = []

    def changed() -> None:
        told.append(session.snapshot().is_thinking)

    session = PageSession(players, sixplane.Go(size=5), changed)
    session.start()
    told.clear()
    session.live.play(12, 0)
    assert told == [True]
    agent.may[0].set()
    until(lambda: session.snapshot().game.move_number == 2)
    session.close()
