"""Who may talk to the server of the page, and what it survives."""

from __future__ import annotations

import contextlib
import json
import mimetypes
import random
import socket
import time
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from page_server import PageProcess, told
from starlette.responses import FileResponse
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from sixplane.web.site import STATIC, Site
from waiting import MINUTE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from websockets.sync.client import ClientConnection


@pytest.fixture(scope="module")
def server() -> Iterator[PageProcess]:
    with PageProcess("--opponent", "human", "--size", "5") as process:
        yield process


def still_plays(server: PageProcess) -> bool:
    with server.tab() as tab:
        before = told(tab, "state")
        count = len(before["moves"])
        tab.send(json.dumps({"do": "play", "action": before["legal"][0], "at": count}))
        after = told(tab, "state", lambda state: len(state["moves"]) != count)
        tab.send(json.dumps({"do": "undo"}))
        told(tab, "state", lambda state: len(state["moves"]) == count)
    return len(after["moves"]) == count + 1


def send_and_read(tab: ClientConnection, *texts: str) -> None:
    """Sends these, and reads until the server ends the connection."""
    for text in texts:
        tab.send(text)
    while True:
        tab.recv(timeout=MINUTE)


def test_the_system_may_have_another_type_for_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    # As the registry of Windows does on many machines.
    monkeypatch.setattr(mimetypes, "_db", mimetypes.MimeTypes())
    mimetypes.add_type("text/plain", ".js")
    site = Site("127.0.0.1", 0)
    site._socket.close()
    responses = [FileResponse(STATIC / name) for name in ("main.js", "layout.css", "icon.svg")]
    types = [response.headers["content-type"].partition(";")[0] for response in responses]
    assert types == ["text/javascript", "text/css", "image/svg+xml"]


def test_the_page_comes_with_headers_that_let_nothing_else_in(server: PageProcess) -> None:
    status, headers, body = server.ask()
    assert status == 200 and b"<title>sixplane</title>" in body
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
    assert "frame-ancestors 'none'" in policy and "script-src 'self'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    # Nothing in the page is inline, or from elsewhere.
    for name in ("", "main.js", "board.js", "texts.js", "layout.css", "colors.css", "icon.svg"):
        status, headers, body = server.ask(name)
        assert status == 200 and "content-security-policy" in headers
        text = body.decode().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text and "style=" not in text
        assert " onclick=" not in text and "innerHTML" not in text and "eval(" not in text


@pytest.mark.parametrize(
    "root",
    ["/", "", "/favicon.ico", "/wrong/", "//", "/%2e%2e/", "/\u00e9".encode("latin-1").decode("latin-1")],
)
def test_without_the_token_there_is_nothing(server: PageProcess, root: str) -> None:
    status, _, body = server.ask(root=quote(root, safe="/%"))
    assert status == 403 and b"token" in body and server.path.strip("/").encode() not in body


@pytest.mark.parametrize(
    "path", ["../server.py", "%2e%2e/server.py", "..%2fserver.py", "static/../../x", "x.js", "%00"]
)
def test_only_the_files_of_the_page_are_there(server: PageProcess, path: str) -> None:
    status, _, body = server.ask(path)
    assert status in {403, 404} and b"import" not in body


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", ""]
)
def test_another_host_is_refused(server: PageProcess, host: str) -> None:
    status, _, _ = server.ask(headers={"Host": host.format(port=server.port)})
    assert status in {400, 421}


def test_a_page_of_another_site_can_neither_read_nor_play(server: PageProcess) -> None:
    for origin in (
        "http://evil.example",
        "null",
        f"https://{server.host}",
        f"http://{server.host}.evil.example",
    ):
        assert server.ask(headers={"Origin": origin})[0] == 403
        assert server.ask("record", "POST", b"(;GM[1])", {"Origin": origin})[0] == 403
        with pytest.raises(InvalidStatus) as caught, server.tab(origin=origin):
            pass
        assert caught.value.response.status_code == 403
    assert server.ask("record", "POST", b"(;GM[1])")[0] == 403
    with pytest.raises(InvalidStatus), server.tab(origin=None):
        pass


def test_a_socket_with_a_wrong_token_is_refused(server: PageProcess) -> None:
    address = f"ws://{server.host}/wrong/live"
    with (
        pytest.raises(InvalidStatus) as caught,
        connect(address, origin=f"http://{server.host}", proxy=None),
    ):
        pass
    assert caught.value.response.status_code == 403


def test_a_message_of_ten_megabytes_ends_its_connection_alone(server: PageProcess) -> None:
    with server.tab() as other, server.tab() as tab:
        told(other, "state")
        with pytest.raises(ConnectionClosed):
            send_and_read(tab, "x" * 10_000_000)
        other.send(json.dumps({"do": "look", "at": 0}))
        told(other, "state")
    assert still_plays(server)


def test_a_flood_of_messages_is_slowed_down_and_then_ended(server: PageProcess) -> None:
    with server.tab() as tab:
        told(tab, "state")
        with pytest.raises(ConnectionClosed) as caught:
            send_and_read(tab, *['{"do": "look", "at": 0}'] * 5000)
        assert caught.value.rcvd is not None and caught.value.rcvd.code == 1008
    assert still_plays(server)


def test_bytes_at_random_are_refused_with_a_reason(server: PageProcess) -> None:
    rng = random.Random(1)
    with server.tab() as tab:
        told(tab, "state")
        for _ in range(50):
            tab.send(rng.randbytes(rng.randrange(200)))
            refused = told(tab, "refused")
            assert refused["reason"] == "bad_message" and len(refused["text"]) < 200
    assert still_plays(server)


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"x" * 10_000_000, 413), (b"", 422), (b"hello", 422), (b"(;GM[1]SZ[99])", 422), (b"(" * 900_000, 422)],
)
def test_what_is_no_record_is_refused(server: PageProcess, body: bytes, status: int) -> None:
    try:
        found = server.ask("record", "POST", body, {"Origin": f"http://{server.host}"})[0]
    except (BrokenPipeError, ConnectionResetError):
        found = 413  # it hung up before all was sent
    assert found == status
    assert still_plays(server)


def test_a_thousand_connections_keep_nobody_out(server: PageProcess) -> None:
    with server.tab() as before:
        told(before, "state")
        silent: list[socket.socket] = []
        try:
            while len(silent) < 1000:
                silent.append(socket.create_connection(("127.0.0.1", server.port), timeout=MINUTE))
            assert still_plays(server)
            before.send(json.dumps({"do": "look", "at": 0}))
            told(before, "state")
        finally:
            for one in silent:
                one.close()
    assert still_plays(server)


def test_too_many_tabs_are_refused_and_those_there_go_on(server: PageProcess) -> None:
    with contextlib.ExitStack() as stack:
        tabs = [stack.enter_context(server.tab()) for _ in range(32)]
        with pytest.raises(InvalidStatus), server.tab():
            pass
        tabs[0].send(json.dumps({"do": "look", "at": 0}))
        told(tabs[0], "state")
    # The server finds out that they have gone.
    refused = True
    end = time.monotonic() + MINUTE
    while refused:
        assert time.monotonic() < end
        with contextlib.suppress(InvalidStatus):
            assert still_plays(server)
            refused = False


@pytest.mark.parametrize(
    "message",
    [
        {"do": "open", "position": "x"},
        {"do": "open", "position": "<script>alert(1)</script>"},
        {"do": "open", "position": "A" * 8000},
        {"do": "open", "position": "A" * 12_000},
        {"do": "go", "place": 2**30},
        {"do": "try", "action": 2**30, "place": 0},
        {"do": "try", "action": 0, "place": 2**30},
        {"do": "mark", "point": 0, "at": 0},
        {"do": "agree", "color": "black", "at": 0},
        {"do": "link", "place": 2**30},
    ],
    ids=lambda message: json.dumps(message)[:50],
)
def test_what_leads_nowhere_is_refused(server: PageProcess, message: dict[str, object]) -> None:
    with server.tab() as tab:
        told(tab, "state")
        tab.send(json.dumps(message))
        assert len(told(tab, "refused")["text"]) < 200
    assert still_plays(server)


@pytest.mark.parametrize(
    "opponent",
    [
        "gtp:touch {file}",
        "x@gtp:touch {file}",
        " gtp:touch {file}",
        "gomocup:touch {file}",
        "network:file={file}",
        "nobody",
        "mcts:seconds=x",
    ],
)
def test_a_page_cannot_start_programs_or_read_files(
    server: PageProcess, opponent: str, tmp_path: Path
) -> None:
    file = tmp_path / "made"
    message: dict[str, object] = {
        "do": "new", "game": "go", "size": [5, 5], "rules": {}, "opponent": "person",
        "color": "black", "seconds": None, "name": "", "opponent_name": "", "place": None, "watch": "",
    }  # fmt: skip
    with server.tab() as tab:
        told(tab, "state")
        for field in ("opponent", "watch"):
            tab.send(json.dumps(message | {field: opponent.format(file=file)}))
            assert told(tab, "refused")["reason"] == "bad_opponent"
    assert not file.exists()


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "chess"}, {"size": [1, 5]}, {"size": [26, 5]}, {"size": [1000, 1000]},
        {"rules": {"komi": "x"}},
        {"rules": {"komi": 0.3}}, {"rules": {"ko": "none"}},
        {"rules": {"handicap": 9}}, {"rules": {"size": 9}}, {"rules": {"max_moves": 3}},
        {"rules": {"suicide": 1}}, {"rules": {"__class__": 1}}, {"game": "reversi", "size": [7, 7]},
        {"game": "reversi", "rules": {"komi": 1}}, {"opponent": "score-table"},
    ],
)  # fmt: skip
def test_a_game_that_cannot_be_is_refused_with_a_reason(
    server: PageProcess, changed: dict[str, object]
) -> None:
    message: dict[str, object] = {
        "do": "new", "game": "go", "size": [5, 5], "rules": {}, "opponent": "person", "color": "black",
        "seconds": None, "name": "", "opponent_name": "", "place": None, "watch": "",
    } | changed  # fmt: skip
    with server.tab() as tab:
        told(tab, "state")
        tab.send(json.dumps(message))
        refused = told(tab, "refused")
        assert refused["reason"] in {"bad_game", "bad_opponent"} and len(refused["text"]) < 300
