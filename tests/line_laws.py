"""Laws of the protocols that hold whatever lines a client sends; bytes decide the lines.

A byte below 128 is its character, one from 128 up stands for a whole word of the protocol, so that lines
with a meaning are not rare.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import sixplane
from sixplane.agents import MCTSAgent, RandomAgent
from sixplane.protocols.gomocup import GomocupEngine
from sixplane.protocols.gtp import GTPEngine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["gomocup_answers_every_line", "gtp_answers_every_line"]

_GTP_WORDS: Final = """
    1 2 3 5 7.5 9 0 -1 black white b w pass resign A1 B2 C3 D4 E5 T1 I1 alive dead seki ko suicide SIMPLE
    POSITIONAL tromp-taylor interval ownership true minmoves maxmoves rootInfo
    avoid allow pvVisits A1,B2 C3,pass
"""
_GOMOCUP_WORDS: Final = """
    0 1 2 3 4 5 6 7 15 20 START RECTSTART RESTART BEGIN TURN BOARD DONE TAKEBACK INFO rule timeout_turn
    timeout_match time_left END ABOUT 0,0 1,1 2,2 3,3 4,4 5,0 0,5 6,6 3,3,1 4,4,2 5,5,1 5,5,2
"""
#: Whole boards: both colors have five in a row, or one has.
_BOARDS: Final = (
    "BOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n4,0,1\n0,1,2\n1,1,2\n2,1,2\n3,1,2\n4,1,2\nDONE\n",
    "BOARD\n0,0,1\n1,1,1\n2,2,1\n3,3,1\n4,4,1\n5,5,1\n",
    "0,2,2\n1,2,2\n2,2,2\n3,2,2\n4,2,2\n5,2,2\n6,2,2\nDONE\n",
)
_NEWLINES: Final = ("\n",) * 6


def _lines(data: bytes, words: Sequence[str]) -> Iterator[str]:
    text = "".join(chr(byte) if byte < 128 else f"{words[byte % len(words)]} " for byte in data)
    for line in text.split("\n"):
        yield line.strip(" ")


def gtp_answers_every_line(data: bytes) -> None:
    """Each command has one answer, a refused one changes nothing, and the engine goes on."""
    agent = MCTSAgent(simulations=4, seed=1) if data[:1] > b"\x7f" else RandomAgent(seed=1)
    game = sixplane.Reversi(6) if data[1:2] > b"\xc0" else sixplane.Go(5)
    engine = GTPEngine(game, agent)
    words = [*engine.answer("list_commands")[1:].split(), *_GTP_WORDS.split(), *_NEWLINES]
    for line in _lines(data[2:], words):
        if "loadsgf" in line:
            continue  # it reads files of this machine
        before = engine.game
        answer = engine.answer(line)
        if answer:
            assert re.match(r"[=?]\d*([ \n]|$)", answer), f"{line!r}: {answer!r}"
            assert answer.endswith("\n\n"), f"{line!r}: {answer!r}"
            assert "\n\n" not in answer[:-2], f"{line!r}: {answer!r}"
        if not answer.startswith("="):
            assert engine.game == before, f"{line!r} was refused, yet the game changed"
        if engine.has_quit:
            break
    assert engine.answer("showboard").startswith("=")


def gomocup_answers_every_line(data: bytes) -> None:
    """Each line has an answer of the protocol, a move is a free point, and the engine goes on."""
    engine = GomocupEngine(RandomAgent(seed=1))
    for line in _lines(data, [*_GOMOCUP_WORDS.split(), *_BOARDS, *_NEWLINES]):
        if "timeout" in line or "time_left" in line:
            continue  # under a limit the clock decides, and a failure could not be shown again
        answer = engine.answer(line)
        assert re.fullmatch(r"|OK|\d+,\d+|(ERROR|UNKNOWN) ?[^\n]*|name=[^\n]*", answer), (
            f"{line!r}: {answer!r}"
        )
        if engine.has_ended:
            break
    engine.answer("START 5")  # within a `BOARD` it is refused, which ends the board
    assert [engine.answer(line) for line in ("START 5", "INFO rule 0", "ABOUT")][:2] == ["OK", ""]
    assert re.fullmatch(r"[0-4],[0-4]", engine.answer("BEGIN"))
