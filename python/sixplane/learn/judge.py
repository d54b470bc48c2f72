"""The judge of a run, which measures how strong the network is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.network import NetworkAgent
from sixplane.agents.random import RandomAgent
from sixplane.agents.spec import AgentSpec
from sixplane.games import info_of
from sixplane.ladder import LadderError, table_of
from sixplane.match.arena import arena
from sixplane.match.openings import OpeningsError
from sixplane.match.rate import Rater
from sixplane.match.ratings import Rating, ratings
from sixplane.match.statistics import wilson_interval
from sixplane.nets import Network, NetworkFileError
from sixplane.search import Gumbel

#: A known player is beaten when the score is certainly above this.
SURE: Final = 0.9

#: Simulations of a move where the network searches.
SIMULATIONS: Final = 32

#: Games of the first series, which shows how long a game takes.
FIRST_GAMES: Final = 16


class Judgement(NamedTuple):
    """The result of a series of games that the judge has played on a board without a ladder.

    Example:
        >>> judgement = Judgement(
        ...     version=12, opponent="random", simulations=0, points=93.5, games=100, low=0.87, high=0.97
        ... )
        >>> judgement.score, str(judgement)
        (0.935, '94% against random')
    """

    version: int
    """The version of the network."""
    opponent: str
    """The opponent: a known player, or an earlier version, such as `version 12`."""
    simulations: int
    """Simulations of each move of the network; 0: it does not search."""
    points: float
    """The points of the network: a win is one, and a draw half a point."""
    games: int
    """The number of games."""
    low: float
    """The lower end of Wilson's 95 % interval of the score."""
    high: float
    """The upper end of Wilson's 95 % interval of the score."""

    @property
    def score(self) -> float:
        """The points for each game, from 0 to 1."""
        return self.points / self.games

    def __str__(self) -> str:
        return f"{self.score:.0%} against {self.opponent}"


@dataclass(frozen=True)
class _KnownPlayer:
    """An opponent on a board without a ladder, and the simulations of the network against it."""

    name: str
    make: Callable[[], Agent]
    simulations: int = SIMULATIONS


def _known_players(game: Game) -> tuple[_KnownPlayer, ...]:
    players = [_KnownPlayer("random", lambda: RandomAgent(seed=0), simulations=0)]
    table = ["score-table"] if info_of(game).has_score_table else []
    texts = [*table, *(f"mcts:simulations={count}" for count in (100, 400, 1600))]
    players += [_KnownPlayer(text, partial(AgentSpec.parse(text).make, 0)) for text in texts]
    return tuple(players)


def _player(network: Network, simulations: int) -> Agent:
    """Makes the player of a network: with so many simulations a move, or by its policy alone."""
    if not simulations:
        return NetworkAgent(network, seed=0)
    return MCTSAgent(network, simulations=simulations, selection=Gumbel(noise=0), seed=0)


class Judge:
    """Measures how strong a network is: by its Elo on the ladder of the board.

    On a board without a ladder it plays known players, one after the other as it beats them, and earlier
    versions.

    Args:
        game: the position where the games begin.
        games: the most games of one rating, or of one series; the even number below, and 2 at least.
        ratings: the ratings of the run so far, to which new ones are added.
        judgements: the series of the run so far on a board without a ladder, likewise.
    """

    def __init__(self, game: Game, games: int, ratings: list[Rating], judgements: list[Judgement]) -> None:
        self._game = game
        #: Even, as each opening is played with both colors.
        self._games = max(2, games // 2 * 2)
        try:
            self._board, self._why_not = table_of(game).board, ""
        except LadderError as error:
            self._board, self._why_not = "", str(error)
        self._players = _known_players(game)
        self._ratings = ratings
        self._judgements = judgements
        self._seconds: dict[str, float] = {}
        #: What the series say of the strength, and how many there were then.
        self._said = 0, ""

    def judge(self, version: int, network: Network, folder: Path, seconds: float) -> None:
        """Judges a version in about so many seconds; `folder` is the run's, with the versions before."""
        try:
            if self._board:
                self._ratings.append(self.rate(version, network, seconds))
        except OpeningsError as error:  # of games that end after a few moves
            self._board, self._why_not = "", str(error)
        if not self._board:
            self._play_others(version, network, folder, seconds)

    def summary(self) -> str:
        """Says how strong the last version is, and on which scale."""
        if self._board and self._ratings:
            elo, low, high, games = self._ratings[-1]
            return (
                f"Elo {elo:.0f} (95 %: {low:.0f} to {high:.0f}) on the ladder for {self._board}, "
                f"with {SIMULATIONS} simulations a move, after {games} games"
            )
        last = f"{self.short()}; " if self._judgements else ""
        return f"{last}{self._why_not or 'not rated yet'}"

    def short(self) -> str:
        """Says in a few words how strong the last version is; an empty text if none was judged."""
        if self._ratings:
            rating = self._ratings[-1]
            return f"Elo {rating.elo:.0f} ({rating.low:.0f} to {rating.high:.0f})"
        # A status line asks several times a second, and the Elo of many versions takes a while.
        if len(self._judgements) > self._said[0]:
            self._said = len(self._judgements), _strength(self._judgements)
        return self._said[1]

    def rate(self, version: int, network: Network, seconds: float) -> Rating:
        """Rates a version on the ladder, with a short search; it plays one series at least."""
        begun = time.monotonic()
        agent = _player(network, SIMULATIONS)
        about = self._ratings[-1].elo if self._ratings else None
        with Rater(agent, self._game, self._games, version, about=about) as rater:
            while rater.step():
                # The next series has about half as many games as were played so far.
                if 1.5 * (time.monotonic() - begun) > seconds:
                    break
            found = rater.rating
        return Rating(found.elo, found.low, found.high, found.games)

    def _play_others(self, version: int, network: Network, folder: Path, seconds: float) -> None:
        """Plays first against known players, then against an earlier version."""
        past = sorted({one.version for one in self._judgements} - {version}, reverse=True)
        end = time.monotonic() + seconds / 2
        while True:
            player = self._next_player
            judgement = self._series(version, network, player, end - time.monotonic())
            following = self._next_player
            # A few games that were all won are not sure yet; after a player that was beaten comes the next.
            goes_on = following != player or (judgement.score > SURE and judgement.games < self._games)
            expected = FIRST_GAMES * self._seconds.get(following.name, 0.0)
            if not goes_on or end - time.monotonic() <= expected:
                break
        # In turns the version before and the one before that, so that a chain of games connects all. A file
        # that is missing or damaged is passed over.
        if version % 2 == 0 and len(past) > 1:
            past = past[1:]
        for number in past:
            try:
                before = Network.load(folder / "networks" / f"{number:06}.npz", precision="auto")
            except NetworkFileError:
                continue
            player = _KnownPlayer(f"version {number}", partial(_player, before, SIMULATIONS))
            self._series(version, network, player, seconds / 2)
            break

    @property
    def _next_player(self) -> _KnownPlayer:
        beaten = [i for i, player in enumerate(self._players) if self._is_beaten(player)]
        return self._players[min(max(beaten, default=-1) + 1, len(self._players) - 1)]

    def _is_beaten(self, player: _KnownPlayer) -> bool:
        """Returns whether the last series against a player, one or more of them together, were surely won.

        Versions that are older are weaker, so their games say too little of the newest rather than too much.
        """
        points, games = 0.0, 0
        for one in reversed(self._judgements):
            if one.opponent == player.name:
                points, games = points + one.points, games + one.games
                if wilson_interval(points, games)[0] > SURE:
                    return True
        return False

    def _series(self, version: int, network: Network, other: _KnownPlayer, seconds: float) -> Judgement:
        """Plays against a known player or an earlier version, and notes the result."""
        agent = _player(network, other.simulations)
        kind = "past" if other.name.startswith("version") else other.name
        affordable = int(seconds / self._seconds[kind]) if kind in self._seconds else FIRST_GAMES
        games = min(self._games, max(FIRST_GAMES, affordable // 2 * 2))
        # Other games than those of this version before.
        before = sum((one.version, one.opponent) == (version, other.name) for one in self._judgements)
        seed = version + (before << 32)
        begun = time.monotonic()
        try:
            result = arena(agent, other.make(), self._game, games, seed=seed)
        except OpeningsError:  # a very small board, on which more games would be the same two again
            games = self._games = 2
            result = arena(agent, other.make(), self._game, games, opening_moves=0, seed=seed)
        self._seconds[kind] = max((time.monotonic() - begun) / games, 1e-4)
        found = Judgement(version, other.name, other.simulations, result.points, games, *result.interval)
        self._judgements.append(found)
        return found


def _strength(judgements: list[Judgement]) -> str:
    """Says what the last series against a known player was, and the newest Elo if versions have played."""
    known = [str(one) for one in judgements if not one.opponent.startswith("version ")][-1:]
    if elo := elo_of_versions(judgements):
        newest = elo[max(elo)]
        interval = f"{newest.low:+.0f} to {newest.high:+.0f}"
        known.append(f"Elo {newest.elo:+.0f} ({interval}) over the first version judged")
    return ", ".join(known)


def elo_of_versions(judgements: list[Judgement]) -> dict[int, Rating]:
    """Returns the Elo of the newest version and of all that games connect with it; the first has 0."""
    pairs = [
        (str(one.version), one.opponent.removeprefix("version "), one.points, one.games)
        for one in judgements
        if one.opponent.startswith("version ")
    ]
    if not pairs:
        return {}
    connected, size = {max((pair[0] for pair in pairs), key=int)}, 0
    while len(connected) > size:
        size = len(connected)
        connected.update(name for pair in pairs if connected & {*pair[:2]} for name in pair[:2])
    pairs = [pair for pair in pairs if pair[0] in connected]
    first = min(connected, key=int)
    return {int(name): rating for name, rating in ratings(pairs, anchor=first).items()}
