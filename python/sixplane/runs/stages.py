"""The boards of a stage of a run, as its settings name them, which may be those of a damaged file."""

from __future__ import annotations

from collections.abc import Mapping


def sides_of(board: object) -> tuple[object, ...] | None:
    """Returns rows and columns of a board: a side, both of them, or a table with `size`; None: it has none.

    Nothing is checked.

    Example:
        >>> sides_of(9), sides_of([9, 13]), sides_of({"size": 7, "share": 0.5})
        ((9, 9), (9, 13), (7, 7))
    """
    if isinstance(board, Mapping):
        board = board.get("size")
    if board is None:
        return None
    return tuple(board) if isinstance(board, list | tuple) else (board, board)


def says_boards(stage: Mapping[str, object]) -> bool:
    """Returns whether a stage says its boards; one that does not has those of the run."""
    return "size" in stage or "sizes" in stage


def boards_of_stage(settings: Mapping[str, object], stage: Mapping[str, object]) -> dict[str, object]:
    """Returns `size` and `sizes` of a stage of a run; both are the run's if the stage says neither.

    A stage that says its boards in one way does not have those that the run says in the other. But the
    `size` of the run is the board of the judge wherever it is mixed with others.

    Example:
        >>> boards_of_stage({"size": 9}, {"sizes": [5, 9, 13]})
        {'size': 9, 'sizes': [5, 9, 13]}
        >>> boards_of_stage({"size": 9}, {"sizes": [13, 19]})
        {'size': None, 'sizes': [13, 19]}
    """
    names = ("size", "sizes")
    if not says_boards(stage):
        return {name: settings.get(name) for name in names}
    size, sizes = (stage.get(name) for name in names)
    if "size" not in stage and isinstance(sizes, list | tuple):
        own = sides_of(settings.get("size"))
        if own is not None and own in map(sides_of, sizes):
            size = settings["size"]
    return {"size": size, "sizes": sizes}
