"""Planes go into whatever memory the caller has."""

from __future__ import annotations

import array
import ctypes
import mmap
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sixplane import GameBatch, Go

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


CELLS = 5 * 6 * 3 * 4


class Tensor:
    """An array of a library that shares its memory by DLPack alone."""

    def __init__(self, cells: Any) -> None:
        self.cells = cells

    def __dlpack__(self, **options: Any) -> Any:
        return self.cells.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


class OldTensor(Tensor):
    """The same by the first version of DLPack, which NumPy takes for read-only; `__array__` shares too."""

    def __dlpack__(self, **options: Any) -> Any:
        return self.cells.__dlpack__()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.cells


class CopyingTensor(OldTensor):
    """One whose `__array__` is a copy."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.cells.copy()


class DeviceTensor(Tensor):
    """One in the memory of another device."""

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("a device that NumPy does not know")

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)


def batch_of_five() -> GameBatch:
    batch = GameBatch(Go(size=(3, 4)), 5, seed=2)
    batch.play_random(7)
    return batch


@pytest.mark.parametrize(
    ("out", "dtype"),
    [
        (bytearray(CELLS), np.uint8),
        (memoryview(bytearray(CELLS)), np.uint8),
        (memoryview(bytearray(CELLS)).cast("?"), np.bool_),
        (memoryview(bytearray(CELLS)).cast("B", [5, 6, 3, 4]), np.uint8),
        (array.array("B", bytes(CELLS)), np.uint8),
        (array.array("f", [7.0] * CELLS), np.float32),
        ((ctypes.c_uint8 * CELLS)(), np.uint8),
        ((ctypes.c_float * CELLS)(), np.float32),
        (mmap.mmap(-1, CELLS), np.uint8),
    ],
    ids=lambda value: type(value).__name__,
)
def test_planes_go_into_any_writable_buffer(out: Any, dtype: DTypeLike) -> None:
    batch = batch_of_five()
    batch.planes_into(out)
    assert np.array_equal(np.frombuffer(out, dtype).reshape(5, 6, 3, 4), batch.planes)


@pytest.mark.parametrize("kind", [Tensor, OldTensor])
@pytest.mark.parametrize("dtype", [np.uint8, np.bool_, np.float32])
def test_planes_go_into_a_tensor_that_speaks_dlpack(kind: Any, dtype: DTypeLike) -> None:
    batch = batch_of_five()
    cells = np.full((5, 6, 3, 4), 7).astype(dtype)
    if kind is Tensor and np.lib.NumpyVersion(np.__version__) < "2.1.0":
        # To such a NumPy every tensor is read-only, and this one has no array of its own.
        with pytest.raises(ValueError, match="writable"):
            batch.planes_into(kind(cells))
        return
    batch.planes_into(kind(cells))
    assert np.array_equal(cells, batch.planes)
    some = np.full((2, 5, 3, 4), 7).astype(dtype)
    batch.history_planes_into(kind(some), 2, index=[4, 1])
    assert np.array_equal(some, [batch[4].history_planes(2), batch[1].history_planes(2)])


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (bytes(CELLS), ValueError, "C-contiguous and writable"),
        (memoryview(bytearray(2 * CELLS))[::2], ValueError, "C-contiguous and writable"),
        (bytearray(CELLS - 1), ValueError, r"out has shape \[359\]: \[5, 6, 3, 4\] is needed"),
        (memoryview(bytearray(CELLS)).cast("B", [6, 5, 3, 4]), ValueError, r"\[6, 5, 3, 4\]: \[5, 6"),
        (np.zeros(CELLS, np.uint8), ValueError, r"out has shape \[360\]"),
        (array.array("d", [0.0] * CELLS), TypeError, "dtype float64: allowed are uint8, bool and float32"),
        ([0] * CELLS, TypeError, "an array, a buffer or a tensor in the processor's memory, not list"),
        (None, TypeError, "not NoneType"),
        (CopyingTensor(np.zeros((5, 6, 3, 4), np.uint8)), ValueError, "C-contiguous and writable"),
        (np.zeros((5, 6, 3, 4), np.uint8, order="F"), ValueError, "C-contiguous and writable"),
        (DeviceTensor(None), TypeError, "a DeviceTensor, does not share its memory: a device that"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_written_into_is_refused(out: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        batch_of_five().planes_into(out)
