"""Signatures of the compiled classes: names and defaults from the module, types from its stub."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.pycode import ModuleAnalyzer

import sixplane

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STUB_TEXT = (Path(sixplane.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
STUB = ast.parse(STUB_TEXT)
#: The stub's own names of types: what they stand for, variables of types for their bounds.
ALIASES = {
    node.target.id: node.value
    for node in STUB.body
    if isinstance(node, ast.AnnAssign)
    and isinstance(node.target, ast.Name)
    and node.value is not None
    and ast.unparse(node.annotation) == "TypeAlias"
} | {
    node.targets[0].id: bound.value
    for node in STUB.body
    if isinstance(node, ast.Assign)
    and isinstance(node.targets[0], ast.Name)
    and isinstance(node.value, ast.Call)
    for bound in node.value.keywords
    if bound.arg == "bound"
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Types are added after autodoc has found the signature."""
    app.connect("autodoc-process-signature", _process)
    _read_stub()
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _read_stub() -> None:
    """Lets autodoc take order and types of members from the stub, as from the source of a module."""
    stub = ModuleAnalyzer.for_string(STUB_TEXT, "sixplane._core")
    stub.analyze()
    for module in ("sixplane", "sixplane.search", "sixplane.sgf"):
        source = ModuleAnalyzer.for_module(module)
        source.analyze()
        source.attr_docs |= {key: said for key, said in stub.attr_docs.items() if key[0]}
        source.annotations |= {key: _type_text(said) for key, said in stub.annotations.items() if key[0]}
        source.tagorder = {**stub.tagorder, **source.tagorder}


class _Plain(ast.NodeTransformer):
    """Types as a reader knows them: without the stub's own names."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in ALIASES:
            return self.visit(ALIASES[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.parse(
            ast.unparse(node).replace("npt.", "numpy.typing.").replace("np.", "numpy."), mode="eval"
        ).body


def _type(annotation: ast.expr | None) -> str:
    """An annotation as text; nothing of `**rules`, whose names the documentation gives."""
    if annotation is None:
        return ""
    text = ast.unparse(annotation)
    return "" if text.startswith("Unpack[") else _type_text(text)


def _type_text(text: str) -> str:
    return ast.unparse(_Plain().visit(ast.parse(text, mode="eval").body))


def _stubs(name: str) -> list[ast.FunctionDef]:
    """The definitions of a dotted name in the stub, of a class its constructor; several if overloaded."""
    body = STUB.body
    found: list[ast.FunctionDef] = []
    for part in name.split("."):
        nodes = [
            node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == part
        ]
        found = [node for node in nodes if isinstance(node, ast.FunctionDef)]
        body = nodes[0].body if nodes and isinstance(nodes[0], ast.ClassDef) else []
    return found or [node for node in body if isinstance(node, ast.FunctionDef) and node.name == "__new__"]


def _process(
    _app: Sphinx,
    what: str,
    name: str,
    value: object,
    _options: object,
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    short = name.rpartition("sixplane.")[2] if name.count(".") == 1 else name.split(".", 1)[1]
    parts = short.split(".")
    while parts and not hasattr(sixplane._core, parts[0]):
        parts = parts[1:]
    if not parts or what not in {"class", "method", "function", "property"}:
        return _with_plain_defaults(signature), returns
    stubs = _stubs(".".join(parts))
    if not stubs or not _is_compiled(parts, value):
        return _with_plain_defaults(signature), returns
    types: dict[str, list[str]] = {}
    gives: list[str] = []
    for stub in stubs:
        given = stub.args
        for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
            types.setdefault(argument.arg, []).append(_type(argument.annotation))
        gives.append(_type(stub.returns))
    result = None if what == "class" else _union(gives)
    if what == "property":
        return signature, result
    return _written(value, types), result


def _with_plain_defaults(signature: str | None) -> str | None:
    """Defaults that are functions or made by one, written so that they can be read as Python."""
    if signature is None:
        return None
    return re.sub(r"<function (\w+)>", r"\1", signature).replace("<factory>", "...")


def _is_compiled(parts: list[str], value: object) -> bool:
    found: Any = sixplane._core
    for part in parts:
        found = getattr(found, part, None)
    return found is value or (found is not None and found == value)


def _union(types: list[str]) -> str:
    return " | ".join(dict.fromkeys(one for one in types if one))


def _written(value: Any, types: dict[str, list[str]]) -> str | None:
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    typed = []
    for parameter in parameters:
        if parameter.name == "self":
            continue
        text = _union(types.get(parameter.name, []))
        typed.append(parameter.replace(annotation=_Text(text) if text else parameter.empty))
    return str(inspect.Signature(typed))


class _Text(str):
    """Shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
