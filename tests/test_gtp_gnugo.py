"""Games over GTP against GNU Go, a judge of its own: what is legal, and who won by how much."""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import pytest

import sixplane
from sixplane.agents import RandomAgent
from sixplane.protocols.gtp import GTPEngine

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = ["gnugo", "--mode", "gtp", "--level", "1", "--chinese-rules", "--positional-superko", "--seed", "1"]
COLORS = ("black", "white")


class GnuGo:
    """GNU Go as a child process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, command: str) -> str:
        """The answer to a command, which succeeds."""
        (answer,) = self.ask_all([command])
        return answer

    def ask_all(self, commands: list[str]) -> list[str]:
        """The answers to several commands, sent at once."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write("\n".join(commands) + "\n")
        self._process.stdin.flush()
        answers = []
        for command in commands:
            lines = []
            while (line := self._process.stdout.readline()) != "\n":
                assert line, f"GNU Go has ended at {command}"
                lines.append(line)
            answer = "".join(lines).strip()
            assert answer.startswith("="), f"{command}: {answer}"
            answers.append(answer[1:].strip())
        return answers

    def close(self) -> None:
        self._process.communicate("quit\n", timeout=60)


@pytest.fixture
def gnugo() -> Iterator[GnuGo]:
    program = GnuGo()
    yield program
    program.close()


def ours(engine: GTPEngine, command: str) -> str:
    answer = engine.answer(command)
    assert answer.startswith("="), f"{command}: {answer}"
    assert answer.endswith("\n\n")
    return answer[1:].strip()


def begin(gnugo: GnuGo, game: sixplane.Go, seed: int) -> GTPEngine:
    engine = GTPEngine(game, RandomAgent(seed=seed))
    for command in (f"boardsize {game.rows}", "clear_board", "komi 7.5"):
        ours(engine, command)
        gnugo.ask(command)
    return engine


def legal_points(gnugo: GnuGo, engine: GTPEngine, color: int) -> tuple[list[str], list[str]]:
    """What may be played by this color, in our view and in GNU Go's."""
    game = engine.game
    names = [game.action_to_name(point) for point in range(game.rows * game.cols)]
    answers = gnugo.ask_all([f"is_legal {COLORS[color]} {name}" for name in names])
    theirs = [name for name, answer in zip(names, answers, strict=True) if answer == "1"]
    mask = game.action_mask
    return [name for point, name in enumerate(names) if mask[point]], theirs


@pytest.mark.outside("gnugo")
@pytest.mark.parametrize("seat", [0, 1])
def test_gnu_go_plays_a_game_on_9x9_and_finds_the_same_moves_legal(gnugo: GnuGo, seat: int) -> None:
    engine = begin(gnugo, sixplane.Go(9), seed=seat)
    color = passes = 0
    while passes < 2:
        mine, theirs = legal_points(gnugo, engine, color)
        assert mine == theirs
        if color == seat:
            move = ours(engine, f"genmove {COLORS[color]}")
            gnugo.ask(f"play {COLORS[color]} {move}")
        else:
            move = gnugo.ask(f"genmove {COLORS[color]}")
            if move == "resign":
                move = "PASS"
                gnugo.ask(f"play {COLORS[color]} pass")
            ours(engine, f"play {COLORS[color]} {move}")
        passes = passes + 1 if move.lower() == "pass" else 0
        color = 1 - color
        assert engine.game.move_number < 1000
    assert engine.game.is_over
    assert engine.game.move_number > 40


@pytest.mark.outside("gnugo")
@pytest.mark.parametrize(("size", "seed"), [(5, 1), (5, 2), (5, 3), (9, 4), (9, 5), (13, 6)])
def test_gnu_go_counts_the_same_score_when_every_area_has_one_color(
    gnugo: GnuGo, size: int, seed: int
) -> None:
    engine = begin(gnugo, sixplane.Go(size), seed)
    color, rng = 0, random.Random(seed)
    while not engine.game.is_over:
        if size == 5 or rng.random() < 0.1:
            mine, theirs = legal_points(gnugo, engine, color)
            assert mine == theirs
        move = ours(engine, f"genmove {COLORS[color]}")
        gnugo.ask(f"play {COLORS[color]} {move}")
        color = 1 - color
    game = engine.game
    assert isinstance(game, sixplane.Go)
    assert sum(game.areas()) == size * size
    assert gnugo.ask("final_score").split()[0] == ours(engine, "final_score")


@pytest.mark.outside("gnugo")
def test_gnu_go_forbids_the_same_repetitions(gnugo: GnuGo) -> None:
    forbidden = 0
    for seed in range(4):
        engine = begin(gnugo, sixplane.Go(5), seed)
        agent, color = RandomAgent(avoid_eyes=None, seed=seed), 0
        for _ in range(150):
            game = engine.game
            mine, theirs = legal_points(gnugo, engine, color)
            assert mine == theirs
            for point in game.planes[3].ravel().nonzero()[0]:
                with pytest.raises(sixplane.IllegalActionError) as caught:
                    game.play(int(point))
                forbidden += caught.value.reason == "superko"
            move = game.action_to_name(int(agent.select_action(game)))  # type: ignore[arg-type]
            ours(engine, f"play {COLORS[color]} {move}")
            gnugo.ask(f"play {COLORS[color]} {move}")
            color = 1 - color
    assert forbidden, "no repetition was tried"


@pytest.mark.outside("gnugo")
def test_gnu_go_takes_the_same_moves_back(gnugo: GnuGo) -> None:
    engine = begin(gnugo, sixplane.Go(7), 3)
    rng, color = random.Random(1), 0
    for _ in range(120):
        if rng.random() < 0.3 and engine.game.move_number:
            ours(engine, "undo")
            gnugo.ask("undo")
        else:
            move = ours(engine, f"genmove {COLORS[color]}")
            gnugo.ask(f"play {COLORS[color]} {move}")
        color = rng.randrange(2)  # the same color twice, too
        board = gnugo.ask("list_stones black"), gnugo.ask("list_stones white")
        planes = engine.game.planes
        for stones, plane in zip(board, planes, strict=False):
            names = {engine.game.action_to_name(int(p)) for p in plane.ravel().nonzero()[0]}
            assert set(stones.split()) == names
