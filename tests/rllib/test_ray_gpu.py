"""Shares of GPUs on a Ray cluster. Ray counts them; no call here computes on one, so nodes may claim them."""

from __future__ import annotations

import os
import re
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import pytest
import ray
import torch
from ray.cluster_utils import Cluster as Nodes

from ray_games import WEIGHTS, key, results, run_command, settings, taken
from sixplane.jobs import Cluster, JobError, node_name
from sixplane.jobs.gpu import with_gpu
from sixplane.learn.self_play import FinishedGames, self_play
from small_matches import small

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sixplane.learn.self_play import SelfPlay
    from sixplane.nets import Parameters

# The nodes do not have this module.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])

without_cuda = pytest.mark.skipif(torch.cuda.is_available(), reason="PyTorch finds a GPU here")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """A driver's node without a processor for games, one with two GPUs, and one with none."""
    nodes = Nodes(
        initialize_head=True, head_node_args={"num_cpus": 0, "num_gpus": 0, "include_dashboard": False}
    )
    nodes.add_node(num_cpus=5, num_gpus=2, wait=False)
    nodes.add_node(num_cpus=2, num_gpus=0, wait=False)
    nodes.wait_for_nodes(120)
    yield nodes
    nodes.shutdown()


def names_with_gpus() -> set[str]:
    """The first letters of the nodes that have GPUs and are there."""
    return {node["NodeID"][:8] for node in ray.nodes() if node["Alive"] and node["Resources"].get("GPU")}


class Visit(NamedTuple):
    """A call: where it ran, the GPU that it saw, and when."""

    node: str
    gpu: str | None
    begun: float
    ended: float


def meet(folder: Path, index: int, count: int) -> Visit:
    """Waits until so many calls have begun, as it can only if they run at the same time."""
    begun = time.time()
    (folder / str(index)).touch()
    while len(list(folder.iterdir())) < count and time.time() < begun + 100:
        time.sleep(0.02)
    assert len(list(folder.iterdir())) >= count
    time.sleep(0.5)
    return Visit(node_name(), os.environ.get("CUDA_VISIBLE_DEVICES"), begun, time.time())


def most_at_once(visits: list[Visit]) -> int:
    """How many of them ran at the same time, at most."""
    return max(sum(one.begun <= visit.begun < one.ended for one in visits) for visit in visits)


def test_only_nodes_with_gpus_get_calls_and_each_gpu_no_more_than_its_shares(
    nodes: Nodes, tmp_path: Path
) -> None:
    with Cluster(nodes.address, gpu_share=0.5) as cluster:
        assert cluster.workers == 4
        expected = names_with_gpus()
        visits = list(cluster.map(meet, [(tmp_path, index, 4) for index in range(9)]))
    assert {visit.node.split("/")[1] for visit in visits} == expected
    assert {visit.gpu for visit in visits} == {"0", "1"}
    assert most_at_once(visits) == 4
    for gpu in "01":
        assert most_at_once([visit for visit in visits if visit.gpu == gpu]) == 2


def visit(seconds: float) -> tuple[int, str | None]:
    """The process of a call, and the GPU that it saw."""
    time.sleep(seconds)
    return os.getpid(), os.environ.get("CUDA_VISIBLE_DEVICES")


def test_a_process_has_one_gpu_for_all_its_calls(nodes: Nodes) -> None:
    seen: list[tuple[int, str | None]] = []
    with Cluster(nodes.address, gpu_share=0.5) as cluster:
        # Ray gives processes that wait in between whichever GPU is free.
        for count in (4, 1, 4, 2, 3, 4, 1, 4):
            for i in range(count):
                cluster.begin(visit, 0.1 + 0.3 * (i % 2))
            end = time.monotonic() + 120
            while cluster.waiting:
                assert time.monotonic() < end
                seen += [result for _, result in cluster.finished(1)]
            time.sleep(0.5)
    processes = {process for process, _ in seen}
    assert len(seen) == 23
    assert len(set(seen)) == len(processes) < len(seen) / 2
    assert {gpu for _, gpu in seen} == {"0", "1"}


def test_workers_are_counted_by_processors_and_by_shares(nodes: Nodes) -> None:
    ray.init(address=nodes.address, log_to_driver=False)
    try:
        # Two GPUs and five processors; 0.4 of a GPU is there twice, and never from both.
        counts = {0: 7, 1: 2, 0.6: 2, 0.5: 4, 0.4: 4, 1 / 3: 5, 0.0001: 5}
        for share, count in counts.items():
            assert Cluster("auto", share).workers == count, share
    finally:
        ray.shutdown()


def slowly(version: int, weights: Parameters, seed: int, settings: SelfPlay) -> FinishedGames:
    """`self_play`, which takes a second at least."""
    time.sleep(1)
    return self_play(version, weights, seed, settings)


def test_games_are_the_same_and_a_gpu_that_comes_late_gets_work(nodes: Nodes) -> None:
    cluster = Cluster(nodes.address, gpu_share=1)
    assert cluster.workers == 2
    first = names_with_gpus()
    games: list[FinishedGames] = []
    begun = 0
    late = None
    try:
        end = time.monotonic() + 200
        while len({one.node for one in games}) < 2:
            assert time.monotonic() < end
            while cluster.waiting < cluster.workers + 1:
                cluster.begin(slowly, 1, WEIGHTS, begun, settings())
                begun += 1
            games += [result for _, result in cluster.finished()]
            if games and late is None:
                late = nodes.add_node(num_cpus=1, num_gpus=1)
            time.sleep(0.05)
        while cluster.workers < 3:
            assert time.monotonic() < end
            time.sleep(0.1)
        games += taken(cluster)
        both = names_with_gpus()
    finally:
        cluster.close()
        if late is not None:
            nodes.remove_node(late)
    assert len(both - first) == 1
    assert {one.node.split("/")[1] for one in games} == both
    assert sorted(map(key, games)) == sorted(
        key(self_play(1, WEIGHTS, seed, settings())) for seed in range(begun)
    )


def test_a_tournament_with_shares_is_the_same_as_on_one_machine(nodes: Nodes) -> None:
    tournament = small("random", "mcts:simulations=20", games=4, seed=3)
    assert not tournament.uses_torch
    with Cluster(nodes.address, gpu_share=0.5) as cluster:
        assert results(tournament, cluster=cluster) == results(tournament, processes=0)


def lacking_torch() -> None:
    """A node with a GPU, and no PyTorch; the call before this one may have loaded it in the same process."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        del sys.modules[name]
    sys.path.clear()
    with_gpu(int)


NODE = r"the node \S+/[0-9a-f]{8}"
BLIND = NODE + r" has a GPU as Ray says, but its PyTorch \S+ finds none"


@without_cuda
def test_a_node_whose_pytorch_finds_no_gpu_is_named(nodes: Nodes, tmp_path: Path) -> None:
    with Cluster(nodes.address, gpu_share=0.25) as cluster:
        cluster.begin(with_gpu, self_play, 1, WEIGHTS, 1, settings(backend="torch"))
        with pytest.raises(JobError, match=BLIND):
            taken(cluster)
        cluster.begin(lacking_torch)
        with pytest.raises(JobError, match=f"{NODE} has no PyTorch for its GPU .No module named 'torch'"):
            cluster.finished(60)
    common = ["--ray", nodes.address, "--gpu-share", "0.25", "--size", "8", "--game", "reversi"]
    trained = run_command("train", "--out", str(tmp_path / "run"), "--workers", "1", *common)
    player = "network:name=reversi8,backend=torch"
    played = run_command("match", player, "random", "--games", "2", *common)
    for ended in (trained, played):
        assert ended.returncode == 1
        # Only progress comes before it.
        *before, last = ended.stderr.splitlines()
        assert re.fullmatch(f"sixplane: error: {BLIND}", last)
        assert all("0 games" in line for line in before)


def test_a_gpu_without_a_processor_is_no_place_to_play(tmp_path: Path) -> None:
    nodes = Nodes(
        initialize_head=True, head_node_args={"num_cpus": 0, "num_gpus": 1, "include_dashboard": False}
    )
    try:
        nodes.add_node(num_cpus=1, num_gpus=0)
        out = tmp_path / "run"
        options = ["--game", "reversi", "--size", "8", "--out", str(out)]
        share = ["--ray", nodes.address, "--gpu-share", "0.5"]
        trained = run_command("train", *options, *share)
        played = run_command("match", "network:name=reversi8,backend=torch", "random", *options, *share)
        nowhere = (
            f"sixplane: error: no node of the Ray cluster at '{nodes.address}' has a GPU and a processor for "
            "it: there are 2 nodes with 1 processors and 1 GPUs in all\n"
        )
        assert (trained.returncode, trained.stderr) == (1, nowhere)
        assert (played.returncode, played.stderr) == (1, nowhere)
        assert not (out / "run.json").exists()
        useless = run_command("match", "random", "mcts:simulations=1", *options, *share)
        assert useless.returncode == 2
        assert "--gpu-share is for players with backend=torch, and there is none" in useless.stderr
    finally:
        nodes.shutdown()
