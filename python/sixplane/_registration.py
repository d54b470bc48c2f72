"""Registers the environments, so that `gymnasium.make` finds them after `import sixplane`.

Gymnasium takes long to import, and not every program needs it, so nothing here imports it. If the program
has not imported it yet, the environments are registered as soon as it does.
"""

from __future__ import annotations

import re
import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType


def register_environments() -> None:
    """Registers every environment: now if Gymnasium has been imported, else when that happens.

    If Gymnasium is too old or broken, its import warns of it; `gymnasium.make` then says what is needed.
    """
    if sys.modules.get("gymnasium") is not None:
        # The statement waits if another thread is in the middle of it.
        import gymnasium

        _register(gymnasium)
    elif not any(isinstance(finder, _AfterGymnasium) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterGymnasium())


def too_old(version: str) -> str:
    """Says that a version of Gymnasium lacks what the environments need; empty for any other version."""
    found = re.match(r"(\d+)\.(\d+)", version)
    if found is None or (int(found[1]), int(found[2])) >= (1, 1):
        return ""
    needed = "the environments of sixplane need Gymnasium 1.1 or newer"
    return f"{needed}, not {version}: pip install 'sixplane[gym]'"


class _AfterGymnasium:
    """A finder of modules that leaves Gymnasium to the other finders, and registers once it is imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(name, path, target) if find else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _ThenRegister(spec.loader, self)  # type: ignore[assignment] # has what imports need
                return spec
        return None

    def imported(self, gymnasium: ModuleType) -> None:
        """Registers the environments after Gymnasium has been imported."""
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
        _register(gymnasium)


class _ThenRegister:
    """The loader of Gymnasium, which restores the original one before Gymnasium runs."""

    def __init__(self, loader: Loader, finder: _AfterGymnasium) -> None:
        self._loader = loader
        self._finder = finder

    def __getattr__(self, name: str) -> object:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._finder.imported(module)


def _register(gymnasium: ModuleType) -> None:
    if message := too_old(getattr(gymnasium, "__version__", "")):
        _warn(message)
    from sixplane.games import GAMES

    #: Id -> what makes an environment of one game, and of many, and its arguments.
    makers: dict[str, tuple[str, str | None, dict[str, str]]] = {
        info.env_id: ("sixplane.envs.making:make", "sixplane.envs.making:make_vec", {"game": name})
        for name, info in GAMES.items()
    }
    makers["sixplane/GymGo-v0"] = "sixplane.gymgo:GoEnv", None, {}
    try:
        for env_id, (one, many, arguments) in makers.items():
            if env_id not in gymnasium.registry:
                gymnasium.register(id=env_id, entry_point=one, vector_entry_point=many, kwargs=arguments)
    except Exception as error:  # a broken Gymnasium may raise anything, and the games need none
        _warn(f"the environments of sixplane are not registered, because Gymnasium is broken: {error!r}")


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=5)
