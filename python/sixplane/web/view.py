"""The state of a session as a page gets it: a picture of the board, and all that stands around it."""

from __future__ import annotations

import dataclasses
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypedDict

import numpy as np

from sixplane.agents.called import level_name
from sixplane.agents.score_table import ScoreTableAgent
from sixplane.games import COLORS, info_of
from sixplane.games.style import Style
from sixplane.render.board import draw_stones
from sixplane.render.game import game_svg
from sixplane.render.layout import CELL, Layout
from sixplane.web.record_marks import SHAPES
from sixplane.web.refusal import one_line

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import ArrayLike, NDArray

    from sixplane._core import Game, Go
    from sixplane.games import GameInfo
    from sixplane.web.counting import Counting
    from sixplane.web.insight import Insight
    from sixplane.web.record_marks import Mark
    from sixplane.web.requested import Display, Theme
    from sixplane.web.session import Snapshot
    from sixplane.web.tree import Place, Source

#: The number of points on which an overlay writes numbers, unless the page asks for all.
MOST_NUMBERS: Final = 5

#: The most characters of the line about an error of an agent, of a fact of a record and of a comment. What
#: is shown to be cut off is there when the record is saved.
LONGEST_LINE: Final = 300
LONGEST_FACT: Final = 80
LONGEST_COMMENT: Final = 4_000

#: The number of pictures that are kept, so that going back in a game is fast.
KEPT: Final = 64

#: The games in a row that a person wins or loses before the page proposes another level.
LEAST_STREAK: Final = 2

#: The colors of the themes; the classic theme has the colors of the game.
THEMES: Final = {
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

#: The same for squares, which need a darker ground for white discs to stand out.
SQUARES: Final = THEMES | {"paper": THEMES["paper"] | {"board": "#cfdccb", "ink": "#98a892"}}


class Layers(TypedDict, total=False):
    """What is drawn over a board, as `game_svg` takes it."""

    heat: ArrayLike
    heat_text: bool | int
    ownership: bool | ArrayLike


def state(snapshot: Snapshot, display: Display) -> dict[str, object]:
    """Returns the message that shows a page how the session stands; values as JSON has them."""
    players, shown, line = snapshot.players, snapshot.shown, snapshot.line
    info = info_of(shown)
    is_live = snapshot.places[snapshot.at] == snapshot.live
    clock = {"spent": snapshot.spent, "left": snapshot.left, "limit": players.seconds_per_move}
    counting = snapshot.counting if is_live else None
    counted = None if counting is None else counting.rest()
    insight, by_hint = (line[snapshot.at].insights.get(source) for source in (display.of, "hint"))
    return {
        "type": "state",
        "version": snapshot.version,
        "serial": snapshot.serial,
        **position(shown, display, scored=is_live, insight=insight, counted=counted),
        "at": snapshot.at,
        "moves": [[place.color, info.name_of(shown, place.action)] for place in line[1:]],
        "seconds": [place.seconds for place in line[1:]],
        "place": snapshot.places[snapshot.at],
        "branch": snapshot.branch,
        "record_marks": [[point, *mark] for point, mark in _marks(snapshot, counting, counted).items()],
        "about": {fact: _shortened_line(text) for fact, text in snapshot.about.items()},
        "comment": _shortened(line[snapshot.at].comment, LONGEST_COMMENT),
        "next": _branches(shown, snapshot.next),
        "beside": _branches(shown, snapshot.beside),
        "forks": snapshot.forks,
        "is_live": is_live,
        "played": snapshot.game.move_number,
        "tally": info.tally(shown) if counted is None else _points(counted),
        "counting": None if counting is None else _counting(counting, counted),
        "players": [
            {"name": name, "is_person": is_person}
            for name, is_person in zip(players.names, players.persons, strict=True)
        ],
        "clock": {**clock, "running": snapshot.timed},
        "is_thinking": snapshot.is_thinking,
        "hint": snapshot.hint,
        "hint_black": None if by_hint is None else _chance_of_black(by_hint),
        "result": _result(snapshot),
        "level": None if players.level is None else players.level.number,
        "streak": _streak(snapshot),
        "is_played": snapshot.is_played,
        "can_undo": snapshot.can_undo,
        "can_stop": snapshot.can_stop,
        "sources": snapshot.sources,
        "insight": _insight(insight),
        "table": _table(shown, display),
        "is_asking": snapshot.is_asking,
        "curves": _curves(line, snapshot.sources),
    }


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} …"


def _shortened_line(text: str) -> str:
    return _shortened(one_line(text, LONGEST_FACT + 1), LONGEST_FACT)


def _branches(game: Game, places: list[tuple[int, Place]]) -> list[tuple[int, int, str]]:
    info = info_of(game)
    return [(number, place.color, info.name_of(game, place.action)) for number, place in places]


def _points(counted: Go) -> tuple[str, float, float]:
    """Returns the points of both players: area, and komi for White."""
    black, white = counted.areas()
    return "points", black, white + counted.komi


def _marks(snapshot: Snapshot, counting: Counting | None, counted: Go | None) -> dict[int, Mark]:
    """Returns the marks of the record, and a cross on each dead stone that nobody's area shows."""
    marks = dict(snapshot.line[snapshot.at].marks)
    if counting is not None and counted is not None:
        owners = counted.ownership().ravel()
        marks |= {point: (SHAPES["MA"], "") for point in sorted(counting.dead) if not owners[point]}
    return marks


def _counting(counting: Counting, counted: Go | None) -> dict[str, object]:
    """Returns the marks on dead stones, and the score without these stones from Black's view."""
    return {
        "dead": sorted(counting.dead),
        "agreed": list(counting.agreed),
        "score": 0.0 if counted is None else counted.score(),
    }


def _insight(insight: Insight | None) -> dict[str, object] | None:
    if insight is None:
        return None
    return {
        "black": _chance_of_black(insight),
        "proven": None if insight.proven is None else _winner(insight.proven, insight.turn),
        "candidates": [
            {
                "action": action,
                "policy": round(float(insight.policy[action]), 4),
                "visits": None if insight.visits is None else int(insight.visits[action]),
                "line": insight.lines.get(action, [action]),
            }
            for action in insight.candidates
        ],
    }


def _table_scores(game: Game, display: Display) -> NDArray[np.int64] | None:
    """Scores the points by the score table, `(rows, cols)`, each for the player who gains more there."""
    if display.overlay != "table" or not info_of(game).has_score_table or game.is_over:
        return None
    own, other = ScoreTableAgent.scores(game)
    best: NDArray[np.int64] = np.maximum(own, other)
    return best


def _table(game: Game, display: Display) -> list[tuple[int, int, int]] | None:
    """Lists the best points by the score table: action, score, and the best pattern of a stone there."""
    scores = _table_scores(game, display)
    if scores is None:
        return None
    patterns = ScoreTableAgent.patterns(game).max(axis=(0, 1)).ravel().tolist()
    best = np.argsort(-scores.ravel(), kind="stable")[:MOST_NUMBERS].tolist()
    return [(point, int(scores.flat[point]), patterns[point]) for point in best]


def _curves(line: list[Place], sources: list[Source]) -> dict[Source, list[list[float]]]:
    """Returns the chances of Black along a line, by agent: number of actions, and chance from 0 to 1."""
    curves: dict[Source, list[list[float]]] = {}
    for source in sources:
        # Each is read once, because an agent in a thread may remove its answer.
        found = [(place.depth, place.insights.get(source)) for place in line]
        points = [
            [depth, chance]
            for depth, insight in found
            if insight is not None and (chance := _chance_of_black(insight)) is not None
        ]
        if points:
            curves[source] = points
    return curves


def _winner(value: int, turn: int) -> str:
    """Returns the winner in a position of this value for the player to play, or `draw`."""
    return COLORS[turn if value > 0 else 1 - turn] if value else "draw"


def _chance_of_black(insight: Insight) -> float | None:
    """Returns the chance that Black wins, from 0 to 1; None if the agent gives no value."""
    if math.isnan(insight.value):
        return None
    return round((1 + (-insight.value if insight.turn else insight.value)) / 2, 4)


def position(
    game: Game,
    display: Display,
    *,
    scored: bool = True,
    insight: Insight | None = None,
    counted: Go | None = None,
) -> dict[str, object]:
    """Returns the position as `static/board.js` shows it; values as JSON has them.

    Args:
        game: game at the position.
        display: how the page shows the board.
        scored: whether a game that ended by two passes shows the owner of each point.
        insight: what an agent has found, of which the display may show a part.
        counted: the board without the stones that the players mark as dead after two passes.
    """
    info = info_of(game)
    is_scored = scored and game.ending == "passes" and hasattr(game, "ownership")
    layers: Layers = {} if insight is None else _layers(insight, display)
    table = _table_scores(game, display)
    if table is not None:
        layers = {"heat": table, "heat_text": True if display.all_numbers else MOST_NUMBERS}
    if counted is not None:
        layers = {"ownership": counted.ownership()}
    return {
        "game": {
            "name": game.name,
            "title": info.title,
            "rows": game.rows,
            "cols": game.cols,
            "has_pass": info.has_pass,
            "passing": info.passing,
            "marks_legal": info.marks_legal,
            "drops": info.style.drops,
            "counts_points": info.counts_points,
            # In the others that do not mark the legal points, only occupied points may not be played on.
            "forbids_points": info.has_liberties,
            "rules": {rule.name: getattr(game, rule.name) for rule in info.rules},
            "max_moves": game.max_moves,
        },
        # What agents say changes too often to be kept.
        "board": _picture(game, display, is_scored, **layers) if layers else _drawn(game, display, is_scored),
        "layout": _layout(game, info, display),
        "stones": _stones(game),
        "names": _coordinates(game, info),
        "last": game.last_action,
        "turn": game.turn,
        "legal": [] if game.is_over else game.legal_actions.tolist(),
    }


def stone_pictures() -> list[str]:
    """Returns a black and a white stone as SVG pictures around the origin, for a page to show anywhere."""
    size = f'aria-hidden="true" viewBox="{-CELL / 2:g} {-CELL / 2:g} {CELL:g} {CELL:g}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{draw_stones(color, [(0.0, 0.0)])}</svg>'
        for color in (0, 1)
    ]


def _style(info: GameInfo[Game], theme: Theme) -> Style:
    colors = {} if theme == "classic" else (SQUARES if info.style.squares else THEMES)[theme]
    return dataclasses.replace(info.style, **colors)  # type: ignore[arg-type] # colors are texts


@lru_cache(KEPT)
def _drawn(game: Game, display: Display, scored: bool) -> str:
    return _picture(game, display, scored)


def _picture(game: Game, display: Display, scored: bool, **layers: Unpack[Layers]) -> str:
    info = info_of(game)
    options: Layers = {"ownership": True} if scored else {}
    return game_svg(
        game,
        _style(info, display.theme),
        coordinates=display.coordinates,
        numbers=display.numbers,
        invalid=display.marks and not info.marks_legal and not game.is_over,
        **(options | layers),
    )


def _layers(insight: Insight, display: Display) -> Layers:
    """Returns the part of an insight that a page draws on the board."""
    overlay, written = display.overlay, True if display.all_numbers else MOST_NUMBERS
    if overlay == "policy":
        return {"heat": insight.policy, "heat_text": written}
    if overlay == "visits" and insight.visits is not None:
        return {"heat": insight.visits, "heat_text": written}
    if overlay == "values" and insight.values is not None:
        # The chances of the player to play, where the search has looked closely.
        chances = np.full(len(insight.values), np.nan)
        chances[insight.candidates] = (1 + insight.values[insight.candidates]) / 2
        return {"heat": chances, "heat_text": written}
    if overlay == "ownership" and insight.ownership is not None:
        return {"ownership": insight.ownership}
    return {}


def _layout(game: Game, info: GameInfo[Game], display: Display) -> dict[str, float]:
    layout = Layout(game.rows, game.cols, info.style, display.coordinates)
    (left, top), (right, below) = layout.center(0), layout.center(game.cols)
    return {
        "width": layout.width,
        "height": layout.height,
        "margin": layout.margin,
        "cell": CELL,
        "top": top,
        "row": below - top,
        "slant": right - left,
    }


def _stones(game: Game) -> str:
    """Returns one character for each point: `.`, `b` or `w`."""
    black, white = game.planes[0].ravel(), game.planes[1].ravel()
    return "".join(np.where(black == 1, "b", np.where(white == 1, "w", ".")).tolist())


def _coordinates(game: Game, info: GameInfo[Game]) -> dict[str, list[str]]:
    letters, numbers = info.style.coordinates(game.rows, game.cols)
    return {"cols": letters, "rows": numbers}


def _streak(snapshot: Snapshot) -> dict[str, object] | None:
    """Says how often in a row the person has won or lost, and which level is next; None: nothing."""
    streak, level = snapshot.streak, snapshot.streak.next_level
    if snapshot.result is None or level is None or abs(streak.count) < LEAST_STREAK:
        return None
    return {"count": streak.count, "level": level.number, "name": level_name(level)}


def _result(snapshot: Snapshot) -> dict[str, object] | None:
    result = snapshot.result
    if result is None:
        return None
    return {
        "winner": result.winner,
        "ending": result.ending,
        "margin": abs(result.score),
        # Nobody asks by how many tenths of a second a player was late.
        "detail": ""
        if result.ending == "time"
        else one_line(result.detail[:1].upper() + result.detail[1:], LONGEST_LINE),
        "by_line": not info_of(snapshot.game).counts_points,
    }
