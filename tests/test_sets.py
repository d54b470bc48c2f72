"""The table of the sets of tests: each file belongs to exactly one, and a change runs what it touches."""

from __future__ import annotations

import ast
import functools
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import file_laws
import line_laws

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("which_tests", ROOT / "scripts/which_tests.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def files_of_tests() -> list[str]:
    python = [
        path
        for path in (ROOT / "tests").rglob("*.py")
        if path.name.startswith("test_") or re.search("^def test_", path.read_text(), re.M)
    ]
    rust = [
        *(ROOT / "tests").glob("*.rs"),
        *(ROOT / "fuzz/fuzz_targets").glob("*.rs"),
        ROOT / "fuzz/lines.py",
    ]
    return [path.relative_to(ROOT).as_posix() for path in (*python, *rust)]


def test_every_file_of_tests_belongs_to_exactly_one_set(table: ModuleType) -> None:
    files = files_of_tests()
    assert len(files) > 100
    owners = {file: [each.name for each in table.sets() if each.holds(file)] for file in files}
    assert {file: names for file, names in owners.items() if len(names) != 1} == {}


def test_what_needs_other_packages_is_there() -> None:
    needs = tomllib.loads((ROOT / "tests/needs.toml").read_text())
    assert [path for path in needs if not (ROOT / path).exists()] == []


def test_every_file_of_rust_tests_is_a_module_of_the_program() -> None:
    modules = set(re.findall(r"^mod (\w+);", (ROOT / "tests/all.rs").read_text(), re.M))
    files = {path.stem for path in (ROOT / "tests").glob("*.rs")} - {"all"}
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/mod.rs")}
    assert modules == files | folders
    for module in (ROOT / "tests").glob("*/mod.rs"):
        declared = set(re.findall(r"^(?:pub )?mod (\w+);", module.read_text(), re.M))
        assert declared == {path.stem for path in module.parent.glob("*.rs")} - {"mod"}, module


def test_every_set_is_a_target_and_every_pattern_holds_a_file(table: ModuleType) -> None:
    targets = re.findall(r"^## ([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for each in table.sets():
        assert each.name in targets
        assert each.always or each.touched, f"{each.name} never runs"
        for pattern in (*each.files, *each.touched):
            held = [file for file in listed if table.fnmatchcase(file, pattern)]
            assert held, f"{each.name}: {pattern} holds no file"


def test_a_change_runs_what_it_touches_and_no_commit_to_compare_with_runs_all(table: ModuleType) -> None:
    def due(changed: list[str] | None) -> set[str]:
        return {each.name for each in table.sets() if each.reason(changed) is not None}

    always = due([])
    assert {"lint-python", "types", "test-python", "test-oldest", "test-programs", "test-lines"} == always
    assert due(["examples/maskable_ppo.py"]) == always | {"docs", "test-examples", "test-libraries"}
    assert due(["python/sixplane/rllib.py"]) == always | {"docs", "test-rllib"}
    rust = {"lint-rust", "test-rust", "test-bytes"}
    assert due(["src/games/go/superko.rs"]) == always | rust | {"docs", "instructions", "test-slow"}
    assert due(["benches/go.rs"]) == always | {"lint-rust", "instructions"}
    # `.ci/run` looks whether all tests that are slow ran.
    slow = next(each for each in table.sets() if each.name == "test-slow")
    assert all("test-rust" in due([pattern.replace("*", "x")]) for pattern in slow.touched)
    assert due(["python/sixplane/web/static/board.js"]) == always | {"docs", "test-web"}
    # The game of the guide is built there.
    assert due(["docs/adding-a-game.md"]) == always | rust | {"docs", "test-crates"}
    assert "test-crates" in due(["src/bindings/any_game.rs"])
    assert "test-crates" in due(["Cargo.lock"])
    assert due(["fuzz/lines.py"]) == always | {"fuzz"}
    in_environments = {each.name for each in table.sets() if each.environment is not None}
    assert len(in_environments) > 5
    assert due(["conftest.py"]) == due(["tests/waiting.py"]) == always | in_environments
    assert due(None) == {each.name for each in table.sets()}


@functools.cache
def imports(file: Path) -> set[Path]:
    """The files of tests that a file imports: those in `tests` and in its own folder."""
    modules = set[str]()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            modules.add(node.module)
    files = {folder / f"{name}.py" for name in modules for folder in (ROOT / "tests", file.parent)}
    return {path for path in files if path.exists()}


def closure(file: Path) -> set[Path]:
    """A file of tests, what it imports, and so on."""
    found, left = {file}, [file]
    while left:
        new = imports(left.pop()) - found
        found |= new
        left += new
    return found


def test_a_change_of_what_tests_import_runs_them(table: ModuleType) -> None:
    # The fuzzer runs when a target changes; `test-bytes` and `test-lines` run the laws.
    conditional = [each for each in table.sets() if each.environment is not None and not each.always]
    missed = set[tuple[str, str]]()
    for file in files_of_tests():
        for each in conditional:
            if each.holds(file):
                names = [path.relative_to(ROOT).as_posix() for path in closure(ROOT / file)]
                missed |= {(each.name, name) for name in names if each.reason([name]) is None}
    assert missed == set()


def git(folder: Path, *arguments: str, date: str = "2026-01-10T12:00:00") -> str:
    environment = os.environ | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    settings = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(
        ["git", *settings, *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_a_change_is_counted_from_the_commit_that_is_named(
    table: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "--quiet")
    for name in ("first", "second", "third"):
        (tmp_path / name).write_text(name)
        git(tmp_path, "add", name)
        git(tmp_path, "commit", "--quiet", "-m", name)
    monkeypatch.setenv("CI_BASE", git(tmp_path, "rev-parse", "HEAD~1"))
    assert table.changed_files(tmp_path) == ["third"]
    # Without a name, from the newest commit that is older than four days.
    monkeypatch.delenv("CI_BASE")
    assert table.changed_files(tmp_path) == []
    monkeypatch.setenv("CI_BASE", "nothing-of-that-name")
    with pytest.raises(subprocess.CalledProcessError):
        table.changed_files(tmp_path)


def test_a_young_history_has_changed_as_a_whole(
    table: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI_BASE", raising=False)
    git(tmp_path, "init", "--quiet")
    (tmp_path / "first").write_text("first")
    git(tmp_path, "add", "first")
    git(tmp_path, "commit", "--quiet", "-m", "first", date="2099-01-01T12:00:00")
    assert table.changed_files(tmp_path) is None


@pytest.mark.parametrize(
    ("file", "last"),
    [
        ("tests/test_masks.py", [".venv/bin/python", "-m", "pytest", "tests/test_masks.py"]),
        ("tests/rllib/test_ray.py", [".venv-rllib/bin/python", "-m", "pytest", "tests/rllib/test_ray.py"]),
        ("tests/go_laws.rs", ["cargo", "test", "--locked", "--test", "all", "go_laws::"]),
        ("tests/functional/go.rs", ["cargo", "test", "--locked", "--test", "all", "functional::go::"]),
        ("tests/batch/mod.rs", ["cargo", "test", "--locked", "--test", "all", "batch::"]),
        ("tests/all.rs", ["cargo", "test", "--locked", "--test", "all", "::"]),
    ],
)
def test_one_file_runs_where_it_belongs(table: ModuleType, file: str, last: list[str]) -> None:
    assert table.command_of(file)[-1] == last


def test_the_training_that_the_page_watches_runs_in_the_environment_of_its_set(table: ModuleType) -> None:
    build, run = table.command_of("tests/web/watch_training.py")
    assert build == ["make", ".venv/.built", ".venv-libraries/.built"]
    assert run[:3] == ["env", "TRAIN_PYTHON=.venv-libraries/bin/python", ".venv/bin/python"]
    assert run[3:] == ["-m", "pytest", "tests/web/watch_training.py"]


def test_a_file_of_no_set_is_refused(table: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"README\.md belongs to no set"):
        table.command_of("README.md")


@pytest.mark.parametrize("file", ["tests/go_lawz.rs", "tests/batch", "tests/test_maskz.py"])
def test_a_file_that_is_not_there_is_refused(table: ModuleType, file: str) -> None:
    with pytest.raises(ValueError, match=f"there is no file {file}"):
        table.command_of(file)


def test_the_fuzzer_runs_every_law_and_its_page_names_them() -> None:
    command = ["make", "--dry-run", "fuzz"]
    dry_run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (names,) = re.findall(r"^printf '%s\\n' (.*) \| xargs", dry_run, re.M)
    written = re.findall(r"^pub fn (\w+)\(bytes: &\[u8\]\)", rust_laws(), re.M)
    written += [*line_laws.__all__, *file_laws.__all__]
    assert sorted(names.split()) == sorted(written)
    table_of_the_page = (ROOT / "docs/fuzzing.md").read_text().split("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table_of_the_page, re.M)) == sorted(written)


def rust_laws() -> str:
    """The text of the laws in Rust."""
    return "\n".join(path.read_text() for path in (ROOT / "tests/byte_laws").glob("*.rs"))
