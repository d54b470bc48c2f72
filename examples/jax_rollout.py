"""Games in JAX: planes without copies, and a jitted loop that steps a batch of games.

The games are played in Rust; the network, here a small one with random weights, by JAX. Inside a jitted
function a step of the games is an `io_callback`: a step has an effect, so `pure_callback`, which JAX may
leave out or call twice, is not for it.

    pip install sixplane jax
    python examples/jax_rollout.py --game go --size 9 --games 1024 --steps 200
"""

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

import sixplane

GAMES = {"go": sixplane.Go, "reversi": sixplane.Reversi, "gomoku": sixplane.Gomoku}


def shares_memory(batch: sixplane.GameBatch) -> bool:
    """Whether JAX reads the planes where they are, through DLPack."""
    planes = batch.planes
    tensor = jnp.from_dlpack(planes)
    return tensor.unsafe_buffer_pointer() == planes.ctypes.data


def network(weights: list[jax.Array], planes: jax.Array) -> jax.Array:
    """Logits `(B, A)` of planes `(B, 6, rows, cols)`."""
    first, last = weights
    hidden = jax.lax.conv(planes.astype(jnp.float32), first, (1, 1), "SAME")
    return jax.nn.relu(hidden).reshape(len(planes), -1) @ last


def main() -> None:
    """Plays so many steps, and tells how fast."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", choices=GAMES, default="go")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=200)
    options = parser.parse_args()

    batch = sixplane.GameBatch(GAMES[options.game](size=options.size), options.games, seed=1)
    print("planes come without a copy:", shares_memory(batch))
    actions = batch.num_actions
    keys = jax.random.split(jax.random.key(0), 3)
    cells = 16 * options.size**2
    weights = [jax.random.normal(keys[0], (16, 6, 3, 3)), 0.01 * jax.random.normal(keys[1], (cells, actions))]

    def step(chosen: jax.Array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        result = batch.step(np.asarray(chosen))
        return result.planes, result.action_masks, result.rewards

    shapes = (
        jax.ShapeDtypeStruct((options.games, 6, options.size, options.size), jnp.uint8),
        jax.ShapeDtypeStruct((options.games, actions), jnp.int8),
        jax.ShapeDtypeStruct((options.games,), jnp.float32),
    )

    @jax.jit
    def rollout(
        weights: list[jax.Array], planes: jax.Array, masks: jax.Array, key: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        def one(carry: tuple[jax.Array, ...], key: jax.Array) -> tuple[tuple[jax.Array, ...], jax.Array]:
            planes, masks = carry
            logits = jnp.where(masks == 1, network(weights, planes), -1e9)
            chosen = jax.random.categorical(key, logits)
            planes, masks, rewards = io_callback(step, shapes, chosen, ordered=True)
            return (planes, masks), rewards

        (planes, _), rewards = jax.lax.scan(one, (planes, masks), jax.random.split(key, options.steps))
        return planes, rewards

    start = jnp.asarray(batch.planes), jnp.asarray(batch.action_masks)
    begun = time.perf_counter()
    planes, rewards = jax.block_until_ready(rollout(weights, *start, keys[2]))
    seconds = time.perf_counter() - begun
    black, white = int((rewards > 0).sum()), int((rewards < 0).sum())
    speed = options.games * options.steps / seconds
    print(f"{speed:.0f} steps/s with the network; black won {black}, white {white}")
    print("the planes are those of the games:", np.array_equal(planes, batch.planes))


if __name__ == "__main__":
    main()
