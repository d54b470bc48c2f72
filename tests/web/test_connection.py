"""What the server of the page survives of clients that speak HTTP and WebSocket badly, without a word."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_server import PageProcess, PageProgram, told

from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def server() -> Iterator[PageProcess]:
    with PageProgram("--opponent", "human", "--size", "5") as process:
        yield process


def connected(server: PageProcess) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), MINUTE)


def answer(server: PageProcess, request: str) -> tuple[int, str]:
    """The status and the whole of an answer, whose connection the server closes."""
    with connected(server) as link:
        link.sendall(request.format(host=server.host, root=server.path).encode("latin-1"))
        said = b""
        while piece := link.recv(65_536):
            said += piece
    return int(said.split()[1]), said.decode("latin-1").lower()


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("GET *", 403),
        ("OPTIONS *", 403),
        ("GET x", 403),
        ("GET ?x", 403),
        ("GET http://{host}/", 403),
        ("GET http://{host}{root}", 403),
        ("CONNECT {host}", 403),
        ("GET %2f", 403),
        ("GET %00", 403),
        ("GET /%ff%fe/", 403),
        ("GET //", 403),
        ("HEAD *", 403),
        ("POST *", 403),
    ],
)
def test_every_answer_has_the_headers_of_security(server: PageProcess, line: str, status: int) -> None:
    found, said = answer(
        server, f"{line} HTTP/1.1\r\nHost: {{host}}\r\nOrigin: http://{{host}}\r\nConnection: close\r\n\r\n"
    )
    assert found == status
    for header in ("content-security-policy: default-src 'none'", "x-content-type-options: nosniff"):
        assert header in said
    assert server.path.strip("/").lower() not in said


@pytest.mark.parametrize(
    "request_text",
    [
        *(
            f"{line} HTTP/1.1\r\nHost: {{host}}\r\n\r\n"
            for line in ("GET", "GET / x", "GET \xff", "\x16\x03\x01")
        ),
        *(
            f"POST {path} HTTP/1.1\r\nHost: {{host}}\r\nOrigin: http://{{host}}\r\n"
            "Transfer-Encoding: chunked\r\n\r\nzz\r\nnonsense\r\n\r\n"
            for path in ("*", "/wrong/record", "{root}", "{root}record")
        ),
    ],
)
def test_what_is_no_http_gets_one_line_of_text(server: PageProcess, request_text: str) -> None:
    for _ in range(3):
        status, said = answer(server, request_text)
        assert status == 400 and "invalid http request received." in said
        assert "content-type: text/plain" in said and server.path.strip("/").lower() not in said


def test_a_connection_that_asks_for_nothing_is_closed(server: PageProcess) -> None:
    for said in ("", "GET / HTTP/1.1\r\nHost: x\r\n"):
        with connected(server) as link:
            link.sendall(said.encode())
            assert link.recv(65_536) == b""


@pytest.mark.parametrize(
    ("path", "origin"),
    [("*", "http://{host}"), ("/live", "http://{host}"), ("{root}live", "http://evil.example")],
)
def test_a_websocket_from_elsewhere_is_refused(server: PageProcess, path: str, origin: str) -> None:
    status, _ = answer(
        server,
        f"GET {path} HTTP/1.1\r\nHost: {{host}}\r\nOrigin: {origin}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    )
    assert status == 403


@pytest.mark.parametrize(
    "body",
    [
        "Content-Length: 100000\r\n\r\n(;GM[1]",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n(;GM[",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\nnonsense\r\n\r\n",
        "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n",
    ],
)
@pytest.mark.parametrize("resets", [False, True])
def test_a_page_that_goes_during_an_upload_is_no_error(server: PageProcess, body: str, resets: bool) -> None:
    request = (
        f"POST {server.path}record HTTP/1.1\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\n{body}"
    )
    for _ in range(3):
        with connected(server) as link:
            link.sendall(request.encode())
            time.sleep(0.05)
            if resets:
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert server.ask()[0] == 200


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's account of memory")
@pytest.mark.parametrize("payload", [125, 0])
def test_pings_whose_answers_nobody_reads_take_little_memory(server: PageProcess, payload: int) -> None:
    def memory() -> int:
        return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * os.sysconf(
            "SC_PAGE_SIZE"
        )

    before = memory()
    with server.tab() as tab:
        told(tab, "state")
        link = tab.socket
        pings = (bytes([0x89, 0x80 | payload]) + bytes(4 + payload)) * 512
        sent = 0
        link.settimeout(1)
        try:
            while sent < 24 << 20:
                sent += link.send(pings)
        except OSError:
            pass  # the server has closed it, or reads no more
        assert memory() - before < 16 << 20
        tab.socket.close()
    until(lambda: server.ask()[0] == 200)
