"""No file of code is longer than a reader wants to scroll."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMIT = 450

#: The stub lists the whole public face of the compiled module.
EXEMPT = {
    "python/sixplane/_core.pyi",
}


#: What is read from top to bottom at once.
READ_AT_ONCE = {
    "examples/alphazero.py": 250,
    "examples/maskable_ppo.py": 80,
    "examples/ppo_selfplay.py": 250,
}


def test_examples_to_read_at_once_are_short() -> None:
    lengths = {name: len((ROOT / name).read_text().splitlines()) for name in READ_AT_ONCE}
    assert {name: length for name, length in lengths.items() if length > READ_AT_ONCE[name]} == {}


def test_no_file_of_code_is_longer_than_the_limit() -> None:
    files = [
        path
        for folder in ("src", "python", "tests", "benches", "examples", "scripts", "fuzz")
        for ending in ("*.rs", "*.py", "*.pyi")
        for path in (ROOT / folder).rglob(ending)
        if "target" not in path.relative_to(ROOT).parts
    ]
    assert len(files) > 200
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}
    too_long = {name: length for name, length in lengths.items() if length > LIMIT}
    assert too_long.keys() <= EXEMPT, too_long
