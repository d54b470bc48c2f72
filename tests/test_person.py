"""A person at the referee: the board before the first question, `q`, the end of the input, and the result."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pexpect
import pytest

import sixplane
from commands import run_command
from interruptible import INTERRUPTIBLE, is_waiting
from sixplane.agents import RESIGN, STOP, Agent, HumanAgent, RandomAgent
from sixplane.match import arena, play, show
from sixplane.play.keyboard import used_text
from waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from sixplane.match import Result


def person(*typed: str) -> tuple[HumanAgent, list[str]]:
    """A person who types, and what is shown and asked."""
    left, shown = list(typed), []

    def ask(prompt: str) -> str:
        shown.append(prompt)
        if not left:
            raise EOFError
        return left.pop(0)

    return HumanAgent(ask, shown.append), shown


GAMES: list[Any] = [sixplane.Go(5), sixplane.Reversi(4), sixplane.Gomoku(5)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seconds", [None, 60])
def test_the_board_is_shown_before_the_first_question_of_each_game(
    game: sixplane.Game, seconds: float | None
) -> None:
    human, shown = person("q", "q", "q")
    for color in (0, 1, 0):
        agents: list[Agent] = [human, RandomAgent(seed=1)]
        shown.clear()
        result = play(agents[color], agents[1 - color], game, seconds)
        board, usage, prompt, end = shown
        assert board == str(game.replay(result.record.actions)).rstrip("\n")
        assert usage.startswith("type a point") and "quit" in usage
        assert prompt == ("white: " if color else "black: ")
        assert end.startswith("stopped after") and re.search(r"; seconds: black \d+\.\d\d, white \d", end)


def test_the_board_is_not_shown_again_while_the_game_goes_on() -> None:
    human, shown = person("a1", "b1", "what", "c1", "resign")
    result = play(human, RandomAgent(seed=3), sixplane.Go(5), None)
    assert result.ending == "resignation"
    assert sum("A B C D E" in text for text in shown) == 1
    assert shown[-1].startswith("white wins by resignation; seconds: black ")


@pytest.mark.parametrize("typed", [["a1", "q"], ["a1", "quit"], ["a1", " Q "], ["a1"], []])
def test_who_stops_lets_the_board_decide(typed: list[str]) -> None:
    human, _ = person(*typed)
    game = sixplane.Go(5, komi=0.5)
    result = play(human, _Passer(), game, None)
    assert (result.ending, result.is_forfeit, result.record.is_over) == ("stopped", False, False)
    expected = ("black", 24.5, "B+24.5") if typed else ("white", -0.5, "W+0.5")
    assert (result.winner, result.score, result.sgf_result) == expected
    moves = "2 moves" if typed else "0 moves"
    assert str(result) == f"stopped after {moves}: {expected[0]} wins by {abs(expected[1])}"


class _Passer:
    """Passes."""

    def select_action(self, game: sixplane.Game) -> int:
        return game.num_actions - 1


@pytest.mark.parametrize("color", [0, 1])
def test_a_stopped_game_of_each_kind_has_the_result_of_its_board(color: int) -> None:
    for game, said in (
        (sixplane.Reversi(4).replay([1]), "stopped after 1 move: black wins by 3"),
        (sixplane.Reversi(4), "stopped after 0 moves: draw"),
        (sixplane.Gomoku(5).replay([0, 1]), "stopped after 2 moves: draw"),
        (sixplane.Go(5, komi=0), "stopped after 0 moves: draw"),
    ):
        if game.turn == color:
            agents: list[Agent] = [_Stopper(), _Passer()]
            result = play(agents[color], agents[1 - color], game)
            assert str(result) == said and result.record == game


class _Stopper:
    """Stops at once."""

    def select_action(self, _game: sixplane.Game) -> Any:
        return STOP


@pytest.mark.parametrize("how", ["arena", "env", "vector"])
def test_without_a_referee_to_stop_is_to_resign(how: str) -> None:
    import gymnasium as gym

    if how == "arena":
        result = arena(_Stopper(), RandomAgent(seed=1), sixplane.Go(5), 4, seed=1)
        assert result.endings == ["resignation"] * 4 and result.losses == 4
        return
    options: dict[str, Any] = {"size": 5, "opponent": _Stopper()}
    if how == "env":
        env = gym.make("sixplane/Go-v0", disable_env_checker=True, **options)
        env.reset()
        assert env.step(0)[1:3] == (1.0, True)
    else:
        envs: Any = gym.make_vec("sixplane/Go-v0", 2, **options)
        envs.reset()
        assert envs.step([0, 1])[1].tolist() == [1.0, 1.0]


def test_every_end_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    class Late:
        def select_action(self, _game: sixplane.Game) -> Any:
            raise TimeoutError("no move within 1 s")

    class Wrong:
        def select_action(self, _game: sixplane.Game) -> Any:
            return 99

    human, shown = person("a1", "a2", "a3")
    for agent, said in (
        (Late(), "black wins: white lost on time"),
        (Wrong(), "black wins: white lost by illegal"),
    ):
        shown.clear()
        human, shown = person("a1")
        result = play(human, agent, sixplane.Go(5), None, on_move=show)
        assert str(result).startswith(said) and shown[-1].startswith(said)
    assert capsys.readouterr().out.count("black A1, ") == 2


def test_an_agent_that_fails_at_the_end_changes_nothing() -> None:
    class Breaks(_Passer):
        def on_end(self, result: Result) -> None:
            raise RuntimeError(result.ending)

    assert play(Breaks(), Breaks(), sixplane.Go(3, komi=0.5)).winner == "white"
    assert play(Breaks(), RESIGNS, sixplane.Go(3), None).ending == "resignation"


class _Resigns:
    def select_action(self, _game: sixplane.Game) -> Any:
        return RESIGN


RESIGNS = _Resigns()


def program(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixplane", *arguments],
        capture_output=True, text=True, check=False, timeout=120, **options,
    )  # fmt: skip


def test_a_person_plays_a_match(tmp_path: Path) -> None:
    words = ["match", "human", "random", "--size", "3", "--games", "2", "--seed", "1", "--opening-moves", "1"]
    arguments = [*INTERRUPTIBLE[1:], sys.executable, "-m", "sixplane", *words, "--out", str(tmp_path)]
    child = pexpect.spawn(INTERRUPTIBLE[0], arguments, encoding="utf-8", timeout=60)
    child.expect("A B C.*type a point.*(black|white): $")
    child.sendline("resign")
    child.expect("wins by resignation; seconds: .*A B C.*(black|white): $")
    child.sendline("q")
    child.expect("stopped after .*; seconds: ")
    child.expect("human against random")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(list(tmp_path.glob("*.sgf"))) == 2


def test_a_match_with_a_person_ends_with_its_input_and_at_ctrl_c() -> None:
    options = ["--size", "3", "--games", "2", "--opening-moves", "0"]
    done = program("match", "human", "random", *options, input="")
    assert (done.returncode, done.stderr) == (0, "")
    assert "human against random" in done.stdout
    words = [*INTERRUPTIBLE[1:], sys.executable, "-m", "sixplane", "match", "human", "random", *options]
    child = pexpect.spawn(INTERRUPTIBLE[0], words, encoding="utf-8", timeout=60)
    child.expect("(black|white): $")
    until(lambda: is_waiting(child.pid))
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130 and "Traceback" not in child.before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "human", "random", "--isolate"], "a person plays one game at a time"),
        (["match", "human", "random", "--processes", "2"], "a person plays one game at a time"),
        (["match", "Anna@human", "random", "--ray", "local"], "a person plays one game at a time"),
        (["gtp", "--agent", "human"], "a person plays in 'sixplane play' and 'sixplane match', not here"),
        (["gomocup", "--agent", "human"], "a person plays in 'sixplane play'"),
        (["play", "--hint", "human"], "a person gives no hints"),
    ],
)
def test_where_no_person_can_play_it_is_said(arguments: list[str], message: str) -> None:
    done = run_command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0 s"), (0.04, "0.0 s"), (0.2, "0.2 s"), (1.99, "1.9 s"), (9.99, "9.9 s"), (10, "0:10"),
     (59.9, "0:59"), (60, "1:00"), (3599.99, "59:59"), (3600, "60:00")],
)  # fmt: skip
def test_used_time_is_rounded_down(seconds: float, text: str) -> None:
    assert used_text(seconds) == text
