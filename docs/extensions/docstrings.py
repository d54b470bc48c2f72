"""Docstrings for autodoc: Markdown with the sections of Google's style becomes reStructuredText."""

from __future__ import annotations

import inspect
import re
import sys
from enum import Enum
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes
from docutils.utils import unescape
from sphinx.ext.napoleon import Config, GoogleDocstring
from sphinx.pycode import ModuleAnalyzer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils.parsers.rst.states import Inliner
    from sphinx.application import Sphinx

TABLE_LINE: Final = re.compile(r"^(\s*)\|(.*)\|\s*$")
RULE: Final = re.compile(r"^[\s:|-]+$")
LINK: Final = re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+)\)")


NAME: Final = re.compile(r"[A-Za-z_][\w.]*(\(\))?$")
EXAMPLE: Final = re.compile(r"^(\s*)Examples?:$")
SECTIONS: Final = Config(napoleon_use_ivar=True, napoleon_use_rtype=False)


def setup(app: Sphinx) -> dict[str, Any]:
    """Stands in for the extension napoleon, which takes `(A,): ...` of a property for its type."""
    app.connect("autodoc-process-docstring", _process)
    app.connect("autodoc-skip-member", _skip)
    app.add_role("code-or-link", _code_or_link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _code_or_link(
    name: str, raw: str, text: str, line: int, inliner: Inliner, *_rest: object
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Words in single quotes: code, and a link where something public has that name."""
    said = unescape(text)
    if NAME.match(said):
        domain = inliner.document.settings.env.domains["py"]
        return domain.role("obj")(name, raw, text, line, inliner)
    return [nodes.literal(raw, said, classes=["code"])], []


def _skip(_app: Sphinx, what: str, name: str, value: object, _skip: bool, _options: object) -> bool | None:
    """Leaves out the defaults of fields that the list of attributes in the class's docstring describes."""
    if what != "class" or name in _commented():
        return None
    is_default = isinstance(value, bool | int | float | str | tuple) or (
        isinstance(value, FunctionType) and "." not in value.__qualname__
    )
    return True if is_default and not isinstance(value, Enum) else None


@cache
def _commented() -> frozenset[str]:
    """The names of all attributes that have words of their own."""
    names = set()
    for name, module in sorted(sys.modules.items()):
        if name.startswith("sixplane") and str(getattr(module, "__file__", "")).endswith(".py"):
            names |= {key[1] for key in ModuleAnalyzer.for_module(name).find_attr_docs() if key[0]}
    return frozenset(names)


def _process(_app: Sphinx, what: str, name: str, value: object, _options: object, lines: list[str]) -> None:
    plain = [LINK.sub(r"`\1 <\2>`__", line) for line in _tables(_literal_examples(lines))]
    if what == "data" and "\n".join(lines).strip() == (inspect.getdoc(type(value)) or ""):
        plain = _comment(name)
    kind = "method" if what in {"attribute", "data", "property"} else what
    lines[:] = GoogleDocstring(plain, SECTIONS, None, kind, name, value).lines()


def _comment(name: str) -> list[str]:
    """What stands beside a constant where it is defined, if its module has it from a module within."""
    module, _, constant = name.rpartition(".")
    for inner in sorted(name for name in sys.modules if name.startswith(f"{module}.")):
        is_python = str(getattr(sys.modules[inner], "__file__", "")).endswith(".py")
        if is_python and hasattr(sys.modules[inner], constant):
            said = ModuleAnalyzer.for_module(inner).find_attr_docs().get(("", constant))
            if said:
                return said
    return []


def _literal_examples(lines: list[str]) -> Iterator[str]:
    """The lines; code of an example that is no session of Python's prompt is marked as code."""
    base: int | None = None  # how far the heading of such an example is indented, within it
    for line, after in zip(lines, [*lines[1:], ""], strict=False):
        if base is not None and line.strip() and len(line) - len(line.lstrip()) <= base:
            base = None
        yield line if base is None or not line.strip() else f"    {line}"
        found = EXAMPLE.match(line)
        if found and after.strip() and not after.lstrip().startswith(">>>"):
            base = len(found[1])
            yield f"{found[1]}    .. code-block:: python"
            yield ""


def _tables(lines: list[str]) -> Iterator[str]:
    """The lines with tables of Markdown as `list-table`."""
    table: list[str] = []
    for line in [*lines, ""]:
        if TABLE_LINE.match(line):
            table.append(line)
            continue
        if table:
            yield from _list_table(table)
            table = []
        yield line


def _list_table(table: list[str]) -> Iterator[str]:
    found = TABLE_LINE.match(table[0])
    indent = found[1] if found else ""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in table
        if not RULE.match(line)
    ]
    has_head = any(rows[0])
    yield ""
    yield f"{indent}.. list-table::"
    yield f"{indent}   :header-rows: {int(has_head)}"
    yield ""
    for row in rows if has_head else rows[1:]:
        for number, cell in enumerate(row):
            yield f"{indent}   {' ' if number else '*'} - {cell}"
    yield ""
