"""What an agent finds in a position: where to play, the value, and who will own the points."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeGuard

import numpy as np
from numpy.typing import NDArray

from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.agents.dead_stones import CapturingAgent
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.network import NetworkAgent
from sixplane.games import info_of
from sixplane.nets import Network
from sixplane.protocols.gtp.analysis import ownership_of
from sixplane.search import SearchResult

#: The number of random games that estimate the owners where no network does.
GAMES: Final = 64

#: The largest number of candidates, and their least weight as a part of the best one's.
MOST_CANDIDATES: Final = 12
LEAST_PART: Final = 0.01


@dataclass(frozen=True)
class Insight:
    """What an agent finds in a position with A actions; values are from the view of the player to play."""

    turn: int
    """The color to play."""
    policy: NDArray[np.float64]
    """The probabilities of the actions `(A,)`."""
    value: float
    """The value of the position, from -1 to 1; NaN if the agent gives none."""
    visits: NDArray[np.int64] | None = None
    """The visit counts of the actions `(A,)`; None without a search."""
    values: NDArray[np.float64] | None = None
    """The values of the actions `(A,)`, NaN for those not visited; None without a search."""
    lines: Mapping[int, list[int]] = field(default_factory=dict)
    """The expected line of play of each candidate, which begins with the candidate."""
    proven: int | None = None
    """The exact value of the position, +1, 0 or -1; None if the agent does not know it."""
    ownership: NDArray[np.float64] | None = None
    """The owners of the points `(rows, cols)`, from +1 for Black to -1 for White; None if not asked for."""

    @property
    def candidates(self) -> list[int]:
        """The best actions, the best one first."""
        weights = self.policy if self.visits is None else self.visits
        order = np.argsort(-weights, kind="stable")[:MOST_CANDIDATES].tolist()
        found = [action for action in order if weights[action] > LEAST_PART * weights.max()]
        # An action that wins at once goes first, even if it was seldom visited.
        first = int(self.policy.argmax())
        return [first, *(action for action in found if action != first)]


def has_insight(agent: Agent | None) -> bool:
    """Returns whether an agent gives more than its move."""
    return searches(agent) or isinstance(agent, NetworkAgent)


def searches(agent: Agent | None) -> TypeGuard[MCTSAgent]:
    """Returns whether an agent searches and shows its search, also as the inner agent of another one."""
    return isinstance(agent.agent if isinstance(agent, CapturingAgent) else agent, MCTSAgent)


def searched(agent: MCTSAgent, result: SearchResult, turn: int) -> Insight:
    """Returns the result of the last search of an agent, in a position with this color to play."""
    # An action that loses for certain is no candidate while others are open.
    is_lost = (result.proofs == -1) & (result.proven != -1)
    insight = Insight(
        turn=turn,
        policy=result.policy.astype(np.float64),
        value=min(max(float(result.value), -1.0), 1.0),
        visits=np.where(is_lost, 0, result.visits),
        values=np.clip(result.q.astype(np.float64), -1.0, 1.0),
        proven=result.proven,
    )
    lines = {action: agent.variation(action) or [action] for action in insight.candidates}
    return dataclasses.replace(insight, lines=lines | {result.best_action: result.principal_variation})


def evaluated(agent: NetworkAgent, game: Game) -> Insight:
    """Returns the evaluation of a running game by the evaluator of an agent."""
    policy, value = agent.evaluate(game)
    insight = Insight(game.turn, policy, min(max(value, -1.0), 1.0))
    return dataclasses.replace(insight, lines={action: [action] for action in insight.candidates})


def with_owners(insight: Insight, agent: Agent, game: Game) -> Insight:
    """Returns the same insight with the owners of the points, if the game counts points.

    The network of the agent finds the owners, or else random games do.
    """
    if not info_of(game).counts_points:
        return insight
    evaluator = agent.evaluator if searches(agent) or isinstance(agent, NetworkAgent) else None
    network = evaluator.for_game(game) if evaluator and hasattr(evaluator, "for_game") else evaluator
    if isinstance(network, Network):
        owners = network.evaluate(game.planes[np.newaxis]).ownership[0]
        owners = np.asarray(-owners if game.turn else owners, np.float64)
    else:
        owners = ownership_of(game, 0, GAMES)
    return dataclasses.replace(insight, ownership=owners)
