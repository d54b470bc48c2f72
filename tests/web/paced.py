"""Players of Reversi behind GTP that move when a test lets them."""

from __future__ import annotations

import socket
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Pace"]

#: Seconds after which a player is not waited for any more.
PATIENCE: Final = 60.0


class Pace:
    """Lets players move one by one; the words that name such a player are `player`."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE)
        self._asking: socket.socket | None = None
        self.player = f"gtp:{sys.executable} {__file__} {self._listener.getsockname()[1]}"

    def __enter__(self) -> Pace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._listener.close()
        self.allow()

    def asked(self) -> int:
        """Waits until a player is to move; how many moves were played in its game."""
        if self._asking is None:
            self._asking, _ = self._listener.accept()
            self._asking.settimeout(PATIENCE)
            self._played = int(self._asking.recv(9))
        return self._played

    def allow(self) -> None:
        """Lets the player move that has asked."""
        if self._asking is not None:
            self._asking.close()
            self._asking = None


class Paced:
    """Asks at a port before it plays the first legal action."""

    def __init__(self, port: int) -> None:
        self._port = port

    def select_action(self, game: sixplane.Game) -> int:
        with socket.create_connection(("127.0.0.1", self._port)) as asking:
            asking.send(str(game.move_number).encode())
            asking.recv(1)
        return int(game.legal_actions[0])


if __name__ == "__main__":
    import sixplane
    from sixplane.cli.players import serve
    from sixplane.protocols.gtp import GTPEngine

    sys.exit(serve(GTPEngine(sixplane.Reversi(6), Paced(int(sys.argv[1])))))
