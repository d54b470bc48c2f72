"""What releases rest on: workflows, the scripts that they call, and the counts of instructions."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["version"]


def load(path: str) -> ModuleType:
    """A program of the repository as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_name_actions_by_commit_and_programs_that_exist(workflow: Path) -> None:
    text = workflow.read_text()
    used = re.findall(r"uses: (.*)", text)
    assert used
    for action in used:
        if action.startswith("./"):
            assert (ROOT / action).is_file(), action
        else:
            assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
    programs = re.findall(r"(?:\bscripts|\.ci)/[\w.]+", text)
    assert programs
    assert not [program for program in programs if not (ROOT / program).is_file()]
    targets = re.findall(r"run: make ([a-z -]+)", text)
    makefile = (ROOT / "Makefile").read_text()
    for target in " ".join(targets).split():
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_one_action_has_one_commit_in_all_workflows() -> None:
    pairs = {
        tuple(action.split("@"))
        for path in WORKFLOWS
        for action in re.findall(r"uses: ([^.]\S+)", path.read_text())
    }
    assert len({name for name, _ in pairs}) == len(pairs)


def test_the_release_is_built_by_the_versions_that_are_tested() -> None:
    found = [
        re.findall(r"^(maturin|numpy|pytest)==(\S+)", (ROOT / "requirements" / name).read_text(), re.M)
        for name in ("dev.txt", "release.txt")
    ]
    assert found[0] == found[1] and len(found[0]) == 4
    rust = {compiler for path in WORKFLOWS for compiler in re.findall(r'RUST: "(.+)"', path.read_text())}
    kept = re.search(r"^rustc (\S+)", (ROOT / "benches/instructions.txt").read_text(), re.M)
    assert kept and rust == {kept[1]}


@pytest.mark.parametrize("workflow", [*WORKFLOWS, ROOT / ".ci/run"], ids=lambda path: path.stem)
def test_every_program_that_is_installed_has_a_version(workflow: Path) -> None:
    text = workflow.read_text()
    for command in re.findall(r"cargo install .*", text):
        assert "--locked" in command and re.search(r"--version \d+\.\d+\.\d+|@\d+\.\d+\.\d+", command), (
            command
        )
    for command in re.findall(r"pip install (.*)", text):
        assert re.search(r"--require-hashes|--no-index|^\.$|==", command), command


def jobs(workflow: str) -> dict[str, str]:
    """The text of each job."""
    _, *parts = re.split(r"^  ([\w-]+):$", workflow.partition("\njobs:\n")[2], flags=re.M)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_what_is_built_is_built_by_programs_known_by_their_hash() -> None:
    release = jobs((ROOT / ".github/workflows/release.yml").read_text())
    commands = [command for job in release.values() for command in re.findall(r"pip install (.*)", job)]
    assert len(commands) == 5
    for command in commands:
        assert command.startswith(("--require-hashes ", "--no-index ")), command
    for job in release.values():
        # What comes after the upload cannot change what is published.
        if "maturin build" in job:
            upload = job.index("actions/upload-artifact")
            assert (
                job.index("maturin build") < upload and "pip" not in job[job.index("maturin build") : upload]
            )


def test_jobs_that_may_publish_build_and_install_nothing() -> None:
    release = jobs((ROOT / ".github/workflows/release.yml").read_text())
    may = {name: job for name, job in release.items() if re.search(r"^      [\w-]+: write", job, re.M)}
    assert list(may) == ["publish-python", "publish-crate"]
    for job in may.values():
        steps = re.findall(r"^      - run: (.*)", job, re.M)
        allowed = r"rustup toolchain .*|python3 scripts/absolute_links\.py .*|cargo publish .*--no-verify"
        assert all(re.fullmatch(allowed, step) for step in steps), steps
    assert "cargo publish --locked --allow-dirty --dry-run" in release["source"]


def test_a_tag_fits_the_crate_the_changelog_and_the_citation(tmp_path: Path) -> None:
    complaints = load("scripts/check_release.py").complaints
    for name in ("Cargo.toml", "CITATION.cff"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{VERSION}] - 2026-01-31\n")
    assert complaints(f"v{VERSION}", tmp_path) == []
    assert complaints("v9.9.9", tmp_path) == [
        f"the tag is v9.9.9, but the version in Cargo.toml is {VERSION}",
        "CHANGELOG.md has no heading '## [9.9.9] - YYYY-MM-DD'",
        "CITATION.cff does not cite version 9.9.9",
    ]
    assert complaints(VERSION, tmp_path) == [
        f"the tag is {VERSION}, but the version in Cargo.toml is {VERSION}"
    ]


def test_the_citation_is_of_the_version_in_the_tree() -> None:
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()


def test_links_of_the_readme_become_absolute() -> None:
    absolute = load("scripts/absolute_links.py").absolute
    address = "https://example.org/owner/sixplane"
    text = absolute((ROOT / "README.md").read_text(), address, "v1.2.3")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    assert all(link.startswith("https://") for link in links)
    assert f"where the plane is 1]({address}/raw/v1.2.3/docs/pictures/planes.svg)" in text
    assert f"({address}/blob/v1.2.3/docs/batches.md)" in text
    assert absolute(text, address, "v1.2.3") == text


def test_the_packages_name_the_repository_that_releases_them() -> None:
    links, address = load("scripts/absolute_links.py"), "https://example.org/owner/sixplane"
    project = tomllib.loads(links.with_urls((ROOT / "pyproject.toml").read_text(), address, "v1.2.3"))[
        "project"
    ]
    assert project["urls"] == {
        "Source": address,
        "Documentation": f"{address}/tree/v1.2.3/docs",
        "Changelog": f"{address}/blob/v1.2.3/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    assert project["authors"] == [{"name": "The sixplane authors"}]
    assert all(game in project["description"] for game in ("Go", "Reversi", "Gomoku"))
    crate = tomllib.loads(links.with_repository((ROOT / "Cargo.toml").read_text(), address))["package"]
    assert crate["repository"] == address


def test_no_release_says_that_nothing_is_published(tmp_path: Path) -> None:
    complaints = load("scripts/check_release.py").complaints
    for name in ("Cargo.toml", "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("## Install\n\nNothing is published yet. From a checkout:\n")
    (tmp_path / "docs/start.md").write_text("## Install\n\npip install sixplane\n")
    (tmp_path / "docs/conf.py").write_text('announcement = "Nothing is published yet"\n')
    told = [line for line in complaints(f"v{VERSION}", tmp_path) if "published" in line]
    assert told == [f"{name} says that nothing is published yet" for name in ("README.md", "docs/conf.py")]


def test_a_push_of_the_site_that_failed_is_tried_again_by_the_same_command(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    def push() -> int:
        command = ["bash", str(tmp_path / "work/scripts/push_site.sh"), str(tmp_path / "site"), "v1.2.3"]
        return subprocess.run(command, capture_output=True, check=False).returncode

    git("init", "--quiet", "--bare", "origin.git")
    git("clone", "--quiet", "origin.git", "work")
    (tmp_path / "work/scripts").mkdir()
    for name in ("push_site.sh", "publish_site.py"):
        (tmp_path / "work/scripts" / name).write_text((ROOT / "scripts" / name).read_text())
    git("-C", "work", "add", "scripts")
    git("-C", "work", "commit", "--quiet", "--message", "the sources")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text("a page")
    refusal = tmp_path / "origin.git/hooks/pre-receive"
    refusal.write_text("#!/bin/sh\nexit 1\n")
    refusal.chmod(0o755)
    assert push() != 0
    refusal.unlink()
    # The first one makes the branch, and the second one finds that nothing has changed.
    assert (push(), push()) == (0, 0)
    assert git("-C", "origin.git", "log", "--format=%s", "gh-pages") == "The site of v1.2.3\n"
    assert "1.2.3/index.html" in git("-C", "origin.git", "ls-tree", "-r", "--name-only", "gh-pages")


COUNTING = "benches/count_instructions.py"


def test_counts_are_compared_with_those_kept() -> None:
    counting = load(COUNTING)
    kept = {"a": (1000, "first"), "b": (1000, "first"), "c": (1000, "first")}
    rows, risen = counting.table(kept, {"a": 1030, "b": 1031, "c": 500, "d": 7})
    assert risen == ["b", "d"]
    assert [line.split()[2] for line in rows.splitlines()] == ["+3.00%", "+3.10%", "-50.00%", "new"]
    assert counting.read(counting.written("1.2.3", kept)) == ("1.2.3", kept)


def test_every_workload_has_a_count_and_a_reason() -> None:
    workloads = re.findall(r'^    \("([\w-]+)", ', (ROOT / "benches/instructions.rs").read_text(), re.M)
    _, kept = load(COUNTING).read((ROOT / "benches/instructions.txt").read_text())
    assert list(kept) == workloads
    assert len(workloads) == 12
    assert all(count > 1_000_000 and reason.strip() for count, reason in kept.values())


def test_the_installed_package_passes_what_a_wheel_is_tried_with() -> None:
    done = subprocess.run(
        [sys.executable, "-I", str(ROOT / "scripts/try_wheel.py")],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"sixplane {VERSION} works: Python 3.")
