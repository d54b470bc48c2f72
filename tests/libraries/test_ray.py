"""Training on a Ray cluster: the same games as without one, and none lost when nodes die."""

from __future__ import annotations

import dataclasses
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster

from learn_runs import TINY, PassLearner
from sixplane.learn import ray_pool
from sixplane.learn.play import Budget, FinishedGames, play
from sixplane.learn.ray_pool import RayPool
from sixplane.learn.trainer import Run, train
from sixplane.learn.workers import WorkersError
from sixplane.nets import Architecture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The nodes do not have this module.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])

ARCHITECTURE = Architecture("go", blocks=1, channels=2)
WEIGHTS = ARCHITECTURE.random_parameters(np.random.default_rng(0))


def budget(simulations: int = 2) -> Budget:
    """Four games of Go 3x3."""
    return Budget(
        prototype=TINY.prototype(),
        games=4,
        simulations=simulations,
        opening_plies=2,
        surprise_share=0.0,
        search={},
        architecture=ARCHITECTURE,
        backend={"backend": "numpy"},
    )


def slowly(version: int, weights: Any, seed: int, budget: Budget) -> FinishedGames:
    """`play` that takes a second."""
    time.sleep(1)
    return play(version, weights, seed, budget)


def key(games: FinishedGames) -> bytes:
    """What tells the games of one call from those of another."""
    return games.samples.planes.tobytes() + games.samples.policy.tobytes()


def taken(pool: RayPool, seconds: float = 180) -> list[FinishedGames]:
    """Everything that was begun."""
    games: list[FinishedGames] = []
    end = time.monotonic() + seconds
    while pool.waiting:
        games += pool.take()
        assert time.monotonic() < end, f"{pool.waiting} calls are still not finished"
        time.sleep(0.05)
    return games


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A driver's node without a processor for games, and three nodes with one each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for _ in range(3):
        cluster.add_node(num_cpus=1)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def test_no_call_is_lost_or_made_twice_when_a_node_dies_and_another_joins(cluster: Cluster) -> None:
    pool = RayPool(cluster.address, workers=3, function=slowly)
    for seed in range(12):
        pool.begin(1, WEIGHTS, seed, budget())
    games: list[FinishedGames] = []
    while len(games) < 3:
        games += pool.take()
        time.sleep(0.05)
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    cluster.add_node(num_cpus=1)
    games += taken(pool)
    pool.close()
    expected = sorted(key(play(1, WEIGHTS, seed, budget())) for seed in range(12))
    assert sorted(map(key, games)) == expected


def test_a_run_trains_on_a_cluster(tmp_path: Path) -> None:
    seen: list[Run] = []
    config = dataclasses.replace(TINY, out=str(tmp_path), ray="local", workers=2)
    train(
        config,
        learner=PassLearner,
        on_progress=seen.append,
        is_stopped=lambda: bool(seen) and seen[0].progress.steps >= 30,
    )
    run = seen[0]
    assert isinstance(run.pool, RayPool)
    assert run.progress.games >= 4
    assert not ray.is_initialized()
    # The same folder goes on without a cluster.
    before = run.progress.games
    more: list[Run] = []
    train(
        dataclasses.replace(config, ray="", workers=1),
        learner=PassLearner,
        on_progress=more.append,
        is_stopped=lambda: bool(more) and more[0].progress.games > before,
    )
    assert more[0].progress.games > before


def lacking(*_arguments: Any) -> FinishedGames:
    """A node without a library."""
    raise ModuleNotFoundError("No module named 'sixplane'")


def refusing(*_arguments: Any) -> FinishedGames:
    """A worker without enough memory."""
    raise MemoryError("no memory for the batch")


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(WorkersError, match=r"no Ray cluster answers at '127\.0\.0\.1:1'"):
        RayPool("127.0.0.1:1")
    with pytest.raises(WorkersError, match="an address is HOST:PORT, auto or local"):
        RayPool("nonsense")
    with pytest.raises(WorkersError, match="no Ray cluster answers at 'auto'"):
        RayPool("auto")
    with pytest.raises(WorkersError, match=r"a node has sixplane .*, and the driver 0\.0\.1"):
        ray_pool._call(play, "0.0.1", 1, WEIGHTS, 1, budget())
    pool = RayPool("local", workers=1, function=refusing)
    pool.begin(1, WEIGHTS, 0, budget())
    with pytest.raises(MemoryError, match="no memory for the batch"):
        taken(pool)
    pool._function = lacking
    pool.begin(1, WEIGHTS, 0, budget())
    with pytest.raises(WorkersError, match="lacks what the run needs: No module named 'sixplane'"):
        taken(pool)
    pool.close()
