"""What several pages share: the game that is played, the positions around it, and what agents say of them."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import ClassVar

from sixplane import match
from sixplane._core import Game
from sixplane.agents.agent import Agent
from sixplane.play.players import Players
from sixplane.play.streak import Streak
from sixplane.web.analysis import Analysis, Question
from sixplane.web.background_agent import BackgroundAgent
from sixplane.web.counting import Counting
from sixplane.web.hints import Hints
from sixplane.web.live_game import LiveGame, play_or_refuse
from sixplane.web.refusal import RefusedError
from sixplane.web.tree import MOST_PLACES, ROOT, HintState, Location, Source, Tree

#: The most positions of a record and of what is tried out.
MOST_TRIED = 2 * MOST_PLACES


@dataclass(frozen=True)
class Snapshot(Location):
    """A session at one moment, and where a page is in it."""

    version: int
    """A number that grows with every change."""
    serial: int
    """A number that grows with every new game."""
    game: Game
    players: Players
    result: match.Result | None
    hint: HintState
    """The hint for the position that is shown."""
    is_thinking: bool
    """Whether the agent to play is thinking."""
    spent: tuple[float, float]
    """The seconds that Black and White have used."""
    left: float | None
    """The seconds left for this move; None if there is no limit, or the clock stands still."""
    timed: int | None
    """The color whose clock runs; None if it stands still."""
    is_played: bool
    """Whether a game goes on that would be lost: somebody has played or tried out a move since it began."""
    can_undo: bool
    """Whether a move of a person can be taken back, or a stopped game continued."""
    can_stop: bool
    """Whether a person may stop the game, so that the board decides."""
    shown: Game
    """The position that a page looks at."""
    sources: list[Source]
    """The agents that can be asked about a position."""
    counting: Counting | None
    """The marks on dead stones after two passes; None if nothing is counted."""
    is_asking: bool
    """Whether an agent is thinking about the position that is shown, for a page."""
    about: dict[str, str]
    """Facts of the record: event, date, result and ranks, as long as its players play."""
    streak: Streak
    """The games in a row that the person has won or lost, with the one that is over."""


class PageSession:
    """One game after another, which several pages share. All methods may be called from any thread.

    `changed` is called after every change, from any thread, and must return at once. So is `progress`, with
    the part of an agent's thinking that is done.

    What a page cannot do raises a `RefusedError`: there is no such position, it is not a person's turn, the
    action is illegal, or the game is over, goes on or has been followed by another.

    Attributes:
        live: game that is played now.
    """

    background_agent: ClassVar[type[BackgroundAgent]] = BackgroundAgent
    """The class that asks the agents."""

    def __init__(
        self,
        players: Players,
        game: Game,
        changed: Callable[[], object] = lambda: None,
        progress: Callable[[float], object] = lambda _part: None,
    ) -> None:
        self._lock = threading.RLock()
        self._on_change, self._progress = changed, progress
        self._version = self._serial = 0
        self._is_started = False
        self._streak = Streak()
        self._set_players(players)
        self._set_game(game, Tree.of(game))

    def _set_players(self, players: Players) -> None:
        self._players, seconds = players, players.seconds_per_move

        def background(agent: Agent) -> BackgroundAgent:
            return self.background_agent(agent, self._lock, seconds)

        self._agents = [None if one is None else background(one) for one in players.seats]
        self._hint_agent = self.background_agent(players.hint, self._lock)

    def _set_game(self, game: Game, tree: Tree) -> None:
        self._tree = tree
        # What is played and tried out adds to the positions that were there when the game began.
        self._opened = len(tree)
        self._analysis = Analysis(self._players, tree, self._lock, self.changed)
        self._hints = Hints(self._hint_agent, tree, self.changed)
        self.live = LiveGame(
            self._players,
            self._agents,
            game,
            tree,
            hints=self._hints,
            lock=self._lock,
            changed=self.changed,
            progress=self._progress,
        )
        self._began = self.live.place
        self._serial += 1

    def start(self) -> None:
        """Starts the clock and the agents, when the first page is there."""
        with self._lock:
            if not self._is_started:
                self._is_started = True
                self.live.start()

    def changed(self) -> None:
        """Lets the pages know that something has changed."""
        with self._lock:
            self._version += 1
            self._on_change()

    def snapshot(self, place: int | None = None, leaf: int | None = None) -> Snapshot:
        """Returns the session at this moment, for a page at a position of a line that `Tree.locate` finds."""
        with self._lock:
            tree, live = self._tree, self.live
            location = tree.locate(live.place, place, leaf)
            shown = location.places[location.at]
            # What somebody has resigned can still be thought about, and played on.
            is_shown = shown == live.place and live.game.ending != "resignation"
            return Snapshot(
                **vars(location),
                version=self._version,
                serial=self._serial,
                game=live.game.copy(),
                shown=live.game.copy() if is_shown else tree.game(shown),
                sources=self._analysis.sources,
                counting=copy.copy(live.counting),
                is_asking=self._analysis.is_asking(shown),
                players=self._players,
                result=live.result,
                hint=tree[shown].hint,
                is_thinking=live.is_thinking,
                spent=live.clock.spent(),
                left=live.clock.left(),
                timed=live.clock.color,
                is_played=live.result is None and (live.place != self._began or len(tree) > self._opened),
                can_undo=live.before_undo() is not None,
                can_stop=live.can_stop,
                about=tree.about_of(self._players.names),
                streak=self._streak_now(),
            )

    def ask_hint(self, place: int | None = None, page: Hashable = None) -> None:
        """Asks the agent that gives hints about a position; None: the one to play in.

        A question of the same page about another position is dropped.
        """
        with self._lock:
            place = self.live.place if place is None else place
            game = self.game_at(place)
            if game.is_over:
                raise RefusedError("game_over")
            if place == self.live.place and self.live.result is None:
                self.live.check_turn(game.move_number)
            self._hints.ask(place, game, page)

    def request(self, page: Hashable, question: Question | None) -> None:
        """Sets the question of a page about a position, or None."""
        self._analysis.request(page, question)

    def leave(self, page: Hashable) -> None:
        """Drops what a page has asked, because it has closed."""
        with self._lock:
            self._analysis.request(page, None)
            self._hints.leave(page)

    def try_out(self, place: int, action: int, serial: int | None = None) -> int:
        """Tries an action out in a branch of a position; the game stays as it is.

        The position is one of the game with this serial number; None: of the one that is played now.

        Returns:
            The number of the position after it.
        """
        with self._lock:
            self.numbered(serial)
            game = self.game_at(place)
            if len(self._tree) >= MOST_TRIED:
                raise RefusedError("too_many", "there are too many branches")
            color = game.turn
            play_or_refuse(game, action)
            after = self._tree.add(place, color, action)
            self._tree[after].is_kept = True
            self.changed()
            return after

    def game_at(self, place: int) -> Game:
        """Returns a new game at a position."""
        with self._lock:
            if place not in self._tree:
                raise RefusedError("too_late")
            return self._tree.game(place)

    def resume(self, players: Players, place: int, serial: int | None = None) -> None:
        """Continues from a position with these players; what was played stays in the tree.

        The position is one of the game with this serial number; None: of the one that is played now.
        """
        with self._lock:
            self.numbered(serial)
            self.new(players, self.game_at(place), self._tree.keep())

    def numbered(self, serial: int | None) -> LiveGame:
        """Returns the game with this serial number if it is played now; None: the one that is."""
        with self._lock:
            if serial not in {None, self._serial}:
                raise RefusedError("too_late")
            return self.live

    def again(self) -> None:
        """Begins once more where the finished game began, with the same players."""
        with self._lock:
            if self.live.result is None:
                raise RefusedError("not_over")
            self._streak = self._streak_now()
            place = ROOT if self.game_at(self.live.first).is_over else self.live.first
            self._begin(self.game_at(place), None if place == ROOT else self._tree.keep())

    def new(self, players: Players, game: Game, tree: Tree | None = None) -> None:
        """Begins another game, in a tree that has it or in a new one, and closes the agents before."""
        with self._lock:
            self._streak = self._streak_now()
            self._pause()
            for agent in (*self._agents, self._hint_agent):
                if agent is not None:
                    agent.close()
            self._set_players(players)
            self._begin(game, tree)

    def _streak_now(self) -> Streak:
        """Returns the streak with the game that is over, which counts if it was played from start to end."""
        result = self.live.result
        if result is None or self.live.first != ROOT:
            return self._streak
        game, persons = self.live.game, self._players.persons
        # The machine was too slow for a level that lost on time.
        is_slow = result.ending == "time" and not persons[game.turn]
        counts = result.ending != "stopped" and not is_slow
        return self._streak.after(self._players, game, result.winner, counts=counts)

    def _begin(self, game: Game, tree: Tree | None) -> None:
        self._pause()
        self._set_game(game, Tree.of(game) if tree is None else tree)
        if self._is_started:
            self.live.start()
        else:
            self.changed()

    def _pause(self) -> None:
        self.live.close()
        self._analysis.close()
        self._hints.close()

    def close(self) -> None:
        """Stops the clock and the thinking."""
        with self._lock:
            self._pause()
            self._is_started = False

    def record(self) -> str:
        """Returns the game as SGF, with the names of its players."""
        with self._lock:
            result = self.live.result
            tree, place = self._tree, self.live.place
            black, white = tree.names_of(self._players.names)

            def record(game: Game) -> str:
                sgf_result = None if result is None else result.sgf_result
                return game.to_sgf(black_name=black, white_name=white, result=sgf_result)

            about = tree.about_of(self._players.names)
            # Moves may follow the position to play in: some of a record, or those that were tried out.
            if tree.is_plain and not tree[place].children and not about:
                return record(self.live.game)
            return tree.to_sgf(place, record, about)
