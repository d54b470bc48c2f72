"""HTML for notebooks: pictures with a few facts, without scripts and style sheets.

Pictures are images. So their styles do not touch the page, and a notebook that is not trusted may show them.
Their alternative text describes the position. Every other text is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from typing import Final
from urllib.parse import quote

from sixplane._core import Game, GameBatch
from sixplane.games import info_of
from sixplane.render.game import game_title
from sixplane.render.words import plain

#: The beginning of a picture: its size, and its title and description, which an image hides from readers.
HEAD: Final = re.compile(
    r'<svg [^>]*?width="(\d+)" height="(\d+)"[^>]*><title>([^<]*)</title>(?:<desc>([^<]*)</desc>)?'
)

#: The width in pixels of a board beside facts, and of one board among others.
WIDTH: Final = 320
SMALL: Final = 150

#: How many games of a batch are shown.
MOST_GAMES: Final = 24

CELL: Final = "padding:0.15em 0.9em 0.15em 0;text-align:left;vertical-align:top"
NAME: Final = f"{CELL};font-weight:normal;white-space:nowrap"


def image(svg: str, shown_width: int | None = None) -> str:
    """Returns an SVG picture as an HTML image that is no wider than the page.

    The image has the width of the picture, or the one to show it in.
    """
    head = HEAD.match(svg)
    assert head is not None  # noqa: S101 - every picture of this package begins so
    width, height = int(head[1]), int(head[2])
    if shown_width is not None:
        width, height = shown_width, round(height * shown_width / width)
    title, description = head[3], head[4]
    words = unescape(f"{title}. {description}" if description else title)
    return (
        f'<img src="data:image/svg+xml,{quote(svg, safe=" /:;=,()")}" alt="{escape(words)}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto"/>'
    )


def table(rows: Iterable[Sequence[object]], heads: Sequence[str] = ()) -> str:
    """Returns an HTML table; the first text of each row is its heading."""
    parts = []
    if heads:
        named = "".join(f'<th scope="col" style="{CELL}">{_text(head)}</th>' for head in heads)
        parts.append(f"<thead><tr>{named}</tr></thead>")
    parts.append("<tbody>")
    for first, *others in rows:
        cells = "".join(f'<td style="{CELL}">{_text(other)}</td>' for other in others)
        parts.append(f'<tr><th scope="row" style="{NAME}">{_text(first)}</th>{cells}</tr>')
    return f'<table style="border-collapse:collapse;margin:0.4em 0">{"".join(parts)}</tbody></table>'


def card(title: str, svg: str | None, *blocks: str) -> str:
    """Returns an HTML block with a title and a picture, and pieces of HTML such as tables beside it."""
    picture = "" if svg is None else f"<div>{image(svg)}</div>"
    facts = f'<div style="min-width:0;overflow-x:auto"><strong>{_text(title)}</strong>{"".join(blocks)}</div>'
    style = "display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start"
    return f'<div style="{style}">{picture}{facts}</div>'


def batch_html(batch: GameBatch, title: str | None = None) -> str:
    """Shows the first games of a batch in a box that scrolls, below how many games there are and are over."""
    games: list[Game] = batch[:MOST_GAMES]
    info, first = info_of(games[0]), games[0]
    facts = f"{len(batch)} games of {info.title} {first.rows}x{first.cols}, {int(batch.dones.sum())} over"
    shown = "" if len(games) == len(batch) else f"; the first {len(games)} are shown"
    boards = "".join(
        f'<div style="width:{SMALL}px">{image(game.to_svg(width=SMALL, coordinates=False))}'
        f'<div style="font-size:smaller">{i}: {_text(game_title(game).partition(", ")[2])}</div></div>'
        for i, game in enumerate(games)
    )
    return (
        f"<div><strong>{_text(f'{title}: {facts}' if title else facts)}</strong>{shown}"
        f'<div style="display:flex;flex-wrap:wrap;gap:0.8em;max-height:32em;overflow:auto" tabindex="0" '
        f'role="group" aria-label="games">{boards}</div></div>'
    )


def _text(value: object) -> str:
    return escape(plain(str(value)))
