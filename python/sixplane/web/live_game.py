"""The game that is played, with its clock, the agents that think, and its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock

from sixplane import match
from sixplane._core import Game
from sixplane.agents.agent import RESIGN, STOP
from sixplane.errors import GameRulesError, IllegalActionError
from sixplane.games import COLORS, can_only_pass, has_liberties
from sixplane.play.players import Players
from sixplane.web.background_agent import Answer, BackgroundAgent, Thought
from sixplane.web.clock import TurnClock
from sixplane.web.counting import Counting
from sixplane.web.hints import Hints
from sixplane.web.insight import Insight
from sixplane.web.refusal import RefusedError, rules_failed
from sixplane.web.tree import Tree


class LiveGame:
    """A game between persons at pages and agents in threads. All methods may be called from any thread.

    The lock is held while anything is read or changed. After every change `changed` is called with it, and
    `progress` from a thread with the part of an agent's thinking that is done.

    What a page cannot do raises a `RefusedError`: the game is over, it is not a person's turn, another page
    was quicker, the action is illegal, or there is nothing to stop, to take back or to count.

    Attributes:
        game: game as it stands; a stopped game is not over.
        place: number of the position to play in.
        first: number of the position that the game started from, or to which Undo went back beyond it.
        clock: clock of the players.
        result: result; None while the game goes on.
        counting: marks on dead stones after two passes of Go.
    """

    def __init__(
        self,
        players: Players,
        agents: Sequence[BackgroundAgent | None],
        game: Game,
        tree: Tree,
        *,
        hints: Hints,
        lock: RLock,
        changed: Callable[[], object],
        progress: Callable[[float], object],
    ) -> None:
        self._players, self._agents, self._tree = players, agents, tree
        self._hints, self._lock, self._changed, self._progress = hints, lock, changed, progress
        self._is_started = self._is_closed = False
        self._thought: Thought | None = None
        self.game = game.copy()
        self.first = self.place = tree.follow(game)
        self.clock = TurnClock(players.seconds_per_move)
        self.result: match.Result | None = None
        self.counting: Counting | None = None
        if game.is_over:
            self._judge()

    @property
    def is_thinking(self) -> bool:
        """Whether the agent to play thinks."""
        return self._thought is not None

    @property
    def can_stop(self) -> bool:
        """Whether a person may stop the game, so that the board decides; Go is counted after two passes."""
        return not (self._is_over or has_liberties(self.game)) and any(self._players.persons)

    def start(self) -> None:
        """Starts the clock and the agent to play."""
        with self._lock:
            self._is_started = True
            self._go_on()

    def close(self) -> None:
        """Stops the clock and the thinking; nobody plays on."""
        with self._lock:
            self._pause()
            self._is_closed = True

    def play(self, action: int, at: int) -> None:
        """Plays an action of a person, who decided after so many actions."""
        with self._lock:
            self.check_turn(at)
            play_or_refuse(self.game.copy(), action)
            self._play(action)

    def resign(self, at: int) -> None:
        """Resigns for the person to play, or, while an agent thinks, for its opponent."""
        with self._lock:
            self._check_running(at)
            turn = self.game.turn
            self._lose(turn if self._players.persons[turn] else 1 - turn, "resignation", "")

    def stop(self, at: int) -> None:
        """Stops the game for a person. The board decides as it stands; `undo` continues the game."""
        with self._lock:
            self._check_running(at)
            if not self.can_stop:
                raise RefusedError("two_passes", "two passes end a game of Go, and then it is counted")
            self._stop()

    def undo(self) -> None:
        """Takes back the last move of a person and all after it, or continues a stopped game."""
        with self._lock:
            game = self.before_undo()
            if game is None or self._is_closed:
                raise RefusedError("nothing_to_undo")
            self._pause()
            self.game, self.result, self.counting = game, None, None
            path = self._tree.path(self.place)
            self.place = path[game.move_number]
            if game.move_number < path.index(self.first):
                self.first = self.place
            self._tree.prune(path[-1], self.place)
            self._go_on()

    def before_undo(self) -> Game | None:
        """Returns the game that `undo` would leave; None if there is nothing to take back."""
        if self._is_over and not self.game.is_over:
            return self.game.copy()
        return self._players.before_last_person(self.game)

    def mark(self, point: int | None, at: int) -> None:
        """Marks a chain as dead or alive after two passes; None: the stones that random games find dead."""
        self._count(lambda counting: counting.mark(point), at)

    def agree(self, color: int, at: int) -> None:
        """Notes that a person agrees with the marks. When both players do, the marked stones do not count."""
        self._count(lambda counting: counting.agree(color), at)

    def _count(self, change: Callable[[Counting], None], at: int) -> None:
        with self._lock:
            self._check_place(at)
            if self.counting is None:
                raise RefusedError("nothing_to_count")
            change(self.counting)
            self._judge()
            self._changed()

    def check_turn(self, at: int) -> None:
        """Makes sure that it is a person's turn in the position that a page shows."""
        if not self._is_over and not self._players.persons[self.game.turn]:
            raise RefusedError("not_your_turn")
        self._check_running(at)

    @property
    def _is_over(self) -> bool:
        return self.result is not None

    def _check_running(self, at: int) -> None:
        if self._is_over:
            raise RefusedError("game_over")
        if not any(self._players.persons):
            raise RefusedError("not_your_turn")
        self._check_place(at)

    def _check_place(self, at: int) -> None:
        if at != self.game.move_number or self._is_closed:
            raise RefusedError("too_late")

    def _play(self, action: int) -> None:
        self._pause()
        self._add(action)
        self._tree[self.place].seconds = self.clock.turn
        game = self.game
        while can_only_pass(game):
            self._add(game.num_actions - 1)
        if game.is_over:
            self._judge()
        self._go_on()

    def _add(self, action: int) -> None:
        self.place = self._tree.add(self.place, self.game.turn, action)
        self.game.play(action)

    def _judge(self) -> None:
        """Ends a game that is over: by the board, agreement or resignation."""
        game, counting = self.game, self.counting
        assert game.outcome is not None  # noqa: S101 - the game is over
        ending: match.EndingName = "moves" if game.is_truncated else "rules"
        if game.ending == "resignation":
            ending = "resignation"
        if counting is None:
            self.counting = Counting.of(game, self._players.persons)
        elif counting.dead and all(counting.agreed):
            self._score(ending, counting.rest().score())
            return
        self._set_result(game.outcome, ending, score=game.score())

    def _lose(self, color: int, ending: match.EndingName, detail: str) -> None:
        """Ends the game with a loss, which the record has as a resignation."""
        self._pause()
        self.game.resign(COLORS[color])
        self._set_result("black" if color else "white", ending, detail)
        self._changed()

    def _break_off(self, error: GameRulesError) -> None:
        """Ends the game without a winner, because its rules have failed."""
        self._pause()
        self._set_result("draw", "error", rules_failed(error))
        self._changed()

    def _stop(self) -> None:
        """Ends the game by the board as it stands, as the referee of a match does."""
        self._pause()
        self._score("stopped", self.game.score())
        self._changed()

    def _score(self, ending: match.EndingName, score: float) -> None:
        self._set_result("black" if score > 0 else "white" if score < 0 else "draw", ending, score=score)

    def _set_result(
        self, winner: match.Winner, ending: match.EndingName, detail: str = "", score: float = 0.0
    ) -> None:
        seconds = self.clock.spent()
        self.result = match.Result(winner, ending, detail, score, seconds, (), self.game.copy())

    def _pause(self) -> None:
        """Stops the clock, and drops the thinking about the next move."""
        self.clock.stop()
        self._hints.forget(self.place)
        if self._thought is not None:
            self._thought.dropped.set()
        self._thought = None

    def _go_on(self) -> None:
        """Starts the clock of the player to play, and the thinking of an agent.

        While an agent is busy with a move that was taken back, no clock runs, for its limit at most.
        """
        game = self.game
        self.clock.turn = 0.0
        if self._is_started and not game.is_over and not self._is_first_of_persons():
            agent = self._agents[game.turn]
            if agent is None or not agent.is_busy:
                self.clock.start(game.turn, self._time_up)
            else:
                self.clock.wait(self._begins)
            if agent is not None:
                self._thought = agent.ask(
                    game.copy(),
                    self._answered,
                    lambda part, _: self._progress(part),
                    self._players.delay if self._players.is_watched else 0.0,
                    self._waits,
                    begins=self._begins,
                )
        self._changed()

    def _begins(self) -> None:
        """Starts the clock of an agent that was busy with a move that was taken back, or is for too long."""
        with self._lock:
            if self._thought is not None and self.clock.is_waiting:
                self.clock.start(self.game.turn, self._time_up)
                self._changed()

    def _is_first_of_persons(self) -> bool:
        """Whether a person is to play, and none has played yet: no time is used before."""
        persons, path = self._players.persons, self._tree.path(self.place)
        played = (self._tree[place].color for place in path[path.index(self.first) + 1 :])
        return persons[self.game.turn] and not any(persons[color] for color in played)

    def _time_up(self) -> None:
        with self._lock:
            # The alarm may have rung while the move was being played: then another turn has begun, or none.
            if self.clock.left() == 0.0:
                turn = self.game.turn
                self._lose(turn, "time", f"{COLORS[turn]}: no move within {self.clock.limit:.3g} s")

    def _waits(self) -> None:
        """Stops the clock, because the delay between two agents counts for neither of them."""
        self.clock.stop()
        self._changed()

    def _answered(self, choice: Answer, insight: Insight | None) -> None:
        turn, after = self.game.turn, self.game.copy()
        if insight is not None:
            self._tree[self.place].add("white" if turn else "black", insight)
        if choice is RESIGN:
            self._lose(turn, "resignation", "")
        elif choice is STOP:
            self._stop()
        elif isinstance(choice, GameRulesError):
            self._break_off(choice)
        elif isinstance(choice, (Exception, SystemExit)):
            self._lose(turn, "error", f"{COLORS[turn]}: {type(choice).__name__}: {choice}")
        else:
            try:
                after.play(choice)  # type: ignore[arg-type] # None is refused as other wrong answers are
            except GameRulesError as error:
                self._break_off(error)
            except Exception as error:  # an answer may be an object that fails
                self._lose(turn, "illegal", f"{COLORS[turn]}: {error}")
            else:
                assert after.last_action is not None  # noqa: S101 - it has just been played
                self._play(after.last_action)


def play_or_refuse(game: Game, action: int) -> None:
    """Plays an action, or raises a `RefusedError` if it is illegal or the rules fail."""
    try:
        game.play(action)
    except IllegalActionError as error:
        raise RefusedError(error.reason, str(error)) from error
    except GameRulesError as error:
        raise RefusedError("bad_rules", rules_failed(error)) from error
