"""What `import sixplane` offers, and what it loads only when asked."""

from __future__ import annotations

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


@pytest.mark.parametrize("name", sorted(PUBLIC - LIBRARIES.keys()))
def test_every_public_module_is_an_attribute_of_the_package(name: str) -> None:
    code = f"import sixplane; print(sixplane.{name}.__name__)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"sixplane.{name}\n"
    assert name in dir(sixplane)
    assert getattr(sixplane, name) is importlib.import_module(f"sixplane.{name}")


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
