"""Wrappers that put the action mask into the observation, where many libraries look for it."""

from __future__ import annotations

from typing import Final, SupportsFloat, SupportsIndex, TypeAlias

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from sixplane._arguments import flag, one_of
from sixplane.envs.resets import Flags, Seeds
from sixplane.envs.settings import Info, Planes

DTYPES: Final = ("int8", "bool", "float32")

Mask: TypeAlias = NDArray[np.int8 | np.float32 | np.bool_]
Observation: TypeAlias = dict[str, Planes | Mask]


class MaskedObservations:
    """Makes observations with a mask, of one game or of many.

    Attributes:
        space: the space of one game.
    """

    def __init__(
        self,
        space: gymnasium.Space[object],
        actions: gymnasium.Space[object],
        keys: tuple[str, str],
        mask_dtype: str,
        *,
        flatten: bool = False,
    ) -> None:
        if not isinstance(space, gymnasium.spaces.Box) or not isinstance(actions, gymnasium.spaces.Discrete):
            raise TypeError(f"MaskInObservation is for planes and integer actions, not {space} and {actions}")
        self._planes, self._mask = _names_of(keys)
        self._dtype = np.dtype(one_of("mask_dtype", mask_dtype, DTYPES))
        self._axes = len(space.shape)
        self._flatten = flag("flatten", flatten)
        shape = (int(np.prod(space.shape)),) if flatten else space.shape
        # A wrapper within may have given the planes other bounds.
        low, high = space.low.reshape(shape), space.high.reshape(shape)
        self.space = gymnasium.spaces.Dict(
            {
                self._planes: gymnasium.spaces.Box(low, high, dtype=space.dtype.type),
                self._mask: gymnasium.spaces.Box(0, 1, (int(actions.n),), self._dtype.type),
            }
        )

    def __call__(self, planes: Planes, mask: NDArray[np.int8]) -> Observation:
        """Makes an observation from planes and a mask, or from those of many games."""
        if self._flatten:
            planes = planes.reshape(*planes.shape[: planes.ndim - self._axes], -1)
        return {self._planes: planes, self._mask: mask.astype(self._dtype, copy=False)}


def _names_of(keys: object) -> tuple[str, str]:
    """Returns the names of planes and mask, checked."""
    match keys:
        case [str(planes), str(mask)] if planes != mask:
            return planes, mask
    raise ValueError(f"keys must be two names, of the planes and of the mask, not {keys!r}")


def _have_masks(envs: gymnasium.vector.VectorEnv[Planes, ArrayLike, NDArray[np.float64 | np.bool_]]) -> bool:
    """Returns whether the environments of a vector have `action_masks`."""
    inner = envs.unwrapped
    if isinstance(inner, SyncVectorEnv | AsyncVectorEnv):
        # A question that each environment can answer, because an error would end those in other processes.
        return all(inner.call("has_wrapper_attr", "action_masks"))
    return hasattr(inner, "action_masks")


# Not `Wrapper[...]`: to Gymnasium, a wrapper and its environment have observations of one type.
class MaskInObservation(gymnasium.Wrapper, RecordConstructorArgs):
    """Gives observations that are dicts of the planes and the action mask.

    TorchRL looks for `action_mask` there, RLlib's action masking for `observations` and `action_mask`,
    tianshou for `obs` and `mask`. When a game is over, its mask is all 0. `info` keeps its own mask.

    Args:
        env: an environment of sixplane, or a wrapper of one; for `make_vec`, `VectorMaskInObservation`.
        keys: the names of planes and mask.
        mask_dtype: `"int8"`, `"bool"` or `"float32"`.
        flatten: whether the planes become one row, as layers without convolutions need them.

    Raises:
        TypeError, ValueError: the environment is of another kind, or an argument has no such value.

    Example:
        >>> import gymnasium, sixplane
        >>> env = MaskInObservation(gymnasium.make("sixplane/Go-v0", size=5), keys=("obs", "mask"))
        >>> observation, _ = env.reset()
        >>> observation["obs"].shape, int(observation["mask"].sum())
        ((6, 5, 5), 26)
    """

    def __init__(
        self,
        env: gymnasium.Env[Planes, SupportsIndex],
        keys: tuple[str, str] = ("observation", "action_mask"),
        mask_dtype: str = "int8",
        *,
        flatten: bool = False,
    ) -> None:
        if not isinstance(env, gymnasium.Env):
            raise TypeError("MaskInObservation is for one game; VectorMaskInObservation is for many")
        if not env.has_wrapper_attr("action_masks"):
            name = type(env.unwrapped).__name__
            raise TypeError(f"MaskInObservation is for environments that have action_masks, not {name}")
        RecordConstructorArgs.__init__(self, keys=keys, mask_dtype=mask_dtype, flatten=flatten)
        super().__init__(env)
        space, actions = env.observation_space, env.action_space
        self._masked = MaskedObservations(space, actions, keys, mask_dtype, flatten=flatten)
        self.observation_space = self._masked.space

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, Info]:
        """Does what the environment does, with the mask in the observation."""
        planes, info = self.env.reset(seed=seed, options=options)
        return self._masked(planes, info["action_mask"].copy()), info

    def step(self, action: SupportsIndex) -> tuple[Observation, SupportsFloat, bool, bool, Info]:
        """Does what the environment does, with the mask in the observation."""
        planes, reward, terminated, truncated, info = self.env.step(action)
        return self._masked(planes, info["action_mask"].copy()), reward, terminated, truncated, info


class VectorMaskInObservation(gymnasium.vector.VectorWrapper):
    """The wrapper `MaskInObservation` for the environments of `make_vec`.

    With the autoreset mode `same_step`, an entry of `final_obs` is a dict, too.

    Args:
        env: a vector environment of sixplane, or a wrapper of one.
        keys, mask_dtype, flatten: as those of `MaskInObservation`.

    Raises:
        TypeError, ValueError: the environment is of another kind, or an argument has no such value.

    Example:
        >>> import gymnasium, sixplane
        >>> envs = VectorMaskInObservation(gymnasium.make_vec("sixplane/Go-v0", 4, size=5))
        >>> observation, _ = envs.reset(seed=1)
        >>> observation["observation"].shape, observation["action_mask"].sum(axis=1).tolist()
        ((4, 6, 5, 5), [26, 26, 26, 26])
    """

    def __init__(
        self,
        env: gymnasium.vector.VectorEnv[Planes, ArrayLike, NDArray[np.float64 | np.bool_]],
        keys: tuple[str, str] = ("observation", "action_mask"),
        mask_dtype: str = "int8",
        *,
        flatten: bool = False,
    ) -> None:
        if not isinstance(env, gymnasium.vector.VectorEnv):
            raise TypeError("VectorMaskInObservation is for many games; MaskInObservation is for one")
        if not _have_masks(env):
            name = type(env.unwrapped).__name__
            raise TypeError(f"VectorMaskInObservation is for environments that have action_masks, not {name}")
        space, actions = env.single_observation_space, env.single_action_space
        self._masked = MaskedObservations(space, actions, keys, mask_dtype, flatten=flatten)
        # Last, because a wrapper closes its environment when it is deleted, also if its options are refused.
        super().__init__(env)
        self.single_observation_space = self._masked.space
        self.observation_space = batch_space(self._masked.space, env.num_envs)

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """When a game that ends starts again; TorchRL asks for it."""
        mode: AutoresetMode = self.metadata["autoreset_mode"]
        return mode

    def reset(
        self, *, seed: Seeds = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, Info]:
        """Does what the environment does, with the masks in the observation."""
        planes, info = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type] # ours takes lists of seeds
        masks, inner = info["action_mask"].copy(), self.env.unwrapped
        if isinstance(inner, SyncVectorEnv | AsyncVectorEnv) and not info["_action_mask"].all():
            # After a reset of some games, these have the masks of them alone.
            masks[:] = inner.call("action_masks")
        return self._masked(planes, masks), info

    def step(self, actions: ArrayLike) -> tuple[Observation, NDArray[np.float64], Flags, Flags, Info]:
        """Does what the environment does, with the masks in the observation."""
        planes, rewards, terminated, truncated, info = self.env.step(actions)
        if "final_obs" in info:
            last = np.full(self.num_envs, None, object)
            masks = info["final_info"]["action_mask"]
            for i in np.flatnonzero(info["_final_obs"]):
                last[i] = self._masked(info["final_obs"][i], masks[i].copy())
            info = info | {"final_obs": last}
        return self._masked(planes, info["action_mask"].copy()), rewards, terminated, truncated, info
