"""What a page is told of levels: those of each board, and the one that it proposes after some games."""

from __future__ import annotations

import json
import math
import threading
from typing import Any

import pytest

import sixplane
from sixplane import ladder
from sixplane.agents import RandomAgent, ScoreTableAgent
from sixplane.agents.called import level_name
from sixplane.play.players import Players
from sixplane.web.insight import searches
from sixplane.web.messages import NewGame, read_message
from sixplane.web.opponents import Opponents, catalogue
from sixplane.web.refusal import RefusedError
from sixplane.web.requested import Display
from sixplane.web.session import PageSession
from sixplane.web.view import state
from waiting import MINUTE, until

REVERSI = sixplane.Reversi()
RUNGS = ladder.rungs(REVERSI)
OPPONENTS = Opponents(lambda _game: "random", lambda spec, game, _seconds: spec.check_game(game), {})


def session_against(level: int, game: sixplane.Reversi = REVERSI) -> PageSession:
    """A session in which a person plays Black, and is to move."""
    agent = RandomAgent(seed=1)
    players = Players((None, agent), ("", ""), agent, level=ladder.rungs(REVERSI)[level])
    session = PageSession(players, game)
    session.start()
    return session


def streak(session: PageSession) -> Any:
    return state(session.snapshot(), Display())["streak"]


def asked(**fields: Any) -> NewGame:
    """What a page asks for: Black against a person in Reversi, but for these fields."""
    usual: dict[str, Any] = {
        "do": "new", "game": "reversi", "size": [8, 8], "rules": {}, "opponent": "person", "color": "black",
        "seconds": None, "name": "", "opponent_name": "", "place": None, "watch": "",
    }  # fmt: skip
    message = read_message(json.dumps(usual | fields))
    assert isinstance(message, NewGame)
    return message


def new(
    session: PageSession, opponent: str, *, game: str = "reversi", rules: str = "{}", max_moves: str = "null"
) -> None:
    """Begins a game by a message of a page."""
    message = read_message(
        f'{{"do": "new", "game": "{game}", "size": [8, 8], "rules": {rules}, "seconds": null, "name": "Ada", '
        f'"opponent_name": "", "place": null, "watch": "", "opponent": "{opponent}", "color": "black", '
        f'"max_moves": {max_moves}}}'
    )
    assert isinstance(message, NewGame)
    message.do(session, OPPONENTS)


def test_every_board_with_a_ladder_has_its_levels() -> None:
    found = {
        f"{entry['title']} {board}": names
        for entry in catalogue(sixplane.Reversi())
        for board, names in entry["levels"].items()  # type: ignore[attr-defined]
    }
    assert found.keys() == {"Go 9x9", "Go 13x13", "Reversi 8x8", "Gomoku 15x15"}
    assert found["Reversi 8x8"] == [level_name(rung) for rung in RUNGS]


def test_after_two_losses_a_page_proposes_the_level_below() -> None:
    session = session_against(3)
    assert state(session.snapshot(), Display())["level"] == 3
    session.live.resign(0)
    assert streak(session) is None
    session.again()
    assert streak(session) is None
    session.live.resign(0)
    assert streak(session) == {"count": -2, "level": 2, "name": level_name(RUNGS[2])}
    # Another result of the same game does not count once more.
    session.live.undo()
    assert streak(session) is None
    session.live.stop(0)
    assert streak(session) is None
    session.live.undo()
    session.live.resign(0)
    assert streak(session)["count"] == -2
    session.close()


def test_the_count_goes_on_in_new_games_at_the_level_and_not_at_another_one() -> None:
    session = session_against(3)
    session.live.resign(0)
    new(session, "ladder:+3")
    session.live.resign(0)
    assert streak(session)["count"] == -2
    new(session, "ladder:+2")
    assert session.snapshot().players.names == ("Ada", level_name(RUNGS[2]))
    session.live.resign(0)
    assert streak(session) is None
    new(session, "random")
    assert state(session.snapshot(), Display())["level"] is None
    session.live.resign(0)
    assert streak(session) is None
    session.close()


def test_games_that_were_stopped_do_not_count() -> None:
    session = session_against(3)
    session.live.resign(0)
    session.again()
    session.live.stop(0)
    assert streak(session) is None
    session.again()
    session.live.resign(0)
    assert streak(session)["count"] == -2
    session.close()


class Late:
    """Answers when its game is over."""

    def __init__(self) -> None:
        self.is_over = threading.Event()

    def select_action(self, game: sixplane.Game) -> int:
        assert self.is_over.wait(MINUTE)
        return int(game.legal_actions[0])


# An agent that answers has seconds for that, as other programs may keep the processors.
@pytest.mark.parametrize(
    ("agent", "seconds", "winner", "count"), [(Late, 0.05, "black", 0), (RandomAgent, 3.0, "white", -2)]
)
def test_games_that_a_level_lost_on_time_do_not_count(
    agent: Any, seconds: float, winner: str, count: int
) -> None:
    level = ladder.rungs(REVERSI)[3]
    session = session_against(3)
    for _ in range(2):
        player = agent()
        players = Players((None, player), ("", ""), RandomAgent(), seconds_per_move=seconds, level=level)
        session.new(players, REVERSI)
        session.live.play(int(REVERSI.legal_actions[0]), 0)
        until(lambda: session.snapshot().result)
        result = session.snapshot().result
        assert result is not None and (result.winner, result.ending) == (winner, "time")
        if isinstance(player, Late):
            player.is_over.set()
    assert session.snapshot().streak.count == count
    session.close()


def test_a_game_without_a_level_that_does_not_count_ends_the_row() -> None:
    session = session_against(3)
    session.live.resign(0)
    session.again()
    session.live.resign(0)
    assert streak(session)["count"] == -2
    new(session, "person")
    session.live.stop(0)
    assert streak(session) is None
    session.close()


def test_games_from_a_position_do_not_count() -> None:
    game = sixplane.Reversi()
    for _ in range(2):
        game.play(int(game.legal_actions[0]))
    session = session_against(3, game)
    for _ in range(2):
        session.live.resign(2)
        session.again()
    session.live.resign(2)
    assert streak(session) is None
    session.close()


def test_a_new_game_may_have_a_limit_of_its_moves() -> None:
    session = session_against(3)
    assert state(session.snapshot(), Display())["game"]["max_moves"] is None  # type: ignore[index]
    for limit in (1, 2**32 - 1, None):
        new(session, "random", max_moves=json.dumps(limit))
        assert session.snapshot().game.max_moves == limit
        told: Any = state(session.snapshot(), Display())
        assert told["game"]["max_moves"] == limit and told["game"]["rules"] == {}
    for wrong in ("0", "-1", str(2**32), "1.5", "true", '"9"'):
        with pytest.raises(RefusedError, match="max_moves"):
            new(session, "random", max_moves=wrong)
    session.close()


def test_a_new_game_whose_rules_fail_is_refused_and_the_old_one_goes_on() -> None:
    session = session_against(3)
    serial = session.snapshot().serial

    @sixplane.game_class
    class Small:
        default_size = 5

        def setup(self, rows: int, _cols: int) -> Any:
            return {5: None}[rows]

        def legal(self, position: Any) -> Any:
            return position.empty

        def ending(self, position: Any) -> Any:
            return None if position.empty.any() else ("full", 0)

    small: Any = Small
    with pytest.raises(RefusedError, match=r"the rules of .*Small: setup.*KeyError") as refused:
        new(session, "random", game=small.name)
    assert refused.value.reason == "bad_rules"
    # The limit of the moves is no rule.
    with pytest.raises(RefusedError, match="Reversi has no rule 'max_moves'") as refused:
        new(session, "random", rules='{"max_moves": 3}')
    assert refused.value.reason == "bad_game"
    assert session.snapshot().serial == serial
    session.close()


def test_a_page_may_ask_for_a_level_only_where_there_is_one() -> None:
    session = session_against(3)
    serial = session.snapshot().serial
    with pytest.raises(RefusedError, match=rf"none \+{len(RUNGS)}"):
        new(session, f"ladder:+{len(RUNGS)}")
    assert session.snapshot().serial == serial
    session.close()


def test_new_games_have_the_agent_for_hints_that_was_named() -> None:
    opponents = Opponents(lambda _game: "random", lambda *_: None, {}, hint="score-table")
    assert isinstance(opponents.hint_agent(REVERSI), ScoreTableAgent)
    assert isinstance(opponents.persons(REVERSI, ("", "")).hint, ScoreTableAgent)
    assert isinstance(OPPONENTS.hint_agent(REVERSI), RandomAgent)


@pytest.mark.parametrize(
    ("level", "limits"),
    [
        ("easy", (50, math.inf)),
        ("medium", (1000, math.inf)),
        ("strong", (None, 1)),
        ("strongest", (None, 20)),
    ],
)
def test_each_level_searches_as_long_as_it_is_said_to(level: str, limits: tuple[int | None, float]) -> None:
    opponents = Opponents(lambda _game: "mcts:seconds=7", lambda *_: None, {})
    message = asked(opponent=level)
    agent = opponents.players(message)[0].seats[1]
    assert searches(agent) and agent.limits == limits


@pytest.mark.parametrize("color", ["black", "white"])
def test_players_of_a_new_game_have_their_colors_and_their_time(color: str) -> None:
    asks = {"color": color, "opponent": "random", "name": "Ada", "seconds": 9}
    players, game = OPPONENTS.players(asked(**asks))
    assert (game, players.seconds_per_move) == (REVERSI, 9)
    assert players.persons == (color == "black", color == "white")
    assert players.names[color == "white"] == "Ada"
    watched, _ = OPPONENTS.players(asked(**asks, watch="mcts:simulations=5"))
    assert watched.is_watched and searches(watched.seats[color == "white"])
