"""An agent that searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sixplane._core import Go
from sixplane.agents.agent import RESIGN
from sixplane.agents.settling import attacks_on_the_dead
from sixplane.search import MCTS

if TYPE_CHECKING:
    from sixplane._core import Game
    from sixplane.agents.agent import Choice
    from sixplane.search import Evaluator, SearchResult

__all__ = ["MCTSAgent"]

#: How much of the mean worth, from -1 to 1, is about nothing.
ABOUT: Final = 0.1


class MCTSAgent:
    """Plays the best action of a Monte-Carlo tree search, in any game.

    Between its moves it keeps what it has searched below the actions that were played; a game that is
    no continuation is searched anew.

    Args:
        evaluator: None for rollouts, or a function of planes; `sixplane.search.Evaluator` says which.
        simulations: of each move; None: 1000, or without limit if `seconds` is given.
        seconds: for each move.
        settle: in Go, instead of a pass take stones that are as good as dead, if the search holds that
            to be about as good. By area they count as alive while they are on the board, and programs
            such as GNU Go disagree.
        resign_below: gives up when the mean worth of the position to it is less than this; None: never.
        seed: of all randomness; None draws one from the system.
        options: of `sixplane.search.MCTS`, such as `threads=2`; with an evaluator the selection is
            `"puct"` unless given.

    Raises:
        ValueError, TypeError: an option of the search that does not exist or has no such value.

    Example:
        >>> import sixplane
        >>> game = sixplane.Gomoku(size=6)
        >>> for name in ("B3", "B5", "C3", "C5", "D3", "D5", "E3", "F5"):
        ...     game.play(game.name_to_action(name))
        >>> game.action_to_name(MCTSAgent(simulations=500, seed=1).select_action(game)) in ("A3", "F3")
        True
    """

    def __init__(
        self,
        evaluator: Evaluator | None = None,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        settle: bool = True,
        resign_below: float | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        if evaluator is not None:
            options.setdefault("selection", "puct")
        self._evaluator = evaluator
        self._options = {"simulations": simulations, "seconds": seconds, "seed": seed, **options}
        self._settles = settle
        self._resign_below = None if resign_below is None else float(resign_below)
        self._begin()

    def _begin(self) -> None:
        self._search = MCTS(self._evaluator, **self._options)
        #: The game that was searched last; what its search found.
        self._root: Game | None = None
        self.result: SearchResult | None = None
        """What the last search found; None before the first."""

    def __getstate__(self) -> dict[str, Any]:
        own = {"settle": self._settles, "resign_below": self._resign_below}
        return {"evaluator": self._evaluator, **own, **self._options}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def reseed(self, seed: int) -> None:
        """Begins the random choices anew, as a new agent with this seed."""
        self._options["seed"] = seed
        self._begin()

    def select_action(self, game: Game) -> Choice:
        """The best action that the search has found, or `RESIGN`.

        Raises:
            ValueError: the game is over, or the evaluator's numbers are of no use.
        """
        for action in self._played_since(game):
            self._search.advance(action)
        self._root = None
        self.result = result = self._search.search(game)
        self._root = game.copy()
        if self._resign_below is not None and result.value < self._resign_below:
            return RESIGN
        if self._settles and result.best_action == game.num_actions - 1 and isinstance(game, Go):
            return self._best_attack(game, result)
        return result.best_action

    def _best_attack(self, game: Go, result: SearchResult) -> int:
        """The best action against dead stones; the pass if there are none, or it loses much by it."""
        best, q = result.best_action, result.q
        attacks = [action for action in attacks_on_the_dead(game, game.move_number) if q[action] == q[action]]
        attack = max(attacks, key=lambda action: q[action], default=best)
        return attack if q[attack] >= q[best] - ABOUT else best

    def _played_since(self, game: Game) -> list[int]:
        """The actions that lead from the game searched last to this one; none if they do not."""
        root = self._root
        if root is None or type(root) is not type(game):
            return []
        before = root.move_number
        course = root.copy()
        actions: list[int] = game.actions[before:].tolist()
        for action in actions:
            if course.is_over or action not in course.legal_actions:
                return []
            course.play(action)
        return actions if course == game else []
