"""The packages that compute networks give the numbers of NumPy; they are not needed by `make test`."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import openvino as ov
import pytest
import torch

import sixplane
from sixplane import Gomoku, Reversi
from sixplane.nets import Architecture, Network, input_planes, installed_backends, openvino_backend
from sixplane.nets.torch_backend import _pooled
from slow_network import lively_parameters, outputs, positions
from waiting import MINUTE

BACKENDS = ("onnxruntime", "openvino", "torch")
TOLERANCE = 1e-3

CASES: dict[str, tuple[Architecture, sixplane.Game]] = {
    "go": (Architecture("go", blocks=3, channels=16), sixplane.Go(size=9)),
    "go-wide": (Architecture("go", blocks=2, channels=40, pool_blocks=()), sixplane.Go(size=(4, 7))),
    "gomoku": (Architecture("gomoku", blocks=2, channels=8, pool_blocks=(0, 1)), Gomoku(size=(7, 5))),
    "reversi": (Architecture("reversi", blocks=1, channels=5, value_hidden=1), Reversi(size=(4, 6))),
    "small": (Architecture("go", inputs=("own",), blocks=1, channels=1), sixplane.Go(size=2)),
}


def test_all_backends_are_installed_and_the_quickest_is_taken() -> None:
    assert installed_backends() == ("openvino", "onnxruntime", "numpy", "torch")
    architecture = CASES["go"][0]
    network = Network(architecture, lively_parameters(architecture, seed=1))
    assert type(network._backend).__name__ == "OpenVINOBackend"


@pytest.mark.parametrize("count", [1, 3, 16, 37])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_backends_give_the_same_numbers(backend: Any, name: str, count: int) -> None:
    architecture, game = CASES[name]
    parameters = lively_parameters(architecture, seed=count)
    network = Network(architecture, parameters, komi=3.5, backend="numpy")
    planes = positions(game, count, seed=count)
    expected = network.evaluate(planes)
    found = network.with_backend(backend).evaluate(planes)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == np.float32
        assert one.shape == other.shape
        assert np.allclose(one, other, atol=TOLERANCE, rtol=TOLERANCE)


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_network_plays_boards_of_any_size_and_keeps_its_results(backend: Any) -> None:
    architecture = CASES["go"][0]
    plain = Network(architecture, lively_parameters(architecture, seed=1), backend="numpy")
    other = plain.with_backend(backend, threads=2)
    boards = [positions(sixplane.Go(size=size), 5, seed=1) for size in (3, (5, 4), 9, (4, 5), 3)]
    found = [other(planes) for planes in boards]
    for planes, (logits, values) in zip(boards, found, strict=True):
        expected = plain(planes)
        assert np.allclose(logits, expected[0], atol=TOLERANCE)
        assert np.allclose(values, expected[1], atol=TOLERANCE)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_number_of_positions_that_is_met_often_gives_the_same_numbers(backend: Any) -> None:
    architecture, game = CASES["gomoku"]
    network = Network(architecture, lively_parameters(architecture, seed=1), backend=backend)
    boards = [positions(game, count, seed=count) for count in (3, 1)]
    first = [network.evaluate(planes) for planes in boards]
    for _ in range(300):
        last = [network.evaluate(planes) for planes in boards]
    for one, other in zip(first, last, strict=True):
        assert all(np.allclose(a, b, atol=1e-5) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_network_is_pickled_with_its_backend(backend: Any) -> None:
    architecture, game = CASES["reversi"]
    network = Network(architecture, lively_parameters(architecture, seed=1), backend=backend)
    planes = positions(game, 4, seed=1)
    network(planes)
    copied = pickle.loads(pickle.dumps(network))
    assert type(copied._backend) is type(network._backend)
    assert np.allclose(copied(planes)[0], network(planes)[0], atol=1e-6)


@pytest.mark.parametrize("backend", ["openvino", "torch"])
@pytest.mark.parametrize("precision", ["bfloat16", "auto"])
def test_half_precision_is_near(backend: Any, precision: Any) -> None:
    architecture, game = CASES["go"]
    plain = Network(architecture, lively_parameters(architecture, seed=1), backend="numpy")
    planes = positions(game, 20, seed=1)
    _, values = plain.with_backend(backend, precision=precision)(planes)
    assert np.abs(values - plain(planes)[1]).max() < 0.1


def in_int8(name: str, calibration: int = 64) -> tuple[Network, Network]:
    """A network computed by NumPy, and the same in 8 bits."""
    architecture, game = CASES[name]
    parameters = lively_parameters(architecture, seed=1)
    seen = positions(game, calibration, seed=2)
    plain = Network(architecture, parameters, komi=3.5, backend="numpy", calibration=seen)
    quick = plain.with_backend("openvino", precision="int8")
    return plain, quick


def convolutions(network: Network) -> set[str]:
    """The types in which OpenVINO computes the convolutions."""
    backend: Any = network._backend
    graphs = [request.get_compiled_model().get_runtime_model() for request in backend._requests.values()]
    infos = [operation.get_rt_info() for graph in graphs for operation in graph.get_ops()]
    return {
        str(i["runtimePrecision"].astype(str)) for i in infos if i["layerType"].astype(str) == "Convolution"
    }


@pytest.mark.parametrize("name", ["go", "go-wide", "gomoku", "reversi"])
def test_8_bits_are_those_of_the_plain_network(name: str) -> None:
    architecture, game = CASES[name]
    plain, quick = in_int8(name)
    parameters = plain.parameters
    seen: dict[str, Any] = {}
    outputs(
        architecture, parameters, input_planes(positions(game, 64, 2), architecture.inputs, 3.5), seen=seen
    )
    backend: Any = quick._backend
    (ranges,) = backend._ranges.values()
    assert ranges.keys() == {f"blocks.{i}.conv{k}" for i in range(architecture.blocks) for k in (1, 2)}
    for convolution, largest in ranges.items():
        assert np.allclose(largest, np.abs(seen[convolution]).max((0, 2, 3)), atol=TOLERANCE)

    inputs = input_planes(positions(game, 30, seed=1), architecture.inputs, 3.5)
    expected = outputs(architecture, parameters, inputs, {n: np.maximum(r, 1e-6) for n, r in ranges.items()})
    for found, rounded in zip(backend(inputs), expected, strict=True):
        # Older processors give up a bit of the weights where inputs have a sign, as after a pool.
        share = 0.2 if architecture.pool_blocks else 0.02
        assert np.abs(found - rounded).mean() < share * max(float(np.std(rounded)), 0.05)
    assert convolutions(quick) & {"i8", "u8"}


def test_8_bits_are_for_boards_of_the_size_of_the_calibration() -> None:
    plain, quick = in_int8("go")
    for size, is_equal in ((9, False), (7, True), ((9, 8), True), (9, False)):
        planes = positions(sixplane.Go(size=size), 20, seed=3)
        for one, other in zip(quick.evaluate(planes), plain.evaluate(planes), strict=True):
            assert np.allclose(one, other, atol=1e-5) == is_equal


def test_a_network_of_one_channel_is_computed_in_float32() -> None:
    plain, quick = in_int8("small")
    planes = positions(CASES["small"][1], 9, seed=1)
    assert np.allclose(quick(planes)[0], plain(planes)[0], atol=1e-5)


def test_8_bits_stay_where_a_network_goes() -> None:
    plain, quick = in_int8("reversi", calibration=1)
    planes = positions(CASES["reversi"][1], 9, seed=1)
    expected = quick(planes)[0]
    assert not np.allclose(expected, plain(planes)[0], atol=1e-5)
    for other in (
        pickle.loads(pickle.dumps(quick)),
        quick.with_backend("openvino"),
        quick.for_game(Reversi(4)),
    ):
        assert np.array_equal(other(planes)[0], expected)
    assert np.array_equal(quick.with_backend("numpy", precision="float32")(planes)[0], plain(planes)[0])


@pytest.mark.parametrize(
    ("has_bfloat16", "has_int8", "has_calibration", "expected"),
    [
        (True, True, True, "bfloat16"),
        (False, True, True, "int8"),
        (False, False, True, "float32"),
        (False, True, False, "float32"),
    ],
)
def test_auto_takes_what_is_fast(
    monkeypatch: pytest.MonkeyPatch, has_bfloat16: bool, has_int8: bool, has_calibration: bool, expected: str
) -> None:
    monkeypatch.setattr(openvino_backend, "has_fast_bfloat16", lambda: has_bfloat16)
    monkeypatch.setattr(openvino_backend, "has_fast_int8", lambda: has_int8)
    architecture, game = CASES["go"]
    network = Network(
        architecture,
        lively_parameters(architecture, seed=1),
        backend="openvino",
        precision="auto",
        calibration=positions(game, 20, seed=1) if has_calibration else None,
    )
    backend: Any = network._backend
    assert bool(backend._ranges) == (expected == "int8")
    half = backend._options["INFERENCE_PRECISION_HINT"] == ov.Type.bf16
    assert half == (expected == "bfloat16")


def test_what_a_backend_does_not_compute_in_is_refused() -> None:
    architecture = CASES["go"][0]
    with pytest.raises(ValueError, match="the backend 'onnxruntime' computes in float32, not in bfloat16"):
        Network(
            architecture, lively_parameters(architecture, seed=1), backend="onnxruntime", precision="bfloat16"
        )


@pytest.mark.parametrize("name", CASES)
def test_an_exported_graph_is_valid_and_says_the_same(name: str, tmp_path: Path) -> None:
    architecture, game = CASES[name]
    parameters = lively_parameters(architecture, seed=1)
    path = tmp_path / "network.onnx"
    Network(architecture, parameters, backend="numpy").to_onnx(path)
    onnx.checker.check_model(onnx.load(path), full_check=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert [output.name for output in session.get_outputs()] == ["logits", "values", "ownership", "scores"]
    for count in (1, 6):
        inputs = input_planes(positions(game, count, seed=2), architecture.inputs, 0.0)
        expected = outputs(architecture, parameters, inputs)
        for one, other in zip(session.run(None, {"inputs": inputs}), expected, strict=True):
            assert one.shape == other.shape
            assert np.allclose(one, other, atol=1e-4, rtol=1e-4)


PROCESSORS = """
import os, sys, threading
import numpy as np
from sixplane.nets import Architecture, Network

architecture = Architecture("go", blocks=4, channels=32)
network = Network(architecture, architecture.random_parameters(1), backend=sys.argv[1], threads=1)
planes = np.zeros((128, 6, 9, 9), np.uint8)
network(planes)  # it looks at every processor once
ended = threading.Event()

def evaluate():
    for _ in range(40):
        network(planes)
    ended.set()

threading.Thread(target=evaluate).start()
found = set()
while not ended.is_set():
    for thread in os.listdir("/proc/self/task"):
        try:
            found.add(frozenset(os.sched_getaffinity(int(thread))))
        except ProcessLookupError:
            pass
print(found == {frozenset(os.sched_getaffinity(0))})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="where threads may run is asked of Linux")
@pytest.mark.parametrize("backend", BACKENDS)
def test_no_backend_binds_its_threads_to_processors(backend: str) -> None:
    # Each process would take the first ones, so that all processes share them. Several threads might be bound
    # where one is not, so these are not limited as in other tests.
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", PROCESSORS, backend],
        capture_output=True, text=True, check=True, timeout=20 * MINUTE, env=free,
    )  # fmt: skip
    assert done.stdout == "True\n"


def test_no_backend_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, sixplane.nets as nets; shape = nets.Architecture('go', blocks=1, channels=2); "
        "nets.Network(shape, shape.random_parameters(1), backend='numpy'); "
        "print({'openvino', 'onnxruntime', 'onnx', 'torch'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("shape", [(3, 5, 4, 7), (1, 1, 2, 2), (2, 32, 9, 9)])
@pytest.mark.parametrize("layout", [torch.channels_last, torch.contiguous_format])
def test_the_pooling_is_mean_and_maximum_of_each_channel(shape: Any, layout: torch.memory_format) -> None:
    for dtype in (torch.float32, torch.bfloat16):
        value = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=dtype)
        value = value.to(memory_format=layout).requires_grad_()
        plain = torch.cat((value.mean((2, 3)), value.amax((2, 3))), 1)
        pooled = _pooled(value)
        assert pooled.dtype == dtype
        assert torch.allclose(
            pooled.float(), plain.float(), atol=1e-6, rtol=1e-2 if dtype.itemsize == 2 else 1e-5
        )
        if dtype == torch.float32:  # in bfloat16 several points may be the maximum
            weights = torch.arange(pooled.numel()).reshape(pooled.shape).float()
            found, expected = (torch.autograd.grad((x * weights).sum(), value)[0] for x in (pooled, plain))
            assert torch.allclose(found, expected, atol=1e-5)
