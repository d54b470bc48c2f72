"""Ratings of agents that play one game after the other: programs, and searches for a time."""

from __future__ import annotations

import shlex
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from fake_program import Fake, FakeGomocup
from sixplane import ladder
from sixplane.__main__ import main
from sixplane.agents import AgentSpec, MCTSAgent, NetworkAgent, RandomAgent
from sixplane.agents.best import BestAgent
from sixplane.agents.dead_stones import CapturingAgent
from sixplane.agents.partly_random import PartlyRandomAgent
from sixplane.match import Rater, arena
from sixplane.match.rating_file import Series
from sixplane.match.series import chooses_at_once, play_series
from small_evaluators import linear

if TYPE_CHECKING:
    from pathlib import Path

#: Short games on boards that have ladders.
GO = sixplane.Go(size=9, max_moves=16)
REVERSI = sixplane.Reversi(max_moves=16)


class First:
    """Plays the first legal action, chooses in one game alone, and records in which."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []

    def select_action(self, game: sixplane.Game) -> int:
        self.asked.append(tuple(game.actions.tolist()))
        return int(game.legal_actions[0])


class Timed(MCTSAgent):
    """Searches for a time, and records in which game."""

    def __init__(self) -> None:
        super().__init__(seconds=0.001, seed=1)
        self.asked: list[tuple[int, ...]] = []

    def select_action(self, game: sixplane.Game) -> Any:
        self.asked.append(tuple(game.actions.tolist()))
        return super().select_action(game)


def begun(asked: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The first position of each game: one that does not continue the one before."""
    firsts = [after for before, after in pairwise(asked) if after[: len(before)] != before]
    return [asked[0], *firsts]


@pytest.mark.parametrize("agent", [First(), Timed()], ids=["first", "timed"])
@pytest.mark.parametrize("wrap", [None, CapturingAgent, lambda agent: PartlyRandomAgent(agent, 0.0)])
def test_an_agent_that_follows_one_game_plays_a_series_game_by_game(agent: Any, wrap: Any) -> None:
    agent.asked.clear()
    with Rater(agent if wrap is None else wrap(agent), REVERSI, 8, 1) as rater:
        assert rater.step()
    firsts = begun(agent.asked)
    assert len(firsts) == 8
    openings = [first[:4] for first in firsts]
    assert openings[::2] == openings[1::2], "pairs of one opening stay together"
    assert len({*openings}) == 4


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_program_is_told_each_game_once(tmp_path: Path, processes: str) -> None:
    fake = Fake(tmp_path)
    command = f"gtp:{shlex.join(fake.command(*['pass'] * 500))}"
    words = ["--game", "go", "--size", "9", "--max-moves", "16", "--games", "8", "--seed", "1"]
    assert main(["rate", command, *words, "--processes", processes]) == 0
    told = [line.partition(" ")[0] for line in fake.told()]
    # Once more when the command checks the agent.
    assert told.count("clear_board") <= 8 + 1
    assert told.count("genmove") > 3 * 8
    assert told.count("play") < 3 * told.count("genmove")


def test_series_that_are_played_game_by_game_are_short() -> None:
    for agent, length in ((First(), 8), (RandomAgent(), 50)):
        with Rater(agent, REVERSI, 200, 1) as rater:
            rater._series = [Series(0, 50.0, 100)]
            assert [games for _, games in rater._plans()] == [length]


def test_players_that_choose_at_once_play_the_games_of_an_arena() -> None:
    gomoku, evaluator = sixplane.Gomoku(), linear((8, 8), 1)
    players: list[tuple[Any, sixplane.Game]] = [
        (RandomAgent(), REVERSI),
        (MCTSAgent(simulations=5), REVERSI),
        (evaluator, REVERSI),
        (NetworkAgent(evaluator), REVERSI),
        (AgentSpec.parse("score-table:random=0.6").make(1), gomoku),
    ]
    for agent, game in players:
        rung = AgentSpec.parse(ladder.rungs(game)[9].spec).make(2)
        usual = arena(agent, rung, game, 8, opening_moves=4, seed=3)
        same = play_series(agent, rung, game, 8, 4, 3)
        assert [record.actions.tolist() for record in same.records] == [
            record.actions.tolist() for record in usual.records
        ]


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        ("random", True),
        ("mcts:simulations=10", True),
        ("mcts:simulations=10,random=0.5", True),
        ("mcts:seconds=1", False),
        ("mcts:seconds=1,simulations=10", False),
        ("mcts:seconds=1,random=0.5", False),
        ("reversi8", True),
        ("reversi8:seconds=1", False),
        ("ladder:+5", True),
        ("gtp:x", False),
        (BestAgent(), False),
        (linear((8, 8), 1), True),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_who_chooses_in_many_games_at_once(player: Any, expected: bool) -> None:
    made = AgentSpec.parse(player).make(1) if isinstance(player, str) else player
    assert chooses_at_once(made, REVERSI) is expected


@pytest.mark.parametrize("game", [sixplane.Go(9), sixplane.Go(13), REVERSI, sixplane.Gomoku()], ids=repr)
def test_every_rung_chooses_in_many_games_at_once(game: sixplane.Game) -> None:
    assert all(chooses_at_once(AgentSpec.parse(rung.spec).make(1), game) for rung in ladder.rungs(game))


@pytest.mark.parametrize("processes", ["1", "2"])
def test_the_command_says_how_many_games_were_lost_by_illegal_moves(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, processes: str
) -> None:
    fake = FakeGomocup(tmp_path)
    # Its second move of each game is on its own stone.
    command = f"gomocup:{shlex.join(fake.command(*['0,0'] * 500))}"
    words = ["--game", "gomoku", "--seed", "1", "--processes", processes, "--out", str(tmp_path / "rating")]
    assert main(["rate", command, *words, "--games", "8"]) == 0
    last = "\nThe agent lost 8 of the 8 games played now by illegal moves.\n"
    assert last in capsys.readouterr().out
    assert fake.log.read_text().count("BOARD\n") + fake.log.read_text().count("BEGIN\n") <= 8
    assert main(["rate", "random", "--game", "gomoku", "--games", "8", "--seed", "1"]) == 0
    assert "illegal" not in capsys.readouterr().out
