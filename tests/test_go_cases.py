"""Sixplane's Go passes every case of `tests/data`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import sixplane
from go_case_files import Case, read_cases, run_case

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SIGNS = {0: ".", 1: "X", -1: "O"}


def draw(signs: npt.NDArray[np.int8]) -> list[str]:
    """Rows of `X` for +1, `O` for -1 and `.` for 0."""
    return [" ".join(SIGNS[int(sign)] for sign in row) for row in signs]


class Product:
    """Sixplane answers the cases, from outside: through what its game object offers."""

    def __init__(self, drawing: list[str], turn: str, *, ko: str, suicide: bool, komi: float) -> None:
        rules = {"ko": ko, "suicide": suicide, "komi": komi}
        self.game = sixplane.Go.from_text("\n".join(drawing), turn, **rules)  # type: ignore[arg-type]

    def play(self, action: int) -> str | None:
        before = self.game.copy()
        try:
            self.game.play(action)
        except sixplane.IllegalActionError as error:
            assert self.game == before
            return error.reason
        return None

    def reason(self, action: int) -> str | None:
        twin = Product.__new__(Product)
        twin.game = self.game.copy()
        return twin.play(action)

    def set_turn(self, color: str) -> None:
        self.game.set_turn(color)  # type: ignore[arg-type]

    def drawing(self) -> list[str]:
        planes = self.game.planes
        return draw(planes[0].astype("int8") - planes[1].astype("int8"))

    def owners(self) -> list[str]:
        return draw(self.game.ownership())

    def to_play(self) -> str:
        return ("black", "white")[self.game.turn]

    def is_over(self) -> bool:
        return self.game.is_over

    def captures(self) -> tuple[int, int]:
        return self.game.captures

    def liberties_at(self, action: int) -> int:
        return int(self.game.liberties().flat[action])

    def is_eye(self, action: int, color: str, rule: str) -> bool:
        return self.game.is_eye(action, color, rule)  # type: ignore[arg-type]

    def areas(self) -> tuple[int, int]:
        return self.game.areas()

    def score(self) -> float:
        return self.game.score()


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_go_passes_every_case(case: Case) -> None:
    run_case(case, Product)


def test_names_of_points_are_those_of_the_cases() -> None:
    for rows, cols in [(2, 2), (3, 5), (25, 25)]:
        case = Case("", "", board=[" ".join("." * cols)] * rows)
        game = sixplane.Go(size=(rows, cols))
        for action in range(game.num_actions):
            name = game.action_to_name(action)
            assert case.action(name) == action
            assert game.name_to_action(name) == action
            assert game.name_to_action(name.lower()) == action
