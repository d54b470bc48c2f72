"""Games of a policy against an opponent, which show how good it is."""

from __future__ import annotations

import secrets
from contextlib import ExitStack
from typing import Literal

from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.agents.policy import Policy, PolicyAgent
from sixplane.agents.spec import AgentSpec
from sixplane.match.arena import ArenaResult, arena


def evaluate(
    policy: Policy | Agent | str,
    opponent: Agent | str,
    game: Game,
    games: int = 200,
    *,
    opening_moves: int = 4,
    seed: int | None = None,
    view: Literal["black", "player"] = "player",
    dtype: Literal["float32", "uint8", "bool"] = "float32",
    history: int = 0,
) -> ArenaResult:
    """Lets a policy play many games side by side, half of them with each color.

    Args:
        policy: planes `(k, 6, rows, cols)` and masks `(k, A)` bool -> `(k,)` actions, as of
            `sixplane.agents.PolicyAgent`; or an agent, or the spec of one, such as `"go9"`.
        opponent: an agent, or the spec of one, such as `"random"` or `"mcts:simulations=100"`.
        game: where every game begins.
        games: how many games to play.
        opening_moves: random actions before the players choose; each opening is played with both colors.
        seed: the seed of the openings and the opponent; None takes one from the system.
        view: whose stones come first in the planes that the policy gets, as of `PolicyAgent`.
        dtype: the type of these planes.
        history: how many boards they show; 0 for the six planes.

    Returns:
        Wins, draws and losses of the policy, its score and Wilson's 95 % interval.

    Raises:
        TypeError, ValueError: an argument has no such value, a player does not play this game, or the
            policy gives no actions.

    Example:
        >>> import numpy as np, sixplane
        >>> rng = np.random.default_rng(0)
        >>> def policy(planes, masks):
        ...     return sixplane.sample_legal(masks, rng)
        >>> sixplane.evaluate(policy, "random", sixplane.Reversi(size=6), games=100, seed=1).games
        100
    """
    with ExitStack() as stack:
        player = made(policy, game, stack) if isinstance(policy, str) else policy
        if not isinstance(player, Agent):
            player = PolicyAgent(player, view=view, dtype=dtype, history=history)
        other = made(opponent, game, stack) if isinstance(opponent, str) else opponent
        return arena(player, other, game, games, opening_moves=opening_moves, seed=seed)


def made(text: str, game: Game, stack: ExitStack) -> Agent:
    """Returns the agent itself, or makes one by its spec, which is closed with the stack."""
    spec = AgentSpec.parse(text)
    spec.check_game(game)
    agent = spec.make(secrets.randbits(63))
    if hasattr(agent, "close"):
        stack.callback(agent.close)
    return agent
