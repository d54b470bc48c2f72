"""A game as the board of a notebook gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sixplane.web.refusal import one_line
from sixplane.web.view import position

if TYPE_CHECKING:
    from sixplane.web.display import Display
    from sixplane.web.session import PageSession

__all__ = ["LONGEST_LINE", "board_state"]

#: Characters of the line that says what an agent has raised.
LONGEST_LINE: Final = 300


def board_state(session: PageSession, display: Display, looked_at: int | None) -> dict[str, object]:
    """What a board shows; values as JSON has them.

    Args:
        session: the game with its players.
        display: how boards are shown.
        looked_at: after how many actions the position is that is looked at; None: the last one.
    """
    snapshot = session.snapshot()
    game, result = snapshot.game, snapshot.result
    past, at = game.copy(), game.move_number if looked_at is None else min(looked_at, game.move_number)
    moves: list[tuple[int, str]] = []
    shown = game
    while (number := past.move_number) > 0:
        if number == at and shown is game and at < game.move_number:
            shown = past.copy()
        action = past.last_action
        assert action is not None  # noqa: S101 - a move has been played
        # What is taken back between two moves, such as a change of the turn, is no move.
        while past.move_number == number:
            past.undo()
        moves.append((past.turn, game.action_to_name(action)))
    if at == 0 < game.move_number:
        shown = past
    return {
        **position(shown, display, scored=shown is game),
        "serial": snapshot.serial,
        "at": at,
        "moves": moves[::-1],
        "players": [
            {"name": name, "is_person": is_person}
            for name, is_person in zip(snapshot.players.names, snapshot.players.persons, strict=True)
        ],
        "is_thinking": snapshot.is_thinking,
        "can_undo": snapshot.can_undo,
        "marks": display.marks,
        "result": None
        if result is None
        else {
            "winner": result.winner,
            "reason": result.reason,
            "margin": abs(result.score),
            "detail": one_line(result.detail[:1].upper() + result.detail[1:], LONGEST_LINE),
            "by_line": game.reason == "line",
        },
    }
