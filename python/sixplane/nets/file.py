"""Networks in files: `.npz` without pickle, with a header in JSON and the parameters as float16."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sixplane._files import write_file
from sixplane.nets.architecture import Architecture

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sixplane.nets.architecture import Parameters

__all__ = ["NetworkFileError", "read_network", "write_network"]

FORMAT: Final = "sixplane network"
VERSION: Final = 1

#: The member of the file with the header.
HEADER: Final = "header"


class NetworkFileError(ValueError):
    """A file that is no network, or a damaged one.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sixplane.nets import Network
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "no.npz")
        ...     size = file.write_bytes(b"no network")
        ...     try:
        ...         Network.load(file)
        ...     except NetworkFileError as error:
        ...         print(str(error).removeprefix(f"{file} "))
        is no network of sixplane, or a damaged one
    """


def write_network(
    path: str | os.PathLike[str], architecture: Architecture, parameters: Parameters, facts: dict[str, Any]
) -> None:
    """Writes a network, so that the file is either the old one or complete.

    Args:
        path: the file.
        architecture: of the network.
        parameters: of the network; they are rounded to float16.
        facts: what else the header says: `sizes`, `komi`, `training`; values as JSON has them.

    Raises:
        OSError: the file cannot be written.
        ValueError: a parameter does not fit into float16.
    """
    header = {
        "format": FORMAT,
        "version": VERSION,
        "game": architecture.game,
        "inputs": list(architecture.inputs),
        "blocks": architecture.blocks,
        "channels": architecture.channels,
        "pool_blocks": list(architecture.pool_blocks or ()),
        "value_hidden": architecture.value_hidden,
        **facts,
    }
    try:
        text = json.dumps(header, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise ValueError(f"training is nothing that JSON can hold: {error}") from error
    arrays: dict[str, Any] = {HEADER: np.frombuffer(text, np.uint8)}
    with np.errstate(over="ignore"):
        arrays |= {name: value.astype(np.float16) for name, value in parameters.items()}
    for name, value in arrays.items():
        if not np.isfinite(value).all():
            raise ValueError(f"{name} has numbers that float16 cannot hold")
    content = io.BytesIO()
    # Without `allow_pickle`, which NumPy before 2.1 takes for one more array.
    np.savez(content, **arrays)
    write_file(Path(path), content.getvalue())


def read_network(
    path: str | os.PathLike[str],
) -> tuple[Architecture, dict[str, NDArray[np.float32]], dict[str, Any]]:
    """The architecture, the parameters and the header of a network in a file.

    Raises:
        NetworkFileError: there is no such file, it is no network, or it is damaged.
    """
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            arrays = _arrays(file, name)
    except FileNotFoundError:
        raise NetworkFileError(f"there is no file {name}") from None
    except OSError as error:
        raise NetworkFileError(f"{name} cannot be read: {error.strerror or error}") from error
    if HEADER not in arrays:
        raise NetworkFileError(f"{name} is no network of sixplane: it has no header")
    try:
        header = json.loads(arrays.pop(HEADER).astype(np.uint8).tobytes())
    except (ValueError, TypeError, RecursionError) as error:
        raise NetworkFileError(f"{name} is no network of sixplane: its header is no JSON") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise NetworkFileError(f"{name} is no network of sixplane: its header is of another format")
    if header.get("version") != VERSION:
        found = header.get("version")
        raise NetworkFileError(f"{name} is a network of version {found!r}; this sixplane reads {VERSION}")
    try:
        architecture = _architecture(header)
        if alien := [key for key, value in arrays.items() if value.dtype.kind != "f"]:
            raise ValueError(f"the numbers of {alien[0]} are {arrays[alien[0]].dtype}")
        parameters = architecture.check_parameters(arrays)
    except (KeyError, TypeError, ValueError) as error:
        said = f"the header has no {error}" if isinstance(error, KeyError) else str(error)
        raise NetworkFileError(f"{name} is a damaged network: {said}") from error
    return architecture, parameters, header


def _arrays(file: Any, name: str) -> dict[str, NDArray[Any]]:
    """All members of a file of NumPy."""
    try:
        members = np.load(file, allow_pickle=False)
        if isinstance(members, np.lib.npyio.NpzFile):
            return {name: members[name] for name in members.files}
    except Exception as error:  # of damaged bytes NumPy and zipfile raise almost anything
        raise NetworkFileError(f"{name} is no network of sixplane, or a damaged one") from error
    raise NetworkFileError(f"{name} is no network of sixplane: it is a single array")


def _architecture(header: dict[str, Any]) -> Architecture:
    return Architecture(
        game=header["game"],
        inputs=tuple(header["inputs"]),
        blocks=header["blocks"],
        channels=header["channels"],
        pool_blocks=tuple(header["pool_blocks"]),
        value_hidden=header["value_hidden"],
    )
