"""Puts a built site among those of other versions: a folder for each release, `latest` for the main branch.

    python3 scripts/publish_site.py target/site FOLDER v1.2.3

The folder is what a web server shows. Its `versions.json` lists the versions for the menu of every page, and
its first page leads to the newest release, or to `latest` where there is none yet.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

RELEASE = re.compile(r"v?(\d+)\.(\d+)\.(\d+)")
#: What is written when no tag names a release.
LATEST = "latest"

FIRST_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>sixplane</title>
<meta http-equiv="refresh" content="0; url={version}/">
<a href="{version}/">sixplane {version}</a>
</html>
"""


def folder_name(ref: str) -> str:
    """The folder of a tag, such as 1.2.3 of v1.2.3, and `latest` of any other name."""
    return ref.removeprefix("v") if RELEASE.fullmatch(ref) else LATEST


def versions(folder: Path) -> list[str]:
    """The versions in a folder: `latest`, then releases from the newest to the oldest."""
    names = [path.name for path in folder.iterdir() if path.is_dir()]
    releases = [name for name in names if RELEASE.fullmatch(name)]
    releases.sort(key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    return [LATEST] * (LATEST in names) + releases


def publish(site: Path, folder: Path, ref: str) -> list[str]:
    """Replaces the site of one version, and says which there are.

    Args:
        site: the built site.
        folder: with a site for each version; it need not exist.
        ref: the tag or branch that the site was built from.

    Raises:
        FileNotFoundError: there is no site.
    """
    if not (site / "index.html").is_file():
        raise FileNotFoundError(f"{site} has no index.html: build the site first, by make docs")
    target = folder / folder_name(ref)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(site, target, ignore=shutil.ignore_patterns(".doctrees", ".buildinfo*"))
    there = versions(folder)
    newest = next((name for name in there if name != LATEST), LATEST)
    (folder / "versions.json").write_text(json.dumps(there) + "\n", encoding="utf-8")
    (folder / "index.html").write_text(FIRST_PAGE.format(version=newest), encoding="utf-8")
    # Else names that begin with an underscore would be left out.
    (folder / ".nojekyll").touch()
    return there


if __name__ == "__main__":
    if len(sys.argv) != 4:  # noqa: PLR2004 - the program and three more
        sys.exit("usage: publish_site.py SITE FOLDER REF")
    try:
        print(*publish(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
    except FileNotFoundError as error:
        sys.exit(f"publish_site: {error}")
