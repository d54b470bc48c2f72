"""The agent behind the protocol of Gomocup: what it tells a program, and what it makes of the answers."""

from __future__ import annotations

import gc
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sixplane
from fake_program import INTERRUPTS, FakeGomocup, gone, group, is_alive
from interruptible import interrupts_raise
from sixplane.agents import AgentSpec, GomocupAgent, ProgramError, ProgramTimeoutError, RandomAgent
from sixplane.match import Limits, Line, Tournament, play
from waiting import MINUTE

OURS = [sys.executable, "-m", "sixplane", "gomocup", "--agent"]
#: What every game begins with, and every move.
SETTINGS = ["INFO timeout_match 0", "INFO max_memory 0", "INFO game_type 1", "INFO rule 0"]
LIMITS = ["INFO timeout_turn 1000", "INFO time_left 2147483647"]


def test_a_program_is_told_the_game_once_and_then_what_is_new(brain: FakeGomocup) -> None:
    agent = GomocupAgent(brain.command("7,7", "8,6", "0,0", "1,1"))
    game = sixplane.Gomoku()
    assert agent.select_action(game) == 7 * 15 + 7
    assert brain.told() == ["INFO rule 0", "START 15", *LIMITS, *SETTINGS, "BEGIN"]
    game.play(7 * 15 + 7)
    game.play(2)
    assert agent.select_action(game) == 6 * 15 + 8, "x is the column, and y counts from the top"
    assert brain.told() == [*LIMITS, "TURN 2,0"]
    # Another move was played than the program's: all is told anew.
    game.play(100)
    game.play(101)
    assert agent.select_action(game) == 0
    board = ["BOARD", "7,7,1", "2,0,2", "10,6,1", "11,6,2", "DONE"]
    assert brain.told() == ["RESTART", *LIMITS, *SETTINGS, *board]
    game.play(0)
    # The same program for the other side.
    assert agent.select_action(game) == 16
    board = ["BOARD", "7,7,2", "2,0,1", "10,6,2", "11,6,1", "0,0,2", "DONE"]
    assert brain.told() == ["RESTART", *LIMITS, *SETTINGS, *board]
    assert len(brain.pids()) == 0, "no other program was started"
    agent.close()


def test_undone_moves_and_new_games_begin_anew(brain: FakeGomocup) -> None:
    agent = GomocupAgent(brain.command("1,0", "2,0", "3,0", "5,0"), seconds=0.5, max_memory=1 << 20)
    game = sixplane.Gomoku(9)
    game.play(0)
    game.play(agent.select_action(game))
    limits = ["INFO timeout_turn 500", LIMITS[1]]
    settings = [SETTINGS[0], "INFO max_memory 1048576", *SETTINGS[2:]]
    assert brain.told() == ["INFO rule 0", "START 9", *limits, *settings, "TURN 0,0"]
    game.undo()
    assert agent.select_action(game) == 2
    assert brain.told() == ["RESTART", *limits, *settings, "TURN 0,0"]
    assert agent.select_action(sixplane.Gomoku(9)) == 3
    assert brain.told() == ["RESTART", *limits, *settings, "BEGIN"]
    # The game goes on, but the program has begun another one.
    game = sixplane.Gomoku(9)
    game.play(3)
    game.play(4)
    agent.prepare(game)
    agent.select_action(game)
    board = ["BOARD", "3,0,1", "4,0,2", "DONE"]
    assert brain.told() == ["RESTART", "RESTART", *limits, *settings, *board]
    agent.close()


@pytest.mark.parametrize("restart", ["OK", "UNKNOWN", "ERROR no"])
def test_another_board_or_rule_needs_another_start(brain: FakeGomocup, restart: str) -> None:
    agent = GomocupAgent(brain.command(*["4,0"] * 9, restart=restart))
    for size in (7, (5, 8)):
        for exact in (False, True):
            for again in range(2):
                game = sixplane.Gomoku(size, exact_five=exact)
                assert agent.select_action(game) == 4
                is_new = not again or restart != "OK"
                assert len(brain.pids()) == is_new
                told = brain.told()
                start = "START 7" if size == 7 else "RECTSTART 8,5"
                commands = [line for line in told if line != "END" and not line.startswith("INFO")]
                assert commands == [*["RESTART"] * again, *[start] * is_new, "BEGIN"]
                assert {line for line in told if "rule" in line} == {f"INFO rule {exact:d}"}
    agent.close()


def test_a_program_may_say_more_than_its_moves(brain: FakeGomocup) -> None:
    said = "MESSAGE depth 3\r\n\r\ndebug 7,7\r 3,2 \nMESSAGE done"
    agent = GomocupAgent(brain.command(said, "5,5", start="OK - everything is good\nMESSAGE hello"))
    game = sixplane.Gomoku(7)
    assert agent.select_action(game) == 2 * 7 + 3
    assert agent.about() == {"name": "Fake", "version": "0.5"}
    game.play(17)
    game.play(0)
    assert agent.select_action(game) == 40
    agent.close()
    mute = GomocupAgent(brain.command(about="UNKNOWN"))
    assert mute.about() == {}
    mute.close()


@pytest.mark.parametrize(
    ("misbehave", "error", "message"),
    [
        ("time.sleep(1000)", ProgramTimeoutError, "has not answered 'BEGIN' within"),
        ("while True: time.sleep(0.001); print('7', end='', flush=True)", ProgramTimeoutError, "within"),
        ("while True: sys.stderr.write('thinking' * 999)", ProgramTimeoutError, "within"),
        ("while True: sys.stdout.write('7' * 99999)", ProgramError, "writes without end after 'BEGIN'"),
        ("while True: print('MESSAGE thinking')", ProgramError, "writes without end after 'BEGIN'"),
        ("sys.exit(3)", ProgramError, "has ended without an answer to 'BEGIN'"),
        ("raise ValueError('out of ideas')", ProgramError, "it says 'ValueError: out of ideas'"),
        ("print('DEBUG a bad move'); sys.exit()", ProgramError, "it says 'DEBUG a bad move'"),
        ("os.kill(os.getpid(), 9)", ProgramError, "has ended without an answer"),
        ("os.close(1); time.sleep(1000)", ProgramError, "has ended without an answer"),
        ("os.close(0); time.sleep(1000)", ProgramTimeoutError, "has not answered"),
        ("answer('My move is')", ProgramError, "with 'My move is' instead of a point of the board"),
        ("sys.stdout.buffer.write(bytes(range(256)) + b'\\n'); sys.stdout.flush()", ProgramError, "instead"),
        ("answer('5,0')", ProgramError, "answers 'BEGIN' with '5,0' instead of a point of the board"),
        ("answer('0,5')", ProgramError, "with '0,5' instead of a point"),
        ("answer('-1,2')", ProgramError, "with '-1,2' instead of a point"),
        ("answer('1,2,3')", ProgramError, "with '1,2,3' instead of a point"),
        ("answer('99999999999999999999,0')", ProgramError, "instead of a point"),
        ("answer('OK')", ProgramError, "with 'OK' instead of a point"),
        ("answer('ERROR rule')", ProgramError, "refuses Gomoku 5x5, five or more: it answers 'BEGIN' with"),
        ("answer('MESSAGE why\\nUNKNOWN')", ProgramError, "with 'UNKNOWN'; it says 'MESSAGE why'"),
        ("print('1,1', end='', flush=True); time.sleep(1000)", ProgramTimeoutError, "has not answered"),
        ("os.system('sleep 1000 &'); sys.exit()", ProgramTimeoutError, "has not answered"),
    ],
)  # fmt: skip
def test_misbehavior_ends_in_a_clear_error_and_leaves_no_process(
    brain: FakeGomocup, misbehave: str, error: type[Exception], message: str
) -> None:
    agent = GomocupAgent(brain.command(misbehave=misbehave), timeout=MINUTE)
    game = sixplane.Gomoku(5)
    agent.prepare(game)
    agent.limit_time(0.8 if error is ProgramTimeoutError else MINUTE)
    with pytest.raises(error, match=message):
        agent.select_action(game)
    (pid,) = brain.pids()
    assert gone(pid)
    assert not [child for child in group(pid) if not gone(child)]


def test_an_answer_that_nobody_asked_for_is_an_error(brain: FakeGomocup) -> None:
    agent = GomocupAgent(brain.command("0,0\n1,1", "2,2"))
    game = sixplane.Gomoku(5)
    game.play(agent.select_action(game))
    game.play(4)
    with pytest.raises(ProgramError, match="has written '1,1' before 'TURN 4,0'"):
        agent.select_action(game)
    agent.close()


@pytest.mark.parametrize("start", ["ERROR - unsupported board size", "UNKNOWN command", "what?", "\x1c"])
def test_a_board_that_is_refused_is_named(brain: FakeGomocup, start: str) -> None:
    agent = GomocupAgent(brain.command(start=start))
    for size, command in ((6, "START 6"), ((5, 6), "RECTSTART 6,5")):
        game = sixplane.Gomoku(size, exact_five=True)
        refused = f"refuses Gomoku {game.rows}x{game.cols}, exactly five: it " * start[0].isupper()
        for method in (agent.prepare, agent.select_action):
            with pytest.raises(ProgramError) as caught:
                method(game)
            assert f" {refused}answers '{command}' with {start!r}" in str(caught.value)


def test_after_an_error_the_next_move_starts_the_program_again(brain: FakeGomocup) -> None:
    mark = brain.log.with_name("ended")
    ends_once = f"os.path.exists({str(mark)!r}) or (open({str(mark)!r}, 'w'), sys.exit())"
    agent = GomocupAgent(brain.command("1,3", misbehave=ends_once))
    with pytest.raises(ProgramError):
        agent.select_action(sixplane.Gomoku(5))
    assert agent.select_action(sixplane.Gomoku(5)) == 16
    assert len(brain.pids()) == 2
    agent.close()


def test_a_program_that_is_ended_between_moves_is_told_the_game_anew(brain: FakeGomocup) -> None:
    agent = GomocupAgent(brain.command("0,0"))
    game = sixplane.Gomoku(5)
    game.play(agent.select_action(game))
    game.play(1)
    agent.limit_time(1e-9)
    with pytest.raises(ProgramTimeoutError, match="'ABOUT' within"):
        agent.about()
    agent.limit_time(MINUTE)
    brain.told()
    agent.select_action(game)
    commands = [line for line in brain.told() if "INFO" not in line and line != "ABOUT"]
    assert commands == ["START 5", "BOARD", "0,0,1", "1,0,2", "DONE"]
    agent.close()


def test_an_agent_that_is_dropped_ends_its_program(brain: FakeGomocup) -> None:
    agent = GomocupAgent(brain.command("0,0"))
    agent.select_action(sixplane.Gomoku(5))
    (pid,) = brain.pids()
    assert is_alive(pid)
    del agent
    gc.collect()
    assert not is_alive(pid)


def test_ctrl_c_while_a_program_thinks_ends_it(brain: FakeGomocup) -> None:
    agent = GomocupAgent(brain.command(misbehave=INTERRUPTS))
    with interrupts_raise(), pytest.raises(KeyboardInterrupt):
        agent.select_action(sixplane.Gomoku(5))
    (pid,) = brain.pids()
    assert gone(pid)


def test_agents_are_pickled_without_their_program(brain: FakeGomocup) -> None:
    agent = GomocupAgent(brain.command("0,0", "1,1"), seconds=0.25, timeout=7, max_memory=9)
    agent.select_action(sixplane.Gomoku(5))
    other = pickle.loads(pickle.dumps(agent))
    brain.log.write_text("")
    assert other.select_action(sixplane.Gomoku(5)) == 0
    assert {"INFO timeout_turn 250", "INFO max_memory 9"} <= set(brain.told())
    agent.close()
    other.close()


def test_a_program_is_told_less_time_than_the_limit_leaves(brain: FakeGomocup) -> None:
    agent = GomocupAgent(brain.command("0,0", "1,1"), seconds=40)
    agent.limit_time(30)
    agent.select_action(sixplane.Gomoku(5))
    (told,) = (int(line.split()[2]) for line in brain.told() if "timeout_turn" in line)
    assert 1000 < told <= 29_950, "the start of the program counts, too"
    agent.limit_time(100)
    agent.select_action(sixplane.Gomoku(5))
    assert "INFO timeout_turn 40000" in brain.told()
    agent.close()


def test_wrong_arguments_and_games_are_errors() -> None:
    for options in ({"seconds": 0}, {"seconds": float("inf")}, {"timeout": -1}, {"max_memory": -1}):
        with pytest.raises(ValueError, match=r"positive|at least 0"):
            GomocupAgent("a", **options)
    with pytest.raises(TypeError, match="max_memory"):
        GomocupAgent("a", max_memory=0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the command is empty"):
        GomocupAgent(" ")
    with pytest.raises(ProgramError, match="cannot start /no/such/program: No such file"):
        GomocupAgent("/no/such/program").select_action(sixplane.Gomoku())
    for method in (GomocupAgent("a").select_action, GomocupAgent("a").prepare):
        with pytest.raises(TypeError, match="the protocol of Gomocup is for Gomoku, not Go"):
            method(sixplane.Go(5))


@pytest.mark.parametrize(
    ("misbehave", "reason"),
    [
        ("time.sleep(1000)", "time"),
        ("sys.exit()", "error"),
        ("while True: print('MESSAGE thinking')", "error"),
        ("answer('no idea')", "error"),
        ("answer('3,9')", "error"),
        ("answer('0,0'); continue", "illegal"),
    ],
)
@pytest.mark.parametrize("isolate", [False, True])
def test_a_program_that_misbehaves_loses(
    brain: FakeGomocup, misbehave: str, reason: str, isolate: bool
) -> None:
    game = sixplane.Gomoku(5)
    game.play(0)
    seconds = 3 if reason == "time" else MINUTE
    agent = GomocupAgent(brain.command(misbehave=misbehave))
    result = play(RandomAgent(seed=1), agent, game, seconds, illegal_tries=2, isolate=isolate)
    assert (result.winner, result.ending) == ("black", reason), result.detail
    agent.close()


@pytest.mark.parametrize("size", [9, 15])
@pytest.mark.parametrize("exact", [False, True])
def test_our_own_engine_plays_whole_games(size: int, exact: bool) -> None:
    agent = GomocupAgent([*OURS, "score-table"], timeout=MINUTE)
    for opponent, seat in ((RandomAgent(seed=size), 0), (RandomAgent(seed=size), 1), (agent, 0)):
        black, white = (agent, opponent) if seat == 0 else (opponent, agent)
        result = play(black, white, sixplane.Gomoku(size, exact_five=exact), seconds_per_move=MINUTE)
        assert result.ending == "rules", result.detail
        if opponent is not agent:
            assert result.winner == ("black", "white")[seat]
    agent.close()


#: Our engine with an agent that writes down the position that it is asked about, and whose it is.
SCRIBE = """
import sys
from sixplane.protocols.gomocup import GomocupEngine
from sixplane.protocols.lines import PipeLines
class Scribe:
    def select_action(self, game):
        planes = game.planes
        own, other = planes[game.turn], planes[1 - game.turn]
        text = "".join(".xo"[a + 2 * b] for a, b in zip(own.flat, other.flat))
        print(text, game.rows, game.cols, game.exact_five, file=open(sys.argv[1], "w"))
        return game.legal_actions[-1]
GomocupEngine(Scribe()).run(PipeLines(0), lambda text: print(text, end="", flush=True))
"""


def test_our_engine_sees_every_position_as_it_is(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    seen = tmp_path / "seen"
    agent = GomocupAgent([sys.executable, "-c", SCRIBE, str(seen)], timeout=MINUTE)
    for game in positions(rng):
        planes: Any = game.planes
        own, other = planes[game.turn], planes[1 - game.turn]
        text = "".join(".xo"[a + 2 * b] for a, b in zip(own.flat, other.flat, strict=True))
        assert agent.select_action(game) == game.legal_actions[-1]
        assert seen.read_text() == f"{text} {game.rows} {game.cols} {game.exact_five}\n", str(game)
    agent.close()


def positions(rng: np.random.Generator) -> list[sixplane.Gomoku]:
    """Running games on small and odd boards: played, undone, set up, and with the turn set by hand."""
    found = []
    for size in (5, (5, 8), 6, (9, 5)):
        for exact in (False, True):
            for _ in range(6):
                game = sixplane.Gomoku(size, exact_five=exact)
                points = rng.permutation(game.rows * game.cols)
                black, white = np.split(points[: rng.integers(9)], [rng.integers(9)])
                turn: Any = int(rng.integers(2))
                if rng.integers(2):
                    game = sixplane.Gomoku.from_stones(black, white, turn, size, exact_five=exact)
                for _ in range(rng.integers(8)):
                    if not game.is_over:
                        game.play(rng.choice(game.legal_actions))
                        found.append(game.copy())
                if rng.integers(3) == 0 and not game.is_over:
                    game.set_turn(turn)
                    found.append(game.copy())
                if game.move_number:
                    game.undo()
                found.append(game)
    six = sixplane.Gomoku.from_text("XXXXXX\nOO.OO.\n" + "......\n" * 4, "black", exact_five=True)
    return [game for game in [*found, six] if not game.is_over]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gomocup:", "the command is empty"),
        ("gomocup:seconds=1,", "the command is empty"),
        ("gomocup:seconds=x,prog", "seconds of gomocup must be a number, not 'x'"),
        ("gomocup:seconds=0,prog", "seconds must be a positive number, not 0"),
        ("gomocp:prog", "did you mean gomocup"),
    ],
)
def test_specs_say_what_is_wrong_with_them(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AgentSpec.parse(text).make(1)


def test_a_spec_plays_where_specs_play() -> None:
    spec = f"ours@gomocup:seconds=2,{' '.join(OURS)} score-table"
    assert AgentSpec.parse(spec).options["seconds"] == 2
    game = sixplane.Gomoku(7)
    assert sixplane.evaluate("random", spec, game, games=2, seed=1).losses == 2
    players = [AgentSpec.parse(spec), AgentSpec.parse("random")]
    tournament = Tournament(players, game, games=4, seed=1, limits=Limits(isolate=True))
    lines = [Line.of(played) for played in tournament.run(processes=2)]
    assert [(line.ending, line.detail) for line in lines] == [("rules", "")] * 4
