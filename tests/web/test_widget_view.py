"""The board of a notebook in Debian's browser: its own module, and a kernel that answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from kernel import WAITING, Notebook, open_notebook
from page_server import until_shown
from tabs import EMPTY, close_tab, go, open_tab

from waiting import MINUTE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.outside("chromium")

#: What a notebook gives a widget: a model with the state, and a place. `say` reaches the kernel.
HOST = """
async ([state, ground]) => {
  document.body.style.background = ground;
  const url = URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  const handlers = {};
  window.sent = 0;
  window.model = {
    get: (name) => state[name],
    on: (event, handler) => { (handlers[event] ??= new Set()).add(handler); },
    off: (event, handler) => { handlers[event].delete(handler); },
    send: (content) => {
      window.sent += 1;
      window.say(JSON.stringify(content));
    },
  };
  window.hear = (update, said) => {
    Object.assign(state, update);
    for (const name of Object.keys(update)) for (const one of handlers[`change:${name}`] ?? []) one();
    for (const content of said) for (const one of handlers["msg:custom"] ?? []) one(content);
  };
  window.listening = () => Object.values(handlers).reduce((sum, each) => sum + each.size, 0);
  window.ends = [1, 2].map(() => {
    const place = document.body.appendChild(document.createElement("main"));
    return widget.render({ model: window.model, el: place });
  });
}
"""


class Views:
    """Two views of one board on a page, and the kernel behind them."""

    def __init__(
        self, browser: Browser, notebook: Notebook, code: str, ground: str = "white", **options: Any
    ) -> None:
        self.notebook, self.model = notebook, notebook.show(code)
        self.page = open_tab(browser, 700, 1400, **options)
        go(self.page, EMPTY)
        self.page.set_default_timeout(1000 * MINUTE)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.said = 0
        self.page.expose_function("say", self.say)
        self.state = notebook.told(self.model).copy()
        self.page.evaluate(HOST, [self.state, ground])
        self.heard = 0

    def say(self, text: str) -> None:
        self.notebook.say(self.model, json.loads(text))
        self.said += 1

    def view(self, number: int = 0) -> Any:
        return self.page.locator(".widget").nth(number)

    def status(self, number: int = 0) -> str:
        text: str = self.view(number).locator(".status").inner_text()
        return text

    def until(self, is_so: Callable[[], object]) -> None:
        """Waits until the views are as they are asked for."""
        until_shown(self.page, is_so, lambda: (self.status(0), self.status(1), self.errors))

    def answer(self) -> None:
        """Brings what the views have sent to the kernel, and what it has said to the views."""
        self.until(lambda: self.page.evaluate("window.sent") == self.said)
        state = self.notebook.told(self.model)
        assert self.notebook.ear is not None
        said = self.notebook.ear.said[self.model]
        update = {name: value for name, value in state.items() if value != self.state[name]}
        self.state = state.copy()
        self.page.evaluate("([update, said]) => window.hear(update, said)", [update, said[self.heard :]])
        self.heard = len(said)

    def click(self, point: int, number: int = 0) -> None:
        self.view(number).locator(f'[data-point="{point}"]').click()
        self.answer()

    def press(self, name: str) -> None:
        self.view().get_by_role("button", name=name, exact=True).click()
        self.answer()

    def heights(self) -> list[float]:
        return [self.view(number).bounding_box()["height"] for number in (0, 1)]


@pytest.fixture(scope="module")
def notebook() -> Iterator[Notebook]:
    with open_notebook() as notebook:
        yield notebook


def test_a_game_by_clicks_and_keys_in_two_views(browser: Browser, notebook: Notebook) -> None:
    views = Views(browser, notebook, "board = Board(sixplane.Go(5), width=300); board")
    heights = views.heights()
    assert views.view().locator(".board").bounding_box()["width"] == 300
    views.view().locator('[data-point="12"]').hover()
    assert views.view().locator(".ghost").count() == 1
    views.click(12)
    assert [views.status(number) for number in (0, 1)] == ["White to play"] * 2
    cells = views.view(1).locator(".cells")
    cells.focus()
    for key in ("ArrowUp", "Home", "Enter"):
        views.page.keyboard.press(key)
    views.answer()
    assert notebook.run("board.game.actions.tolist()")["text/plain"] == "[12, 5]"
    # The time of the page stands still.
    views.page.clock.install(time=0)
    views.page.clock.pause_at(1000)
    views.click(12)
    assert views.status() == "There is a stone already."
    views.page.clock.run_for(4900)
    assert views.status() == "There is a stone already."
    views.page.clock.run_for(200)
    assert views.status() == "Black to play", "a refusal goes away"
    views.page.clock.resume()
    views.press("One move back")
    assert views.status(1) == "Move 1 of 2."
    # Pressed again before the kernel has answered.
    views.press("To the last move")
    for _ in range(2):
        views.view().get_by_role("button", name="One move back", exact=True).click()
    views.answer()
    assert views.status(1) == "Move 0 of 2."
    views.press("One move forward")
    views.click(0)
    assert "Go to the last move" in views.status()
    views.press("To the last move")
    for _ in range(2):
        views.press("Pass")
    assert views.status() == "White wins by 7.5"
    views.press("Undo")
    assert views.status() == "Black passes. White to play"
    assert views.heights() == heights, "nothing has moved"
    assert not views.errors
    views.page.evaluate("() => window.ends.forEach((end) => end())")
    assert views.page.evaluate("() => window.listening()") == 0, "a view that is closed hears nothing"
    close_tab(views.page)


def test_boards_in_a_row_are_as_wide_as_they_are_told_and_shrink_where_they_must(
    browser: Browser, notebook: Notebook
) -> None:
    views = Views(browser, notebook, "board = Board(sixplane.Go(5), width=480); board")
    views.page.set_viewport_size({"width": 1100, "height": 900})
    # As `ipywidgets.HBox` makes it.
    views.page.evaluate("document.body.style.display = 'flex'")

    def widths() -> list[float]:
        return [views.view(number).locator(".board").bounding_box()["width"] for number in (0, 1)]

    assert widths() == [480, 480]
    views.page.set_viewport_size({"width": 500, "height": 900})
    narrow = widths()
    assert narrow[0] == narrow[1] < 250
    views.page.set_viewport_size({"width": 1100, "height": 900})
    views.page.evaluate("document.body.style.display = 'grid'; document.body.style.justifyContent = 'start'")
    assert widths() == [480, 480]
    close_tab(views.page)


def test_a_click_anywhere_in_a_hexagon_plays_there(browser: Browser, notebook: Notebook) -> None:
    views = Views(browser, notebook, "hexes = Board(sixplane.Hex(5), width=400); hexes")
    box = views.view().locator(".over").bounding_box()
    layout = views.state["state"]["layout"]
    scale = box["width"] / layout["width"]
    corner = 0.95 * layout["cell"] / 3**0.5
    # The center, and the corners above and below, where the rectangles of other rows begin.
    for point, up in ((12, 0), (6, corner), (8, -corner), (17, corner), (16, -corner)):
        row, col = divmod(point, 5)
        x = layout["margin"] + (col + 0.5) * layout["cell"] + row * layout["slant"]
        y = layout["top"] + row * layout["row"] - up
        at = (box["x"] + x * scale, box["y"] + y * scale)
        views.page.mouse.move(*at)
        place = views.view().locator(".ghost").get_attribute("transform")
        ghost = [float(one) for one in place.removeprefix("translate(").rstrip(")").split()]
        assert ghost == pytest.approx([x, y + up])
        views.page.mouse.click(*at)
        views.answer()
        assert notebook.run("hexes.game.last_action")["text/plain"] == str(point)
    # A click that no pointer has made is at no place.
    views.view().locator('[data-point="14"]').evaluate("(cell) => cell.click()")
    views.answer()
    assert notebook.run("hexes.game.last_action")["text/plain"] == "14"
    assert not views.errors
    close_tab(views.page)


def test_an_agent_that_thinks_and_one_that_fails_show_it(browser: Browser, notebook: Notebook) -> None:
    views = Views(browser, notebook, f"{WAITING}Board(sixplane.Reversi(), agent=Waiting())")
    assert views.view().locator("circle.legal").count() == 4
    views.click(19)
    assert views.status() == "Waiting is thinking …"
    assert views.view().locator(".bar.thinking").count() == 1
    notebook.run("may.set()")
    notebook.wait(views.model, 2)
    views.answer()
    assert views.status() == "Black to play" and views.view().locator(".bar.thinking").count() == 0
    close_tab(views.page)
    views = Views(
        browser, notebook,
        "class Failing:\n"
        "    def select_action(self, game):\n"
        "        raise ValueError('<img src=x onerror=alert(1)>')\n"
        "Board(sixplane.Go(5), agent=Failing())",
    )  # fmt: skip
    views.click(12)
    notebook.wait(views.model, 2)
    views.answer()
    assert views.status() == "Black wins by an error. White: ValueError: <img src=x onerror=alert(1)>"
    assert views.view().locator("img").count() == 0 and not views.errors
    close_tab(views.page)


def test_a_proof_of_the_agent_is_said_where_it_was_found(browser: Browser, notebook: Notebook) -> None:
    notebook.run("from sixplane.agents import MCTSAgent")
    text = "OOOO.\\nXXX..\\nX....\\n.....\\n....."
    agent = "MCTSAgent(simulations=20, exact=True, seed=1)"
    views = Views(browser, notebook, f"Board(sixplane.Gomoku.from_text('{text}', 'black'), agent={agent})")
    views.click(24)
    notebook.wait(views.model, 2)
    views.answer()
    assert views.status().startswith("White wins")
    views.press("One move back")
    assert views.status() == "Move 1 of 2. White wins, proven."
    views.press("One move back")
    assert views.status() == "Move 0 of 2."
    assert not views.errors
    close_tab(views.page)


def test_a_batch_is_paged_and_takes_no_stones(browser: Browser, notebook: Notebook) -> None:
    views = Views(browser, notebook, "Board(sixplane.GameBatch(sixplane.Go(5), 30))")
    views.press("The next game")
    number = views.view(1).get_by_role("spinbutton")
    assert number.input_value() == "1"
    number.fill("99")
    number.press("Enter")
    views.answer()
    assert views.view().get_by_role("spinbutton").input_value() == "29"
    assert views.view().get_by_role("button", name="The next game").is_disabled()
    views.click(12)
    assert views.status() == "These games are only looked at."
    assert views.view().get_by_role("button", name="Pass").count() == 0
    close_tab(views.page)


def test_a_kernel_that_does_not_answer_is_spoken_of(browser: Browser, notebook: Notebook) -> None:
    views = Views(browser, notebook, "Board(sixplane.Go(5))")
    views.page.evaluate("() => { window.model.send = () => {}; }")
    views.view().locator('[data-point="12"]').click()
    views.until(lambda: views.status() == "No answer. If the kernel has ended, run the cell again.")
    views.page.evaluate("() => { window.model.send = () => { throw new Error('Cannot send'); }; }")
    views.view(1).locator('[data-point="12"]').click()
    views.until(lambda: views.status(1) == "No answer. If the kernel has ended, run the cell again.")
    assert not views.errors
    close_tab(views.page)


def test_a_board_is_light_or_dark_as_any_color_of_css_is(browser: Browser, notebook: Notebook) -> None:
    views = Views(browser, notebook, "Board(sixplane.Go(5))")
    grounds = {
        "oklch(1 0 0)": False,
        "lab(98 0 0)": False,
        "color-mix(in srgb, white 95%, black)": False,
        "color(display-p3 1 1 1)": False,
        "rgb(255 255 255 / .9)": False,
        "oklch(0.2 0 0)": True,
        "lab(10 0 0)": True,
        "color(srgb 0.1 0.1 0.1)": True,
        "rgb(10 10 10 / .9)": True,
        "rgb(10 10 10 / .1)": False,
    }
    for ground, is_dark in grounds.items():
        # What is wrong must change to become right.
        for one in ("white" if is_dark else "#111", ground):
            views.page.evaluate("(ground) => { document.body.style.background = ground; }", one)
            want = is_dark if one == ground else not is_dark
            views.until(lambda want=want: is_shown_dark(views) == want)  # type: ignore[misc] # the loop's value
    assert not views.errors
    close_tab(views.page)


def is_shown_dark(views: Views) -> bool:
    """Whether the board has the colors for a dark page."""
    found: bool = views.view().evaluate("(one) => one.classList.contains('dark')")
    return found


@pytest.mark.parametrize("ground", ["white", "#111"])
def test_axe_finds_no_serious_problem_on_light_and_dark(
    browser: Browser, notebook: Notebook, ground: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    views = Views(browser, notebook, "Board(sixplane.GameBatch(sixplane.Go(5), 3))", ground)
    dark = ground == "#111"
    views.until(lambda: views.view().evaluate("(one) => one.classList.contains('dark')") == dark)
    views.page.evaluate("() => { document.title = 'boards'; document.documentElement.lang = 'en'; }")
    found = Axe().run(views.page).response["violations"]
    serious = [one["id"] for one in found if one["impact"] in {"serious", "critical"}]
    assert not serious
    close_tab(views.page)
