"""Checks that the tag of a release, the crate, the changelog and the citation name one version.

And that no page says that nothing is published.

python3 scripts/check_release.py v1.2.3
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def complaints(tag: str, root: Path = ROOT) -> list[str]:
    """What does not fit the tag, a sentence each."""
    version = tag.removeprefix("v")
    found = []
    crate = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]
    if tag != f"v{crate}":
        found.append(f"the tag is {tag}, but the version in Cargo.toml is {crate}")
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changes, re.M):
        found.append(f"CHANGELOG.md has no heading '## [{version}] - YYYY-MM-DD'")
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    if not cited or cited[1].strip("\"'") != version:
        found.append(f"CITATION.cff does not cite version {version}")
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md")), *(root / "docs").glob("conf.py")]
    found += [
        f"{page.relative_to(root).as_posix()} says that nothing is published yet"
        for page in pages
        if page.exists() and "Nothing is published yet" in page.read_text(encoding="utf-8")
    ]
    return found


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 - the program and the tag
        sys.exit("usage: check_release.py TAG")
    sys.exit("\n".join(complaints(sys.argv[1])) or None)
