"""What `help` shows of the compiled module is what its stub says, with real signatures."""

from __future__ import annotations

import ast
import doctest
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sixplane
from sixplane import _core

STUB = ast.parse((Path(sixplane.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
Definition = ast.ClassDef | ast.FunctionDef


def definitions() -> Iterator[tuple[str, Definition]]:
    """All that the stub defines for users, by its dotted name."""
    for node in STUB.body:
        if not isinstance(node, Definition) or node.name.startswith("_"):
            continue
        yield node.name, node
        if isinstance(node, ast.ClassDef):
            # What a class inherits, its base documents; the stub may narrow its types.
            own = {name for name in vars(getattr(_core, node.name)) if not name.startswith("_")}
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and member.name in own:
                    yield f"{node.name}.{member.name}", member


NAMES = dict(definitions())


def found(name: str) -> Any:
    value: Any = _core
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", NAMES)
def test_the_documentation_at_run_time_is_that_of_the_stub(name: str) -> None:
    said = ast.get_docstring(NAMES[name])
    assert said, "the stub says nothing"
    shown = inspect.cleandoc(found(name).__doc__)
    assert shown == said


@pytest.mark.parametrize("name", [name for name in NAMES if ">>>" in str(ast.get_docstring(NAMES[name]))])
def test_the_examples_hold(name: str) -> None:
    shown = inspect.cleandoc(found(name).__doc__)
    example = doctest.DocTestParser().get_doctest(shown, {}, name, None, None)
    assert doctest.DocTestRunner().run(example).failed == 0


def public_members() -> Iterator[tuple[str, Any]]:
    for name in _core.__all__:
        value = getattr(_core, name)
        if callable(value):
            yield name, value
        if isinstance(value, type):
            for member in [member for member in dir(value) if not member.startswith("_")]:
                of_class = getattr(value, member)
                if not isinstance(of_class, str | int | tuple):  # those have no words of their own
                    yield f"{name}.{member}", of_class


MEMBERS = dict(public_members())


@pytest.mark.parametrize("name", MEMBERS)
def test_everything_public_says_what_it_is(name: str) -> None:
    shown = inspect.getdoc(MEMBERS[name])
    assert shown
    assert name in NAMES or shown == ast.get_docstring(NAMES["Game." + name.partition(".")[2]])


#: These come from other calls alone.
NOT_MADE = {"Game", "Collection", "Node"}


@pytest.mark.parametrize(
    "name", [name for name in MEMBERS if callable(MEMBERS[name]) and name not in NOT_MADE]
)
def test_every_signature_names_its_options(name: str) -> None:
    parameters = inspect.signature(MEMBERS[name]).parameters.values()
    several = [parameter.name for parameter in parameters if parameter.kind is parameter.VAR_KEYWORD]
    assert not several or several == ["rules"], "what else is allowed?"
    assert not [one for one in parameters if one.kind is one.VAR_POSITIONAL]
