"""GymGo's environment with Gymnasium's `reset` and `step`, also as `gym.make("sixplane/GymGo-v0")`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from enum import Enum
from types import ModuleType
from typing import Any, ClassVar, Final, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixplane import gogame, govars
from sixplane._arguments import Size, integer, sides
from sixplane._gymnasium import gymnasium
from sixplane.gogame import InvalidMoveError
from sixplane.gogame.counting import checked_komi

__all__ = ["GoEnv", "RewardMethod"]

Floats: TypeAlias = NDArray[np.float64]
Point: TypeAlias = tuple[SupportsIndex, ...] | list[SupportsIndex] | NDArray[np.integer]
Action: TypeAlias = SupportsIndex | Point | None
Info: TypeAlias = dict[str, Any]

#: The width in pixels of the window that asks for an action.
WINDOW_WIDTH: Final = 640


class RewardMethod(Enum):
    """What `step` rewards, from Black's view.

    Example:
        >>> env = GoEnv(size=3, komi=0.5, reward_method=RewardMethod.HEURISTIC)
        >>> env.step((1, 1))[1]  # nine points of area for black, half a point for white
        8.5
    """

    REAL = "real"
    """The reward is 0 while the game runs, then 1 if black has won, -1 if white has, 0 for a tie."""
    HEURISTIC = "heuristic"
    """The reward is black area - white area - komi while the game runs, then the number of points of the
    board if black has won, minus that if white has, 0 for a tie."""


class GoEnv(gymnasium.Env[Floats, Action]):
    """Go with simple ko as GymGo plays it: both colors alternate through `step`, no move limit.

    Observation: float64 `(6, rows, cols)` of 0/1 (the table is in `sixplane`). Action: an integer
    `row * cols + col`, `rows * cols` or None to pass, or `(row, col)` as a tuple, list or array, of which
    further items are ignored. `info`: `turn`, `invalid_moves` and `prev_player_passed`, as the functions of
    `sixplane.gogame` with these names give them.

    Args:
        size: rows and columns from 2 to 25: one integer for a square, or (rows, cols).
        komi: points given to white.
        reward_method: `"real"` or `"heuristic"`; see `RewardMethod`.
        render_mode: None, or `"ansi"`: `render()` returns the board as text instead of printing it.

    Raises:
        TypeError, ValueError: an option that has no such value.

    Example:
        >>> env = GoEnv(size=3)
        >>> state, info = env.reset(seed=0)
        >>> state, reward, terminated, truncated, info = env.step((1, 1))
        >>> info["turn"], env.winning(), reward
        (1, 1.0, 0.0)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's own shape

    gogame: ClassVar[ModuleType] = gogame
    govars: ClassVar[ModuleType] = govars

    def __init__(
        self,
        size: Size = 7,
        komi: float = 0,
        reward_method: str | RewardMethod = "real",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in {None, *self.metadata["render_modes"]}:
            raise ValueError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.size = size
        self.rows, self.cols = sides(size)
        self.komi = checked_komi(komi)
        self.reward_method = RewardMethod(reward_method)
        self.render_mode = render_mode
        self.state_ = gogame.init_state(size)
        self.done = False
        self.observation_space = gymnasium.spaces.Box(0, 1, self.state_.shape, np.float64)
        self.action_space = gymnasium.spaces.Discrete(gogame.action_size(self.state_))

    def _repr_html_(self) -> str:
        from sixplane.render import board_svg
        from sixplane.render.html import WIDTH, card, table

        facts = [("komi", self.komi), ("reward_method", self.reward_method.value), ("over", self.done)]
        svg = board_svg(self.state_, width=WIDTH)
        return card(f"sixplane/GymGo-v0: Go {self.rows}x{self.cols}", svg, table(facts))

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Floats, Info]:
        """Starts anew with the empty board.

        Args:
            seed: the seed of `np_random`, which `uniform_random_action` uses.
            options: None; there are none.

        Returns:
            The observation and `info`.

        Raises:
            TypeError, ValueError: the seed is no integer or negative, or options are given; nothing has
                changed then.
        """
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options must be a dict or None, not {options!r}")
        if options:
            raise ValueError(f"there are no reset options, but {min(map(str, options))!r} was given")
        super().reset(seed=None if seed is None else integer("seed", seed, 0))
        self.state_ = gogame.init_state(self.size)
        self.done = False
        return self.state(), self.info()

    def step(self, action: Action) -> tuple[Floats, float, bool, bool, Info]:
        """Takes an action for the player to play.

        Returns:
            observation, reward, terminated, truncated (always False), info.

        Raises:
            InvalidMoveError: the game is over, the board has no such action, or the point may not be played;
                nothing has changed then.
            TypeError: the action is none of the kinds that the class names.
        """
        self.state_ = gogame.next_state(self.state_, self._action1d(action))
        self.done = bool(gogame.game_ended(self.state_))
        return self.state(), self.reward(), self.done, False, self.info()

    def _action1d(self, action: Action) -> SupportsIndex:
        rows, cols = self.rows, self.cols
        if action is None:
            return rows * cols
        if isinstance(action, np.ndarray) and action.ndim == 1:
            action = action.tolist()
        if not isinstance(action, (tuple, list)):
            return action
        match action:
            case [row, col, *_]:
                row, col = integer("a row", row), integer("a column", col)
            case _:
                raise TypeError(f"a point must be (row, col), not {action!r}")
        if not self.done and not (0 <= row < rows and 0 <= col < cols):
            raise InvalidMoveError("off_board", f"row {row}, column {col} is off the board of {rows}x{cols}")
        return row * cols + col

    def info(self) -> Info:
        """Returns the `info` of the state, as `step` returns it."""
        return {
            "turn": gogame.turn(self.state_),
            "invalid_moves": gogame.invalid_moves(self.state_),
            "prev_player_passed": gogame.prev_player_passed(self.state_),
        }

    def state(self) -> Floats:
        """Returns a copy of the six planes."""
        return self.state_.copy()

    def canonical_state(self) -> Floats:
        """Returns the six planes, with colors exchanged if white is to play."""
        return gogame.canonical_form(self.state_)

    def children(self, canonical: bool = False, padded: bool = True) -> Floats:
        """Returns the states after every legal action, as `gogame.children` gives them.

        Example:
            >>> env = GoEnv(size=3)
            >>> env.children().shape, env.children(padded=False).dtype
            ((10, 6, 3, 3), dtype('float64'))
        """
        return gogame.children(self.state_, canonical, padded)

    def valid_moves(self) -> Floats:
        """Returns the valid actions, `(A,)`: 1 for each, else 0; all 1 when the game is over, as in GymGo."""
        return gogame.valid_moves(self.state_)

    def uniform_random_action(self) -> np.int64:
        """Samples a valid action, which may be the pass, by `np_random`.

        Raises:
            InvalidMoveError: the game is over.

        Example:
            >>> env = GoEnv(size=3)
            >>> state, info = env.reset(seed=0)
            >>> bool(env.valid_moves()[env.uniform_random_action()])
            True
        """
        if self.done:
            raise InvalidMoveError("game_over", "the game is over")
        return np.int64(self.np_random.choice(np.flatnonzero(self.valid_moves())))

    def turn(self) -> int:
        """Returns the player to play: 0 black, 1 white."""
        return gogame.turn(self.state_)

    def prev_player_passed(self) -> np.bool_:
        """Returns whether the previous action was a pass."""
        return gogame.prev_player_passed(self.state_)

    def game_ended(self) -> int:
        """Returns whether the game is over: 1 or 0."""
        return gogame.game_ended(self.state_)

    def winning(self) -> float:
        """Returns the player who is ahead by area, over or not: 1 black, -1 white, 0 neither."""
        return gogame.winning(self.state_, self.komi)

    def winner(self) -> float:
        """Returns the winner: 1 black, -1 white, 0 neither, or not over yet."""
        return self.winning() if self.done else 0.0

    def reward(self) -> float:
        """Returns the reward of the state for black; see `RewardMethod`.

        Example:
            >>> env = GoEnv(size=3)
            >>> for action in ((1, 1), None, None):
            ...     step = env.step(action)
            >>> env.game_ended(), env.winner(), env.reward()
            (1, 1.0, 1.0)
        """
        if self.reward_method is RewardMethod.REAL:
            return self.winner()
        if self.done:
            return self.winning() * self.rows * self.cols
        black, white = gogame.areas(self.state_)
        return float(black - white - self.komi)

    def __str__(self) -> str:
        """Returns the board as `gogame.str` draws it."""
        return gogame.str(self.state_)

    def render(self, mode: str | None = None) -> str | int | tuple[int, int] | None:  # type: ignore[override]
        """Prints the board, returns it as text, or asks for an action in a window.

        Args:
            mode: `"terminal"` (GymGo's name for printing), `"ansi"` for the text, or `"human"` for a window
                (`sixplane[window]`); None: what `render_mode` says.

        Returns:
            For `"human"`, what `step` takes: the point that was clicked as `(row, col)`, or None, a pass,
            after the key P. After E, or when the window is closed, -1, which is no action. R resets, and the
            window goes on with the empty board.

        Raises:
            ValueError: there is no such mode.
            ModuleNotFoundError: the libraries of `sixplane[window]` are missing.
            RuntimeError: there is no screen for a window.
        """
        mode = mode or self.render_mode or "terminal"
        if mode == "human":
            return self._choice()
        if mode not in {"terminal", "ansi"}:
            raise ValueError(f"mode must be 'terminal', 'ansi' or 'human', not {mode!r}")
        if mode == "ansi":
            return str(self)
        print(self)
        return None

    def _choice(self) -> int | tuple[int, int] | None:
        """Returns the action that a person chooses in a window; None: a pass, -1: none."""
        # Pixels and windows are optional.
        from sixplane.render import STYLES, board_svg
        from sixplane.render.layout import Layout
        from sixplane.render.window import Window

        layout = Layout(self.rows, self.cols, STYLES["go"], footer=True)
        with closing(Window("Go")) as window:
            window.find_screen()
            while True:
                color = "white" if gogame.turn(self.state_) else "black"
                says = "game over" if self.done else f"{color} to play"
                footer = f"{says}: P pass, R reset, E exit"
                window.show(board_svg(self.state_, width=WINDOW_WIDTH, footer=footer))
                given = window.ask(("p", "r", "e"))
                if isinstance(given, tuple):
                    x, y = (one * layout.width / WINDOW_WIDTH for one in given)
                    point = layout.point_at(x, y)
                    if point is not None:
                        return divmod(point, self.cols)
                elif given == "r":
                    self.reset()
                else:
                    return None if given == "p" else -1
