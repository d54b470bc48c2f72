"""One game as a Gymnasium environment: two players alternate through the same `step`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import gymnasium
import numpy as np

from sixplane._arguments import integer
from sixplane.envs.rendering import Renderer, render_modes
from sixplane.envs.settings import Planes, Settings
from sixplane.games import info_named

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from numpy.typing import NDArray

    from sixplane._core import Game
    from sixplane.envs.rendering import Frame
    from sixplane.envs.settings import Info, Options
    from sixplane.games import GameInfo

    Checkpoint = tuple[Game, int | None, np.random.Generator, int | None, Mapping[str, object]]
    Step = tuple[Planes, float, bool, bool, Info]


class BoardGameEnv(gymnasium.Env[Planes, SupportsIndex]):
    """A game object behind `reset` and `step`.

    Observation: the six planes `(6, rows, cols)` of 0/1, or with `history=k` the planes
    `(2k + 1, rows, cols)` of `game.history_planes(k)`. Action: `row * cols + col`, or
    `rows * cols` to pass. Rewards are black's, or with `view="player"` those of the player who has
    just played; they are 0 while the game runs.

    `info` has `action_mask` (int8 `(A,)`, 1 = legal), `turn` (0 = black to play) and `move_number`;
    at the end also `outcome` (+1 black, 0 draw, -1 white; a game has it in words), `score` and `cutoff`
    (whether `max_moves` ended the game). None of them depends on the view.

    Args:
        game: its name, such as `"go"`.
        size: side, or `(rows, cols)`; None takes the game's own default.
        view: `"black"` shows planes in absolute colors and gives Black's rewards; `"player"` shows
            them from the side of the player to play (own stones, the opponent's, turn, invalid, pass,
            done) and gives rewards to the player who has just played.
        reward: at the end, `"outcome"` gives +1/0/-1 and `"score"` the score; a lost illegal move
            scores all points of the board.
        illegal: `"lose"` ends the game against the player of an illegal action, `"raise"` raises
            `IllegalActionError`. An action out of range, or one after the end, raises in any case.
        cutoff: what `max_moves` means to a learner. `"adjudicate"`: the game has ended as the board
            stands, with its reward and `terminated`; `"truncate"`: reward 0 and `truncated`.
        dtype: the type of the observation: `"uint8"`, `"float32"` or `"bool"`.
        history: 0, or how many boards to observe.
        max_moves: cuts the game off after so many actions, passes included.
        render_mode: None; `"ansi"` for the board as text; `"rgb_array"` for its picture as pixels
            (`sixplane[render]`); `"human"` for a window that shows every step (`sixplane[window]`).
        rules: the game's own options, such as `komi=6.5`.

    Raises:
        TypeError, ValueError: an option that does not exist or has no such value.
        ModuleNotFoundError: a library for the render mode is missing.
    """

    metadata: dict[str, Any] = {"render_modes": render_modes(), "render_fps": 4}  # noqa: RUF012 - Gymnasium's own shape

    def __init__(self, game: str, *, render_mode: str | None = None, **options: Unpack[Options]) -> None:
        self._name = game
        self.settings = settings = Settings(self.game_info, **options)
        self._renderer = Renderer(render_mode, self.metadata["render_fps"])
        self.render_mode = render_mode
        self.observation_space = settings.observation_space
        self.action_space = settings.action_space
        self._game = settings.start.copy()
        # The usual observation needs no conversion.
        self._plain = settings.history == 0 and settings.dtype == np.uint8 and settings.view == "black"
        self.seat: int | None = None
        """The color whose side rewards, and with `view="player"` planes, are seen from. It is None if the
        option `view` alone decides; `VsOpponent` sets it."""
        self.resigns_next = False
        """Whether the next step is a resignation, whatever its action; `VsOpponent` sets it."""

    @property
    def game_info(self) -> GameInfo[Game]:
        """The registered facts about the game. They are looked up, because they cannot be pickled."""
        return info_named(self._name, imports=True)

    @property
    def game(self) -> Game:
        """A copy of the game in play, history included."""
        return self._game.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions, `(A,)` of bool; all False when the game is over."""
        return self._game.action_mask.astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Planes, Info]:
        """Starts a game anew, or from a copy of `options["game"]`, rules and history included.

        Args:
            seed: the seed of `np_random`; the game itself uses no random numbers.
            options: None, or `{"game": game}` with a running game of this class and size.

        Returns:
            The observation and the `info` that `step` would give.

        Raises:
            TypeError, ValueError: the seed is no integer or negative, or there is no such option; nothing has
                changed then.
        """
        start = self.settings.start_of(options)
        super().reset(seed=None if seed is None else integer("seed", seed, 0))
        self._game = start.copy()
        if self.render_mode == "human":
            self.render()
        return self.settings.observe(self._game, self.seat), self._info()

    def step(self, action: SupportsIndex) -> Step:
        """Plays one action for the player to play.

        Returns:
            observation, reward, terminated, truncated, info; all of the position after the action.

        Raises:
            IllegalActionError: out of range, after the end, or with `illegal="raise"` any illegal
                action; nothing has changed then.
            TypeError: the action is no integer.
        """
        if self.resigns_next:
            self.resigns_next = False
            return self.resign()
        lost = self.settings.play(self._game, action)
        return self._after(self._game, lost=lost, illegal=lost)

    def checkpoint(self) -> Checkpoint:
        """Returns the state that `restore` brings back."""
        random = self.np_random
        return self.game, self.seat, random, self._np_random_seed, random.bit_generator.state

    def restore(self, checkpoint: Checkpoint) -> None:
        """Brings back the state of a checkpoint."""
        game, self.seat, self._np_random, self._np_random_seed, state = checkpoint
        self._game = game.copy()
        self._np_random.bit_generator.state = state

    def resign(self) -> Step:
        """Ends the game by the resignation of the player to play; returns what `step` would.

        Raises:
            IllegalActionError: the game is over.
        """
        self._game.resign()
        return self._after(self._game, lost=True)

    def _after(self, game: Game, *, lost: bool, illegal: bool = False) -> Step:
        """Returns what `step` does; `lost`: the action has lost the game, whatever the board says."""
        observation = game.planes if self._plain else self.settings.observe(game, self.seat)
        info = self._info()
        if self.render_mode == "human":
            self.render()
        if not game.is_over:
            return observation, 0.0, False, False, info
        rewards, is_truncated, facts = self.settings.end_of(game, lost=lost, illegal=illegal)
        info |= facts
        if is_truncated:
            return observation, 0.0, False, True, info
        if self.seat is not None:
            player = self.seat
        elif self.settings.view == "black":
            player = 0
        else:
            # An action passes the turn on; a resignation and a lost illegal action do not.
            player = game.turn if lost else 1 - game.turn
        return observation, rewards[player], True, False, info

    def render(self) -> Frame:
        """Returns text, pixels `uint8 (height, width, 3)`, or None, as `render_mode` says."""
        return self.draw(self._game)

    def draw(self, game: Game) -> Frame:
        """Returns what `render` would for another game."""
        return self._renderer.render(game)

    def to_html(self, *facts: tuple[str, object]) -> str:
        """Returns the board and the options for a notebook, after some facts of a wrapper."""
        from sixplane.render.game import game_title
        from sixplane.render.html import WIDTH, card, table

        title = f"{self.game_info.env_id}: {game_title(self._game)}"
        return card(title, self._game.to_svg(width=WIDTH), table([*facts, *self.settings.facts()]))

    def _repr_html_(self) -> str:
        return self.to_html()

    def close(self) -> None:
        """Closes the window, if there is one."""
        self._renderer.close()

    def _info(self) -> Info:
        game = self._game
        return {"action_mask": game.action_mask, "turn": game.turn, "move_number": game.move_number}
