"""Games of a crate of your own: a compiled module has the rules alone, and gets a class of games for each."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, Any

from sixplane._core import OwnGame, _CrateRules, _OwnRules, _read_crate
from sixplane.games.arbiter import Arbiter
from sixplane.games.info import RuleOption
from sixplane.games.own import Maker, made_class
from sixplane.games.style import Style

if TYPE_CHECKING:
    from types import ModuleType


def add_games(module: ModuleType, capsule: object) -> None:
    """Puts the classes of games into a module whose rules are in the capsule; `python_game!` calls it.

    Raises:
        ImportError: the module was built for another version of sixplane, or a game in it cannot be.
    """
    names = []
    for rules in _read_crate(capsule):
        setattr(module, rules.name, _class_of(rules, module))
        names.append(rules.name)
    module.__all__ = names  # type: ignore[attr-defined]


class _CrateMaker(Maker):
    """Makes the rules of one class of games of a crate."""

    def __init__(self, rules: _CrateRules) -> None:
        super().__init__(dict(rules.options))
        self._rules = rules

    def make(self, options: dict[str, Any], written: str) -> _OwnRules:
        rules = self._rules
        for name, value in options.items():
            if type(value) is int and not -(2**63) <= value < 2**63:
                raise ValueError(f"{name} must fit 64 bits, not {value}")
        arbiter = Arbiter(rules, options, rules.name, rules.forbidden)
        made = _OwnRules(
            arbiter,
            self.games,
            rules.name,
            written,
            arbiter.forbidden,
            list(rules.endings),
            rules.num_symmetries,
            rules.may_repeat,
            rules,
            list(options.values()),
        )
        # The rules of a crate answer the core themselves.
        arbiter.next = made.next
        return made


def _class_of(rules: _CrateRules, module: ModuleType) -> type[OwnGame]:
    for name, _ in rules.options:
        if not name.isidentifier() or keyword.iskeyword(name):
            raise ImportError(f"{rules.name}: an option cannot be called {name!r}")
    rows, cols = rules.default_size
    style: dict[str, Any] = {"squares": rules.look != "lines", "drops": rules.look == "drops"}
    if rules.look == "squares":
        style |= {"board": "#e8dcc0", "edge": "#b59a6a", "label": "#3d2a10"}
    try:
        return made_class(
            _CrateMaker(rules),
            rules.name,
            _place(module.__name__),
            doc=rules.about or None,
            options=tuple(RuleOption(name, type(value), "") for name, value in rules.options),
            size=rows if rows == cols else (rows, cols),
            title=rules.title,
            style=Style(**style),
            has_pass=rules.has_pass,
            counts_points=rules.counts_points,
            may_repeat=rules.may_repeat,
            endings=rules.endings,
        )
    except TypeError as error:
        raise ImportError(str(error)) from error


def _place(module: str) -> str:
    """The name by which the module is imported: maturin puts it into a package of the same name."""
    parent, _, name = module.rpartition(".")
    return parent if parent.rpartition(".")[2] == name else module
