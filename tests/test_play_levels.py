"""Levels of known strength: what `sixplane play` says of them, and which one comes after some games."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sixplane
from sixplane import ladder
from sixplane.agents import RandomAgent
from sixplane.agents.called import called, level_name
from sixplane.agents.spec import AgentSpec
from sixplane.play.players import Players
from sixplane.play.streak import Streak

REVERSI = sixplane.Reversi()
RUNGS = ladder.rungs(REVERSI)


def played(*arguments: str, typed: str = "resign\n") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixplane", "play", *arguments],
        input=typed, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def against(level: int, *, color: int = 0, game: sixplane.Reversi = REVERSI) -> Players:
    agent = RandomAgent(seed=1)
    seats = (None, agent) if color == 0 else (agent, None)
    return Players(seats, ("", ""), agent, level=ladder.rungs(game)[level])


def test_a_rung_is_called_a_level_with_its_elo_as_a_round_number() -> None:
    for rung in RUNGS[1:]:
        start, _, elo = called(AgentSpec.parse(f"ladder:+{rung.number}"), REVERSI).rpartition(" ")
        assert start == f"Level {rung.number}, about"
        assert int(elo.replace(",", "")) % 50 == 0 and abs(int(elo.replace(",", "")) - rung.elo) <= 25
    assert "1,0" in level_name(RUNGS[3]._replace(elo=1_049.0))
    # A title of somebody's own stays, and without a board nobody knows the level.
    assert called(AgentSpec.parse("Ada@ladder:+3"), REVERSI) == "Ada"
    assert called(AgentSpec.parse("ladder:+3")) == "ladder:+3"


def test_wins_and_losses_in_a_row_are_counted_for_one_level_of_one_board() -> None:
    streak = Streak()
    for winner, color, count, level in (
        ("black", 0, 1, 4), ("white", 1, 2, 4), ("black", 0, 3, 4),
        ("white", 0, -1, 2), ("black", 1, -2, 2), ("draw", 0, 0, None), ("white", 0, -1, 2),
    ):  # fmt: skip
        streak = streak.after(against(3, color=color), REVERSI, winner)  # type: ignore[arg-type]
        assert (streak.count, streak.next_level and streak.next_level.number) == (count, level)
    assert streak.after(against(2), REVERSI, "white").count == -1
    other = sixplane.Gomoku()
    players = Players((None, RandomAgent()), ("", ""), RandomAgent(), level=ladder.rungs(other)[3])
    assert streak.after(players, other, "white").count == -1


def test_no_level_is_below_random_moves_or_above_the_highest() -> None:
    top = len(RUNGS) - 1
    assert Streak().after(against(0), REVERSI, "white").next_level is None
    assert Streak().after(against(top), REVERSI, "black").next_level is None
    assert Streak().after(against(top), REVERSI, "white").next_level == RUNGS[top - 1]


def test_only_a_person_against_a_level_has_a_streak() -> None:
    agent = RandomAgent(seed=1)
    for seats, level in (((None, None), None), ((agent, agent), RUNGS[3]), ((None, agent), None)):
        players = Players(seats, ("", ""), agent, level=level)
        assert Streak(RUNGS, RUNGS[3], 2).after(players, REVERSI, "black") == Streak()


def test_the_terminal_names_the_level_and_proposes_the_next_one_with_its_command() -> None:
    done = played("--level", "3", "--game", "reversi", "--ascii")
    assert done.returncode == 0
    below = level_name(RUNGS[2])
    assert done.stdout.endswith(
        f"next: {below}\n  sixplane play --game reversi --level 2 --color white --ascii\n"
    )
    # A game that did not end proposes nothing, and so does one without a level.
    for options, typed in ((["--level", "3"], "quit\n"), (["--opponent", "random"], "resign\n")):
        assert "next:" not in played("--game", "reversi", *options, typed=typed).stdout


def test_the_command_of_the_next_level_has_the_rules_and_a_handicap_stays_with_black() -> None:
    done = played("--level", "3", "--komi", "0.5", "--handicap", "2", "--suicide", "--seconds-per-move", "60")
    # White, the level, plays first after a handicap.
    command = done.stdout.splitlines()[-1]
    assert command == (
        "  sixplane play --game go --komi 0.5 --suicide --handicap 2 --level 2 --seconds-per-move 60"
    )


def test_the_command_of_the_next_level_keeps_the_limit_of_the_moves() -> None:
    done = played("--level", "3", "--max-moves", "50", "--color", "white")
    assert done.stdout.endswith("  sixplane play --game go --max-moves 50 --level 2\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--level", "99"], "--level: Go 9x9 has no level 99; the highest is Level "),
        (
            ["--level", "3", "--size", "5"],
            "--level: there is no ladder for Go 5x5; there are ladders for Go 9x9",
        ),
        (["--level", "-1"], "'-1' is no integer of at least 0"),
        (["--level", "1", "--opponent", "random"], "argument --opponent: not allowed with argument --level"),
    ],
)
def test_levels_that_are_none_are_refused_in_one_line(options: list[str], said: str) -> None:
    done = played(*options)
    assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1
