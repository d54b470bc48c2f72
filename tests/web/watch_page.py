"""The page of `sixplane watch` in a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from page_server import PageProcess, until_shown
from tabs import close_tab, open_tab

from waiting import MINUTE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

__all__ = ["Tab", "watched"]


def watched(folder: Path, *options: str) -> PageProcess:
    """A program that shows this folder."""
    return PageProcess(str(folder), *options, command=["watch"])


class Tab:
    """A page of `sixplane watch`, without an error."""

    def __init__(
        self, browser: Browser, server: PageProcess, width: int = 1366, height: int = 768, **options: Any
    ) -> None:
        self.page = open_tab(browser, width, height, **options)
        self.page.set_default_timeout(1000 * MINUTE)
        self.errors: list[str] = []
        self.page.on(
            "console", lambda message: self.errors.append(message.text) if message.type == "error" else None
        )
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: self.errors.append(dialog.message))
        self.page.goto(server.address)
        self.page.wait_for_selector("#board svg")

    def text(self, selector: str) -> str:
        text: str = self.page.text_content(selector)
        return text

    def games(self) -> int:
        """How many games are finished, by the figures."""
        figures: list[str] = self.page.locator("#facts dt, #facts dd").all_text_contents()
        return int(figures[figures.index("games") + 1].replace(",", ""))

    def newest(self) -> int:
        """The number of the first game of the list."""
        return int(self.page.locator("#games option").first.get_attribute("value"))

    def choose(self) -> str:
        """Chooses a game in the middle of the list; its number. In one call: the list goes on growing."""
        chosen: str = self.page.eval_on_selector(
            "#games",
            """list => {
                list.selectedIndex = Math.floor(list.length / 2);
                list.dispatchEvent(new Event("change", { bubbles: true }));
                return list.value;
            }""",
        )
        return chosen

    def shows(self, pattern: str) -> bool:
        """Whether the line below the board is so."""
        return re.fullmatch(pattern, self.text("#move")) is not None

    def move(self) -> int:
        """The number of the move that is shown; 0 at the start."""
        found = re.match(r"Move (\d+)", self.text("#move"))
        return int(found[1]) if found else 0

    def wait(self, is_so: Callable[[], object], seconds: float = MINUTE) -> None:
        instead = lambda: (self.text("#move"), self.text("#facts"), self.errors)  # noqa: E731
        until_shown(self.page, is_so, instead, seconds)

    def close(self) -> None:
        close_tab(self.page)
        assert not self.errors
