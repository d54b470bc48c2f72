"""The options of `sixplane play --web`, as far as they need no server."""

from __future__ import annotations

import subprocess
import sys

import pytest

MISSING = "the page needs Starlette, uvicorn, websockets and msgspec: pip install 'sixplane[web]'"


@pytest.mark.parametrize("library", ["starlette", "uvicorn", "websockets", "msgspec"])
def test_without_its_libraries_the_page_names_the_extra(library: str) -> None:
    code = f"""
import sys
sys.modules[{library!r}] = None
from sixplane.__main__ import main
sys.exit(main(["play", "--web", "--no-open", "--opponent", "human"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"sixplane: error: {MISSING}\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "0"], "--port is an option of --web"),
        (["--host", "::1"], "--host is an option of --web"),
        (["--no-open"], "--no-open is an option of --web"),
        (["--web", "--port", "65536"], "'65536' is no integer from 0 to 65535"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: list[str], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", *options],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1
