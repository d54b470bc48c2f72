"""Prints a Markdown table of loops of self-play: sixplane, Pgx with mctx, and OpenSpiel's AlphaZero.

    python benches/peers/selfplay.py

Each plays Go 9x9 with 16 simulations a move and an untrained network of 4x32 (residual convolutions of 3x3,
heads for policy and value), on one processor, in a process of its own, in turns. The networks of the peers
are written in JAX, compiled before anything is measured. A position is a searched move of a game.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

from sixplane.cli.bench.timing import machine, shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

SIZE, KOMI, BLOCKS, CHANNELS, SIMULATIONS, GAMES = 9, 7.5, 4, 32, 16, 128


def sixplane_loop() -> tuple[str, Callable[[], int]]:
    """The worker of `sixplane train`: a call plays 128 games to their end."""
    from sixplane.learn import Config, SelfPlay, self_play
    from sixplane.nets import Architecture

    config = Config(game="go", size=SIZE, blocks=BLOCKS, channels=CHANNELS, simulations=SIMULATIONS)
    architecture = Architecture("go", blocks=BLOCKS, channels=CHANNELS)
    parameters = architecture.random_parameters(seed=1)
    settings = SelfPlay(
        prototype=config.prototype(),
        games=GAMES,
        simulations=SIMULATIONS,
        opening_plies=config.opening_plies,
        search={"selection": "gumbel"},
        architecture=architecture,
        backend={"backend": "openvino", "precision": "auto"},
    )
    seed = 0

    def loop() -> int:
        nonlocal seed
        seed += 1
        return len(self_play(0, parameters, seed, settings).samples)

    return f"sixplane, Gumbel, {GAMES} games at once, OpenVINO", loop


def _network(planes: int, actions: int) -> tuple[Any, Callable[[Any, Any], tuple[Any, Any]]]:
    """Parameters, and the function from them and `(N, rows, cols, planes)` to logits and values."""
    import jax
    import jax.numpy as jnp

    keys = iter(jax.random.split(jax.random.PRNGKey(0), 3 + 2 * BLOCKS))

    def weights(*shape: int) -> Any:
        """He's initialisation."""
        fan_in = 1
        for length in shape[:-1]:
            fan_in *= length
        return jax.random.normal(next(keys), shape) * (2 / fan_in) ** 0.5

    parameters = {
        "stem": weights(3, 3, planes, CHANNELS),
        "blocks": [
            (weights(3, 3, CHANNELS, CHANNELS), weights(3, 3, CHANNELS, CHANNELS)) for _ in range(BLOCKS)
        ],
        "policy": weights(SIZE * SIZE * CHANNELS, actions) * 0.1,
        "value": weights(CHANNELS, 1) * 0.1,
    }

    def convolution(inputs: Any, kernel: Any) -> Any:
        return jax.lax.conv_general_dilated(
            inputs, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    def evaluate(parameters: Any, inputs: Any) -> tuple[Any, Any]:
        trunk = jax.nn.relu(convolution(inputs.astype(jnp.float32), parameters["stem"]))
        for first, second in parameters["blocks"]:
            trunk = jax.nn.relu(trunk + convolution(jax.nn.relu(convolution(trunk, first)), second))
        logits = trunk.reshape(len(trunk), -1) @ parameters["policy"]
        return logits, jnp.tanh(trunk.mean((1, 2)) @ parameters["value"])[:, 0]

    return parameters, evaluate


def pgx_loop() -> tuple[str, Callable[[], int]]:
    """As Pgx's own example of AlphaZero: states on the device, mctx's Gumbel MuZero policy, all compiled."""
    from importlib.metadata import version

    import jax
    import jax.numpy as jnp
    import mctx
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("go_9x9")
    parameters, evaluate = _network(17, env.num_actions)

    def recurrent(parameters: Any, _key: Any, action: Any, state: Any) -> tuple[Any, Any]:
        player = state.current_player
        state = jax.vmap(env.step)(state, action)
        logits, value = evaluate(parameters, state.observation)
        logits = jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
        reward = state.rewards[jnp.arange(GAMES), player]
        value = jnp.where(state.terminated, 0.0, value)
        discount = jnp.where(state.terminated, 0.0, -1.0)
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
        return output, state

    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def move(parameters: Any, state: Any, key: Any) -> tuple[Any, Any, Any]:
        key, search, reset = jax.random.split(key, 3)
        logits, value = evaluate(parameters, state.observation)
        output = mctx.gumbel_muzero_policy(
            params=parameters,
            rng_key=search,
            root=mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state),
            recurrent_fn=recurrent,
            num_simulations=SIMULATIONS,
            invalid_actions=~state.legal_action_mask,
            max_num_considered_actions=16,
        )
        state = step(state, output.action, jax.random.split(reset, GAMES))
        return state, key, output.action_weights

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), GAMES))
    key = jax.random.PRNGKey(2)

    def loop() -> int:
        nonlocal state, key
        state, key, policy = move(parameters, state, key)
        policy.block_until_ready()
        return GAMES

    return f"Pgx {version('pgx')}, mctx {version('mctx')}, Gumbel, {GAMES} games at once", loop


def openspiel_loop() -> tuple[str, Callable[[], int]]:
    """As OpenSpiel's AlphaZero in Python: one game, and one position in the network at a time."""
    from importlib.metadata import version

    import jax
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("go", {"board_size": SIZE, "komi": KOMI})
    planes, rows, cols = game.observation_tensor_shape()
    parameters, evaluate = _network(planes, game.num_distinct_actions())
    compiled = jax.jit(lambda inputs: evaluate(parameters, inputs))

    class Evaluator(mcts.Evaluator):  # type: ignore[misc]
        """Asks the network once for each state, as OpenSpiel's own does with its cache."""

        def __init__(self) -> None:
            self.last: tuple[str | None, Any, float] = None, None, 0.0

        def _ask(self, state: Any) -> tuple[str | None, Any, float]:
            key = state.history_str()
            if self.last[0] != key:
                inputs = np.asarray(state.observation_tensor(), np.float32).reshape(1, planes, rows, cols)
                logits, value = compiled(inputs.transpose(0, 2, 3, 1))
                self.last = key, np.asarray(logits[0]), float(value[0])
            return self.last

        def evaluate(self, state: Any) -> Any:
            """Of both players."""
            value = self._ask(state)[2] * (1 - 2 * state.current_player())
            return np.array([value, -value])

        def prior(self, state: Any) -> list[tuple[int, float]]:
            """Of the legal actions."""
            actions = state.legal_actions()
            logits = self._ask(state)[1][actions]
            policy = np.exp(logits - logits.max())
            return list(zip(actions, policy / policy.sum(), strict=True))

    bot = mcts.MCTSBot(game, 2.0, SIMULATIONS, Evaluator(), solve=False)
    state = game.new_initial_state()

    def loop() -> int:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
        state.apply_action(bot.step(state))
        return 1

    return f"OpenSpiel {version('open-spiel')}, PUCT, one game at a time", loop


LOOPS = {"sixplane": sixplane_loop, "pgx": pgx_loop, "openspiel": openspiel_loop}


def serve(name: str, processor: int, pipe: Connection) -> None:
    """Measures positions a second whenever it is asked to, for as long as it is told."""
    os.sched_setaffinity(0, {processor})
    told, loop = LOOPS[name]()
    loop()
    pipe.send(told)
    while seconds := pipe.recv():
        begun = time.perf_counter()
        positions = 0
        while time.perf_counter() - begun < seconds:
            positions += loop()
        pipe.send(positions / (time.perf_counter() - begun))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each (5)")
    parser.add_argument("--seconds", type=float, default=15, help="how long a run takes at least (15)")
    arguments = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    processor = max(os.sched_getaffinity(0))
    print(machine(), end="\n\n")
    pipes = {}
    for name in LOOPS:
        pipes[name], other = context.Pipe()
        context.Process(target=serve, args=(name, processor, other), daemon=True).start()
        other.close()
    names = {name: pipe.recv() for name, pipe in pipes.items()}
    rates: dict[str, list[float]] = {name: [] for name in pipes}
    for _ in range(arguments.runs):
        for name, pipe in pipes.items():
            pipe.send(arguments.seconds)
            rates[name].append(pipe.recv())
    for pipe in pipes.values():
        pipe.send(0)
    print("| loop of self-play, Go 9x9, 4x32, 16 simulations, one processor | positions/s | sixplane is |")
    print("|---|---|---|")
    own = statistics.median(rates["sixplane"])
    for name, told in names.items():
        rate = statistics.median(rates[name])
        ratio = "" if name == "sixplane" else f"{own / rate:.1f} times as fast"
        print(f"| {told} | {shown(rate)} | {ratio} |")


if __name__ == "__main__":
    sys.exit(main())
