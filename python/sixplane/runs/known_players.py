"""Players that people know, as marks on an axis of Elo."""

from __future__ import annotations

from typing import Final

from sixplane._core import Game
from sixplane.agents.called import called
from sixplane.agents.spec import AgentSpec
from sixplane.ladder import LadderError, rungs

#: The simulations of searches that are known players; None: those that do not search.
SIMULATIONS: Final = (None, 100, 400, 1600)

#: What makes a rung of a player that is weaker than people know it.
WEAKENED: Final = {"random", "temperature"}


def known_players(game: Game) -> list[tuple[str, float]]:
    """Lists the rungs of a board that are known players, the weakest first: what each is called, and its Elo.

    A board without a ladder has none.
    """
    try:
        found = [(AgentSpec.parse(rung.spec), rung.elo) for rung in rungs(game)]
    except LadderError:
        return []
    return [
        (called(spec), elo)
        for spec, elo in found
        if spec.options.get("simulations") in SIMULATIONS and not spec.options.keys() & WEAKENED
    ]
