"""A small process that reports why Ray has ended this one.

Ray ends a process that has joined a cluster, from within, when its node or the head of the cluster dies: no
exception is raised, and nothing of it runs any more. So another process waits for its end, and reports which
of the two no longer answers. That process runs this file alone.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import weakref
from collections.abc import Iterable
from typing import Final

#: Seconds within which an address must answer.
ANSWER_SECONDS: Final = 5.0


def connect(address: str, seconds: float) -> socket.socket:
    """Opens a connection to `HOST:PORT`, or to `[HOST]:PORT` as IPv6 is written, within so many seconds.

    Raises:
        OSError: nothing answers there.
        ValueError: there is no number of a port.
    """
    host, _, port = address.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), seconds)


class Witness:
    """Waits for the end of this process, and reports on stderr what has died with it, unless it is dismissed.

    Where all addresses answer, something else has ended this process, and nothing is reported. The node of a
    cluster of its own dies with it, too, whatever ends it.

    Args:
        addresses: pairs of a name, such as `"the head of the cluster"`, and its `HOST:PORT`.
        advice: a text at the end of the report.
    """

    def __init__(self, addresses: Iterable[tuple[str, str]], advice: str) -> None:
        command = [sys.executable, "-I", "-S", __file__, advice]
        for name, address in addresses:
            command += [name, address]
        # In a session of its own it is out of reach of Ctrl-C.
        process = subprocess.Popen(  # noqa: S603 - Python itself
            command, stdin=subprocess.PIPE, start_new_session=True
        )
        # At the exit of Python at the latest.
        self._dismiss = weakref.finalize(self, _dismiss, process)

    def dismiss(self) -> None:
        """Ends the process that waits. Nothing is reported any more."""
        self._dismiss()


def _dismiss(process: subprocess.Popen[bytes]) -> None:
    process.communicate(b"dismissed")


def _answers(address: str) -> bool:
    try:
        connect(address, ANSWER_SECONDS).close()
    except OSError:
        return False
    return True


def _wait(advice: str, *addresses: str) -> None:
    """Waits until the other process has ended, or has dismissed this one."""
    if sys.stdin.buffer.read():
        return
    for name, address in zip(addresses[::2], addresses[1::2], strict=True):
        if not _answers(address):
            print(f"sixplane: error: {name} has died, and this process with it{advice}", file=sys.stderr)
            return


if __name__ == "__main__":
    _wait(*sys.argv[1:])
