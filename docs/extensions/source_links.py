"""Links of the pages to files of the repository that are no pages.

They lead to the repository if its address is known. If not, the site has a copy of the file, and of a folder
only the name is left. A page that is nothing but a link to a file of text shows that file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
LINK: Final = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)")
BLOCK: Final = re.compile(r"^(```+).*?^\1", re.S | re.M)
ONLY_LINK: Final = re.compile(r"\[[^\]]*\]\((\.\./[^)]+\.md)\)\s*")
#: What it says is the first page of rustdoc, which the site has beside the page of the crate.
CRATE: Final = ROOT / "src" / "lib.rs"
#: Files outside `docs` that are pages of the site.
PAGES: Final = {
    ROOT / "README.md": DOCS / "index.md",
    ROOT / "CHANGELOG.md": DOCS / "changelog.md",
    ROOT / "CONTRIBUTING.md": DOCS / "contributing.md",
    ROOT / "SECURITY.md": DOCS / "security.md",
}


def setup(app: Sphinx) -> dict[str, Any]:
    """The address and the tag or branch are settings; the text is changed as it is read."""
    app.add_config_value("source_address", "", "env")
    app.add_config_value("source_ref", "main", "env")
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    folder = where = Path(app.env.doc2path(page)).parent
    text = source[0]
    if shown := ONLY_LINK.fullmatch(text):
        file = (folder / shown[1]).resolve()
        app.env.note_dependency(str(file))
        where, text = file.parent, file.read_text(encoding="utf-8")

    def link(found: re.Match[str]) -> str:
        path = (where / found[2]).resolve()
        path, anchor = PAGES.get(path, path), "" if path in PAGES else found[3] or ""
        if not path.exists() or not path.is_relative_to(ROOT):
            return found[0]  # Sphinx complains of it.
        if page == "rust" and path == CRATE:
            return f'<a href="rust/sixplane/index.html">{found[1]}</a>'
        is_page = path.is_relative_to(DOCS) and path.suffix == ".md"
        if app.config.source_address and not is_page:
            kind = "tree" if path.is_dir() else "blob"
            base = f"{app.config.source_address}/{kind}/{app.config.source_ref}"
            return f"[{found[1]}]({base}/{path.relative_to(ROOT).as_posix()}{anchor})"
        if not is_page and (path.is_dir() or path.suffix == ".md"):
            return found[1]
        return f"[{found[1]}]({Path(os.path.relpath(path, folder)).as_posix()}{anchor})"

    parts, end = [], 0
    for block in BLOCK.finditer(text):
        parts += [LINK.sub(link, text[end : block.start()]), block[0]]
        end = block.end()
    source[0] = "".join([*parts, LINK.sub(link, text[end:])])
