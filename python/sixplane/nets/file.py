"""Files of networks: `.npz` without pickle, with a header in JSON and the parameters as float16."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, TypedDict, cast

import numpy as np

from sixplane._archive import Archive, ArchiveError, archive_of
from sixplane._arguments import Array, Size
from sixplane._fields import shown
from sixplane._files import open_file, write_file
from sixplane.games import GAMES, no_game
from sixplane.nets.architecture import Architecture, Parameters

FORMAT: Final = "sixplane network"
VERSION: Final = 1

#: The member of the file that is the header, and the most bytes of it.
HEADER: Final = "header"
MOST_HEADER: Final = 1 << 20

#: The first bytes of a file of a single array.
SINGLE: Final = b"\x93NUMPY\x01\x00"

#: Characters of an error that a message repeats.
MOST_LENGTH: Final = 300


class NetworkFileError(ValueError):
    """A file of a network is missing, damaged, or holds something else.

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


class Facts(TypedDict, total=False):
    """The facts about a network in a header, beside its shape."""

    sizes: Sequence[Size]
    komi: float
    training: Mapping[str, object]


class Stored(NamedTuple):
    """The content of a file."""

    architecture: Architecture
    parameters: Parameters
    facts: Facts


def write_network(
    path: str | os.PathLike[str], architecture: Architecture, parameters: Parameters, facts: Facts
) -> None:
    """Writes a network, its parameters as float16, so that the file is either the old one or complete.

    Raises:
        OSError: the file cannot be written.
        ValueError: a parameter does not fit into float16.
    """
    header = {"format": FORMAT, "version": VERSION, **asdict(architecture), **facts}
    try:
        text = json.dumps(header, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise ValueError(f"training must be facts that JSON can hold: {error}") from error
    arrays: dict[str, Array] = {HEADER: np.frombuffer(text, np.uint8)}
    with np.errstate(over="ignore"):
        arrays |= {name: value.astype(np.float16) for name, value in parameters.items()}
    for name, value in arrays.items():
        if not np.isfinite(value).all():
            raise ValueError(f"{name} has numbers that float16 cannot hold")
    write_file(Path(path), archive_of(arrays))


def read_network(path: str | os.PathLike[str]) -> Stored:
    """Reads a network from a file.

    Raises:
        NetworkFileError: there is no such file, or it is no network, or a damaged one.
    """
    name = os.fspath(path)
    try:
        with open_file(Path(path)) as file:
            return _read(file, name)
    except FileNotFoundError:
        raise NetworkFileError(f"there is no file {name}") from None
    except OSError as error:
        raise NetworkFileError(f"{name} cannot be read: {error.strerror or error}") from error


def damaged(path: str | os.PathLike[str], error: Exception) -> NetworkFileError:
    """Makes the error of a damaged network, of limited length."""
    text = f"the header has no {error}" if isinstance(error, KeyError) else str(error)
    if len(text) > MOST_LENGTH:
        text = f"{text[:MOST_LENGTH]}..."
    return NetworkFileError(f"{os.fspath(path)} is a damaged network: {text}")


def _read(file: IO[bytes], name: str) -> Stored:
    """Reads the header first, and then the members that it names, once their shapes were checked."""
    try:
        archive = Archive(file)
        if HEADER not in archive.names:
            raise NetworkFileError(f"{name} is no network of sixplane: it has no header")
        shape, dtype = archive.form(HEADER)
        if math.prod(shape) * dtype.itemsize > MOST_HEADER:
            raise NetworkFileError(f"{name} is no network of sixplane: its header is longer than a megabyte")
        text = archive.read(HEADER)
    except ArchiveError as error:
        file.seek(0)
        if file.read(len(SINGLE)) == SINGLE:
            raise NetworkFileError(f"{name} is no network of sixplane: it is a single array") from error
        raise NetworkFileError(f"{name} is no network of sixplane, or a damaged one") from error
    header = _header(text, name)
    # Nothing is wrong with the network of a game of someone's own.
    game = header.get("game")
    if isinstance(game, str) and ":" in game and game not in GAMES:
        raise NetworkFileError(f"{name}: {no_game(game)}")
    try:
        architecture = Architecture(**{field.name: header[field.name] for field in fields(Architecture)})
        parameters = architecture.check_parameters(_members(archive, architecture.shapes))
    except ArchiveError as error:
        raise NetworkFileError(f"{name} is no network of sixplane, or a damaged one") from error
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(name, error) from error
    return Stored(architecture, parameters, cast("Facts", header))


def _members(archive: Archive, shapes: dict[str, tuple[int, ...]]) -> dict[str, Array]:
    """Reads the members of these shapes, if all have them."""
    if missing := [key for key in shapes if key not in archive.names]:
        raise ValueError(f"the parameter {missing[0]} is missing")
    if unknown := sorted(set(archive.names) - shapes.keys() - {HEADER}):
        raise ValueError(f"the network has no parameter {unknown[0]}")
    for key, expected in shapes.items():
        found, dtype = archive.form(key)
        if dtype.kind != "f":
            raise ValueError(f"the numbers of {key} must be floats, not {dtype}")
        if found != expected:
            raise ValueError(f"the shape of {key} must be {expected}, not {found}")
    return {key: archive.read(key) for key in shapes}


def _header(text: Array, name: str) -> dict[str, Any]:
    try:
        header: object = json.loads(text.astype(np.uint8).tobytes())
    except (ValueError, TypeError, RecursionError) as error:
        raise NetworkFileError(f"{name} is no network of sixplane: its header is no JSON") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise NetworkFileError(f"{name} is no network of sixplane: its header is of another format")
    if header.get("version") != VERSION:
        found = shown(header.get("version"))
        raise NetworkFileError(f"{name} is a network of version {found}; this sixplane reads {VERSION}")
    return header
