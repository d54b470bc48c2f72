"""Calls of functions on all nodes of a Ray cluster.

Ray schedules the calls, moves arguments and results between nodes, and makes a call again whose worker or
node has died; nothing here does. `sixplane train`, `selfplay` and `match` use it for `--ray`.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Collection, Hashable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sixplane._core import __version__
from sixplane.jobs.child import LONGEST_WAIT
from sixplane.jobs.gpu import check_gpu_share
from sixplane.jobs.jobs import JobError, Jobs
from sixplane.jobs.processes import Job, Outcome, called
from sixplane.jobs.witness import Witness, connect

if TYPE_CHECKING:
    from ray import ObjectRef

T = TypeVar("T")

#: Seconds after which the nodes are looked up again.
REFRESH_SECONDS: Final = 5.0

#: Seconds to wait for an answer from the address. Ray itself waits for minutes.
ADDRESS_SECONDS: Final = 10.0

#: The frame of HTTP/2 (RFC 9113) by which a server of gRPC, such as Ray's head, begins; without settings.
HTTP2_SETTINGS: Final = b"\0\0\0\4\0\0\0\0\0"

#: How a client begins.
HTTP2_HELLO: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HTTP2_SETTINGS

#: What is said of a call whose modules are not on its node.
LACKS: Final = "a node of the cluster lacks what the call needs"


class Cluster(Jobs):
    """Calls functions on the nodes of a Ray cluster, each on one processor and, on request, a part of a GPU.

    A node that joins gets calls as soon as it is there. A call whose worker or node dies is made again, as
    often as it takes. A value that was `put` is kept as long as its reference or a call that has it.

    With `gpu_share` only nodes that have a GPU get calls, and at most `1 / gpu_share` calls run on one GPU
    at the same time. A call sees its own GPU alone (`CUDA_VISIBLE_DEVICES`), and the calls of a process all
    have the same one. Nothing checks that the calls on a GPU fit into its memory together.

    When the node that this process is on dies, or the head of the cluster, Ray ends this process with status
    1, and no exception is raised. A line on stderr says what has died.

    Args:
        address: `"HOST:PORT"` of the cluster on a machine that belongs to it, `"ray://HOST:10001"` from
            elsewhere, `"auto"` for the one that this machine belongs to, or `"local"` for a new one on this
            machine. In a process that has joined a cluster by `ray.init`, that one is used.
        gpu_share: the part of a GPU that each call has, from 0.0001 to 1; 0: no GPU.
        advice: a text at the end of that line.

    Raises:
        JobError: Ray is not installed, no cluster answers at the address, or there is no GPU in it.
        ValueError: no such share.

    Example:
        >>> cluster = Cluster("local")
        >>> cluster.workers >= 1
        True
        >>> list(cluster.map(pow, [(2, 3), (3, 2)]))  # in the order of the tasks
        [8, 9]
        >>> numbers = cluster.put(list(range(1000)))  # it goes to each node once
        >>> key = cluster.begin(sum, numbers)
        >>> while cluster.waiting:
        ...     for call, result in cluster.finished(seconds=60):
        ...         print(call == key, result)
        True 499500
        >>> cluster.close()
    """

    def __init__(self, address: str, gpu_share: float = 0.0, advice: str = "") -> None:
        self.gpu_share = check_gpu_share(gpu_share)
        """The part of a GPU that each call has, in whole parts of 0.0001."""
        # Else calls that were promised to a node that died may wait a minute for it. Ray reads it once.
        os.environ.setdefault("RAY_raylet_rpc_server_reconnect_timeout_max_s", "5")
        try:
            import ray
        except ModuleNotFoundError as error:
            if error.name != "ray":
                raise
            raise JobError("a cluster needs Ray: pip install 'sixplane[ray]'") from error
        self._ray = ray
        self._is_closed = False
        self._owns = not ray.is_initialized()
        if self._owns:
            _connect(ray, address)
        # A call has no end of tries: what it needs comes back with the next node.
        # Ray would begin each call with a GPU in a new process, which takes seconds to load its libraries.
        self._remote = ray.remote(num_cpus=1, num_gpus=self.gpu_share, max_calls=0, max_retries=-1)(_call)
        # Ray makes a call again from its arguments, so those that were put must be there until it is taken.
        self._open: dict[ObjectRef, tuple[object, ...]] = {}
        self._workers = 1
        self._refreshed = -REFRESH_SECONDS
        self._witness = None if _is_client() else Witness(self._addresses(address), advice and f"; {advice}")
        try:
            self._require_node(address)
        except JobError:
            self.close()
            raise

    @property
    def workers(self) -> int:
        """The number of calls that can run at the same time; it changes as nodes come and go.

        It is one for each processor, except for one of the node of this process. With `gpu_share` a node runs
        no more calls than its GPUs have shares. It is at least 1.

        Raises:
            JobError: the cluster was closed.
        """
        self._check_open()
        now = time.monotonic()
        if now - self._refreshed >= REFRESH_SECONDS:
            self._refreshed = now
            own = self._ray.get_runtime_context().get_node_id()
            workers = 0
            for name, (processors, gpus) in self._nodes().items():
                free = max(0, processors - (name == own))
                # A GPU has room for so many calls with this share of it.
                workers += min(free, gpus * int(1 / self.gpu_share)) if self.gpu_share else free
            self._workers = max(1, workers)
        return self._workers

    def _nodes(self) -> dict[str, tuple[int, int]]:
        """Returns the processors and the GPUs of each node that is alive, by its name."""
        return {
            node["NodeID"]: (int(node["Resources"].get("CPU", 0)), int(node["Resources"].get("GPU", 0)))
            for node in self._ray.nodes()
            if node["Alive"]
        }

    def _addresses(self, address: str) -> list[tuple[str, str]]:
        """Returns the nodes that this process dies with, each with its address."""
        context = self._ray.get_runtime_context()
        own = next(node for node in self._ray.nodes() if node["NodeID"] == context.get_node_id())
        node = "the Ray node on this machine"
        head = node if address == "local" else "the head of the Ray cluster"
        at = f"{own['NodeManagerAddress']}:{own['NodeManagerPort']}"
        return [(head, context.gcs_address), (node, at)]

    def _require_node(self, address: str) -> None:
        """Makes sure that a call with a GPU can run somewhere: Ray would wait for such a node in silence."""
        nodes = self._nodes().values()
        if self.gpu_share and not any(processors and gpus for processors, gpus in nodes):
            processors, gpus = (sum(counts) for counts in zip(*nodes, strict=True))
            raise JobError(
                f"no node of the Ray cluster at {address!r} has a GPU and a processor for it: there are "
                f"{len(nodes)} nodes with {processors} processors and {gpus} GPUs in all"
            )

    def _check_open(self) -> None:
        # Else Ray would begin a new cluster, in silence.
        if self._is_closed or not self._ray.is_initialized():
            raise JobError("the cluster was closed")

    def put(self, value: T) -> T:
        self._check_open()
        try:
            reference: T = self._ray.put(value)
        except Exception as error:  # Of a value that does not pickle; its own methods may raise anything.
            raise _cannot_hand(type(value).__name__, error) from error
        return reference

    def begin(self, function: Callable[..., object], *arguments: object) -> ObjectRef:
        self._check_open()
        try:
            call = self._remote.remote(function, __version__, *arguments)
        except Exception as error:
            raise _cannot_hand("a call", error) from error
        self._open[call] = arguments
        return call

    def forget(self, calls: Collection[Hashable]) -> None:
        is_there = self._ray.is_initialized()
        for call in [call for call in self._open if call in calls]:
            if is_there:
                self._ray.cancel(call, force=True)
            del self._open[call]

    def finished(
        self, seconds: float = 0.0, calls: Collection[Hashable] | None = None
    ) -> list[tuple[ObjectRef, Any]]:
        self._check_open()
        wanted = [call for call in self._open if calls is None or call in calls]
        if not wanted:
            return []
        if seconds > 0:
            # Ray counts milliseconds, and has no number for those of an endless wait.
            self._ray.wait(wanted, num_returns=1, timeout=min(seconds, LONGEST_WAIT))
        done, _ = self._ray.wait(wanted, num_returns=len(wanted), timeout=0)
        results: list[tuple[ObjectRef, object]] = []
        for call in done:
            try:
                results.append((call, self._result(call)))
            except Exception:
                if results:
                    break  # It is raised the next time, so that what has finished before is not lost.
                del self._open[call]
                raise
            del self._open[call]
        return results

    def _result(self, call: ObjectRef) -> object:
        errors = self._ray.exceptions
        try:
            result, raised = self._ray.get(call)
        except errors.RayError as error:
            # The function was not called, or its result is lost: what it raises itself comes as a result.
            cause: BaseException = error
            while isinstance(cause, errors.RayTaskError):
                cause = cause.cause
            missing = re.search(r"No module named '[\w.]+'", str(cause))
            if missing and cause is not error:
                raise JobError(f"{LACKS}: {missing[0]}") from error
            raise JobError(f"the cluster has given up a call: {_one_line(cause)}") from error
        if isinstance(raised, ModuleNotFoundError):
            raise JobError(f"{LACKS}: {raised}") from raised
        if raised is not None:
            raise raised
        return result

    def close(self) -> None:
        if self._is_closed:
            return  # Ray may have joined another cluster since.
        self._is_closed = True
        self.forget(self._open)
        if self._witness is not None:
            self._witness.dismiss()
        if self._owns:
            self._ray.shutdown()


def _call(function: Callable[..., object], version: str, *arguments: object) -> Outcome:
    """Calls the function on a node that has the same version of sixplane."""
    if _gpus() != _first_gpus():
        sys.exit(0)  # The call is made again in a process that has not used another GPU.
    if __version__ != version:
        return None, JobError(f"a node has sixplane {__version__}, and the driver {version}")
    from ray import cloudpickle

    # An exception of the driver's script pickles only so.
    return called(Job(function, arguments), cloudpickle.dumps)


def _gpus() -> tuple[str, ...]:
    """Returns the numbers, on the node, of the GPUs that this call was given."""
    import ray

    return tuple(ray.get_runtime_context().get_accelerator_ids()["GPU"])


@cache
def _first_gpus() -> tuple[str, ...]:
    """Returns the GPUs of the first call in this process. A library that has used them sees no others."""
    return _gpus()


def _connect(ray: ModuleType, address: str) -> None:
    try:
        _check_address(address)
    except (OSError, ValueError) as error:
        raise JobError(f"no Ray cluster answers at {address!r}: {_one_line(error)}") from error
    from ray.job_config import JobConfig

    # Ray itself passes on the working folder and the script's alone, and takes no more by `ray://`.
    passed = None if address.startswith("ray://") else JobConfig(_py_driver_sys_path=_folders())
    try:
        ray.init(
            address=address,
            job_config=passed,
            include_dashboard=False if address == "local" else None,
            log_to_driver=False,
            logging_level="warning",
        )
    except Exception as error:  # Ray raises many kinds, and not only its own.
        # Ray looks for a token by itself only where it finds the cluster by itself.
        is_named = address not in {"auto", "local"} and "RAY_AUTH_MODE" not in os.environ
        hint = "; a cluster that asks for a token needs RAY_AUTH_MODE=token" if is_named else ""
        raise JobError(f"cannot join the Ray cluster at {address!r}: {_one_line(error)}{hint}") from error


def _folders() -> list[str]:
    """Returns the folders of modules that are not installed, such as that of a game; the first comes last.

    Each node looks into them before its own, the last one first, and passes over those that it does not have.
    """
    # A node has a Python, packages and a sixplane of its own.
    python, sixplane = Path(os.__file__).parent, Path(__file__).parents[2]
    return [
        str(folder)
        for folder in (Path(name).absolute() for name in reversed(sys.path))
        if folder != sixplane
        and not folder.is_relative_to(python)
        and {"site-packages", "dist-packages"}.isdisjoint(folder.parts)
    ]


def _is_client() -> bool:
    """Returns whether another process speaks to the cluster for this one (`ray://`); Ray ends no client."""
    from ray.util.client import ray

    return bool(ray.is_connected())


def _check_address(address: str) -> None:
    """Raises an `OSError` or a `ValueError` unless it is an address, and what answers there may be Ray."""
    if address in {"auto", "local"}:
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit() and int(port) < 1 << 16):
        raise ValueError("an address is HOST:PORT, ray://HOST:PORT, auto or local")
    with connect(f"{host}:{port}", ADDRESS_SECONDS) as connection:
        # By `ray://` Ray itself soon gives up, and TLS begins in another way.
        if address.startswith("ray://") or os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"):
            return
        connection.sendall(HTTP2_HELLO)
        with connection.makefile("rb") as answer:
            begin = answer.read(len(HTTP2_SETTINGS))
    # The length of the settings comes first.
    if begin[3:] != HTTP2_SETTINGS[3:]:
        raise ValueError("something else does, and by default the head has port 6379")


def _cannot_hand(what: str, error: Exception) -> JobError:
    # Ray puts a page of advice around the error of pickle.
    return JobError(f"cannot hand {what} to the cluster: {_one_line(error.__cause__ or error)}")


def _one_line(error: BaseException) -> str:
    # Errors of Ray's own have a traceback behind what they say.
    text = str(error).partition("\ntraceback: ")[0]
    return " ".join(text.split())[:400] or type(error).__name__
