"""The backend of onnxruntime: the graph in ONNX, in one session for all shapes."""

from __future__ import annotations

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from sixplane.nets.architecture import Architecture, Parameters
from sixplane.nets.backend import Evaluation
from sixplane.nets.onnx_graph import onnx_model


class ONNXRuntimeBackend:
    """Evaluates by onnxruntime on the processor."""

    is_static = False

    def __init__(self, architecture: Architecture, parameters: Parameters, threads: int) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        model = onnx_model(architecture, parameters).SerializeToString()
        self._session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def __call__(self, inputs: NDArray[np.float32]) -> Evaluation:
        """Evaluates input planes `(L, C, rows, cols)`."""
        return Evaluation(*self._session.run(Evaluation._fields, {"inputs": inputs}))
