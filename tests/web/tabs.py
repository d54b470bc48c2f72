"""Tabs of the browser for one test each, that need no process of their own.

A page in a new context of the browser starts a process that draws it: about half of what it takes to show
the page. So contexts are used again, one test after the other, and each keeps a tab open, whose process
draws the tabs of the tests (`--process-per-site` in `tests/conftest.py`). Two tabs that are open at once
never share a context, and what a tab has stored is deleted before the next one comes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

__all__ = ["EMPTY", "OF_FILES", "close_tab", "go", "open_tab"]

#: An empty page of the site of all servers of these tests, that nobody serves.
EMPTY: Final = "http://127.0.0.1/empty"

#: A page of the site of all files.
OF_FILES: Final = Path(__file__).parent.as_uri()

#: What a tab can change for itself. Other options are those of a context.
OF_A_TAB: Final = ("color_scheme", "reduced_motion")

#: The contexts without a tab but the one that keeps the process, by their options.
_free: Final[dict[str, list[BrowserContext]]] = {}

#: The contexts in use -> their options.
_used: Final[dict[BrowserContext, str]] = {}


def open_tab(
    browser: Browser, width: int = 1280, height: int = 720, *, site: str = EMPTY, **options: Any
) -> Any:
    """A tab that shows nothing yet, and knows nothing of earlier ones.

    Args:
        browser: the browser of all tests.
        width: of the tab, in pixels.
        height: of the tab, in pixels.
        site: a page of the site that it will show.
        options: of playwright's `new_page`.
    """
    own = {name: options.pop(name) for name in OF_A_TAB if name in options}
    # A telephone's viewport is one of the context.
    if options.get("is_mobile"):
        return browser.new_page(viewport={"width": width, "height": height}, **options, **own)
    kind = repr((site, sorted(options.items())))
    free = _free.setdefault(kind, [])
    context = free.pop() if free else _new_context(browser, site, options)
    _used[context] = kind
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(**own)
    return page


def _new_context(browser: Browser, site: str, options: dict[str, Any]) -> BrowserContext:
    context = browser.new_context(**options)
    # The tab that keeps the process.
    go(context.new_page(), site)
    return context


def go(page: Any, address: str) -> None:
    """Goes to an address, which may be that of the empty page."""
    page.route(EMPTY, lambda route: route.fulfill(body="", content_type="text/html"))
    page.goto(address)
    page.unroute(EMPTY)


def close_tab(page: Any) -> None:
    """Closes a tab without an error; the next one may have its context."""
    context = page.context
    kind = _used.pop(context, None)
    if kind is not None:
        page.evaluate("() => { try { localStorage.clear(); } catch { /* such a page stores nothing */ } }")
        context.clear_permissions()
        context.clear_cookies()
    page.close()
    if kind is not None:
        _free[kind].append(context)
