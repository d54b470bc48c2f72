"""GymGo's `render("human")`: a real mouse and real keys on a virtual screen."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from screen import Screen
from sixplane.gymgo import WINDOW_WIDTH as WIDTH
from sixplane.render import board_svg, rgb_array
from sixplane.render.layout import Layout, style_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

PROGRAM = """
import sys
from sixplane.gymgo import GoEnv
env = GoEnv(size=5)
env.reset()
for line in range(int(sys.argv[1])):
    chosen = env.render("human")
    print(repr(chosen), int(env.state()[:2].sum()), flush=True)
    if chosen != -1:
        env.step(chosen)
print(env.done)
"""


@pytest.fixture
def screen() -> Iterator[Screen]:
    display = Screen()
    yield display
    display.close()


def picture(game: sixplane.Go, says: str) -> NDArray[Any]:
    planes = game.planes
    return rgb_array(board_svg(planes, "go", width=WIDTH, footer=f"{says}: P pass, R reset, E exit"))


def pixel_of(game: sixplane.Go, point: int) -> tuple[int, int]:
    """The pixel at the center of a point in the window."""
    layout = Layout(game.rows, game.cols, style_of("go"), footer=True)
    x, y = layout.center(point)
    return round(x * WIDTH / layout.width), round(y * WIDTH / layout.width)


@pytest.mark.outside("Xvfb")
@pytest.mark.outside("xdotool")
def test_the_point_clicked_is_returned_and_the_keys_pass_reset_and_exit(screen: Screen) -> None:
    game = sixplane.Go(5)
    program = screen.start([sys.executable, "-c", PROGRAM, "6"])
    assert program.stdout is not None
    said = []

    def press(key: str) -> None:
        subprocess.run(["xdotool", "key", key], env=screen.environment, check=True)

    screen.wait_for(picture(game, "black to play"))
    screen.click(*pixel_of(game, 7))
    said.append(program.stdout.readline())
    game.play(7)
    screen.wait_for(picture(game, "white to play"))
    screen.click(*pixel_of(game, 24))
    said.append(program.stdout.readline())
    game.play(24)
    screen.wait_for(picture(game, "black to play"))
    press("r")
    screen.wait_for(picture(sixplane.Go(5), "black to play"))
    press("p")
    said.append(program.stdout.readline())
    game = sixplane.Go(5)
    game.play(25)
    screen.wait_for(picture(game, "white to play"))
    press("e")
    said.append(program.stdout.readline())
    screen.wait_for(picture(game, "white to play"))
    press("p")
    said.append(program.stdout.readline())
    game.play(25)
    screen.wait_for(picture(game, "game over"))
    press("e")
    out, errors = program.communicate(timeout=60)
    assert said == ["(1, 2) 0\n", "(4, 4) 1\n", "None 0\n", "-1 0\n", "None 0\n"]
    assert (out, errors, program.returncode) == ("-1 0\nTrue\n", "", 0)


@pytest.mark.parametrize("driver", [{}, {"SDL_VIDEODRIVER": "x11"}], ids=str)
def test_where_there_is_no_screen_it_says_so(driver: dict[str, str]) -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "1"], timeout=60, capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if name not in hidden} | driver,
    )  # fmt: skip
    assert done.returncode == 1
    assert "RuntimeError: no window can be opened: " in done.stderr
