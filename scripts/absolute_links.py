"""Makes the relative links of the README absolute, and names the repository in pyproject.toml and Cargo.toml.

    python3 scripts/absolute_links.py https://example.org/owner/sixplane v1.2.3

Beside the page of a package there are no other files, and the tree itself names no address. The files are
rewritten in place: run it in a checkout that is thrown away.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#|/)([^)\s]+)\)")


def absolute(text: str, address: str, tag: str) -> str:
    """The text with links to the files of a tag in the repository at an address; pictures as raw files."""

    def link(found: re.Match[str]) -> str:
        kind = "raw" if found[1] else "blob"
        return f"{found[1]}[{found[2]}]({address.rstrip('/')}/{kind}/{tag}/{found[3]})"

    return RELATIVE.sub(link, text)


def with_urls(project: str, address: str, tag: str) -> str:
    """pyproject.toml with the addresses that the page of the package shows."""
    address = address.rstrip("/")
    urls = {
        "Source": address,
        "Documentation": f"{address}/tree/{tag}/docs",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    table = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    return project.replace("[project.scripts]\n", f"[project.urls]\n{table}\n[project.scripts]\n", 1)


def with_repository(crate: str, address: str) -> str:
    """Cargo.toml with the repository."""
    return crate.replace('readme = "README.md"\n', f'readme = "README.md"\nrepository = "{address}"\n', 1)


def main(address: str, tag: str) -> None:
    """Rewrites the three files."""
    changes = {
        "README.md": lambda text: absolute(text, address, tag),
        "pyproject.toml": lambda text: with_urls(text, address, tag),
        "Cargo.toml": lambda text: with_repository(text, address),
    }
    for name, change in changes.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        (ROOT / name).write_text(change(text), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[1].startswith("https://"):  # noqa: PLR2004 - the program and two more
        sys.exit("usage: absolute_links.py https://ADDRESS TAG")
    main(*sys.argv[1:])
