"""What sixplane promises in one sentence, clause by clause.

A Rust core stores the six-channel state (black, white, turn, invalid, pass, done) as `ndarray` planes and
computes groups by flood-fill labelling and liberties by dilation; Python sees it as NumPy arrays, behind an
environment with `reset` and `step`, and installs it by `pip install .` with maturin. `tests/card.rs` has the
clauses of the core.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from numpy.typing import NDArray

import sixplane
from sixplane import gogame, govars, state_utils
from sixplane.planes import Plane, dilate, label, liberties

ROOT = Path(__file__).parent.parent

BOARD = """
    . . . . .
    . X X O .
    . . X O .
    . . . O .
    X . . . O
"""


def played(size: tuple[int, int], moves: int, seed: int) -> NDArray[np.float64]:
    """The six planes after random legal plays, by functions on planes alone."""
    rng = np.random.default_rng(seed)
    state = np.zeros((6, *size))
    for _ in range(moves):
        legal = np.flatnonzero(gogame.invalid_moves(state)[:-1] == 0)
        state = gogame.next_state(state, int(rng.choice(legal)) if legal.size else size[0] * size[1])
        if gogame.game_ended(state):
            break
    return state


def test_the_six_channels_are_black_white_turn_invalid_pass_and_done() -> None:
    assert [plane.name.lower() for plane in sorted(Plane)] == [
        "black",
        "white",
        "turn",
        "invalid",
        "pass",
        "done",
    ]
    game = sixplane.Go(size=3)
    seen = []
    for action in (4, 0, 9, 9):
        game.play(action)
        seen.append(game.planes.sum(axis=(1, 2)).tolist())
    assert game.planes.shape == (6, 3, 3)
    assert game.planes.dtype == np.uint8
    assert seen == [[1, 0, 9, 1, 0, 0], [1, 1, 0, 2, 0, 0], [1, 1, 9, 2, 9, 0], [1, 1, 0, 9, 9, 9]]


def test_groups_are_labelled_by_flood_fill() -> None:
    planes = sixplane.Go.from_text(BOARD, turn="black").planes
    assert str(label(planes[Plane.BLACK])) == (
        "[[0 0 0 0 0]\n [0 1 1 0 0]\n [0 0 1 0 0]\n [0 0 0 0 0]\n [2 0 0 0 0]]"
    )


def test_five_liberties_are_found_by_dilation() -> None:
    game = sixplane.Go.from_text(BOARD, turn="black")
    planes = game.planes
    empty = 1 - planes[Plane.BLACK] - planes[Plane.WHITE]
    chain = (label(planes[Plane.BLACK]) == 1).astype(np.uint8)
    assert (dilate(chain) * empty).sum() == 5
    assert liberties(planes)[1, 1] == game.liberties()[1, 1] == 5


@pytest.mark.parametrize("size", [(2, 3), (5, 5), (4, 7), (9, 9), (19, 19)], ids=str)
def test_functions_on_planes_use_these_labels_and_dilations(size: tuple[int, int]) -> None:
    for seed in range(8):
        state = played(size, moves=(seed + 1) * size[0] * size[1] // 6, seed=seed)
        stones = state[:2] != 0
        empty = ~stones.any(axis=0)
        for found, color in zip(gogame.liberties(state), stones, strict=True):
            assert np.array_equal(found, dilate(color) & empty)

        # GymGo's rule: a surrounded point beside a chain of one's own with one liberty or one of the
        # opponent's with more, and beside none that lives or is taken.
        turn = gogame.turn(state)
        counts = liberties(state)
        own, other = stones[turn], stones[1 - turn]
        bad = dilate(own & (counts == 1) | other & (counts > 1))
        good = dilate(own & (counts > 1) | other & (counts == 1))
        surrounded = empty & ~neighbors(empty)
        suicide = surrounded & bad & ~good
        invalid = state_utils.compute_invalid_moves(state, 1 - turn)
        assert np.array_equal(invalid, ~empty | suicide)
        marked = gogame.invalid_moves(state)[:-1].reshape(size) != 0
        assert (marked & ~invalid).sum() <= 1, "a ko at most"
        assert not (invalid & ~marked).any() or gogame.game_ended(state)


def neighbors(plane: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The points next to a point of a plane, which dilation adds to all of its points one by one."""
    near = np.zeros_like(plane)
    for point in zip(*np.nonzero(plane), strict=True):
        one = np.zeros_like(plane)
        one[point] = True
        near |= dilate(one) & ~one
    return near


def test_the_environment_has_reset_and_step() -> None:
    env = gym.make("sixplane/Go-v0", size=5)
    planes, info = env.reset(seed=1)
    assert (planes.shape, planes.dtype, planes.sum()) == ((6, 5, 5), np.uint8, 0)
    assert info["action_mask"].all()
    planes, reward, terminated, truncated, info = env.step(12)
    assert planes[Plane.BLACK, 2, 2] == 1
    assert planes[Plane.TURN].all()
    assert (reward, terminated, truncated) == (0, False, False)
    env.step(25)
    planes, reward, terminated, truncated, info = env.step(25)
    assert planes[Plane.DONE].all()
    assert (reward, terminated, truncated) == (1, True, False)


def test_the_invalid_mask_is_a_numpy_array() -> None:
    game = sixplane.Go.from_text(". X .\nX . .\n. . .", turn="white")
    mask = game.planes[Plane.INVALID]
    assert isinstance(mask, np.ndarray)
    assert mask.tolist() == [[1, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert np.array_equal(game.action_mask[:-1], 1 - mask.ravel())
    of_state = gogame.invalid_moves(game.planes)
    assert isinstance(of_state, np.ndarray)
    assert of_state.tolist() == [*mask.ravel().tolist(), 0]
    assert int(Plane.INVALID) == govars.INVD_CHNL


def test_the_core_is_built_of_ndarray_pyo3_numpy_and_rand() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())
    assert {"ndarray", "pyo3", "numpy", "rand"} <= cargo["dependencies"].keys()
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["build-backend"] == "maturin"
    for name in ("src", "python", "tests", "README.md"):
        assert (ROOT / name).exists()


def test_pip_installs_it_by_maturin_into_a_fresh_environment(tmp_path: Path) -> None:
    def changes() -> str:
        return subprocess.run(
            ["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout

    before = changes()
    venv.create(tmp_path / "fresh", with_pip=False)
    # In the profile and the folder of the development build, so that nothing is compiled again.
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(ROOT / "target/module"),
        "CARGO_NET_OFFLINE": "true",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYO3_PYTHON": sys.executable,
    }
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--ignore-installed",
    ]
    command += [
        "--no-build-isolation",
        "--prefix",
        str(tmp_path / "fresh"),
        "-C",
        "build-args=--profile dev",
        ".",
    ]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    python = tmp_path / "fresh" / "bin" / "python"
    site = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
    )
    # NumPy, which the package needs, is that of this environment.
    (site / "numpy.pth").write_text(sysconfig.get_path("purelib"))
    program = "import sixplane; print(sixplane.__file__); print(sixplane.Go(size=3).planes.shape)"
    shown = subprocess.run([python, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True)
    file, shape = shown.stdout.splitlines()
    assert Path(file).is_relative_to(site)
    assert shape == "(6, 3, 3)"
    assert changes() == before, "the working tree is as it was"
