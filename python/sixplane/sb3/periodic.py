"""What a callback of Stable-Baselines3 does every so many steps, over several calls of `learn`."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from stable_baselines3.common.callbacks import BaseCallback

from sixplane._arguments import integer

if TYPE_CHECKING:
    from stable_baselines3.common.base_class import BaseAlgorithm


class PeriodicCallback(BaseCallback):  # type: ignore[misc] # the library has no types here
    """A callback that acts every so many steps of a model.

    It counts the steps itself, since the model's own number may start at 0 again in each call of `learn`.

    Args:
        every: the steps of all games together between two times.
        verbose: as of `BaseCallback`.
    """

    def __init__(self, every: int, verbose: int = 0) -> None:
        super().__init__(verbose)
        self._every = integer("every", every, 1)
        #: The steps since the last time; the number of steps of the model when they were counted.
        self._since = self._counted = 0
        self._counted_model: BaseAlgorithm | None = None

    def _takes_another_model(self) -> bool:
        """Returns whether this `learn` is of another model than the one before; if so, begins to count."""
        if self._counted_model is self.model:
            return False
        self._counted_model, self._since = self.model, 0
        return True

    def _on_training_start(self) -> None:
        self._counted = self.num_timesteps

    def _on_step(self) -> bool:
        self._since += self.num_timesteps - self._counted
        self._counted = self.num_timesteps
        if self._since >= self._every:
            self._act_now()
        return True

    def _act_now(self) -> None:
        """Acts, and begins to count."""
        self._since = 0
        self._act()

    @abstractmethod
    def _act(self) -> None:
        """Does what the callback is for."""
