"""A game added by `docs/adding-a-game.md` alone: it is built, trained, played, saved and read back."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from built_package import built, run
from guide import ROOT, changed_files
from interruptible import started
from waiting import MINUTE, until

#: What a build reads.
TREE = (
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "benches",
    "build.rs",
    "examples",
    "pyproject.toml",
    "python",
    "src",
)
GAME = ("--game", "toe-tac-tic")

READ_BACK = """
import sys
import sixplane
for file in sys.argv[1:]:
    game = sixplane.read_sgf(file, strict=True)
    assert type(game) is sixplane.ToeTacTic, file
    assert sixplane.ToeTacTic.from_sgf(game.to_sgf()) == game
    print(game.move_number, game.outcome, game.ending)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sixplane as built from a copy of this tree with the game of the guide in it."""
    folder = tmp_path_factory.mktemp("guide")
    tree = folder / "tree"
    tree.mkdir()
    for name in TREE:
        if (ROOT / name).is_dir():
            leave_out = shutil.ignore_patterns("__pycache__", "*.so", "target")
            shutil.copytree(ROOT / name, tree / name, ignore=leave_out)
        else:
            shutil.copy(ROOT / name, tree / name)
    for file, text in changed_files().items():
        (tree / file).parent.mkdir(exist_ok=True)
        (tree / file).write_text(text, encoding="utf-8")
    # Under a name of its own, the crate shares the compiled dependencies of this tree and nothing else.
    for file in ("Cargo.toml", "Cargo.lock"):
        text = (tree / file).read_text(encoding="utf-8")
        named = text.replace('name = "sixplane"\n', 'name = "sixplane-of-the-guide"\n')
        assert text.count('name = "sixplane"\n') == 1
        (tree / file).write_text(named, encoding="utf-8")
    # It plays a few games of nine points, so it need not be optimised.
    with (tree / "Cargo.toml").open("a", encoding="utf-8") as manifest:
        manifest.write("\n[profile.dev.package.sixplane-of-the-guide]\nopt-level = 0\n")
    return built(tree, folder)


def read_back(package: Path, files: list[Path]) -> list[list[str]]:
    """Move number, outcome and ending of each of some records, which are read strictly."""
    assert files
    return [line.split() for line in run(package, "-c", READ_BACK, *files).splitlines()]


def test_the_game_keeps_the_laws_of_every_game(package: Path) -> None:
    code = "import sixplane, sixplane.testing as t; print(t.check_game(sixplane.ToeTacTic()).not_offered)"
    assert run(package, "-c", code) == "()\n"


def test_its_examples_hold(package: Path) -> None:
    code = """
import doctest, sixplane
tests = doctest.DocTestFinder().find(sixplane.ToeTacTic, "ToeTacTic", module=False, globs={})
print([doctest.DocTestRunner().run(one) for one in tests if one.examples and one.name == "ToeTacTic"])
"""
    assert run(package, "-c", code) == "[TestResults(failed=0, attempted=4)]\n"


def test_random_games_are_saved_and_read_back(package: Path, tmp_path: Path) -> None:
    run(package, "-m", "sixplane", "selfplay", *GAME, "--games", 20, "--seed", 1, "--out", tmp_path / "games")
    games = read_back(package, sorted((tmp_path / "games").rglob("*.sgf")))
    assert {ending for _, _, ending in games} == {"line", "full"}


def test_a_match_is_saved_and_goes_on_from_what_it_saved(package: Path, tmp_path: Path) -> None:
    match = ("-m", "sixplane", "match", "random", "mcts:simulations=200", *GAME, "--seed", 1)
    run(package, *match, "--games", 4, "--out", tmp_path / "match")
    first = {file: file.read_bytes() for file in (tmp_path / "match").rglob("*.sgf")}
    said = run(package, *match, "--games", 8, "--out", tmp_path / "match")
    assert said.splitlines()[1].split() == ["games", "8"]
    files = sorted((tmp_path / "match").rglob("*.sgf"))
    assert len(files) == 8 and {file: file.read_bytes() for file in first} == first
    assert all(ending in ("line", "full") for _, _, ending in read_back(package, files))


def test_a_person_saves_a_game_and_goes_on_with_it(package: Path, tmp_path: Path) -> None:
    play = ("-m", "sixplane", "play", "--opponent", "human")
    part, whole = tmp_path / "part.sgf", tmp_path / "whole.sgf"
    run(package, *play, *GAME, "--save", part, said="B2\nA1\nC1\nquit\n")
    assert read_back(package, [part]) == [["3", "None", "None"]]
    run(package, *play, "--load", part, "--save", whole, said="B1\nA3\n")
    assert read_back(package, [whole]) == [["5", "white", "line"]]


def test_the_page_gives_its_record_and_a_link_to_the_position(package: Path) -> None:
    code = """
import sixplane
from sixplane.play.players import Players
from sixplane.agents import RandomAgent
from sixplane.web.links import position_of, text_of
from sixplane.web.session import PageSession
game = sixplane.ToeTacTic()
session = PageSession(Players((None, None), ("Ann", "Bob"), RandomAgent(seed=1)), game, lambda: None)
session.start()
for number, action in enumerate((4, 0, 2)):
    session.live.play(action, number)
read = sixplane.ToeTacTic.from_sgf(session.record())
print(read.actions, position_of(text_of(read)) == read)
"""
    assert run(package, "-c", code) == "[4 0 2] True\n"


def test_a_run_of_training_learns_it_and_keeps_its_games(package: Path, tmp_path: Path) -> None:
    out, settings = tmp_path / "run", tmp_path / "settings.toml"
    settings.write_text(
        "blocks = 1\nchannels = 4\nsimulations = 4\nlast_simulations = 4\ngames_at_once = 8\n"
    )
    options = [*GAME, "--minutes", "60", "--workers", "1", "--config", str(settings), "--out", str(out)]
    environment = os.environ | {"PYTHONPATH": str(package)}
    with started("train", *options, stdout=subprocess.DEVNULL, env=environment) as process:
        until(lambda: len(list(out.glob("records/*.sgf"))) >= 2, process, 10 * MINUTE)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=MINUTE)
    assert (process.returncode, said.splitlines()[-1]) == (
        130,
        f"sixplane: stopped; the same command goes on from {out}",
    )
    games = read_back(package, sorted((out / "records").glob("*.sgf")))
    assert all(ending in ("line", "full") for _, _, ending in games)
    agent = f"network:file={out / 'last.npz'},simulations=32"
    said = run(package, "-m", "sixplane", "match", agent, "random", *GAME, "--games", 4, "--seed", 1)
    assert said.splitlines()[1].split() == ["games", "4"]
