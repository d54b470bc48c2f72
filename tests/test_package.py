"""The package as a user gets it: its import, what it ships, what its pages say."""

from __future__ import annotations

import importlib.metadata
import os
import pickle
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

import sixplane

ROOT = Path(__file__).parent.parent


def run_python(code: str, path: Path | None = None, cwd: Path | None = None) -> str:
    """What a fresh interpreter prints; modules in `path` come before the installed ones."""
    environment = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment, capture_output=True, text=True, check=False, cwd=cwd,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_pulls_in_nothing_heavy() -> None:
    heavy = "{'torch', 'pygame', 'ray', 'pettingzoo', 'tqdm', 'matplotlib', 'scipy', 'sgfmill'}"
    assert run_python(f"import sys, sixplane; print({heavy} & sys.modules.keys())") == "set()\n"


@pytest.mark.parametrize(
    ("gymnasium", "vector"),
    [
        ("raise ImportError", ""),
        ("raise RuntimeError('broken')", ""),
        ("registry = {}", ""),  # as 1.0: no AutoresetMode
        ("registry = {}", "raise AttributeError"),
    ],
)
def test_an_old_or_broken_gymnasium_is_passed_over(tmp_path: Path, gymnasium: str, vector: str) -> None:
    package = tmp_path / "gymnasium"
    package.mkdir()
    (package / "__init__.py").write_text(gymnasium)
    (package / "vector.py").write_text(vector)
    code = "import sixplane; game = sixplane.Go(size=5); game.play(0); print(game.move_number)"
    assert run_python(code, tmp_path) == "1\n"


def test_environments_are_registered_by_the_import_alone() -> None:
    code = """
import gymnasium, importlib, sixplane
importlib.reload(sixplane)
print(sorted(name for name in gymnasium.registry if name.startswith("sixplane/")))
"""
    names = ["sixplane/Go-v0", "sixplane/Gomoku-v0", "sixplane/GymGo-v0", "sixplane/Reversi-v0"]
    assert run_python(code) == f"{names}\n"


def test_version_is_the_crates() -> None:
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
    assert sixplane.__version__ == manifest["package"]["version"]
    assert importlib.metadata.version("sixplane") == sixplane.__version__


def test_numpy_is_the_only_dependency() -> None:
    required = importlib.metadata.requires("sixplane") or []
    assert [line for line in required if "extra ==" not in line] == ["numpy>=1.26"]


def test_errors_survive_pickling_with_what_they_say() -> None:
    illegal = pickle.loads(pickle.dumps(sixplane.IllegalActionError("ko", "D4 retakes the ko")))
    assert (type(illegal), str(illegal), illegal.reason) == (
        sixplane.IllegalActionError, "D4 retakes the ko", "ko",
    )  # fmt: skip
    assert str(sixplane.IllegalActionError("off_board")) == "off_board"
    record = pickle.loads(pickle.dumps(sixplane.SGFError("no ] here", 17)))
    assert (str(record), record.offset) == ("no ] here", 17)
    assert isinstance(illegal, ValueError)
    assert isinstance(record, ValueError)


def test_source_distribution_builds_anywhere_and_carries_no_leftovers(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "maturin", "sdist", "--out", str(tmp_path)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (archive,) = tmp_path.glob("sixplane-*.tar.gz")
    with tarfile.open(archive) as files:
        names = {member.name.partition("/")[2] for member in files.getmembers()}
    here = {
        *(
            "Cargo.toml",
            "Cargo.lock",
            ".cargo/config.toml",
            "pyproject.toml",
            "README.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
        ),
        *(
            str(path.relative_to(ROOT))
            for pattern in (
                "src/**/*.rs",
                "python/**/*.py",
                "python/**/*.pyi",
                "python/**/py.typed",
            )
            for path in ROOT.glob(pattern)
        ),
    }
    assert here <= names
    unwanted = re.compile(r"\.(so|pyd|pyc)$|^(target|\.venv|requirements|\.ci|out)/|__pycache__")
    assert not [name for name in names if unwanted.search(name)]
    assert archive.stat().st_size < 1_000_000


def test_examples_of_the_readme_run(tmp_path: Path) -> None:
    examples = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.S | re.M)
    assert len(examples) == 4
    printed = [run_python(code, cwd=tmp_path) for code in examples]
    assert re.search(r"^\d+ moves, score [+-]\d+\.5, black's reward [+-]1$", printed[0], re.M)
    assert "A B C D E F G H J" in printed[1]
    picture = (ROOT / "docs/pictures/readme.svg").read_text()
    assert (tmp_path / "readme.svg").read_text() == picture


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_to_files_that_exist(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text())
    missing = [link for link in links if not (ROOT / link).exists()]
    assert not missing


def test_contributing_lists_the_commands_that_exist() -> None:
    targets = re.findall(r"^## ([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    listed = re.findall(r"^\| `make ([a-z-]+)` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
    assert ["help", *listed] == targets
