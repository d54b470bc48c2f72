"""A board for notebooks, to look at and to play on by clicks (`pip install 'sixplane[widget]'`).

| module | holds |
|---|---|
| `board` | `Board`, the widget |
| `shared_agents` | the agents of a notebook, which several boards may ask |
| `static` | what the widget adds to the board of the page `sixplane play --web` |
"""

from sixplane.widget.board import Board

__all__ = ["Board"]
