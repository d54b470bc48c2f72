"""A session as a page gets it: a picture of the board, and what the page writes around it."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sixplane.games import info_of
from sixplane.render.board import draw_stones
from sixplane.render.game import game_svg
from sixplane.render.layout import CELL, Layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sixplane._core import Game
    from sixplane.games import GameInfo
    from sixplane.render.style import Style
    from sixplane.web.messages import Show, Theme
    from sixplane.web.session import Snapshot

__all__ = ["position", "state", "stone_pictures"]

#: How many moves back the pictures of a page are kept.
KEPT: Final = 64

THEMES: Final[dict[str, dict[str, str]]] = {
    "classic": {},
    "paper": {
        "board": "#f4efe2",
        "edge": "#e9e2d0",
        "ink": "#6d6757",
        "label": "#625c4c",
        "grain": "#f4efe2",
        "heat": "#2f6f8f",
    },
    "slate": {
        "board": "#5d7282",
        "edge": "#4d606f",
        "ink": "#2b3943",
        "label": "#e3eaef",
        "grain": "#4d606f",
        "heat": "#ffd43b",
    },
}


def state(snapshot: Snapshot, show: Show, looked_at: int | None) -> dict[str, Any]:
    """What a page is told.

    Args:
        snapshot: the session.
        show: how the page shows boards.
        looked_at: after how many actions the position is that the page looks at; None: the last one.
    """
    game, seating = snapshot.game, snapshot.seating
    info = info_of(game)
    at = game.move_number if looked_at is None else min(looked_at, game.move_number)
    is_last = at == game.move_number
    shown = game if is_last else past(game, at)
    clock = {"spent": snapshot.spent, "left": snapshot.left, "limit": seating.seconds_per_move}
    return {
        "type": "state",
        "version": snapshot.version,
        "serial": snapshot.serial,
        **position(shown, show, scored=is_last),
        "at": at,
        "moves": [[color, game.action_to_name(action)] for color, action in moves(game)],
        "tally": info.tally(shown),
        "players": [
            {"name": name, "is_person": is_person}
            for name, is_person in zip(seating.names, seating.persons, strict=True)
        ],
        "clock": {**clock, "running": snapshot.timed},
        "is_thinking": snapshot.is_thinking,
        "hint": snapshot.hint,
        "result": _result(snapshot),
        "can_undo": snapshot.can_undo,
    }


def position(game: Game, show: Show, *, scored: bool = True) -> dict[str, Any]:
    """What a board needs to show a position, as `static/board.js` takes it; values as JSON has them.

    Args:
        game: the position.
        show: how boards are shown.
        scored: whether a game that ended by two passes shows whose area each point is in.
    """
    info = info_of(game)
    return {
        "game": {
            "name": game.name,
            "title": info.title,
            "rows": game.rows,
            "cols": game.cols,
            "has_pass": info.has_pass,
            "marks_legal": info.marks_legal,
            "rules": {rule.name: getattr(game, rule.name) for rule in info.rules},
        },
        "board": _drawn(game, show, scored and game.reason == "passes" and hasattr(game, "ownership")),
        "layout": _layout(game, info, show),
        "stones": _stones(game),
        "names": _coordinates(game, info),
        "last": game.last_action,
        "turn": game.turn,
        "legal": [] if game.is_over else game.legal_actions.tolist(),
    }


def past(game: Game, at: int) -> Game:
    """The game as it was after so many actions."""
    game = game.copy()
    while game.move_number > at:
        game.undo()
    return game


def moves(game: Game) -> list[tuple[int, int]]:
    """The color and the action of every move."""

    def backwards() -> Iterator[tuple[int, int]]:
        earlier = game.copy()
        while (number := earlier.move_number) > 0:
            action = earlier.last_action
            while earlier.move_number == number:
                earlier.undo()
            assert action is not None  # noqa: S101 - a move has been played
            yield earlier.turn, action

    return list(backwards())[::-1]


def stone_pictures() -> list[str]:
    """A black and a white stone around the origin, for a page to show where it likes."""
    size = f'viewBox="{-CELL / 2:g} {-CELL / 2:g} {CELL:g} {CELL:g}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{draw_stones(color, [(0.0, 0.0)])}</svg>'
        for color in (0, 1)
    ]


def _style(info: GameInfo, theme: Theme) -> Style:
    changes: dict[str, Any] = dict(THEMES[theme])
    if info.style.squares and changes:
        # Squares need a darker ground for white discs to stand out.
        changes |= {"paper": {"board": "#cfdccb", "ink": "#98a892"}, "slate": {}}[theme]
    return dataclasses.replace(info.style, **changes)


@lru_cache(KEPT)
def _drawn(game: Game, show: Show, scored: bool) -> str:
    info = info_of(game)
    return game_svg(
        game,
        _style(info, show.theme),
        coordinates=show.coordinates,
        numbers=show.numbers,
        invalid=show.marks and not info.marks_legal and not game.is_over,
        ownership=True if scored else None,
    )


def _layout(game: Game, info: GameInfo, show: Show) -> dict[str, float]:
    layout = Layout(game.rows, game.cols, info.style, show.coordinates)
    return {"width": layout.width, "height": layout.height, "margin": layout.margin, "cell": CELL}


def _stones(game: Game) -> str:
    """A character for each point: `.`, `b` or `w`."""
    black, white = game.planes[0].ravel(), game.planes[1].ravel()
    return "".join(np.where(black == 1, "b", np.where(white == 1, "w", ".")).tolist())


def _coordinates(game: Game, info: GameInfo) -> dict[str, list[str]]:
    letters, numbers = info.style.coordinates(game.rows, game.cols)
    return {"cols": letters, "rows": numbers}


def _result(snapshot: Snapshot) -> dict[str, Any] | None:
    result = snapshot.result
    if result is None:
        return None
    return {
        "winner": result.winner,
        "reason": result.reason,
        "margin": abs(result.score),
        "detail": result.detail,
        "by_line": snapshot.game.reason == "line",
    }
