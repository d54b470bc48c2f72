"""A window that shows SVG pictures, with pygame-ce (`pip install 'sixplane[window]'`)."""

from __future__ import annotations

import io
import os
import time
import warnings
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from sixplane._library import optional
from sixplane.render.pixels import png

if TYPE_CHECKING:
    from pygame import Surface
    from pygame.event import Event
    from pygame.time import Clock

#: The drivers without a visible screen that SDL falls back to.
UNSEEN: Final = ("dummy", "offscreen")

#: What is wrong where SDL falls back to one of them.
NO_SCREEN: Final = "there is no screen (is DISPLAY set?)"

#: Seconds between two looks at the mouse and the keys.
PAUSE: Final = 0.02


class Window:
    """A window that shows one picture, and is as large as the picture.

    A window that the user closes while it waits shows nothing more until `close` is called. A copy or a
    pickle of it is a window that is not open yet. All windows of a process are one on the screen, which
    shows the newest picture. After one of them is closed, the next picture of another opens it again.

    Raises:
        ModuleNotFoundError: pygame-ce is not installed.
    """

    def __init__(self, title: str = "sixplane") -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        with optional("a window needs pygame-ce", "window", "pygame"):
            import pygame
        self._pygame = pygame
        self._title = title
        self._screen: Surface | None = None
        self._clock: Clock | None = None
        self._shown = ""
        self._is_dismissed = False

    def __reduce__(self) -> tuple[type[Window], tuple[str]]:
        return type(self), (self._title,)

    @property
    def is_open(self) -> bool:
        """Whether the window is on the screen; it is not after another one was closed."""
        return self._screen is not None and self._pygame.display.get_surface() is self._screen

    def find_screen(self) -> None:
        """Makes sure that there is a screen for a window.

        Raises:
            RuntimeError: there is no screen, and `SDL_VIDEODRIVER` does not ask for none.
        """
        if not self._has_screen():
            if self._pygame.display.get_surface() is None:
                self._pygame.display.quit()
            raise RuntimeError(f"no window can be opened: {NO_SCREEN}")

    def _has_screen(self) -> bool:
        """Returns whether a window can be seen, or `SDL_VIDEODRIVER` asks for one that cannot."""
        display = self._pygame.display
        try:
            display.init()
        except self._pygame.error as error:
            raise RuntimeError(f"no window can be opened: {error}") from error
        return display.get_driver() not in UNSEEN or "SDL_VIDEODRIVER" in os.environ

    def show(self, svg: str) -> None:
        """Shows a picture in the width that it names, and opens the window unless the user has closed it.

        Without a screen it warns, and goes on: Gymnasium's checker opens windows on servers, too.

        Raises:
            RuntimeError: the driver that `SDL_VIDEODRIVER` names does not work.
        """
        pygame = self._pygame
        if self._is_dismissed or (svg == self._shown and self.is_open):
            return
        picture = pygame.image.load(io.BytesIO(png(svg)), "picture.png")
        screen = self._screen if self.is_open else None
        if screen is None or screen.get_size() != picture.get_size():
            if not self._has_screen() and self._screen is None:
                warnings.warn(f"nobody sees this window: {NO_SCREEN}", stacklevel=2)
            screen = self._screen = pygame.display.set_mode(picture.get_size())
            pygame.display.set_caption(self._title)
            self._clock = pygame.time.Clock()
        screen.fill("white")
        screen.blit(picture, (0, 0))
        pygame.display.flip()
        self._shown = svg

    def events(self) -> Iterator[Event]:
        """Returns the events of pygame since the last call; nothing if the window is not open."""
        if not self.is_open:
            return
        pygame = self._pygame
        for event in pygame.event.get():
            if event.type in {pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED, pygame.WINDOWSHOWN}:
                # The picture is lost while another window covers this one.
                pygame.display.flip()
            yield event

    def ask(self, keys: Collection[str]) -> str | tuple[int, int] | None:
        """Waits until the user presses one of these keys, clicks or closes the window.

        Returns:
            The name of the key, such as `p`, the pixel of the click, or None if the window is closed.
        """
        pygame = self._pygame
        while self.is_open:
            for event in self.events():
                if event.type == pygame.QUIT:
                    return None
                if event.type == pygame.KEYDOWN and (key := str(pygame.key.name(event.key))) in keys:
                    return key
                if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
                    x, y = event.pos
                    return int(x), int(y)
            time.sleep(PAUSE)
        return None

    def wait(self, frames_per_second: int) -> None:
        """Sleeps until the next frame is due, and closes the window if the user asks for that."""
        for event in self.events():
            if event.type == self._pygame.QUIT:
                self.close()
                self._is_dismissed = True
                return
        if self._clock is not None:
            self._clock.tick(frames_per_second)

    def close(self) -> None:
        """Closes the window if it is open; the next picture opens it again."""
        if self.is_open:
            self._pygame.display.quit()
        self._screen, self._clock, self._shown, self._is_dismissed = None, None, "", False
