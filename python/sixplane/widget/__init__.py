"""A board for notebooks that shows games and takes clicks (`pip install 'sixplane[widget]'`).

| module | holds |
|---|---|
| `board` | `Board`, the widget |
| `shared_agents` | the agents of a notebook, which several boards may share |
| `static` | what the widget adds to the board of the page `sixplane play --web` |
"""

try:
    import anywidget as _anywidget  # noqa: F401 - the modules of this room need it
    import msgspec as _msgspec  # noqa: F401
    import traitlets as _traitlets  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"a board in a notebook needs {error.name}: pip install 'sixplane[widget]'", name=error.name
    ) from error

from sixplane.widget.board import Board

__all__ = ["Board"]
