"""Rules of Go over GTP: KataGo's names for them, and where handicap stones stand."""

from __future__ import annotations

import json
from typing import Any, Final

from sixplane._core import GO_RULES, Go

__all__ = [
    "FEWEST_STONES",
    "fixed_points",
    "free_points",
    "read_rule",
    "read_rules",
    "rules_json",
]

#: What is the same in all of them.
FIXED: Final[dict[str, Any]] = {
    "scoring": "AREA", "tax": "NONE", "hasButton": False, "whiteHandicapBonus": "0",
    "friendlyPassOk": False,
}  # fmt: skip

#: Stones of the smallest handicap, and of the largest that has fixed points.
FEWEST_STONES: Final = 2
MOST_FIXED: Final = 9


def rules_json(rules: dict[str, Any]) -> str:
    """The rules of a game as KataGo writes them."""
    own = {"ko": rules["ko"].upper(), "suicide": rules["suicide"]}
    return json.dumps({**own, **FIXED}, sort_keys=True)


def read_rules(text: str) -> dict[str, Any]:
    """Options of a game from a name or from JSON.

    Raises:
        ValueError: an unknown name, a rule that is not offered, or broken JSON.
    """
    text = text.strip()
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError("the rules are no JSON") from error
        rules: dict[str, Any] = {}
        for name, value in found.items():
            rules |= read_rule(name, value)
        return rules
    name = text.lower().replace("_", "-")
    if name not in GO_RULES:
        raise ValueError(f"unknown rules {text[:40]!r}: {', '.join(GO_RULES)} are known; all count by area")
    ko, suicide = GO_RULES[name]
    return {"ko": ko, "suicide": suicide}


def read_rule(name: str, value: Any) -> dict[str, Any]:
    """Options of a game from one of KataGo's rules; none if the rule holds anyway.

    Raises:
        ValueError: a rule that is not offered.
    """
    word = str(value).lower()
    if name == "ko" and word in {"simple", "positional", "situational"}:
        return {"ko": word}
    if name == "suicide" and word in {"true", "false"}:
        return {"suicide": word == "true"}
    if name in FIXED and word == str(FIXED[name]).lower():
        return {}
    if name == "komi":
        return {"komi": float(value)}
    raise ValueError(f"no rule {name[:40]} {word[:40]}")


def fixed_points(rows: int, cols: int, count: int) -> list[int] | None:
    """The points of `fixed_handicap`; None where the protocol has none."""
    if count < FEWEST_STONES:
        return None
    try:
        game = Go((rows, cols), handicap=count)
    except ValueError:
        return None
    return [int(point) for point in game.planes[0].ravel().nonzero()[0]]


def free_points(rows: int, cols: int, count: int) -> list[int] | None:
    """Points for `place_free_handicap`, maybe fewer than `count`; None if the board is too small.

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
