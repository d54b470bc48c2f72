"""GymGo's constants: the numbers of players and planes."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ANYONE",
    "BLACK",
    "DONE_CHNL",
    "INVD_CHNL",
    "NOONE",
    "NUM_CHNLS",
    "PASS_CHNL",
    "TURN_CHNL",
    "WHITE",
]

ANYONE: Final = None
NOONE: Final = -1

BLACK: Final = 0
WHITE: Final = 1
TURN_CHNL: Final = 2
INVD_CHNL: Final = 3
PASS_CHNL: Final = 4
DONE_CHNL: Final = 5

NUM_CHNLS: Final = 6
