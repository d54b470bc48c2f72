"""Makes the relative links of the README absolute: beside the page of a package there are no other files.

    python3 scripts/absolute_links.py https://example.org/owner/sixplane v1.2.3

It rewrites README.md in place: run it in a checkout that is thrown away.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#|/)([^)\s]+)\)")


def absolute(text: str, address: str, tag: str) -> str:
    """The text with links to the files of a tag in the repository at an address; pictures as raw files."""

    def link(found: re.Match[str]) -> str:
        kind = "raw" if found[1] else "blob"
        return f"{found[1]}[{found[2]}]({address.rstrip('/')}/{kind}/{tag}/{found[3]})"

    return RELATIVE.sub(link, text)


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[1].startswith("https://"):  # noqa: PLR2004 - the program and two more
        sys.exit("usage: absolute_links.py https://ADDRESS TAG")
    README.write_text(absolute(README.read_text(encoding="utf-8"), *sys.argv[1:]), encoding="utf-8")
