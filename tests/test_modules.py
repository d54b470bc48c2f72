"""What `import sixplane` offers, and what it loads only when asked."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import sixplane

#: Modules of the program and of the package's own workings.
INTERNAL = {"cli", "games", "masks", "runs"}
PUBLIC = {
    module.name for module in pkgutil.iter_modules(sixplane.__path__) if not module.name.startswith("_")
} - INTERNAL

#: Names in public modules that only the package itself uses.
FOR_OTHER_ROOMS = {"planes": {"seen_through"}}

#: Modules for other libraries, which need not be installed.
LIBRARIES = {
    "openspiel": "pyspiel",
    "pettingzoo": "pettingzoo",
    "rllib": "ray",
    "sb3": "stable_baselines3",
    "torchrl": "torchrl",
    "widget": "anywidget",
}


@pytest.mark.parametrize("name", sorted(name for name in LIBRARIES if find_spec(LIBRARIES[name]) is None))
def test_a_library_that_is_missing_is_named(name: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=rf"needs .*: pip install 'sixplane\[{name}\]'") as caught:
        importlib.import_module(f"sixplane.{name}")
    assert caught.value.name == LIBRARIES[name]
    with pytest.raises(AttributeError, match=rf"pip install 'sixplane\[{name}\]'"):
        getattr(sixplane, name)
    assert not hasattr(sixplane, name)
    assert name in dir(sixplane)


def test_the_tests_say_which_libraries_they_go_without() -> None:
    here = Path(__file__)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", str(here)]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=here.parents[1]).stdout
    named = re.search(r"^missing are (.*)$", told, re.M)
    missing = {library for library in LIBRARIES.values() if find_spec(library) is None}
    assert missing <= set(named[1].split(", ") if named else ())


#: Asks for each module in a process of its own, which has imported the package and nothing else of it.
ASKS = """
import os, sys, sixplane
for name in sys.argv[1:]:
    pid = os.fork()
    if pid == 0:
        print(getattr(sixplane, name).__name__, flush=True)
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        sys.exit(f"sixplane.{name} cannot be had")
"""


def test_every_public_module_is_an_attribute_of_the_package_that_was_imported_alone() -> None:
    names = sorted(PUBLIC - LIBRARIES.keys())
    command = [sys.executable, "-W", "error", "-c", ASKS, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [f"sixplane.{name}" for name in names]


@pytest.mark.parametrize("name", sorted(PUBLIC - LIBRARIES.keys()))
def test_every_public_module_is_an_attribute_of_the_package(name: str) -> None:
    assert name in dir(sixplane)
    assert getattr(sixplane, name) is importlib.import_module(f"sixplane.{name}")


def listed(tree: ast.Module) -> list[str] | None:
    """The names in `__all__`; None without one."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node).startswith("__all__"):
            assert node.value is not None
            return list(ast.literal_eval(node.value))
    return None


def test_modules_that_users_import_list_their_names_and_inner_files_do_not() -> None:
    public = {*PUBLIC, "__init__", *(f"protocols/{name}" for name in ("gomocup", "gtp", "lines"))}
    package = Path(sixplane.__path__[0])
    wrong = []
    for file in sorted(package.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = listed(tree)
        name = file.relative_to(package).with_suffix("").as_posix().removesuffix("/__init__")
        if name not in public:
            wrong += [f"{name} has `__all__`"] if names is not None and file.name != "__init__.py" else []
        elif names is None:
            wrong.append(f"{name} has no `__all__`")
        else:
            of_file = {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
            of_file -= {*names, *FOR_OTHER_ROOMS.get(name, ())}
            wrong += [f"{name} does not list {each}" for each in sorted(of_file) if each[0] != "_"]
            wrong += [f"{name} lists {each}" for each in names if each[0] == "_" and each != "__version__"]
    assert wrong == []


def test_modules_are_loaded_when_first_asked_for() -> None:
    late = (
        "{'sixplane.agents', 'sixplane.match', 'sixplane.render', 'sixplane.testing', 'sixplane.protocols'}"
    )
    code = (
        f"import sys, sixplane; print({late} & sys.modules.keys()); "
        "sixplane.agents; print('sixplane.agents' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\nTrue\n"


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'sixplane' has no attribute 'plains'"):
        sixplane.plains  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(sixplane, "nothing")
