"""One game that several pages see: whose turn it is, who thinks, what the clocks say, how it ended."""

from __future__ import annotations

import copy
import threading
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from sixplane import match
from sixplane.agents.agent import Resignation
from sixplane.errors import IllegalActionError
from sixplane.games import COLORS
from sixplane.play.table import before_last_person
from sixplane.web.advice import Advice
from sixplane.web.analysis import Analysis
from sixplane.web.clock import Clock
from sixplane.web.counting import Counting
from sixplane.web.refusal import RefusedError
from sixplane.web.snapshot import Snapshot
from sixplane.web.thinker import Thinker, Thought
from sixplane.web.tree import MOST_PLACES, ROOT, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from sixplane._core import Game
    from sixplane.agents.agent import Choice
    from sixplane.play.seating import Seating
    from sixplane.web.analysis import Question
    from sixplane.web.tree import Source

__all__ = ["RefusedError", "Session"]


#: Positions of a record and those that are tried out.
MOST_TRIED = 2 * MOST_PLACES


class Session:
    """A game between persons at pages and agents in threads. All methods may be called from any thread.

    Args:
        seating: the players.
        game: the game to start from.
        changed: called after every change, from any thread, and must return at once.
        progress: called with the part of an agent's thinking that is done, in the same way.
    """

    thinker: ClassVar[type[Thinker]] = Thinker
    """Asks the agents."""

    def __init__(
        self,
        seating: Seating,
        game: Game,
        changed: Callable[[], object] = lambda: None,
        progress: Callable[[float], object] = lambda _part: None,
    ) -> None:
        self._lock = threading.RLock()
        self._changed, self._progress = changed, progress
        self._version = self._serial = 0
        self._is_started = False
        self._thought: Thought | None = None
        self._seat(seating)
        self._lay_out(game)

    def _seat(self, seating: Seating) -> None:
        self._seating, limit = seating, seating.seconds_per_move
        self._thinkers = [None if agent is None else self.thinker(agent, limit) for agent in seating.players]
        self._adviser = self.thinker(seating.hint)

    def _lay_out(self, game: Game, tree: Tree | None = None) -> None:
        self._game = game.copy()
        self._clock = Clock(self._seating.seconds_per_move)
        self._result: match.Result | None = None
        self._counting: Counting | None = None
        self._tree = Tree.of(game)[0] if tree is None else tree
        self._first = self._live = self._tree.follow(game)
        self._analysis = Analysis(self._seating, self._tree, self._lock, self._tell)
        self._advice = Advice(self._adviser, self._tree, self._lock, self._tell)
        self._serial += 1

    def start(self) -> None:
        """Begins, when the first page is there: the clock runs, and agents think."""
        with self._lock:
            if not self._is_started:
                self._is_started = True
                self._go_on()

    def snapshot(self, place: int | None = None, leaf: int | None = None) -> Snapshot:
        """The session as it is now.

        Args:
            place: the number of the position that a page looks at; None: the one to play in.
            leaf: that of a position whose line the page goes along; None: the game's, if it leads there.
        """
        with self._lock:
            tree = self._tree
            walk = tree.walk(self._live, place, leaf)
            shown = walk.places[walk.at]
            return Snapshot(
                **vars(walk),
                version=self._version,
                serial=self._serial,
                game=self._game.copy(),
                # What somebody has resigned can still be thought about, and played on.
                shown=self._game.copy()
                if shown == self._live and self._game.reason != "resignation"
                else tree.game(shown),
                sources=self._analysis.sources,
                counting=copy.copy(self._counting),
                is_asking=self._analysis.is_asking(shown),
                seating=self._seating,
                result=self._result,
                hint=tree[shown].hint,
                is_thinking=self._thought is not None,
                spent=self._clock.spent(),
                left=self._clock.left(),
                timed=self._clock.color,
                can_undo=before_last_person(self._game, self._seating.persons) is not None,
            )

    def play(self, action: int, at: int) -> None:
        """A person plays.

        Args:
            action: a legal one.
            at: how many actions had been played when the person decided.

        Raises:
            RefusedError: it is not a person's turn, another page was quicker, or the action is illegal.
        """
        with self._lock:
            self._check_turn(at)
            try:
                self._game.copy().play(action)
            except IllegalActionError as error:
                raise RefusedError(error.reason, str(error)) from error
            self._play(action)

    def resign(self, at: int) -> None:
        """The person to play resigns; while an agent thinks, its opponent.

        Raises:
            RefusedError: the game is over, no person plays, or another page was quicker.
        """
        with self._lock:
            persons = self._seating.persons
            color = self._game.turn if persons[self._game.turn] else 1 - self._game.turn
            if self._game.is_over:
                raise RefusedError("game_over")
            if not persons[color]:
                raise RefusedError("not_your_turn")
            self._check_place(at)
            self._end(1 - color, "resignation", "")

    def undo(self) -> None:
        """Takes the last move of a person back, with what came after it.

        Raises:
            RefusedError: no person has made a move.
        """
        with self._lock:
            game = before_last_person(self._game, self._seating.persons)
            if game is None:
                raise RefusedError("nothing_to_undo")
            self._stop()
            self._game, self._result, self._counting = game, None, None
            path = self._tree.path(self._live)
            self._live = path[game.move_number]
            self._tree.prune(path[-1], self._live)
            self._go_on()

    def ask_hint(self, place: int | None = None) -> None:
        """Asks the agent that gives hints.

        Args:
            place: the number of the position; None: the one to play in.

        Raises:
            RefusedError: there is no such position, nobody may play there, or it is an agent's turn.
        """
        with self._lock:
            place = self._live if place is None else place
            game = self.game_at(place)
            if game.is_over:
                raise RefusedError("game_over")
            if place == self._live and self._result is None:
                self._check_turn(game.move_number)
            self._advice.ask(place, game)

    def mark(self, point: int | None, at: int) -> None:
        """Marks a chain as dead or alive after two passes; None marks what random games hold to be dead.

        Raises:
            RefusedError: there is nothing to count, another page was quicker, or there is no stone.
        """
        with self._lock:
            self._counted(at).mark(point)
            self._judge()
            self._tell()

    def agree(self, color: int, at: int) -> None:
        """A person agrees with the marks. When both players do, the board without these stones counts.

        Raises:
            RefusedError: there is nothing to count, another page was quicker, or no person has the color.
        """
        with self._lock:
            self._counted(at).agree(color)
            self._judge()
            self._tell()

    def _counted(self, at: int) -> Counting:
        self._check_place(at)
        if self._counting is None:
            raise RefusedError("nothing_to_count")
        return self._counting

    def want(self, page: Hashable, question: Question | None) -> None:
        """What a page wants to be told of a position; None: nothing."""
        self._analysis.want(page, question)

    def try_out(self, place: int, action: int) -> int:
        """Plays in a branch, which does not change the game.

        Args:
            place: the number of the position to play in.
            action: a legal one.

        Returns:
            The number of the position after it.

        Raises:
            RefusedError: there is no such position, the action is illegal, or there are too many branches.
        """
        with self._lock:
            game = self.game_at(place)
            if len(self._tree) >= MOST_TRIED:
                raise RefusedError("too_many", "there are too many branches")
            color = game.turn
            try:
                game.play(action)
            except IllegalActionError as error:
                raise RefusedError(error.reason, str(error)) from error
            after = self._tree.add(place, color, action)
            self._tree[after].is_kept = True
            self._tell()
            return after

    def game_at(self, place: int) -> Game:
        """A new game that stands at a position.

        Raises:
            RefusedError: there is no such position.
        """
        with self._lock:
            if place not in self._tree:
                raise RefusedError("too_late")
            return self._tree.game(place)

    def resume(self, seating: Seating, place: int, serial: int | None = None) -> None:
        """Goes on from a position with these players; nothing that was played is lost.

        Args:
            seating: the players.
            place: the number of the position.
            serial: that of the game that the position is in; None: the one that is played now.

        Raises:
            RefusedError: there is no such position, or another game has begun.
        """
        with self._lock:
            if serial not in {None, self._serial}:
                raise RefusedError("too_late")
            self.new(seating, self.game_at(place), self._tree.keep())

    def again(self) -> None:
        """Begins once more where the game began that is over, with the same players.

        Raises:
            RefusedError: the game is not over.
        """
        with self._lock:
            if self._result is None:
                raise RefusedError("not_over")
            place = ROOT if self.game_at(self._first).is_over else self._first
            game, tree = self.game_at(place), None if place == ROOT else self._tree.keep()
            self._stop()
            self._begin(game, tree)

    def new(self, seating: Seating, game: Game, tree: Tree | None = None) -> None:
        """Begins another game. The agents of the one before are closed.

        Args:
            seating: the players.
            game: the game.
            tree: the tree that the game is in, with variations; None: a new one.
        """
        with self._lock:
            self._stop()
            for thinker in (*self._thinkers, self._adviser):
                if thinker is not None:
                    thinker.close()
            self._seat(seating)
            self._begin(game, tree)

    def _begin(self, game: Game, tree: Tree | None) -> None:
        self._analysis.close()
        self._advice.close()
        self._lay_out(game, tree)
        if game.is_over:
            self._judge()
        self._go_on()

    def close(self) -> None:
        """Ends what runs."""
        with self._lock:
            self._stop()
            self._analysis.close()
            self._advice.close()
            self._is_started = False

    def record(self) -> str:
        """The game as SGF, with the names of its players."""
        with self._lock:
            result = None if self._result is None else self._result.sgf_result
            black, white = self._seating.names
            if self._tree.is_plain:
                return self._game.to_sgf(black_name=black, white_name=white, result=result)
            return self._tree.to_sgf(
                self._live, lambda start: start.to_sgf(black_name=black, white_name=white, result=result)
            )

    def _check_turn(self, at: int) -> None:
        if self._game.is_over:
            raise RefusedError("game_over")
        if not self._seating.persons[self._game.turn]:
            raise RefusedError("not_your_turn")
        self._check_place(at)

    def _check_place(self, at: int) -> None:
        if at != self._game.move_number:
            raise RefusedError("too_late")

    def _play(self, action: int) -> None:
        self._stop()
        self._add(action)
        self._tree[self._live].seconds = self._clock.turn
        game = self._game
        # A player whose only legal action is a pass is not asked, as the referee of a match has it.
        while not game.is_over and game.legal_actions.tolist() == [game.num_actions - 1]:
            self._add(game.num_actions - 1)
        if game.is_over:
            self._judge()
        self._go_on()

    def _add(self, action: int) -> None:
        self._live = self._tree.add(self._live, self._game.turn, action)
        self._game.play(action)

    def _judge(self) -> None:
        """The result of a game that is over, by the board or by a resignation in its record."""
        game = self._game
        assert game.outcome is not None  # noqa: S101 - the game is over
        reason: match.Reason = "moves" if game.is_truncated else "rules"
        if game.reason == "resignation":
            reason = "resignation"
        if self._counting is None:
            self._counting = Counting.of(game, self._seating.persons)
        elif self._counting.dead and all(self._counting.agreed):
            score = self._counting.rest().score()
            winner: match.Winner = "black" if score > 0 else "white" if score < 0 else "draw"
            self._result = self._result_of(winner, reason, "", score)
            return
        self._result = self._result_of(game.outcome, reason, "", game.score())

    def _result_of(
        self, winner: match.Winner, reason: match.Reason, detail: str, score: float = 0.0
    ) -> match.Result:
        black, white = self._clock.spent()
        return match.Result(winner, reason, detail, score, (black, white), (), self._game.copy())

    def _end(self, winner: int, reason: match.Reason, detail: str) -> None:
        """A player has lost by a rule of the referee."""
        self._stop()
        self._game.resign("black" if winner else "white")
        self._result = self._result_of("white" if winner else "black", reason, detail)
        self._tell()

    def _stop(self) -> None:
        """Stops the clock, and drops what was thought about the next move."""
        self._clock.stop()
        self._advice.forget(self._live)
        if self._thought is not None:
            self._thought.drop()
        self._thought = None

    def _go_on(self) -> None:
        """Starts the clock of the player to play, and an agent's thinking."""
        game = self._game
        # No time is used before the first move of a person.
        is_first = self._live == self._first and self._seating.persons[game.turn]
        if self._is_started and not game.is_over and not is_first:
            self._clock.start(game.turn, partial(self._time_up, game.move_number, self._serial))
            thinker = self._thinkers[game.turn]
            if thinker is not None:
                delay = self._seating.delay if self._seating.is_watched else 0.0
                self._thought = thinker.ask(game.copy(), self._answered, self._thinks, delay, self._waits)
        self._tell()

    def _tell(self) -> None:
        self._version += 1
        self._changed()

    def _time_up(self, move: int, serial: int) -> None:
        with self._lock:
            # The alarm may have rung while the move was being played.
            late = self._clock.left() == 0.0 and (move, serial) == (self._game.move_number, self._serial)
            if late and not self._game.is_over:
                loser = self._game.turn
                detail = f"{COLORS[loser]}: no move within {self._clock.limit:.3g} s"
                self._end(1 - loser, "time", detail)

    def _thinks(self, thought: Thought, part: float) -> None:
        if thought is self._thought:
            self._progress(part)

    def _waits(self, thought: Thought) -> None:
        """The delay between two agents is on nobody's clock."""
        with self._lock:
            if thought is self._thought:
                self._clock.stop()
                self._tell()

    def _answered(self, thought: Thought, choice: Choice | Exception) -> None:
        with self._lock:
            if thought is not self._thought:
                return
            color = self._game.turn
            if thought.insight is not None:
                source: Source = "white" if color else "black"
                self._tree[self._live].insights[source] = thought.insight
            if isinstance(choice, Resignation):
                self._end(1 - color, "resignation", "")
            elif isinstance(choice, Exception):
                self._end(1 - color, "error", f"{COLORS[color]}: {type(choice).__name__}: {choice}")
            else:
                try:
                    self._game.copy().play(choice)
                except (TypeError, ValueError) as error:
                    self._end(1 - color, "illegal", f"{COLORS[color]}: {error}")
                else:
                    self._play(int(choice))
