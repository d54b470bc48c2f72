"""Networks in files: nothing is lost, and a wrong file is one clear error."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sixplane.nets import Architecture, Network, NetworkFileError
from slow_network import lively_parameters

ARCHITECTURE = Architecture("go", blocks=2, channels=3, pool_blocks=(0,), value_hidden=4)
TRAINING = {"games": 12, "command": "by hand", "curve": [0.5, 0.25]}


@pytest.fixture
def network() -> Network:
    parameters = lively_parameters(ARCHITECTURE, seed=1)
    return Network(ARCHITECTURE, parameters, sizes=[9, (5, 7)], komi=7.5, training=TRAINING, backend="numpy")


@pytest.fixture
def path(network: Network, tmp_path: Path) -> Path:
    path = tmp_path / "some.network"
    network.save(path)
    return path


def members(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def rewritten(path: Path, *, without: str = "", **changes: Any) -> Path:
    """The file with another header."""
    arrays = members(path)
    header = json.loads(arrays["header"].tobytes()) | changes
    header.pop(without, None)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with path.open("wb") as file:
        np.savez(file, **arrays)
    return path


def test_a_network_comes_back_from_its_file(network: Network, path: Path) -> None:
    loaded = Network.load(path, backend="numpy")
    assert loaded.architecture == network.architecture
    assert (loaded.sizes, loaded.komi, loaded.training) == (((9, 9), (5, 7)), 7.5, TRAINING)
    assert loaded.parameters.keys() == network.parameters.keys()
    for name, value in network.parameters.items():
        assert np.array_equal(loaded.parameters[name], value.astype(np.float16)), "float16 is what is kept"
    loaded.save(path)
    again = Network.load(str(path), backend="numpy")
    assert all(np.array_equal(again.parameters[name], loaded.parameters[name]) for name in again.parameters)


def test_a_file_is_an_archive_of_numpy_with_a_header_in_json(path: Path) -> None:
    arrays = members(path)
    assert json.loads(arrays.pop("header").tobytes()) == {
        "format": "sixplane network",
        "version": 1,
        "game": "go",
        "sizes": [9, [5, 7]],
        "komi": 7.5,
        "inputs": list(ARCHITECTURE.inputs),
        "blocks": 2,
        "channels": 3,
        "pool_blocks": [0],
        "value_hidden": 4,
        "training": TRAINING,
    }
    assert {name: value.shape for name, value in arrays.items()} == ARCHITECTURE.shapes
    assert {value.dtype for value in arrays.values()} == {np.dtype(np.float16)}


def test_a_file_is_replaced_at_once_or_not_at_all(
    network: Network, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def full(*_args: Any, **_kwargs: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="No space left"):
        network.save(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no network of sixplane, or a damaged one"),
        (b"\x93NUMPY nonsense", "no network of sixplane, or a damaged one"),
        (b"PK\x03\x04 nonsense", "no network of sixplane, or a damaged one"),
        (b"(;GM[1])", "no network of sixplane, or a damaged one"),
        (pickle.dumps({"weights": 1}), "no network of sixplane, or a damaged one"),
    ],
)
def test_foreign_bytes_are_no_network(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(NetworkFileError, match=f"^{path} is {said}$"):
        Network.load(path)


def test_other_files_of_numpy_are_no_networks(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(NetworkFileError, match="it is a single array"):
        Network.load(path)
    np.savez(path, weights=np.zeros(3))
    with pytest.raises(NetworkFileError, match="it has no header"):
        Network.load(path)
    np.savez(path, header=np.zeros(3), weights=np.zeros(3))
    with pytest.raises(NetworkFileError, match="its header is no JSON"):
        Network.load(path)
    np.savez(path, header=np.frombuffer(b'{"format": "mine"}', np.uint8))
    with pytest.raises(NetworkFileError, match="its header is of another format"):
        Network.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(NetworkFileError, match="no network of sixplane"):
        Network.load(path)


def test_pickled_arrays_are_never_read(tmp_path: Path) -> None:
    path = tmp_path / "pickled.npz"
    np.savez(path, header=np.array([{"format": "sixplane network"}], object))
    with pytest.raises(NetworkFileError, match="no network of sixplane"):
        Network.load(path)


def test_a_missing_file_and_a_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(NetworkFileError, match=r"^there is no file .*nothing\.npz$"):
        Network.load(tmp_path / "nothing.npz")
    with pytest.raises(NetworkFileError, match="cannot be read: Is a directory"):
        Network.load(tmp_path)


def test_a_folder_called_like_a_shipped_network_does_not_hide_it(
    network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = Network.load("reversi8", backend="numpy")
    monkeypatch.chdir(tmp_path)
    Path("reversi8").mkdir()
    assert Network.load("reversi8", backend="numpy").architecture == shipped.architecture
    # A file of that name is read first.
    Path("reversi8").rmdir()
    network.save("reversi8")
    assert Network.load("reversi8", backend="numpy").architecture == ARCHITECTURE


def test_no_cut_of_a_file_is_taken_for_a_network(path: Path) -> None:
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(NetworkFileError, match="no network of sixplane, or a damaged one"):
            Network.load(path)


def test_a_changed_byte_is_an_error_or_changes_nothing(network: Network, path: Path) -> None:
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    errors = 0
    for place in rng.integers(0, len(whole), 300).tolist():
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            loaded = Network.load(path, backend="numpy")
        except NetworkFileError:
            errors += 1
        else:
            for name, value in network.parameters.items():
                assert np.array_equal(loaded.parameters[name], value.astype(np.float16))
    assert errors > 200


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 2}, "is a network of version 2; this sixplane reads 1"),
        ({"without": "blocks"}, "the header has no 'blocks'"),
        ({"without": "inputs"}, "the header has no 'inputs'"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"inputs": ["own", "eyes"]}, "no input plane is called 'eyes'"),
        ({"inputs": ["own_five"]}, "'own_five' is not for go"),
        ({"inputs": 7}, "damaged network"),
        ({"blocks": 3}, "the parameter blocks.2.conv1.weight is missing"),
        ({"blocks": 1}, "no parameter blocks.1.conv1.bias"),
        ({"blocks": -1}, "blocks must be an integer from 1"),
        ({"blocks": True}, "blocks must be an integer from 1"),
        ({"channels": 4}, r"the shape of stem.weight must be \(4, 9, 3, 3\), not \(3, 9, 3, 3\)"),
        ({"channels": 10**9}, "channels must be an integer"),
        ({"pool_blocks": [5]}, "pool_blocks must be blocks from 0 to 1"),
        ({"pool_blocks": None}, "damaged network"),
        ({"value_hidden": "4"}, "value_hidden must be an integer"),
        ({"komi": "seven"}, "komi must be a number"),
        ({"komi": float("nan")}, "komi must be a number"),
        ({"sizes": [99]}, "a board of 99x99"),
        ({"sizes": 9}, "damaged network"),
        ({"training": [1]}, "damaged network"),
    ],
)
def test_a_wrong_header_is_one_line(path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(NetworkFileError, match=said) as caught:
        Network.load(rewritten(path, **changes))
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_parameters_that_are_not_finite_are_refused(path: Path, value: float) -> None:
    arrays = members(path)
    arrays["value.out.bias"][0] = value
    np.savez(path.with_suffix(".npz"), **arrays)
    with pytest.raises(NetworkFileError, match=r"value\.out\.bias has numbers that are not finite"):
        Network.load(path.with_suffix(".npz"))


@pytest.mark.parametrize("dtype", [np.complex64, np.int8, "U1"])
def test_parameters_of_another_kind_are_refused(path: Path, dtype: Any) -> None:
    arrays = members(path)
    arrays["value.out.bias"] = np.zeros(1, dtype)
    np.savez(path.with_suffix(".npz"), **arrays)
    with pytest.raises(NetworkFileError, match=r"the numbers of value\.out\.bias must be floats, not"):
        Network.load(path.with_suffix(".npz"))


def test_what_float16_or_json_cannot_hold_is_not_written(tmp_path: Path) -> None:
    parameters = lively_parameters(ARCHITECTURE, seed=1)
    parameters["stem.bias"] = np.full_like(parameters["stem.bias"], 1e6)
    with pytest.raises(ValueError, match=r"stem\.bias has numbers that float16 cannot hold"):
        Network(ARCHITECTURE, parameters, backend="numpy").save(tmp_path / "large.npz")
    network = Network(
        ARCHITECTURE, lively_parameters(ARCHITECTURE, seed=1), training={"x": io}, backend="numpy"
    )
    with pytest.raises(ValueError, match="training must be facts that JSON can hold"):
        network.save(tmp_path / "module.npz")
    assert list(tmp_path.iterdir()) == []


def test_the_network_of_a_game_that_is_not_imported_is_not_called_damaged(path: Path) -> None:
    rewritten(path, game="not_there:Nim")
    with pytest.raises(NetworkFileError) as caught:
        Network.load(path)
    assert str(caught.value) == (
        f"{path}: the game not_there:Nim is somebody's own, and unknown here: import its module first, as a "
        "command does with --game my_game.py:MyGame"
    )
