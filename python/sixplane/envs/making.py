"""Makes environments for `gymnasium.make` and `make_vec`, with an opponent if one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import gymnasium

from sixplane._core import OwnGame
from sixplane.envs.opponent import VsOpponent
from sixplane.envs.rendering import LIBRARIES
from sixplane.envs.single import BoardGameEnv
from sixplane.envs.vector import BoardGameVectorEnv
from sixplane.envs.vector_opponent import VectorVsOpponent
from sixplane.games import info_named

if TYPE_CHECKING:
    from typing import Unpack

    from sixplane.agents.agent import Agent
    from sixplane.envs.settings import EnvOptions
    from sixplane.envs.vector import VectorOptions


def make(
    game: str, *, opponent: str | Agent | None = None, seat: str | None = None, **options: Unpack[EnvOptions]
) -> BoardGameEnv | VsOpponent:
    """Makes an environment of one game.

    Args:
        game: its name.
        opponent: an agent, or its spec such as `"mcts:simulations=100"`, that plays one seat; None:
            the learner plays both colors.
        seat: the learner's color, as `VsOpponent` takes it; `"black"` by default.
        options: those of `BoardGameEnv`.

    Raises:
        TypeError, ValueError: the environment or `VsOpponent` refuses an argument, or there is a seat but
            no opponent.
    """
    env = BoardGameEnv(game, **options)
    seat = _seat(seat, opponent)
    return env if opponent is None else VsOpponent(env, opponent, seat)


# Gymnasium checks the render mode against this first. It lists all modes, so that the environment itself
# reports a missing library.
make.metadata = {**BoardGameEnv.metadata, "render_modes": list(LIBRARIES)}  # type: ignore[attr-defined]


def make_vec(
    game: str,
    num_envs: int = 1,
    *,
    opponent: str | Agent | None = None,
    seat: str | None = None,
    **options: Unpack[VectorOptions],
) -> BoardGameVectorEnv | VectorVsOpponent:
    """Makes a native vector environment; other arguments and errors are those of `make`."""
    envs = BoardGameVectorEnv(game, num_envs, **options)
    seat = _seat(seat, opponent)
    return envs if opponent is None else VectorVsOpponent(envs, opponent, seat)


def register_game(game: type[OwnGame]) -> str:
    """Registers the environments of a game of your own with Gymnasium, and returns their id.

    The id has the letters and digits of the game's title. A class of the same module and name, as when a cell
    of a notebook runs again, takes the place of the one before.

    Args:
        game: a class that `sixplane.game_class` has made.

    Raises:
        TypeError: it is another class.
        ValueError: the id belongs to another game, which then keeps it.

    Example:
        >>> import gymnasium, sixplane
        >>> @sixplane.game_class
        ... class Fill:
        ...     "Who fills the board wins."
        ...     default_size = 3
        ...     def legal(self, position):
        ...         return position.empty
        ...     def ending(self, position):
        ...         return None if position.empty.any() else ("full", 1.0)
        >>> register_game(Fill)
        'sixplane/Fill-v0'
        >>> gymnasium.make("sixplane/Fill-v0", opponent="random").observation_space.shape
        (6, 3, 3)
    """
    if not hasattr(game, "info"):
        raise TypeError(f"register_game takes a class that sixplane.game_class has made, not {game!r}")
    place, env_id = "sixplane.envs.making", str(game.info.env_id)
    if (spec := gymnasium.registry.get(env_id)) is not None:
        owner = spec.kwargs.get("game", spec.entry_point)
        if owner != game.name:
            raise ValueError(
                f"the id {env_id} belongs to {owner}, so {game.name} cannot have it: give it another title"
            )
        # Gymnasium warns of an id that is there.
        del gymnasium.registry[env_id]
    gymnasium.register(
        id=env_id,
        entry_point=f"{place}:make",
        vector_entry_point=f"{place}:make_vec",
        kwargs={"game": game.name},
    )
    return env_id


def for_one_player(
    library: str, mode: str, game: str, num_envs: int, /, *, opponent: Agent | str, **options: object
) -> VectorVsOpponent:
    """Makes many games for a library that learns the part of one player and has its own way of resets.

    Args:
        library: its name, for errors.
        mode: the autoreset mode that it relies on.
        game: the game's name.
        num_envs: how many games.
        opponent: the agent of the other seat, or its spec.
        options: those of `make_vec`.

    Raises:
        TypeError, ValueError: there is no such game, no opponent, or no such option or value of it; or the
            options name a mode.
    """
    info_named(game, imports=True)
    if "autoreset_mode" in options:
        raise TypeError(f"{library} needs the autoreset mode {mode!r}, so autoreset_mode cannot be chosen")
    if opponent is None:
        raise TypeError(
            f"an opponent is needed: {library} learns the part of one player here, and would learn nothing "
            "from the observations and rewards of two players in turn"
        )
    given = cast("VectorOptions", options | {"autoreset_mode": mode})
    return cast("VectorVsOpponent", make_vec(game, num_envs, opponent=opponent, **given))


def _seat(seat: str | None, opponent: object) -> str:
    if seat is not None and opponent is None:
        raise ValueError(f"seat={seat!r} needs an opponent, such as opponent='random'")
    return "black" if seat is None else seat
