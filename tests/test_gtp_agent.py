"""The agent behind GTP: what it tells a program, and what it makes of the answers."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from fake_program import Fake
from sixplane.agents import RESIGN, GTPAgent, ProgramError, RandomAgent, Resignation

if TYPE_CHECKING:
    from sixplane.agents import Choice


def test_a_program_is_told_the_game_once_and_then_what_is_new(fake: Fake) -> None:
    agent = GTPAgent(fake.command("D4", "pass", "resign"), setup=["level 3"])
    game = sixplane.Go(size=5, komi=-2.5)
    game.play(game.name_to_action("C3"))
    action = agent.select_action(game)
    assert action == game.name_to_action("D4")
    start = ["boardsize 5", "clear_board", "komi -2.5", "level 3"]
    assert fake.told() == [*start, "play black C3", "genmove white"]
    game.play(action)
    game.play(game.name_to_action("E5"))
    assert agent.select_action(game) == 25
    assert fake.told() == ["play black E5", "genmove white"]
    # The pass was not played but another move: all is told anew.
    game.play(0)
    assert agent.select_action(game) is RESIGN
    told = fake.told()
    assert told[:4] == start
    assert told[-2:] == ["play white A5", "genmove black"]
    agent.close()


def test_a_new_game_is_told_from_its_start(fake: Fake) -> None:
    agent = GTPAgent(fake.command(*["pass"] * 9))
    agent.select_action(sixplane.Go(size=9, handicap=2))
    first = fake.told()
    assert first[3:] == ["play black G7", "play black C3", "genmove white"]
    position = sixplane.Go.from_text("X . .\n. O .\n. . X", turn="white")
    position.play(2)
    agent.select_action(position)
    assert fake.told()[3:] == [
        "play black A3",
        "play black C1",
        "play white B2",
        "play white C3",
        "genmove black",
    ]
    agent.close()


def test_the_history_is_told_where_a_color_plays_twice_in_a_row(fake: Fake) -> None:
    agent = GTPAgent(fake.command(*["pass"] * 9))
    # Handicap stones as moves, then a ko that White takes; Black may not take it back at once.
    moves = ";B[ba];B[ab];W[ca];B[bc];W[db];B[ee];W[cc];B[cb];W[bb]"
    game = sixplane.Go.from_sgf(f"(;SZ[5]{moves})")
    assert game.name_to_action("C4") not in game.legal_actions
    agent.select_action(game)
    assert fake.told()[3:] == [
        "play black B5", "play black A4", "play white C5", "play black B3", "play white D4", "play black E1",
        "play white C3", "play black C4", "play white B4", "genmove black",
    ]  # fmt: skip
    # Also where the turn was set after the last one.
    game.set_turn("white")
    agent.select_action(game)
    assert fake.told()[-2:] == ["play white B4", "genmove white"]
    # A program may refuse what superko forbids: it is told the stones.
    game.set_turn("black")
    game.play_repetition(game.name_to_action("C4"))
    agent.select_action(game)
    told = fake.told()[3:]
    assert told[:6] == [f"play black {name}" for name in ("B5", "A4", "C4", "B3", "E1")] + ["play white C5"]
    assert len(told) == 9 and told[-1] == "genmove white"
    agent.close()


def test_columns_leave_out_i_in_go_and_rows_count_from_the_top_in_reversi(fake: Fake) -> None:
    agent = GTPAgent(fake.command("J9", "f5", known="play rectangular_boardsize"))
    game = sixplane.Go(size=(9, 11))
    game.play(8)
    assert agent.select_action(game) == game.name_to_action("J9") == 8
    assert fake.told() == [
        "rectangular_boardsize 11 9",
        "clear_board",
        "komi 7.5",
        "play black J9",
        "genmove white",
    ]
    reversi = sixplane.Reversi()
    assert agent.select_action(reversi) == reversi.name_to_action("F5") == 4 * 8 + 5
    assert fake.told() == ["boardsize 8", "clear_board", "genmove black"]
    agent.close()


@pytest.mark.parametrize("refused", ["", "friendlyPassOk"])
def test_rules_are_told_where_they_are_understood(fake: Fake, refused: str) -> None:
    agent = GTPAgent(fake.command("pass", known="kata-set-rule\nplay", refuses=refused))
    agent.select_action(sixplane.Go(size=5, ko="situational", suicide=True, komi=7))
    assert fake.told() == [
        "boardsize 5",
        "clear_board",
        "komi 7",
        "kata-set-rule ko SITUATIONAL",
        "kata-set-rule suicide true",
        "kata-set-rule scoring AREA",
        "kata-set-rule tax NONE",
        "kata-set-rule hasButton false",
        "kata-set-rule whiteHandicapBonus 0",
        "kata-set-rule friendlyPassOk false",
        "genmove black",
    ]
    agent.close()


@pytest.mark.parametrize("refused", ["ko", "scoring"])
def test_a_program_that_refuses_a_rule_that_it_needs_is_an_error(fake: Fake, refused: str) -> None:
    agent = GTPAgent(fake.command("pass", known="kata-set-rule\nplay", refuses=refused))
    with pytest.raises(ProgramError, match=f"kata-set-rule {refused} "):
        agent.select_action(sixplane.Go(size=5))
    agent.close()


@pytest.mark.parametrize("passes", [True, False])
def test_a_forced_pass_of_reversi_may_be_refused(fake: Fake, passes: bool) -> None:
    game = sixplane.Reversi(4)
    agent = RandomAgent(seed=0)
    while game.last_action != 16:
        game = sixplane.Reversi(4) if game.is_over else game
        choice = agent.select_action(game)
        assert not isinstance(choice, Resignation)
        game.play(choice)
    program = GTPAgent(fake.command("pass", refuses="" if passes else "pass"))
    assert program.select_action(game) == 16
    assert fake.told()[-2].endswith("pass")
    program.close()


def test_a_pass_that_go_is_refused_is_an_error(fake: Fake) -> None:
    game = sixplane.Go(5)
    game.play(25)
    program = GTPAgent(fake.command(refuses="pass"))
    with pytest.raises(ProgramError, match="answers 'play black pass' with 'syntax error'"):
        program.select_action(game)
    program.close()


@pytest.mark.parametrize(
    ("answer", "score"),
    [("B+3.5", 3.5), ("W+12", -12.0), ("0", 0.0), ("b+2.0 (upper bound: 4)", 2.0), ("Draw", 0.0)],
)
def test_a_program_counts_the_score(fake: Fake, answer: str, score: float) -> None:
    agent = GTPAgent(fake.command(known="final_score", score=answer))
    game = sixplane.Go(5)
    game.play(25)
    game.play(25)
    assert agent.final_score(game) == score
    agent.close()


def test_a_program_may_be_unable_to_count(fake: Fake) -> None:
    mute = GTPAgent(fake.command())
    assert mute.final_score(sixplane.Go(5)) is None
    mute.close()
    odd = GTPAgent(fake.command(known="final_score", score="a lot"))
    with pytest.raises(ProgramError, match="answers 'final_score' with 'a lot'"):
        odd.final_score(sixplane.Go(5))
    odd.close()


def test_wrong_commands_and_games_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=r"cannot start /no/such/program: No such file"):
        GTPAgent("/no/such/program --mode gtp").select_action(sixplane.Go(5))
    with pytest.raises(ProgramError, match="Permission denied"):
        GTPAgent([str(tmp_path)]).select_action(sixplane.Go(5))
    for command in ("", "  "):
        with pytest.raises(ValueError, match="the command is empty"):
            GTPAgent(command)
    with pytest.raises(ValueError, match="No closing quotation"):
        GTPAgent("a 'b")
    with pytest.raises(TypeError, match="a string or a list of strings"):
        GTPAgent([1])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="one line"):
        GTPAgent("a", setup=["komi 3\nquit"])
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="positive number of seconds"):
            GTPAgent("a", timeout=seconds)
    with pytest.raises(TypeError, match="GTP is for Go and Reversi, not Gomoku"):
        GTPAgent("a").select_action(sixplane.Gomoku())


def test_what_the_program_cannot_be_told_is_an_error(fake: Fake) -> None:
    agent = GTPAgent(fake.command())
    with pytest.raises(ProgramError, match="square boards only"):
        agent.select_action(sixplane.Go((5, 6)))
    with pytest.raises(ProgramError, match="from its usual start"):
        agent.select_action(sixplane.Reversi.from_text("X O . .\n. . . .\n. . . .\n. . . ."))
    agent.close()


def test_agents_are_pickled_without_their_program(fake: Fake) -> None:
    agent = GTPAgent(fake.command("pass", "A1"), timeout=7, setup=["level 1"])
    agent.select_action(sixplane.Go(5))
    other = pickle.loads(pickle.dumps(agent))
    assert other.select_action(sixplane.Go(5)) == 25
    assert len(set(fake.pids())) == 2
    assert "level 1" in fake.told()
    agent.close()
    other.close()


def play_out(game: Any, agents: list[Any]) -> None:
    while not game.is_over:
        choice: Choice = agents[game.turn].select_action(game)
        if choice is RESIGN:
            game.resign()
        else:
            game.play(choice)


@pytest.mark.outside("gnugo")
def test_gnu_go_plays_and_counts_as_we_do() -> None:
    rules = "--chinese-rules --capture-all-dead --positional-superko"
    program = GTPAgent(f"gnugo --mode gtp --level 1 {rules}", timeout=60)
    for seed in range(2):
        game = sixplane.Go(size=7, komi=5.5)
        agents = [RandomAgent(seed=seed), program]
        if seed:
            agents.reverse()
        play_out(game, agents)
        assert game.outcome == ("black" if seed else "white")
        assert game.last_action == 49, "it does not resign"
        assert program.final_score(game) == game.score()
    program.close()


@pytest.mark.outside("gtp-rhino")
def test_rhino_plays_reversi_with_forced_passes() -> None:
    program = GTPAgent("gtp-rhino", timeout=60)
    passes = 0
    for seed in range(4):
        game = sixplane.Reversi()
        agents = [RandomAgent(seed=seed), program]
        if seed % 2:
            agents.reverse()
        play_out(game, agents)
        assert game.outcome == ("black" if seed % 2 else "white")
        passes += game.actions.tolist().count(64)
    assert passes > 0, "no game has tried a pass"
    program.close()


def test_programs_of_games_are_found() -> None:
    # Debian keeps games where the superuser does not look; the marks above look there as well.
    assert "/usr/games" in os.environ["PATH"].split(os.pathsep)


def test_an_answer_without_end_is_shown_by_its_beginning(fake: Fake) -> None:
    agent = GTPAgent(fake.command(f"A{'9' * 100_000}"))
    with pytest.raises(ProgramError, match="answers 'genmove' with 'A99") as refused:
        agent.select_action(sixplane.Go(5))
    assert len(str(refused.value)) < 1000
    agent.close()
