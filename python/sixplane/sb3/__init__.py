"""The games for Stable-Baselines3: one environment has many of them, with masks, against an opponent.

It needs Stable-Baselines3: `pip install 'sixplane[sb3]'`, which also installs sb3-contrib with MaskablePPO.

| name | what it is |
|---|---|
| `VecEnv` | many games for one player; the opponent moves within `step` |
| `BoardPolicy` | a policy for MaskablePPO whose convolutions give each point its logit |
| `BoardCNN` | a features extractor for small boards; `CnnPolicy`'s own needs pictures of 36 pixels or more |
| `SelfPlayCallback` | makes frozen copies of the policy the opponents |
| `LadderCallback` | rates the policy while it learns: its Elo on the ladder of the board |
| `PolicyPool` | the opponents that the callback makes |

Example:
    >>> from sb3_contrib import MaskablePPO
    >>> from sixplane.sb3 import BoardCNN, SelfPlayCallback, VecEnv
    >>> env = VecEnv("reversi", num_envs=16, size=6)
    >>> features = {"features_extractor_class": BoardCNN, "features_extractor_kwargs": {"channels": 16}}
    >>> model = MaskablePPO("MlpPolicy", env, n_steps=8, policy_kwargs=features)
    >>> model.learn(128, callback=SelfPlayCallback(every=50_000)).num_timesteps  # 1,000,000 learn to play
    128
"""

from typing import TYPE_CHECKING

from sixplane._library import optional

with optional("sixplane.sb3 needs Stable-Baselines3", "sb3", "stable_baselines3", "gymnasium", "torch"):
    import stable_baselines3 as _library  # noqa: F401 - to say what is missing

from sixplane.sb3.features import BoardCNN
from sixplane.sb3.ladder import LadderCallback
from sixplane.sb3.self_play import PolicyPool, SelfPlayCallback
from sixplane.sb3.vec_env import VecEnv

if TYPE_CHECKING:
    from sixplane.sb3.policy import BoardPolicy

__all__ = ["BoardCNN", "BoardPolicy", "LadderCallback", "PolicyPool", "SelfPlayCallback", "VecEnv"]


def __getattr__(name: str) -> object:
    # The rest works without sb3-contrib.
    if name != "BoardPolicy":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with optional("sixplane.sb3.BoardPolicy needs sb3-contrib", "sb3", "sb3_contrib"):
        from sixplane.sb3.policy import BoardPolicy
    return BoardPolicy


def __dir__() -> list[str]:
    return sorted({*globals(), "BoardPolicy"})
