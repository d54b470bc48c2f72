"""Calls of functions elsewhere: in processes of this machine, or on the nodes of a Ray cluster.

Training, tournaments and self-play use it. Both kinds are `Jobs`, and are used in the same way.

| name | what it is |
|---|---|
| `Jobs` | the interface: it begins calls elsewhere, and returns their results as they finish |
| `Processes` | processes of this machine |
| `Cluster` | the nodes of a Ray cluster, which needs `sixplane[ray]` |
| `JobError` | the error of a call that cannot be made |
| `node_name` | the machine and the node that a call runs on |

A call whose process, machine or node dies is made again. So a function that is called must be pure: the same
arguments give the same result.
"""

from sixplane.jobs.cluster import Cluster
from sixplane.jobs.jobs import JobError, Jobs, node_name
from sixplane.jobs.processes import Processes

__all__ = ["Cluster", "JobError", "Jobs", "Processes", "node_name"]
