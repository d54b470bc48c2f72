"""The Rust modules import downwards only, in the order of the table in `src/lib.rs`, and without circles."""

from __future__ import annotations

import re
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"
LIB = (SRC / "lib.rs").read_text()

# The modules from the first to the last of the table.
ORDER = re.findall(r"`(\w+)`", "".join(re.findall(r"^//! \| ([^|]*`[^|]*)\|", LIB, re.MULTILINE)))
REEXPORT = re.compile(r"^pub(?:\(\w+\))? use (?:self::)?(\w+)(?:::\w+)*::(\{[^}]*\}|\w+);", re.MULTILINE)

Path_ = tuple[str, ...]


def module_of(file: Path) -> Path_:
    """`src/games/go/mod.rs` and `src/games/go.rs` are `("games", "go")`."""
    parts = file.relative_to(SRC).with_suffix("").parts
    return parts[:-1] if parts[-1] == "mod" else parts


def code_of(text: str) -> str:
    """A source without comments, what only its tests import, and re-exports of its children."""
    text = re.sub(r"//[^\n]*|pub\(in [^)]*\)", "", text)
    text = re.split(r"#\[cfg\(test\)\]\s*mod \w+ \{", text)[0]
    text = re.sub(r"#\[cfg\(test\)\]\s*(?:(?:pub(?:\([^)]*\))? )?(?:use|mod)\b[^;]*;)?", "", text)
    return REEXPORT.sub("", text)


def is_test(file: Path) -> bool:
    """Whether a file is compiled for tests alone: its parent says so."""
    above = file.parent / "mod.rs"
    return above.exists() and bool(re.search(rf"#\[cfg\(test\)\]\s*mod {file.stem};", above.read_text()))


def unfolded(path: str, tree: str) -> list[str]:
    """The paths of `use path::{tree}`, one for each leaf."""
    leaves, depth, start = [], 0, 0
    for i, char in enumerate(tree + ","):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            leaves.append(tree[start:i].strip())
            start = i + 1
    found = []
    for leaf in filter(None, leaves):
        head, brace, rest = leaf.partition("{")
        found += unfolded(path + head, rest[:-1]) if brace else [path + leaf]
    return found


def targets(module: Path_, code: str) -> set[Path_]:
    """All paths from the crate's root that a module names by `crate`, `super` or `self`, or by its child."""
    children = [other[len(module)] for other in MODULES if other[:-1] == module]
    starts = "|".join(["crate", "super", "self", *children])
    found = set()
    for path, tree in re.findall(
        rf"(?<![\w:$])((?:(?:{starts})::)(?:\w+::)*)(\w+|\{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}})", code
    ):
        for whole in unfolded(path, tree[1:-1] if tree[0] == "{" else tree):
            parts = re.split(r"::| as ", whole.strip())
            base = list(module)
            if parts[0] == "crate":
                base, parts = [], parts[1:]
            while parts and parts[0] in ("super", "self"):
                base = base[:-1] if parts[0] == "super" else base
                parts = parts[1:]
            found.add(defined((*base, *parts)))
    return found


def defined(path: Path_) -> Path_:
    """A path with each re-exported name replaced by the child that it comes from."""
    for i in range(len(path)):
        child = REEXPORTS.get(path[:i], {}).get(path[i])
        if child:
            return defined((*path[:i], child, *path[i:]))
    return path


FILES = {module_of(file): file for file in SRC.rglob("*.rs") if file.name != "lib.rs" and not is_test(file)}
MODULES = set(FILES)
REEXPORTS = {
    module: {
        name: child
        for child, names in REEXPORT.findall(file.read_text())
        for name in re.findall(r"\w+", names)
        if (*module, child) in MODULES
    }
    for module, file in {**FILES, (): SRC / "lib.rs"}.items()
}


def imports() -> dict[Path_, set[Path_]]:
    """For each module those that it imports from, each the deepest module on the path."""
    graph: dict[Path_, set[Path_]] = defaultdict(set)
    for module, file in FILES.items():
        for target in targets(module, code_of(file.read_text())):
            inner = next((target[:i] for i in range(len(target), 0, -1) if target[:i] in MODULES), module)
            if inner != module:
                graph[module].add(inner)
    return graph


def test_each_module_imports_from_those_above_it_in_the_table() -> None:
    assert {module[0] for module in MODULES} == set(ORDER), "the table names every module"
    upwards = {
        f"{'::'.join(module)} imports {'::'.join(target)}"
        for module, found in imports().items()
        for target in found
        if ORDER.index(target[0]) > ORDER.index(module[0])
    }
    assert upwards == set()


def test_no_folder_has_a_circle_of_imports() -> None:
    folders: dict[Path_, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, found in imports().items():
        for target in found:
            shared = next(
                (i for i, pair in enumerate(zip(module, target, strict=False)) if pair[0] != pair[1]), None
            )
            depth = min(len(module), len(target)) if shared is None else shared
            if depth > 0:
                ends = [path[depth] if len(path) > depth else "mod.rs" for path in (module, target)]
                folders[module[:depth]][ends[0]].add(ends[1])
    circles = []
    for folder, graph in folders.items():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circles.append(f"{'::'.join(folder)}: {' <- '.join(error.args[1])}")
    assert circles == [], "\n".join(circles)


def test_only_the_bindings_name_the_crates_of_python() -> None:
    named = {
        file.relative_to(SRC).parts[0]
        for file in SRC.rglob("*.rs")
        if re.search(r"\b(?:pyo3|pyo3_ffi|numpy)::", code_of(file.read_text()))
    }
    assert named == {"bindings"}
