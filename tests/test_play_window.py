"""The window of `sixplane play`: clicks by a real mouse on a virtual screen, and what is seen then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from screen import Screen
from sixplane.agents import RandomAgent, ScoreTableAgent
from sixplane.play.picture import BUTTONS, TablePicture
from sixplane.play.seating import Seating
from sixplane.play.window import WIDTH, PlayWindow
from sixplane.render import rgb_array

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sixplane._core import Game

ALL = frozenset(BUTTONS)
OVER = frozenset({"undo", "new game"})


@pytest.mark.parametrize("game", [sixplane.Go(5), sixplane.Gomoku(), sixplane.Reversi(), sixplane.Go((7, 9))])
def test_places_are_found_where_they_are_drawn(game: Game) -> None:
    picture = TablePicture(game, 500)
    for point in range(game.num_actions - 1):
        x, y = picture.center_of(point)
        assert (picture.point_at(x, y), picture.button_at(x, y)) == (point, None)
    # Nobody passes in Gomoku.
    for name in BUTTONS[isinstance(game, sixplane.Gomoku) :]:
        x, y = picture.center_of(name)
        assert (picture.point_at(x, y), picture.button_at(x, y)) == (None, name)
    assert rgb_array(picture.svg(game, "black to play", ALL, hint=3)).shape[1] == 500


@pytest.fixture
def screen() -> Iterator[Screen]:
    display = Screen()
    yield display
    display.close()


@pytest.mark.parametrize("driver", [{}, {"SDL_VIDEODRIVER": "x11"}], ids=str)
def test_where_there_is_no_screen_it_says_so(driver: dict[str, str]) -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR"}
    done = subprocess.run(
        [sys.executable, "-m", "sixplane", "play", "--window", "--opponent", "human"], timeout=60,
        capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if name not in hidden} | driver,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert "sixplane: error: no window can be opened: " in done.stderr
    assert "Traceback" not in done.stderr


class Seen:
    """The program on a screen, and what it has to show."""

    def __init__(self, screen: Screen, game: Game, *arguments: str) -> None:
        self.screen, self.game = screen, game
        self.picture = TablePicture(game, WIDTH)
        command = [sys.executable, "-m", "sixplane", "play", "--window", *arguments]
        self.program = screen.start(command)

    def click(self, what: str) -> None:
        self.screen.click(
            *self.picture.center_of(what if what in BUTTONS else self.game.name_to_action(what))
        )

    def expect(self, words: str, enabled: frozenset[str] = ALL) -> None:
        try:
            self.screen.wait_for(rgb_array(self.picture.svg(self.game, words, enabled)))
        except AssertionError:
            self.program.kill()
            print(self.program.communicate())
            raise

    def play(self, *names: str) -> None:
        """Clicks moves one by one and sees each of them on the board."""
        for name in names:
            self.click(name)
            self.game.play(self.game.name_to_action(name))
            color = "white" if self.game.turn else "black"
            if not self.game.is_over:
                self.expect(f"pass, {color} to play" if name == "pass" else f"{color} to play")


@pytest.mark.outside("Xvfb")
@pytest.mark.outside("xdotool")
def test_two_persons_play_go_with_the_mouse(screen: Screen, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    options = ["--size", "5", "--komi", "0.5", "--opponent", "human", "--save", str(path)]
    seen = Seen(screen, sixplane.Go(5, komi=0.5), *options)
    seen.expect("black to play")
    seen.play("C3", "C2", "B2", "A5", "D2")
    seen.click("D2")
    seen.expect("D2 is not legal: occupied")
    seen.play("pass", "C1")
    assert seen.game.planes[1].sum() == 1, "the stone on C2 is taken, and leaves the picture"
    seen.click("undo")
    seen.game.undo()
    seen.expect("pass, black to play")
    seen.play("C1", "pass", "pass")
    seen.expect("black wins by 3.5", OVER)
    seen.click("undo")
    seen.game.undo()
    seen.expect("pass, black to play")
    seen.click("resign")
    seen.game.resign()
    seen.expect("white wins by resignation", OVER)
    seen.click("new game")
    seen.game = sixplane.Go(5, komi=0.5)
    seen.expect("black to play")
    seen.play("B4")
    seen.program.send_signal(signal.SIGINT)
    out, errors = seen.program.communicate(timeout=60)
    assert (seen.program.returncode, errors, out) == (130, "", f"saved {path}\n")
    assert sixplane.read_sgf(path).actions.tolist() == [6]


@pytest.mark.outside("Xvfb")
@pytest.mark.outside("xdotool")
def test_a_person_beats_itself_at_gomoku_and_the_game_stops(screen: Screen) -> None:
    seen = Seen(screen, sixplane.Gomoku(9), "--game", "gomoku", "--size", "9", "--opponent", "human")
    no_pass = ALL - {"pass"}
    seen.expect("black to play", no_pass)
    for name in ("A1", "A9", "B2", "B9", "C3", "C9", "D4", "D9", "E5"):
        seen.click(name)
        seen.game.play(seen.game.name_to_action(name))
        if not seen.game.is_over:
            seen.expect("white to play" if seen.game.turn else "black to play", no_pass)
    seen.expect("black wins", OVER)
    # A click on an occupied point, or any other, changes nothing any more.
    seen.click("A9")
    seen.click("J1" if seen.game.cols > 9 else "H1")
    time.sleep(0.3)
    seen.expect("black wins", OVER)


def post_clicks(
    window: PlayWindow, picture: TablePicture, script: Sequence[tuple[int | str, Callable[[], bool]]]
) -> threading.Thread:
    """Clicks from another thread, each when what is shown fits; then the window is closed."""
    import pygame

    def is_seen(fits: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + 20
        while not fits():
            time.sleep(0.01)
            if time.monotonic() > deadline:
                return False
        return True

    def work() -> None:
        # Events can be posted once the window is there.
        is_seen(lambda: pygame.display.get_init() and pygame.display.get_surface() is not None)
        for what, fits in script:
            if not is_seen(fits):
                break
            place = picture.center_of(what)
            pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=place))
        else:
            is_seen(lambda: window.shown[0].move_number == 0)
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_an_agent_answers_and_a_hint_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    game = sixplane.Gomoku()
    agent: Any = ScoreTableAgent(seed=1)
    window = PlayWindow(Seating((None, agent), ("human", "machine"), ScoreTableAgent(seed=2)), game)
    picture = TablePicture(game, WIDTH)
    hints: list[int | None] = []

    def is_shown(moves: int, words: str = "") -> Callable[[], bool]:
        def fits() -> bool:
            shown = window.shown
            if shown[3] is not None:
                hints.append(shown[3])
            return shown[0].move_number == moves and words in shown[1]

        return fits

    script: list[tuple[int | str, Callable[[], bool]]] = [
        (112, is_shown(0, "black to play")),
        ("hint", is_shown(2, "black to play")),
        (112, is_shown(2, "hint:")),
        (0, is_shown(2, "H8 is not legal: occupied")),
        ("undo", is_shown(4, "black to play")),
        ("resign", is_shown(2, "black to play")),
        ("new game", is_shown(2, "white wins by resignation")),
    ]
    thread = post_clicks(window, picture, script)
    assert window.run() == 0
    thread.join()
    assert hints and hints[0] is not None
    assert window.shown[1] == "black to play"


def test_two_agents_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    game = sixplane.Reversi(4)
    agents: Any = (RandomAgent(seed=1), RandomAgent(seed=2))
    window = PlayWindow(Seating(agents, ("a", "b"), RandomAgent(), delay=0.01), game)
    over = threading.Event()

    def is_over() -> bool:
        shown = window.shown
        if shown[0].is_over:
            over.set()
        return over.is_set() and (" by " in shown[1] or shown[1] == "draw")

    thread = post_clicks(window, TablePicture(game, WIDTH), [("new game", is_over)])
    # The new game begins without a move, and there the window is closed.
    assert window.run() == 0
    thread.join()
    assert over.is_set()


def test_a_person_whose_time_is_up_loses_and_may_play_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    game = sixplane.Gomoku(5)
    window = PlayWindow(Seating((None, None), ("a", "b"), RandomAgent(), seconds_per_move=0.3), game)
    seen: list[str] = []

    def is_lost() -> bool:
        words = window.shown[1]
        if "no move within 0.3 s" in words and words not in seen:
            seen.append(words)
        return bool(seen)

    thread = post_clicks(window, TablePicture(game, WIDTH), [("new game", is_lost)])
    assert window.run() == 0
    thread.join()
    assert seen == ["white wins: black: no move within 0.3 s"]
