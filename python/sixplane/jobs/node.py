"""The name of the machine that a call runs on, and of the node on a cluster."""

from __future__ import annotations

import socket
import sys


def node_name() -> str:
    """Returns the host of this process, and in a Ray cluster also the node, such as `"gpu-7/1f0c22ab"`.

    Example:
        >>> node_name().partition("/")[0] == socket.gethostname()
        True
    """
    host = socket.gethostname()
    # A process that is on a node of Ray has loaded it.
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return host
    return f"{host}/{ray.get_runtime_context().get_node_id()[:8]}"
