"""Networks by NumPy against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

import sixplane
from sixplane.nets import Architecture, Network, input_planes
from slow_network import lively_parameters, outputs, positions

ARCHITECTURES = {
    "small": Architecture("go", blocks=1, channels=3, value_hidden=5),
    "pools": Architecture("go", blocks=3, channels=4, pool_blocks=(0, 2), value_hidden=2),
    "no-pools": Architecture("reversi", blocks=2, channels=5, pool_blocks=()),
    "lines": Architecture("gomoku", inputs=("own", "own_four", "ones"), blocks=2, channels=1),
    "narrow": Architecture("go", inputs=("ones",), blocks=1, channels=70),
}
SIZES = [(2, 2), (3, 3), (4, 6), (6, 4)]


def noise(count: int, rows: int, cols: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Planes of stones anywhere."""
    rng = np.random.default_rng(count)
    planes = rng.integers(0, 2, (count, 6, rows, cols), np.uint8)
    planes[:, 1] &= 1 - planes[:, 0]
    planes[:, [2, 4, 5]] = planes[:, [2, 4, 5], :1, :1]
    return planes


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_numbers_are_those_of_plain_loops(name: str, size: tuple[int, int]) -> None:
    architecture = ARCHITECTURES[name]
    parameters = lively_parameters(architecture, seed=1)
    network = Network(architecture, parameters, komi=3.5, backend="numpy")
    planes = noise(5, *size)
    expected = outputs(architecture, parameters, input_planes(planes, architecture.inputs, 3.5))
    rows, cols = size
    unit = {"go": 10 * rows * cols / 81, "reversi": 10 * rows * cols / 64, "gomoku": 1}[architecture.game]
    found = network.evaluate(planes)
    for one, other in zip(found, (*expected[:3], expected[3] * unit), strict=True):
        assert one.dtype == np.float32
        assert one.shape == other.shape
        assert np.allclose(one, other, atol=1e-4, rtol=1e-4)
    assert not np.allclose(found.logits[0], found.logits[1], atol=1e-3) or name in ("narrow", "lines")


@pytest.mark.parametrize("count", [1, 2, 7, 100, 300])
def test_a_batch_is_evaluated_as_its_positions_one_by_one(count: int) -> None:
    architecture = ARCHITECTURES["pools"]
    network = Network(architecture, lively_parameters(architecture, seed=2), backend="numpy")
    planes = noise(count, 5, 4)
    together = network.evaluate(planes)
    for i in (0, count // 2, count - 1):
        alone = network.evaluate(planes[i : i + 1])
        for one, many in zip(alone, together, strict=True):
            assert np.allclose(one[0], many[i], atol=1e-5)


def test_earlier_calls_leave_no_trace() -> None:
    architecture = ARCHITECTURES["pools"]
    network = Network(architecture, lively_parameters(architecture, seed=3), backend="numpy")
    boards = [noise(count, rows, cols) for count in (3, 1, 40) for rows, cols in SIZES]
    fresh = [network.with_backend("numpy").evaluate(planes) for planes in boards]
    first = [network.evaluate(planes) for planes in boards]
    again = [network.evaluate(planes) for planes in boards[::-1]][::-1]
    for one, two, three in zip(fresh, first, again, strict=True):
        for a, b, c in zip(one, two, three, strict=True):
            assert np.array_equal(a, b)
            assert np.array_equal(a, c)


def test_results_do_not_change_with_later_calls() -> None:
    architecture = ARCHITECTURES["small"]
    network = Network(architecture, lively_parameters(architecture, seed=4), backend="numpy")
    first = network.evaluate(noise(4, 5, 5))
    kept = [value.copy() for value in first]
    network.evaluate(1 - noise(4, 5, 5))
    assert all(np.array_equal(one, other) for one, other in zip(first, kept, strict=True))


def test_a_network_sees_where_the_board_ends_and_the_symmetry_of_its_weights() -> None:
    architecture = Architecture("gomoku", inputs=("ones",), blocks=2, channels=3)
    parameters = lively_parameters(architecture, seed=5)
    even = {
        name: np.mean([np.rot90(value, k, (2, 3)) for k in range(4)], axis=0) if value.ndim == 4 else value
        for name, value in parameters.items()
    }
    network = Network(architecture, even, backend="numpy")
    (logits,) = network(positions(sixplane.Gomoku(size=7), 1, seed=1))[0]
    points = logits[:-1].reshape(7, 7)
    assert np.allclose(points, np.rot90(points), atol=1e-5)
    assert abs(points[0, 0] - points[3, 3]) > 1e-3
