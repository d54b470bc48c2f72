"""The examples in docstrings: everything public has one, and each runs as a test somewhere.

The modules are read, not imported, so that those for libraries that are not here count, too.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import sixplane

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PYTHON = ROOT / "python"
MODULES = ["", *sixplane._MODULES, "protocols.gomocup", "protocols.gtp", "protocols.lines"]

#: `train` calls the parts of a run; who is told of one reads what its example shows.
NOT_CALLED = {"sixplane.learn.Run"}

#: Members that need a library -> the module whose examples run where it is.
ELSEWHERE = {"sixplane.nets.Network.to_onnx": "sixplane.nets.onnx_graph"}

Definition = ast.ClassDef | ast.FunctionDef


class Found(NamedTuple):
    """Something public, and the module that defines it."""

    module: str
    node: Definition


@cache
def tree(module: str) -> ast.Module:
    base = PYTHON / module.replace(".", "/")
    files = (base.with_suffix(".pyi"), base.with_suffix(".py"), base / "__init__.py")
    return ast.parse(next(file for file in files if file.exists()).read_text(encoding="utf-8"))


def exported(module: str) -> list[str]:
    for node in tree(module).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node).startswith("__all__"):
            assert node.value is not None
            return list(ast.literal_eval(node.value))
    raise AssertionError(f"{module} does not say what it exports")


@cache
def names(module: str) -> dict[str, Definition | tuple[str, str]]:
    """Classes and functions of a module by their names; of those from elsewhere, the module and the name."""
    found: dict[str, Definition | tuple[str, str]] = {}
    for node in ast.walk(tree(module)):
        if isinstance(node, Definition):
            found.setdefault(node.name, node)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sixplane."):
            for alias in node.names:
                found.setdefault(alias.asname or alias.name, (str(node.module), alias.name))
    return found


def find(module: str, name: str) -> Found | None:
    """The class or function, wherever it is defined; None for a constant and for an alias of types."""
    found = names(module).get(name)
    if isinstance(found, tuple):
        return find(*found)
    return None if found is None else Found(module, found)


PUBLIC = {
    f"{where}.{name}": found
    for where in (f"sixplane.{module}".rstrip(".") for module in sorted(MODULES))
    for name in exported(where)
    if (found := find(where, name)) is not None
}


def code(node: Definition | ast.Module) -> str:
    """What the examples of a docstring type."""
    lines = (ast.get_docstring(node) or "").splitlines()
    return "\n".join(line for line in lines if re.match(r"\s*(>>>|\.\.\.) ", line))


def family(found: Found) -> Iterator[Found]:
    """A class and those of the package that it extends; None of another library's."""
    yield found
    assert isinstance(found.node, ast.ClassDef)
    for base in found.node.bases:
        parent = find(found.module, ast.unparse(base).partition("[")[0])
        if parent is not None:
            yield from family(parent)


def is_our_own(found: Found) -> bool:
    """Whether a class has no members but ours: it extends neither another library's nor is a protocol."""
    ours = {"Enum", "IntEnum", "StrEnum", "NamedTuple", "Generic", "Exception"}
    return isinstance(found.node, ast.ClassDef) and all(
        find(found.module, name) is not None or name in ours or name.endswith(("Error", "Warning"))
        for name in (ast.unparse(base).partition("[")[0] for base in found.node.bases)
    )


MEMBERS = {
    f"{name}.{member.name}": (found, member)
    for name, found in PUBLIC.items()
    if is_our_own(found) and name not in NOT_CALLED
    for member in found.node.body
    if isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and ast.get_docstring(member)
}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_class_and_function_has_an_example(name: str) -> None:
    assert code(PUBLIC[name].node)


@pytest.mark.parametrize("name", MEMBERS)
def test_every_public_member_stands_in_an_example_of_its_class(name: str) -> None:
    found, member = MEMBERS[name]
    assert isinstance(found.node, ast.ClassDef)
    public = name.rpartition(".")[0].rpartition(".")[0]
    shown: list[Definition | ast.Module] = [
        tree(found.module),
        tree(public),
        tree(ELSEWHERE.get(name, public)),
    ]
    for one in family(found):
        shown += [one.node, *(each for each in one.node.body if isinstance(each, ast.FunctionDef))]
    assert any(re.search(rf"\.{member.name}\b", code(each)) for each in shown)


def documented() -> Iterator[tuple[str, str]]:
    """The items of the crate that stand at the margin, each with its documentation."""
    for file in sorted((ROOT / "src").rglob("*.rs")):
        text = file.read_text(encoding="utf-8")
        item = r"^((?:///.*\n)+)(?:#\[.*\n)*pub (?:const fn|unsafe fn|fn|struct|enum|trait|type|const) (\w+)"
        for documentation, name in re.findall(item, text, re.M):
            yield name, documentation


def crate_names() -> set[str]:
    """What the modules of the crate hand on from those within."""
    lists = [
        names
        for file in (ROOT / "src").rglob("*.rs")
        for names in re.findall(r"^pub use ([^;]+);", file.read_text(encoding="utf-8"), re.M)
    ]
    return {name for names in lists for name in re.findall(r"\b\w+\b(?!::)", names)}


CRATE = crate_names()
DOCUMENTED = {name: text for name, text in documented() if name in CRATE}


def test_the_items_of_the_crate_are_found() -> None:
    assert DOCUMENTED.keys() == CRATE
    assert len(CRATE) > 60


@pytest.mark.parametrize("name", sorted(CRATE))
def test_every_item_of_the_crate_has_an_example(name: str) -> None:
    assert "/// ```\n" in DOCUMENTED[name]


def test_examples_that_need_a_library_run_where_it_is() -> None:
    spec = importlib.util.spec_from_file_location("needs", ROOT / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    conftest = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conftest)
    makefile = (ROOT / "Makefile").read_text()
    run = {
        module
        for name, modules in re.findall(r"^(\w+_modules) := (.*)$", makefile, re.M)
        if re.search(rf"^\t\$\(\w+\)/bin/python -m pytest .*\$\({name}\)$", makefile, re.M)
        for module in modules.split()
    }
    needy = [
        str(path.relative_to(ROOT)) for path in conftest.LEFT_OUT if path.is_relative_to(ROOT / "python")
    ]
    assert needy
    assert [path for path in needy if not {path, *map(str, Path(path).parents)} & run] == []
