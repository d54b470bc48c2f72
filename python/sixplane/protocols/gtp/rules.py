"""Reads and writes the rules of Go by KataGo's names, and says where handicap stones stand."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from sixplane._core import GO_RULES, Go
from sixplane.games import has_liberties

if TYPE_CHECKING:
    from sixplane._core import Game, _GoRules

    #: Rules of a game as its class takes them; a game of Reversi has a limit of moves alone.
    Rules: TypeAlias = _GoRules

#: The rules that are the same in every game.
FIXED: Final[dict[str, str | bool]] = {
    "scoring": "AREA", "tax": "NONE", "hasButton": False, "whiteHandicapBonus": "0",
    "friendlyPassOk": False,
}  # fmt: skip

#: Stones of the smallest handicap, and of the largest that has fixed points.
FEWEST_STONES: Final = 2
MOST_FIXED: Final = 9


def rules_of(game: Game) -> Rules:
    """Returns the rules of a game that may be chosen, and its limit of moves."""
    limit: Rules = {"max_moves": game.max_moves}
    if not has_liberties(game):
        return limit
    return {"komi": game.komi, "ko": game.ko, "suicide": game.suicide, **limit}


def rules_json(rules: Rules) -> str:
    """Writes the rules of a game of Go as KataGo does."""
    own = {"ko": rules["ko"].upper(), "suicide": rules["suicide"]}
    return json.dumps({**own, **FIXED}, sort_keys=True)


def read_rules(text: str) -> Rules:
    """Reads rules from a name or from JSON.

    Raises:
        ValueError: an unknown name, a rule that is not offered, or broken JSON.
    """
    text = text.strip()
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError("the rules are no JSON") from error
        rules: Rules = {}
        for name, value in found.items():
            rules |= read_rule(name, value)
        return rules
    name = text.lower().replace("_", "-")
    if name not in GO_RULES:
        raise ValueError(f"unknown rules {text[:40]!r}: {', '.join(GO_RULES)} are known; all count by area")
    ko, suicide = GO_RULES[name]
    return {"ko": ko, "suicide": suicide}


def read_rule(name: str, value: object) -> Rules:
    """Reads one of KataGo's rules; returns none if the rule holds anyway.

    Raises:
        ValueError: a rule that is not offered.
    """
    match name, str(value).lower():
        case "ko", "simple" | "positional" | "situational" as ko:
            return {"ko": ko}
        case "suicide", "true" | "false" as suicide:
            return {"suicide": suicide == "true"}
        case "komi", komi:
            with suppress(ValueError):
                return {"komi": float(komi)}
        case _, word if name in FIXED and word == str(FIXED[name]).lower():
            return {}
    raise ValueError(f"no rule {name[:40]} {str(value)[:40]}")


def fixed_points(rows: int, cols: int, count: int) -> list[int] | None:
    """Returns the points of `fixed_handicap`; None where the protocol has none."""
    if count < FEWEST_STONES:
        return None
    try:
        game = Go((rows, cols), handicap=count)
    except ValueError:
        return None
    return [int(point) for point in game.planes[0].ravel().nonzero()[0]]


def free_points(rows: int, cols: int, count: int) -> list[int] | None:
    """Returns points for `place_free_handicap`, maybe fewer than `count`; None if the board is too small.

    They are the fixed points of the largest handicap up to `count` that has some; else two points
    next to the middle.
    """
    if not FEWEST_STONES <= count < rows * cols:
        return None
    for fewer in range(min(count, MOST_FIXED), FEWEST_STONES - 1, -1):
        points = fixed_points(rows, cols, fewer)
        if points is not None:
            return points
    middle = ((rows - 1) / 2, (cols - 1) / 2)

    def distance(point: int) -> float:
        row, col = divmod(point, cols)
        return (row - middle[0]) ** 2 + (col - middle[1]) ** 2

    return sorted(range(rows * cols), key=distance)[:FEWEST_STONES]
