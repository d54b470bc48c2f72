"""The table of contents, which the first page gets on the site alone: elsewhere its directives are noise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

CONTENTS: Final = Path(__file__).parents[1] / "templates" / "contents.md"


def setup(app: Sphinx) -> dict[str, Any]:
    """The text is added as the page is read."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    if page == app.config.root_doc:
        app.env.note_dependency(str(CONTENTS))
        source[0] += "\n" + CONTENTS.read_text(encoding="utf-8")
