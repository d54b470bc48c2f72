"""AdamW, the optimizer of what Muon does not change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor
from torch.optim.adamw import adamw

#: The parts of both moments that a step keeps, and what is added to the divisor: those of I. Loshchilov and
#: F. Hutter, Decoupled weight decay regularization, 2019.
BETAS: Final = (0.9, 0.999)
EPSILON: Final = 1e-8


class AdamW:
    """Steps by PyTorch's function of AdamW. Vectors, which are biases and the like, have no weight decay.

    The class of PyTorch imports its compiler, which takes as long as PyTorch itself does.
    """

    def __init__(self, tensors: Sequence[Tensor], weight_decay: float) -> None:
        #: What is known of each tensor, as the class of PyTorch names it.
        self.state = {
            tensor: {"step": torch.zeros((), dtype=torch.float32, device=tensor.device)}
            | {name: torch.zeros_like(tensor, requires_grad=False) for name in ("exp_avg", "exp_avg_sq")}
            for tensor in tensors
        }
        matrices = [tensor for tensor in tensors if tensor.ndim > 1]
        self._decays = ((weight_decay, matrices), (0.0, [tensor for tensor in tensors if tensor.ndim <= 1]))

    def step(self, learning_rate: float) -> None:
        """Changes the tensors by their gradients."""
        with torch.no_grad():
            for weight_decay, tensors in self._decays:
                moments = [self.state[tensor] for tensor in tensors]
                adamw(
                    tensors,
                    [_gradient(tensor) for tensor in tensors],
                    [each["exp_avg"] for each in moments],
                    [each["exp_avg_sq"] for each in moments],
                    [],
                    [each["step"] for each in moments],
                    fused=True,
                    amsgrad=False,
                    beta1=BETAS[0],
                    beta2=BETAS[1],
                    lr=learning_rate,
                    weight_decay=weight_decay,
                    eps=EPSILON,
                    maximize=False,
                )


def _gradient(tensor: Tensor) -> Tensor:
    if tensor.grad is None:
        raise ValueError("a tensor has no gradient")
    return tensor.grad
