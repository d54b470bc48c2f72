"""The registry of games: one line makes a game known to environments, pictures and the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sixplane
from sixplane.games import GAMES, info_of

#: Go under another name, as a new game would be registered.
REGISTER = """
import dataclasses, pickle
from sixplane.games import GAMES
GAMES["weiqi"] = dataclasses.replace(GAMES["go"], title="Weiqi", rules=GAMES["go"].rules[:2])
"""


def run_python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", REGISTER + code, *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_registered_game_has_environments_that_pickle() -> None:
    code = """
import gymnasium, sixplane
env = gymnasium.make("sixplane/Weiqi-v0", size=5, komi=0.5).unwrapped
print(type(env).__name__, env.reset()[0].shape, pickle.loads(pickle.dumps(env)).game == env.game)
envs = gymnasium.make_vec("sixplane/Weiqi-v0", 3, size=5, opponent="random").unwrapped
print(type(envs).__name__, envs.reset()[0].shape)
try:
    gymnasium.make("sixplane/Weiqi-v0", suicide=True)
except TypeError as error:
    print("suicide" in str(error))
"""
    expected = "BoardGameEnv (6, 5, 5) True\nBoardGameVectorEnv (3, 6, 5, 5)\nTrue\n"
    assert run_python(code) == expected


def test_a_registered_game_is_played_from_the_command_line() -> None:
    code = "import sys; from sixplane.__main__ import main; sys.exit(main())"
    weiqi = run_python(code, "selfplay", "--game", "weiqi", "--size", "5", "--games", "9", "--seed", "2")
    go = run_python(code, "selfplay", "--game", "go", "--size", "5", "--games", "9", "--seed", "2")
    assert weiqi.split("last board")[1] == go.split("last board")[1]
    described = run_python(code, "gtp", "--help")
    assert "{go,reversi,weiqi}" in described and "Go, Weiqi: points given to white" in described


@pytest.mark.parametrize("name", GAMES)
def test_what_is_registered_suits_the_class(name: str) -> None:
    info = GAMES[name]
    game = info.game_class()
    assert (game.name, info_of(game)) == (name, info)
    options = {rule.name for rule in info.rules}
    assert set(game.rule_names) <= options, "a rule of the game that the command line lacks"
    for rule in info.rules:
        value = getattr(game, rule.name)
        assert type(value) is rule.kind
        assert info.game_class(**{rule.name: value}) == game


def test_a_foreign_object_is_no_registered_game() -> None:
    with pytest.raises(TypeError, match="str is none of the games connect4, go, gomoku, hex, reversi"):
        info_of("go")  # type: ignore[arg-type]
    assert info_of(sixplane.Reversi()).env_id == "sixplane/Reversi-v0"
