"""A series of a rating: games against one rung, at once or one after the other."""

from __future__ import annotations

import math
from contextlib import ExitStack
from typing import NamedTuple

import numpy as np

from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.agents.around import AgentForGame, AroundAgent
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.spec import AgentSpec
from sixplane.match.arena import ArenaResult, Contestant, begin, made


class Score(NamedTuple):
    """What an agent scored in a series."""

    points: float
    illegal: int = 0
    """How many games it lost by an illegal action."""


def chooses_at_once(player: Contestant, game: Game) -> bool:
    """Returns whether a player chooses in many games at once as in each alone.

    No program does, nor a search for a time; of others those that have `select_actions`.
    """
    while isinstance(player, AroundAgent):
        player = player.agent_for(game) if isinstance(player, AgentForGame) else player.agent
    if isinstance(player, MCTSAgent):
        return math.isinf(player.limits[1])
    return not isinstance(player, Agent) or hasattr(player, "select_actions")


def play_series(  # noqa: PLR0917 - those of `arena`
    agent: Contestant, rung: Agent, game: Game, games: int, opening_moves: int, seed: int
) -> ArenaResult:
    """Plays the games of `arena`, one after the other unless the agent chooses in many at once.

    So a program is told each game once, and a search for a time keeps its tree, as in a match. Every rung
    chooses in many games at once.
    """
    arena, players = begin(agent, rung, game, games, None, opening_moves, seed)
    return arena.run(players, at_once=chooses_at_once(agent, game))


def score_of_series(  # noqa: PLR0917 - as a process gets it
    agent: Contestant | str,
    opponent: str,
    opponent_seed: int,
    game: Game,
    games: int,
    opening_moves: int,
    seed: int,
) -> Score:
    """Plays a series in this process, and returns the score of the agent; one of a spec is made for it."""
    with ExitStack() as stack:
        player = made(agent, game, stack) if isinstance(agent, str) else agent
        other = AgentSpec.parse(opponent).make(opponent_seed)
        result = play_series(player, other, game, games, opening_moves, seed)
    is_illegal = np.array(result.endings) == "illegal"
    return Score(result.points, int(np.count_nonzero(is_illegal & (result.results == -1))))
