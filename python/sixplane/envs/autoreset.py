"""Autoreset: when a finished game of a vector environment starts again.

| mode | who resets a finished game |
|---|---|
| `next_step` | the next step, which ignores the action and gives reward 0 |
| `same_step` | the step that ends the game; `final_obs` and `final_info` in `info` show its end |
| `disabled` | the caller, by `reset(options={"reset_mask": ...})` |

The step of the `GameBatch` resets games (`src/batch/autoreset.rs`), and the vector environment reads what
happened. Against an opponent, who moves in between, `VectorVsOpponent` asks the batch for each reset.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NoReturn

import numpy as np
from gymnasium.vector import AutoresetMode

from sixplane.errors import IllegalActionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["batch_autoreset", "mode_of", "refuse_finished"]


def mode_of(value: object) -> AutoresetMode:
    """The mode of this name, or the one given.

    Raises:
        TypeError, ValueError: there is no such mode.
    """
    if isinstance(value, AutoresetMode):
        return value
    modes = {mode.name.lower(): mode for mode in AutoresetMode}
    # Gymnasium's own spelling, "NextStep", is understood too.
    spelled = modes | {mode.value: mode for mode in AutoresetMode}
    if isinstance(value, str) and value in spelled:
        return spelled[value]
    listed = " or ".join(repr(name) for name in modes)
    kind = ValueError if isinstance(value, str) else TypeError
    raise kind(f"autoreset_mode must be {listed}, not {value!r}")


def batch_autoreset(mode: AutoresetMode) -> Literal["disabled", "next_step", "same_step"]:
    """The name of a mode for `GameBatch.step`."""
    match mode:
        case AutoresetMode.NEXT_STEP:
            return "next_step"
        case AutoresetMode.SAME_STEP:
            return "same_step"
        case _:
            return "disabled"


def refuse_finished(where: NDArray[np.bool_]) -> NoReturn:
    """Raises an error: these episodes must be reset before the next step."""
    index = np.flatnonzero(where)
    listed = ", ".join(map(str, index[:5]))
    message = f"over and not yet reset: environment {listed}"
    raise IllegalActionError("game_over", message, index, ["game_over"] * len(index))
