"""The games for OpenSpiel, whose algorithms then run on our rules.

It needs OpenSpiel: `pip install 'sixplane[openspiel]'`. Importing this module registers every game of
sixplane, such as `sixplane_go` and `sixplane_connect4`. Their parameters are `size`, which is 0 for the
usual board of Connect Four, the rules of the game, and `max_moves`: 0 for three actions for each point of the
board, after which a game counts as it stands.

OpenSpiel's search in C++ (`pyspiel.MCTSBot`) does not run games in Python; that of
`open_spiel.python.algorithms.mcts` does.

Example:
    >>> import pyspiel
    >>> import sixplane.openspiel
    >>> game = pyspiel.load_game("sixplane_go(size=5,komi=0.5)")
    >>> state = game.new_initial_state()
    >>> state.apply_action(12)
    >>> state.action_to_string(state.legal_actions()[0])
    'A5'
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from sixplane._library import optional

with optional("sixplane.openspiel needs OpenSpiel", "openspiel", "pyspiel"):
    import pyspiel

from collections.abc import Callable, Mapping

import numpy as np
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from sixplane._core import Game
from sixplane.games import GAMES, GameInfo
from sixplane.games.info import long_game

__all__ = ["GAME_CLASSES", "BoardGame", "BoardState"]


class BoardGame(pyspiel.Game):  # type: ignore[misc] # the library has no types here
    """A game in the form of OpenSpiel; `GAME_CLASSES` has the class of each game.

    Args:
        params: the parameters by name.

    Raises:
        ValueError: a parameter cannot have this value.

    Example:
        >>> game = pyspiel.load_game("sixplane_reversi", {"size": 6})
        >>> isinstance(game, BoardGame), game.num_distinct_actions(), game.observation_tensor_shape()
        (True, 37, [6, 6, 6])
    """

    info: ClassVar[GameInfo[Game]]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, params: Mapping[str, bool | int | float | str] | None = None) -> None:
        rules = dict(params or {})
        given = rules.pop("max_moves", 0)
        if rules.get("size") == 0:
            del rules["size"]
        start = self.info.game_class(**rules)
        moves = given or long_game(start)
        facts = pyspiel.GameInfo(
            num_distinct_actions=start.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=moves,
        )
        super().__init__(self.kind, facts, params or {})
        self.start: Game = self.info.game_class(max_moves=moves, **rules)

    def __repr__(self) -> str:
        # OpenSpiel's own reads memory that is not there if a parameter was refused.
        return str(self) if hasattr(self, "start") else f"{type(self).__name__} that was refused"

    def __reduce__(self) -> tuple[Callable[[str], pyspiel.Game], tuple[str]]:
        # By its text: `pickle` would look its class up in this module.
        return _load, (str(self),)

    def new_initial_state(self, state: object = None) -> BoardState:
        """Returns the state at the beginning of a game."""
        if state is not None:
            raise NotImplementedError("states cannot be made from text: apply the actions to a new one")
        return BoardState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> _Observer | IIGObserverForPublicInfoGame:
        """Makes an observer, which shows states to learning algorithms."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.start, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class BoardState(pyspiel.State):  # type: ignore[misc] # the library has no types here
    """A state in the form of OpenSpiel: player 0 is Black, player 1 White.

    Example:
        >>> state = pyspiel.load_game("sixplane_gomoku(size=5)").new_initial_state()
        >>> for action in (0, 5, 1, 6, 2, 7, 3, 8, 4):
        ...     state.apply_action(action)
        >>> state.is_terminal(), state.returns(), state.board_game.winning_line()
        (True, [1.0, -1.0], [0, 1, 2, 3, 4])
    """

    def __init__(self, game: BoardGame) -> None:
        super().__init__(game)
        self._game = game.start.copy()

    @property
    def board_game(self) -> Game:
        """A copy of the game, history included."""
        return self._game.copy()

    def current_player(self) -> int:
        """Returns the player to play; `pyspiel.PlayerId.TERMINAL` when the game is over."""
        return pyspiel.PlayerId.TERMINAL if self._game.is_over else self._game.turn

    def _legal_actions(self, player: int) -> list[int]:
        return self._game.legal_actions.tolist() if player == self._game.turn else []

    def _apply_action(self, action: int) -> None:
        self._game.play(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self._game.action_to_name(action)

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        return self._game.is_over

    def returns(self) -> list[float]:
        """Returns both players' returns: +1 the winner, -1 the loser, 0 before the end and for a draw."""
        black = {"black": 1.0, "white": -1.0}.get(self._game.outcome or "", 0.0)
        return [black, 0.0 - black]

    def __str__(self) -> str:
        return str(self._game)


class _Observer:
    """Shows the six planes, beginning with the stones of the player who observes."""

    def __init__(self, game: Game, params: Mapping[str, object] | None) -> None:
        if params:
            raise ValueError(f"the observation has no parameters, but got {sorted(params)}")
        shape = (6, game.rows, game.cols)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: BoardState, player: Literal[0, 1]) -> None:
        """Writes what a player sees of a state into `tensor` and `dict`."""
        self.dict["observation"][:] = state._game.planes_for(player)

    def string_from(self, state: BoardState, _player: int) -> str:
        """Returns a state as text, the same for both players."""
        return str(state)


def _kind(name: str, info: GameInfo[Game]) -> pyspiel.GameType:
    """Returns the facts that OpenSpiel needs before it makes a game."""
    start = info.game_class()
    defaults: dict[str, bool | int | float | str] = {"size": start.rows if start.rows == start.cols else 0}
    defaults |= {rule.name: rule.kind(getattr(start, rule.name)) for rule in info.rules}
    return pyspiel.GameType(
        short_name=f"sixplane_{name}",
        long_name=f"sixplane {info.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults | {"max_moves": 0},
    )


def _load(text: str) -> pyspiel.Game:
    return pyspiel.load_game(text)


#: The class of each game, by its name in sixplane.
GAME_CLASSES: Final[dict[str, type[BoardGame]]] = {
    name: type(f"{info.game_class.__name__}Game", (BoardGame,), {"info": info, "kind": _kind(name, info)})
    for name, info in GAMES.items()
}

# OpenSpiel lets go of what it has registered when Python has ended already. A class outlives that, as a
# function does not.
for _game_class in GAME_CLASSES.values():
    pyspiel.register_game(_game_class.kind, _game_class)
