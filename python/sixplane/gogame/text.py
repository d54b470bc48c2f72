"""States as text, drawn as GymGo does."""

from __future__ import annotations

import builtins

import numpy as np

from sixplane import _core
from sixplane._arguments import Array
from sixplane.gogame.flags import game_ended, prev_player_passed, turn
from sixplane.govars import BLACK, WHITE

#: The crossings of GymGo's board; `sixplane.render.text` says which is where.
LINES = (("╔", "╤", "╗"), ("╟", "┼", "╢"), ("╚", "╧", "╝"))


def str(state: Array) -> builtins.str:  # noqa: A001 - GymGo's name
    r"""Draws the board as text, with who is to play and the areas.

    Example:
        >>> from sixplane import gogame
        >>> print(gogame.str(gogame.next_state(gogame.init_state(3), 4)).expandtabs(4).replace("2 \n", "2\n"))
            0 1 2
        0   ╔═╤═╗
        1   ╟─○─╢
        2   ╚═╧═╝
            Turn: WHITE, Game State (ONGOING|PASSED|END): ONGOING
            Black Area: 9, White Area: 0
        <BLANKLINE>
    """
    from sixplane.render.text import crossing

    black, white = _core.areas(state)
    _, rows, cols = state.shape
    lines = ["\t" + "".join(f"{col}".ljust(2) for col in range(cols))]
    for row in range(rows):
        cells = [crossing(row, col, rows, cols, LINES) for col in range(cols)]
        for color, disc in ((WHITE, "●"), (BLACK, "○")):
            for col in np.flatnonzero(state[color, row]):
                cells[col] = disc
        lines.append(f"{row}\t" + ("═" if row in {0, rows - 1} else "─").join(cells))
    progress = "END" if game_ended(state) else "PASSED" if prev_player_passed(state) else "ONGOING"
    player = "WHITE" if turn(state) else "BLACK"
    lines.append(f"\tTurn: {player}, Game State (ONGOING|PASSED|END): {progress}")
    lines.append(f"\tBlack Area: {black}, White Area: {white}")
    return "\n".join(lines) + "\n"
