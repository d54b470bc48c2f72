"""How a game of Go is counted on the page, and links that reproduce positions."""

from __future__ import annotations

import base64
import random
import threading
import zlib
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from sixplane.agents import STOP, RandomAgent
from sixplane.play.players import Players
from sixplane.web.counting import Counting
from sixplane.web.links import LONGEST_LINK, position_of, text_of
from sixplane.web.refusal import RefusedError
from sixplane.web.requested import Display
from sixplane.web.session import PageSession
from sixplane.web.view import position, state
from waiting import MINUTE, until

if TYPE_CHECKING:
    from sixplane.agents.agent import Choice

#: A wall in the middle; a stone of each color is behind the other's.
WALL = (
    "(;GM[1]SZ[9]KM[6.5];B[ed];W[fd];B[ee];W[fe];B[ef];W[ff];B[ec];W[fc];B[eb];W[fb];B[ea];W[fa]"
    ";B[eg];W[fg];B[eh];W[fh];B[ei];W[fi];B[hc];W[bf];B[];W[])"
)
DEAD = [25, 46]


def counted(*players: RandomAgent | None) -> PageSession:
    black, white = players
    session = PageSession(Players((black, white), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    session.new(Players((black, white), ("", ""), RandomAgent(seed=1)), sixplane.Go.from_sgf(WALL))
    return session


def test_both_players_must_agree_on_what_is_dead() -> None:
    session = counted(None, None)
    at = session.snapshot().game.move_number
    result = session.snapshot().result
    assert result is not None and (result.winner, result.score) == ("white", -6.5)
    # What random games hold to be dead is proposed.
    session.live.agree(0, at)
    seen: dict[str, Any] = state(session.snapshot(), Display())
    assert seen["counting"] == {"dead": DEAD, "agreed": [True, False], "score": 2.5}
    assert seen["tally"] == ("points", 45, 42.5) and seen["result"]["winner"] == "white"
    session.live.agree(1, at)
    result = session.snapshot().result
    assert result is not None and (result.winner, result.score, result.sgf_result) == ("black", 2.5, "B+2.5")
    assert "RE[B+2.5]" in session.record()
    # Another mark opens the question again, and what was played stays.
    session.live.mark(DEAD[0], at)
    again = session.snapshot()
    assert again.result is not None and again.result.winner == "white" and again.game.move_number == at
    session.live.undo()
    assert session.snapshot().counting is None
    with pytest.raises(RefusedError) as caught:
        session.live.mark(0, at - 1)
    assert caught.value.reason == "nothing_to_count"


def test_a_dead_stone_where_nobody_owns_the_point_has_a_cross() -> None:
    session = counted(None, None)
    players = Players((None, None), ("", ""), RandomAgent(seed=1))
    game = sixplane.Go(size=5).replay([0, 24, 12, 25, 25])
    session.new(players, game)
    at = game.move_number
    for point in (24, 12):  # random games hold the only white stone to be dead
        session.live.mark(point, at)
    seen: dict[str, Any] = state(session.snapshot(), Display())
    assert seen["counting"]["dead"] == [12] and seen["record_marks"] == [[12, "cross", ""]]
    # Here the other stones own it, and a square says so.
    session.live.mark(0, at)
    assert state(session.snapshot(), Display())["record_marks"] == []


def test_an_agent_agrees_with_what_random_games_say() -> None:
    session = counted(None, RandomAgent(seed=1))
    at = session.snapshot().game.move_number
    counting = session.snapshot().counting
    assert counting is not None and counting.agreed == (False, True)
    session.live.mark(DEAD[0], at)
    session.live.agree(0, at)
    counting = session.snapshot().counting
    assert counting is not None and counting.agreed == (True, False)
    session.live.mark(None, at)
    session.live.agree(0, at)
    counting = session.snapshot().counting
    assert counting is not None and sorted(counting.dead) == DEAD and counting.agreed == (True, True)
    assert session.snapshot().result is not None
    with pytest.raises(RefusedError):
        session.live.agree(1, at)


def test_marks_are_of_stones_in_the_position_that_the_page_has_seen() -> None:
    session = counted(None, None)
    at = session.snapshot().game.move_number
    for point, place, reason in ((0, at, "no_stone"), (999, at, "no_stone"), (DEAD[0], at - 1, "too_late")):
        with pytest.raises(RefusedError) as caught:
            session.live.mark(point, place)
        assert caught.value.reason == reason
    assert Counting.of(sixplane.Go(size=5), (True, True)) is None
    assert Counting.of(sixplane.Go.from_sgf(WALL), (False, False)) is None


class Waiting:
    """Never answers."""

    def select_action(self, _game: sixplane.Game) -> int:
        threading.Event().wait(10 * MINUTE)
        return 0


@pytest.mark.parametrize("white", [None, Waiting()], ids=["person", "agent"])
@pytest.mark.parametrize(
    ("game", "score", "recorded"),
    [(sixplane.Reversi(size=6), 3, "RE[B+3]"), (sixplane.Gomoku(size=7), 0, "RE[Draw]")],
    ids=["Reversi", "Gomoku"],
)
def test_a_game_that_is_stopped_is_decided_by_the_board_and_goes_on_after_undo(
    game: sixplane.Game, score: int, recorded: str, white: Waiting | None
) -> None:
    session = PageSession(Players((None, white), ("", ""), RandomAgent(seed=1)), game)
    session.start()
    session.live.play(int(game.legal_actions[0]), 0)
    assert session.snapshot().can_stop
    with pytest.raises(RefusedError, match="too late"):
        session.live.stop(0)
    session.live.stop(1)
    snapshot, result = session.snapshot(), session.snapshot().result
    # The referee of a match says the same of an agent that stops.
    assert result is not None and (result.ending, result.score) == ("stopped", score)
    assert result.winner == ("black" if score else "draw") and not result.record.is_over
    assert recorded in session.record() and snapshot.can_undo and not snapshot.can_stop
    assert not snapshot.is_thinking and snapshot.timed is None
    for refused in (session.live.stop, session.live.resign, lambda at: session.live.play(0, at)):
        with pytest.raises(RefusedError, match="game over"):
            refused(1)
    shown: Any = state(snapshot, Display())["result"]
    assert (shown["winner"], shown["ending"], shown["margin"]) == (result.winner, "stopped", score)
    session.live.undo()
    after = session.snapshot()
    assert after.result is None and after.game.move_number == 1 and after.is_thinking == (white is not None)
    session.close()


def test_a_game_is_stopped_by_its_persons_and_go_by_two_passes() -> None:
    session = PageSession(Players((None, None), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    assert not session.snapshot().can_stop
    with pytest.raises(RefusedError, match="two passes"):
        session.live.stop(0)
    session.new(Players((Waiting(), Waiting()), ("", ""), RandomAgent(seed=1)), sixplane.Reversi(size=4))
    assert not session.snapshot().can_stop
    with pytest.raises(RefusedError, match="not your turn"):
        session.live.stop(0)


def test_an_agent_that_stops_has_the_board_decide() -> None:
    class Stopping:
        def select_action(self, _game: sixplane.Game) -> Choice:
            return STOP

    session = PageSession(Players((Stopping(), None), ("", ""), RandomAgent(seed=1)), sixplane.Gomoku(size=7))
    session.start()
    until(lambda: session.snapshot().result is not None)
    result = session.snapshot().result
    assert result is not None and (result.winner, result.ending) == ("draw", "stopped")


@pytest.mark.parametrize(
    "game",
    [
        sixplane.Go.from_sgf(WALL),
        sixplane.Go(size=(2, 25), komi=-3.5, ko="situational", suicide=True),
        sixplane.Go(size=9, handicap=4),
        sixplane.Go.from_sgf("(;GM[1]SZ[5]AB[aa][bb]AW[cc]PL[W];W[dd];W[ee])"),
        sixplane.Reversi(size=6),
        sixplane.Gomoku(size=(7, 9), exact_five=True),
        sixplane.Reversi(size=6, max_moves=40),
        sixplane.Go(size=5, max_moves=7),
    ],
    ids=lambda game: f"{game.name}-{game.rows}x{game.cols}-{game.move_number}",
)
def test_a_link_gives_the_position_with_its_history_and_rules(game: sixplane.Game) -> None:
    agent = RandomAgent(seed=1)
    for _ in range(12):
        if not game.is_over:
            game.play(int(agent.select_action(game)))  # type: ignore[arg-type]
    found = position_of(text_of(game))
    assert found == game
    assert text_of(found) == text_of(game)


def test_a_link_from_before_there_were_limits_in_it_still_opens() -> None:
    game = sixplane.Go(size=5, max_moves=4).replay([0, 1, 2, 3])
    found = position_of(packed(game.to_sgf().encode()))
    assert (found.max_moves, found.actions.tolist()) == (None, [0, 1, 2, 3])
    assert position_of(text_of(game)).ending == "cutoff"


def packed(record: bytes) -> str:
    packer = zlib.compressobj(9, wbits=-15)
    return base64.urlsafe_b64encode(packer.compress(record) + packer.flush()).decode().rstrip("=")


GOOD = text_of(sixplane.Go.from_sgf(WALL))


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", " ", "<script>", "a" * (LONGEST_LINK + 1), GOOD[:-5], GOOD + "AAAA"),
        *(f"{GOOD}=", f" {GOOD}", f"{GOOD}\n", packed(b""), packed(b"hello"), packed(b"(" * 30_000)),
        *(packed(b"\0" * 10_000_000), packed(b"(;GM[1]SZ[99])")),
        packed(b"(;GM[1]SZ[5];B[aa];W[aa])"),
        *(packed(limit + b"(;GM[1]SZ[5];B[aa];W[bb])") for limit in (b"0", b"1", b"-5", b" 5", b"9" * 10)),
        packed(b"(;GM[1]SZ[5];B[aa])(;GM[1]SZ[5])"),
        packed(b"(;GM[1]SZ[25]" + b";B[aa];W[bb];B[]" * 2000 + b")"),
    ],
    ids=lambda text: text[:12] or "empty",
)  # fmt: skip
def test_hostile_links_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(RefusedError) as caught:
        position_of(text)
    assert caught.value.reason == "bad_link" and str(caught.value) == "the link is damaged"


def test_links_at_random_open_nothing_or_a_game() -> None:
    rng = random.Random(1)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    opened = refused = 0
    for _ in range(2000):
        text = list(GOOD)
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice(letters)
        try:
            assert isinstance(position_of("".join(text)), sixplane.Game)
            opened += 1
        except RefusedError as error:
            assert error.reason == "bad_link"  # noqa: PT017 - either is right
            refused += 1
    assert opened and refused


def test_a_link_has_so_many_moves_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sixplane.Go(size=5).replay([0, 1, 2])
    text = text_of(game)
    monkeypatch.setattr("sixplane.web.links.MOST_MOVES", 2)
    with pytest.raises(RefusedError, match="the game is too long for a link"):
        text_of(game)
    with pytest.raises(RefusedError, match="the link is damaged"):
        position_of(text)
    game.undo()
    assert position_of(text_of(game)) == game


def test_dead_stones_are_marked_at_the_end_and_not_on_earlier_positions() -> None:
    session = counted(None, None)
    places = session.snapshot().places
    told: list[dict[str, Any]] = [state(session.snapshot(place), Display()) for place in places[-2:]]
    assert [one["counting"] is None for one in told] == [True, False]
    assert [one["tally"] is None or one["tally"][0] for one in told] == ["captured", "points"]


def test_owners_are_shown_at_the_end_of_the_game_and_not_of_what_is_tried_out() -> None:
    session = PageSession(Players((None, None), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    session.live.play(12, 0)
    end = session.try_out(session.try_out(session.live.place, 25), 25)
    squares = 'stroke-opacity=".55"'
    assert squares not in str(state(session.snapshot(end), Display())["board"])
    session.live.play(25, 1)
    session.live.play(25, 2)
    assert squares in str(state(session.snapshot(), Display())["board"])


def test_no_point_is_marked_as_illegal_when_the_game_is_over() -> None:
    session = PageSession(Players((None, None), ("", ""), RandomAgent(seed=1)), sixplane.Gomoku(size=5))
    session.live.play(12, 0)
    session.live.resign(1)
    game = session.snapshot().game
    marked, plain = (position(game, Display(marks=marks))["board"] for marks in (True, False))
    assert marked == plain


def test_what_a_page_was_told_stays_while_the_game_goes_on() -> None:
    session = PageSession(Players((None, None), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    before = session.snapshot()
    session.live.play(12, 0)
    assert (before.game.move_number, before.shown.move_number, len(before.places)) == (0, 0, 1)
