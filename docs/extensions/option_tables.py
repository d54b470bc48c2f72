"""The options of commands as tables: what is typed, its default, and what it is for.

`sphinx_argparse_cli` lists them. The help of an option ends with its default in parentheses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE: Final = "reference/command-line"
#: What stands between an option and its help.
DASH: Final = " - "
WIDTHS: Final = {"option": 34, "default": 22, "what it is for": 44}


def setup(app: Sphinx) -> dict[str, Any]:
    """The lists are replaced as soon as the page is read."""
    app.connect("doctree-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _read(app: Sphinx, page: nodes.document) -> None:
    if app.env.docname == PAGE:
        for options in list(page.findall(nodes.bullet_list)):
            options.replace_self(_table([_row(item) for item in options]))


def _row(item: nodes.Element) -> list[nodes.Element]:
    line, *more = item.children
    parts = list(line.children)
    dash = parts.index(DASH) if DASH in parts else len(parts)
    said, default = _without_default(parts[dash + 1 :])
    name = nodes.paragraph("", "", *parts[:dash], ids=line["ids"])
    cells = [[name], [nodes.paragraph("", "", *default)], [nodes.paragraph("", "", *said), *more]]
    return [nodes.entry("", *cell) for cell in cells]


def _without_default(parts: list[nodes.Node]) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """The parts of a help, and those of the default at its end."""
    if parts and isinstance(parts[-1], nodes.Text) and parts[-1].endswith(")"):
        for i in reversed(range(len(parts))):
            if isinstance(parts[i], nodes.Text) and (at := parts[i].rfind(" (")) >= 0:
                before, rest = parts[i][:at], [nodes.Text(parts[i][at + 2 :]), *parts[i + 1 :]]
                rest[-1] = nodes.Text(rest[-1].removesuffix(")"))
                return [*parts[:i], nodes.Text(before)], rest
    return parts, []


def _table(rows: list[list[nodes.Element]]) -> nodes.table:
    columns = [nodes.colspec(colwidth=width) for width in WIDTHS.values()]
    head = nodes.row("", *(nodes.entry("", nodes.paragraph("", title)) for title in WIDTHS))
    body = nodes.tbody("", *(nodes.row("", *row) for row in rows))
    return nodes.table("", nodes.tgroup("", *columns, nodes.thead("", head), body, cols=len(WIDTHS)))
