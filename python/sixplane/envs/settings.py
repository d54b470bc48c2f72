"""What an environment is made with: its options, checked, and the spaces that follow from them."""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sixplane._core import Game

__all__ = ["Settings", "one_of"]

REWARDS: Final = ("outcome", "score")
ILLEGAL: Final = ("lose", "raise")
DTYPES: Final = ("uint8", "float32", "bool")


class Settings:
    """The options of an environment of one game, or of many.

    Attributes:
        start: the game that a reset returns to; not to be played in.
        scores: whether the reward at the end is the score instead of the outcome.
        raises: whether an illegal action raises instead of losing.
        dtype: of an observation.
        history: how many boards to observe; 0 for the six planes.
        observation_space, action_space: of one game.
    """

    def __init__(
        self,
        game_class: type[Game],
        rule_names: tuple[str, ...],
        *,
        size: int | tuple[int, int] | None,
        reward: str,
        illegal: str,
        dtype: str,
        history: int,
        max_moves: int | None,
        rules: dict[str, Any],
    ) -> None:
        self.scores = one_of("reward", reward, REWARDS) == "score"
        self.raises = one_of("illegal", illegal, ILLEGAL) == "raise"
        self.dtype = _named_dtype(dtype)
        self.history = _natural("history", history)
        if unknown := rules.keys() - set(rule_names):
            options = "size, reward, illegal, dtype, history, max_moves, render_mode"
            allowed = ", ".join((options, *rule_names))
            raise TypeError(f"unknown option {min(unknown)!r}; allowed are {allowed}")
        if size is not None:
            rules = rules | {"size": size}
        self.start = game_class(max_moves=max_moves, **rules)

        try:
            shape = self.observe(self.start).shape
        except ValueError as error:
            raise ValueError(f"history is too long: {error}") from error
        self.observation_space = gymnasium.spaces.Box(0, 1, shape, self.dtype.type)
        self.action_space = gymnasium.spaces.Discrete(self.start.num_actions)

    def observe(self, game: Game) -> NDArray[Any]:
        """The observation of a game."""
        planes = game.history_planes(self.history) if self.history else game.planes
        return planes.astype(self.dtype, copy=False)

    def start_of(self, options: dict[str, Any] | None) -> Game:
        """The game to start from with these options of `reset`: the one given there, or the usual.

        Raises:
            ValueError, TypeError: another option than `"game"`, or no running game of this class
                and size.
        """
        own = self.start
        if not options:
            return own
        if unknown := options.keys() - {"game"}:
            raise ValueError(f"unknown reset option {min(map(str, unknown))!r}; allowed is 'game'")
        game = options["game"]
        if not isinstance(game, type(own)):
            raise TypeError(f"options['game'] must be a {type(own).__name__}, not {game!r}")
        if (game.rows, game.cols) != (own.rows, own.cols):
            raise ValueError(f"options['game'] must be {own.rows}x{own.cols}, not {game.rows}x{game.cols}")
        if game.is_over:
            raise ValueError("options['game'] must be a running game, but it is over")
        return game


def one_of(name: str, value: object, allowed: tuple[str, ...]) -> str:
    """A word among those that are allowed."""
    listed = " or ".join(repr(word) for word in allowed)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be {listed}, not {value!r}")
    if value not in allowed:
        raise ValueError(f"{name} must be {listed}, not {value!r}")
    return value


def _named_dtype(value: Any) -> np.dtype[Any]:
    dtype: np.dtype[Any] | None = None
    with suppress(TypeError):
        dtype = np.dtype(value)
    if value is None or dtype is None or dtype.name not in DTYPES:
        listed = " or ".join(repr(name) for name in DTYPES)
        raise ValueError(f"dtype must be {listed}, not {value!r}")
    return dtype


def _natural(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise TypeError(f"{name} must be an integer of at least 0, not {value!r}")
    number = operator.index(value)
    if number < 0:
        raise ValueError(f"{name} must be at least 0, not {number}")
    return number
