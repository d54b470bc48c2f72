"""The pages in `docs`: their links and their examples."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_that_exist(page: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (DOCS / page).read_text())
    missing = [link for link in links if not ((DOCS / page).parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str) -> None:
    for code in re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.S | re.M):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", "import sixplane\n" + code],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
