"""The learner of PyTorch."""

from __future__ import annotations

import numpy as np

from sixplane._library import optional

with optional("training needs PyTorch", "train", "torch"):
    import torch

from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from sixplane._arguments import Array
from sixplane._fields import shown
from sixplane.games import GAMES
from sixplane.learn.adam_w import AdamW
from sixplane.learn.config import Config
from sixplane.learn.muon import Muon
from sixplane.learn.samples import Samples, check_numbers
from sixplane.nets import Architecture
from sixplane.nets.architecture import OUTPUTS
from sixplane.nets.backend import BackendName, has_fast_bfloat16
from sixplane.nets.inputs import input_planes
from sixplane.nets.torch_backend import heads, parameter


def choose_device(setting: str) -> torch.device:
    """Returns the device of a setting.

    Raises:
        RuntimeError: the setting asks for a GPU, and there is none.
    """
    if setting == "cuda" and not torch.cuda.is_available():
        raise RuntimeError("device cuda: PyTorch finds no GPU")
    is_gpu = setting == "cuda" or (setting == "auto" and torch.cuda.is_available())
    return torch.device("cuda" if is_gpu else "cpu")


class TorchLearner:
    """Learns from samples by PyTorch."""

    def __init__(
        self, config: Config, architecture: Architecture, parameters: dict[str, NDArray[np.float32]]
    ) -> None:
        self._config = config
        self._device = choose_device(config.device)
        # Threads that wait for each other are many times slower beside busy workers.
        torch.set_num_threads(config.learner_threads)
        # On other processors bfloat16 is many times slower than float32.
        self._is_half = self._device.type == "cuda" or has_fast_bfloat16()
        self._architecture = architecture
        self._parameters = {
            name: parameter(array, self._device).requires_grad_() for name, array in parameters.items()
        }
        hidden = [tensor for name, tensor in self._parameters.items() if _is_hidden(name)]
        others = [tensor for name, tensor in self._parameters.items() if not _is_hidden(name)]
        self._muon = Muon(hidden, config.weight_decay)
        self._adam = AdamW(others, config.weight_decay)
        self.steps = 0

    @property
    def backend(self) -> BackendName:
        """The backend that computes the network fastest: PyTorch on a GPU; on a CPU others are faster."""
        return "torch" if self._device.type == "cuda" else "auto"

    def step(self, samples: Samples, learning_rate: float) -> dict[str, float]:
        """Learns from some positions once, and returns the parts of the loss.

        Raises:
            FloatingPointError: the loss or its gradient is not finite. The network stays as it was.
        """
        inputs = input_planes(samples.planes, self._architecture.inputs, samples.komi)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._is_half):
            given = self._tensor(inputs).contiguous(memory_format=torch.channels_last)
            outputs = heads(self._parameters, given)
        losses = self._losses(samples, *(output.float() for output in outputs))
        weights = self._config.loss_weights
        loss = sum(
            (weight * losses[name] for name, weight in weights.items()), torch.zeros((), device=self._device)
        )
        self._check_finite("loss", loss)
        for tensor in self._parameters.values():
            tensor.grad = None
        loss.backward()
        norm = clip_grad_norm_(self._parameters.values(), self._config.gradient_norm)
        self._check_finite("gradient", norm)
        self._adam.step(learning_rate)
        self._muon.step(learning_rate)
        self.steps += 1
        return {name: float(part.detach()) for name, part in losses.items()}

    def _check_finite(self, name: str, value: Tensor) -> None:
        if not bool(torch.isfinite(value)):
            text = f"the {name} is {value.item()} at step {self.steps}: try a lower learning_rate"
            raise FloatingPointError(text)

    def _tensor(self, array: Array) -> Tensor:
        return torch.from_numpy(np.asarray(array, order="C")).to(self._device)

    def _losses(
        self, samples: Samples, logits: Tensor, value: Tensor, ownership: Tensor, score: Tensor
    ) -> dict[str, Tensor]:
        masks = self._tensor(samples.masks)
        policy = self._tensor(samples.policy).float()
        logs = functional.log_softmax(logits.masked_fill(~masks, -1e9), dim=1)
        share = self._config.root_value_share
        target = (1 - share) * samples.outcome + share * samples.root_value.astype(np.float32)
        # The value is tanh of the logit, and so 2 * sigmoid(2 * logit) - 1.
        chance = self._tensor(((target + 1) / 2).astype(np.float32)).clamp(0, 1)
        unit = GAMES[self._architecture.game].score_unit(*samples.planes.shape[-2:])
        return {
            "policy": -(policy * logs).sum(dim=1).mean(),
            "value": functional.binary_cross_entropy_with_logits(2 * value, chance),
            "ownership": functional.mse_loss(torch.tanh(ownership), self._tensor(samples.ownership).float()),
            "score": functional.huber_loss(score, self._tensor(samples.score) / unit),
        }

    def parameters(self) -> dict[str, NDArray[np.float32]]:
        """Returns the parameters of the network that plays."""
        return {name: _array(tensor) for name, tensor in self._parameters.items()}

    def state(self) -> dict[str, Array]:
        """Returns all arrays that `restore` needs."""
        arrays: dict[str, Array] = {name: _array(tensor) for name, tensor in self._learned().items()}
        return arrays | {"steps": np.array(self.steps, np.int64)}

    def _learned(self) -> dict[str, Tensor]:
        """Returns what a step changes: each parameter, and what its optimizer knows of it."""
        tensors = {}
        for name, tensor in self._parameters.items():
            tensors[f"parameter {name}"] = tensor
            moments = (self._muon if _is_hidden(name) else self._adam).state[tensor]
            tensors |= {f"{key} {name}": moment for key, moment in moments.items()}
        return tensors

    def restore(self, arrays: dict[str, Array]) -> None:
        """Restores the state that `state` returned.

        Raises:
            ValueError: an array is missing, or has another shape or type; nothing has changed then.
        """
        learned = self._learned()
        for name in ("steps", *learned):
            if name not in arrays:
                raise ValueError(f"{name} is missing")
        check_numbers("steps", arrays["steps"], (), np.int64)
        for name, tensor in learned.items():
            check_numbers(name, arrays[name], tuple(tensor.shape), np.float32)
        if unknown := sorted(arrays.keys() - learned.keys() - {"steps"}):
            raise ValueError(f"there is no array {shown(unknown[0])}")
        with torch.no_grad():
            for name, tensor in learned.items():
                tensor.copy_(self._tensor(arrays[name]))
        self.steps = int(arrays["steps"])


def _is_hidden(name: str) -> bool:
    """Returns whether a parameter is a weight between hidden layers: neither the stem's nor an output's."""
    layer, _, kind = name.rpartition(".")
    return kind == "weight" and layer not in {"stem", *OUTPUTS}


def _array(tensor: Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = tensor.detach().cpu().contiguous().numpy().copy()
    return array
