"""What a callback of Stable-Baselines3 does every so many steps, over several calls of `learn`."""

from __future__ import annotations

from abc import abstractmethod
from inspect import signature
from typing import TYPE_CHECKING

from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnvWrapper, VecNormalize

from sixplane._arguments import integer
from sixplane.sb3.vec_env import VecEnv

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

    def _vec_env(self) -> VecEnv:
        """Returns the `VecEnv` below the wrappers, whose planes the policy must see as they are.

        Raises:
            TypeError: there is none, a wrapper changes what the policy sees, or the policy takes no masks.
        """
        who, wrapper = type(self).__name__, self.training_env
        if not isinstance(found := wrapper.unwrapped, VecEnv):
            raise TypeError(f"{who} is for sixplane.sb3.VecEnv, not {found!r}")
        if "action_masks" not in signature(self.model.policy.predict).parameters:
            raise TypeError(
                f"{who} is for MaskablePPO, whose policies take masks, not {type(self.model).__name__}"
            )
        while isinstance(wrapper, VecEnvWrapper):
            is_normal = isinstance(wrapper, VecNormalize) and wrapper.norm_obs
            if is_normal or wrapper.observation_space.shape != wrapper.venv.observation_space.shape:
                name = type(wrapper).__name__
                raise TypeError(f"{who} shows the policy planes as they are, and {name} changes them")
            wrapper = wrapper.venv
        return found

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
