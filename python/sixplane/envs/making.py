"""What `gymnasium.make` calls: the environment of a game, with an opponent if one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sixplane.envs.rendering import LIBRARIES
from sixplane.envs.single import GoEnv, GomokuEnv, ReversiEnv

if TYPE_CHECKING:
    from sixplane.agents.agent import Agent
    from sixplane.envs.opponent import VsOpponent
    from sixplane.envs.single import BoardGameEnv

__all__ = ["Maker", "go", "gomoku", "reversi"]


class Maker:
    """Makes environments of one game.

    Args:
        env_class: the environment of both players.
    """

    def __init__(self, env_class: type[BoardGameEnv]) -> None:
        self._env_class = env_class
        # Gymnasium looks here before it makes anything. All modes are listed, so that the environment
        # is asked for one whose library is missing, and can say so.
        self.metadata: dict[str, Any] = {**env_class.metadata, "render_modes": list(LIBRARIES)}

    def __call__(
        self, *, opponent: str | Agent | None = None, seat: str | None = None, **options: Any
    ) -> BoardGameEnv | VsOpponent:
        """An environment.

        Args:
            opponent: of one player, who is then the learner: an agent, or its spec such as
                `"mcts:simulations=100"`; None: both players are the learner's.
            seat: the learner's, as of `VsOpponent`; `"black"` unless given.
            options: of the environment.

        Raises:
            TypeError, ValueError: as of the environment and of `VsOpponent`; or a seat without an
                opponent.
        """
        env = self._env_class(**options)
        if opponent is None:
            if seat is not None:
                raise ValueError(f"seat={seat!r} needs an opponent, such as opponent='random'")
            return env
        from sixplane.envs.opponent import VsOpponent

        return VsOpponent(env, opponent, "black" if seat is None else seat)


go = Maker(GoEnv)
gomoku = Maker(GomokuEnv)
reversi = Maker(ReversiEnv)
