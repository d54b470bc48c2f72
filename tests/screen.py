"""A virtual X display with a real mouse."""

from __future__ import annotations

import os
import subprocess
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ImageGrab

from waiting import MINUTE

__all__ = ["Screen"]


class Screen:
    """Xvfb with a display of its own."""

    def __init__(self, width: int = 1000, height: int = 1000) -> None:
        reader, writer = os.pipe()
        # Without -noreset, the server would throw clients out whenever the last one leaves.
        options = ["-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset"]
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), *options], pass_fds=[writer], stderr=subprocess.DEVNULL
        )
        os.close(writer)
        with os.fdopen(reader) as stream:
            self.display = f":{stream.readline().strip()}"
        self.environment = os.environ | {
            "DISPLAY": self.display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_VIDEO_WINDOW_POS": "0,0",
        }
        self._programs: list[subprocess.Popen[str]] = []

    def start(self, command: list[str]) -> subprocess.Popen[str]:
        """Starts a program on this display."""
        program = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._programs.append(program)
        return program

    def click(self, x: int, y: int) -> None:
        """Moves the mouse and presses its first button."""
        subprocess.run(
            ["xdotool", "mousemove", str(x), str(y), "sleep", "0.05", "click", "1"],
            env=self.environment, check=True, capture_output=True,
        )  # fmt: skip

    def shot(self, width: int, height: int) -> NDArray[np.uint8]:
        """The upper left part of the screen, `(height, width, 3)`."""
        picture = ImageGrab.grab(bbox=(0, 0, width, height), xdisplay=self.display)
        return np.array(picture.convert("RGB"), dtype=np.uint8)

    def wait_for(self, picture: NDArray[Any], seconds: float = MINUTE) -> None:
        """Waits until the screen shows a picture at its upper left."""
        height, width = picture.shape[:2]
        deadline = time.monotonic() + seconds
        while True:
            shot = self.shot(width, height)
            # SDL rounds in another way where colors are mixed.
            different = np.abs(shot.astype(int) - picture).max(axis=2) > 3
            if not different.any():
                return
            assert time.monotonic() < deadline, f"{different.sum()} pixels are different"
            time.sleep(0.05)

    def close(self) -> None:
        """Ends everything."""
        for program in self._programs:
            program.kill()
            program.communicate()
        self._server.terminate()
        self._server.wait()
