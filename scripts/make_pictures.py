"""Makes the pictures of README.md and docs/ anew, by the examples beside them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Runs the examples of every page and keeps the pictures that they write."""
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            for code in re.findall(r"^```python\n(.*?)^```", text, re.S | re.M):
                if ".svg" in code:
                    command = [sys.executable, "-c", code]
                    subprocess.run(command, cwd=folder, check=True)  # noqa: S603 - our own examples
            for picture in Path(folder).glob("*.svg"):
                shutil.copy(picture, ROOT / "docs" / "pictures")


if __name__ == "__main__":
    main()
