"""Specs of agents: an agent by its name and options, as on the command line: `mcts:simulations=1000`."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from sixplane import ladder
from sixplane._other_names import did_you_mean
from sixplane.agents.agent import Agent
from sixplane.agents.dead_stones import CapturingAgent
from sixplane.agents.gomocup import GomocupAgent, check_gomocup
from sixplane.agents.gtp import GTPAgent
from sixplane.agents.human import HumanAgent
from sixplane.agents.ladder import LadderAgent
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.network import NetworkAgent
from sixplane.agents.partly_random import PartlyRandomAgent
from sixplane.agents.program import arguments_of
from sixplane.agents.random import RandomAgent
from sixplane.agents.saved_network import network_evaluator
from sixplane.agents.score_table import ScoreTableAgent, ScoreTableEvaluator
from sixplane.games import check_gtp, info_of
from sixplane.nets.shipped import shipped_networks
from sixplane.search import Gumbel, Puct, Ucb

if TYPE_CHECKING:
    from sixplane._core import Game

#: What an option may be.
Value: TypeAlias = str | float | bool | None

#: How an option is read.
_Reader: TypeAlias = Callable[[str], Value]


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _truth(text: str) -> bool:
    if text not in {"true", "false"}:
        raise ValueError(text)
    return text == "true"


def _path(text: str) -> str:
    # A shell leaves the ~ of network:file=~/last.npz to the program.
    return os.path.expanduser(text)  # noqa: PTH111  # a Path would drop a slash at the end


def _eyes(text: str) -> str | None:
    return None if text == "none" else text


def _evaluator(text: str) -> str:
    if text != "score-table":
        raise ValueError(text)
    return text


#: What an option that is read so may be, in words.
_ALLOWED: Final[dict[_Reader, str]] = {
    int: "an integer",
    _number: "a number",
    _truth: "true or false",
    _evaluator: "score-table",
}

#: The settings that belong to one selection, and the values that hold them.
_SETTINGS: Final = ("c", "rave", "prior_visits", "first_play", "noise")
_SELECTIONS: Final[dict[str, type[Ucb | Puct | Gumbel]]] = {"ucb": Ucb, "puct": Puct, "gumbel": Gumbel}


def _with_selection(options: dict[str, Value], default: str) -> dict[str, Value | Ucb | Puct | Gumbel]:
    """Puts the settings of the selection into one value, if there are any."""
    settings = {name: options[name] for name in _SETTINGS if name in options}
    name = str(options.get("selection", default))
    if not settings and "selection" not in options:
        return {**options}
    if name not in _SELECTIONS:
        raise ValueError(f"selection must be one of {', '.join(_SELECTIONS)}, not {name!r}")
    selection: Callable[..., Ucb | Puct | Gumbel] = _SELECTIONS[name]
    if wrong := settings.keys() - {*_SELECTIONS[name]._fields}:
        allowed = ", ".join(field for field in _SELECTIONS[name]._fields if field in _SETTINGS)
        raise ValueError(f"{min(wrong)} does not go with selection={name}, which has {allowed}")
    others = {option: value for option, value in options.items() if option not in settings}
    return {**others, "selection": selection(**settings)}


#: The options that say which network; the name of one of the package says that, too.
_WHICH: Final = frozenset({"file", "name"})
#: The options of the network itself.
_OF_NETWORK: Final = (*_WHICH, "backend", "threads")

#: The kind of agent that is a person, and what is said where none can play.
HUMAN: Final = "human"
NO_PERSON: Final = "a person plays in 'sixplane play' and 'sixplane match', not here"

#: Positions of one game that go to a network in one call: many times as quick as one by one.
LEAVES: Final = 8

#: What makes an agent of the options that were read, and a seed.
_Maker: TypeAlias = Callable[..., Agent]


def _search_agent(evaluator: str | None = None, **options: Value) -> Agent:
    make: _Maker = MCTSAgent
    if evaluator is None:
        return CapturingAgent(make(**_with_selection(options, "ucb")))
    return CapturingAgent(make(ScoreTableEvaluator(), **_with_selection(options, "puct")))


def _network_agent(**options: Value) -> Agent:
    search: _Maker = MCTSAgent
    follow: _Maker = NetworkAgent
    network = {name: options.pop(name) for name in _OF_NETWORK if name in options}
    evaluator = network_evaluator(**network)  # type: ignore[arg-type]  # as they were read
    if options.keys() & {"simulations", "seconds"}:
        searching = search(evaluator, **{"leaves": LEAVES, **_with_selection(options, "puct")})
        return searching if options.get("temperature") else CapturingAgent(searching)
    if others := options.keys() - {"temperature", "resign_below", "seed"}:
        raise ValueError(f"{min(others)!r} is for a search: give simulations or seconds")
    return follow(evaluator, **options)


def _readers(counts: str = "", numbers: str = "", words: str = "", **others: _Reader) -> dict[str, _Reader]:
    of_types = ((str, words), (int, counts), (_number, numbers))
    return {name: read for read, names in of_types for name in names.split()} | others


#: Each kind of agent: what makes it, and how its options are read.
_KINDS: Final[dict[str, tuple[_Maker, dict[str, _Reader]]]] = {
    "random": (RandomAgent, _readers("tries", "resign_probability", avoid_eyes=_eyes)),
    "score-table": (ScoreTableAgent, _readers(numbers="random")),
    "mcts": (
        _search_agent,
        _readers(
            "simulations threads leaves max_nodes",
            "seconds c rave prior_visits first_play noise resign_below random",
            "selection reward",
            evaluator=_evaluator,
            exact=_truth,
        ),
    ),
    "network": (
        _network_agent,
        _readers(
            "simulations leaves threads max_nodes",
            "seconds temperature c first_play noise resign_below random",
            "file name backend selection",
            file=_path,
            exact=_truth,
        ),
    ),
    HUMAN: (lambda **_seed: HumanAgent(), {}),
}

#: Each kind of other programs: what makes the agent, and what raises if it cannot play a game.
_PROGRAMS: Final[dict[str, tuple[_Maker, Callable[[Game], None]]]] = {
    "gtp": (GTPAgent, check_gtp),
    "gomocup": (GomocupAgent, check_gomocup),
}


def agent_names() -> list[str]:
    """Lists the names of the agents of this package, as a spec has them."""
    return [*_KINDS, *shipped_networks()]


def _entries(given: str) -> list[str]:
    """Splits the options of a spec; commas within double quotes separate nothing."""
    parts = given.split('"')
    return "".join(part if i % 2 else part.replace(",", "\0") for i, part in enumerate(parts)).split("\0")


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = "none" if value is None else str(value)
    if isinstance(value, float):
        text = text.removesuffix(".0")
    return f'"{text}"' if "," in text else text


def _program_options(name: str, given: str) -> dict[str, Value]:
    """Reads the command of another program, and the time for its moves before it.

    Raises:
        ValueError: the command or the time is malformed, or the time is given twice.
    """
    options, whole = dict[str, Value](), f"{name}:{given}"
    while name == "gomocup" and (found := re.match(r"\s*seconds\s*=([^,]*),\s*", given)):
        given = given[found.end() :]
        if "seconds" in options:
            raise ValueError(f"seconds of {name} is given twice")
        try:
            options["seconds"] = _number(found[1])
        except ValueError as error:
            raise ValueError(f"seconds of {name} must be a number, not {found[1].strip()!r}") from error
    try:
        arguments_of(given)
    except ValueError as error:
        raise ValueError(f"the agent {whole!r}: {error}") from error
    return {**options, "command": given}


SPEC_HELP: Final = """\
an agent is written as a name, or NAME:OPTION=VALUE,OPTION=VALUE,...
  random           random legal actions, in Go not into own eyes; options:
                   avoid_eyes=diagonal|chain|playout|none, tries,
                   resign_probability
  score-table      Gomoku by a table of patterns
  mcts             a tree search with random playouts, such as
                   mcts:seconds=1,threads=2; options: simulations=1000,
                   seconds, threads, c, rave, prior_visits,
                   selection=ucb|puct|gumbel, first_play, noise, max_nodes,
                   reward=outcome|margin, resign_below, and
                   exact=true|false for proofs of wins and losses; in Gomoku
                   also by the table: evaluator=score-table, leaves
  network          a trained network: network:file=run/last.npz plays what it
                   says, with simulations=800 or seconds=1 after a search;
                   options: leaves=8, selection, c, first_play, max_nodes,
                   resign_below, exact; temperature makes its moves random,
                   and so does selection=gumbel without noise=0;
                   backend=auto|numpy|onnxruntime|openvino|torch and
                   threads=1 compute it; a path with a comma stands in
                   double quotes
  go9, reversi8    and so on: a network of the package, such as
                   go9:simulations=100
  human            a person, in play and match
  ladder:1200      the opponent of known strength nearest to this Elo above
                   random play, on boards that have a ladder; ladder:+3 is
                   the third above random play
  gtp:COMMAND      another program for Go or Reversi that speaks GTP, such as
                   'gtp:gnugo --mode gtp --level 10'
  gomocup:COMMAND  another program for Gomoku that speaks the protocol of
                   piskvork, such as gomocup:pbrain-x, which thinks a second
                   about a move; with gomocup:seconds=0.5,pbrain-x half of it
With random=0.3 mcts, score-table and networks play that share at random.
TITLE@AGENT gives it another name in tables, such as 'weak@random:tries=1'."""


@dataclass(frozen=True)
class AgentSpec:
    """A spec names an agent and its options; it makes agents with any seed.

    Two specs are equal if they say the same. `str` writes a spec as `parse` reads it.

    Example:
        >>> spec = AgentSpec.parse("weak@random:tries=2")
        >>> spec.title, spec.kind, spec.options
        ('weak', 'random', {'tries': 2})
        >>> str(spec), spec == AgentSpec.parse(" weak @ random: tries=2")
        ('weak@random:tries=2', True)
        >>> spec.make(seed=1)
        <sixplane.agents.random.RandomAgent object at 0x...>
        >>> spec.opens_files, AgentSpec.parse("network:file=last.npz").opens_files
        (False, True)
    """

    kind: str
    """The name of the agent."""
    options: dict[str, Value] = field(default_factory=dict)
    """The options that were given, such as `{"simulations": 100}`."""
    title: str = ""
    """The name in tables and records, Unicode text; without one that was given, the spec itself."""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self._untitled())
        try:
            self.title.encode()
        except UnicodeEncodeError as error:
            # A path may hold any bytes, and a record may not.
            raise ValueError(
                f"{self.title!r} is no Unicode text: give the agent a name, TITLE@AGENT"
            ) from error

    def __str__(self) -> str:
        untitled = self._untitled()
        return untitled if self.title == untitled else f"{self.title}@{untitled}"

    def _untitled(self) -> str:
        if self.kind == "ladder":
            return f"ladder:{self.options['rung']}"
        name, options = self.kind, dict(self.options)
        if name == "network" and options.get("name") in shipped_networks():
            name = str(options.pop("name"))
        command = options.pop("command", None)
        parts = [f"{option}={_written(value)}" for option, value in options.items()]
        written = ",".join(parts if command is None else [*parts, str(command)])
        return f"{name}:{written}" if written else name

    @classmethod
    def parse(cls, text: str) -> AgentSpec:
        """Reads what is written; it opens no file, starts no program, and makes no agent.

        Raises:
            ValueError: no agent has this name or option, or the option is of another type or given twice.
        """
        before, at, after = text.partition("@")
        # The command of a program may have an @ of its own.
        title, rest = (before.strip(), after.strip()) if at and ":" not in before else ("", text.strip())
        name, colon, given = rest.partition(":")
        name = name.rstrip()
        if name in _PROGRAMS:
            return cls(name, _program_options(name, given), title)
        if name == "ladder":
            ladder.check(given.strip())  # raises if it means no rung
            return cls(name, {"rung": given.strip()}, title)
        if name not in (names := agent_names()):
            names += ["ladder", *_PROGRAMS]
            proposal = did_you_mean(name, names)
            raise ValueError(f"no agent is called {name!r}{proposal}; there are {', '.join(names)}")
        kind, options = name, dict[str, Value]()
        if name in shipped_networks():
            kind, options = "network", {"name": name}
        readers = {
            option: read for option, read in _KINDS[kind][1].items() if kind == name or option not in _WHICH
        }
        last = ""
        for entry in _entries(given) if colon else []:
            option, equals, value = entry.partition("=")
            option, value = option.strip().replace("-", "_"), value.strip()
            if not equals and readers.get(last) is _path:
                # The rest of a path with a comma.
                option, value = last, f"{options[last]},{entry.rstrip()}"
            elif option in readers and option in options:
                raise ValueError(f"{option} of {name} is given twice")
            if option not in readers:
                allowed = ", ".join(readers) or "none"
                proposal = did_you_mean(option, readers)
                raise ValueError(f"{name} has no option {option!r}{proposal}; it has {allowed}")
            try:
                options[option] = readers[option](value)
            except ValueError as error:
                raise ValueError(
                    f"{option} of {name} must be {_ALLOWED[readers[option]]}, not {value!r}"
                ) from error
            last = option
        return cls(kind, options, title)

    @property
    def opens_files(self) -> bool:
        """Whether the agent is another program, or reads a file that the spec names."""
        return self.kind in _PROGRAMS or "file" in self.options

    def check_game(self, game: Game) -> None:
        """Makes sure, as far as can be seen without starting anything, that the agent plays a game.

        Raises:
            ValueError, TypeError: it plays other games only, or an option has no such value.

        Example:
            >>> import sixplane
            >>> try:
            ...     AgentSpec.parse("score-table").check_game(sixplane.Go())
            ... except ValueError as error:
            ...     print(error)
            score-table plays Gomoku, not Go
        """
        agent = self.make(0)
        if self.kind == "ladder":
            ladder.find(game, str(self.options["rung"]))
        if self.kind == "score-table" and not info_of(game).has_score_table:
            raise ValueError(f"{self.title} plays Gomoku, not {info_of(game).unique_title}")
        try:
            if self.kind in _PROGRAMS:
                _PROGRAMS[self.kind][1](game)
            for_game = getattr(getattr(agent, "evaluator", None), "for_game", None)
            if for_game is not None:
                for_game(game)
        except TypeError as error:
            raise ValueError(f"{self.title}: {error}") from error

    def make(self, seed: int | None) -> Agent:
        """Makes an agent; agents of one seed make the same choices. None: a seed of the system.

        Raises:
            ValueError, TypeError: an option has no such value, or some do not go together.
        """
        if self.kind in _PROGRAMS:
            return _PROGRAMS[self.kind][0](**self.options)
        if self.kind == "ladder":
            return LadderAgent(str(self.options["rung"]), made, seed)
        options = dict(self.options)
        share = options.pop("random", None)
        agent = _KINDS[self.kind][0](**options, seed=seed)
        return agent if share is None else PartlyRandomAgent(agent, float(share), seed)


def made(text: str, seed: int | None) -> Agent:
    """Makes the agent of a spec, with a seed."""
    return AgentSpec.parse(text).make(seed)
