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
from sixplane.games import GAMES

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
    code = """
import sys, numpy
before = set(sys.modules)
import sixplane
new = {name.partition(".")[0] for name in sys.modules.keys() - before}
print(sorted(new - {"numpy"} - set(sys.stdlib_module_names)))
# These take longer to import than all of sixplane.
late = {"numpy.random", "pathlib", "dataclasses", "inspect", "asyncio"}
print(sorted(late & (sys.modules.keys() - before)))
"""
    assert run_python(code) == "['sixplane']\n[]\n"


@pytest.mark.parametrize("gymnasium", ["raise ImportError", "raise RuntimeError('broken')", "registry = 1"])
def test_a_broken_gymnasium_is_passed_over(tmp_path: Path, gymnasium: str) -> None:
    fake_gymnasium(tmp_path, gymnasium)
    play = "game = sixplane.Go(size=5); game.play(0); print(game.move_number)"
    assert run_python(f"import sixplane; {play}", tmp_path) == "1\n"
    code = f"""
import warnings
for order in (("gymnasium", "sixplane"), ("sixplane", "gymnasium")):
    for name in order:
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                __import__(name)
        except (ImportError, RuntimeError) as error:
            assert name == "gymnasium"
            print("failed")
        for one in caught:
            print(one.message)
import sixplane; {play}
"""
    *told, played = run_python(code, tmp_path).splitlines()
    assert played == "1"
    if gymnasium == "registry = 1":
        assert len(told) == 1 and told[0].startswith("the environments of sixplane are not registered")
    else:
        assert told == ["failed", "failed"]


FAKE = """
__version__ = "1.0.7"
registry = {}
def register(id, **options):
    registry[id] = options
def make(id):
    import importlib
    module, _, name = registry[id]["entry_point"].partition(":")
    return getattr(importlib.import_module(module), name)()
"""


@pytest.mark.parametrize("order", ["sixplane, gymnasium", "gymnasium, sixplane", "sixplane"])
def test_an_old_gymnasium_is_warned_of_once_and_make_says_what_is_needed(tmp_path: Path, order: str) -> None:
    fake_gymnasium(tmp_path, FAKE)
    code = f"""
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import {order}
    import gymnasium
for one in caught:
    print(one.message)
for make in (lambda: gymnasium.make("sixplane/Go-v0"), lambda: gymnasium.make("sixplane/GymGo-v0")):
    try:
        make()
    except ImportError as error:
        print(error)
"""
    needed = (
        "the environments of sixplane need Gymnasium 1.1 or newer, not 1.0.7: pip install 'sixplane[gym]'"
    )
    assert run_python(code, tmp_path).splitlines() == [needed] * 3


def fake_gymnasium(folder: Path, text: str) -> None:
    package = folder / "gymnasium"
    package.mkdir()
    (package / "__init__.py").write_text(text)


@pytest.mark.parametrize("module", ["envs", "gymgo", "envs.single", "envs.vector", "envs.opponent"])
def test_without_gymnasium_its_modules_name_the_extra(module: str) -> None:
    code = f"""
import sys
sys.modules["gymnasium"] = None
import sixplane
try:
    import sixplane.{module}
except ModuleNotFoundError as error:
    print(error)
"""
    needed = "the environments of sixplane need Gymnasium: pip install 'sixplane[gym]'\n"
    assert run_python(code) == needed


def test_without_gymnasium_the_package_can_be_looked_through() -> None:
    code = """
import sys
sys.modules["gymnasium"] = None
import inspect, sixplane
print(dict(inspect.getmembers(sixplane)).keys() & {"envs", "gymgo", "agents"})
try:
    sixplane.envs
except AttributeError as error:
    print(error)
"""
    needed = "the environments of sixplane need Gymnasium: pip install 'sixplane[gym]'\n"
    assert run_python(code) == "{'agents'}\n" + needed


@pytest.mark.parametrize(
    "imports",
    [
        "import gymnasium, sixplane",
        "import sixplane, gymnasium",
        "import gymnasium, importlib, sixplane; importlib.reload(sixplane)",
        "import sixplane, importlib; importlib.reload(sixplane); import gymnasium",
        "import importlib, sixplane, gymnasium; importlib.reload(gymnasium)",
        "import importlib.util, sixplane; importlib.util.find_spec('gymnasium'); import gymnasium",
        "import sixplane; import gymnasium.vector; import gymnasium",
    ],
)
def test_environments_are_registered_in_whatever_order_is_imported(imports: str) -> None:
    code = f"""
{imports}
print(sorted(name for name in gymnasium.registry if name.startswith("sixplane/")))
import importlib.machinery, sys
assert type(gymnasium.__loader__) is type(gymnasium.__spec__.loader) is importlib.machinery.SourceFileLoader
assert not [finder for finder in sys.meta_path if "sixplane" in type(finder).__module__]
gymnasium.make("sixplane/Go-v0", size=5).reset()
"""
    names = sorted(["sixplane/GymGo-v0", *(info.env_id for info in GAMES.values())])
    assert run_python(code) == f"{names}\n"


def test_gymnasiums_own_way_of_naming_a_module_works() -> None:
    code = "import gymnasium; print(gymnasium.make('sixplane:sixplane/Go-v0', size=5).action_space.n)"
    assert run_python(code) == "26\n"


def test_worker_processes_of_every_kind_make_environments() -> None:
    code = """
import sixplane, gymnasium, sys
if __name__ == "__main__":
    for context in ("fork", "spawn", "forkserver"):
        envs = gymnasium.make_vec(
            "sixplane/Go-v0", 2, vectorization_mode="async", vector_kwargs={"context": context}, size=5
        )
        print(envs.reset()[0].shape)
        envs.close()
"""
    assert run_python(code) == "(2, 6, 5, 5)\n" * 3


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
                "python/**/static/*",
                "python/**/*.npz",
            )
            for path in ROOT.glob(pattern)
            if not path.name.endswith(".d.ts")
        ),
    }
    assert here <= names
    unwanted = re.compile(r"\.(so|pyd|pyc|d\.ts)$|^(target|\.venv|requirements|\.ci|out)/|__pycache__")
    assert not [name for name in names if unwanted.search(name)]
    # A bound against leftovers, beside the networks, which hardly get smaller.
    networks = sum(path.stat().st_size for path in (ROOT / "python").rglob("*.npz"))
    assert archive.stat().st_size - networks < 7 << 17


def test_examples_of_the_readme_run(tmp_path: Path) -> None:
    examples = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.S | re.M)
    assert len(examples) == 2
    printed = [run_python(code, cwd=tmp_path) for code in examples]
    assert "A B C D E F G H J" in printed[0]
    assert re.search(r"^\d+ moves, score [+-]\d+\.5, black's reward [+-]1$", printed[1], re.M)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_to_files_that_exist(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text())
    missing = [link for link in links if not (ROOT / link).exists()]
    assert not missing


def test_contributing_lists_the_commands_that_exist() -> None:
    targets = re.findall(r"^## ([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    listed = re.findall(r"^\| `make ([a-z-]+)` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
    assert ["help", *listed] == targets
