"""The examples in the pages that need another library run as pasted."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from doc_blocks import LIBRARIES, blocks
from forks import output_of
from waiting import MINUTE

DOCS = Path(__file__).parents[2] / "docs"
#: What an extra or a package installs.
MODULES = {
    "jax": "jax",
    "openspiel": "pyspiel",
    "pettingzoo": "pettingzoo",
    "ray": "ray",
    "rllib": "ray",
    "sb3": "sb3_contrib",
    "tianshou": "tianshou",
    "torch": "torch",
    "torchrl": "torchrl",
    "train": "torch",
    "widget": "anywidget",
}

#: Those whose programs run in forks, which have imported them.
FORKED = {"jax", "sb3", "tianshou", "torch", "torchrl", "train"}


def is_there(code: str, library: str) -> bool:
    """Whether this environment has what the first line installs; PettingZoo's own games draw with pygame."""
    # In RLlib's environment its examples run alone: the others run in that of all other libraries.
    if find_spec("ray") is not None and find_spec("sb3_contrib") is None and MODULES[library] != "ray":
        return False
    needed = [MODULES[library], *["pygame"] * ("'pettingzoo[classic]'" in code.partition("\n")[0])]
    return all(find_spec(module) is not None for module in needed)


BLOCKS = [
    pytest.param(block.code, block.library, id=f"{page.stem}-{block.library}-{number}")
    for page in sorted(DOCS.rglob("*.md"))
    for number, block in enumerate(blocks(page))
    if block.library is not None and is_there(block.code, block.library)
]


def test_every_library_has_an_example() -> None:
    pages = DOCS.rglob("*.md")
    assert {block.library for page in pages for block in blocks(page)} >= LIBRARIES


@pytest.mark.parametrize(("code", "library"), BLOCKS)
def test_an_example_runs_as_pasted(code: str, library: str, tmp_path: Path) -> None:
    if library in FORKED:
        output_of(code, folder=tmp_path, seconds=20 * MINUTE)
        return
    # Threads of PyTorch that wait for one another take minutes beside other programs.
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False, cwd=tmp_path, timeout=20 * MINUTE,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
