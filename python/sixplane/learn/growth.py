"""A network that becomes larger between two stages of a run, and says at first what it said before."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import Array
from sixplane.learn.config import Config
from sixplane.learn.stages import GROWING
from sixplane.nets.architecture import Architecture


def grown_parameters(
    parameters: Mapping[str, Array],
    old: Architecture,
    new: Architecture,
    seed: int | np.random.Generator | None = None,
) -> dict[str, NDArray[np.float32]]:
    """Returns the parameters of a larger network that computes the same outputs, but for rounding.

    Its new channels begin with random weights, and no layer of the old network reads them: those weights
    are 0. Its new blocks come last, and add 0. Both learn from the first step on.

    Args:
        parameters: those of the network as it is.
        old: the shape that it has.
        new: the shape that it gets: of the same game and inputs, with no fewer blocks and channels.
        seed: a seed or a generator of the random weights; None: a seed of the system.

    Raises:
        ValueError: the new shape is not a larger one of the same kind.

    Example:
        >>> from sixplane import Go
        >>> from sixplane.nets import Network
        >>> old, new = Architecture("go", blocks=1, channels=4), Architecture("go", blocks=3, channels=6)
        >>> small = Network(old, old.random_parameters(1), backend="numpy")
        >>> large = Network(new, grown_parameters(small.parameters, old, new, seed=2), backend="numpy")
        >>> planes = Go(5).planes[None]
        >>> bool(np.allclose(small(planes)[0], large(planes)[0], atol=1e-5))
        True
    """
    _check(old, new)
    fresh = new.random_parameters(seed)
    for name, value in fresh.items():
        if name in old.shapes:
            _place(parameters[name], value, old, new)
        elif name.endswith("conv2.weight"):
            value[:] = 0
    return fresh


def state_of_stage(number: int, config: Config, state: dict[str, Array]) -> dict[str, Array]:
    """Returns the state of the learner with which a stage begins, of that with which the one before ended.

    The arrays of a state are named by a parameter, or by `parameter` and a parameter: the network's; or by
    another word and a parameter: the optimizer's, which begin with 0 where the network is new.

    Args:
        number: the number of the stage, from 1 for the second.
        config: the settings of the run.
        state: the arrays as the stage before left them.
    """
    old, new = (config.by_stage[each].architecture for each in (number - 1, number))
    if old == new:
        return state
    kinds: dict[str, dict[str, Array]] = {}
    grown: dict[str, Array] = {}
    for key, array in state.items():
        kind, _, name = key.rpartition(" ")
        if name in old.shapes:
            kinds.setdefault(kind, {})[name] = array
        else:
            grown[key] = array
    for kind, arrays in kinds.items():
        is_network = kind in {"", "parameter"}
        seed = np.random.default_rng([config.seed, 3, number])
        made = grown_parameters(arrays, old, new, seed) if is_network else _grown_moments(arrays, old, new)
        grown |= {f"{kind} {name}".lstrip(): array for name, array in made.items()}
    return grown


def _check(old: Architecture, new: Architecture) -> None:
    for name in ("game", "inputs", "value_hidden"):
        had, has = getattr(old, name), getattr(new, name)
        if had != has:
            raise ValueError(f"a network grows in blocks and channels alone: {name} was {had}, and is {has}")
    for name in GROWING:
        had, has = getattr(old, name), getattr(new, name)
        if has < had:
            raise ValueError(f"a network does not lose {name}: it has {had}, and would have {has}")
    # Those of a block that adds 0 would be others.
    pools = tuple(block for block in new.pool_blocks or () if block < old.blocks)
    if pools != old.pool_blocks:
        raise ValueError(f"pool_blocks were {old.pool_blocks}, and would be {pools}")


def _place(value: Array, fresh: Array, old: Architecture, new: Architecture) -> None:
    """Writes a parameter into the larger one: what was there reads 0 of what is new."""
    rows = fresh[: len(value)]
    rows[:] = 0
    if value.ndim == 1:
        rows[:] = value
        return
    had, has = value.shape[1], fresh.shape[1]
    columns = np.arange(had)
    if has != had and has == 2 * new.channels:  # first the means of all channels, and then their maxima
        columns[old.channels :] += new.channels - old.channels
    rows[:, columns] = value


def _grown_moments(arrays: dict[str, Array], old: Architecture, new: Architecture) -> dict[str, Array]:
    """Returns what an optimizer knows of each parameter: 0 of one that is new."""
    grown: dict[str, Array] = {}
    for name, shape in new.shapes.items():
        # A parameter of a new block is one of the kind that the first block has.
        example = arrays.get(name if name in old.shapes else f"blocks.0.conv1.{name.rpartition('.')[2]}")
        if example is None:
            continue  # it is another optimizer's
        is_count = not example.ndim
        grown[name] = np.zeros(() if is_count else shape, example.dtype)
        if name in old.shapes and is_count:
            grown[name] = example
        elif name in old.shapes:
            _place(example, grown[name], old, new)
    return grown
