"""Which sets of tests there are, which of them a change needs, and to which a file belongs.

`tests/sets.toml` is the table. Python's own library is enough for it.

    python scripts/which_tests.py all                          every set, its lane first, a line each
    python scripts/which_tests.py due                          those that `.ci/run` runs, and on stderr why
    python scripts/which_tests.py one tests/test_masks.py      build, and run the tests of one file

A change is what was committed since the commit that `CI_BASE` names, else since the last commit that is older
than four days; without such a commit everything has changed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class TestSet:
    """A line of the table: a target of the Makefile, the files of its tests and what makes it due."""

    name: str
    lane: str
    """`"cargo"` for what needs no module and shares cargo's folder with its lane; or `"python"`."""
    always: bool
    environment: str | None
    files: tuple[str, ...]
    others: tuple[str, ...]
    touched: tuple[str, ...]

    def holds(self, file: str) -> bool:
        """Whether a file of tests belongs to the set."""
        return _fits(file, self.files) and not _fits(file, self.others)

    def reason(self, changed: list[str] | None) -> str | None:
        """Why the set is due after a change of these files, or of all (None); None if it is not."""
        if self.always:
            return "always"
        if changed is None:
            return "no commit to compare with"
        return next(
            (f"{file} has changed" for file in changed if _fits(file, self.touched)),
            None,
        )


def _fits(file: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(file, pattern) for pattern in patterns)


def sets(root: Path = ROOT) -> list[TestSet]:
    """The sets in the order in which they run."""
    table = tomllib.loads((root / "tests/sets.toml").read_text(encoding="utf-8"))
    every_environment = table.pop("every_environment")
    return [
        TestSet(
            name,
            lane=line.get("lane", "python"),
            always=line.get("always", False),
            environment=line.get("environment"),
            files=tuple(line.get("files", ())),
            others=tuple(file for other in line.get("but_those_of", ()) for file in table[other]["files"]),
            touched=(
                *line.get("touched", ()),
                *(pattern for other in line.get("with", ()) for pattern in table[other]["touched"]),
                *(every_environment if "environment" in line else ()),
            ),
        )
        for name, line in table.items()
    ]


def changed_files(root: Path = ROOT) -> list[str] | None:
    """The files that have changed since the base; None if there is no base.

    Raises:
        subprocess.CalledProcessError: `CI_BASE` names no commit.
    """
    base = os.environ.get("CI_BASE") or _git(root, "rev-list", "-1", "--before=4 days ago", "HEAD")
    if not base:
        return None
    return _git(root, "diff", "--name-only", "--no-renames", base, "HEAD").splitlines()


def _run(command: list[str]) -> int:
    print("+", *command, file=sys.stderr, flush=True)
    return subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *arguments], stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603, S607
    return done.stdout.strip()


def command_of(file: str) -> list[list[str]]:
    """The commands that build what a file of tests needs, and run it.

    Raises:
        ValueError: there is no such file, or it belongs to no set, or to one without tests of its own.
    """
    if not (ROOT / file).is_file():
        raise ValueError(f"there is no file {file}")
    owner = next((each for each in sets() if each.holds(file)), None)
    path = Path(file)
    if path.suffix == ".rs" and path.parts[0] == "tests":
        # tests/all.rs is one program, of modules such as tests/go_laws.rs and tests/batch/mod.rs.
        *folders, name = path.with_suffix("").parts[1:]
        module = "::".join(folders if name in {"mod", "all"} else [*folders, name])
        return [["cargo", "test", "--locked", "--test", "all", f"{module}::"]]
    if owner is None or owner.environment is None:
        raise ValueError(f"{file} belongs to no set of tests/sets.toml that runs in Python")
    python = f"{owner.environment}/bin/python"
    if file == "tests/web/watch_training.py":
        # Its browser is in `.venv`; the training that it watches runs in the environment of its set.
        return [
            ["make", ".venv/.built", f"{owner.environment}/.built"],
            ["env", f"TRAIN_PYTHON={python}", ".venv/bin/python", "-m", "pytest", file],
        ]
    return [["make", f"{owner.environment}/.built"], [python, "-m", "pytest", file]]


def main() -> int:
    """Runs the command line; the exit code."""
    parser = argparse.ArgumentParser(description="Which sets of tests there are, and which a change needs.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("all", help="every set, its lane first, a line each")
    commands.add_parser("due", help="the sets that a change needs, and on stderr why")
    one = commands.add_parser("one", help="build, and run the tests of one file")
    one.add_argument("file")
    options = parser.parse_args()
    if options.command == "one":
        try:
            steps = command_of(options.file)
        except ValueError as error:
            parser.error(str(error))
        return next((code for code in map(_run, steps) if code), 0)
    changed = changed_files() if options.command == "due" else None
    for each in sets():
        reason = each.reason(changed) if options.command == "due" else "all"
        if reason is not None:
            print(each.lane, each.name, flush=True)
        if options.command == "due":
            print(f"{each.name}: {reason or 'not touched'}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
