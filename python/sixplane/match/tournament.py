"""A tournament is a series of games between each two of several players, several games at a time."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Protocol

from sixplane._arguments import flag, integer
from sixplane._core import Game
from sixplane._live import LiveRecord, live_record
from sixplane.agents.agent import Agent
from sixplane.agents.human import HumanAgent
from sixplane.games import game_to_play
from sixplane.jobs import Cluster, JobError, Jobs, Processes
from sixplane.jobs.gpu import with_gpu
from sixplane.match.limits import Limits
from sixplane.match.openings import random_openings
from sixplane.match.referee import Move, play, show
from sixplane.match.result import Result


class Entrant(Protocol):
    """An entrant makes the agents of one player of a tournament, as an `AgentSpec` does; it must pickle.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import AgentSpec, RandomAgent
        >>> class Novice:
        ...     title = "novice"
        ...     def make(self, seed):
        ...         return RandomAgent(seed=seed)
        >>> players = [Novice(), AgentSpec.parse("score-table")]
        >>> tournament = Tournament(players, sixplane.Gomoku(size=7), games=2)
        >>> [played.result.winner for played in tournament.run(processes=0)]
        ['white', 'black']
    """

    @property
    def title(self) -> str:
        """The name of the player in tables and records."""

    def make(self, seed: int, /) -> Agent:
        """Makes a new agent."""


@dataclass(frozen=True)
class Fixture:
    """A fixture is a game that is to be played.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import AgentSpec
        >>> entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
        >>> tournament = Tournament(entrants, sixplane.Gomoku(size=7), games=2, opening_moves=2)
        >>> [(fixture.black, fixture.white) for fixture in tournament.fixtures]
        [('random', 'score-table'), ('score-table', 'random')]
        >>> tournament.fixtures[0].opening == tournament.fixtures[1].opening
        True
    """

    index: int
    """The number of the game, from 0."""
    black: str
    """The title of the player of Black."""
    white: str
    """The title of the player of White."""
    opening: tuple[int, ...]
    """The actions that are played before the players choose."""
    seed: int
    """The seed of Black's agent; White's has the next one."""


@dataclass(frozen=True)
class Played:
    """A fixture that has been played, with its result.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import AgentSpec
        >>> entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
        >>> for played in Tournament(entrants, sixplane.Gomoku(size=7), games=2).run(processes=0):
        ...     print(played.fixture.black, "against", played.fixture.white, played.result.sgf_result)
        random against score-table W+1
        score-table against random B+1
    """

    fixture: Fixture
    """The game that was to be played."""
    result: Result
    """How it ended."""


class Tournament:
    """Plays a series of games between every two entrants.

    Each opening is played twice, with both colors; with `paired=False` only once, colors in turn.
    The openings, and the seeds of the agents, follow from the seed alone.

    Args:
        entrants: two or more, with different titles.
        game: where every game begins.
        games: how many games every two entrants play; an even number if paired.
        opening_moves: random actions before the players choose; more if there are too few different
            openings of that length.
        paired: whether each opening is played with both colors.
        seed: the seed of openings and agents.
        limits: the options of the referee; None: the usual ones.

    Raises:
        ValueError: too few entrants, equal titles, a wrong number.
        TypeError: an entrant without a title or `make`, or what is no game, number or `Limits`.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import AgentSpec
        >>> entrants = [AgentSpec.parse("random"), AgentSpec.parse("score-table")]
        >>> tournament = Tournament(entrants, sixplane.Gomoku(size=9), games=4)
        >>> [played.result.winner for played in tournament.run(processes=0)]
        ['white', 'black', 'white', 'black']
        >>> tournament.uses_torch
        False
        >>> tournament.play(tournament.fixtures[0]).winner  # one game, in this process
        'white'
    """

    def __init__(
        self,
        entrants: Sequence[Entrant],
        game: Game,
        *,
        games: int = 10,
        opening_moves: int = 4,
        paired: bool = True,
        seed: int = 0,
        limits: Limits | None = None,
    ) -> None:
        game = game_to_play(game)
        titles = [_title(entrant) for entrant in entrants]
        if len(titles) < 2:  # noqa: PLR2004
            raise ValueError(f"a tournament needs at least two players, not {len(titles)}")
        if len(set(titles)) < len(titles):
            twice = max(titles, key=titles.count)
            raise ValueError(f"two players are both called {twice!r}: give them other titles")
        games = integer("games", games)
        if games < 1 or (paired and games % 2):
            raise ValueError(f"games must be {'even and ' if paired else ''}at least 1, not {games}")
        self.entrants = {entrant.title: entrant for entrant in entrants}
        self.game = game.copy()
        self.limits = _limits(limits)
        self.opening_moves = integer("opening_moves", opening_moves, 0)
        self.paired, self.seed = flag("paired", paired), integer("seed", seed, 0)
        self.fixtures = list(self._schedule(games))

    def _schedule(self, games: int) -> Iterator[Fixture]:
        """Yields the games in the order in which they begin: opening after opening."""
        paired = self.paired
        count = games // 2 if paired else games
        openings = random_openings(self.game, count, self.opening_moves, self.seed)
        seeds = random.Random(self.seed + 1)
        index = 0
        for number, opening in enumerate(openings):
            for first, second in itertools.combinations(self.entrants, 2):
                pairings = [(first, second), (second, first)]
                for black, white in pairings if paired else pairings[number % 2 :][:1]:
                    yield Fixture(index, black, white, tuple(opening), seeds.randrange(2**62))
                    index += 1

    @property
    def uses_torch(self) -> bool:
        """Whether PyTorch computes the network of a player, as its spec says."""
        options = [getattr(entrant, "options", {}) for entrant in self.entrants.values()]
        return any(option.get("backend") == "torch" for option in options)

    def play(self, fixture: Fixture, live: str | PathLike[str] | None = None) -> Result:
        """Plays one of the fixtures in this process.

        Args:
            fixture: one of this tournament.
            live: a folder for the record of the game while it goes on, if it takes half a second.
        """
        return _play((self.entrants, self.game, self.limits), fixture, live)

    def run(
        self,
        processes: int = 1,
        skip: Collection[int] = (),
        stop: Callable[[], bool] = lambda: False,
        cluster: Cluster | None = None,
        live: str | PathLike[str] | None = None,
    ) -> Iterator[Played]:
        """Plays the games, and yields each when it is finished.

        Args:
            processes: how many games to play at a time, each in a process of its own; 0: in this process.
            skip: numbers of fixtures that are not played.
            stop: called again and again; when it returns True, the run stops and drops the games in play.
            cluster: plays the games on its nodes, one on each processor, and not in processes of this
                machine. Files and programs that players need must be there on every node. If it gives
                shares of GPUs, players by PyTorch compute there.
            live: the folder of a `TournamentFolder`, for records of the games that go on; not on a cluster.

        Raises:
            ValueError: a negative number of processes.
            JobError: processes cannot start, the cluster cannot do the work, or a game has failed there.
        """
        processes = integer("processes", processes, 0)
        waiting = [fixture for fixture in self.fixtures if fixture.index not in skip]
        if cluster is not None:
            function = (with_gpu, _play) if cluster.gpu_share and self.uses_torch else (_play,)
            yield from self._run_elsewhere(cluster, function, waiting, stop)
        elif processes:
            with Processes(min(processes, max(len(waiting), 1))) as jobs:
                yield from self._run_elsewhere(jobs, (_play,), waiting, stop, live)
        else:
            for fixture in waiting:
                if stop():
                    return
                yield Played(fixture, self.play(fixture, live))

    def _run_elsewhere(
        self,
        jobs: Jobs,
        function: tuple[Callable[..., object], ...],
        waiting: list[Fixture],
        stop: Callable[[], bool],
        live: str | PathLike[str] | None = None,
    ) -> Iterator[Played]:
        table = jobs.put((self.entrants, self.game, self.limits))
        fixtures: dict[Hashable, Fixture] = {}
        try:
            while (waiting or fixtures) and not stop():
                # A game more for each worker, so that none waits for this process.
                while waiting and len(fixtures) < 2 * jobs.workers:
                    fixture = waiting.pop(0)
                    fixtures[jobs.begin(*function, table, fixture, live)] = fixture
                try:
                    finished = jobs.finished(0.2, fixtures)
                except JobError:
                    raise
                except Exception as error:
                    raise JobError(f"{type(error).__name__}: {error}") from error
                for key, result in finished:
                    yield Played(fixtures.pop(key), result)
        finally:
            jobs.forget(fixtures)


def _title(entrant: object) -> str:
    """Returns the title of an entrant."""
    title = getattr(entrant, "title", None)
    if isinstance(entrant, type) or not isinstance(title, str) or not hasattr(entrant, "make"):
        raise TypeError(f"a player must have a title and make, as an AgentSpec has, not {entrant!r}")
    return title


def _limits(given: object) -> Limits:
    """Returns the limits that were given; the usual ones for None."""
    if given is None:
        return Limits()
    if not isinstance(given, Limits):
        found = f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__
        raise TypeError(f"limits must be a sixplane.match.Limits or None, not {found}")
    return given


def _play(
    table: tuple[dict[str, Entrant], Game, Limits], fixture: Fixture, live: str | PathLike[str] | None = None
) -> Result:
    entrants, start, limits = table
    path = None if live is None else live_record(Path(live), fixture.index + 1)
    record = LiveRecord(path, fixture.black, fixture.white)
    game = start.copy()
    for action in fixture.opening:
        game.play(action)
    with ExitStack() as stack:
        agents: list[Agent] = []
        for title, seed in ((fixture.black, fixture.seed), (fixture.white, fixture.seed + 1)):
            agent = entrants[title].make(seed)
            if hasattr(agent, "close"):
                stack.callback(agent.close)
            agents.append(agent)
        black, white = agents
        is_shown = any(isinstance(agent, HumanAgent) for agent in agents)

        def watch(move: Move) -> None:
            if is_shown:
                show(move)
            record.show(move.game)

        return play(
            black, white, game, **asdict(limits), on_move=watch if is_shown or live is not None else None
        )
