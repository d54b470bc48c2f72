"""The options of `sixplane play --web`, as far as they need no server."""

from __future__ import annotations

import argparse
import errno
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from sixplane.cli.page import listen, serve_page

if TYPE_CHECKING:
    from collections.abc import Callable

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
    ("given", "host", "ports"),
    [
        ({"port": None, "host": None}, "127.0.0.1", [7660, 0]),
        ({"port": None, "host": "::1"}, "::1", [7660, 0]),
        ({"port": 0, "host": None}, "127.0.0.1", [0]),
    ],
    ids=str,
)
def test_the_usual_port_may_be_taken_and_only_this_machine_may_come(
    given: dict[str, Any], host: str, ports: list[int]
) -> None:
    tried: list[tuple[str, int]] = []

    def make(host: str, port: int) -> Any:
        tried.append((host, port))
        if port != 0:
            raise OSError(errno.EADDRINUSE, "taken")
        return "a server"

    assert listen(make, argparse.Namespace(**given), 7660) == "a server"
    assert tried == [(host, port) for port in ports]


@pytest.mark.parametrize(("display", "opens", "count"), [(":0", True, 1), (":0", False, 0), ("", True, 0)])
@pytest.mark.skipif(sys.platform != "linux", reason="others always have windows")
def test_a_browser_is_opened_where_it_has_a_window_unless_none_is_wanted(
    display: str, opens: bool, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Server:
        address = "http://127.0.0.1:7660/token/"

        def run(self, ready: Callable[[], None]) -> None:
            ready()

    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    before, server = threading.enumerate(), Server()
    serve_page(server, "plays", opens=opens)  # type: ignore[arg-type] # all that it asks of one
    for thread in {*threading.enumerate()} - {*before}:
        thread.join()
    assert opened == [server.address] * count


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
