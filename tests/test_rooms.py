"""The rooms of the Python package import downwards only, floor by floor, and no two files import each other.

What a file imports for its types, or within a function, counts, too.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "python/sixplane"
#: The compiled module, which has no file here.
CORE = "_core"
#: Its file names the public modules, and nothing imports it.
FACE = "__init__"


def floors() -> list[list[str]]:
    """The rooms of each floor in the table of CONTRIBUTING.md, the lowest floor first."""
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## The rooms of the package")[2]
    rows = re.findall(r"^\| \d+ \| ([^|]*) \|", table.partition("\n## ")[0], re.MULTILINE)
    return [re.findall(r"`(\w+)`", row) for row in rows]


def module_of(file: Path) -> str:
    """`envs/single.py` is `envs.single`, and `envs/__init__.py` is `envs`."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


FILES = {module_of(file): file for file in sorted(PACKAGE.rglob("*.py"))}


def targets(file: Path) -> set[str]:
    """The modules of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            top, _, path = name.partition(".")
            if top != "sixplane":
                continue
            while path and path not in FILES and path.split(".")[0] != CORE:
                path = path.rpartition(".")[0]
            found.add(CORE if path.split(".")[0] == CORE else path or FACE)
    return found


def room(module: str) -> str:
    return module.split(".", maxsplit=1)[0]


@cache
def imports() -> dict[str, set[str]]:
    """The modules of the package -> those that they import."""
    return {module: targets(file) - {module} for module, file in FILES.items()}


def test_every_room_has_a_floor() -> None:
    rooms = [room for floor in floors() for room in floor]
    assert sorted(rooms) == sorted({CORE, *map(room, FILES)})


def test_rooms_import_downwards_only() -> None:
    height = {name: number for number, floor in enumerate(floors()) for name in floor}
    upwards = [
        f"{module} imports {target}"
        for module, imported in imports().items()
        for target in sorted(imported)
        if room(module) != room(target) and height[room(module)] <= height[room(target)]
    ]
    assert upwards == []


def test_files_import_without_circles() -> None:
    try:
        TopologicalSorter(imports()).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle of imports: {' -> '.join(reversed(error.args[1]))}") from None
