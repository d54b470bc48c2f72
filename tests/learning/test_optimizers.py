"""Muon against the singular values of NumPy and a plain form of its step; AdamW against PyTorch's class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from sixplane.learn.adam_w import AdamW
from sixplane.learn.muon import Muon, orthogonalised

if TYPE_CHECKING:
    from numpy.typing import NDArray


def brought_near_one(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Five times the polynomial, of singular values whose squares add up to 1."""
    for _ in range(5):
        values = 3.4445 * values - 4.7750 * values**3 + 2.0315 * values**5
    return values


def slowly(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same singular vectors with the singular values that the polynomial makes, by an SVD."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    near: NDArray[np.float64] = left @ np.diag(brought_near_one(values / np.linalg.norm(matrix))) @ right
    return near


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (5, 45), (64, 7), (32, 288)])
def test_only_the_singular_values_change(shape: tuple[int, int]) -> None:
    matrices = np.random.default_rng(1).normal(0, 3, (4, *shape))
    found = orthogonalised(torch.tensor(matrices, dtype=torch.float32)).numpy()
    for matrix, one in zip(matrices, found, strict=True):
        assert np.allclose(one, slowly(matrix), atol=1e-4)
        large = np.linalg.svd(matrix, compute_uv=False) > 0.01 * np.linalg.norm(matrix)
        values = np.linalg.svd(one, compute_uv=False)[large]
        assert values.min() > 0.6
        assert values.max() < 1.3


def test_a_gradient_of_zero_is_no_step() -> None:
    assert not orthogonalised(torch.zeros(2, 3, 4)).any()


SHAPES = [(6, 4, 3, 3), (6, 4, 3, 3), (5, 5, 1, 1), (8, 12), (3, 1, 3, 3)]


def test_steps_are_those_of_the_plain_form_whatever_is_stacked() -> None:
    rng = np.random.default_rng(1)
    weights = [rng.normal(0, 1, shape) for shape in SHAPES]
    tensors = [torch.tensor(weight, dtype=torch.float32) for weight in weights]
    tensors = [
        (tensor.to(memory_format=torch.channels_last) if tensor.ndim == 4 else tensor).requires_grad_()
        for tensor in tensors
    ]
    muon = Muon(tensors, weight_decay=0.1)
    momenta = [np.zeros(shape) for shape in SHAPES]
    for learning_rate in (0.1, 0.05, 0.01):
        for i, tensor in enumerate(tensors):
            gradient = rng.normal(0, 1, SHAPES[i])
            tensor.grad = torch.tensor(gradient, dtype=torch.float32)
            momenta[i] = 0.95 * momenta[i] + gradient
            nesterov = gradient + 0.95 * momenta[i]
            update = slowly(nesterov.reshape(len(nesterov), -1)).reshape(SHAPES[i])
            longer = max(SHAPES[i][0], nesterov[0].size)
            weights[i] -= learning_rate * (0.1 * weights[i] + 0.2 * np.sqrt(longer) * update)
        muon.step(learning_rate)
    for weight, tensor in zip(weights, tensors, strict=True):
        assert np.allclose(weight, tensor.detach().numpy(), atol=1e-4)


def test_steps_of_adam_w_are_those_of_the_class_of_pytorch_whose_vectors_do_not_decay() -> None:
    rng = np.random.default_rng(1)
    weights = [rng.normal(0, 1, shape) for shape in [*SHAPES, (7,), ()]]
    ours, theirs = (
        [torch.tensor(weight, dtype=torch.float32, requires_grad=True) for weight in weights]
        for _ in range(2)
    )
    groups = [
        {"params": [tensor for tensor in theirs if tensor.ndim > 1], "weight_decay": 0.1},
        {"params": [tensor for tensor in theirs if tensor.ndim <= 1], "weight_decay": 0.0},
    ]
    one, other = AdamW(ours, weight_decay=0.1), torch.optim.AdamW(groups, lr=1.0, fused=True)
    for learning_rate in (0.1, 0.05, 0.01):
        for mine, same in zip(ours, theirs, strict=True):
            mine.grad = torch.tensor(rng.normal(0, 1, mine.shape), dtype=torch.float32)
            same.grad = mine.grad.clone()
        one.step(learning_rate)
        for group in other.param_groups:
            group["lr"] = learning_rate
        other.step()
    for mine, same in zip(ours, theirs, strict=True):
        assert torch.equal(mine, same)
        assert one.state[mine].keys() == other.state[same].keys()
        assert all(torch.equal(one.state[mine][name], other.state[same][name]) for name in one.state[mine])


def test_a_tensor_without_a_gradient_is_named_and_changes_nothing() -> None:
    tensor = torch.ones(2, 3, requires_grad=True)
    with pytest.raises(ValueError, match="has no gradient"):
        AdamW([tensor], weight_decay=0.1).step(0.1)
    assert torch.equal(tensor, torch.ones(2, 3))
