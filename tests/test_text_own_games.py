"""Games of your own as text: how a class names one, and rules that fail."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import own_games as games
from sixplane import GameRulesError
from sixplane.text import TextGame

if TYPE_CHECKING:
    from pathlib import Path

own_games: Any = games

NIM = """
import sixplane

@sixplane.game_class
class Nim:
    "Whoever puts the last of so many stones wins."
    default_size = 3
    def __init__(self, stones: int = 4):
        self.stones = stones
    def legal(self, position):
        return position.empty
    def ending(self, position):
        return ("full", 1.0) if (~position.empty).sum() >= self.stones else None
"""


class NimText(TextGame):
    name = own_games.Nim.name


class FaultyText(TextGame):
    name = own_games.Faulty.name


class Plays:
    """An opponent that plays one action."""

    def __init__(self, action: int) -> None:
        self.action = action

    def select_action(self, _game: object) -> int:
        return self.action


def test_a_class_of_games_gets_one_for_texts_by_its_name() -> None:
    env = NimText(size=(2, 4))
    assert "Rules: Stones on a row may not touch; whoever cannot play loses." in env.reset(seed=1)
    assert env.play("A2").startswith("You played A2. White played ")
    assert pickle.loads(pickle.dumps(env)).board() == env.board()
    with pytest.raises(ValueError, match=r"own_games:Nim has no rule 'stones'; it has size, max_moves"):
        NimText(stones=5)


@pytest.mark.parametrize("name", ["nim_in_a_file.py:Nim", "nim_in_a_file:Nim"])
def test_a_name_may_be_that_of_a_file_which_is_imported(tmp_path: Path, name: str) -> None:
    (tmp_path / "nim_in_a_file.py").write_text(NIM)
    code = (
        "from sixplane.text import TextGame\n"
        f"class NimText(TextGame): name = {name!r}\n"
        "print(NimText(stones=3).reset().splitlines()[0])\n"
        "try: NimText(stone=3)\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "You play Nim on a board of 3 columns and 3 rows. You are black (X); your opponent is white (O).",
        "nim_in_a_file:Nim has no rule 'stone' (did you mean stones?); it has stones, size, max_moves",
    ]


@pytest.mark.parametrize(("move", "reply"), [("C1", 0), ("A3", 8)], ids=["the model", "the opponent"])
def test_rules_that_fail_at_any_move_are_not_a_reward(move: str, reply: int) -> None:
    opponent = Plays(reply)
    env = FaultyText(opponent=opponent)
    env.reset()
    with pytest.raises(GameRulesError, match="no such position"):
        env.play(move)
    assert env.game.move_number == 0
    with pytest.raises(RuntimeError, match="the opponent or the rules failed in this game"):
        env.get_reward()
    # The game is what it was before, and goes on with other moves.
    opponent.action = 1
    assert env.play("A3").startswith("You played A3. White played B3.")
    assert env.get_reward() == -1.0
