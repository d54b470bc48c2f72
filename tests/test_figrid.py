"""Whole games against figrid-board, a Gomoku program that others wrote and cargo installs."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from sixplane import Gomoku
from sixplane.agents import AgentSpec
from sixplane.match import play

#: `make test-oracles` installs it from the registry of crates.
PROGRAM = Path(__file__).parents[1] / "target/figrid-1.2.0/bin/pbrain-figrid"


@pytest.mark.parametrize("exact_five", [False, True], ids=["free", "exact five"])
@pytest.mark.parametrize("plays_black", [False, True], ids=["white", "black"])
def test_a_strong_program_plays_whole_games(exact_five: bool, plays_black: bool) -> None:
    game = Gomoku(exact_five=exact_five)
    for row, col in ((7, 7), (9, 9)):
        game.play(15 * row + col)
    program = AgentSpec.parse(f"gomocup:seconds=0.3,{shlex.quote(str(PROGRAM))}").make(None)
    other = AgentSpec.parse("random").make(1)
    players = (program, other) if plays_black else (other, program)
    result = play(*players, game)
    # No rule of the referee ended a game. However little time it has, it beats random moves.
    assert result.ending == "rules", result.detail
    assert result.winner == ("black" if plays_black else "white")
