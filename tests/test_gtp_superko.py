"""What superko forbids, over GTP: `play` takes it, `genmove` never plays it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sixplane
from gtp_talk import go, refused, say
from naive_go import NaiveGo
from sixplane.agents import MCTSAgent
from sixplane.protocols.gtp import GTPEngine

if TYPE_CHECKING:
    from pathlib import Path

#: On 3x3: Black sends two, White takes them; then Black's B1 returns one.
SENDS_TWO = ["play b A2", "play w B2", "play b B1", "play w C2", "play b C1", "play w A1"]
RETURNS_ONE = "play b B1"


def naive_after(*actions: int, ko: str = "positional") -> NaiveGo:
    """The naive game in which every one of these actions is played, repetition or not."""
    naive = NaiveGo(3, 3, ko=ko)
    for action in actions:
        seen, naive.seen = naive.seen, []
        naive.play(action)
        naive.seen = seen + naive.seen
    return naive


@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_play_takes_a_repetition_and_superko_counts_from_there(ko: str, capsys: Any) -> None:
    engine, actions = go(3, ko=ko), [3, 4, 7, 5, 8, 6, 7]
    say(engine, *SENDS_TWO, RETURNS_ONE)
    said = "play: B1 repeats an earlier position\n"
    assert capsys.readouterr().err == (said if ko == "positional" else "")
    for action in (8, 6, 7):
        assert np.array_equal(engine.game.planes, naive_after(*actions, ko=ko).planes)
        assert engine.game.actions.tolist() == actions
        # White passes, and Black does it all again: by now situational superko forbids it too.
        say(engine, *(["play w pass"] if action == 8 else []))
        actions += [9, action] if action == 8 else [action]
        name = engine.game.action_to_name(action)
        say(engine, f"play {'w' if action == 6 else 'b'} {name}")
    assert capsys.readouterr().err.endswith(said)
    assert np.array_equal(engine.game.planes, naive_after(*actions, ko=ko).planes)


def test_a_repetition_can_be_taken_back_and_played_again() -> None:
    engine = go(3)
    say(engine, *SENDS_TWO)
    before = engine.game
    for _ in range(3):
        say(engine, RETURNS_ONE, "play w A3", "undo", "undo")
        assert engine.game == before
    say(engine, RETURNS_ONE, *["undo"] * 7)
    assert engine.game == go(3).game
    assert refused(engine, "undo") == "cannot undo"


def test_what_else_is_illegal_stays_so() -> None:
    engine = go(3)
    say(engine, *SENDS_TWO, RETURNS_ONE)
    for command in ("play w B1", "play w A1", "play b A2"):
        assert refused(engine, command) == "illegal move"
    ko = go(4)
    say(ko, "rectangular_boardsize 4 3", "play b b3", "play b a2", "play b b1", "play w c3")
    say(ko, "play w d2", "play w c1", "play w b2", "play b c2")
    # Simple ko forbids to take back at once; later the opponent's rule may allow it.
    assert refused(ko, "play w b2") == "illegal move"
    say(ko, "play w pass", "play b pass", "play w b2", "undo", "play w d3", "play b a3", "play w b2")


def test_genmove_keeps_the_rule() -> None:
    class Returns:
        def select_action(self, _game: sixplane.Game) -> int:
            return 7

    engine = GTPEngine(sixplane.Go(3), Returns())
    say(engine, *SENDS_TWO)
    assert "superko" in refused(engine, "genmove b")
    assert "superko" in refused(engine, "reg_genmove b")
    searching = GTPEngine(sixplane.Go(3), MCTSAgent(simulations=50, seed=1))
    say(searching, *SENDS_TWO, RETURNS_ONE)
    for color in "wbwbwb":
        legal = searching.game.legal_actions
        if searching.game.is_over:
            break
        (name,) = say(searching, f"genmove {color}")
        assert searching.game.name_to_action(name) in legal


def test_rules_change_after_a_repetition(tmp_path: Path) -> None:
    engine = go(3)
    say(engine, *SENDS_TWO, RETURNS_ONE, "komi 5.5", "kata-set-rule ko SITUATIONAL")
    assert engine.game.move_number == 7
    say(engine, "kata-set-rule ko SIMPLE", "kata-set-rules tromp-taylor", "undo", RETURNS_ONE)
    path = tmp_path / "game.sgf"
    path.write_text(sixplane.Go(3).replay([3, 4, 7, 5, 8, 6]).to_sgf())
    say(engine, f"loadsgf {path}", RETURNS_ONE, "undo", "undo", "play w A1", RETURNS_ONE, "play w resign")
    assert say(engine, "final_score", "undo", "undo", "showboard")[0] == "B+Resign"
    assert engine.game.move_number == 6


def test_a_repetition_out_of_turn_or_after_two_passes_is_taken_too() -> None:
    engine = go(3)
    say(engine, *SENDS_TWO, "play w pass", RETURNS_ONE)
    assert engine.game.turn == 1
    say(engine, "undo", "undo", "play b pass", "play w pass")
    assert [engine.game.is_over, *say(engine, RETURNS_ONE)] == [True, ""]
    assert [engine.game.is_over, int(engine.game.planes[0].sum())] == [False, 2]
