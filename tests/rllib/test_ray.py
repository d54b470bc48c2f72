"""A Ray cluster: the same games as on one machine, and each once, whatever dies in between."""

from __future__ import annotations

import importlib
import itertools
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster as Nodes

import sixplane
from interruptible import INTERRUPTIBLE
from learn_runs import TINY, counted
from ray_games import WEIGHTS, environment, key, results, run_command, settings, taken, train_command
from sixplane.agents import Agent, AgentSpec, RandomAgent
from sixplane.jobs import Cluster, JobError, node_name
from sixplane.learn.dashboard import Dashboard
from sixplane.learn.self_play import FinishedGames, self_play
from sixplane.match import Tournament
from sixplane.runs.calls import Call
from small_matches import small
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sixplane.learn.self_play import SelfPlay
    from sixplane.nets import Parameters

# The nodes do not have this module.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])


def unevenly(deaths: Path, version: int, weights: Parameters, seed: int, settings: SelfPlay) -> FinishedGames:
    """`self_play` in a worker that dies now and then, or takes long; what it plays is the same."""
    time.sleep(0.5 + 4 * (seed % 5 == 4))
    if seed % 5 == 3 and not (deaths / str(seed)).exists():
        (deaths / str(seed)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return self_play(version, weights, seed, settings)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """A driver's node without a processor for games, and two nodes with one each."""
    nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for _ in range(2):
        nodes.add_node(num_cpus=1, wait=False)
    nodes.wait_for_nodes(120)
    yield nodes
    nodes.shutdown()


def megabytes(count: int) -> tuple[str, np.ndarray[Any, np.dtype[np.uint8]]]:
    """Where it was called, and an array."""
    return node_name(), np.full(count * 1_000_000, count, np.uint8)


def wait_a_little(seconds: float) -> float:
    """What it was given."""
    time.sleep(seconds)
    return seconds


def test_results_come_from_other_nodes_in_the_order_of_the_tasks(nodes: Nodes) -> None:
    with Cluster(nodes.address) as cluster:
        assert cluster.workers == 2
        waits = [1.0, 0.1, 0.5, 0.0, 0.2]
        assert list(cluster.map(wait_a_little, [(wait,) for wait in waits])) == waits
        results = list(cluster.map(megabytes, [(count,) for count in range(1, 7)]))
        assert [array.mean() for _, array in results] == [1, 2, 3, 4, 5, 6]
        stopped = cluster.map(wait_a_little, [(0.0,)] * 9, stop=lambda: True)
        assert list(stopped) == []
    assert not ray.is_initialized()


def test_no_call_is_lost_or_made_twice_when_workers_and_nodes_die_and_another_joins(
    nodes: Nodes, tmp_path: Path
) -> None:
    cluster = Cluster(nodes.address)
    assert cluster.workers == 2
    games: list[FinishedGames] = []
    begun = itertools.count()

    def begin() -> None:
        # Weights of its own for each: old ones are still there for calls that are made again.
        seed = next(begun)
        cluster.begin(unevenly, tmp_path, seed, cluster.put(WEIGHTS), seed, settings())

    def both_have_played() -> bool:
        while cluster.waiting < 4:
            begin()
        games.extend(result for _, result in cluster.finished())
        return len({one.node for one in games}) == 2

    until(both_have_played, seconds=4 * MINUTE)
    nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)
    nodes.add_node(num_cpus=1)
    for _ in range(8):
        begin()
    games += taken(cluster)
    cluster.close()
    seeds = range(next(begun))
    assert sorted(one.version for one in games) == [*seeds]
    expected = sorted(key(self_play(1, WEIGHTS, seed, settings())) for seed in seeds)
    assert sorted(map(key, games)) == expected
    assert {int(file.name) for file in tmp_path.iterdir()} == set(seeds[3::5])


def test_a_tournament_on_a_cluster_is_the_same_as_on_one_machine(nodes: Nodes) -> None:
    tournament = small("random", "mcts:simulations=20", games=4, seed=3)
    with Cluster(nodes.address) as cluster:
        assert results(tournament, cluster=cluster) == results(tournament, processes=0)
        assert results(tournament, cluster=cluster, skip=[0, 2]).keys() == {1, 3}
        # Each of two at a time gets its own games.
        both = list(zip(tournament.run(cluster=cluster), tournament.run(cluster=cluster), strict=True))
    for played in zip(*both, strict=True):
        assert {one.fixture.index for one in played} == {0, 1, 2, 3}


def test_self_play_and_matches_of_the_commands_are_the_same_on_a_cluster(
    nodes: Nodes, tmp_path: Path
) -> None:
    common = ["selfplay", "--size", "5", "--games", "300", "--seed", "5"]
    here = run_command(*common, "--out", str(tmp_path / "here"))
    there = run_command(*common, "--out", str(tmp_path / "there"), "--ray", nodes.address)
    assert (here.returncode, there.returncode) == (0, 0), there.stderr
    texts = [
        {file.name: file.read_text() for file in (tmp_path / where).glob("*.sgf")}
        for where in ("here", "there")
    ]
    assert texts[0] == texts[1] and len(texts[0]) == 300
    match = ["match", "random", "score-table", "--game", "gomoku", "--size", "7", "--games", "6"]
    match += ["--seed", "2", "--ray", nodes.address, "--out", str(tmp_path / "match")]
    first = run_command(*match)
    assert first.returncode == 0, first.stderr
    assert run_command(*match).stdout == first.stdout


def test_a_driver_that_is_killed_goes_on_with_the_same_command(nodes: Nodes, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = train_command(out, nodes.address, sizes="3,4")
    with subprocess.Popen(command, env=environment()) as process:
        try:
            until(lambda: len(counted(out)) >= 5, process, 4 * MINUTE)
        finally:
            process.kill()
    before = counted(out)
    command = [*INTERRUPTIBLE, *command]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE) as process:
        try:
            until(lambda: len(counted(out)) >= len(before) + 5, process, 4 * MINUTE)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=4 * MINUTE)
        finally:
            process.kill()
    # The law is checked at the end; a breach would be an error.
    assert process.returncode == 130, said
    after = counted(out)
    assert after[: len(before)] == before
    assert len(set(after)) == len(after)
    header, *rows = (out / "metrics.csv").read_text().splitlines()
    row = dict(zip(header.split(","), rows[-1].split(","), strict=True))
    assert int(row["games"]) == TINY.games_at_once * len(after)
    # A row in whose time nothing was played or learned, as at the end, has no load.
    at = header.split(",").index("driver_load")
    loads = [float(cells[at]) for line in rows if (cells := line.split(","))[at]]
    assert loads and all(0 < load < 1 for load in loads)
    # The workers of a cluster play on the boards that the run mixes.
    boards = [int(row[f"positions on {board}"]) for board in ("3x3", "4x4")]
    assert all(boards) and sum(boards) == int(row["positions"])


def lacking() -> None:
    """A node without a library."""
    raise ModuleNotFoundError("No module named 'sixplane'")


def refusing() -> None:
    """A worker without enough memory."""
    raise MemoryError("no memory for the batch")


def test_what_is_wrong_is_told(nodes: Nodes) -> None:
    with pytest.raises(JobError, match=r"no Ray cluster answers at '127\.0\.0\.1:1'"):
        Cluster("127.0.0.1:1")
    for nonsense in ("nonsense", "127.0.0.1:65536"):
        with pytest.raises(JobError, match="an address is HOST:PORT, ray://HOST:PORT, auto or local"):
            Cluster(nonsense)
    nowhere = "has a GPU and a processor for it: there are 3 nodes with 2 processors and 0 GPUs in all"
    with pytest.raises(JobError, match=nowhere):
        Cluster(nodes.address, gpu_share=0.5)
    assert not ray.is_initialized()
    with Cluster(nodes.address) as cluster:
        cluster.begin(refusing)
        with pytest.raises(MemoryError, match=r"^no memory for the batch\nraised in a process by this:\n"):
            cluster.finished(4 * MINUTE)
        cluster.begin(lacking)
        with pytest.raises(
            JobError, match=r"^a node .* lacks what the call needs: No module named 'sixplane'$"
        ):
            cluster.finished(4 * MINUTE)


def test_a_cluster_that_was_closed_takes_no_calls_and_closes_no_other(nodes: Nodes) -> None:
    first = Cluster(nodes.address)
    first.close()
    with Cluster(nodes.address) as second:
        key = second.begin(wait_a_little, 1.0)
        first.close()
        assert second.finished(math.inf) == [(key, 1.0)]
        mapped = second.map(wait_a_little, [(0.0,), (1000.0,)])
        assert next(mapped) == 0.0
    for use in (
        lambda: second.put(1),
        lambda: second.begin(pow, 2, 3),
        lambda: second.finished(MINUTE),
        lambda: second.workers,
        lambda: next(mapped),
    ):
        with pytest.raises(JobError, match=r"^the cluster was closed$"):
            use()
        assert not ray.is_initialized()
    # Also where somebody else has ended Ray.
    third = Cluster(nodes.address)
    third.begin(wait_a_little, 1000.0)
    ray.shutdown()
    third.close()
    assert not ray.is_initialized()


def test_maps_at_the_same_time_get_their_own_results(nodes: Nodes) -> None:
    with Cluster(nodes.address) as cluster:
        for result in cluster.map(pow, [(2, power) for power in range(6)]):
            assert list(cluster.map(pow, [(result, 2), (result, 3)])) == [result**2, result**3]


def terminate_once(mark: Path) -> str:
    """Ends its process by SIGTERM at the first try."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(MINUTE)
    return "done"


def test_a_call_whose_process_is_terminated_is_made_again(nodes: Nodes, tmp_path: Path) -> None:
    with Cluster(nodes.address) as cluster:
        key = cluster.begin(terminate_once, tmp_path / "mark")
        assert cluster.finished(4 * MINUTE) == [(key, "done")]


class Answering(BaseRequestHandler):
    """What answers to anything with a line of HTTP/1, as the dashboard does."""

    def handle(self) -> None:
        self.request.recv(1000)
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_another_service_at_the_address_is_told_from_a_cluster() -> None:
    with ThreadingTCPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{server.server_address[1]}"
        told = f"no Ray cluster answers at '{address}': something else does, and by default the head has port"
        with pytest.raises(JobError, match=f"^{told} 6379$"):
            Cluster(address)
        server.shutdown()
    assert not ray.is_initialized()


class TwoPartsError(Exception):
    """An exception that pickles, but cannot be made again."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


class Remade:
    """An argument that each process makes again by a function, so that it arrives nowhere if that fails."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self.made = function, arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.made


def raise_this(error: BaseException) -> None:
    """Raises an exception."""
    raise error


def do_without(module: str) -> None:
    """Fails after it has found that something that is optional is not there."""
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ValueError("komi must be a number") from error


def raise_two_parts() -> None:
    """Raises an exception that cannot be made again."""
    raise TwoPartsError(1, 2)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        ((do_without, "not_there"), ValueError, "komi must be a number"),
        (
            (raise_this, ValueError("No module named 'x', it says")),
            ValueError,
            "No module named 'x', it says",
        ),
        ((raise_two_parts,), JobError, "TwoPartsError: 1 and 2"),
        ((raise_this, SystemExit(3)), JobError, "the call has ended by SystemExit(3)"),
        ((raise_this, KeyboardInterrupt()), JobError, "the call has ended by KeyboardInterrupt()"),
        ((threading.Lock,), JobError, "the cluster has given up a call: cannot pickle '_thread.lock' object"),
        (
            (len, Remade(importlib.import_module, "not_there")),
            JobError,
            "a node of the cluster lacks what the call needs: No module named 'not_there'",
        ),
        (
            (len, Remade(raise_this, AttributeError("no rules of this name"))),
            JobError,
            "the cluster has given up a call: System error: no rules of this name",
        ),
        (
            (len, threading.Lock()),
            JobError,
            "cannot hand a call to the cluster: cannot pickle '_thread.lock' object",
        ),
    ],
)
def test_what_a_call_raises_is_raised_and_what_cannot_travel_is_told_in_one_line(
    nodes: Nodes, call: tuple[Any, ...], kind: type[Exception], message: str
) -> None:
    def answer(cluster: Cluster) -> object:
        cluster.begin(*call)
        return cluster.finished(4 * MINUTE)

    with Cluster(nodes.address) as cluster:
        with pytest.raises(kind) as caught:
            answer(cluster)
        assert type(caught.value) is kind and str(caught.value) == message
        assert cluster.waiting == 0


class Locked:
    """A player that does not pickle."""

    title = "locked"

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def make(self, seed: int) -> Agent:
        """Another one."""
        return RandomAgent(seed=seed)


def test_a_player_that_does_not_pickle_is_told_in_one_line(nodes: Nodes) -> None:
    tournament = Tournament([Locked(), AgentSpec.parse("random")], sixplane.Gomoku(size=7), games=2)
    told = "cannot hand tuple to the cluster: cannot pickle '_thread.lock' object"
    with Cluster(nodes.address) as cluster, pytest.raises(JobError, match=f"^{told}$"):
        list(tournament.run(cluster=cluster))


def fail_late(number: int) -> int:
    """Fails, but for 0."""
    time.sleep(number)
    return 1 // (number == 0)


def test_what_was_left_of_a_map_or_a_tournament_does_not_come_later(nodes: Nodes) -> None:
    with Cluster(nodes.address) as cluster:
        for result in cluster.map(fail_late, [(number,) for number in range(4)]):
            assert result == 1
            break
        assert cluster.waiting == 0
        played = small("random", "b@random", games=20).run(cluster=cluster)
        next(played)
        played.close()  # type: ignore[attr-defined] # a generator
        assert cluster.waiting == 0
        assert list(cluster.map(pow, [(2, power) for power in range(4)])) == [1, 2, 4, 8]


def test_a_game_in_a_file_of_another_folder_is_found_by_the_nodes(nodes: Nodes, tmp_path: Path) -> None:
    shutil.copyfile(Path(__file__).parents[2] / "examples/tictactoe.py", tmp_path / "toe.py")
    game = ["--game", f"{tmp_path}/toe.py:TicTacToe", "--games", "10", "--seed", "1"]
    done = run_command("selfplay", *game, "--ray", nodes.address)
    assert done.returncode == 0, done.stderr


def test_a_node_with_another_version_is_told(nodes: Nodes, tmp_path: Path) -> None:
    package = tmp_path / "sixplane"
    shutil.copytree(Path(sixplane.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    with (package / "jobs/cluster.py").open("a") as source:
        source.write('__version__ = "0.0.1"\n')
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    other = nodes.add_node(num_cpus=4, env_vars={"PYTHONPATH": paths})
    try:
        nodes.wait_for_nodes(120)
        with Cluster(nodes.address) as cluster:
            told = rf"a node has sixplane 0\.0\.1, and the driver {re.escape(sixplane.__version__)}"
            with pytest.raises(JobError, match=f"^{told}$"):
                # Enough for the node to get some, however late its processes are there.
                list(cluster.map(wait_a_little, [(1.0,)] * 600))
    finally:
        nodes.remove_node(other)


def test_figures_for_the_dashboard_are_accepted(nodes: Nodes) -> None:
    with Cluster(nodes.address):
        dashboard = Dashboard()
        dashboard.show(Call(1, 3, 1, 4, 40, 9000, 1.5, 0.5, 2.25, "host"))
        dashboard.show(Call(2, 3, 1, 4, 0, 0, 1.5, 0.5, 2.25, "host"))
