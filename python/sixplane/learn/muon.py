"""Muon, the optimizer of weights that are matrices between hidden layers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

#: The polynomial a*x + b*x**3 + c*x**5 that brings singular values near 1, and how often it is applied. They
#: are those of K. Jordan and others, Muon: An optimizer for hidden layers in neural networks, 2024.
POLYNOMIAL: Final = (3.4445, -4.7750, 2.0315)
STEPS: Final = 5

#: The part of the momentum that a step keeps.
MOMENTUM: Final = 0.95

#: The size of an update by the square root of the longer side. With it the rates and the decay of AdamW fit:
#: J. Liu and others, Muon is scalable for LLM training, 2025.
SCALE: Final = 0.2


class Muon:
    """Steps along the momentum of the gradients with all singular values brought near 1.

    A convolution `(out, in, rows, cols)`, in `channels_last`, is a matrix with a row for each `out`. The
    `Muon` of PyTorch takes matrices alone, and one after the other.
    """

    def __init__(self, tensors: Sequence[Tensor], weight_decay: float) -> None:
        self.state = {
            tensor: {"momentum": torch.zeros_like(tensor, requires_grad=False)} for tensor in tensors
        }
        self._weight_decay = weight_decay
        # Weights of one shape are computed in one call: small matrices are quicker together.
        by_shape = sorted(tensors, key=lambda tensor: tuple(tensor.shape))
        self._stacks = [list(stack) for _, stack in itertools.groupby(by_shape, lambda tensor: tensor.shape)]

    def step(self, learning_rate: float) -> None:
        """Changes the weights by their gradients."""
        with torch.no_grad():
            for stack in self._stacks:
                updates = orthogonalised(torch.stack([_matrix(self._direction(tensor)) for tensor in stack]))
                rate = learning_rate * SCALE * math.sqrt(max(updates.shape[1:]))
                for tensor, update in zip(stack, updates, strict=True):
                    tensor.mul_(1 - learning_rate * self._weight_decay)
                    _matrix(tensor).add_(update, alpha=-rate)

    def _direction(self, tensor: Tensor) -> Tensor:
        """Adds the gradient to the momentum, and returns Nesterov's: where that will be after one more."""
        gradient = tensor.grad
        if gradient is None:
            raise ValueError("a weight has no gradient")
        momentum = self.state[tensor]["momentum"].lerp_(gradient, 1 - MOMENTUM)
        return momentum.lerp(gradient, 1 - MOMENTUM)


def _matrix(tensor: Tensor) -> Tensor:
    """Returns a view of a weight, in `channels_last` if it is a convolution's, as a matrix.

    The order of the columns, here that of the memory, makes no difference to a step.
    """
    return tensor.movedim(1, -1).view(len(tensor), -1)


def orthogonalised(matrices: Tensor) -> Tensor:
    """Returns matrices `(N, rows, cols)` with the same singular vectors, and singular values of about 1.

    Five Newton-Schulz steps bring singular values from 0.01 of the matrix's norm on between 0.6 and 1.3.
    Smaller ones stay smaller.
    """
    a, b, c = POLYNOMIAL
    is_tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if is_tall else matrices
    x = x / torch.linalg.matrix_norm(x, keepdim=True).clamp_min(1e-7)
    for _ in range(STEPS):
        square = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(square, square, square, beta=b, alpha=c), x, beta=a)
    return x.mT if is_tall else x
