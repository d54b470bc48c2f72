"""The program that serves a page as a process of its own, and browsers at the page."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tabs import close_tab, open_tab
from websockets.sync.client import ClientConnection, connect

from forks import PAGE, Fork, run_sixplane
from interruptible import INTERRUPTIBLE
from waiting import MINUTE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from playwright.sync_api import Browser

__all__ = ["Page", "PageProcess", "PageProgram", "is_at_rest", "told", "until_shown"]

#: Lets a page count the states that it has shown, and keep what it has said for some seconds.
COUNTS = """
const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", { set(handler) {
  [window.socket, window.shown] = [this, 0];
  set.call(this, (event) => {
    handler(event);
    if (JSON.parse(event.data).type === "state") window.shown += 1;
  });
} });
window.toasts = [];
addEventListener("DOMContentLoaded", () => {
  const toast = document.getElementById("toast");
  new MutationObserver(() => { if (!toast.hidden) window.toasts.push(toast.textContent); })
    .observe(toast, { attributes: true, childList: true });
});
"""


class PageProcess:
    """The program with these arguments, in a fork; it ends with Ctrl-C at the end of the block."""

    def __init__(self, *arguments: str, command: Sequence[str] = ("play", "--web")) -> None:
        self.process = self._started([*command, "--no-open", "--port", "0", *arguments])
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, self.process.communicate(timeout=MINUTE)
        self.address = found[0]
        parts = urlsplit(self.address)
        assert parts.port is not None
        self.host, self.port, self.path = parts.netloc, parts.port, parts.path

    def _started(self, arguments: list[str]) -> Fork | subprocess.Popen[str]:
        return Fork(PAGE, run_sixplane, arguments)

    def __enter__(self) -> PageProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            _, said = self.process.communicate(timeout=MINUTE)
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
        connection = HTTPConnection("127.0.0.1", self.port, timeout=MINUTE)
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


class PageProgram(PageProcess):
    """The same with a Python that has just begun, as users start it."""

    def _started(self, arguments: list[str]) -> subprocess.Popen[str]:
        command = [*INTERRUPTIBLE, sys.executable, "-m", "sixplane", *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told(
    tab: ClientConnection, kind: str, wanted: Callable[[dict[str, Any]], object] = bool
) -> dict[str, Any]:
    """The next message of this kind that is as wanted."""
    end = time.monotonic() + MINUTE
    while True:
        message: dict[str, Any] = json.loads(tab.recv(timeout=max(end - time.monotonic(), 0)))
        if message["type"] == kind and wanted(message):
            return message


def until_shown(
    page: Any, is_so: Callable[[], object], instead: Callable[[], object], seconds: float = MINUTE
) -> None:
    """Waits until a page shows what is asked for; else tells what it shows instead."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, instead()
        page.wait_for_timeout(20)


def is_at_rest(page: Any) -> bool:
    """Whether nothing moves on a page but what moves for ever."""
    ends = "(one) => one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity"
    return bool(page.evaluate(f"document.getAnimations().every({ends})"))


class Page:
    """A tab of a browser at the page: what a person does, and what the page was told last."""

    def __init__(
        self, browser: Browser, server: PageProcess, width: int = 1366, height: int = 768, **options: Any
    ) -> None:
        self.page = open_tab(browser, width, height, **options)
        self.page.set_default_timeout(1000 * MINUTE)
        self.page.add_init_script(COUNTS)
        self.errors: list[str] = []
        self.state: dict[str, Any] = {}
        self.connections = 0
        self._told = self._heard = 0
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: self.errors.append(dialog.message))
        self.page.on("websocket", self._connected)
        self.page.goto(server.address)
        self.ready()

    def _said(self, message: Any) -> None:
        # The browser notes every refusal by its status.
        if message.type == "error" and "422" not in message.text:
            self.errors.append(message.text)

    def _connected(self, socket: Any) -> None:
        self.connections += 1
        self._told = 0
        socket.on("framereceived", self._received)

    def _received(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "state":
            self.state = message
            self._told += 1

    def ready(self) -> None:
        """Waits until the board is there."""
        self.page.wait_for_selector("#board .picture svg")
        self.wait(bool)

    def wait(self, wanted: Callable[[dict[str, Any]], object]) -> None:
        """Waits until the page was told what is wanted, and has shown it."""
        self.until(lambda: wanted(self.state) and self.page.evaluate("window.shown") == self._told)

    def until(self, is_so: Callable[[], object]) -> None:
        """Waits until the page is as it is asked for."""
        until_shown(
            self.page,
            is_so,
            lambda: ({name: self.state[name] for name in self.state if name != "board"}, self.errors),
        )

    def rest(self) -> None:
        """Waits until nothing moves but what moves for ever."""
        self.until(lambda: is_at_rest(self.page))

    def click(self, selector: str) -> None:
        """Clicks in the middle of an element, as far as it can be reached."""
        self.page.click(selector)

    def text(self, selector: str) -> str:
        """What an element says."""
        found = self.page.locator(selector)
        found.filter(has_text=re.compile(".")).wait_for()
        text: str = found.text_content()
        return text

    @property
    def status(self) -> str:
        """The line that says how the game stands."""
        return self.text("#status")

    def wait_for_toast(self, text: str) -> None:
        """Waits until the page says this for some seconds, after what was waited for before."""

        def said() -> list[str]:
            new: list[str] = self.page.evaluate("window.toasts")[self._heard :]
            return new

        until_shown(self.page, lambda: text in said(), said)
        self._heard += said().index(text) + 1

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
            page.wait_for_selector("#panel", state="hidden")
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
        close_tab(self.page)
        assert not self.errors, self.errors
