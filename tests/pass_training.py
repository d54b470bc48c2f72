"""The program `sixplane` with a learner that needs no PyTorch."""

from __future__ import annotations

import sys
from types import ModuleType

from learn_runs import PassLearner
from sixplane.__main__ import main

if __name__ == "__main__":
    module = ModuleType("sixplane.learn.torch_learner")
    module.TorchLearner = PassLearner  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    sys.exit(main(sys.argv[1:]))
