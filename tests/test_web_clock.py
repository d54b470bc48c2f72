"""The clock of the page's game around Undo: before the first move of a person, and the times of moves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import sixplane
from sixplane.agents import RandomAgent
from sixplane.play.players import Players
from sixplane.web import clock
from sixplane.web.records import open_record
from sixplane.web.session import PageSession


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
