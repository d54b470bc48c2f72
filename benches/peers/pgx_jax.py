"""Pgx on the processor: JAX, compiled before anything is measured."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from entry import Entry
from pgx.experimental import auto_reset

from sixplane.cli.bench.timing import Work

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = f"Pgx {version('pgx')}, JAX {version('jax')}"

GAMES = {
    "Go 9x9": "go_9x9",
    "Go 19x19": "go_19x19",
    "Reversi 8x8": "othello",
    "Connect Four 6x7": "connect_four",
    "Hex 11x11": "hex",
}

#: Steps in one compiled scan, which hands nothing out between them.
SCAN = 32


def entries() -> Iterator[Entry]:
    """Every game alone and in two batches: delivering every step, and fused, delivering nothing."""
    for name, made in GAMES.items():
        for games in (None, 64, 1024):
            yield Entry(name, "jitted step", games, lambda made=made, games=games: _steps(made, games))
        for games in (64, 1024):
            how = f"scan of {SCAN} steps, nothing handed out"
            yield Entry(name, how, games, lambda made=made, games=games: _scan(made, games), SCAN)


def _start(made: str, games: int) -> tuple[Any, Any, Any]:
    """The first states, a key, and the function from both to the next."""
    env = pgx.make(made)
    step = jax.vmap(auto_reset(env.step, env.init))

    def play(state: Any, key: Any) -> tuple[Any, Any]:
        key, choice, reset = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choice, logits)
        return step(state, actions, jax.random.split(reset, games)), key

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    return state, jax.random.PRNGKey(1), play


def _steps(made: str, games: int | None) -> Work:
    state, key, play = _start(made, games or 1)
    play = jax.jit(play)

    def step() -> Any:
        nonlocal state, key
        state, key = play(state, key)
        delivered = (state.observation, state.legal_action_mask, state.rewards, state.terminated)
        return tuple(map(np.asarray, delivered))

    step()
    return Work(step, games or 1)


def _scan(made: str, games: int) -> Work:
    state, key, play = _start(made, games)

    @jax.jit
    def scan(state: Any, key: Any) -> tuple[Any, Any, Any]:
        def body(carried: Any, _: None) -> tuple[Any, Any]:
            state, key = play(*carried)
            # Both are summed up, or they would never be computed.
            seen = state.observation.sum() + state.legal_action_mask.sum()
            return (state, key), seen

        (state, key), seen = jax.lax.scan(body, (state, key), None, SCAN)
        return state, key, seen.sum()

    def steps() -> Any:
        nonlocal state, key
        state, key, seen = scan(state, key)
        return (np.asarray(seen),)

    steps()
    return Work(steps, SCAN * games)
