"""Rates an agent on the ladder of a board, by the games that tell most."""

from __future__ import annotations

import math
import pickle
import random
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer, real
from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.agents.spec import AgentSpec
from sixplane.games import game_to_play
from sixplane.jobs import JobError, Processes
from sixplane.ladder import Rung, table_of
from sixplane.match.arena import Contestant, made
from sixplane.match.json_lines import JSONLines
from sixplane.match.rating_file import Series, rating_file
from sixplane.match.ratings import ELO
from sixplane.match.series import Score, chooses_at_once, score_of_series

#: The prior: a normal distribution around the middle of the ladder, so wide that a few games outweigh it.
PRIOR_ELO: Final = 800.0

#: How far beyond the ends of the ladder an agent may be.
BEYOND: Final = 1200

#: A rung may be played if it tells at least this part of what the best one tells.
TELLING: Final = 0.9

#: Games of a step: at first, and at most for each process; in between half as many as were played.
#: An agent that plays game by game always has series of the first length, so that Ctrl-C drops little.
FIRST_GAMES: Final = 8
MOST_GAMES: Final = 256


class RungScore(NamedTuple):
    """What an agent scored against one rung.

    Example:
        >>> import sixplane
        >>> from sixplane.ladder import rungs
        >>> score = RungScore(rungs(sixplane.Go(size=9))[0], points=7.5, games=10)
        >>> score.rung.spec, score.score
        ('random', 0.75)
    """

    rung: Rung
    """The rung."""
    points: float
    """The points of the agent: its wins and half the draws."""
    games: int
    """The number of games."""

    @property
    def score(self) -> float:
        """The points for each game, from 0 to 1."""
        return self.points / self.games


class AgentRating(NamedTuple):
    """The strength of an agent on the ladder of a board.

    A notebook shows it as a picture and a table.

    Example:
        >>> import sixplane
        >>> from sixplane.match import rate
        >>> rating = rate("score-table:random=0.9", sixplane.Gomoku(), games=40, seed=1)
        >>> rating.games, rating.low < rating.elo < rating.high
        (40, True)
        >>> sum(score.games for score in rating.scores)
        40
        >>> str(rating).partition(":")[0]
        'score-table'
        >>> rating.to_svg().startswith("<svg")
        True
    """

    title: str
    """What the agent is called."""
    board: str
    """The board of the ladder, such as `Go 9x9`."""
    elo: float
    """The Elo above random play."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end."""
    games: int
    """The number of games."""
    scores: tuple[RungScore, ...]
    """What the agent scored against each rung that it has played, the weakest first."""
    rungs: tuple[Rung, ...]
    """All rungs of the ladder."""

    def __str__(self) -> str:
        return (
            f"{self.title}: Elo {self.elo:.0f} (95 %: {self.low:.0f} to {self.high:.0f}) "
            f"on the ladder for {self.board}, after {self.games} games"
        )

    def to_svg(self, width: int = 640) -> str:
        """Draws the rungs on an axis of Elo, the scores against those that were played, and the agent."""
        from sixplane.render.ladder import ladder_svg

        return ladder_svg(
            f"{self}.",
            [(rung.number, rung.elo) for rung in self.rungs],
            {each.rung.number: each.score for each in self.scores},
            (self.low, self.elo, self.high),
            width,
        )

    def _repr_html_(self) -> str:
        from sixplane.render.html import card, table

        rows = [
            (
                f"+{each.rung.number}",
                f"{each.rung.elo:.0f}",
                each.rung.spec,
                f"{each.points:g} of {each.games}",
            )
            for each in self.scores
        ]
        return card(str(self), self.to_svg(), table(rows, ("rung", "Elo", "agent", "points")))


def _shared(games: int, processes: int) -> list[int]:
    """Shares games among processes, as pairs that have the same opening; an odd game goes to the last."""
    pairs = games // 2
    series = max(min(processes, pairs), 1)
    sizes = [2 * ((pairs + i) // series) for i in range(series)]
    sizes[-1] += games % 2
    return sizes


def _check_pickles(agent: Contestant) -> None:
    try:
        pickle.dumps(agent)
    except Exception as error:
        raise JobError(f"cannot hand {type(agent).__name__} to a process: {error}") from error


def _check_types(agent: object, game: object, about: object) -> None:
    if not isinstance(agent, str | Agent) and not callable(agent):
        raise TypeError(f"agent must be an agent, an evaluator or a spec, not {type(agent).__name__}")
    game_to_play(game)
    if about is not None and not math.isfinite(real("about", about)):
        raise ValueError(f"about must be a finite number, not {about!r}")


class Rater:
    """Rates an agent series by series, for callers who show how far it is.

    The Elo of the agent has a distribution: the likelihood of its results against rungs whose Elo is taken
    as known, where a player wins with the chance `1 / (1 + 10 ** (-d / 400))` (R. Bradley and M. Terry,
    Biometrika 39, 1952), a draw being half a win, times a normal prior with a standard deviation of 800
    around the middle of the ladder. The rating is its mean, and the interval holds 95 % of it.

    A game against a rung tells `p * (1 - p)`, the Fisher information of one game about the logit: most where
    the expected score `p` is a half. A series is played against one of the rungs that tell, averaged over
    the distribution, at least nine tenths of what the best tells: the one that was played least. Who has a
    guess, such as the Elo of the version before, spares the games that only find the right rungs.

    A series is played whole or dropped. Of a series that is cut off, the games that ended early are no fair
    sample: short games may be won more often than long ones. So Ctrl-C and errors drop the series in play.
    For the same reason, a series of several processes counts once those that began before it have ended.

    Other programs, searches for a time and agents of your own without `select_actions` play one game after
    the other, in series of at most 8 games; all others play all games of a series at once.

    Args:
        agent: an agent, an evaluator, which plays its best action, or the spec of an agent.
        game: where every game begins; its board has a ladder.
        games: how many games to play at most; those in the folder count, and are all rated by.
        seed: the seed of openings and agents; None takes one from the system, or 0 with a folder.
        folder: keeps the series, and goes on with those that are there. An agent that is an object is known
            there by its class alone: give each a folder of its own.
        about: the Elo that the agent may have. The first series is played against the rung nearest to it,
            those beside it against the next ones, and the guess counts for nothing else. None: the middle of
            the ladder.
        processes: how many series to play at a time. With more than one, each is played in a process of its
            own, which makes the agent by its spec, or gets a copy of the object by pickle. The same number
            of processes plays the same games; in a folder a rating may go on with another number.

    Raises:
        LadderError: the board has no ladder.
        FolderError: the folder cannot be used, or holds another rating.
        JobError: the agent cannot be pickled, or processes cannot start here.
        TypeError, ValueError: the agent does not play this game, or a number is out of range.

    Example:
        >>> import sixplane
        >>> with Rater("random", sixplane.Reversi(), games=20, seed=1) as rater:
        ...     while rater.step():
        ...         shown = f"{rater.rating.games} games"
        >>> shown, rater.rating.low < 0 < rater.rating.high
        ('20 games', True)
        >>> rater.close()  # as `with` does
        >>> with Rater("random", sixplane.Reversi(), games=20, seed=1, about=0) as rater:
        ...     played = rater.step()
        >>> [score.rung.spec for score in rater.rating.scores], rater.illegal_losses
        (['random'], 0)
    """

    def __init__(
        self,
        agent: Contestant | str,
        game: Game,
        games: int = 200,
        seed: int | None = None,
        folder: str | PathLike[str] | None = None,
        *,
        about: float | None = None,
        processes: int = 1,
    ) -> None:
        _check_types(agent, game, about)
        games = integer("games", games, 1)
        self._processes = integer("processes", processes, 1)
        self._table = table_of(game)
        self._game, self._games, self._about = game.copy(), games, about
        usual = secrets.randbits(62) if folder is None else 0
        self._seed = usual if seed is None else integer("seed", seed, 0)
        known_as = agent if isinstance(agent, str) else type(agent).__name__
        self._title = AgentSpec.parse(agent).title if isinstance(agent, str) else known_as
        self._elos = np.array([rung.elo for rung in self._table.rungs])
        #: The Elo that the agent may have, `(n,)`.
        self._grid = np.arange(self._elos.min() - BEYOND, self._elos.max() + BEYOND + 1)
        ahead = (self._grid[:, None] - self._elos) / ELO
        #: The logarithms of the chances to win and to lose against each rung, `(2, n, rungs)`.
        self._logs = -np.logaddexp(0, [-ahead, ahead])
        self._stack, self._is_closed = ExitStack(), False
        #: The agent that plays here, or what each process makes it of.
        self._agent = agent
        self._jobs: Processes | None = None
        self._series: list[Series] = []
        self.illegal_losses = 0
        """How many games the agent has lost by an illegal action, of those that this object played."""
        self._file: JSONLines[Series] | None = None
        with ExitStack() as stack:
            if self._processes > 1:
                # First of all: a process that is importing the script of this one ends here.
                self._jobs = Processes(self._processes)
                stack.callback(self._end_processes)
                if not isinstance(agent, str):
                    _check_pickles(agent)
            if folder is not None:
                self._file = rating_file(Path(folder), known_as, self._table, game, self._seed)
                stack.callback(self._file.close)
                self._series = self._file.entries
            player = agent
            if isinstance(player, str):
                with ExitStack() as trial:
                    player = made(player, game, trial)
                    if self._jobs is None:
                        self._agent = player
                        stack.push(trial.pop_all())
            #: The most games of a series.
            self._most = MOST_GAMES if chooses_at_once(player, game) else FIRST_GAMES
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the folder, and an agent that was made from its spec, and ends the processes."""
        self._is_closed = True
        self._stack.close()

    def _end_processes(self) -> None:
        if self._jobs is not None:
            self._jobs.close()

    def step(self) -> bool:
        """Plays a series of games, unless all were played, and returns whether it did.

        With several processes, it plays up to that many series side by side, which share the games.

        Raises:
            RuntimeError: the object was closed.
            JobError: a process cannot do its work.
            FolderError: the folder cannot be written.
        """
        if self._is_closed:
            raise RuntimeError("this rater was closed: it plays no more")
        plans = self._plans()
        try:
            for (rung, games), score in zip(plans, self._played(plans), strict=True):
                series = Series(rung, score.points, games)
                # Before it is written, which Ctrl-C may cut short once the line is in the file.
                self._series.append(series)
                self.illegal_losses += score.illegal
                if self._file is not None:
                    self._file.add_entry(series._asdict())
        except BaseException:
            if self._jobs is not None:
                # The series in play count no more. To close takes a while, in which Ctrl-C may come again.
                before, self._jobs = self._jobs, Processes(self._processes)
                before.close()
            raise
        return bool(plans)

    def _plans(self) -> list[tuple[int, int]]:
        """Returns the number of the rung and that of the games of each series that is played next."""
        played = sum(series.games for series in self._series)
        most = self._most * self._processes
        games = min(max(FIRST_GAMES, played // 4 * 2), most, self._games - played)
        plans: list[tuple[int, int]] = []
        for size in _shared(games, self._processes) if games > 0 else ():
            plans.append((self._next_rung(plans), size))
        return plans

    def _played(self, plans: list[tuple[int, int]]) -> Iterator[Score]:
        """Plays series, each with the seed of its number, and yields the score of each in this order."""
        first, rungs = len(self._series), self._table.rungs
        series = [
            (rungs[rung], games, random.Random(f"{self._seed} {first + i}"))
            for i, (rung, games) in enumerate(plans)
        ]
        if self._jobs is None:
            yield from (self._play(*each) for each in series)
        else:
            yield from self._jobs.map(score_of_series, [self._call(*each) for each in series])

    def _play(self, rung: Rung, games: int, rng: random.Random) -> Score:
        return score_of_series(*self._call(rung, games, rng))

    def _call(
        self, rung: Rung, games: int, rng: random.Random
    ) -> tuple[Contestant | str, str, int, Game, int, int, int]:
        """Returns the arguments by which a series is played, here or in another process."""
        opponent_seed, seed = rng.getrandbits(62), rng.getrandbits(62)
        moves = self._table.opening_moves
        return self._agent, rung.spec, opponent_seed, self._game, games, moves, seed

    @property
    def rating(self) -> AgentRating:
        """The rating by all games so far."""
        points, games = self._totals()
        chances = self._chances(points, games)
        mean = float(chances @ self._grid)
        low, high = np.interp([0.025, 0.975], chances.cumsum(), self._grid).tolist()
        rungs = self._table.rungs
        scores = tuple(
            RungScore(rungs[i], float(points[i]), int(games[i])) for i in np.flatnonzero(games).tolist()
        )
        return AgentRating(self._title, self._table.board, mean, low, high, int(games.sum()), scores, rungs)

    def _totals(self) -> NDArray[np.float64]:
        """Adds up the points and the games against each rung, `(2, rungs)`."""
        totals = np.zeros((2, len(self._elos)))
        for series in self._series:
            totals[:, series.rung] += series.points, series.games
        return totals

    def _chances(self, points: NDArray[np.float64], games: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the distribution of the agent's Elo over the grid, `(n,)`."""
        middle = (self._elos.min() + self._elos.max()) / 2
        logs = -0.5 * ((self._grid - middle) / PRIOR_ELO) ** 2
        logs += self._logs[0] @ points + self._logs[1] @ (games - points)
        weights = np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum(), np.float64)

    def _next_rung(self, playing: list[tuple[int, int]]) -> int:
        """Chooses the least played of the rungs that tell nearly most, of equal ones the most telling.

        The games of series in play count as played.
        """
        points, games = self._totals()
        all_games = games.copy()
        for rung, count in playing:
            all_games[rung] += count
        if self._about is not None and not games.any():
            distances = np.abs(self._elos - self._about)
            return int(min(range(len(distances)), key=lambda i: (all_games[i], distances[i])))
        telling = self._chances(points, games) @ np.exp(self._logs.sum(axis=0))
        enough = np.flatnonzero(telling >= TELLING * telling.max())
        return int(min(enough.tolist(), key=lambda i: (all_games[i], -telling[i])))


def rate(
    agent: Contestant | str,
    game: Game,
    games: int = 200,
    seed: int | None = None,
    folder: str | PathLike[str] | None = None,
    *,
    processes: int = 1,
) -> AgentRating:
    """Finds the Elo of an agent on the ladder of a game's board, by games against the rungs that tell most.

    Arguments and errors are those of `Rater`. After 200 games the interval is about 50 to each side.

    Returns:
        The Elo and its 95 % interval. The Elo of the rungs counts as known: the interval is that on this
        ladder, and does not hold how far the whole ladder may be off.

    Example:
        >>> import sixplane
        >>> rating = rate("mcts:simulations=20", sixplane.Reversi(), games=30, seed=1)
        >>> rating.games, rating.board
        (30, 'Reversi 8x8')
    """
    with Rater(agent, game, games, seed, folder, processes=processes) as rater:
        while rater.step():
            pass
        return rater.rating
