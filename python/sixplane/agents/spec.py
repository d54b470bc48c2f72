"""Agents by name, as they are written on the command line: `mcts:simulations=1000`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sixplane._core import Gomoku
from sixplane._nearest import did_you_mean
from sixplane.agents.gtp import GTPAgent
from sixplane.agents.human import HumanAgent
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.random import RandomAgent
from sixplane.agents.saved_network import network_agent, network_evaluator
from sixplane.agents.score_table import ScoreTableAgent
from sixplane.agents.table_evaluator import ScoreTableEvaluator
from sixplane.games import check_gtp
from sixplane.nets.shipped import shipped_networks

if TYPE_CHECKING:
    from sixplane._core import Game
    from sixplane.agents.agent import Agent

__all__ = ["SPEC_HELP", "AgentSpec", "agent_names"]


def _number(kind: type[int] | type[float]) -> Callable[[str], float]:
    def read(text: str) -> float:
        number = kind(text)
        if not math.isfinite(number):
            raise ValueError(text)
        return number

    return read


def _evaluator(text: str) -> ScoreTableEvaluator:
    return {
        "score-table": ScoreTableEvaluator(),
        "score-table-exact-five": ScoreTableEvaluator(exact_five=True),
    }[text]


def _eyes(text: str) -> str | None:
    return None if text == "none" else text


@dataclass(frozen=True)
class _Kind:
    """An agent that a spec may name: its class and how each option is read."""

    make: Callable[..., Agent]
    options: dict[str, Callable[[str], Any]]
    takes_seed: bool = True


def _kinds() -> dict[str, _Kind]:
    return {
        "random": _Kind(
            RandomAgent, {"avoid_eyes": _eyes, "resign_probability": _number(float), "tries": _number(int)}
        ),
        "score-table": _Kind(ScoreTableAgent, {}),
        "mcts": _Kind(
            MCTSAgent,
            {
                "evaluator": _evaluator,
                **dict.fromkeys(("simulations", "threads", "leaves", "max_nodes"), _number(int)),
                **dict.fromkeys(
                    ("seconds", "c", "rave", "prior_visits", "first_play", "resign_below"), _number(float)
                ),
                **dict.fromkeys(("selection", "reward"), str),
            },
        ),
        "network": _Kind(
            network_agent,
            {
                **dict.fromkeys(("file", "name", "backend", "selection"), str),
                **dict.fromkeys(("simulations", "leaves", "threads", "max_nodes"), _number(int)),
                **dict.fromkeys(
                    ("seconds", "temperature", "c", "first_play", "resign_below"), _number(float)
                ),
            },
        ),
        "human": _Kind(HumanAgent, {}, takes_seed=False),
    }


def agent_names() -> list[str]:
    """The names of the agents of this package, as a spec has them."""
    return [*_kinds(), *shipped_networks()]


def _entries(given: str) -> list[str]:
    """The options of a spec as they are written; commas within double quotes separate nothing."""
    parts = given.split('"')
    return "".join(part if i % 2 else part.replace(",", "\0") for i, part in enumerate(parts)).split("\0")


SPEC_HELP: Final = """\
an agent is written as a name, or NAME:OPTION=VALUE,OPTION=VALUE,...
  random              random legal actions, in Go not into own eyes
                      (avoid_eyes=diagonal|chain|playout|none, resign_probability, tries)
  score-table         Gomoku by a table of patterns
  mcts                tree search with random playouts, such as mcts:seconds=1,threads=2
                      (simulations=1000, seconds, threads, c, rave, prior_visits,
                      selection=ucb|puct|gumbel, first_play, reward=outcome|margin,
                      max_nodes, resign_below); Gomoku by the table too:
                      evaluator=score-table|score-table-exact-five, leaves
  network             by a trained network: network:file=run/last.npz plays what it says,
                      with simulations=800 or seconds=1 after a search (leaves=8,
                      selection, c, first_play, max_nodes, resign_below); temperature
                      makes it random, backend=auto|numpy|onnxruntime|openvino|torch and
                      threads=1 compute it; a path with a comma stands in double quotes
  go9, reversi8, ...  by a network of the package, such as go9:simulations=100
  human               a person, in play and match
  gtp:COMMAND         another program for Go or Reversi that speaks GTP, such as
                      'gtp:gnugo --mode gtp --level 10'
TITLE@AGENT gives it another name in the tables, such as 'weak@random:tries=1'."""


@dataclass(frozen=True)
class AgentSpec:
    """An agent by name; it makes new ones with any seed.

    Example:
        >>> spec = AgentSpec.parse("weak@random:tries=2")
        >>> spec.title, spec.kind, spec.options
        ('weak', 'random', {'tries': 2})
        >>> spec.make(seed=1)
        <sixplane.agents.random.RandomAgent object at 0x...>
    """

    title: str
    """The name in tables and records."""
    text: str
    """As it was written."""
    kind: str
    """The name of the agent."""
    options: dict[str, Any]
    """What its class is called with, beside a seed."""

    @classmethod
    def parse(cls, text: str) -> AgentSpec:
        """Reads what is written.

        Raises:
            ValueError: no agent has this name or option, or the option has no such value.
        """
        before, at, after = text.partition("@")
        # A command of GTP may have an @ of its own.
        title, rest = (before.strip(), after.strip()) if at and ":" not in before else ("", text.strip())
        name, colon, given = rest.partition(":")
        if name == "gtp":
            agent = GTPAgent(given)  # what is wrong with the command is said now
            del agent
            return cls(title or rest, text, name, {"command": given})
        if name not in (names := agent_names()):
            names.append("gtp")
            proposal = did_you_mean(name, names)
            raise ValueError(f"no agent is called {name!r}{proposal}; there are {', '.join(names)}")
        kind, reads, options = name, _kinds().get(name, _kinds()["network"]).options, {}
        if name in shipped_networks():
            kind, options = "network", {"name": name}
            reads = {option: read for option, read in reads.items() if option not in {"file", "name"}}
        last = ""
        for entry in _entries(given) if colon else []:
            option, equals, value = entry.partition("=")
            option, value = option.strip().replace("-", "_"), value.strip()
            if not equals and reads.get(last) is str:
                # The rest of a path with a comma.
                option, value = last, f"{options[last]},{entry.rstrip()}"
            if option not in reads:
                allowed = ", ".join(reads) or "none"
                proposal = did_you_mean(option, reads)
                raise ValueError(f"{name} has no option {option!r}{proposal}; it has {allowed}")
            try:
                options[option] = reads[option](value)
            except (KeyError, ValueError) as error:
                raise ValueError(f"{option} of {name} cannot be {value!r}") from error
            last = option
        spec = cls(title or rest, text, kind, options)
        spec.make(0)  # and so are values that the agent itself refuses
        return spec

    def check_game(self, game: Game) -> None:
        """Makes sure, as far as can be seen without starting anything, that the agent plays a game.

        Raises:
            ValueError: it plays other games only.

        Example:
            >>> import sixplane
            >>> try:
            ...     AgentSpec.parse("score-table").check_game(sixplane.Go())
            ... except ValueError as error:
            ...     print(error)
            score-table plays Gomoku, not Go
        """
        if self.kind == "network":
            names = {"file", "name", "backend", "threads"} & self.options.keys()
            evaluator = network_evaluator(**{name: self.options[name] for name in names})
            try:
                evaluator.for_game(game)
            except TypeError as error:
                raise ValueError(f"{self.title}: {error}") from error
        by_table = isinstance(self.options.get("evaluator"), ScoreTableEvaluator)
        if (self.kind == "score-table" or by_table) and not isinstance(game, Gomoku):
            raise ValueError(f"{self.title} plays Gomoku, not {type(game).__name__}")
        if self.kind == "gtp":
            try:
                check_gtp(game)
            except TypeError as error:
                raise ValueError(f"{self.title}: {error}") from error

    def make(self, seed: int | None) -> Agent:
        """A new agent; it makes the same choices as any other with this seed. None: one of the system."""
        if self.kind == "gtp":
            return GTPAgent(**self.options)
        kind = _kinds()[self.kind]
        seeded = {"seed": seed} if kind.takes_seed else {}
        return kind.make(**self.options, **seeded)
