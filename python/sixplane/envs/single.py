"""One game as a Gymnasium environment: two players alternate through the same `step`."""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

from sixplane._core import Go, Gomoku, Reversi
from sixplane.envs.rendering import Renderer, render_modes
from sixplane.errors import IllegalActionError

if TYPE_CHECKING:
    from sixplane._core import Game

__all__ = ["BoardGameEnv", "GoEnv", "GomokuEnv", "ReversiEnv"]

REWARDS: Final = ("outcome", "score")
ILLEGAL: Final = ("lose", "raise")
DTYPES: Final = ("uint8", "float32", "bool")

#: What an outcome is worth to black.
VALUES: Final = {"black": 1, "draw": 0, "white": -1}

Planes = NDArray[Any]
Info = dict[str, Any]


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> str:
    listed = " or ".join(repr(word) for word in allowed)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be {listed}, not {value!r}")
    if value not in allowed:
        raise ValueError(f"{name} must be {listed}, not {value!r}")
    return value


class BoardGameEnv(gymnasium.Env[Planes, Any]):
    """A game object behind `reset` and `step`; a subclass names the game.

    Observation: the six planes `(6, rows, cols)` of 0/1, or with `history=k` the planes
    `(2k + 1, rows, cols)` of `game.history_planes(k)`. Action: `row * cols + col`, or
    `rows * cols` to pass. Rewards are black's, and 0 while the game runs.

    `info` has `action_mask` (int8 `(A,)`, 1 = legal), `turn` (0 = black to play) and `move_number`;
    at the end also `outcome` (+1 black, 0 draw, -1 white) and `score`.

    Args:
        size: side, or `(rows, cols)`; None takes the game's own default.
        reward: at the end, `"outcome"` gives +1/0/-1 and `"score"` the score; a lost illegal move
            scores all points of the board.
        illegal: `"lose"` ends the game against the player of an illegal action, `"raise"` raises
            `IllegalActionError`. An action out of range, or one after the end, raises in any case.
        dtype: of the observation: `"uint8"`, `"float32"` or `"bool"`.
        history: 0, or how many boards to observe.
        max_moves: truncates the game after so many actions, passes included.
        render_mode: None; `"ansi"` for the board as text; `"rgb_array"` for its picture as pixels
            (`sixplane[render]`); `"human"` for a window that shows every step (`sixplane[window]`).
        rules: the game's own options, such as `komi=6.5`.

    Raises:
        TypeError, ValueError: an option that does not exist or has no such value.
    """

    metadata: dict[str, Any] = {"render_modes": render_modes(), "render_fps": 4}  # noqa: RUF012 - Gymnasium's own shape

    game_class: ClassVar[type[Game]]
    #: What the game accepts beside `size` and `max_moves`.
    rule_names: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        *,
        size: int | tuple[int, int] | None = None,
        reward: str = "outcome",
        illegal: str = "lose",
        dtype: str = "uint8",
        history: int = 0,
        max_moves: int | None = None,
        render_mode: str | None = None,
        **rules: Any,
    ) -> None:
        self._score_reward = _one_of("reward", reward, REWARDS) == "score"
        self._raises = _one_of("illegal", illegal, ILLEGAL) == "raise"
        self._dtype = _named_dtype(dtype)
        self._history = _natural("history", history)
        if render_mode is not None:
            _one_of("render_mode", render_mode, tuple(self.metadata["render_modes"]))
        self.render_mode = render_mode
        self._renderer = render_mode and Renderer(render_mode, self.metadata["render_fps"])

        if unknown := rules.keys() - set(self.rule_names):
            options = "size, reward, illegal, dtype, history, max_moves, render_mode"
            allowed = ", ".join((options, *self.rule_names))
            raise TypeError(f"unknown option {min(unknown)!r}; allowed are {allowed}")
        if size is not None:
            rules["size"] = size
        self._start = self.game_class(max_moves=max_moves, **rules)
        self._game = self._start.copy()
        self._points = self._start.rows * self._start.cols
        self._plain = self._history == 0 and self._dtype == np.uint8

        try:
            shape = self._observation().shape
        except ValueError as error:
            raise ValueError(f"history is too long: {error}") from error
        self.observation_space = gymnasium.spaces.Box(0, 1, shape, self._dtype.type)
        self.action_space = gymnasium.spaces.Discrete(self._start.num_actions)

    @property
    def game(self) -> Game:
        """A copy of the game in play, history included."""
        return self._game.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """`(A,)`, True = legal; all False when the game is over."""
        return self._game.action_mask.astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, Info]:
        """Starts a game anew, or from a copy of `options["game"]`, rules and history included.

        Args:
            seed: for `np_random`; the game itself draws nothing.
            options: None, or `{"game": game}` with a running game of this class and size.

        Returns:
            The observation and the `info` that `step` would give.
        """
        start = self._start if not options else self._given_start(options)
        super().reset(seed=seed)
        self._game = start.copy()
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Planes, float, bool, bool, Info]:
        """Plays one action for the player to play.

        Returns:
            observation, reward, terminated, truncated, info; all of the position after the action.

        Raises:
            IllegalActionError: out of range, after the end, or with `illegal="raise"` any illegal
                action; nothing has changed then.
            TypeError: the action is no integer.
        """
        game = self._game
        lost = False
        try:
            game.play(action)
        except IllegalActionError as error:
            if self._raises or error.reason in {"game_over", "off_board"}:
                raise
            game.resign()
            lost = True
        observation = game.planes if self._plain else self._observation()
        info = self._info()
        if self.render_mode == "human":
            self.render()
        outcome = game.outcome
        if outcome is None:
            return observation, 0.0, False, False, info
        value = VALUES[outcome]
        info["outcome"] = value
        info["score"] = score = game.score()
        reward = float(value)
        if self._score_reward:
            reward = reward * self._points if lost else score
        truncated = game.is_truncated
        return observation, reward, not truncated, truncated, info

    def render(self) -> Any:
        """Text, pixels `uint8 (height, width, 3)`, or None: what `render_mode` says."""
        return self._renderer.render(self._game) if self._renderer else None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._renderer:
            self._renderer.close()

    def _observation(self) -> Planes:
        game = self._game
        planes = game.history_planes(self._history) if self._history else game.planes
        return planes.astype(self._dtype, copy=False)

    def _info(self) -> Info:
        game = self._game
        return {"action_mask": game.action_mask, "turn": game.turn, "move_number": game.move_number}

    def _given_start(self, options: dict[str, Any]) -> Game:
        if unknown := options.keys() - {"game"}:
            raise ValueError(f"unknown reset option {min(map(str, unknown))!r}; allowed is 'game'")
        game, own = options["game"], self._start
        if not isinstance(game, self.game_class):
            raise TypeError(f"options['game'] must be a {self.game_class.__name__}, not {game!r}")
        if (game.rows, game.cols) != (own.rows, own.cols):
            raise ValueError(f"options['game'] must be {own.rows}x{own.cols}, not {game.rows}x{game.cols}")
        if game.is_over:
            raise ValueError("options['game'] must be a running game, but it is over")
        return game


class GoEnv(BoardGameEnv):
    """`sixplane/Go-v0`."""

    game_class = Go
    rule_names = ("komi", "ko", "suicide", "handicap")


class GomokuEnv(BoardGameEnv):
    """`sixplane/Gomoku-v0`."""

    game_class = Gomoku
    rule_names = ("exact_five",)


class ReversiEnv(BoardGameEnv):
    """`sixplane/Reversi-v0`."""

    game_class = Reversi
    rule_names = ()


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
