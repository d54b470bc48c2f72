"""The sample game of a report: boards that play by themselves, with what the network thinks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import numpy as np

from sixplane.games import info_of
from sixplane.learn.chart import Curve, curves
from sixplane.render.animation import Clock, animated_svg
from sixplane.render.game import positions, result_text

if TYPE_CHECKING:
    from sixplane.learn.chart import Field
    from sixplane.learn.sample_game import SampleGame

__all__ = ["game_view"]

#: How long each position and the last one is shown.
SECONDS: Final = 0.7
HOLD: Final = 3.5

#: Width and height of the curve of values, about those of a board.
CURVE: Final = (380, 350)

POLICY: Final = "Policy: where the network would play"
OWNERSHIP: Final = "Ownership: whose each point will be"
COLORS: Final = ("Black", "White")
#: So many actions that the network likes are named.
NAMED: Final = 3


def game_view(sample: SampleGame) -> str:
    """The pictures, and a slider to step through them."""
    record = sample.record
    frames = positions(record)
    style = info_of(record).style
    planes, lasts = [planes for planes, _ in frames], [action for _, action in frames]
    policy = animated_svg(
        planes, style, lasts=lasts, heats=[*sample.policies, None], seconds=SECONDS, hold=HOLD, title=POLICY
    )
    pictures = [_picture(POLICY, policy)]
    if sample.ownership is not None:
        owners = list(sample.ownership)
        ownership = animated_svg(
            planes, style, lasts=lasts, ownerships=owners, seconds=SECONDS, hold=HOLD, title=OWNERSHIP
        )
        pictures.append(_picture(OWNERSHIP, ownership))
    told = json.dumps(_told(sample)).replace("<", "\\u003c").replace("&", "\\u0026")
    result = result_text(record) or "not finished"
    return (
        f'<h2>A game of self-play</h2><p class="soft">{record.move_number} actions, {result}.</p>'
        f'<div id="game" data-seconds="{SECONDS}" data-hold="{HOLD}">'
        f'<div class="boards plays">{"".join(pictures)}{_value_curve(sample)}</div>'
        '<div class="player card" hidden="hidden"><button type="button">Pause</button>'
        '<input type="range" min="0" value="0" aria-label="move"/></div><p class="said"></p></div>'
        f'<script type="application/json" id="told">{told}</script>'
    )


def _picture(title: str, svg: str) -> str:
    return f"<figure><figcaption>{title}</figcaption>{svg}</figure>"


def _value_curve(sample: SampleGame) -> str:
    """The value over the moves, with a line that goes along."""
    moves = np.arange(len(sample.values), dtype=np.float64)
    clock = Clock(len(moves) + 1, SECONDS, HOLD)

    def cursor(field: Field) -> str:
        places = [field.x(min(move, len(moves) - 1)) for move in range(len(moves) + 1)]
        line = clock.fade(f'y="{field.top}" width="1.5" height="{field.bottom - field.top}"', "x", places)
        return f'{clock.style()}<g class="cursor">{line}</g>'

    curve = Curve("Black's expected outcome", moves, sample.values)
    return curves("Value", [curve], axis="moves", bounds=(-1.0, 1.0), extra=cursor, size=CURVE)


def _told(sample: SampleGame) -> list[str]:
    """A line about each position: what was played, the value, and what the network would play."""
    record = sample.record
    told = []
    turns = [int(planes[2].any()) for planes, _ in positions(record)]
    for move in range(record.move_number + 1):
        said = "Start"
        if move:
            action = int(record.actions[move - 1])
            said = f"{move}. {COLORS[turns[move - 1]]} {record.action_to_name(action)}"
        if move < record.move_number:
            policy = sample.policies[move]
            best = np.argsort(policy)[::-1][:NAMED].tolist()
            liked = ", ".join(
                f"{record.action_to_name(i)} {100 * policy[i]:.0f} %" for i in best if policy[i]
            )
            said += f" · value {sample.values[move]:+.2f} for Black · next, {COLORS[turns[move]]}: {liked}"
        elif result := result_text(record):
            said += f" · {result}"
        told.append(said)
    return told
