"""What the page of `sixplane play --web` may ask for, and what it may not."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sixplane
from sixplane.agents import RandomAgent
from sixplane.play.players import Players
from sixplane.web.messages import (
    Again,
    Agree,
    BeginMessage,
    Better,
    Browse,
    GameMessage,
    GoTo,
    Hint,
    Link,
    Look,
    Mark,
    Message,
    NewGame,
    Open,
    Play,
    Resign,
    Show,
    Stop,
    Try,
    Undo,
    read_message,
)
from sixplane.web.opponents import Opponents
from sixplane.web.page import Page
from sixplane.web.refusal import RefusedError
from sixplane.web.requested import Display
from sixplane.web.session import PageSession

NEW: dict[str, Any] = {
    "do": "new", "game": "go", "size": [7, 9], "rules": {"komi": 6.5, "suicide": True, "ko": "simple"},
    "opponent": "strong", "color": "random", "seconds": 30, "name": "Ada", "opponent_name": "",
    "place": None, "watch": "",
}  # fmt: skip


WRONG: list[dict[str, Any]] = [
                {"size": 9}, {"size": [9]}, {"size": [9, 9, 9]}, {"size": ["9", "9"]}, {"size": [0, 9]},
                {"rules": []}, {"rules": {"komi": None}}, {"rules": {"komi": [1]}},
                {"rules": {"komi": 1e300}}, {"rules": {"komi": float("nan")}}, {"rules": {"komi": 10**400}},
                {"rules": {"k" * 41: 1}}, {"rules": {"ko": "s" * 41}},
                {"rules": {str(number): 1 for number in range(17)}},
                {"seconds": 0}, {"seconds": -1}, {"seconds": float("inf")}, {"seconds": True},
                {"seconds": "9"}, {"name": "n" * 41}, {"name": 7}, {"name": "\ud800"},
                {"opponent": "a" * 201}, {"color": "red"}, {"place": -1}, {"place": "0"}, {"place": False},
]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"do": "play", "action": 3, "at": 12}, Play(3, 12)),
        ({"do": "play", "action": 3, "at": 12, "serial": 2}, Play(3, 12, 2)),
        ({"do": "resign", "at": 0}, Resign(0)),
        ({"do": "stop", "at": 3}, Stop(3)),
        ({"do": "stop", "at": 3, "serial": 2}, Stop(3, 2)),
        ({"do": "undo"}, Undo()),
        ({"do": "hint"}, Hint()),
        ({"do": "better"}, Better()),
        ({"do": "again"}, Again()),
        ({"do": "look", "at": None}, Look(None)),
        ({"do": "look", "at": 4}, Look(4)),
        ({"do": "browse", "by": 1}, Browse(1)),
        ({"do": "browse", "by": -1}, Browse(-1)),
        (
            {
                "do": "show",
                "theme": "slate",
                "numbers": True,
                "marks": False,
                "coordinates": False,
                "overlay": "visits",
                "of": "white",
                "all_numbers": True,
            },
            Show(
                "slate",
                numbers=True,
                marks=False,
                coordinates=False,
                overlay="visits",
                of="white",
                all_numbers=True,
            ),
        ),
        ({"do": "go", "place": 3}, GoTo(3)),
        ({"do": "try", "action": 4, "place": 0}, Try(4, 0)),
        ({"do": "mark", "point": 3, "at": 9}, Mark(3, 9)),
        ({"do": "mark", "point": None, "at": 9}, Mark(None, 9)),
        ({"do": "agree", "color": "white", "at": 9}, Agree("white", 9)),
        ({"do": "link", "place": 2}, Link(2)),
        ({"do": "open", "position": "abc"}, Open("abc")),
        (NEW | {"place": 7}, NewGame("go", (7, 9), NEW["rules"], "strong", "random", 30.0, "Ada", "", 7, "")),
        (NEW, NewGame("go", (7, 9), NEW["rules"], "strong", "random", 30.0, "Ada", "", None, "")),
        (
            NEW | {"seconds": None},
            NewGame("go", (7, 9), NEW["rules"], "strong", "random", None, "Ada", "", None, ""),
        ),
    ],
)
def test_a_message_is_read_from_text_and_from_bytes(fields: dict[str, Any], message: Message) -> None:
    assert read_message(json.dumps(fields)) == message
    assert read_message(json.dumps(fields).encode()) == message


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "7", "{", '"play"', "[" * 100_000, "1" * 10_000, '{"do": 1}', '{"do": "fly"}'),
        *(b"\xff", b"\x00"),
        '{"do": ["play"]}',
        '{"do": "play", "action": 1}',
        '{"do": "play", "action": -1, "at": 0}',
        '{"do": "play", "action": 1.0, "at": 0}',
        '{"do": "play", "action": true, "at": 0}',
        '{"do": "play", "action": "1", "at": 0}',
        '{"do": "play", "action": 99999999999999999999, "at": 0}',
        '{"do": "undo", "twice": true}',
        '{"do": "undo", "tw\\nice": true}',
        '{"do": "undo", "%s": true}' % ("t" * 9000),
        *('{"do": "look", "at": -1}', '{"do": "browse", "by": 2}', '{"do": "browse", "by": true}'),
        *('{"do": "mark", "at": 1}', '{"do": "agree", "color": 0, "at": 1}', '{"do": "link", "place": "0"}'),
        *('{"do": "open", "position": 7}', '{"do": "open", "position": "%s"}' % ("a" * 8001)),
        *('{"do": "go", "place": null}', '{"do": "go", "place": 1.5}', '{"do": "try", "action": 1}'),
        '{"do": "show", "theme": "<script>", "numbers": true, "marks": true, "coordinates": true}',
        '{"do": "show", "theme": "slate", "numbers": 1, "marks": true, "coordinates": true}',
        *(json.dumps(NEW | changed) for changed in WRONG),
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_one_line(text: str | bytes) -> None:
    with pytest.raises(RefusedError) as caught:
        read_message(text)
    assert caught.value.reason == "bad_message"
    assert 0 < len(str(caught.value)) < 120 and "\n" not in str(caught.value)


def test_names_lose_what_cannot_be_seen() -> None:
    message = read_message(
        json.dumps(NEW | {"name": " a\u202eb\n\x00c  d ", "opponent_name": "<b>&amp;</b>"})
    )
    assert isinstance(message, NewGame)
    assert (message.name, message.opponent_name) == ("a b c d", "<b>&amp;</b>")


@pytest.mark.parametrize(
    "text",
    [
        '{"do": "play", "action": 12, "at": 1',
        '{"do": "undo"',
        '{"do": "resign", "at": 1',
        '{"do": "stop", "at": 1',
        json.dumps(NEW | {"place": 0, "opponent": "person", "seconds": None})[:-1],
    ],
)
def test_what_was_asked_in_one_game_is_not_done_in_another(text: str) -> None:
    players = Players((None, None), ("", ""), RandomAgent(seed=1))
    session = PageSession(players, sixplane.Hex(size=7))
    opponents = Opponents(lambda _game: "random", lambda *_: None, {})
    session.start()

    def do(serial: int) -> None:
        message = read_message(f'{text}, "serial": {serial}}}')
        if isinstance(message, BeginMessage):
            message.do(session, opponents)
        else:
            assert isinstance(message, GameMessage)
            message.do(session)

    serial = session.snapshot().serial
    session.new(players, sixplane.Gomoku(size=7))
    session.live.play(3, 0)
    with pytest.raises(RefusedError) as caught:
        do(serial)
    now = session.snapshot()
    assert caught.value.reason == "too_late" and now.result is None and now.serial == serial + 1
    do(now.serial)
    assert session.snapshot().version > now.version
    session.close()


def test_dead_stones_are_marked_and_agreed_on_in_one_game_alone() -> None:
    players = Players((None, None), ("", ""), RandomAgent(seed=1))
    session = PageSession(players, sixplane.Go(size=5))
    game = sixplane.Go(size=5).replay([12, 25, 25])

    def marks() -> tuple[frozenset[int], tuple[bool, bool]]:
        counting = session.snapshot().counting
        assert counting is not None
        return counting.dead, counting.agreed

    for text in ('{"do": "mark", "point": 12, "at": 3', '{"do": "agree", "color": "black", "at": 3'):
        session.new(players, game)
        serial = session.snapshot().serial
        session.new(players, game)
        session.live.mark(12, 3)
        before = marks()
        message = read_message(f'{text}, "serial": {serial}}}')
        assert isinstance(message, GameMessage)
        with pytest.raises(RefusedError, match="too late"):
            message.do(session)
        assert marks() == before
        message = read_message(f'{text}, "serial": {serial + 1}}}')
        assert isinstance(message, GameMessage)
        message.do(session)
        assert marks() != before
    session.close()


def test_a_game_that_is_over_is_not_continued_from_its_end() -> None:
    players = Players((None, None), ("", ""), RandomAgent(seed=1))
    session = PageSession(players, sixplane.Go(size=5).replay([12, 25, 25]))
    opponents = Opponents(lambda _game: "random", lambda *_: None, {})
    before = session.snapshot()
    message = read_message(json.dumps(NEW | {"place": before.live, "opponent": "person"}))
    assert isinstance(message, NewGame)
    with pytest.raises(RefusedError) as caught:
        message.do(session, opponents)
    assert caught.value.reason == "game_over" and session.snapshot().serial == before.serial


def test_a_page_that_has_come_back_to_the_last_position_follows_the_game() -> None:
    session = PageSession(Players((None, None), ("", ""), RandomAgent(seed=1)), sixplane.Go(size=5))
    session.live.play(12, 0)
    page = Page(session, Display())
    assert page.state()["at"] == 1
    for at in (0, 1):
        page.look(at)
        assert page.state()["at"] == at
    session.live.play(7, 1)
    assert page.state()["at"] == 2
    page.browse(-1)
    session.live.play(3, 2)
    assert page.state()["at"] == 1
