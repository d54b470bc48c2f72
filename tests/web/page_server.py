"""The program that serves a page as a process of its own, and browsers at the page."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

__all__ = ["Page", "PageProcess", "told"]


class PageProcess:
    """The program with these arguments; it ends with Ctrl-C at the end of the block."""

    def __init__(self, *arguments: str, command: Sequence[str] = ("play", "--web")) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sixplane", *command, "--no-open", "--port", "0", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ,
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, self.process.communicate()
        self.address = found[0]
        parts = urlsplit(self.address)
        assert parts.port is not None
        self.host, self.port, self.path = parts.netloc, parts.port, parts.path

    def __enter__(self) -> PageProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            _, said = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        # What the server had to complain about, and no traceback.
        if kind is None:
            assert (self.process.returncode, said) == (130, "")

    def ask(
        self,
        path: str = "",
        method: str = "GET",
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        root: str | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of an answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            path = (self.path if root is None else root) + path
            connection.request(method, path, body, {"Host": self.host} | (headers or {}))
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, found, answer.read()
        finally:
            connection.close()

    def tab(self, **options: Any) -> ClientConnection:
        """A WebSocket such as that of a page."""
        options = {"origin": f"http://{self.host}", "max_size": 2**24, "proxy": None} | options
        return connect(f"ws://{self.host}{self.path}live", **options)


def told(tab: ClientConnection, kind: str, seconds: float = 20) -> dict[str, Any]:
    """The next message of this kind."""
    while True:
        message: dict[str, Any] = json.loads(tab.recv(timeout=seconds))
        if message["type"] == kind:
            return message


class Page:
    """A tab of a browser at the page: what a person does, and what the page was told last."""

    def __init__(
        self, browser: Any, server: PageProcess, width: int = 1366, height: int = 768, **options: Any
    ) -> None:
        self.page = browser.new_page(viewport={"width": width, "height": height}, **options)
        self.errors: list[str] = []
        self.state: dict[str, Any] = {}
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: self.errors.append(dialog.message))
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._received))
        self.page.goto(server.address)
        self.ready()

    def _said(self, message: Any) -> None:
        # The browser notes every refusal by its status.
        if message.type == "error" and "422" not in message.text:
            self.errors.append(message.text)

    def _received(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "state":
            self.state = message

    def ready(self) -> None:
        """Waits until the board is there."""
        self.page.wait_for_selector("#board .picture svg")
        self.wait(bool)

    def wait(self, wanted: Callable[[dict[str, Any]], object], seconds: float = 30) -> None:
        """Waits until the page was told what is wanted, and has shown it."""
        end = time.monotonic() + seconds
        while not wanted(self.state):
            shown = {name: value for name, value in self.state.items() if name != "board"}
            assert time.monotonic() < end, (shown, self.errors)
            self.page.wait_for_timeout(20)

    def click(self, selector: str) -> None:
        """Clicks in the middle of an element, as far as it can be reached."""
        self.page.click(selector, timeout=15_000)

    def text(self, selector: str) -> str:
        """What an element says."""
        found = self.page.locator(selector)
        found.filter(has_text=re.compile(".")).wait_for(timeout=15_000)
        text: str = found.text_content()
        return text

    @property
    def status(self) -> str:
        """The line that says how the game stands."""
        return self.text("#status")

    def wait_for_toast(self, text: str) -> None:
        """Waits until the page says this for some seconds, perhaps after what it said before."""
        said = self.page.locator("#toast")
        end = time.monotonic() + 15
        while not (said.is_visible() and said.text_content() == text):
            assert time.monotonic() < end, said.text_content()
            self.page.wait_for_timeout(20)

    def is_disabled(self, selector: str) -> bool:
        """Whether a button does nothing now."""
        return bool(self.page.is_disabled(selector))

    def is_visible(self, selector: str) -> bool:
        """Whether an element is shown."""
        return bool(self.page.is_visible(selector))

    def box(self, selector: str) -> dict[str, float]:
        """Where an element is, in pixels."""
        found: dict[str, float] = self.page.locator(selector).bounding_box()
        return found

    def new(
        self,
        game: str,
        rows: int,
        cols: int,
        opponent: str,
        *,
        color: str = "black",
        agent: str = "",
        name: str = "",
        second: str = "",
        seconds: str = "",
        rules: dict[str, str | bool] | None = None,
        begins: bool = True,
    ) -> str:
        """Fills in the panel of a new game, and starts it; what is wrong if it cannot begin."""
        page, serial = self.page, self.state["serial"]
        self.click("#new")
        if page.is_visible("#starts"):
            page.check("#starts input[value=empty]")
        page.check(f"#games input[value={game}]")
        page.select_option("#rows", str(rows))
        page.select_option("#cols", str(cols))
        page.select_option("#opponent", opponent)
        page.check(f"#colors input[value={color}]")
        if opponent == "*other":
            page.fill("#agent", agent)
        page.evaluate("document.getElementById('more').open = true")
        page.select_option("#time", seconds)
        page.fill("#name", name)
        if opponent == "person":
            page.fill("#second", second)
        for rule, value in (rules or {}).items():
            field = page.locator(f"[data-rule={rule}]")
            if isinstance(value, bool):
                field.set_checked(value)
            elif field.evaluate("(field) => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.click("#begin")
        if begins:
            page.wait_for_selector("#panel", state="hidden", timeout=30_000)
            self.wait(lambda state: state["serial"] > serial)
        else:
            error = self.text("#panel-error")
            page.keyboard.press("Escape")
            return error
        return ""

    def drop(self, record: str) -> None:
        """Drops a file with this text on the page."""
        self.page.evaluate(
            """(text) => {
                const data = new DataTransfer();
                data.items.add(new File([text], "game.sgf"));
                for (const type of ["dragover", "drop"]) {
                    document.body.dispatchEvent(
                        new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
                }
            }""",
            record,
        )

    def close(self) -> None:
        """Closes the tab, which has shown no error."""
        self.page.close()
        assert not self.errors, self.errors
