"""An arena plays hundreds of games of two players at once, to judge networks while they learn."""

from __future__ import annotations

import operator
import random
import secrets
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sixplane._arguments import integer
from sixplane._core import Game, GameBatch
from sixplane.agents.agent import Agent, choices_of
from sixplane.agents.mcts import MCTSAgent
from sixplane.agents.network import NetworkAgent
from sixplane.agents.policy import Policy, PolicyAgent
from sixplane.agents.spec import HUMAN, NO_PERSON, AgentSpec
from sixplane.games import game_to_play
from sixplane.games.info import long_game
from sixplane.match.openings import random_openings
from sixplane.match.result import EndingName
from sixplane.match.statistics import wilson_interval
from sixplane.search import Evaluator

if TYPE_CHECKING:
    from sixplane.nets import Network

Contestant: TypeAlias = Evaluator | Agent


class ArenaResult(NamedTuple):
    """The results of the games of an arena, from the view of the first player, `a`.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import RandomAgent, ScoreTableAgent
        >>> game = sixplane.Gomoku(size=7)
        >>> result = arena(ScoreTableAgent(seed=1), RandomAgent(seed=2), game, 20, seed=0)
        >>> result.wins, result.draws, result.losses, result.score
        (20, 0, 0, 1.0)
        >>> result.by_color
        ((10, 0, 0), (10, 0, 0))
        >>> result.games, result.points, [round(end, 2) for end in result.interval]
        (20, 20.0, [0.84, 1.0])
        >>> result.results.sum(), result.black_wins  # from the view of the first player; by color
        (np.int64(20), 10)
    """

    outcomes: NDArray[np.int8]
    """The outcome of each game, `(games,)`: +1 black won, 0 draw, -1 white won. `Game.outcome` has it in
    words."""
    colors: NDArray[np.int8]
    """The color of `a` in each game, `(games,)`: 0 black, 1 white."""
    moves: NDArray[np.int64]
    """The number of actions of each game, `(games,)`, the opening included."""
    endings: list[EndingName]
    """What decided each game: `rules`, `moves` (it was cut off, and the score decided), `resignation` or
    `illegal` (an illegal action lost it)."""
    records: list[Game]
    """The games. A loss by an illegal action is recorded as a resignation; a game without `max_moves` that
    was cut off is still running."""

    @property
    def games(self) -> int:
        """The number of games that were played."""
        return len(self.outcomes)

    @property
    def results(self) -> NDArray[np.int8]:
        """The result of each game for `a`, `(games,)`: +1 won, 0 draw, -1 lost."""
        return np.where(self.colors == 0, self.outcomes, -self.outcomes).astype(np.int8)

    @property
    def wins(self) -> int:
        """The number of games that `a` won."""
        return int(np.count_nonzero(self.results == 1))

    @property
    def draws(self) -> int:
        """The number of games that nobody won."""
        return int(np.count_nonzero(self.outcomes == 0))

    @property
    def losses(self) -> int:
        """The number of games that `b` won."""
        return int(np.count_nonzero(self.results == -1))

    @property
    def points(self) -> float:
        """The points of `a`: its wins and half the draws."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The points of `a` for each game, from 0 to 1."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the score."""
        return wilson_interval(self.points, self.games)

    @property
    def by_color(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Wins, draws and losses of `a` as Black, then as White."""
        black, white = (self.results[self.colors == color] for color in (0, 1))
        return _counts(black), _counts(white)

    @property
    def black_wins(self) -> int:
        """The number of games that Black won, whoever played it."""
        return int(np.count_nonzero(self.outcomes == 1))

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.score:.1%} (95 %: {low:.1%} to {high:.1%}) of {self.games} games: "
            f"{self.wins} won, {self.draws} drawn, {self.losses} lost; black won {self.black_wins}"
        )


def _counts(results: NDArray[np.int8]) -> tuple[int, int, int]:
    wins, draws, losses = (int(np.count_nonzero(results == result)) for result in (1, 0, -1))
    return wins, draws, losses


def arena(  # noqa: PLR0917 - as the interface has it
    a: Contestant,
    b: Contestant,
    game: Game,
    games: int,
    simulations: int | None = None,
    opening_moves: int = 4,
    seed: int | None = None,
) -> ArenaResult:
    """Plays many games between two players side by side, and counts the results.

    Each random opening is played twice, with both colors; of an odd number of games, the last has Black for
    `a`. Both players are asked for all their games in one call, if they can be.

    An illegal action loses the game. A player whose only legal action is a pass is not asked. An exception of
    a player ends the arena and reaches the caller: unlike the referee, it trusts its players. It sets
    no limit of time.

    Args:
        a: an evaluator, such as a network, or an agent. An evaluator plays its best action. An agent with
            `select_actions` chooses in all its games at once, others game by game.
        b: the other player, of the same kinds.
        game: where every game begins. Its `max_moves`, or else three actions for each point of the board, cut
            a game off; then the score decides.
        games: how many games to play.
        simulations: evaluators choose by a search (`"puct"`, without noise) of so many simulations a move;
            None: they choose without a search. Agents have their own.
        opening_moves: random actions before the players choose, in Go not into own eyes; more if there are
            too few different openings of that length. No two openings are symmetric to each other.
        seed: the seed of the openings and all randomness of evaluators; agents with `reseed` begin anew from
            it. None takes one from the system and reseeds no agent.

    Raises:
        ValueError: the game is over, a number is out of range, there are too few different openings, or
            there are `simulations` and no evaluator.
        TypeError: a player is neither an evaluator nor an agent, or an argument is of another type.

    Example:
        >>> import sixplane
        >>> from sixplane.agents import RandomAgent, ScoreTableAgent
        >>> result = arena(ScoreTableAgent(), RandomAgent(), sixplane.Gomoku(size=9), games=40, seed=1)
        >>> print(result)
        100.0% (95 %: 91.2% to 100.0%) of 40 games: 40 won, 0 drawn, 0 lost; black won 20
    """
    begun, players = begin(a, b, game, games, simulations, opening_moves, seed)
    return begun.run(players)


def begin(  # noqa: PLR0917 - those of `arena`
    a: Contestant,
    b: Contestant,
    game: Game,
    games: int,
    simulations: int | None,
    opening_moves: int,
    seed: int | None,
) -> tuple[Arena, tuple[Agent, ...]]:
    """Returns the games of an arena after their openings, and the players as agents."""
    game = game_to_play(game)
    games, opening_moves = integer("games", games, 1), integer("opening_moves", opening_moves, 0)
    if simulations is not None and integer("simulations", simulations) < 1:
        raise ValueError(f"simulations must be at least 1, or None for no search, not {simulations}")
    rng = random.Random(None if seed is None else integer("seed", seed, 0))
    of_openings, of_a, of_b = (rng.randrange(2**62) for _ in range(3))
    players = tuple(
        _agent(name, given, game, simulations, None if seed is None else own)
        for name, given, own in (("a", a, of_a), ("b", b, of_b))
    )
    if simulations is not None and players[0] is a and players[1] is b:
        raise ValueError("simulations are for evaluators, and both players are agents")
    openings = random_openings(game, (games + 1) // 2, opening_moves, of_openings)
    return Arena(game, games, openings), players


def evaluate(
    policy: Policy | Agent | Network | str,
    opponent: Policy | Agent | Network | str,
    game: Game,
    games: int = 200,
    *,
    opening_moves: int = 4,
    seed: int | None = None,
    view: Literal["black", "player"] = "player",
    dtype: Literal["float32", "uint8", "bool"] = "float32",
    history: int = 0,
) -> ArenaResult:
    """Lets a policy play many games side by side, half of them with each color.

    Args:
        policy: planes `(k, 6, rows, cols)` and masks `(k, A)` bool -> `(k,)` actions, as of
            `sixplane.agents.PolicyAgent`; or an agent, or the spec of one, such as `"go9"`; or a network,
            which plays its best action.
        opponent: the same: another policy, an agent, or a spec such as `"random"` or
            `"mcts:simulations=100"`.
        game: where every game begins.
        games: how many games to play.
        opening_moves: random actions before the players choose; each opening is played with both colors. More
            if there are too few different openings of that length, as from the empty board with 0.
        seed: the seed of the openings and the opponent; None takes one from the system.
        view: whose stones come first in the planes that a policy gets, as of `PolicyAgent`.
        dtype: the type of these planes.
        history: how many boards they show; 0 for the six planes.

    Returns:
        Wins, draws and losses of the policy, its score and Wilson's 95 % interval.

    Raises:
        TypeError, ValueError: an argument has no such value, a player does not play this game, there are too
            few different openings, or the policy gives no actions.

    Example:
        >>> import numpy as np, sixplane
        >>> rng = np.random.default_rng(0)
        >>> def policy(planes, masks):
        ...     return sixplane.sample_legal(masks, rng)
        >>> sixplane.evaluate(policy, "random", sixplane.Reversi(size=6), games=100, seed=1).games
        100
    """
    with ExitStack() as stack:
        player, other = (
            _contestant(name, given, game, stack, view=view, dtype=dtype, history=history)
            for name, given in (("policy", policy), ("opponent", opponent))
        )
        return arena(player, other, game, games, opening_moves=opening_moves, seed=seed)


def _contestant(
    name: str,
    given: Policy | Agent | Network | str,
    game: Game,
    stack: ExitStack,
    *,
    view: Literal["black", "player"],
    dtype: Literal["float32", "uint8", "bool"],
    history: int,
) -> Contestant:
    """Returns who plays in an arena for a policy, an agent, a network or the spec of an agent."""
    if isinstance(given, str):
        return made(given, game, stack)
    if isinstance(given, Agent):
        return given
    if hasattr(given, "for_game"):
        return given  # type: ignore[return-value]  # an evaluator: a policy has no such method
    if not callable(given):
        raise TypeError(
            f"{name} must be a function of planes and masks, an agent or the spec of one, "
            f"not {type(given).__name__}"
        )
    return PolicyAgent(given, view=view, dtype=dtype, history=history)


def made(text: str, game: Game, stack: ExitStack) -> Agent:
    """Makes the agent of a spec, which is closed with the stack.

    Raises:
        ValueError: there is no such agent for this game, or it is a person.
    """
    spec = AgentSpec.parse(text)
    if spec.kind == HUMAN:
        raise ValueError(NO_PERSON)
    spec.check_game(game)
    agent = spec.make(secrets.randbits(63))
    if hasattr(agent, "close"):
        stack.callback(agent.close)
    return agent


def _agent(name: str, given: Contestant, game: Game, simulations: int | None, seed: int | None) -> Agent:
    """Returns a player as an agent that is ready for the game."""
    if isinstance(given, type):
        raise TypeError(f"{name} must be an evaluator or an agent, not the class {given.__name__}")
    if not isinstance(given, Agent):
        if not callable(given):
            raise TypeError(f"{name} must be an evaluator or an agent, not {type(given).__name__}")
        if simulations is None:
            return NetworkAgent(given, seed=seed)
        return MCTSAgent(given, simulations=simulations, seed=seed)
    if hasattr(given, "prepare"):
        given.prepare(game)
    if seed is not None and hasattr(given, "reseed"):
        given.reseed(seed)
    return given


class Arena:
    """The games of an arena, from their openings to their ends."""

    def __init__(self, game: Game, games: int, openings: list[list[int]]) -> None:
        starts = []
        for number in range(games):
            start = game.copy()
            for action in openings[number // 2]:
                start.play(action)
            starts.append(start)
        self.batch = GameBatch.from_games(starts, seed=0)
        self.colors = (np.arange(games) % 2).astype(np.int8)
        self.limit = game.max_moves or long_game(game)
        self.endings: list[EndingName] = ["rules"] * games
        self.running = ~self.batch.dones

    def run(self, players: tuple[Agent, ...], *, at_once: bool = True) -> ArenaResult:
        """Plays all games side by side, or else one after the other."""
        # The players take turns in all games. After the first of them has moved where it is to play, the
        # other is to play everywhere: so each call has nearly all games.
        every = np.arange(len(self.batch))
        for index in every[None] if at_once else every[:, None]:
            while self.running[index].any():
                for number, player in enumerate(players):
                    is_of_a = self.batch.turns == self.colors
                    is_to_play = self.running & (is_of_a if number == 0 else ~is_of_a)
                    self._move(player, index[is_to_play[index]])
        outcomes = self.batch.outcomes
        cut = np.array([ending == "moves" for ending in self.endings])
        outcomes[cut] = np.sign(self.batch.scores[cut]).astype(np.int8)
        return ArenaResult(outcomes, self.colors, self.batch.move_numbers, self.endings, self.batch[:])

    def _move(self, player: Agent, index: NDArray[np.int64]) -> None:
        """Plays one action in each of these running games, where the player is to play."""
        batch, last = self.batch, self.batch.num_actions - 1
        if not len(index):
            return
        actions = choices_of(player, batch, index, _number)
        on_board = (actions >= 0) & (actions <= last)
        legal = on_board & (batch.action_masks[index, np.where(on_board, actions, last)] == 1)
        for i, action in zip(index[~legal].tolist(), actions[~legal].tolist(), strict=True):
            batch.resign(i)
            self.endings[i] = "resignation" if action == -1 else "illegal"
        played = np.full(len(batch), -1, np.int64)
        played[index[legal]] = actions[legal]
        batch.play(played, where=played >= 0)
        # A batch ends games at `max_moves` by itself, and those without one are stopped here.
        at_limit = (batch.move_numbers >= self.limit) & (played >= 0)
        for i in np.flatnonzero(at_limit).tolist():
            if not batch.dones[i] or batch[i].is_truncated:
                self.endings[i] = "moves"
        self.running &= ~(batch.dones | at_limit)


def _number(choice: object) -> int:
    """Returns the action that an answer holds, or -2, which is none."""
    try:
        action = operator.index(choice)  # type: ignore[arg-type]
    except TypeError:
        return -2
    return -2 if isinstance(choice, bool) or action < 0 else min(action, np.iinfo(np.int64).max)
