"""Numbers that no float holds, and things that are no number, where a number is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import sixplane
from sixplane.agents import GomocupAgent, GTPAgent, MCTSAgent, RandomAgent
from sixplane.ladder import nearest
from sixplane.match import ratings
from sixplane.match.rate import Rater
from sixplane.match.referee import play
from sixplane.nets import Architecture, Network

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS: dict[str, Callable[[Any], object]] = {
    "temperature": lambda number: MCTSAgent(temperature=number),
    "the time": lambda number: GTPAgent("gnugo").limit_time(number),
    "seconds": lambda number: GomocupAgent("pbrain-x", seconds=number),
    "the Elo of a rung": lambda number: nearest(sixplane.Go(), number),
    "about": lambda number: Rater("random", sixplane.Go(), about=number),
    "prior": lambda number: ratings([("a", "b", 1, 2)], prior=number),
    "seconds_per_move": lambda number: play(
        RandomAgent(), RandomAgent(), sixplane.Go(), seconds_per_move=number
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_no_float_holds_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} is too large for a float$"):
        CALLS[name](10**5000)
    with pytest.raises(TypeError, match=f"^{name} must be a number, not str$"):
        CALLS[name]("1")


def test_a_komi_that_no_float_holds_is_refused() -> None:
    shape = Architecture("go", blocks=1, channels=2)
    with pytest.raises(ValueError, match="komi is too large for a float"):
        Network(shape, shape.random_parameters(seed=1), komi=10**400)
    gymgo = pytest.importorskip("sixplane.gymgo")
    with pytest.raises(ValueError, match="komi is too large for a float"):
        gymgo.GoEnv(komi=10**400)
    with pytest.raises(TypeError, match="komi must be a number, not str"):
        gymgo.GoEnv(komi="1")
