"""The pages in `docs`: their links, their examples, and the pictures that those make."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from difflib import SequenceMatcher
from pathlib import Path

import pytest

import sixplane
from doc_blocks import blocks
from guide import GUIDE, ROOT, changed_files
from sixplane.cli.program import parsers

DOCS = Path(__file__).parent.parent / "docs"
PICTURES = DOCS / "pictures"
SHOWN = re.compile(r"\]\((?:\.\./|docs/)*pictures/([^)]+)\)")
PAGES = sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


#: Pages beside `docs`, which link to files, too.
OTHER_PAGES = ["../CHANGELOG.md", "../CONTRIBUTING.md", "../README.md", "../SECURITY.md"]


@pytest.mark.parametrize("page", PAGES + OTHER_PAGES)
def test_links_lead_to_files_that_exist(page: str) -> None:
    prose = re.sub(r"^```.*?^```", "", (DOCS / page).read_text(), flags=re.S | re.M)
    links = re.findall(r"\]\((?!https?:)([^)#]+)", prose)
    missing = [link for link in links if not ((DOCS / page).parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_every_example_runs_as_pasted_and_makes_the_pictures_shown(page: str, tmp_path: Path) -> None:
    text = (DOCS / page).read_text()
    for code, library in blocks(DOCS / page):
        if library is not None:
            continue  # `make test-all` runs it.
        done = subprocess.run(
            [sys.executable, "-X", "warn_default_encoding", "-W", "error", "-c", code],
            capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    made = {path.name: path.read_text() for path in tmp_path.glob("*.svg")}
    assert made.keys() == pictures_made_by(page), "a picture nobody makes"
    assert made.keys() <= set(SHOWN.findall(text))
    for name, picture in made.items():
        assert picture == (PICTURES / name).read_text(), f"docs/pictures/{name} is not what {page} makes"


def pictures_made_by(page: str) -> set[str]:
    """The pictures of the docs that the examples of a page write."""
    codes = [block.code for block in blocks(DOCS / page)]
    return {path.name for path in PICTURES.iterdir() if any(f'"{path.name}"' in code for code in codes)}


def test_every_picture_is_shown_and_made_by_one_page() -> None:
    pages = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]
    shown = {name for page in pages for name in SHOWN.findall(page.read_text())}
    assert {path.name for path in PICTURES.iterdir()} == shown
    assert sorted(name for page in PAGES for name in pictures_made_by(page)) == sorted(shown)


def test_examples_leave_the_records_of_other_pages_alone(tmp_path: Path) -> None:
    (tmp_path / "random.sgf").write_text("(;GM[1]FF[4]SZ[9];B[aa])")
    page = DOCS / "tutorials/records-to-training-data.md"
    (code,) = [block.code for block in blocks(page) if "broken.sgf" in block.code]
    for _ in range(2):  # and their own
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.glob("*.sgf")] == ["random.sgf"]


def test_the_call_for_seventeen_planes_gives_as_many() -> None:
    batch = sixplane.GameBatch(sixplane.Go(size=9), 2, seed=1)
    (call,) = re.findall(r"`([^`]*)` for 17 planes", (DOCS / "explain/from-pgx.md").read_text())
    out = eval(call, {"batch": batch, "actions": batch.sample()})  # noqa: S307 - the page is ours
    assert out.planes.shape == (2, 17, 9, 9)


@pytest.mark.parametrize(
    ("page", "language", "example"),
    [
        ("tutorials/alphazero.md", "py", "alphazero.py"),
        ("tutorials/your-own-game.md", "rust", "connect_four.rs"),
        ("tutorials/game-in-a-crate.md", "rust", "crate-game/src/lib.rs"),
        ("rust.md", "rust", "play.rs batch.rs search.rs"),
    ],
)
def test_a_walk_through_quotes_the_example(page: str, language: str, example: str) -> None:
    source = "".join((DOCS.parent / "examples" / name).read_text() for name in example.split())
    text = (DOCS / page).read_text()
    quoted = re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)
    assert quoted
    assert [code for code in quoted if code not in source] == []


def test_the_guide_to_adding_a_game_fits_the_files_that_it_changes() -> None:
    before = {file: (ROOT / file).read_text() if (ROOT / file).exists() else "" for file in changed_files()}
    new = sum(not text for text in before.values())
    lines = 0
    for file, text in changed_files().items():
        matcher = SequenceMatcher(None, before[file].splitlines(), text.splitlines(), autojunk=False)
        lines += sum(end - start for kind, _, _, start, end in matcher.get_opcodes() if kind != "equal")
    assert f"is {lines} lines in {len(before)} files, {new} of them new" in GUIDE.read_text()


def test_the_guide_leaves_nothing_for_the_linter(tmp_path: Path) -> None:
    for file, text in changed_files().items():
        if file.endswith((".py", ".pyi")):
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text)
    ruff = [sys.executable, "-m", "ruff", "check", "--quiet", "--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run([*ruff, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("page", PAGES + OTHER_PAGES)
def test_tests_of_rust_are_called_by_their_target(page: str) -> None:
    text = (DOCS / page).read_text()
    assert set(re.findall(r"cargo test[^`\n]* --test (\w+)", text)) <= {"all"}


COMMANDS = [
    (page, shlex.split(re.split(r" (?:[|>]+ |&)", command)[0], comments=True))
    for page in PAGES
    for block in re.findall(r"^```sh\n(.*?)^```", (DOCS / page).read_text(), re.S | re.M)
    for command in re.findall(r"^sixplane (.*)$", block.replace("\\\n", " "), re.M)
]


@pytest.mark.parametrize(("page", "words"), COMMANDS)
def test_commands_are_understood(page: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    parser, _ = parsers()
    status: object = 0
    try:
        parser.parse_args(words)
    except SystemExit as end:  # 0 after --help
        status = end.code
    assert status == 0, (page, words, capsys.readouterr().err)


def test_a_folder_is_written_by_commands_that_go_on_with_each_other() -> None:
    # Whoever follows the pages in one folder must not find games of another command there.
    found: dict[str, dict[str, str]] = {}
    for page in PAGES:
        for block in re.findall(r"^```(?:sh|text)\n(.*?)^```", (DOCS / page).read_text(), re.S | re.M):
            for command in re.findall(r"^sixplane .*$", block.replace("\\\n", " "), re.M):
                words = shlex.split(command, comments=True)
                if "--out" in words:
                    folder = words[words.index("--out") + 1]
                    found.setdefault(folder, {}).setdefault(without_amount(words), page)
    assert {folder: commands for folder, commands in found.items() if len(commands) > 1} == {}


def without_amount(words: list[str]) -> str:
    """A command without the options that may differ when it goes on."""
    return re.sub(r" --(minutes|games|processes|ray|gpu-share) \S+", "", shlex.join(words))


CONSOLES = [
    (page, *console)
    for page in PAGES
    for console in re.findall(r"^```console\n\$ ([^\n]*)\n(.*?)^```", (DOCS / page).read_text(), re.S | re.M)
]


@pytest.mark.parametrize(("page", "command", "expected"), CONSOLES)
def test_commands_print_what_the_page_says(page: str, command: str, expected: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", command.replace("sixplane ", f"{sys.executable} -m sixplane ")],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, (page, done.stderr)
    assert done.stdout == expected
