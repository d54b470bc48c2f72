"""A naive score table player for tests: patterns found by playing on in a text of one line."""

from __future__ import annotations

from functools import cache

CENTER = 5
NAMES = (
    "dead",
    "one",
    "sleeping two",
    "open two",
    "sleeping three",
    "open three",
    "four",
    "open four",
    "five",
)
SCORES = dict(zip(NAMES, (0, 2, 9, 12, 19, 22, 29, 32, 40), strict=True))


@cache
def pattern(line: str, exact_five: bool) -> str:
    """What the `X` in the middle of 11 characters is part of; `#` is closed, `.` empty."""
    assert len(line) == 11 and line[CENTER] == "X"
    left, right = line[:CENTER], line[CENTER + 1 :]
    run = 1 + len(left) - len(left.rstrip("X")) + len(right) - len(right.lstrip("X"))
    if run == 5 or (run > 5 and not exact_five):
        return "five"
    nexts = [
        pattern(line[:place] + "X" + line[place + 1 :], exact_five)
        for place, cell in enumerate(line)
        if cell == "."
    ]
    if nexts.count("five") >= 2:
        return "open four"
    following = {
        "five": "four",
        "open four": "open three",
        "four": "sleeping three",
        "open three": "open two",
        "sleeping three": "sleeping two",
        "open two": "one",
        "sleeping two": "one",
        "one": "one",
    }
    for better, name in following.items():
        if better in nexts:
            return name
    return "dead"


class NaiveScoreTable:
    """The player on a board of rows of `X`, `O` and `.`, by (row, column)."""

    def __init__(self, cells: list[list[str]], exact_five: bool) -> None:
        self.cells, self.exact = cells, exact_five
        self.rows, self.cols = len(cells), len(cells[0])

    def patterns(self, row: int, col: int, color: str) -> list[str]:
        """Of the row, the column, the falling and the rising diagonal."""
        found = []
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = ""
            for step in range(-5, 6):
                r, c = row + step * down, col + step * right
                cell = self.cells[r][c] if 0 <= r < self.rows and 0 <= c < self.cols else "#"
                line += "X" if step == 0 or cell == color else "." if cell == "." else "#"
            found.append(pattern(line, self.exact))
        return found

    def worth(self, row: int, col: int, color: str) -> tuple[int, bool, int]:
        """Threat (3 five, 2 cannot be stopped, 1 double three, 0), two ways to five, points."""
        found = self.patterns(row, col, color)
        ways = found.count("four") + 2 * found.count("open four")
        threes = found.count("open three")
        if "five" in found:
            threat = 3
        elif ways >= 2 or (ways == 1 and threes):
            threat = 2
        else:
            threat = 1 if threes >= 2 else 0
        scores = sorted((SCORES[name] for name in found), reverse=True)
        points = sum(score * weight for score, weight in zip(scores, (1000, 100, 10, 1), strict=True))
        return threat, ways >= 2, points

    def best(self, color: str, last: tuple[int, int] | None) -> list[int]:
        """The best points of a board with stones, ascending; `last` is the point played last."""
        other = "XO"["OX".index(color)]
        empty = [(r, c) for r in range(self.rows) for c in range(self.cols) if self.cells[r][c] == "."]
        own = {point: self.worth(*point, color) for point in empty}
        against = {point: self.worth(*point, other) for point in empty}
        mine, theirs = max(own.values()), max(against.values())
        if last and mine[0] == theirs[0] == 0 and sum(row.count(color) for row in self.cells) < 2:
            near = [(r, c) for r, c in empty if max(abs(r - last[0]), abs(c - last[1])) == 1]
            if near:
                return [r * self.cols + c for r, c in near]
        attacks = mine[2] >= theirs[2] if mine[0] == theirs[0] == 0 else mine[0] >= theirs[0]
        first, second = (own, against) if attacks else (against, own)
        highest = max((first[point], second[point]) for point in empty)
        return [r * self.cols + c for r, c in empty if (first[r, c], second[r, c]) == highest]
