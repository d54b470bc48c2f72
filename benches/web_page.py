"""How soon the page of `sixplane play --web` is there, and a stone after a click, in Debian's browser.

First paint: from the beginning of the navigation to the first text or picture, and to the frame with the
board, in a browser with an empty cache. Click: from the mouse button to the frame with the stone, by way of
the server, two persons taking turns. Loopback; it needs chromium and the requirements of `make test-web`:
`.venv/bin/python benches/web_page.py`
"""

from __future__ import annotations

import argparse
import math
import re
import shutil
import signal
import statistics
import subprocess
import sys
from typing import Any

from playwright.sync_api import sync_playwright

#: Runs before any script of the page: notes when the first board is painted.
PAINTED = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("#board .picture svg")) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.boardPainted = performance.now(); }));
}).observe(document, { childList: true, subtree: true });
"""

#: Notes how long it takes from a click to the frame after the picture has changed.
CLICKED = """
window.times = [];
let pressed = null;
addEventListener("pointerdown", (event) => { pressed = event.timeStamp; }, true);
new MutationObserver(() => {
  const since = pressed;
  if (since === null) return;
  pressed = null;
  requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - since)));
}).observe(document.querySelector("#board .picture"), { childList: true });
"""


def wait(page: Any, expression: str) -> None:
    """Waits until something is so; the policy of the page forbids the waiting of Playwright itself."""
    while not page.evaluate(expression):
        page.wait_for_timeout(10)


def first_paints(browser: Any, address: str, repeats: int) -> tuple[list[float], list[float]]:
    """Milliseconds to the first content and to the board, each time in a new browser context."""
    contents, boards = [], []
    for _ in range(repeats):
        context = browser.new_context(viewport={"width": 1366, "height": 768})
        page = context.new_page()
        page.add_init_script(PAINTED)
        page.goto(address)
        wait(page, "window.boardPainted !== undefined")
        (content,) = page.evaluate(
            "performance.getEntriesByName('first-contentful-paint').map((e) => e.startTime)"
        )
        contents.append(float(content))
        boards.append(float(page.evaluate("window.boardPainted")))
        context.close()
    return contents, boards


def clicks(browser: Any, address: str, places: list[int]) -> list[float]:
    """Milliseconds from the mouse button to the stone, on these points one after the other."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto(address)
    page.wait_for_selector("#board .picture svg")
    page.wait_for_timeout(500)
    page.evaluate(CLICKED)
    for number, place in enumerate(places, 1):
        page.click(f"#point-{place}")
        wait(page, f"window.times.length >= {number}")
        page.wait_for_timeout(100)
    times: list[float] = page.evaluate("window.times")
    page.close()
    return times


def row(name: str, times: list[float]) -> str:
    """The best, the median and what 95 % of the times do not exceed."""
    ordered = sorted(times)
    late = ordered[math.ceil(0.95 * len(ordered)) - 1]
    figures = {"best": ordered[0], "median": statistics.median(ordered), "95 %": late}
    return f"{name:26}" + ", ".join(f"{word} {figure:6.1f} ms" for word, figure in figures.items())


def main() -> None:
    """Prints the times for Go on two boards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for size in (9, 19):
            command = [sys.executable, "-m", "sixplane", "play", "--web", "--no-open", "--port", "0"]
            with subprocess.Popen(  # noqa: S603 - it is this program
                [*command, "--opponent", "human", "--size", str(size)], stdout=subprocess.PIPE, text=True
            ) as server:
                assert server.stdout is not None  # noqa: S101 - a pipe
                found = re.search(r"http://\S+", server.stdout.readline())
                assert found is not None  # noqa: S101 - the address is printed first
                try:
                    contents, boards = first_paints(browser, found[0], options.repeats)
                    print(row(f"Go {size}x{size}, first content", contents))
                    print(row(f"Go {size}x{size}, board", boards))
                    # Points apart from each other, so that nothing is captured.
                    places = [2 * number for number in range(min(options.repeats, size * size // 2))]
                    print(row(f"Go {size}x{size}, click to stone", clicks(browser, found[0], places)))
                finally:
                    server.send_signal(signal.SIGINT)
        browser.close()


if __name__ == "__main__":
    main()
