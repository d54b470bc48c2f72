"""The backend of OpenVINO: the graph with the parameters as constants, compiled for each size of board."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Evaluation, PrecisionName, has_fast_bfloat16, has_fast_int8
from sixplane.nets.openvino_graph import Ranges, largest_inputs, model

#: Any number of positions in a shape.
ANY: Final = -1

#: The number of shapes that keep their compiled graph.
KEPT: Final = 32

#: Calls after which a shape gets a graph of its own, which saves a fifth of the time of each call.
FREQUENT: Final = 100


class OpenVINOBackend:
    """Evaluates by OpenVINO on the processor.

    Compiling takes a twentieth of a second or so. One graph serves all numbers of positions on boards of one
    size; a number that comes often gets a faster graph of its own.
    The precision `"int8"` is that of the convolutions of the blocks, on boards of the size of the
    calibration; the rest stays in float32. `"auto"` is bfloat16 where the processor is fast at it, else int8
    where it is fast at that and there is a calibration, else float32.
    """

    is_static = True

    def __init__(
        self,
        architecture: Architecture,
        parameters: Parameters,
        threads: int,
        precision: PrecisionName,
        calibration: NDArray[np.float32] | None = None,
    ) -> None:
        self._architecture, self._parameters = architecture, parameters
        if precision == "auto":
            has_int8 = calibration is not None and has_fast_int8()
            precision = "bfloat16" if has_fast_bfloat16() else "int8" if has_int8 else "float32"
        self._options = {
            "INFERENCE_NUM_THREADS": threads,
            # Every process would pin its threads to the first processors, and so all of them to the same.
            "ENABLE_CPU_PINNING": False,
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": ov.Type.bf16 if precision == "bfloat16" else ov.Type.f32,
        }
        self._ranges: dict[tuple[int, ...], Ranges] = {}
        # OpenVINO 2026.4 has no graph in 8 bits for a single channel on 2x2.
        if precision == "int8" and calibration is not None and architecture.channels > 1:
            self._ranges[calibration.shape[1:]] = self._ranges_of(calibration)
        self._requests: dict[tuple[int, ...], ov.InferRequest] = {}
        self._calls: Counter[tuple[int, ...]] = Counter()

    def __call__(self, inputs: NDArray[np.float32]) -> Evaluation:
        """Evaluates input planes `(L, C, rows, cols)`."""
        self._calls[inputs.shape] += 1
        # OpenVINO 2026.4 errs with a single channel where the number of positions is open.
        is_fixed = self._calls[inputs.shape] > FREQUENT or self._architecture.channels == 1
        request = self._request(inputs.shape if is_fixed else (ANY, *inputs.shape[1:]))
        request.set_input_tensor(0, ov.Tensor(inputs, shared_memory=True))
        request.infer(share_outputs=True)
        outputs = Evaluation(*(request.get_output_tensor(i).data.copy() for i in range(4)))
        if len(outputs.logits) != len(inputs):
            # OpenVINO raises no error where there is no memory for its results.
            raise MemoryError(f"OpenVINO has no memory for {len(inputs)} positions")
        return outputs

    def _request(self, shape: tuple[int, ...]) -> ov.InferRequest:
        request = self._requests.get(shape)
        if request is None:
            if len(self._requests) == KEPT:
                self._requests.pop(next(iter(self._requests)))
            graph = model(self._architecture, self._parameters, shape, self._ranges.get(shape[1:], {}))
            request = self._requests[shape] = self._compiled(graph)
        return request

    def _ranges_of(self, calibration: NDArray[np.float32]) -> Ranges:
        """Measures how large the inputs of the convolutions become."""
        names, graph = largest_inputs(self._architecture, self._parameters, calibration.shape)
        request = self._compiled(graph)
        request.infer([calibration])
        return {name: request.get_output_tensor(i).data.copy() for i, name in enumerate(names)}

    def _compiled(self, graph: ov.Model) -> ov.InferRequest:
        return _core().compile_model(graph, "CPU", self._options).create_infer_request()


@cache
def _core() -> ov.Core:
    return ov.Core()
