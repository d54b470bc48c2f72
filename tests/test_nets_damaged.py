"""Files that pretend to be networks: they take little memory, hold nobody up, and are one short error."""

from __future__ import annotations

import io
import json
import os
import threading
import tracemalloc
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sixplane.nets import Architecture, Network, NetworkFileError
from slow_network import lively_parameters
from waiting import MINUTE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ARCHITECTURE = Architecture("go", blocks=1, channels=3)
MEGABYTE = 1 << 20


def good(**changed: Any) -> dict[str, Any]:
    """The members of a network, its header changed."""
    parameters = {
        name: value.astype(np.float16) for name, value in lively_parameters(ARCHITECTURE, seed=1).items()
    }
    header: dict[str, Any] = {
        "format": "sixplane network", "version": 1, "game": "go", "inputs": list(ARCHITECTURE.inputs),
        "blocks": 1, "channels": 3, "pool_blocks": list(ARCHITECTURE.pool_blocks or ()), "value_hidden": 64,
    }  # fmt: skip
    return {"header": np.frombuffer(json.dumps(header | changed).encode(), np.uint8)} | parameters


def stored(path: Path, **changed: Any) -> None:
    with path.open("wb") as file:
        np.savez(file, **(good() | changed))


def compressed(path: Path) -> None:
    """A megabyte or two that becomes two gigabytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in good().items():
            archive.writestr(f"{name}.npy", npy(value))
        with archive.open("more.npy", "w") as member:
            member.write(npy_header((2 << 30,), "|u1"))
            for _ in range(256):
                member.write(bytes(MEGABYTE))


def npy(value: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, value)
    return file.getvalue()


def npy_header(shape: tuple[int, ...], dtype: str) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": shape})
    return file.getvalue()


def with_member(path: Path, name: str, content: bytes) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for key, value in good().items():
            archive.writestr(f"{key}.npy", content if key == name else npy(value))
        if name not in good():
            archive.writestr(f"{name}.npy", content)


def overlapping(path: Path) -> None:
    """Every member is the same bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.npy", npy(good()["header"]))
        archive.writestr("stem.weight.npy", npy(np.zeros(4 * MEGABYTE, np.uint8)))
        (first,) = (one for one in archive.infolist() if one.filename == "stem.weight.npy")
        for number in range(500):
            other = zipfile.ZipInfo(f"more{number}.npy")
            for name in ("header_offset", "file_size", "compress_size", "CRC"):
                setattr(other, name, getattr(first, name))
            archive.filelist.append(other)


CASES: dict[str, Callable[[Path], object]] = {
    "compressed members": compressed,
    "a shape beyond its bytes": lambda path: with_member(
        path, "stem.weight", npy_header((3, 9, 30_000, 30_000), "<f2")
    ),
    "a shape beyond any memory": lambda path: with_member(path, "stem.bias", npy_header((1 << 60,), "<f2")),
    "a member that nobody asked for": lambda path: stored(path, more=np.zeros(64 * MEGABYTE, np.uint8)),
    "another shape": lambda path: stored(path, **{"stem.weight": np.zeros(32 * MEGABYTE, np.float16)}),
    "a broadcast shape": lambda path: stored(path, **{"stem.weight": np.zeros((1, 9, 3, 3), np.float16)}),
    "a type of wide numbers": lambda path: stored(path, **{"stem.bias": np.zeros(3, "U1000000")}),
    "a long header": lambda path: stored(path, header=np.full(64 * MEGABYTE, 32, np.uint8)),
    "a header that says much": lambda path: stored(path, **good(inputs=["x" * 900_000])),
    "a long version": lambda path: stored(path, **good(version="9" * 900_000)),
    "a long game": lambda path: stored(path, **good(game="g" * 900_000)),
    "many pool blocks": lambda path: stored(path, **good(pool_blocks=list(range(100_000)))),
    "a long size": lambda path: stored(path, **good(sizes=["x" * 900_000])),
    "a deep header": lambda path: stored(path, header=np.full(500_000, ord("["), np.uint8)),
    "a long name": lambda path: stored(path, **{"n" * 60_000: np.zeros(1, np.float16)}),
    "members that share their bytes": overlapping,
    "a header of NumPy without end": lambda path: with_member(
        path, "stem.bias", b"\x93NUMPY\x02\x00" + (1 << 30).to_bytes(4, "little") + b" " * MEGABYTE
    ),
    "an empty shape": lambda path: with_member(path, "stem.bias", npy_header((1 << 40, 0), "<f2")),
    "a negative shape": lambda path: with_member(path, "stem.bias", npy_header((-1, -3), "<f2") + bytes(6)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_bad_file_takes_little_memory_and_few_words(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.npz"
    CASES[name](path)
    tracemalloc.start()
    try:
        with pytest.raises(NetworkFileError) as caught:
            Network.load(path, backend="numpy")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    words = str(caught.value).removeprefix(str(path))
    assert len(words) < 400 and "\n" not in words
    assert peak < 24 * MEGABYTE, f"{peak >> 20} MB"


def test_memory_does_not_exceed_the_size_of_a_good_file_by_much(tmp_path: Path) -> None:
    path = tmp_path / "good.npz"
    stored(path)
    assert Network.load(path, backend="numpy").architecture == ARCHITECTURE


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_or_a_device_is_no_network(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", "/dev/null"):
        said: list[str] = []

        def load(path: Any = path, said: list[str] = said) -> None:
            try:
                Network.load(path)
            except NetworkFileError as error:
                said.append(str(error))

        thread = threading.Thread(target=load, daemon=True)
        thread.start()
        thread.join(MINUTE)
        assert said == [f"{path} cannot be read: it is no regular file"]
