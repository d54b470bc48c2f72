"""The playthroughs of `tests/playthroughs` show what sixplane shows, and what the naive Go shows.

`SIXPLANE_REGENERATE=1 cargo test --test go_playthrough` writes them anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from go_case_files import Case
from naive_go import NaiveGo

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FILES = sorted((Path(__file__).parent / "playthroughs").glob("go_*.txt"))
PLANES = ("black", "white", "turn", "invalid", "pass", "done")


class Playthrough:
    """The head of a file."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text(encoding="utf-8")
        self.head, _, _ = self.text.partition("\n\n")
        fields = dict(line.split(":", 1) for line in self.head.splitlines())
        self.rows, self.cols = map(int, fields["size"].split())
        self.rules: dict[str, Any] = {
            "ko": fields["ko"].strip(),
            "suicide": fields["suicide"].strip() == "yes",
            "komi": float(fields["komi"]),
        }
        self.actions = fields["actions"].split()
        self.names = Case("", "", board=[" ".join("." * self.cols)] * self.rows)

    def blocks(self) -> list[str]:
        """What the file shows, one block a step."""
        return self.text.split("\n\n")[1:]

    def show(self, planes: npt.NDArray[np.uint8]) -> list[str]:
        """The board and the six planes side by side."""
        width = max(2 * self.cols - 1, len("invalid"))
        board = planes[0] + 2 * planes[1]
        columns = [["board", *(" ".join(".XO"[cell] for cell in row) for row in board)]]
        for name, plane in zip(PLANES, planes, strict=True):
            columns.append([name, *(" ".join(".1"[cell] for cell in row) for row in plane)])
        lines = zip(*columns, strict=True)
        return ["  ".join(cell.ljust(width) for cell in line).rstrip() for line in lines]

    def legal(self, mask: npt.NDArray[np.int8]) -> str:
        """The names of the legal actions."""
        columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
        names = [
            f"{columns[action % self.cols]}{self.rows - action // self.cols}"
            for action in range(len(mask) - 1)
            if mask[action]
        ]
        return "legal: " + (" ".join([*names, "pass"] if mask[-1] else names) or "none")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthroughs_show_what_the_game_shows(path: Path) -> None:
    through = Playthrough(path)
    game = sixplane.Go(size=(through.rows, through.cols), **through.rules)
    shown = []
    for step, word in enumerate(["start", *through.actions]):
        title = f"{step}. {word}"
        if word.startswith("="):
            game.set_turn(word[1:])  # type: ignore[arg-type]
        elif step > 0:
            title = f"{step}. {('black', 'white')[game.turn]} {word}"
            game.play(game.name_to_action(word))
        captures = game.captures
        lines = [
            title,
            *through.show(game.planes),
            through.legal(game.action_mask),
            f"captures: {captures[0]} {captures[1]}",
            f"score: {game.score():.1f}",
            f"outcome: {str(game.outcome).lower()}",
            f"hash: {game.hash:016x}",
        ]
        shown.append("\n".join(lines))
    assert "\n\n".join([through.head, *shown]) + "\n" == through.text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthroughs_show_what_the_naive_game_shows(path: Path) -> None:
    through = Playthrough(path)
    game = NaiveGo(through.rows, through.cols, **through.rules)
    for word, block in zip(["start", *through.actions], through.blocks(), strict=True):
        if word.startswith("="):
            game.set_turn("X" if word == "=black" else "O")
        elif word != "start":
            game.play(through.names.action(word))
        lines = [
            *through.show(game.planes),
            through.legal(game.action_mask),
            f"captures: {game.captures['X']} {game.captures['O']}",
            f"score: {game.score():.1f}",
        ]
        assert block.splitlines()[1 : len(lines) + 1] == lines
