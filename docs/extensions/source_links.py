"""Links of the pages to files of the repository that are no pages.

They lead to the repository if its address is known. If not, the site has a copy of the file, and of a folder
only the name is left.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)")
BLOCK = re.compile(r"^(```+).*?^\1", re.S | re.M)


def setup(app: Sphinx) -> dict[str, Any]:
    """The address and the tag or branch are settings; the text is changed as it is read."""
    app.add_config_value("source_address", "", "env")
    app.add_config_value("source_ref", "main", "env")
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    folder = Path(app.env.doc2path(page)).parent
    docs = Path(app.srcdir).resolve()

    def link(found: re.Match[str]) -> str:
        path = (folder / found[2]).resolve()
        if path.is_relative_to(docs) and path.suffix == ".md":
            return found[0]
        if not path.exists() or not path.is_relative_to(ROOT):
            return found[0]  # Sphinx complains of it.
        if app.config.source_address:
            kind = "tree" if path.is_dir() else "blob"
            where = path.relative_to(ROOT).as_posix()
            base = f"{app.config.source_address}/{kind}/{app.config.source_ref}"
            return f"[{found[1]}]({base}/{where}{found[3] or ''})"
        if path == ROOT / "README.md":
            return f"[{found[1]}]({'../' * page.count('/')}index.md)"
        return found[1] if path.is_dir() or path.suffix == ".md" else found[0]

    text, parts, end = source[0], [], 0
    for block in BLOCK.finditer(text):
        parts += [LINK.sub(link, text[end : block.start()]), block[0]]
        end = block.end()
    source[0] = "".join([*parts, LINK.sub(link, text[end:])])
