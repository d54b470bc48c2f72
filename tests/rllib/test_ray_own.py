"""Runs and programs with a Ray cluster of their own."""

from __future__ import annotations

import dataclasses
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import ray

from interruptible import INTERRUPTIBLE
from learn_runs import TINY, counted
from ray_games import environment, sixplane_command, train_command
from sixplane.jobs import Cluster, JobError
from sixplane.learn.trainer import Run, train
from waiting import MINUTE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A program that does not outlive the block."""
    # Ray would wait a minute for a head that does not answer.
    told = environment() | {"RAY_gcs_rpc_server_reconnect_timeout_s": "5"}
    with subprocess.Popen([*INTERRUPTIBLE, *command], env=told, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def kill_node_of(process: subprocess.Popen[str]) -> None:
    """Kills all that makes up the node that a process has begun for itself."""
    listed = subprocess.run(
        ["ps", "-eww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    killed = set()
    for line in listed.splitlines():
        pid, parent, program, *_ = line.split(maxsplit=3)
        name = Path(program).name
        if int(parent) == process.pid and name in ("raylet", "gcs_server"):
            os.kill(int(pid), signal.SIGKILL)
            killed.add(name)
    assert killed == {"raylet", "gcs_server"}, listed


def test_a_run_whose_whole_node_dies_says_so_in_one_line_and_goes_on_later(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    command = train_command(out, "local")
    with running(command) as process:
        until(lambda: len(counted(out)) >= 2, process, 4 * MINUTE)
        kill_node_of(process)
        _, said = process.communicate(timeout=4 * MINUTE)
    assert process.returncode not in (None, 0)
    what = "the Ray node on this machine has died, and this process with it"
    line = f"sixplane: error: {what}; the run in {out} goes on later, by the same command"
    assert [one for one in said.splitlines() if one.startswith("sixplane: ")] == [line]
    before = counted(out)

    def run_until(done: Callable[[Run], bool], **changed: Any) -> Run:
        seen: list[Run] = []
        train(
            dataclasses.replace(TINY, out=str(out), **changed),
            on_progress=seen.append,
            is_stopped=lambda: bool(seen) and done(seen[0]),
        )
        return seen[0]

    run = run_until(lambda run: run.progress.calls > len(before), ray="local", workers=2)
    assert isinstance(run.jobs, Cluster) and not ray.is_initialized()
    assert what not in capfd.readouterr().err
    assert counted(out)[: len(before)] == before
    # It also goes on without a cluster.
    games = run.progress.games
    assert run_until(lambda run: run.progress.games > games, workers=1).progress.games > games


def test_a_cluster_that_was_joined_before_outlives_its_object_and_leaves_a_processor_to_the_driver() -> None:
    ray.init("local", num_cpus=3, include_dashboard=False, log_to_driver=False)
    try:
        with Cluster("auto") as cluster:
            assert cluster.workers == 2
        assert ray.is_initialized()
        cluster = Cluster("auto")
        first, failing, last = cluster.begin(pow, 2, 3), cluster.begin(pow, 0, -1), cluster.begin(pow, 2, 4)
        ray.wait([first, failing, last], num_returns=3)
        # What has finished before is not lost.
        assert cluster.finished() == [(first, 8)]
        with pytest.raises(ZeroDivisionError):
            cluster.finished()
        assert cluster.finished() == [(last, 16)]
    finally:
        ray.shutdown()
    for use in (lambda: cluster.begin(pow, 2, 3), lambda: cluster.put(1), lambda: cluster.workers):
        with pytest.raises(JobError, match=r"^the cluster was closed$"):
            use()
        assert not ray.is_initialized()
    cluster.close()


def touch_later(file: Path, seconds: float) -> None:
    """Makes a file after some time."""
    time.sleep(seconds)
    file.touch()


def test_a_call_that_is_forgotten_keeps_no_processor_and_is_not_made_if_it_waits(tmp_path: Path) -> None:
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        with Cluster("auto") as cluster:
            running = cluster.begin(touch_later, tmp_path / "late", 1000.0)
            waiting = cluster.begin(touch_later, tmp_path / "made", 0.0)
            last = cluster.begin(pow, 2, 5)
            cluster.forget([running, waiting])
            assert cluster.finished(MINUTE) == [(last, 32)]
            assert not (tmp_path / "made").exists()
    finally:
        ray.cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
        ray.shutdown()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def guarded() -> Iterator[tuple[str, dict[str, str]]]:
    """A cluster that asks for a token: its address, and what programs that have the token are told."""
    # Ray's sockets lie in it, and their paths must be short.
    with tempfile.TemporaryDirectory(prefix="ray") as home:
        (Path(home) / ".ray").mkdir()
        (Path(home) / ".ray" / "auth_token").write_text("0" * 64)
        told = {name: value for name, value in environment().items() if not name.startswith("RAY_AUTH")}
        told |= {"HOME": home}
        command = [str(Path(sys.executable).parent / "ray"), "start", "--head", "--block", "--num-cpus=1"]
        command += [f"--temp-dir={home}/ray", "--include-dashboard=false"]
        for _ in range(5):  # another program may take the port before Ray does
            port = free_port()
            process = subprocess.Popen(
                [*command, f"--port={port}"], env=told, stdout=subprocess.PIPE, text=True
            )
            assert process.stdout is not None
            if has_started := any("Ray runtime started" in line for line in process.stdout):
                break
            process.communicate(timeout=60)
        try:
            assert has_started
            yield f"{ray.util.get_node_ip_address()}:{port}", told
        finally:
            process.terminate()
            process.communicate(timeout=60)


def test_a_cluster_that_asks_for_a_token_is_joined_by_its_mode(guarded: tuple[str, dict[str, str]]) -> None:
    address, told = guarded
    command = sixplane_command("selfplay", "--size", "5", "--games", "5", "--seed", "1", "--ray", address)
    lacking, joined = (
        subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=20 * MINUTE, env=told | mode
        )
        for mode in ({}, {"RAY_AUTH_MODE": "token"})
    )
    assert lacking.returncode == 1
    *_, last = lacking.stderr.splitlines()
    assert re.fullmatch(
        f"sixplane: error: cannot join the Ray cluster at '{address}': .*; "
        "a cluster that asks for a token needs RAY_AUTH_MODE=token",
        last,
    )
    assert joined.returncode == 0, joined.stderr
