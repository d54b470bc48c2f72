"""Agents whose errors have no text, or who count no number: they lose, and nothing leaves the referee."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sixplane
from sixplane.match import play


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class Passes:
    """Passes, and counts as it is told."""

    def __init__(self, count: Any = None, error: BaseException | None = None) -> None:
        self.count, self.error = count, error

    def select_action(self, game: sixplane.Game) -> int:
        return game.num_actions - 1

    def final_score(self, _game: sixplane.Game) -> Any:
        if self.error is not None:
            raise self.error
        return self.count


class Fails(Passes):
    def select_action(self, _game: sixplane.Game) -> int:
        assert self.error is not None
        raise self.error


@pytest.mark.parametrize(
    ("agent", "isolate", "said"),
    [
        (Passes(error=Unspeakable()), False, "an error that cannot be shown"),
        (Passes("B+3"), False, "could not convert string to float: 'B+3'"),
        (Passes("B+3"), True, "could not convert string to float: 'B+3'"),
        (Passes(np.array([1.0, 2.0])), False, "only "),
        (Passes(()), False, "float() argument must be"),
    ],
)
def test_who_counts_no_number_loses(agent: Passes, isolate: bool, said: str) -> None:
    result = play(Passes(), agent, sixplane.Go(5), check_score=True, isolate=isolate)
    assert (result.winner, result.ending) == ("black", "error")
    assert said in result.detail


def test_an_error_that_cannot_be_shown_loses() -> None:
    result = play(Fails(error=Unspeakable()), Passes(), sixplane.Go(5))
    assert (result.winner, result.detail) == ("white", "black: Unspeakable: an error that cannot be shown")


@pytest.mark.parametrize("error", [RuntimeError(), SystemExit(3), Unspeakable()])
def test_an_error_after_the_end_changes_nothing(error: BaseException) -> None:
    class Ends(Passes):
        def on_end(self, _result: object) -> None:
            raise error

    assert play(Ends(), Ends(), sixplane.Go(5, komi=0.5)).winner == "white"
