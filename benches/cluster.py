"""What a run of training on a Ray cluster bears, measured with several nodes on this machine.

    python benches/cluster.py faults    # nodes and drivers are killed; each game must be counted once
    python benches/cluster.py rate      # games an hour with one node killed every two minutes, and with none
    python benches/cluster.py points    # what a driver and its workers take, from 2 workers to many
    python benches/cluster.py cut       # nodes in network namespaces, and cuts that heal (superuser)

It needs the environment of `make test-all` with Ray and PyTorch. The nodes share the processors of this
machine, so their workers play small games and then sleep until the time of a call is over, as if on machines
of their own.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sixplane.jobs import Cluster
from sixplane.learn import Config, self_play, train
from sixplane.runs.calls import Call, Calls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sixplane.learn import FinishedGames, Run

#: Seconds of a call, and the run: small games, so that several nodes fit on two processors.
CALL_SECONDS = 4.0
SMALL: dict[str, Any] = {
    "game": "go",
    "size": 5,
    "minutes": 600,
    "blocks": 1,
    "channels": 4,
    "simulations": 2,
    "last_simulations": 2,
    "games_at_once": 8,
    "samples_per_position": 0.0,
    "judge_every": 1e9,
    "checkpoint_every": 15,
}


def on_a_machine_of_its_own(seconds: float, *arguments: Any) -> FinishedGames:
    """Plays, and then sleeps until the time of the call is over."""
    end = time.monotonic() + seconds
    games = self_play(*arguments)
    time.sleep(max(0.0, end - time.monotonic()))
    return games


def drive(address: str, out: Path, workers: int) -> None:
    """A driver until Ctrl-C. It does not learn: that would take the processors from the nodes."""
    config = Config(**SMALL, out=str(out), ray=address, workers=workers)
    stopped: list[int] = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(1))
    jobs = Instead(address, partial(on_a_machine_of_its_own, CALL_SECONDS))
    train(config, learner=NoLearner, jobs=lambda _: jobs, is_stopped=lambda: bool(stopped))  # type: ignore[arg-type]


class Instead(Cluster):
    """A cluster that calls another function than the run wants, with the same arguments."""

    def __init__(self, address: str, function: Callable[..., FinishedGames]) -> None:
        super().__init__(address)
        self._function = function

    def begin(self, _function: Any, *arguments: Any) -> Any:
        """Begins a call of the other function."""
        return super().begin(self._function, *arguments)


class Driver:
    """A driver in a process of its own."""

    def __init__(self, address: str, out: Path, workers: int) -> None:
        self._command = [sys.executable, __file__, "drive", address, str(out), str(workers)]
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command)  # noqa: S603 - this file

    def kill(self) -> None:
        """SIGKILL, and the same command again."""
        self.check()
        self._process.kill()
        self._process.wait()
        self._start()

    def check(self) -> None:
        """Raises `SystemExit` if the driver has ended."""
        if self._process.poll() is not None:
            raise SystemExit(f"the driver has ended with {self._process.returncode}")

    def close(self) -> None:
        """SIGKILL, if it still runs."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Ctrl-C: the driver proves that each game was counted once, and ends."""
        self.check()
        self._process.send_signal(signal.SIGINT)
        if self._process.wait(300) != 0:
            raise SystemExit("the driver has not ended well")


@contextmanager
def nodes_of(count: int, processors: int = 1) -> Iterator[Any]:
    """A head that plays no games, and nodes that do."""
    from ray.cluster_utils import Cluster as Nodes

    nodes = Nodes()
    try:
        while not nodes.head_node:
            with suppress(Exception):
                nodes.add_node(num_cpus=0, include_dashboard=False)
        _replace(nodes, count, processors)
        nodes.wait_for_nodes(300)
        yield nodes
    finally:
        nodes.shutdown()


def calls_of(out: Path) -> list[Call]:
    """The calls that were counted."""
    if not (out / "calls.csv").exists():
        return []
    calls = Calls(out / "calls.csv")
    calls.close()
    return calls.lines


def wait_for_calls(driver: Driver, out: Path, count: int, seconds: float = 600) -> None:
    """Until so many calls were counted."""
    end = time.monotonic() + seconds
    while len(calls_of(out)) < count:
        driver.check()
        if time.monotonic() > end:
            raise SystemExit(f"no {count} calls within {seconds:.0f} s")
        time.sleep(0.5)


def _replace(nodes: Any, count: int, processors: int = 1) -> None:
    """Starts nodes until there are so many; on a busy machine one may not start within Ray's 30 seconds."""
    while len(nodes.worker_nodes) < count:
        with suppress(Exception):
            nodes.add_node(num_cpus=processors, wait=False)


def trial(seconds: float, every: float, driver_every: float, seed: int) -> str:
    """Trains for some time with three nodes, while some die; one line of what came of it."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, nodes_of(3) as nodes, ExitStack() as stack:
        out = Path(folder) / "run"
        driver = stack.enter_context(closing(Driver(nodes.address, out, workers=3)))
        # Until the workers have started, and each has played.
        wait_for_calls(driver, out, 6)
        first, begun = calls_of(out), time.monotonic()
        killed, drivers = 0, 0
        next_node, next_driver = begun + every, begun + driver_every
        while (now := time.monotonic()) < begun + seconds:
            driver.check()
            if now >= next_node:
                next_node += every
                nodes.remove_node(rng.choice(sorted(nodes.worker_nodes, key=id)), allow_graceful=False)
                killed += 1
                _replace(nodes, 3)
            if now >= next_driver:
                next_driver += driver_every
                driver.kill()
                drivers += 1
            time.sleep(0.2)
        last, took = calls_of(out), time.monotonic() - begun
        driver.stop()
        calls = calls_of(out)
    new = last[len(first) :]
    stale = [call.staleness for call in new]
    games = sum(call.games for call in new)
    return (
        f"{took:.0f} s, {killed} nodes and {drivers} drivers killed: {len(new)} calls, {games} games "
        f"({3600 * games / took:.0f}/h), {len({call.node for call in new})} nodes played, staleness "
        f"{np.mean(stale):.1f} versions, at most {max(stale)}; {len(calls)} calls listed, each once"
    )


def rate(minutes: float, every: float) -> None:
    """Two trials at the same time, so that both have the same machine: with none killed, and with some."""
    command = [sys.executable, __file__, "faults", f"--minutes={minutes}", "--driver-every=1e9"]
    trials = [subprocess.Popen([*command, f"--every={seconds}"]) for seconds in (1e9, every)]  # noqa: S603
    codes = [trial.wait() for trial in trials]
    if any(codes):
        raise SystemExit("a trial has failed")


def points(counts: list[int], seconds: float) -> None:
    """Measures what the driver takes of the time, by calls as large as real ones, from workers that sleep."""
    config = Config(size=9, blocks=1, channels=4, minutes=600, samples_per_position=0.0, judge_every=1e9)
    games = _games_of_call(config)
    size = games.samples.packed_bytes
    print(
        f"a call: {len(games.outcomes)} games of Go 9x9, {len(games.samples)} positions, {size / 1e6:.2f} MB"
    )
    for count in counts:
        with tempfile.TemporaryDirectory() as folder, nodes_of(1, count) as nodes:
            out = folder + "/run"
            _point(
                dataclasses.replace(config, out=out, ray=nodes.address, workers=count),
                count,
                seconds,
                games,
            )


def _games_of_call(config: Config) -> FinishedGames:
    from sixplane.learn import SelfPlay
    from sixplane.nets import Architecture

    architecture = Architecture(config.game, blocks=config.blocks, channels=config.channels)
    settings = SelfPlay(
        prototype=config.prototype(),
        games=config.games_at_once,
        simulations=2,
        opening_plies=6,
        search={},
        architecture=architecture,
        backend={"backend": "numpy"},
    )
    return self_play(0, architecture.random_parameters(np.random.default_rng(0)), 0, settings)


def again(
    place: Any, seconds: float, version: int, _weights: Any, _seed: int, _settings: Any
) -> FinishedGames:
    """Returns the same games as before, after some time: only what the driver does is measured."""
    import ray

    end = time.monotonic() + seconds
    games: FinishedGames = ray.get(place[0])
    time.sleep(max(0.0, end - time.monotonic()))
    return games._replace(version=version, seconds=seconds)


class NoLearner:
    """Learns nothing, in no time."""

    backend = "numpy"

    def __init__(self, _config: Config, _architecture: Any, parameters: dict[str, Any]) -> None:
        self._parameters = parameters

    def step(self, _samples: Any, _learning_rate: float) -> dict[str, float]:
        """Not called: no samples are due."""
        return {}

    def parameters(self) -> dict[str, Any]:
        """As they were."""
        return self._parameters

    def state(self) -> dict[str, Any]:
        """As they were."""
        return self._parameters

    def restore(self, arrays: dict[str, Any]) -> None:
        """Takes them back."""
        self._parameters = arrays


def _point(config: Config, count: int, seconds: float, games: FinishedGames) -> None:
    import ray

    marks: list[tuple[float, int, float, float, int]] = []

    def look(run: Run) -> None:
        # After the workers have started.
        if run.progress.calls >= 3 * count + 3:
            progress = run.progress
            cpu = time.process_time()
            marks.append((run.seconds, progress.calls, progress.driver_seconds, cpu, progress.version))

    def is_over() -> bool:
        return bool(marks) and marks[-1][0] - marks[0][0] >= seconds

    place: list[Any] = []

    def jobs(_config: Config) -> Instead:
        made = Instead(config.ray, partial(again, place, POINT_SECONDS))
        place.append(ray.put(games))
        return made

    train(config, learner=NoLearner, jobs=jobs, on_progress=look, is_stopped=is_over)  # type: ignore[arg-type]
    (t0, c0, d0, p0, _), (t1, c1, d1, p1, _) = marks[0], marks[-1]
    took, calls = t1 - t0, c1 - c0
    print(
        f"{count} workers: {calls / took:.2f} calls/s of {count / POINT_SECONDS:.2f} possible, "
        f"driver load {(d1 - d0) / took:.1%}, {1000 * (d1 - d0) / calls:.1f} ms a call, "
        f"of them {1000 * (p1 - p0) / calls:.1f} ms on a processor",
        flush=True,
    )


#: Seconds of a call of the workers that only send.
POINT_SECONDS = 0.5

#: The network of the machines that `cut` makes: a bridge, and a namespace for each node.
BRIDGE, NETWORK = "sixplane0", "10.77.0."


def ip(*words: str, check: bool = True) -> None:
    """Calls the program `ip`."""
    subprocess.run(["ip", *words], check=check, capture_output=not check)  # noqa: S603, S607


@contextmanager
def namespaces(count: int) -> Iterator[list[str]]:
    """Network namespaces that reach each other and this machine by a bridge; yields their names."""
    names = [f"sixplane{number}" for number in range(1, count + 1)]
    try:
        ip("link", "add", BRIDGE, "type", "bridge")
        ip("addr", "add", f"{NETWORK}1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for number, name in enumerate(names, start=2):
            ip("netns", "add", name)
            ip("link", "add", f"v-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("link", "set", f"v-{name}", "master", BRIDGE, "up")
            ip("-n", name, "addr", "add", f"{NETWORK}{number}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                ip("-n", name, "link", "set", device, "up")
        yield names
    finally:
        for name in names:
            ip("netns", "del", name, check=False)
        ip("link", "del", BRIDGE, check=False)


@contextmanager
def nodes_in(names: list[str], address: str) -> Iterator[None]:
    """A node in each namespace; one that ends is started again, as a supervisor would."""
    started = []
    for number, name in enumerate(names, start=2):
        ray = f"{sys.executable} -m ray.scripts.scripts start --block --disable-usage-stats --num-cpus=1"
        loop = f"while :; do {ray} --address={address} --node-ip-address={NETWORK}{number}; sleep 1; done"
        command = ["ip", "netns", "exec", name, "bash", "-c", loop]
        quiet = subprocess.DEVNULL
        started.append(
            subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)  # noqa: S603
        )
    try:
        yield
    finally:
        for process in started:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for name in names:
            found = subprocess.run(["ip", "netns", "pids", name], capture_output=True, check=False)  # noqa: S603, S607
            for pid in found.stdout.split():
                with suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)


def cut(lengths: list[float]) -> None:
    """Cuts one of two nodes off the network, several times, and lets each cut heal."""
    from ray.cluster_utils import Cluster as Nodes

    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        names = stack.enter_context(namespaces(2))
        head = {"num_cpus": 0, "include_dashboard": False, "node_ip_address": f"{NETWORK}1"}
        nodes = Nodes(initialize_head=True, head_node_args=head)
        stack.callback(nodes.shutdown)
        stack.enter_context(nodes_in(names, nodes.address))
        out = Path(folder) / "run"
        driver = stack.enter_context(closing(Driver(nodes.address, out, workers=2)))
        wait_for_calls(driver, out, 6)
        _phase(driver, out, 40, "before")
        for seconds in lengths:
            ip("link", "set", f"v-{names[0]}", "down")
            _phase(driver, out, seconds, f"cut for {seconds:.0f} s")
            ip("link", "set", f"v-{names[0]}", "up")
            _phase(driver, out, 60, "healed")
        driver.stop()
        print(f"{len(calls_of(out))} calls listed, each once")


def _phase(driver: Driver, out: Path, seconds: float, name: str) -> None:
    """Waits, and tells which node played how many calls meanwhile."""
    before, end = len(calls_of(out)), time.monotonic() + seconds
    while time.monotonic() < end:
        driver.check()
        time.sleep(0.2)
    counts = Counter(call.node.partition("/")[2] for call in calls_of(out)[before:])
    print(f"{name}: {dict(counts)} calls in {seconds:.0f} s", flush=True)


def main() -> None:
    """Measures what the arguments name."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(dest="part", required=True)
    faults = parts.add_parser("faults")
    faults.add_argument("--minutes", type=float, default=5)
    faults.add_argument("--every", type=float, default=20, help="seconds between two dead nodes")
    faults.add_argument("--driver-every", type=float, default=75, help="seconds between two dead drivers")
    of_rate = parts.add_parser("rate")
    of_rate.add_argument("--minutes", type=float, default=10)
    of_rate.add_argument("--every", type=float, default=120)
    at = parts.add_parser("points")
    at.add_argument("--workers", type=int, nargs="+", default=[2, 4, 8, 16])
    at.add_argument("--seconds", type=float, default=20)
    of_cut = parts.add_parser("cut")
    of_cut.add_argument("--seconds", type=float, nargs="+", default=[8.0, 60.0], help="how long each cut is")
    driver = parts.add_parser("drive")
    driver.add_argument("address")
    driver.add_argument("out", type=Path)
    driver.add_argument("workers", type=int)
    arguments = parser.parse_args()
    # Programs that Ray starts import the package from where this one has it.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path[1:]))
    # Ray's workers give way to all other programs of a machine; here they share it with the driver.
    os.environ.setdefault("RAY_worker_niceness", "0")
    with suppress(KeyboardInterrupt):
        if arguments.part == "drive":
            drive(arguments.address, arguments.out, arguments.workers)
        elif arguments.part == "faults":
            print(trial(60 * arguments.minutes, arguments.every, arguments.driver_every, seed=1))
        elif arguments.part == "rate":
            rate(arguments.minutes, arguments.every)
        elif arguments.part == "cut":
            cut(arguments.seconds)
        elif arguments.part == "points":
            points(arguments.workers, arguments.seconds)


if __name__ == "__main__":
    main()
