"""Joins modules of JavaScript into one, because a notebook and a page in one file take a single module.

It is no bundler for programs of others. Our own modules say `import { a, b as c } from "./name.js"` or
`import * as name from "./name.js"`, and `export` in front of what they declare.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

IMPORT: Final = re.compile(r'^import (?:\{\s*([^}]*?),?\s*\}|\* as (\w+)) from "\./([\w-]+)\.js";$', re.M)
EXPORT: Final = re.compile(r"^export (?=(?:const|let|class|function|async function) (\w+))", re.M)


def joined(entry: str, read: Callable[[str], str]) -> str:
    """Returns the text of one module that does what the entry and its imports do.

    Args:
        entry: the name of the module that is asked for, without `.js`; it keeps what it exports.
        read: name -> text of a module.

    Raises:
        ValueError: a module imports or exports in another way, or two import each other.
    """
    parts: dict[str, str] = {}
    _add(entry, read, parts, ())
    return "\n".join(parts.values())


def _add(name: str, read: Callable[[str], str], parts: dict[str, str], above: tuple[str, ...]) -> None:
    """Adds a module after those that it imports."""
    if name in above:
        raise ValueError(f"the modules {' and '.join(above[above.index(name) :])} import each other")
    text = read(name)
    for found in IMPORT.finditer(text):
        if found[3] not in parts:
            _add(found[3], read, parts, (*above, name))
    text = IMPORT.sub(_declaration, text)
    names = EXPORT.findall(text)
    if above:
        text = EXPORT.sub("", text)
    if left := re.search(
        r"^(?:import\b|export (?!default )).*", text if above else EXPORT.sub("", text), re.M
    ):
        raise ValueError(f"{name}.js: cannot be joined: {left[0]}")
    parts[name] = (
        text
        if not above
        else f"const {_variable(name)} = (() => {{\n{text}\nreturn {{ {', '.join(names)} }};\n}})();"
    )


def _variable(module: str) -> str:
    return "$" + module.replace("-", "_")


def _declaration(found: re.Match[str]) -> str:
    """Returns the declaration that replaces an import."""
    names, whole, module = found.groups()
    if whole:
        return f"const {whole} = {_variable(module)};"
    return f"const {{ {names.replace(' as ', ': ')} }} = {_variable(module)};"
