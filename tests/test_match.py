"""The referee: every way a game between two agents ends, here and in processes of their own."""

from __future__ import annotations

import functools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import own_games
import sixplane
from sixplane.agents import RESIGN, GTPAgent, RandomAgent
from sixplane.errors import GameRulesError
from sixplane.jobs import JobError
from sixplane.match import Move, Result, play, player, show
from waiting import MINUTE

#: Its rules fail when a stone is on the last point.
Faulty: Any = own_games.Faulty


class Scripted:
    """Answers what it was given, one after the other; what can be called is called with the game."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    def select_action(self, game: sixplane.Game) -> Any:
        answer = self.answers.pop(0)
        return answer(game) if callable(answer) else answer


class Counting(Scripted):
    """Also counts the score, its own way."""

    def __init__(self, score: Any, *answers: Any) -> None:
        super().__init__(*answers)
        self.score = score

    def final_score(self, _game: sixplane.Game) -> Any:
        return self.score() if callable(self.score) else self.score


def sleeps(seconds: float, action: int = 25) -> Any:
    return functools.partial(answer_late, seconds, action)


def answer_late(seconds: float, action: int, _game: sixplane.Game) -> int:
    time.sleep(seconds)
    return action


def fails(_game: sixplane.Game) -> int:
    raise ZeroDivisionError("no idea")


def leaves(_game: sixplane.Game) -> int:
    sys.exit("enough")


def dies(_game: sixplane.Game) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def resigns_for_the_other(game: sixplane.Game) -> int:
    game.resign("black")
    return 0


def plays_twice(game: sixplane.Game) -> int:
    game.play(0)
    game.play(1)
    return 2


def takes_back(game: sixplane.Game) -> int:
    game.undo()
    return 0


def turns(game: sixplane.Game) -> int:
    game.set_turn("white")
    return 0


def facts(result: Result) -> tuple[str, str, float]:
    return result.winner, result.ending, result.score


@pytest.mark.parametrize("isolate", [False, True])
def test_a_game_is_played_to_its_end(isolate: bool) -> None:
    game = sixplane.Go(5)
    result = play(Scripted(12, 25), Scripted(25), game, isolate=isolate)
    assert facts(result) == ("black", "rules", 17.5)
    assert result.record.actions.tolist() == [12, 25, 25]
    assert result.detail == "" and not result.is_forfeit
    assert result.sgf_result == "B+17.5"
    assert len(result.move_seconds) == 3
    assert all(seconds > 0 for seconds in result.move_seconds)
    assert result.seconds == pytest.approx(
        (result.move_seconds[0] + result.move_seconds[2], result.move_seconds[1])
    )
    assert game.move_number == 0, "the game given is left alone"


def test_a_draw_and_a_game_cut_off_are_decided_by_the_board() -> None:
    draw = play(Scripted(25), Scripted(25), sixplane.Go(5, komi=0))
    assert (facts(draw), draw.sgf_result) == (("draw", "rules", 0.0), "Draw")
    cut = play(Scripted(12), Scripted(0), sixplane.Go(5, komi=0, max_moves=2))
    assert (facts(cut), cut.is_forfeit) == (("draw", "moves", 0.0), False)


def test_a_game_goes_on_from_where_it_is() -> None:
    game = sixplane.Go(5)
    game.play(12)
    game.play(25)
    result = play(Scripted(25), Scripted(), game)
    assert facts(result) == ("black", "rules", 17.5)
    assert len(result.move_seconds) == 1
    game.play(25)
    with pytest.raises(ValueError, match="the game to play is over"):
        play(Scripted(), Scripted(), game)


@pytest.mark.parametrize("isolate", [False, True])
def test_a_resignation_ends_the_game(isolate: bool) -> None:
    result = play(Scripted(12), Scripted(RESIGN), sixplane.Go(5), isolate=isolate)
    assert facts(result) == ("black", "resignation", 0.0)
    assert (result.sgf_result, result.is_forfeit, result.record.outcome) == ("B+R", False, "black")


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("tampers", [resigns_for_the_other, plays_twice, takes_back, turns])
def test_who_tampers_with_the_game_that_it_is_shown_loses(tampers: Any, isolate: bool) -> None:
    game = sixplane.Go(5)
    result = play(Scripted(12, 25), Scripted(tampers), game, isolate=isolate)
    assert facts(result) == ("black", "tampering", 0.0)
    assert result.detail == "white changed the game that it was shown"
    assert (result.sgf_result, result.is_forfeit) == ("B+F", True)
    assert result.record.actions.tolist() == [12], "the game itself is out of reach"


@pytest.mark.parametrize("isolate", [False, True])
def test_illegal_actions_are_asked_again_until_the_tries_are_used_up(isolate: bool) -> None:
    patient = play(Scripted(12, RESIGN), Scripted(12, 99, 0), sixplane.Go(5), isolate=isolate)
    assert facts(patient) == ("white", "resignation", 0.0)
    assert patient.record.actions.tolist() == [12, 0]
    lost = play(Scripted(12), Scripted(12, 99, -1), sixplane.Go(5), isolate=isolate)
    assert facts(lost) == ("black", "illegal", 0.0)
    assert lost.detail.startswith("white: white may not play 12 (C3): ")
    assert lost.detail.count(";") == 2
    assert lost.record.actions.tolist() == [12]
    assert (lost.sgf_result, lost.is_forfeit, lost.record.outcome) == ("B+F", True, "black")


def test_what_is_no_action_counts_as_illegal() -> None:
    class Odd:
        def __index__(self) -> int:
            raise KeyError("odd")

    answers: list[Any] = [None, 1.0, True, "D4", [], Odd(), 10**30]
    for answer in answers:
        result = play(Scripted(answer), Scripted(), sixplane.Go(5), illegal_tries=1)
        assert facts(result) == ("white", "illegal", 0.0)


def test_the_tries_are_those_of_one_move() -> None:
    black = Scripted(99, 99, 12, 99, 99, 25)
    assert facts(play(black, Scripted(25), sixplane.Go(5))) == ("black", "rules", 17.5)


def test_who_took_too_long_is_found_out_on_return(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "GRACE", MINUTE)
    # Nobody but who is late is asked.
    game = sixplane.Go(5).replay([12])
    result = play(Scripted(), Scripted(sleeps(0.3)), game, seconds_per_move=0.1)
    assert facts(result) == ("black", "time", 0.0)
    assert re.fullmatch(r"white took \S+ s of 0\.1 s", result.detail)
    assert (result.sgf_result, result.is_forfeit) == ("B+T", True)
    assert result.seconds[1] >= 0.3
    assert result.record.actions.tolist() == [12]


def test_who_keeps_the_time_is_asked_in_the_callers_thread_and_may_still_lose_on_time() -> None:
    threads: list[threading.Thread] = []

    def gives_up(_game: sixplane.Game) -> int:
        threads.append(threading.current_thread())
        raise TimeoutError("no move")

    def late(_game: sixplane.Game) -> int:
        threads.append(threading.current_thread())
        time.sleep(0.2)
        return 7

    class Person(Scripted):
        keeps_time = True

    for answer in (gives_up, late):
        result = play(Person(answer), Scripted(), sixplane.Go(5), seconds_per_move=0.1)
        assert facts(result) == ("white", "time", 0.0)
    assert threads == [threading.main_thread()] * 2


@pytest.mark.parametrize(("seconds", "keeps_time"), [(None, False), (60, True)])
def test_who_is_waited_for_is_called_in_the_callers_thread_alone(
    seconds: float | None, keeps_time: bool
) -> None:
    class Person(Scripted):
        def __init__(self) -> None:
            super().__init__(25)
            self.keeps_time = keeps_time
            self.threads: list[threading.Thread] = []

        def select_action(self, game: sixplane.Game) -> Any:
            self.threads.append(threading.current_thread())
            return super().select_action(game)

        def final_score(self, _game: sixplane.Game) -> None:
            self.threads.append(threading.current_thread())

        def on_end(self, _result: Result) -> None:
            self.threads.append(threading.current_thread())

    persons = Person(), Person()
    play(*persons, sixplane.Go(5), seconds, check_score=True)
    for person in persons:
        assert person.threads == [threading.main_thread()] * 3


class Waiting:
    """Answers when it is told to, and counts by how many it is asked at the same time."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.asked = self.together = self.most = 0

    def select_action(self, game: sixplane.Game) -> int:
        self.asked += 1
        self.together += 1
        self.most = max(self.most, self.together)
        assert self.may_answer.wait(10 * MINUTE)
        self.together -= 1
        return int(game.num_actions - 1)


def test_the_referee_does_not_wait_for_an_agent_that_never_answers() -> None:
    agent = Waiting()
    for _ in range(2):
        result = play(agent, Scripted(), sixplane.Go(5), seconds_per_move=0.2)
        assert facts(result) == ("white", "time", 0.0)
        assert result.detail.startswith("black: ")
    assert (agent.asked, agent.most) == (1, 1), "while it is still thinking it is not asked again"
    agent.may_answer.set()
    result = play(agent, Scripted(25), sixplane.Go(5), seconds_per_move=60)
    assert facts(result) == ("white", "rules", -7.5)
    assert agent.most == 1


def test_a_person_may_leave_the_table_in_the_middle_of_a_move() -> None:
    class Leave(BaseException):
        pass

    def leaves_the_table(_game: sixplane.Game) -> int:
        raise Leave

    with pytest.raises(Leave):
        play(Scripted(leaves_the_table), Scripted(), sixplane.Go(5))


def test_all_tries_of_a_move_share_its_time() -> None:
    slow = Scripted(sleeps(0.6, 99), sleeps(0.6, 0))
    assert facts(play(slow, Scripted(), sixplane.Go(5), seconds_per_move=1)) == ("white", "time", 0.0)
    assert facts(play(Scripted(sleeps(0.05)), Scripted(25), sixplane.Go(5), None))[1] == "rules"


def test_an_isolated_agent_is_ended_at_its_time() -> None:
    result = play(Scripted(sleeps(1000)), Scripted(), sixplane.Go(5), seconds_per_move=0.3, isolate=True)
    assert facts(result) == ("white", "time", 0.0)
    assert 0.3 <= result.seconds[0] < 1000


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize(
    ("answer", "detail"), [(fails, "white: ZeroDivisionError: no idea"), (leaves, "white: ")]
)
def test_an_exception_loses(answer: object, detail: str, isolate: bool) -> None:
    result = play(Scripted(12), Scripted(answer), sixplane.Go(5), isolate=isolate)
    assert facts(result) == ("black", "error", 0.0)
    assert result.detail.startswith(detail)
    assert result.is_forfeit


def test_an_isolated_agent_that_kills_its_process_loses() -> None:
    result = play(Scripted(dies), Scripted(), sixplane.Go(5), isolate=True)
    assert facts(result) == ("white", "error", 0.0)
    assert result.detail == "black: the process has ended"


def test_what_does_not_pickle_cannot_be_isolated() -> None:
    with pytest.raises(JobError, match="cannot hand"):
        play(Scripted(lambda _game: 0), Scripted(), sixplane.Go(5), isolate=True)


def looks_at(action: int, game: sixplane.Game) -> int:
    """Tries an action on its copy of the game, as a search does, and plays another."""
    game.copy().play(action)
    return 0


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize("answer", [8, functools.partial(looks_at, 8)])
def test_rules_that_fail_are_nobodys_loss(answer: Any, isolate: bool) -> None:
    with pytest.raises(GameRulesError, match="ending raised ZeroDivisionError: no such position"):
        play(Scripted(0), Scripted(answer), Faulty(), isolate=isolate)


def test_rules_that_fail_when_the_score_is_counted_are_nobodys_loss() -> None:
    def fails_to_count() -> float:
        Faulty().play(8)
        return 0.0

    black, white = Counting(fails_to_count, 0, 1, 2), Counting(None, 3, 4)
    game: Any = own_games.TicTacToe()
    with pytest.raises(GameRulesError, match="no such position"):
        play(black, white, game, check_score=True)


def raises_an_error_of_rules(_game: sixplane.Game) -> int:
    Faulty().play(8)
    return 0


@pytest.mark.parametrize("isolate", [False, True])
def test_an_error_of_other_rules_is_the_agents_fault(isolate: bool) -> None:
    result = play(Scripted(0), Scripted(raises_an_error_of_rules), sixplane.Go(5), isolate=isolate)
    assert (result.winner, result.ending) == ("black", "error")
    assert "white: GameRulesError: the rules of Faulty" in result.detail


def test_a_game_that_does_not_pickle_is_refused_before_it_begins() -> None:
    members = {
        "default_size": (3, 3),
        "legal": lambda _rules, position: position.empty,
        "ending": lambda _rules, _position: None,
    }
    nowhere: Any = sixplane.game_class(type("Nowhere", (), members))
    with pytest.raises(JobError, match=r"cannot hand _AgentCalls to a process: .*Nowhere"):
        play(Scripted(0), Scripted(0), nowhere(), isolate=True)


AT_A_PROMPT = """
import sixplane
from sixplane.agents import RandomAgent
from sixplane.match import play
@sixplane.game_class
class Fill:
    default_size = 3
    def legal(self, position): return position.empty
    def ending(self, position): return None if position.empty.any() else ("full", 0.0)
play(RandomAgent(), RandomAgent(), Fill(), isolate=True)
"""


def test_a_game_that_a_process_does_not_find_is_nobodys_loss() -> None:
    done = subprocess.run([sys.executable, "-c", AT_A_PROMPT], capture_output=True, text=True, check=False)
    assert "JobError: a new process cannot find Fill, which was made in a notebook" in done.stderr


def test_ctrl_c_is_nobodys_loss() -> None:
    def interrupts(_game: sixplane.Game) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(Scripted(interrupts), Scripted(), sixplane.Go(5))


def test_who_can_only_pass_is_not_asked() -> None:
    game = sixplane.Reversi.from_text("X O . .\n. . . .\n. . . .\n. . . .", turn="white")
    moves: list[Move] = []
    result = play(Scripted(2), Scripted(), game, on_move=moves.append)
    assert facts(result) == ("black", "rules", 3.0)
    assert [(move.color, move.action, move.seconds > 0) for move in moves] == [(1, 16, False), (0, 2, True)]


def test_every_move_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    moves: list[Move] = []
    result = play(RandomAgent(seed=1), RandomAgent(seed=2), sixplane.Reversi(4), on_move=moves.append)
    assert len(moves) == result.record.move_number
    assert [move.action for move in moves] == result.record.actions.tolist()
    assert moves[-1].total_seconds == result.seconds
    assert moves[2].game.move_number == 3
    show(moves[-1])
    shown = capsys.readouterr().out
    black, white = result.record.planes[0].sum(), result.record.planes[1].sum()
    assert str(result.record).rstrip() in shown
    assert f"stones: black {black}, white {white}; seconds: black {result.seconds[0]:.2f}" in shown


@pytest.mark.parametrize(
    ("black", "white", "winner", "reason"),
    [
        (17.5, 17.5, "black", "rules"),
        (None, 17.5, "black", "rules"),
        # Points decide nothing where all agree about who has won.
        (0.5, 16.5, "black", "rules"),
        (17.5, -0.5, "white", "score"),
        (17.5, 0.0, "white", "score"),
        (-3.5, 17.5, "black", "score"),
        (-3.5, 0.5, "black", "score"),
        (-3.5, -0.5, "draw", "score"),
    ],
)
def test_a_disputed_score_goes_to_the_agent_that_was_asked(
    black: Any, white: Any, winner: str, reason: str
) -> None:
    agents = Counting(black, 12, 25), Counting(white, 25)
    result = play(*agents, sixplane.Go(5), check_score=True)
    assert (result.winner, result.ending, result.is_forfeit) == (winner, reason, reason == "score")
    assert result.score == (17.5 if reason == "rules" else 0)
    for color, count in (("black", black), ("white", white)):
        said = [f"{color} counts {count:+g}, the board +17.5"] if count not in {None, 17.5} else []
        assert [one for one in result.detail.split("; ") if color in one] == said
    unasked = play(Counting(black, 12, 25), Counting(white, 25), sixplane.Go(5))
    assert unasked.winner == "black"


def test_a_program_behind_gtp_that_hangs_loses_on_time() -> None:
    hanging = GTPAgent([sys.executable, "-c", "import time; time.sleep(1000)"], timeout=60)
    for isolate in (False, True):
        result = play(hanging, Scripted(), sixplane.Go(5), seconds_per_move=0.5, isolate=isolate)
        assert (result.winner, result.ending) == ("white", "time")
    broken = GTPAgent([sys.executable, "-c", "print('hello')"])
    result = play(broken, Scripted(), sixplane.Go(5))
    assert (result.winner, result.ending) == ("white", "error")
    assert "which is not of the protocol" in result.detail
