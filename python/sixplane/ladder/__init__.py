"""Ladders: opponents of known strength for some boards, from random play to the strongest that ships.

A rung is an agent's spec and its Elo above random play, from games of the rungs against each other. What a
rung plays does not depend on the machine: it has simulations, temperatures and shares of random moves, and
no limit of time. Wherever an agent is written, `ladder:1200` is the rung nearest to that Elo on the board
that is played, and `ladder:+3` the third rung above random play. The table of a board also has known players
that are no rungs, such as GNU Go.
"""

from sixplane.ladder.table import KnownPlayer, LadderError, Rung, Table, check, find, nearest, rungs, table_of

__all__ = ["KnownPlayer", "LadderError", "Rung", "Table", "check", "find", "nearest", "rungs", "table_of"]
