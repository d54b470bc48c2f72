"""The process that says what has died with the one that started it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sixplane.jobs.cluster import _check_address
from sixplane.jobs.witness import _answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STARTER = """
import os, signal, sys
from sixplane.jobs.witness import Witness
witness = Witness([("the door", sys.argv[1]), ("the window", sys.argv[2])], "; come back later")
{}
"""
KILLED = "os.kill(os.getpid(), signal.SIGKILL)"
ENDED = "os._exit(1)"
INTERRUPTED = "signal.signal(signal.SIGINT, lambda *_: None); os.killpg(0, signal.SIGINT); " + ENDED


@pytest.fixture
def there() -> Iterator[str]:
    """An address that answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def gone() -> Iterator[str]:
    """An address where nothing answers, and where nobody else can begin to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


def said(end: str, *addresses: str) -> tuple[int, str]:
    """The status of a process that ends so, and what is said on stderr by it and its witness."""
    done = subprocess.run(
        [sys.executable, "-c", STARTER.format(end), *addresses],
        capture_output=True, text=True, check=False, timeout=60, start_new_session=True,
    )  # fmt: skip
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("asks", "address"), [(_check_address, "ray://[::1]:6379"), (_answers, "[::1]:6379")]
)
def test_an_address_of_ipv6_may_have_its_brackets(
    asks: Callable[[str], object], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[object] = []

    def create(place: object, timeout: float) -> socket.socket:
        called.append((place, timeout > 0))
        return socket.socket()

    monkeypatch.setattr("socket.create_connection", create)
    asks(address)
    assert called == [(("::1", 6379), True)]


def test_behind_tls_what_answers_may_be_ray(there: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # It waits for a greeting of TLS, and answers to no other.
    monkeypatch.setenv("RAY_USE_TLS", "1")
    monkeypatch.setattr("sixplane.jobs.cluster.ADDRESS_SECONDS", 1.0)
    _check_address(there)
    monkeypatch.setenv("RAY_USE_TLS", "0")
    with pytest.raises(TimeoutError):
        _check_address(there)


@pytest.mark.parametrize(("end", "status"), [(ENDED, 1), (INTERRUPTED, 1), (KILLED, -signal.SIGKILL)])
def test_what_has_died_is_said_when_the_process_has_ended(
    end: str, status: int, there: str, gone: str
) -> None:
    line = "sixplane: error: {} has died, and this process with it; come back later\n"
    assert said(end, there, gone) == (status, line.format("the window"))
    assert said(end, gone, gone) == (status, line.format("the door"))


def test_nothing_is_said_where_all_is_there(there: str) -> None:
    assert said(KILLED, there, there) == (-signal.SIGKILL, "")


@pytest.mark.parametrize("end", ["witness.dismiss()", "", "del witness; " + ENDED, "sys.exit(3)", "1 / 0"])
def test_nothing_is_said_after_it_was_dismissed_or_python_has_ended(end: str, gone: str) -> None:
    _, text = said(end, gone, gone)
    assert "has died" not in text
