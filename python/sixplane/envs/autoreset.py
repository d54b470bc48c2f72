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

from typing import Final, Literal, NoReturn

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from sixplane.errors import IllegalActionError

#: The modes, and their names as `GameBatch.step` has them.
NAMES: Final[dict[AutoresetMode, Literal["next_step", "same_step", "disabled"]]] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


def mode_of(value: object) -> AutoresetMode:
    """Returns the mode of this name, or the one given.

    Raises:
        TypeError, ValueError: there is no such mode.
    """
    if isinstance(value, str | AutoresetMode):
        for mode, name in NAMES.items():
            # Gymnasium's own spelling, "NextStep", is understood too.
            if value in (mode, name, mode.value):
                return mode
    listed = " or ".join(map(repr, NAMES.values()))
    kind = ValueError if isinstance(value, str) else TypeError
    raise kind(f"autoreset_mode must be {listed}, not {value!r}")


def refuse_finished(where: NDArray[np.bool_]) -> NoReturn:
    """Raises an error that says which episodes must be reset before the next step."""
    index = np.flatnonzero(where)
    listed = ", ".join(map(str, index[:5]))
    message = f"over and not yet reset: environment {listed}"
    raise IllegalActionError("game_over", message, index, ["game_over"] * len(index))
