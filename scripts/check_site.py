"""Checks the site that Sphinx has made: every link within it leads somewhere, everything public is described.

    python scripts/check_site.py target/site

Sphinx checks its own links; this also follows those of plain HTML, of pictures and to the pages of rustdoc.
"""

from __future__ import annotations

import ast
import re
import sys
import zlib
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import sixplane

PACKAGE = Path(sixplane.__file__).parent
#: Public modules within a package that exports nothing itself.
PROTOCOLS = ("protocols.gomocup", "protocols.gtp", "protocols.lines")


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Takes the addresses and the names of an element."""
        for name, value in attributes:
            if name in {"id", "name"} and value:
                self.anchors.add(value)
            elif name in {"href", "src"} and value and tag != "base":
                self.links.append(value)


def dead_links(site: Path) -> list[str]:
    """The links that lead nowhere within the site, with the page they are on."""
    # Rustdoc's own pages are looked at only where ours lead to them.
    pages = {
        path: Page(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
        if not _is_rust(site, path)
    }
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            found = target.exists()
            if found and parts.fragment and target in pages:
                found = unquote(parts.fragment) in pages[target].anchors
            if not found:
                dead.append(f"{path.relative_to(site)}: {link}")
    return dead


def _is_rust(site: Path, path: Path) -> bool:
    return path.relative_to(site).parts[0] == "rust"


def described(site: Path) -> set[str]:
    """The dotted names of all objects of Python that the site describes, from its inventory."""
    content = (site / "objects.inv").read_bytes()
    head = b"".join(line + b"\n" for line in content.split(b"\n", 4)[:4])
    lines = zlib.decompress(content[len(head) :]).decode().splitlines()
    return {line.split()[0] for line in lines if re.match(r"\S+ py:", line)}


def public() -> dict[str, list[str]]:
    """Everything public by the name that users type, with the names under which it may be described."""
    names: dict[str, list[str]] = {}
    for module in ["", *sorted(sixplane._MODULES), *PROTOCOLS]:
        where = f"sixplane.{module}".rstrip(".")
        for name, value in _exported(where, module):
            names[f"{where}.{name}"] = [f"{where}.{name}", *_elsewhere(value, name)]
            for member, found in vars(value).items() if isinstance(value, type) else ():
                if not member.startswith("_") and callable(found) and found.__doc__:
                    names[f"{where}.{name}.{member}"] = [
                        f"{one}.{member}" for one in names[f"{where}.{name}"]
                    ]
    return names


def _exported(where: str, module: str) -> list[tuple[str, object]]:
    """What a module exports; without the objects if it needs a library that is not here."""
    try:
        loaded = import_module(where)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("sixplane"):
            raise
        file = next(
            path for path in (PACKAGE / f"{module}.py", PACKAGE / module / "__init__.py") if path.exists()
        )
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return [(name, None) for name in ast.literal_eval(node.value)]
        return []
    return [(name, getattr(loaded, name)) for name in loaded.__all__]


def _elsewhere(value: object, name: str) -> list[str]:
    """The name where the object is defined; a class may have another one there."""
    module, own = getattr(value, "__module__", None), getattr(value, "__name__", name)
    return [f"{module}.{own}"] if isinstance(module, str) and module.startswith("sixplane") else []


def main(site: Path) -> int:
    """Prints what is wrong.

    Returns:
        0, or 1 if anything is.
    """
    known = described(site)
    undescribed = [name for name, places in public().items() if not known.intersection(places)]
    dead = dead_links(site)
    for name in undescribed:
        print(f"not described: {name}", file=sys.stderr)
    for link in dead:
        print(f"dead link: {link}", file=sys.stderr)
    return int(bool(undescribed or dead))


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 - the program and the folder
        sys.exit("usage: check_site.py SITE")
    sys.exit(main(Path(sys.argv[1]).resolve()))
