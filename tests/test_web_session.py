"""One game that several pages see: turns, agents in threads, clocks, undo, hints and results."""

from __future__ import annotations

import sys
import threading
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from sixplane.agents import RESIGN, MCTSAgent, RandomAgent, ScoreTableAgent
from sixplane.games import GAMES
from sixplane.games.plays import plays_of
from sixplane.play.players import Players
from sixplane.web import clock
from sixplane.web.records import open_record
from sixplane.web.refusal import RefusedError
from sixplane.web.requested import Display
from sixplane.web.session import PageSession, Snapshot
from sixplane.web.view import state, stone_pictures
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from sixplane._core import Game
    from sixplane.agents.agent import Agent, Choice


CLASSES = [info.game_class.__name__ for info in GAMES.values()]


class Slow:
    """Answers when it is told to."""

    def __init__(self, choose: Callable[[Game], Choice] = lambda game: int(game.legal_actions[0])) -> None:
        self.may = threading.Event()
        self.asked = threading.Event()
        self.is_closed = False
        self.choose = choose

    def select_action(self, game: Game) -> Choice:
        self.thread = threading.current_thread()
        self.asked.set()
        assert self.may.wait(10 * MINUTE)
        return self.choose(game)

    def has_answered(self) -> bool:
        """Whether it has returned within a minute, and its answer was taken or dropped."""
        self.thread.join(MINUTE)
        return not self.thread.is_alive()

    def close(self) -> None:
        self.is_closed = True
        self.may.set()


def session_of(
    game: Game, black: Agent | None, white: Agent | None, hint: Agent | None = None, **options: Any
) -> tuple[PageSession, Callable[[Callable[[Snapshot], bool]], Snapshot]]:
    """A session that has begun, and a function that waits until it is as wanted."""
    changed = threading.Event()
    players = Players((black, white), ("", ""), hint or RandomAgent(seed=1), **options)
    session = PageSession(players, game, changed.set)

    def wait(wanted: Callable[[Snapshot], bool]) -> Snapshot:
        end = time.monotonic() + MINUTE
        while time.monotonic() < end:
            changed.clear()
            snapshot = session.snapshot()
            if wanted(snapshot):
                return snapshot
            changed.wait(1)
        raise AssertionError("the session did not come to what was wanted")

    session.start()
    return session, wait


def has(number: int) -> Callable[[Snapshot], bool]:
    return lambda snapshot: snapshot.game.move_number == number


@pytest.mark.parametrize("name", CLASSES)
def test_two_persons_play_a_whole_game_and_its_record_reads_as_the_same_game(name: str) -> None:
    start = getattr(sixplane, name)(size=6 if name != "TicTacToe" else 3)
    session, _ = session_of(start, None, None)
    agent = RandomAgent(seed=3)
    while not (game := session.snapshot().game).is_over:
        session.live.play(int(agent.select_action(game)), game.move_number)  # type: ignore[arg-type]
    result = session.snapshot().result
    assert result is not None and result.winner == game.outcome and result.ending == "rules"
    opened = open_record(session.record().encode())
    assert opened.game.actions.tolist() == game.actions.tolist() and not opened.left_out
    with pytest.raises(RefusedError) as caught:
        session.live.play(0, game.move_number)
    assert caught.value.reason == "game_over"


def test_an_agent_answers_and_undo_goes_back_to_the_persons_move() -> None:
    session, wait = session_of(sixplane.Gomoku(size=9), None, ScoreTableAgent(seed=1))
    session.live.play(40, 0)
    assert wait(has(2)).can_undo
    session.live.undo()
    snapshot = session.snapshot()
    assert snapshot.game.move_number == 0 and not snapshot.can_undo
    with pytest.raises(RefusedError) as caught:
        session.live.undo()
    assert caught.value.reason == "nothing_to_undo"


def test_undo_while_an_agent_thinks_drops_its_answer() -> None:
    slow = Slow()
    session, wait = session_of(sixplane.Go(size=5), None, slow)
    session.live.play(12, 0)
    assert slow.asked.wait(MINUTE) and session.snapshot().is_thinking
    with pytest.raises(RefusedError) as caught:
        session.live.play(0, 1)
    assert caught.value.reason == "not_your_turn"
    session.live.undo()
    slow.may.set()
    assert slow.has_answered()
    assert session.snapshot().game.move_number == 0
    session.live.play(11, 0)
    assert wait(has(2)).game.actions.tolist() == [11, 0]


def test_a_search_stops_soon_when_nobody_wants_its_answer() -> None:
    agent = MCTSAgent(seconds=3600)
    parts: list[float] = []
    players = Players((None, agent), ("", ""), agent)
    session = PageSession(players, sixplane.Go(size=5), progress=parts.append)
    session.start()
    session.live.play(12, 0)
    until(lambda: len(parts) >= 3)
    session.live.undo()
    until(lambda: not any(thread.name == "asks MCTSAgent" for thread in threading.enumerate()))
    assert all(0 <= part < 1 for part in parts) and parts == sorted(parts)


def test_a_new_game_closes_the_agents_of_the_old_one_and_forgets_their_answers() -> None:
    slow = Slow()
    session, _ = session_of(sixplane.Go(size=5), slow, None)
    assert slow.asked.wait(MINUTE)
    before = session.snapshot()
    session.new(Players((None, None), ("a", "b"), RandomAgent(seed=1)), sixplane.Reversi(size=4))
    after = session.snapshot()
    assert slow.may.wait(MINUTE) and slow.is_closed
    assert slow.has_answered()
    assert session.snapshot().game == after.game == sixplane.Reversi(size=4)
    assert after.serial > before.serial and after.players.names == ("a", "b")


@pytest.mark.parametrize(
    ("choose", "reason", "said"),
    [
        (lambda _game: RESIGN, "resignation", ""),
        (lambda _game: 999, "illegal", "white: "),
        (lambda _game: "D4", "illegal", "white: "),
        (lambda _game: None, "illegal", "white: action must be an integer, not NoneType"),
        (lambda _game: sys.exit("no model"), "error", "white: SystemExit: no model"),
        (lambda _game: 1 / 0, "error", "white: ZeroDivisionError: division by zero"),
    ],
)
def test_an_agent_that_fails_loses_and_the_person_may_undo(
    choose: Callable[[Game], Any], reason: str, said: str
) -> None:
    slow = Slow(choose)
    slow.may.set()
    session, wait = session_of(sixplane.Go(size=5), None, slow)
    session.live.play(12, 0)
    result = wait(lambda snapshot: snapshot.result is not None).result
    assert result is not None and (result.winner, result.ending) == ("black", reason)
    assert result.detail.startswith(said)
    assert f"RE[B+{'R' if reason == 'resignation' else 'F'}]" in session.record()
    session.live.undo()
    assert session.snapshot().result is None and session.snapshot().game.move_number == 0


def test_the_loss_of_an_agent_that_fails_at_its_first_move_is_taken_back() -> None:
    answers: list[Choice] = [999, 12]
    slow = Slow(lambda _game: answers.pop(0))
    slow.may.set()
    session, wait = session_of(sixplane.Go(size=5), slow, None)
    assert wait(lambda snapshot: snapshot.result is not None).can_undo
    session.live.undo()
    assert wait(has(1)).result is None


def test_the_player_whose_time_is_up_loses_person_or_agent() -> None:
    for black, loser, winner in ((None, "white", "black"), (Slow(), "black", "white")):
        session, wait = session_of(sixplane.Go(size=5), black, None, seconds_per_move=0.3)
        if black is None:
            # A person is timed from the second move on.
            session.live.play(0, 0)
        result = wait(lambda snapshot: snapshot.result is not None).result
        assert result is not None and (result.winner, result.ending) == (winner, "time")
        assert result.detail == f"{loser}: no move within 0.3 s"
        session.close()


@pytest.mark.parametrize(("delay", "limit"), [(1.25, 1.0), (1.0, 1.0), (0.2, None), (0.0, 60.0)])
def test_the_delay_between_two_agents_is_on_no_clock(delay: float, limit: float | None) -> None:
    agents = RandomAgent(seed=1), RandomAgent(seed=2)
    session, wait = session_of(sixplane.Go(size=5, max_moves=4), *agents, seconds_per_move=limit, delay=delay)
    begun = time.monotonic()
    snapshot = wait(lambda snapshot: snapshot.result is not None)
    assert snapshot.result is not None and snapshot.result.ending == "moves"
    assert time.monotonic() - begun >= 4 * delay - 0.01
    # The time of each move is told, and they add up to those of the players.
    seconds = [place.seconds for place in snapshot.line[1:]]
    for color in (0, 1):
        told = sum(second or 0.0 for second in seconds[color::2])
        assert told <= snapshot.spent[color] < told + delay + 10
    assert state(snapshot, Display())["seconds"] == seconds and None not in seconds
    session.close()


def test_an_end_on_time_is_one_sentence_and_others_have_a_detail() -> None:
    class Broken:
        def select_action(self, _game: Game) -> Choice:
            raise ValueError("no idea")

    for agent, seconds, detail in ((Slow(), 0.3, ""), (Broken(), MINUTE, "Black: ValueError: no idea")):
        session, wait = session_of(sixplane.Go(size=5), agent, None, seconds_per_move=seconds)
        ended = wait(lambda snapshot: snapshot.result is not None)
        result: Any = state(ended, Display())["result"]
        assert result["detail"] == detail
        session.close()


def test_the_clock_runs_for_the_player_to_play_and_waits_for_the_first_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: now))
    players = Players((None, None), ("", ""), RandomAgent(seed=1), seconds_per_move=600)
    session = PageSession(players, sixplane.Go(size=5))
    now += 1
    assert (session.snapshot().spent, session.snapshot().left) == ((0, 0), None)
    session.start()
    now += 2
    # Nobody is timed before the first move, nor once more when that is taken back.
    assert (session.snapshot().spent, session.snapshot().left) == ((0, 0), None)
    session.live.play(0, 0)
    now += 1
    session.live.undo()
    now += 8
    assert (session.snapshot().spent, session.snapshot().timed) == ((0, 1), None)
    session.live.play(0, 0)
    now += 2
    assert session.snapshot().left == 598
    session.live.play(1, 1)
    now += 4
    snapshot = session.snapshot()
    assert (snapshot.spent, snapshot.left, snapshot.timed) == ((4, 3), 596, 0)
    session.close()


def test_no_clock_runs_before_the_first_move_of_a_person_where_an_agent_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: now))
    session, wait = session_of(sixplane.Go(size=5), RandomAgent(seed=1), None, seconds_per_move=3)
    assert wait(lambda snapshot: snapshot.game.move_number == 1).timed is None
    now += 100
    assert session.snapshot().result is None
    session.live.play(session.live.game.legal_actions[0], 1)
    # From then on each turn counts, also that of another first move.
    assert wait(lambda snapshot: snapshot.game.move_number == 3).timed == 1
    session.live.undo()
    assert (session.snapshot().game.move_number, session.snapshot().timed) == (1, None)
    session.close()


def test_a_page_that_is_late_does_not_play_in_a_position_it_has_not_seen() -> None:
    session, _ = session_of(sixplane.Go(size=5), None, None)
    session.live.play(12, 0)
    with pytest.raises(RefusedError) as caught:
        session.live.play(13, 0)
    assert caught.value.reason == "too_late"
    with pytest.raises(RefusedError) as caught:
        session.live.resign(0)
    assert caught.value.reason == "too_late"
    with pytest.raises(RefusedError) as caught:
        session.live.play(12, 1)
    assert caught.value.reason == "occupied"


def test_a_person_resigns_also_while_the_agent_thinks() -> None:
    session, _ = session_of(sixplane.Go(size=5), None, Slow())
    session.live.play(12, 0)
    session.live.resign(1)
    result = session.snapshot().result
    assert result is not None and (result.winner, result.ending) == ("white", "resignation")
    session, _ = session_of(sixplane.Go(size=5), Slow(), Slow())
    with pytest.raises(RefusedError):
        session.live.resign(0)


def test_a_hint_is_given_and_goes_with_the_next_move() -> None:
    session, wait = session_of(sixplane.Go(size=5), None, None)
    session.ask_hint()
    hint = wait(lambda snapshot: isinstance(snapshot.hint, int)).hint
    assert hint in sixplane.Go(size=5).legal_actions
    session.live.play(12, 0)
    assert session.snapshot().hint is None


def test_hints_are_given_at_earlier_positions_and_after_the_end() -> None:
    slow = Slow()
    session, wait = session_of(sixplane.Go(size=5), None, None, hint=slow)
    session.live.play(12, 0)
    session.live.play(7, 1)
    start, _, last = session.snapshot().places
    session.ask_hint(start)
    assert session.snapshot(start).hint == "thinking" and session.snapshot().hint is None
    # Another question takes its place, and a move leaves it alone.
    session.ask_hint(last)
    assert session.snapshot(start).hint is None and session.snapshot(last).hint == "thinking"
    session.ask_hint(start)
    session.live.play(0, 2)
    slow.may.set()
    until(lambda: session.snapshot(start).hint == 0)
    session.live.resign(3)
    resigned = session.snapshot()
    assert resigned.result is not None and resigned.shown.legal_actions.size and resigned.game.is_over
    session.ask_hint()
    assert wait(lambda snapshot: isinstance(snapshot.hint, int)).hint == 1
    session.try_out(resigned.live, 1)
    passed = session.try_out(session.try_out(start, 25), 25)
    with pytest.raises(RefusedError, match="game over"):
        session.ask_hint(passed)
    with pytest.raises(RefusedError, match="too late"):
        session.ask_hint(10_000)


def test_a_hint_for_the_move_of_an_agent_waits_for_its_end() -> None:
    slow = Slow()
    session, _ = session_of(sixplane.Go(size=5), None, slow)
    session.live.play(12, 0)
    with pytest.raises(RefusedError, match="not your turn"):
        session.ask_hint()
    session.live.resign(1)
    session.ask_hint()
    until(lambda: isinstance(session.snapshot().hint, int))
    slow.may.set()


def test_the_same_players_begin_again_where_the_game_began() -> None:
    agent = RandomAgent(seed=1)
    session, wait = session_of(sixplane.Go(size=5, komi=0.5), agent, None)
    with pytest.raises(RefusedError, match="not over"):
        session.again()
    session.live.resign(wait(lambda now: now.game.move_number == 1).game.move_number)
    before = session.snapshot()
    session.again()
    now = wait(lambda now: now.game.move_number == 1)
    assert now.serial == before.serial + 1 and now.result is None and now.players is before.players
    assert isinstance(now.game, sixplane.Go) and now.game.komi == 0.5 and len(now.line) == 2
    # A game that went on from a position begins there again, and the tree stays.
    session.live.play(now.game.legal_actions[0], 1)
    wait(lambda now: now.game.move_number == 3)
    place = session.snapshot().places[2]
    session.resume(Players((None, None), ("", ""), RandomAgent(seed=1)), place)
    session.live.play(int(session.snapshot().game.legal_actions[0]), 2)
    session.live.resign(3)
    session.again()
    assert session.snapshot().live == place and len(session.snapshot().next) == 2


def test_a_player_who_can_only_pass_is_not_asked() -> None:
    game = sixplane.Reversi.from_text(
        """
        . O X .
        . . . .
        . . . .
        X O . .""",
        turn="black",
    )
    session, _ = session_of(game, None, None)
    session.live.play(0, 0)
    after = session.snapshot().game
    assert (after.actions.tolist(), after.turn) == ([0, 16], 0)
    # Who takes back goes to a move that somebody has chosen.
    session.live.undo()
    assert session.snapshot().game.move_number == 0


def test_a_page_sees_what_the_game_says_at_every_move() -> None:
    game = sixplane.Go(size=7, handicap=2, komi=0.5)
    for name in ("B3", "D4", "pass", "A1"):
        game.play(game.name_to_action(name))
    session, _ = session_of(game, None, None)
    places = session.snapshot().places
    assert plays_of(game) == [(1, 29), (0, 24), (1, 49), (0, 42)]
    for at in range(5):
        told: dict[str, Any] = state(session.snapshot(places[at]), Display())
        past = game.replay(game.actions[:at])
        black, white = (past.planes[color].ravel().tolist() for color in (0, 1))
        assert told["stones"] == "".join(
            "b" if b else "w" if w else "." for b, w in zip(black, white, strict=True)
        )
        assert told["legal"] == past.legal_actions.tolist()
        assert (told["at"], told["turn"], told["last"]) == (at, past.turn, past.last_action)
        assert told["board"].startswith("<svg") and "style=" not in told["board"]
    assert [name for _, name in told["moves"]] == ["B3", "D4", "pass", "A1"]
    assert told["game"]["rules"] == {"komi": 0.5, "ko": "positional", "suicide": False, "handicap": 2}


@pytest.mark.parametrize("theme", ["classic", "paper", "slate"])
@pytest.mark.parametrize("name", CLASSES)
def test_every_theme_draws_every_game(name: str, theme: Any) -> None:
    session, _ = session_of(getattr(sixplane, name)(), None, None)
    pictures = {
        state(session.snapshot(), Display(theme, *flags))["board"]
        for flags in ((False, False, True), (False, False, False))
    }
    assert len(pictures) == 2 and len(stone_pictures()) == 2


@pytest.mark.parametrize(
    "data",
    [b"", b"no record", b"(;GM[1]SZ[99])", b"(;GM[99])", b"\xff" * 50, b"x" * 1_000_001, b"(" * 100_000],
)
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(RefusedError) as caught:
        open_record(data)
    assert caught.value.reason == "bad_record" and str(caught.value)


def test_a_record_of_too_many_moves_is_refused_and_names_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "(;GM[1]SZ[9]KO[]" + ";B[aa];W[bb];AE[aa][bb]" * 10 + ")"
    game, names, left_out, _ = open_record(
        b"(;GM[1]SZ[5]PB[<script>alert(1)</script>]PW[" + b"w" * 90 + b"];B[cc])"
    )
    assert (game.move_number, left_out) == (1, "")
    assert names == ("<script>alert(1)</script>", "w" * 40)
    assert open_record(long.encode())[0].rows == 9
    monkeypatch.setattr("sixplane.web.records.MOST_MOVES", 2)
    assert open_record(b"(;GM[1]SZ[5];B[aa];W[bb])").game.move_number == 2
    with pytest.raises(RefusedError, match="a record may have at most 2 moves"):
        open_record(b"(;GM[1]SZ[5];B[aa];W[bb];B[cc])")
