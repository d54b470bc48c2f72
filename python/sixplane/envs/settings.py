"""The options of an environment, which are checked here, and the spaces that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, SupportsIndex, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer, one_of
from sixplane._other_names import did_you_mean
from sixplane.errors import IllegalActionError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sixplane._core import Game, _GomokuRules, _GoRecordRules, _HexRules
    from sixplane.games import GameInfo

    class Options(_GoRecordRules, _GomokuRules, _HexRules, total=False):
        """The options of an environment: how it shows a game, and the rules of all games."""

        size: int | tuple[int, int] | None
        view: str
        reward: str
        illegal: str
        cutoff: str
        dtype: str
        history: int

    class EnvOptions(Options, total=False):
        """The options of `gymnasium.make`."""

        render_mode: str | None


#: An observation, of the type that the option `dtype` names.
Planes: TypeAlias = NDArray[np.uint8 | np.float32 | np.bool_]

#: The type of `info` as Gymnasium has it: values of many types.
Info: TypeAlias = dict[str, Any]

_MANY, _ONE_PLAYER, _MAKE = "gymnasium.make_vec", "environments of Gymnasium for one player", "gymnasium.make"
#: Options of environments that are not those of one game, and what takes them.
OTHERS: Final = {
    option: f" (an option of {where})"
    for option, where in {
        "opponent": _ONE_PLAYER,
        "seat": _ONE_PLAYER,
        "num_envs": _MANY,
        "autoreset_mode": _MANY,
        "threads": _MANY,
        "max_episode_steps": _MAKE,
        "render_mode": "environments that are shown",
    }.items()
}

VIEWS: Final[tuple[Literal["black", "player"], ...]] = ("black", "player")
REWARDS: Final[tuple[Literal["outcome", "score"], ...]] = ("outcome", "score")
ILLEGAL: Final[tuple[Literal["lose", "raise"], ...]] = ("lose", "raise")
CUTOFFS: Final[tuple[Literal["adjudicate", "truncate"], ...]] = ("adjudicate", "truncate")
DTYPES: Final = ("uint8", "float32", "bool")

#: The players by color, as libraries for several agents name them.
AGENTS: Final = ("black_0", "white_0")

#: The outcome of a game, in words, as environments give it: +1 if Black has won, -1 if White has.
VALUES: Final = {"black": 1, "draw": 0, "white": -1}

_COLORS: Final[tuple[Literal["black"], Literal["white"]]] = ("black", "white")


class End(NamedTuple):
    """How a game of an environment ended."""

    rewards: tuple[float, float]
    """The rewards of Black and of White."""
    is_truncated: bool
    """Whether `max_moves` ended the game, and the learner sees it as cut off."""
    facts: Info
    """What `info` says of the end: `outcome`, `score`, `cutoff`, `illegal`."""


class Settings:
    """The options of an environment of one game, or of many.

    Attributes:
        start: the game that a reset returns to; not to be played in.
        view: `"black"` or `"player"`: whose side planes and rewards are seen from.
        shown: whose side an observation shows: planes of history are the player's whatever `view` says.
        reward: `"outcome"` or `"score"`: what the reward at the end is.
        illegal: `"lose"` or `"raise"`: what an illegal action does.
        cutoff: `"adjudicate"` or `"truncate"`: what `max_moves` means to a learner.
        dtype: the type of an observation.
        history: how many boards an observation has; 0 for the six planes.
        observation_space, action_space: the spaces of one game.
    """

    def __init__(
        self,
        info: GameInfo[Game],
        *,
        size: int | tuple[int, int] | None = None,
        view: str = "black",
        reward: str = "outcome",
        illegal: str = "lose",
        cutoff: str = "adjudicate",
        dtype: str = "uint8",
        history: int = 0,
        max_moves: SupportsIndex | None = None,
        **rules: object,
    ) -> None:
        if unknown := rules.keys() - set(info.rule_names):
            options = ["size", "view", "reward", "illegal", "cutoff", "dtype", "history", "max_moves"]
            if "render_mode" not in unknown:
                options.append("render_mode")
            allowed = ", ".join((*options, *info.rule_names))
            near = OTHERS.get(min(unknown)) or did_you_mean(
                min(unknown), (*options, *OTHERS, *info.rule_names)
            )
            # Some libraries try again without an option when they read the words that Python itself uses.
            raise TypeError(
                f"got an unexpected keyword argument {min(unknown)!r}{near}; the game takes {allowed}"
            )
        self.view = one_of("view", view, VIEWS)
        self.reward = one_of("reward", reward, REWARDS)
        self.illegal = one_of("illegal", illegal, ILLEGAL)
        self.cutoff = one_of("cutoff", cutoff, CUTOFFS)
        self.dtype = _named_dtype(dtype)
        self.history = integer("history", history)
        self.shown = "player" if self.history else self.view
        if size is not None:
            rules = rules | {"size": size}
        self.start: Game = info.game_class(max_moves=max_moves, **rules)
        if self.start.is_over:
            raise ValueError("the game is over at its start, so that there is nothing to play")
        self._rules = {name: getattr(self.start, name) for name in info.rule_names}
        self._max_moves = max_moves
        shape = self.observe(self.start).shape
        self.observation_space = gymnasium.spaces.Box(0, 1, shape, self.dtype)  # type: ignore[arg-type] # it takes bool, too
        self.action_space = gymnasium.spaces.Discrete(self.start.num_actions)

    def facts(self) -> list[tuple[str, object]]:
        """Returns the options by name, as a notebook shows them."""
        return [
            ("observation", f"{self.observation_space.shape} {self.dtype}"),
            ("actions", self.action_space.n),
            ("view", self.view),
            ("reward", self.reward),
            ("illegal", self.illegal),
            ("cutoff", f"{self.cutoff} after {self._max_moves} moves" if self._max_moves else "none"),
            *self._rules.items(),
        ]

    def observe(self, game: Game, seat: int | None = None) -> Planes:
        """Returns the observation of a game.

        Args:
            game: the game.
            seat: with `view="player"`, the color whose side is shown; None: that of the player to play.
        """
        view = self.shown if seat is None or self.view == "black" else _COLORS[seat]
        return game.planes_for(view, history=self.history).astype(self.dtype, copy=False)

    def play(self, game: Game, action: SupportsIndex) -> bool:
        """Plays an action; returns whether it was illegal and lost the game.

        Raises:
            IllegalActionError: it is out of range, the game is over, or illegal actions raise. Nothing has
                changed then.
            TypeError: it is no integer.
        """
        try:
            game.play(action)
        except IllegalActionError as error:
            if self.illegal == "raise" or error.reason in {"game_over", "off_board"}:
                raise
            game.resign()
            return True
        return False

    def end_of(self, game: Game, *, lost: bool, illegal: bool) -> End:
        """Returns how a finished game ended.

        Args:
            game: the game.
            lost: whether a resignation or an illegal action has ended it, whatever the board says.
            illegal: whether it was an illegal action.
        """
        outcome, score, cutoff = VALUES[game.outcome or "draw"], game.score(), game.is_truncated
        facts = {"outcome": outcome, "score": score, "cutoff": cutoff, "illegal": illegal}
        if cutoff and self.cutoff == "truncate":
            return End((0.0, 0.0), True, facts)
        black = float(self.final_rewards(outcome, score, lost))
        return End((black, 0.0 - black), False, facts)

    def final_rewards(
        self, outcomes: ArrayLike, scores: ArrayLike, lost: ArrayLike, white: ArrayLike = False
    ) -> NDArray[np.float64]:
        """Returns the rewards at the end of games: the outcomes, or by the option `reward` the scores.

        Args:
            outcomes: +1 if Black has won, 0 for a draw, -1 if White has.
            scores: the scores of the boards from Black's view.
            lost: whether a resignation or an illegal action has ended the game: it scores all points.
            white: whether the reward is White's.
        """
        rewards = np.asarray(outcomes, np.float64)
        if self.reward == "score":
            rewards = np.where(lost, rewards * (self.start.num_actions - 1), scores)
        return np.where(white, 0.0 - rewards, rewards)

    def start_of(self, options: Mapping[str, object] | None, *, others: tuple[str, ...] = ()) -> Game:
        """Returns the game to start from with these options of `reset`: the given one, else `start`.

        Args:
            options: those of `reset`, without those that the caller reads.
            others: the names of those that the caller reads.

        Raises:
            ValueError, TypeError: there is another option than `"game"`, or it is no running game of this
                class and size.
        """
        own, given = self.start, reset_options(options)
        if not given:
            return own
        if unknown := given.keys() - {"game"}:
            allowed = " and ".join(map(repr, ("game", *others)))
            verb = "are" if others else "is"
            raise ValueError(f"unknown reset option {min(map(str, unknown))!r}; allowed {verb} {allowed}")
        game = given["game"]
        if not isinstance(game, type(own)):
            raise TypeError(f"options['game'] must be a {type(own).__name__}, not {game!r}")
        if (game.rows, game.cols) != (own.rows, own.cols):
            raise ValueError(f"options['game'] must be {own.rows}x{own.cols}, not {game.rows}x{game.cols}")
        if game.is_over:
            raise ValueError("options['game'] must be a running game, but it is over")
        return game


def reset_options(options: object) -> Mapping[str, object]:
    """Checks the options of a `reset`, and returns them.

    Raises:
        TypeError: they are neither a dict nor None.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options must be a dict or None, not {options!r}")
    return options


def _named_dtype(value: str) -> np.dtype[np.uint8 | np.float32 | np.bool_]:
    with suppress(TypeError):
        # The core fills arrays in the byte order of the machine alone.
        dtype: np.dtype[np.uint8 | np.float32 | np.bool_] = np.dtype(value).newbyteorder("=")
        if dtype.name in DTYPES:
            return dtype
    raise ValueError(f"dtype must be {' or '.join(map(repr, DTYPES))}, not {value!r}")
