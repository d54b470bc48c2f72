"""Games of a crate of their own: `examples/crate-game` is built as its author would, and used from Python."""

from __future__ import annotations

import copy
import ctypes
import gc
import importlib
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest

import own_games as python_games
import sixplane
from built_package import built, run
from interruptible import started
from sixplane import GameBatch, GameRulesError, IllegalActionError
from sixplane._core import _read_crate
from sixplane.search import MCTS, Gumbel
from sixplane.testing import LawBroken, check_game
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Iterator

own_games: Any = python_games

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "crate-game"
PAGE = ROOT / "docs/tutorials/game-in-a-crate.md"
LAST_LINE = "sixplane::python_game!(ConnectFour, Nim);\n"


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module of the example, to whose rules some with faults are added."""
    folder = tmp_path_factory.mktemp("crate")
    crate = folder / "crate"
    shutil.copytree(EXAMPLE, crate, ignore=shutil.ignore_patterns("target", "*.lock"))
    # The versions that this tree is built with, so that both share what they depend on.
    shutil.copy(ROOT / "Cargo.lock", crate)
    manifest = (crate / "Cargo.toml").read_text(encoding="utf-8")
    assert manifest.count('path = "../.."') == 1
    # It plays small boards, so the core need not be optimised, which takes as long as all else.
    (crate / "Cargo.toml").write_text(
        manifest.replace('path = "../.."', f'path = "{ROOT}"')
        + "\n[profile.dev.package.sixplane]\nopt-level = 0\n",
        encoding="utf-8",
    )
    rules = (crate / "src/lib.rs").read_text(encoding="utf-8")
    assert rules.endswith("\n" + LAST_LINE)
    faulty = Path(__file__).with_name("faulty_rules.rs").read_text(encoding="utf-8")
    with_faults = rules.removesuffix(LAST_LINE) + faulty + LAST_LINE.replace("Nim", "Nim, Faulty")
    (crate / "src/lib.rs").write_text(with_faults, encoding="utf-8")
    return built(crate, folder)


@pytest.fixture(scope="session")
def games(package: Path) -> Iterator[Any]:
    """The module, imported as from an environment where it is installed."""
    sys.path.insert(0, str(package))
    yield importlib.import_module("crate_game")
    sys.path.remove(str(package))


def assert_alike(one: sixplane.Game, other: sixplane.Game) -> None:
    assert (one.planes == other.planes).all()
    assert (one.action_mask == other.action_mask).all()
    assert (one.outcome, one.score(), one.hash) == (other.outcome, other.score(), other.hash)
    assert (one.is_over, one.is_truncated, one.turn) == (other.is_over, other.is_truncated, other.turn)
    assert (one.ending, one.num_symmetries) == (other.ending, other.num_symmetries)


def fenced(language: str) -> list[str]:
    """What the page shows in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)


def test_the_page_shows_the_files_of_the_example() -> None:
    manifest, project, compiler = fenced("toml")
    ours = (EXAMPLE / "Cargo.toml").read_text(encoding="utf-8")
    dependency = 'sixplane = { version = "0.1", features = ["python-game"] }'
    assert f"`{dependency}`" in ours
    # Each of its lines stands there, too, in the same order.
    left = iter(
        ours.replace('sixplane = { path = "../..", features = ["python-game"] }', dependency).splitlines()
    )
    assert [line for line in manifest.splitlines() if line and line not in left] == []
    assert project == (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")
    assert (EXAMPLE / ".cargo/config.toml").read_text(encoding="utf-8").endswith("\n" + compiler)
    assert (EXAMPLE / ".cargo/config.toml").read_bytes() == (ROOT / ".cargo/config.toml").read_bytes()


def test_what_the_page_types_runs(package: Path) -> None:
    (code,) = fenced("py")
    said = run(package, "-W", "error", "-c", code).splitlines()
    assert "sixplane/Nim-v0" in said and " laws kept in " in said[-1]


def test_the_module_has_a_class_for_each_game(games: Any) -> None:
    assert games.__all__ == ["ConnectFour", "Nim", "Faulty"]
    one = games.ConnectFour
    assert issubclass(one, sixplane.OwnGame) and one.__module__ == "crate_game"
    assert (one.name, one.default_size) == ("crate_game:ConnectFour", (6, 7))
    assert one.info.title == "Connect Four of a crate" and one.info.style.drops
    assert one.__doc__ == "Discs fall into columns; four in a row, column or diagonal win."
    assert repr(one()) == "<sixplane.ConnectFour 6x7, move 0, black to play>"
    assert sixplane.games.GAMES["crate_game:ConnectFour"].game_class is one


@pytest.mark.parametrize("size", [(6, 7), 4, (4, 8), (8, 5), 8])
def test_it_is_the_same_game_action_by_action(games: Any, size: Any) -> None:
    dice = random.Random(1)
    for max_moves in (None, None, 9):
        one = games.ConnectFour(size, max_moves=max_moves)
        other = sixplane.ConnectFour(size, max_moves=max_moves)
        assert_alike(one, other)
        while not other.is_over:
            action = int(dice.choice(np.flatnonzero(other.action_mask == 0)))
            reasons = []
            for game in (one, other):
                with pytest.raises(IllegalActionError) as refused:
                    game.play(action)
                reasons.append(refused.value.reason)
            assert reasons[0] == reasons[1]
            action = dice.choice(other.legal_actions.tolist())
            for game in (one, other):
                game.play(action)
            assert_alike(one, other)
            if dice.random() < 0.2:
                for game in (one, other):
                    game.undo()
                assert_alike(one, other)


@pytest.mark.parametrize("size", [(2, 7), (9, 9), (15, 16)])
def test_planes_may_have_more_words_than_the_board(games: Any, size: Any) -> None:
    dice = random.Random(2)
    one, other = games.Nim(size), own_games.Nim(size)
    while not other.is_over:
        assert_alike(one, other)
        action = dice.choice(other.legal_actions.tolist())
        for game in (one, other):
            game.play(action)
        if dice.random() < 0.1:
            one.undo()
            other.undo()
    assert_alike(one, other)


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_a_batch_gives_the_same_steps(games: Any, autoreset: Any) -> None:
    one = GameBatch(games.ConnectFour(), 300, seed=5)
    other = GameBatch(sixplane.ConnectFour(), 300, seed=5)
    for _ in range(60):
        actions = one.sample()
        assert (actions == other.sample()).all()
        found, expected = one.step(actions, autoreset=autoreset), other.step(actions, autoreset=autoreset)
        for name in expected._fields:
            assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    for batch in (one, other):
        batch.play_random(7)
    assert (one.planes == other.planes).all() and (one.action_masks == other.action_masks).all()


def test_a_search_is_the_same_with_the_same_random_numbers(games: Any) -> None:
    def evaluate(planes: Any) -> tuple[Any, Any]:
        cells = planes.reshape(len(planes), -1).astype(np.float32)
        weights = np.linspace(-1, 1, cells.shape[1], dtype=np.float32)
        return np.sin(np.outer(cells @ weights, np.arange(43))), np.tanh(cells @ weights / 20)

    starts = [made.replay([38, 31, 24]) for made in (games.ConnectFour(), sixplane.ConnectFour())]
    for search in (
        {"simulations": 600, "seed": 3},
        {"simulations": 400, "seed": 3, "selection": Gumbel()},
        {"simulations": 300, "seed": 4, "evaluator": evaluate},
    ):
        found, expected = (MCTS(**search).search(game) for game in starts)
        assert (found.visits == expected.visits).all()
        assert np.array_equal(found.q, expected.q, equal_nan=True)
    visits = [MCTS(simulations=50, seed=1).search_batch(GameBatch(game, 8, seed=1)).visits for game in starts]
    assert (visits[0] == visits[1]).all()


@pytest.mark.parametrize(("name", "options"), [("ConnectFour", {}), ("Nim", {}), ("Nim", {"misere": True})])
def test_it_keeps_the_laws_of_every_game(games: Any, name: str, options: dict[str, bool]) -> None:
    report = check_game(getattr(games, name)(**options), rules=options)
    assert report.not_offered == ()


def test_options_are_arguments(games: Any) -> None:
    game = games.Nim(size=(2, 2), misere=True)
    usual = games.Nim(size=(2, 2))
    assert (game.misere, usual.misere) == (True, False) and game != usual
    for one in (game, usual):
        one.play(0)
        one.play(2)
    assert (game.outcome, usual.outcome, game.ending) == ("black", "white", "stuck")
    assert pickle.loads(pickle.dumps(game)) == game
    for wrong, kind, text in (
        ({"miser": True}, TypeError, "allowed are misere, max_moves"),
        ({"misere": 1}, TypeError, "misere must be bool, not int"),
    ):
        with pytest.raises(kind, match=text):
            games.Nim(**wrong)
    with pytest.raises(ValueError, match="count must fit 64 bits"):
        games.Faulty(count=2**63)
    assert games.Faulty(weight=2).weight == 2.0
    with pytest.raises(ValueError, match="from 4 to 8, not 3x3"):
        games.ConnectFour(3)
    with pytest.raises(ValueError, match="at most 256 points, not 25x25"):
        games.Nim(25)


def test_copies_and_pickles_are_the_same_game(games: Any, package: Path) -> None:
    game = games.ConnectFour().replay([38, 31, 24])
    for again in (copy.deepcopy(game), pickle.loads(pickle.dumps(game)), game.copy()):
        assert again == game and hash(again) == hash(game) and type(again) is games.ConnectFour
        again.play(17)
        assert again != game
    batch = GameBatch(game, 4, seed=1)
    batch.play_random(3)
    assert pickle.loads(pickle.dumps(batch)) == batch
    file = package.parent / "game.pickle"
    file.write_bytes(pickle.dumps(game))
    code = f"import pickle; g = pickle.loads(open({str(file)!r}, 'rb').read()); print(g.name, g.actions)"
    assert run(package, "-c", code) == "crate_game:ConnectFour [38 31 24]\n"
    assert games.ConnectFour.from_sgf(game.to_sgf()) == game


def test_a_game_outlives_its_module(games: Any) -> None:
    modules = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith("crate_game")}
    try:
        game = games.ConnectFour()
        del modules["crate_game"].__dict__["__doc__"]
        gc.collect()
        batch = GameBatch(game, 16, seed=1)
        batch.play_random(50)
        assert batch.dones.all()
    finally:
        sys.modules |= modules


def test_others_play_it(games: Any) -> None:
    result = sixplane.evaluate("mcts:simulations=40", "random", games.ConnectFour(), games=12, seed=1)
    assert result.wins >= 9
    name = sixplane.envs.register_game(games.ConnectFour)
    env = gymnasium.make(name, opponent="random")
    observation, info = env.reset(seed=1)
    assert observation.shape == (6, 6, 7)
    done = False
    while not done:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    assert info["outcome"] in (-1, 0, 1)
    vector = gymnasium.make_vec(name, 8, vectorization_mode="vector_entry_point")
    planes, _ = vector.reset(seed=1)
    assert planes.shape == (8, 6, 6, 7)


def test_commands_take_the_name_of_module_and_class(package: Path, tmp_path: Path) -> None:
    game = ("--game", "crate_game:ConnectFour")
    command = ("-m", "sixplane")
    run(package, *command, "selfplay", *game, "--games", 20, "--seed", 1, "--out", tmp_path / "games")
    assert len(list((tmp_path / "games").rglob("*.sgf"))) == 20
    nim = (*command, "selfplay", "--game", "crate_game:Nim", "--size", "2x2", "--games", 4, "--seed", 1)
    for options, winner in ((), "white"), (("--misere",), "black"):
        assert re.search(rf"^{winner} wins +4$", run(package, *nim, *options), re.M)
    part = tmp_path / "part.sgf"
    run(package, *command, "play", *game, "--opponent", "human", "--save", part, said="D1\nD2\nquit\n")
    code = f"import crate_game as c; print(c.ConnectFour.from_sgf(open({str(part)!r}).read()).actions)"
    assert run(package, "-c", code) == "[38 31]\n"


def test_the_page_shows_the_table_that_its_benchmark_prints(package: Path) -> None:
    told = run(package, ROOT / "benches/game_in_a_crate.py", "--runs", 1)
    row = r"^\| (a .*?) \| [\d,]+ ns \| [\d,]+ ns \| \d\.\d\d \|$"
    printed = [name.replace("1024", "1,024") for name in re.findall(row, told, re.M)]
    assert len(printed) == 4
    assert re.findall(row, PAGE.read_text(encoding="utf-8"), re.M) == printed


def test_a_run_of_training_learns_it(package: Path, tmp_path: Path) -> None:
    out, settings = tmp_path / "run", tmp_path / "settings.toml"
    settings.write_text(
        "blocks = 1\nchannels = 4\nsimulations = 4\nlast_simulations = 4\ngames_at_once = 8\n"
    )
    options = ["--game", "crate_game:ConnectFour", "--minutes", "60", "--workers", "1", "--out", str(out)]
    options += ["--config", str(settings)]
    environment = os.environ | {"PYTHONPATH": str(package)}
    with started("train", *options, stdout=subprocess.DEVNULL, env=environment) as process:
        until(lambda: len(list(out.glob("records/*.sgf"))) >= 2, process, 10 * MINUTE)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=MINUTE)
    assert process.returncode == 130, told
    agent = f"network:file={out / 'last.npz'},simulations=8"
    match = ("match", agent, "random", "--game", "crate_game:ConnectFour", "--games", 2, "--seed", 1)
    assert run(package, "-m", "sixplane", *match).splitlines()[1].split() == ["games", "2"]


FAULTS = {
    "legal panics": "panicked: of legal",
    "occupied": "legal allows a play on the occupied point",
    "play panics": "panicked: index out of bounds",
    "two stones": "play puts two stones on one point",
    "beyond": "play puts a stone beyond the board",
    "ending panics": "panicked: of ending",
    "word": 'ending returns the word "fallen": ENDINGS has ["full"]',
    "score": "ending returns the score NaN",
    "large score": "ending returns the score 1e39, which must be finite, also as float32",
    "stuck": "the game goes on, but no action is legal",
}


@pytest.mark.parametrize(("fault", "text"), FAULTS.items())
def test_an_error_of_the_rules_leaves_everything_as_it_was(games: Any, fault: str, text: str) -> None:
    game = games.Faulty(fault=fault)
    game.play(1)
    before = game.copy()
    with pytest.raises(GameRulesError) as told:
        game.play(3)
    assert text in str(told.value)
    assert (told.value.game, told.value.action) == ("Faulty", 3)
    assert told.value.position == "white to play:\n. X .\n. . ."
    assert game == before and (game.planes == before.planes).all() and not game.is_over
    batch = GameBatch(games.Faulty(fault=fault), 8, seed=1)
    batch.play(np.arange(8) % 6)
    earlier = batch.copy()
    for change in (
        lambda: batch.step((np.arange(8) + 1) % 6),
        lambda: batch.play((np.arange(8) + 1) % 6),
        lambda: batch.play_random(4),
    ):
        with pytest.raises(GameRulesError, match=r"the rules of Faulty"):
            change()
        assert batch == earlier and (batch.planes == earlier.planes).all()
    search = MCTS(simulations=60, seed=1)
    for _ in range(2):
        with pytest.raises(GameRulesError, match=r"the rules of Faulty"):
            search.search(game)
    assert search.search(games.Faulty()).simulations == 60


def test_games_that_ended_in_a_step_that_fails_are_there_again(games: Any) -> None:
    pass_ = 6
    modes: list[Any] = [("same_step", None), ("next_step", 0)]
    for autoreset, ignored in modes:
        batch = GameBatch(games.Faulty(fault="point 5"), 3, seed=1)
        for actions in ([0, 0, 0], [1, 1, 1], [pass_, 2, 2]):
            batch.step(actions, autoreset=autoreset, max_steps=9)
        if ignored is not None:
            batch.step([pass_, pass_, 3], autoreset=autoreset, max_steps=9)
            assert batch.dones.tolist() == [True, False, False]
        before, last = batch.copy(), pass_ if ignored is None else ignored
        with pytest.raises(GameRulesError, match="assertion `left != right` failed"):
            batch.step([last, 5, 4], autoreset=autoreset, max_steps=9)
        assert batch == before and (batch.planes == before.planes).all()
        assert (batch.action_masks == before.action_masks).all()
        found = batch.step([last, 3, 4], autoreset=autoreset, max_steps=9)
        expected = before.step([last, 3, 4], autoreset=autoreset, max_steps=9)
        for name in expected._fields:
            assert np.array_equal(getattr(found, name), getattr(expected, name)), name
        assert batch.move_numbers[0] == 0


def test_rules_that_make_no_board_are_told(games: Any) -> None:
    with pytest.raises(GameRulesError, match="the rules of Faulty: panicked: no board 2x3"):
        games.Faulty(fault="new panics")
    with pytest.raises(ValueError, match="there is no such board"):
        games.Faulty(fault="refused")
    with pytest.raises(GameRulesError, match="panicked: no stones"):
        games.Faulty(fault="setup panics")
    game = games.Faulty(fault="endless")
    for _ in range(600):
        game.play(0)
    with pytest.raises(GameRulesError, match="the game goes on after 600 actions"):
        game.play(0)
    assert game.move_number == 600
    limited = games.Faulty(fault="endless", max_moves=700)
    batch = GameBatch(limited, 2, seed=1)
    batch.play_random(800)
    assert batch.dones.all()


@pytest.mark.parametrize(("fault", "law"), [("moody", "when it is asked again"), ("uneven", "symmetries")])
def test_rules_that_break_a_law_are_found(games: Any, fault: str, law: str) -> None:
    with pytest.raises(LawBroken, match=law):
        check_game(games.Faulty(fault=fault), rules={"fault": fault})


def test_a_module_of_another_version_is_refused_with_both_versions() -> None:
    header = ctypes.create_string_buffer((7).to_bytes(4, sys.byteorder) + b"9.8.7".ljust(28, b"\0"))
    name = ctypes.create_string_buffer(b"sixplane.own_games")
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    with pytest.raises(ImportError) as told:
        _read_crate(new(ctypes.addressof(header), ctypes.cast(name, ctypes.c_char_p), None))
    assert str(told.value) == (
        "the module was built with sixplane 9.8.7, whose games of a crate are of version 7, and this is "
        f"sixplane {sixplane.__version__}, which takes version 1: build the module with this version"
    )
    other = ctypes.create_string_buffer(b"another.name")
    with pytest.raises(ValueError, match="name"):
        _read_crate(new(ctypes.addressof(header), ctypes.cast(other, ctypes.c_char_p), None))
    with pytest.raises(TypeError):
        _read_crate(object())
