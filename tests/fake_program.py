"""Programs behind GTP and the protocol of Gomocup that do what a test says, and what is left of them."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from waiting import MINUTE

__all__ = ["INTERRUPTS", "Fake", "FakeGomocup", "gone", "group", "is_alive"]

#: How a program interrupts whoever has started it, once that one waits for it, and goes on thinking.
INTERRUPTS: Final = """parent = os.getppid()
        while open(f"/proc/{parent}/stat").read().rpartition(")")[2].split()[0] != "S":
            time.sleep(0.001)
        os.kill(parent, 2)
        time.sleep(1000)"""

#: A program that logs what it is told, and answers from a table; its first line is its process id.
PROGRAM = """
import os, sys, time
log = open(LOG, "a", buffering=1)
log.write(f"pid {os.getpid()}\\n")
moves = iter(MOVES)
def answer(text, mark="="):
    sys.stdout.write(f"{mark}{number} {text}\\n\\n"); sys.stdout.flush()
for line in sys.stdin:
    number, *words = line.split()
    log.write(" ".join(words) + "\\n")
    if words[0] == "list_commands":
        answer(KNOWN)
    elif words[0] == "genmove":
        MISBEHAVE
        answer(next(moves))
    elif words[0] == "final_score":
        answer(SCORE)
    elif REFUSED in words:
        answer("syntax error", "?")
    else:
        answer("")
"""


#: The same for the protocol of Gomocup; a move may be several lines.
GOMOCUP_PROGRAM = """
import os, sys, time
log = open(LOG, "a", buffering=1)
log.write(f"pid {os.getpid()}\\n")
moves = iter(MOVES)
def answer(text):
    # In one piece, so that all of its lines are there at once.
    os.write(1, f"{text}\\n".encode())
for line in sys.stdin:
    line = line.strip()
    words = line.split()
    log.write(line + "\\n")
    if words[0] in ANSWERS:
        answer(ANSWERS[words[0]])
    elif words[0] in {"BEGIN", "TURN", "DONE"}:
        MISBEHAVE
        answer(next(moves))
"""


class Talk:
    """What a program of the test was told, by its log."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"

    def told(self) -> list[str]:
        """What it was told since the last question, `list_commands` and its start left out."""
        lines = self.log.read_text().splitlines()
        self.log.write_text("")
        return [line for line in lines if line != "list_commands" and not line.startswith("pid")]

    def pids(self) -> list[int]:
        return [int(line[4:]) for line in self.log.read_text().splitlines() if line.startswith("pid")]

    def _command(self, program: str, misbehave: str, **values: object) -> list[str]:
        code = program.replace("MISBEHAVE", misbehave)
        for name, value in {"LOG": str(self.log), **values}.items():
            code = code.replace(name, repr(value))
        return [sys.executable, "-c", code]


class Fake(Talk):
    """A program behind GTP."""

    def command(
        self,
        *moves: str,
        known: str = "play genmove",
        score: str = "0",
        refuses: str = "",
        misbehave: str = "pass",
    ) -> list[str]:
        told = {"MOVES": list(moves), "KNOWN": known, "SCORE": score, "REFUSED": refuses}
        return self._command(PROGRAM, misbehave, **told)


class FakeGomocup(Talk):
    """A program behind the protocol of Gomocup."""

    def command(
        self,
        *moves: str,
        start: str = "OK",
        restart: str = "OK",
        about: str = 'name="Fake", version="0.5"',
        misbehave: str = "pass",
    ) -> list[str]:
        answers = {"START": start, "RECTSTART": start, "RESTART": restart, "ABOUT": about}
        return self._command(GOMOCUP_PROGRAM, misbehave, MOVES=list(moves), ANSWERS=answers)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def group(leader: int) -> list[int]:
    """The living processes of a process group."""
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    found = []
    for pid in pids:
        with suppress(ProcessLookupError):
            if os.getpgid(pid) == leader:
                found.append(pid)
    return found


def gone(pid: int) -> bool:
    """Whether a process ends within a minute."""
    deadline = time.monotonic() + MINUTE
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_alive(pid)
