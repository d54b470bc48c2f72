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

#: Stands for either player.
ANYONE: Final = None
#: Stands for no player.
NOONE: Final = -1

#: The number of the player Black, and of the plane of black stones.
BLACK: Final = 0
#: The number of the player White, and of the plane of white stones.
WHITE: Final = 1
#: The turn plane.
TURN_CHNL: Final = 2
#: The invalid plane.
INVD_CHNL: Final = 3
#: The pass plane.
PASS_CHNL: Final = 4
#: The plane that says whether the game is over.
DONE_CHNL: Final = 5

#: How many planes there are.
NUM_CHNLS: Final = 6
