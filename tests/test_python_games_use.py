"""What takes a game takes one written in Python: searches, agents, matches, environments, commands."""

from __future__ import annotations

import pickle
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import own_games as games
import sixplane
from sixplane import GameBatch, GameRulesError
from sixplane.agents import AgentSpec, RandomAgent
from sixplane.cli.game_options import game_of, options_of
from sixplane.cli.program import parsers
from sixplane.cli.train import made_text
from sixplane.envs import VsOpponent, register_game
from sixplane.envs.single import BoardGameEnv
from sixplane.games import GAMES, info_named, info_of
from sixplane.learn.config import Config, ConfigError
from sixplane.learn.progress import Progress
from sixplane.match import evaluate, play
from sixplane.nets import Architecture, Network, input_planes
from sixplane.render import Style
from sixplane.search import MCTS
from sixplane.text import TextGame

if TYPE_CHECKING:
    from numpy.typing import NDArray

own_games: Any = games


def evaluator(planes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Judges positions by their stones, one as any other that looks the same."""
    count, _, rows, cols = planes.shape
    weights = np.sin(np.arange(2 * rows * cols))
    values = np.tanh(planes[:, :2].reshape(count, -1) @ weights / 4).astype(np.float32)
    logits = np.cos(np.arange(rows * cols + 1) + 3 * values[:, None]).astype(np.float32)
    return logits, values


TWINS: list[Any] = [
    (own_games.Gomoku, sixplane.Gomoku, 6),
    (own_games.VectorGomoku, sixplane.Gomoku, (5, 7)),
    (own_games.ConnectFour, sixplane.ConnectFour, (4, 5)),
    (own_games.Reversi, sixplane.Reversi, 4),
]


@pytest.mark.parametrize(("own", "ours", "size"), TWINS)
@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_a_search_finds_the_same_as_in_the_same_game_of_the_core(
    own: Any, ours: Any, size: Any, selection: str
) -> None:
    results = []
    for kind in (own, ours):
        search = MCTS(
            evaluator, selection=cast("Any", selection), simulations=60, leaves=3, seed=5, symmetry=True
        )
        game, found = kind(size), []
        for _ in range(4):
            result = search.search(game)
            found.append(result.visits.tolist())
            game.play(result.best_action)
            search.advance(result.best_action)
        batch = GameBatch(kind(size), 5, seed=2)
        batch.play_random(3)
        found.append(search.search_batch(batch).visits.tolist())
        results.append(found)
    assert results[0] == results[1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_with_playouts_finds_the_winning_point(threads: int) -> None:
    game = own_games.TicTacToe.from_text("XX.\nOO.\n...")
    found = MCTS(simulations=300, threads=threads, seed=1).search(game)
    assert found.best_action == 2
    batch = GameBatch(game, 4)
    assert MCTS(simulations=100, threads=threads, seed=1).search_batch(batch).best_action.tolist() == [2] * 4


def test_many_threads_of_python_and_of_a_search_ask_the_rules_at_once() -> None:
    games, found = own_games.Gomoku(6), []

    def work() -> None:
        found.append(MCTS(simulations=40, threads=2, seed=1).search(games.copy()).visits.sum())
        batch = GameBatch(games, 300, threads=2, seed=1)
        batch.play_random(3)
        found.append(batch.move_numbers.sum())

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [40] * 3 + [900] * 3


def fails_at(point: int) -> Any:
    """A game whose rules fail as soon as there is a stone on this point."""

    def legal(_: object, position: Any) -> Any:
        if not position.empty.flat[point]:
            raise ZeroDivisionError("too bad")
        return position.empty

    ending = own_games.TicTacToe().rules.ending.__func__
    return sixplane.game_class(type("Broken", (), {"default_size": 3, "legal": legal, "ending": ending}))


@pytest.mark.parametrize("given", [None, evaluator])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_of_the_rules_ends_a_search_and_the_next_one_is_as_ever(given: Any, threads: int) -> None:
    search, game = MCTS(given, simulations=50, threads=threads, seed=1), fails_at(4)()
    with pytest.raises(GameRulesError, match="ZeroDivisionError: too bad"):
        search.search(game)
    with pytest.raises(GameRulesError, match="too bad"):
        search.search_batch(GameBatch(game, 3))
    assert (game.move_number, game.is_over) == (0, False)
    game.play(0)
    assert search.search(own_games.TicTacToe()).visits.sum() == 50
    with pytest.raises(GameRulesError, match="too bad"):
        sixplane._core.selfplay(game, 0, 3, 1)
    game.play(1)


def test_agents_play_matches_of_it() -> None:
    game = own_games.TicTacToe()
    result = evaluate("mcts:simulations=200", "random", game, games=20, seed=1)
    assert result.wins + result.draws > result.losses
    for spec in ("random", "mcts:simulations=20", "weak@random:tries=2"):
        played = play(AgentSpec.parse(spec).make(1), RandomAgent(seed=2), game)
        assert played.record.is_over


def test_it_has_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    env_id = register_game(own_games.Nim)
    assert env_id == "sixplane/Nim-v0"
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    check_env(gymnasium.make(env_id, illegal="lose").unwrapped)
    envs: Any = gymnasium.make_vec(env_id, num_envs=4, opponent="random")
    envs.reset(seed=1)
    for _ in range(20):
        actions = [int(np.argmax(mask)) for mask in envs.action_masks()]
        envs.step(np.array(actions))
    against = VsOpponent(BoardGameEnv(own_games.Gomoku.name, size=5, **cast("Any", {"length": 4})), "random")
    _, info = against.reset(seed=1)
    assert info["action_mask"].sum() == 25
    assert pickle.loads(pickle.dumps(envs.spec)) == envs.spec
    with pytest.raises(TypeError, match="takes a class that"):
        register_game(sixplane.Go)  # type: ignore[arg-type]


def test_a_game_that_is_over_at_its_start_has_no_environment() -> None:
    env_id = register_game(named("Over", ending=lambda _self, _position: ("line", 1.0)))
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(ValueError, match="the game is over at its start"):
            make(env_id)


def named(title: str, name: str = "Named", **members: object) -> Any:
    """A game with this title."""
    ending = own_games.TicTacToe().rules.ending.__func__
    given = {"title": title, "default_size": 3, "legal": lambda _, position: position.empty, "ending": ending}
    return sixplane.game_class(type(name, (), {**given, **members}))


@pytest.mark.parametrize(
    ("title", "env_id"),
    [
        ("Nine Men's Morris", "NineMensMorris"),
        ("Nim (misère)", "NimMisere"),
        ("tic-tac-toe of 3/4", "TicTacToeOf34"),
        ("Nim-v2", "NimV2"),
        ("바둑 이", "바둑이"),
        ("?!", "Named"),
    ],
)
def test_an_id_has_letters_and_digits_alone(title: str, env_id: str) -> None:
    assert register_game(named(title)) == f"sixplane/{env_id}-v0"
    assert gymnasium.make(f"sixplane/{env_id}-v0").observation_space.shape == (6, 3, 3)
    del gymnasium.registry[f"sixplane/{env_id}-v0"]


@pytest.mark.parametrize(
    ("title", "owner"), [("Go", "go"), ("Gym-Go", "sixplane.gymgo:GoEnv"), ("Mine", "test_.*:First")]
)
def test_an_id_stays_with_its_game(title: str, owner: str) -> None:
    first = register_game(named("Mine", "First"))
    before = dict(gymnasium.registry)
    message = f"sixplane/.*-v0 belongs to {owner}, so test_python_games_use:Second cannot have it"
    with pytest.raises(ValueError, match=message):
        register_game(named(title, "Second"))
    assert gymnasium.registry == before
    del gymnasium.registry[first]


def test_a_class_that_is_made_again_takes_the_place_of_the_one_before() -> None:
    env_id = register_game(named("Again"))
    # Warnings are errors here.
    assert register_game(named("Again", default_size=4)) == env_id
    env: Any = gymnasium.make(env_id)
    assert env.observation_space.shape == (6, 4, 4)
    del gymnasium.registry[env_id]


def test_it_is_a_text_game() -> None:
    class NimText(TextGame):
        name = own_games.Nim.name

    env = NimText(seed=1)
    assert "may not touch" in env.reset()
    while not env.is_over:
        env.play(env.board().rpartition("Legal moves: ")[2].split()[0])
    assert re.search(r"The game is over: stuck\. You (win|lose)\.", env.board())


def test_it_has_pictures_and_records(tmp_path: Path) -> None:
    batch = GameBatch(own_games.Nim(), 3, seed=1)
    batch.play_random(3)
    assert batch.to_svg().startswith("<svg")
    assert "3 games of Nim 2x7" in batch._repr_html_()
    game = batch[0]
    assert own_games.Nim.from_sgf(game.to_sgf(black_name="A")) == game
    file = tmp_path / "game.sgf"
    file.write_text(game.to_sgf())
    with pytest.raises(sixplane.SGFError, match="its class reads it"):
        sixplane.read_sgf(file)
    game.resign()
    assert own_games.Nim.from_sgf(game.to_sgf()) == game


def test_points_are_drawn_with_the_names_of_its_actions() -> None:
    class Lettered:
        default_size, style = 9, Style(skips_i=True, row_one_at_top=True)

        def legal(self, position: Any) -> Any:
            return position.empty

        def ending(self, position: Any) -> Any:
            return None if position.empty.any() else ("full", 0)

    game: Any = sixplane.game_class(Lettered)()
    columns, rows = info_of(game).style.coordinates(9, 9)
    assert [game.action_to_name(action) for action in (0, 8, 80)] == ["A9", "I9", "I1"]
    assert (columns[-1], rows[0]) == ("I", "9")


def test_a_network_sees_which_color_is_to_play() -> None:
    # The rules may give the colors different aims.
    planes = np.stack([own_games.TicTacToe().planes] * 2)
    planes[1, 2] = 1
    first, second = input_planes(planes, info_named(own_games.TicTacToe.name).inputs)
    assert not np.array_equal(first, second)


def test_networks_know_it(tmp_path: Path) -> None:
    shape = Architecture(own_games.TicTacToe.name, blocks=1, channels=4)
    network = Network(shape, shape.random_parameters(seed=1), sizes=[(3, 3)], backend="numpy")
    network.save(tmp_path / "net.npz")
    again = Network.load(tmp_path / "net.npz", backend="numpy").for_game(own_games.TicTacToe())
    assert MCTS(again, selection="puct", simulations=20).search(own_games.TicTacToe()).visits.sum() > 0
    code = f"from sixplane.nets import Network; Network.load({str(tmp_path / 'net.npz')!r})"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "own_games:TicTacToe is somebody's own, and unknown here" in told.stderr


def test_no_name_from_a_file_is_imported(tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w').close()\n")
    name = f"{trap}:Game"
    assert name not in GAMES
    for ask in (lambda: info_named(name), lambda: Architecture(name)):
        with pytest.raises(ValueError, match="somebody's own"):
            ask()
    with pytest.raises(ConfigError, match="somebody's own"):
        Config.make({"game": name})
    assert not (tmp_path / "sprung").exists()


GAME = """
import sixplane

@sixplane.game_class
class Corners:
    "Who takes the last point of the border wins."
    default_size = 3
    def legal(self, position):
        border = position.empty.copy()
        border[1:-1, 1:-1] = False
        return border
    def ending(self, position):
        return None if self.legal(position).any() else ("full", 1.0 if position.turn else -1.0)
"""


def sixplane_of(
    folder: Path, *arguments: str, program: str = "-m sixplane"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *program.split(), *arguments],
        cwd=folder, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_commands_take_a_file_and_a_class(tmp_path: Path) -> None:
    (tmp_path / "my_game.py").write_text(GAME)
    chosen = ("--game", "my_game.py:Corners")
    told = sixplane_of(tmp_path, "selfplay", "--games", "3", "--seed", "1", *chosen)
    assert (told.returncode, told.stderr) == (0, "")
    told = sixplane_of(tmp_path, "match", "random", "mcts:simulations=10", "--games", "2", *chosen)
    assert told.returncode == 0, told.stderr
    told = sixplane_of(tmp_path, "match", "random", "random", "--games", "2", "--game", "my_game.py:Other")
    assert told.returncode == 2
    assert "has no class Other made by sixplane.game_class; it has Corners" in told.stderr
    told = sixplane_of(tmp_path, "match", "random", "random", "--games", "2", "--game", "none.py:Other")
    assert "there is no file none.py" in told.stderr


OPTIONS = """
import sixplane

@sixplane.game_class
class Laps:
    "Whoever puts the last of so many stones wins."
    default_size = 3
    def __init__(self, stones: int = 4, komi: float = 0.0, wraps: bool = True, mood: str = "calm",
        swap: int = 3):
        self.stones = stones
    def legal(self, position):
        return position.empty
    def ending(self, position):
        return ("full", 1.0) if (~position.empty).sum() >= self.stones else None
"""


def test_options_of_a_class_are_options_of_commands(tmp_path: Path) -> None:
    (tmp_path / "my_game.py").write_text(OPTIONS)
    chosen = ("selfplay", "--game", "my_game.py:Laps", "--games", "2", "--seed", "1")
    for given, actions in ((), "8"), (("--stones", "2"), "4"), (("--ston=3", "--mood", "-"), "6"):
        told = sixplane_of(tmp_path, *chosen, *given)
        assert told.returncode == 0, told.stderr
        assert re.search(rf"^moves +{actions}$", told.stdout, re.M), told.stdout
    refused = {
        "--stones two": "argument --stones: invalid int value: 'two'",
        "--stone-s 2": "unrecognized arguments: --stone-s (did you mean --stones?)",
        "--length 4": "length",
        "--swap": "argument --swap: the option of Laps is of the type int, and not bool as",
    }
    for words, text in refused.items():
        told = sixplane_of(tmp_path, *chosen, *words.split())
        assert told.returncode == 2 and text in told.stderr, told.stderr
    told = sixplane_of(tmp_path, "selfplay", "--games", "2", "--stones", "2")
    assert told.returncode == 2 and "unrecognized arguments: --stones" in told.stderr


def test_a_command_tells_the_options_of_a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "laps_game.py").write_text(OPTIONS)
    monkeypatch.chdir(tmp_path)
    given = "--game laps_game.py:Laps --stones 7 --komi 0.5 --no-wraps --mood 'a b'"
    arguments = parsers()[0].parse_args(["selfplay", *shlex.split(given)])
    game = game_of(arguments)
    assert [getattr(game, name) for name in type(game).rule_names] == [7, 0.5, False, "a b", 3]
    assert " ".join(options_of(game)) == given
    usual = game_of(parsers()[0].parse_args(["selfplay", "--game", "laps_game.py:Laps", "--wraps"]))
    assert options_of(usual) == ["--game laps_game.py:Laps"]


def test_a_number_of_a_class_may_be_negative_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lead_game.py").write_text(OPTIONS.replace("stones: int", "handicap: int").replace(
        "= stones", "= handicap"
    ))  # fmt: skip
    monkeypatch.chdir(tmp_path)
    words = ["selfplay", "--game", "lead_game.py:Laps", "--handicap", "-2"]
    assert getattr(game_of(parsers()[0].parse_args(words)), "handicap", None) == -2
    # That of Go may not.
    with pytest.raises(SystemExit):
        parsers()[0].parse_args(["selfplay", "--handicap", "-2"])


def test_the_end_of_a_training_tells_the_options_of_a_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trained_game.py").write_text(OPTIONS)
    monkeypatch.chdir(tmp_path)
    given = "--game trained_game.py:Laps --no-wraps --mood 'a b'"
    rules = {"wraps": False, "mood": "a b", "max_moves": 9}
    name = game_of(parsers()[0].parse_args(["selfplay", *shlex.split(given)])).name
    made = made_text(Config.make({"game": name, "rules": rules, "out": "run"}), Progress(), "")
    assert f"sixplane play {given} --max-moves 9 --opponent network:file=run/last.npz," in made
    # The records do not say of which class they are, and not its options.
    assert f"\nwatch it      sixplane watch {given} run\n" in made
    words = next(line for line in made.splitlines() if line.startswith("watch it")).split("sixplane ")[1]
    watched = game_of(parsers()[0].parse_args(shlex.split(words)))
    assert [getattr(watched, rule) for rule in ("wraps", "mood")] == [False, "a b"]


def test_workers_of_a_training_import_it(tmp_path: Path) -> None:
    (tmp_path / "my_game.py").write_text(GAME)
    (tmp_path / "tiny.toml").write_text(
        "blocks = 1\nchannels = 2\nsimulations = 2\nlast_simulations = 2\ngames_at_once = 4\nbatch = 16\n"
        "judge_games = 2\n"
    )
    told = sixplane_of(
        tmp_path, "train", "--game", "my_game.py:Corners", "--out", "run", "--config", "tiny.toml",
        "--minutes",
        "0.05", "--workers", "2", program=str(Path(__file__).with_name("pass_training.py")),
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert "games of" in told.stdout
    assert (tmp_path / "run" / "last.npz").exists()
    assert "--game my_game.py:Corners" in told.stdout
