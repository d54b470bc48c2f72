"""What a search says that a move loses."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sixplane._core import Game
from sixplane.agents.around import AroundAgent
from sixplane.agents.best import best_spec
from sixplane.agents.called import rung_of
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.spec import AgentSpec
from sixplane.search import SearchResult

#: Simulations of a search with a network, and of one without.
WITH_NETWORK: Final = 32
WITHOUT: Final = 400


def judge_of(judge: MCTSAgent | str | None, game: Game) -> MCTSAgent:
    """Returns the search that judges the moves of a game.

    Args:
        judge: a search, or its spec, or that of a rung that searches; None for the best that comes with the
            package, with a number of simulations instead of a second.
        game: the game.

    Raises:
        ValueError: there is no such agent, it does not play this game, or it searches for points.
        TypeError: it does not search.
    """
    agent: object = judge
    if judge is None or isinstance(judge, str):
        read = AgentSpec.parse(best_spec(game) if judge is None else judge)
        if judge is None:
            simulations = WITH_NETWORK if read.kind == "network" else WITHOUT
            options = {name: value for name, value in read.options.items() if name != "seconds"}
            read = replace(read, options=options | {"simulations": simulations})
        if (rung := rung_of(read, game)) is not None:
            read = AgentSpec.parse(rung.spec)
        read.check_game(game)
        agent = read.make(0)
    if isinstance(agent, type) or not hasattr(agent, "consider"):
        raise TypeError(f"the judge must be a search, such as 'mcts:simulations=400', not {judge!r}")
    if _is_for_points(agent):
        raise ValueError(
            "the judge must search for the outcome, whose values are from -1 to 1: leave out reward=margin"
        )
    return agent  # type: ignore[return-value]  # it searches


def _is_for_points(agent: object) -> bool:
    while isinstance(agent, AroundAgent):
        agent = agent.agent
    return isinstance(agent, MCTSAgent) and agent._options.get("reward") == "margin"


def lost_value(judge: MCTSAgent, game: Game, action: int, seed: int) -> float:
    """Says how much value an action loses, from 0 for the best one to 1 for a win thrown away.

    A search names the best action. It and the one that was played are then searched alike: half the
    difference of their values is lost, since values are from -1 to 1. Noise below 0 counts as 0.
    """
    found = _search(judge, game, seed)
    if action == found.best_action or found.proofs[action] == found.proven:
        return 0.0
    best, played = (_value_after(judge, game, one, seed) for one in (found.best_action, action))
    return min(max((best - played) / 2, 0.0), 1.0)


def _value_after(judge: MCTSAgent, game: Game, action: int, seed: int) -> float:
    """Returns the value of an action for its player, by a search after it or by the end of the game."""
    after = game.copy()
    after.play(action)
    if after.is_over:
        return value_for(after, game.turn)
    value = _search(judge, after, seed).value
    return value if after.turn == game.turn else -value


def value_for(game: Game, color: int) -> float:
    """Returns the outcome of a game for a color: +1, 0 or -1; by the score of the board if it is not over."""
    lead = {"black": 1.0, "white": -1.0, "draw": 0.0}[game.outcome] if game.outcome else game.score()
    sign = float((lead > 0) - (lead < 0))
    return sign if color == 0 else 0.0 - sign


def _search(judge: MCTSAgent, game: Game, seed: int) -> SearchResult:
    if hasattr(judge, "reseed"):
        judge.reseed(seed)
    for _ in judge.consider(game):
        pass
    assert judge.result is not None  # noqa: S101 - there is one after each search
    return judge.result
